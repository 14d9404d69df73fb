"""Field case 06: a paste full of "must not" and "never", and one real rule below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def test_before_the_person_adopts_anything_the_cache_is_the_only_rule(
    replay_case: Callable[..., Any],
) -> None:
    replayed = replay_case("06-rule-in-a-pasted-log", rows=4)

    [rule] = replayed.rules
    assert "node_modules/.cache" in rule
    for foreign in ("yarn", "generated", "workflows"):
        assert foreign not in replayed.snippet


def test_what_they_adopt_in_their_own_words_is_theirs_from_that_row(replay_case: Callable[..., Any]) -> None:
    replayed = replay_case("06-rule-in-a-pasted-log")

    replayed.check()
    assert [each.line for each in replayed.result.captured] == [1, 7]
    assert "yarn" not in replayed.snippet


def test_the_quoted_sentence_is_no_compaction(replay_case: Callable[..., Any]) -> None:
    assert replay_case("06-rule-in-a-pasted-log").result.compactions == ()
