"""Field case 04: preferences slip out in half a sentence, next to remarks that only sound alike."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def replayed(replay_case: Callable[..., Any]) -> Any:
    return replay_case("04-half-implicit-preference")


def test_what_is_disliked_is_to_be_avoided_and_neither_the_meeting_nor_the_suggestion_is_a_rule(
    replayed: Any,
) -> None:
    replayed.check()
    by_row = {each.line: each for each in replayed.result.captured}
    assert set(by_row) <= {1, 5, 9, 15}
    assert {by_row[row].polarity for row in (1, 9)} == {"do_not"}


def test_each_is_in_the_words_of_the_person_and_told_apart_from_hard_bans(replayed: Any) -> None:
    shown = [line for line in replayed.snippet.splitlines() if line.startswith("- ")]

    assert shown
    assert all(line.startswith("- 偏好：") for line in shown)
    for each in replayed.result.captured:
        assert each.text in each.quote


def test_the_daemon_serves_it_after_the_compaction(play_bare: Callable[..., Any]) -> None:
    played = play_bare("04-half-implicit-preference")

    played.check(played.last)
    assert set(played.rows()) <= {1, 5, 9, 15}
    assert all(each.quote for each in played.captured)


def test_the_naming_is_there_as_well_as_the_small_try_blocks(replayed: Any) -> None:
    assert re.search("命名", replayed.snippet)
    assert re.search("try", replayed.snippet)
