"""The to-do list of Copilot CLI: a checklist in Markdown, which the agent writes anew each time."""

from __future__ import annotations

import re
from typing import Any

from agentinitd.model.events import PlanStatus, PlanStep

TOOL = "update_todo"

_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[(.)\][ \t]+(.+)")
_STATUSES: dict[str, PlanStatus] = {
    " ": "pending", "x": "done", "X": "done", "✓": "done", "✔": "done",
    "-": "in_progress", "~": "in_progress", "/": "in_progress", ">": "in_progress", "*": "in_progress",
}  # fmt: skip


def steps_of(arguments: Any) -> tuple[PlanStep, ...] | None:
    """None when these arguments hold no list."""
    todos = arguments.get("todos") if isinstance(arguments, dict) else None
    if not isinstance(todos, str):
        return None
    items = (_ITEM.match(line) for line in todos.splitlines())
    return tuple(
        PlanStep(text=item[2].strip(), status=_STATUSES.get(item[1], "pending")) for item in items if item
    )
