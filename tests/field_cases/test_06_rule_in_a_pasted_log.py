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


def test_the_daemon_takes_nothing_from_the_paste_and_what_was_adopted_from_its_row(
    play_bare: Callable[..., Any],
) -> None:
    before: list[str] = []

    def look(session: Any) -> None:
        before.append(session.daemon.command("snippet", "--session", session.id).stdout)

    played = play_bare("06-rule-in-a-pasted-log", before={5: look})
    after = played.session.daemon.command("snippet", "--session", played.session.id).stdout

    [first] = before
    assert [line for line in first.splitlines() if line.startswith("- ")] == [
        line for line in first.splitlines() if "node_modules/.cache" in line
    ]
    played.check(after)
    for foreign in ("yarn", "generated", "workflows"):
        assert foreign not in first and foreign not in after
    assert played.rows() == [1, 7]
    assert played.session.seen()["last_compaction"] is None


def test_the_quoted_sentence_is_no_compaction(replay_case: Callable[..., Any]) -> None:
    assert replay_case("06-rule-in-a-pasted-log").result.compactions == ()
