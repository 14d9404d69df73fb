"""What is asked of a task: made together, or not at all."""

from __future__ import annotations

import pytest

from agentinitd.memory.task_request import TaskRequest
from agentinitd.memory.task_state import State
from agentinitd.model.errors import UsageError

STATE: State = {"pending": ["read", "write"], "blockers": ["the key is missing"]}


def test_a_step_can_be_added_and_completed_at_once() -> None:
    asked = TaskRequest(add=" ship\nit ", complete="ship", next_action="rest", phase="end", done=False)

    state = asked.applied(STATE)

    assert (state["completed"], state["pending"]) == (["ship it"], ["read", "write"])
    assert (state["next_action"], state["phase"]) == ("rest", "end")
    assert asked.reason == "add: ship it, complete: ship, next_action: rest, phase: end"


def test_one_part_that_cannot_be_keeps_all_from_happening() -> None:
    with pytest.raises(UsageError, match="read; write"):
        TaskRequest(next_action="x", complete="deploy").applied(STATE)


def test_a_blocker_is_taken_away_by_a_part_of_its_words() -> None:
    assert TaskRequest(unblock="key").applied(STATE)["blockers"] == []


def test_the_whole_task_is_done_last() -> None:
    state = TaskRequest(next_action="x", status="y", done=True).applied(STATE)

    assert (state["status"], state["next_action"], state["blockers"]) == ("done", "", [])


@pytest.mark.parametrize(
    "asked", [TaskRequest(), TaskRequest(add=""), TaskRequest(complete=" \n"), TaskRequest(goal="x" * 4001)]
)
def test_what_names_nothing_is_refused(asked: TaskRequest) -> None:
    with pytest.raises(UsageError):
        asked.check()
