"""The to-do lists of Cline (a checklist in Markdown) and of Roo Code (JSON), as the agent shows them."""

from __future__ import annotations

import re
from typing import Any

from agentinitd.model.events import PlanStatus, PlanStep
from agentinitd.transcripts.json_lines import clean

ROO_TOOL = "updateTodoList"

_ITEM = re.compile(r"[ \t]*(?:[-*+][ \t]*)?\[[ \t]*([ xX~-])[ \t]*\][ \t]+(.+)")
_BOXES: dict[str, PlanStatus] = {
    " ": "pending",
    "x": "done",
    "X": "done",
    "-": "in_progress",
    "~": "in_progress",
}
_STATUSES: dict[object, PlanStatus] = {"completed": "done", "in_progress": "in_progress"}


def steps_in_checklist(text: str) -> tuple[PlanStep, ...]:
    items = (_ITEM.match(line) for line in text.splitlines())
    return tuple(PlanStep(text=item[2].strip(), status=_BOXES[item[1]]) for item in items if item)


def steps_in_todos(arguments: Any) -> tuple[PlanStep, ...]:
    todos = arguments.get("todos") if isinstance(arguments, dict) else None
    if not isinstance(todos, list):
        return ()
    return tuple(
        PlanStep(text=text, status=_STATUSES.get(_hashable(todo.get("status")), "pending"))
        for todo in todos
        if isinstance(todo, dict) and (text := clean(todo.get("content")))
    )


def _hashable(value: object) -> object:
    return value if isinstance(value, str) else None
