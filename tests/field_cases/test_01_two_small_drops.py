"""Field case 01: two small drops that are one compaction together; ups and downs that are none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

# The two ground rules of the first message, written down as a person would.
RULES = (
    "- [constraint] Only touch files under src/sync\n"
    "- [constraint] The public signatures in src/sync/api.py stay as they are\n"
)


@pytest.fixture
def play(
    shared_daemon: Any, new_project: Callable[..., Any], play_case: Callable[..., Any]
) -> Callable[[str], Any]:
    project = new_project("orchard", project_constraints=RULES)
    return lambda log: play_case(shared_daemon, "01-two-small-drops", log, project=project)


def test_a_snippet_at_the_start_and_one_at_the_second_drop_and_no_other(play: Callable[[str], Any]) -> None:
    played = play("session.jsonl")

    assert list(played.snippets) == [0, 16]
    assert "-28.9 %" in played.session.seen()["last_compaction"]["reason"]


def test_the_snippet_after_the_drop_carries_both_ground_rules(play: Callable[[str], Any]) -> None:
    played = play("session.jsonl")

    played.check(played.snippets[16])


def test_ups_and_downs_that_never_leave_a_fifth_of_the_highest_point_are_none(
    play: Callable[[str], Any],
) -> None:
    assert list(play("control.jsonl").snippets) == [0]


def test_the_rules_are_found_in_the_first_message(play_bare: Callable[..., Any]) -> None:
    played = play_bare("01-two-small-drops")

    assert set(played.rows()) == {1}
    played.check(played.snippets[16])


@pytest.mark.parametrize(("log", "rows"), [("control.jsonl", []), ("session.jsonl", [16])])
def test_what_was_said_in_the_session_itself_is_not_due_because_of_its_start(
    play_bare: Callable[..., Any], log: str, rows: list[int]
) -> None:
    assert list(play_bare("01-two-small-drops", log).snippets) == rows
