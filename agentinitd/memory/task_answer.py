"""A task and its history as JSON with stable names, for the command line and the socket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agentinitd.memory.dates import time_text
from agentinitd.memory.task_history import Recorded, differences
from agentinitd.memory.task_state import State, served_state
from agentinitd.memory.tasks import Change, Task


def task_json(task: Task, *, default: str | None, with_state: bool = False) -> dict[str, Any]:
    """`default`: the task that the project is at, from where it is asked."""
    state = task.state or {}
    served = served_state(state)
    unnamed_id = served.get("task_id") if task.task_id is None else None
    found: dict[str, Any] = {
        "task": task.task_id,
        "name": task.task_id or unnamed_id,
        "goal": served.get("goal"),
        "status": served.get("status"),
        "phase": _text(state, "phase"),
        "next_action": served.get("next_action"),
        "counts": served["counts"],
        "is_default": not task.is_archived and (default == task.task_id or default == (unnamed_id or "")),
        "is_archived": task.is_archived,
        "file": task.place.state_file,
        "written_at": time_text(task.written_at),
        "problems": [problem.text for problem in task.problems],
    }
    return {**found, "state": task.state} if with_state else found


def _text(state: Mapping[str, Any], key: str) -> str | None:
    value = state.get(key)
    return value if isinstance(value, str) and value else None


def change_json(change: Change) -> dict[str, Any]:
    return {
        "task": change.task_id,
        "file": change.file,
        "changed": change.is_changed,
        "changes": change.differences,
        "state": change.after,
    }


def history_json(history: Sequence[Recorded]) -> list[dict[str, Any]]:
    """Oldest first; the number is what `task restore` takes."""
    before: list[State | None] = [None, *(recorded.state for recorded in history)]
    return [
        {
            "number": number,
            "at": time_text(recorded.at),
            "by": recorded.by,
            "reason": recorded.reason,
            "changes": differences(old, recorded.state),
            "state": recorded.state,
        }
        for number, (old, recorded) in enumerate(zip(before, history, strict=False), start=1)
    ]
