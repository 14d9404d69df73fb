"""Tool calls of Gemini CLI → events: the call, its result, and the to-do list when that is what it wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Raw

from agentinitd.model.events import PlanStatus, PlanStep, shortened
from agentinitd.transcripts.gemini_records import (
    FunctionResponse,
    ToolUse,
    decode_response,
    decode_result,
    parts_of,
)
from agentinitd.transcripts.json_lines import NOT_PLAIN, clean, plain

PLAN_TOOLS = frozenset({"write_todos", "todo_write", "TodoWrite"})
IS_SUCCESS = {"success": True, "error": False, "cancelled": False}
"""The statuses of a tool call that has ended."""
_PLAN_STATUS: dict[str, PlanStatus] = {
    "pending": "pending",
    "blocked": "pending",
    "in_progress": "in_progress",
    "completed": "done",
    "cancelled": "cancelled",
    "deleted": "cancelled",
}
_RESULT_KEYS = ("output", "error", "content", "text")
_ABSOLUTE = re.compile(rb'"((?:/|[A-Za-z]:\\\\)[^"\\]{1,1000}(?:\\\\[^"\\]+)*)"')
_PATHS_LIMIT = 4


def plan_in(name: str, args: Raw) -> tuple[PlanStep, ...] | None:
    """The to-do list that this call writes; None when it writes none."""
    if name not in PLAN_TOOLS:
        return None
    found = plain(args)
    todos = found.get("todos") if isinstance(found, dict) else None
    if not isinstance(todos, list):
        return None
    return tuple(step for todo in todos if isinstance(todo, dict) and (step := _step(todo)) is not None)


def _step(todo: dict[str, Any]) -> PlanStep | None:
    text = next((text for key in ("description", "content") if (text := clean(todo.get(key)))), None)
    status = _PLAN_STATUS.get(str(todo.get("status")), "pending")
    return PlanStep(text=text, status=status) if text else None


def input_of(args: Raw) -> bytes:
    text = bytes(args)
    return text if text[:1] == b"{" else b"{}"


def result_text(tool: ToolUse) -> str:
    """What the model was told, else what the person was shown."""
    text = _plain_text(tool.result) or "\n".join(_response_texts(tool.result))
    if not text:
        text = clean(plain(tool.result_display)) or ""
    return shortened(text)


def _plain_text(result: Raw) -> str | None:
    """The text of a result that is nothing but one, in a single step."""
    try:
        parts = decode_result(bytes(result)) if result else []
    except NOT_PLAIN:
        return None
    if len(parts) != 1 or (answer := parts[0].function_response) is None or answer.response is None:
        return None
    return answer.response.output


def _response_texts(result: Raw) -> Iterator[str]:
    for part in parts_of(result):
        if part.text:
            yield part.text
        elif part.function_response is not None:
            yield response_text(part.function_response)


def response_text(found: FunctionResponse) -> str:
    try:
        text = decode_response(bytes(found.response)).output
    except NOT_PLAIN:
        text = None
    return shortened(text) if text is not None else _other_text(found)


def _other_text(found: FunctionResponse) -> str:
    response = plain(found.response)
    if not isinstance(response, dict):
        return shortened(clean(response) or "")
    text = next((response[key] for key in _RESULT_KEYS if isinstance(response.get(key), str)), "")
    return shortened(clean(text) or "")


def has_failed(found: FunctionResponse) -> bool:
    try:
        return bool(decode_response(bytes(found.response)).error)
    except NOT_PLAIN:
        return False


def absolute_paths(args: Raw) -> list[str]:
    """The first absolute paths among the arguments."""
    found = []
    for match in _ABSOLUTE.finditer(bytes(args)):
        found.append(match[1].decode("utf-8", "replace").replace("\\\\", "\\"))
        if len(found) == _PATHS_LIMIT:
            break
    return found
