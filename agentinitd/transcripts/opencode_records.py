"""What OpenCode writes of a message, in any of its layouts → the same few frozen values.

A field of the wrong type counts as absent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from agentinitd.model.events import CompactionTrigger, PlanStatus, PlanStep
from agentinitd.transcripts.claude_code_records import whole

TOKENS_LIMIT = 100_000_000
"""A context beyond this is a damaged number."""
TIME_LIMIT = 10**14
"""Likewise for milliseconds since the epoch."""

Kind = Literal["user", "assistant", "summary", "inserted", "other"]
"""`summary`: what a compaction puts in place of the conversation; `inserted`: text that nobody typed."""
_EXIT_KEYS = ("exit", "exitCode", "exit_code")
_STATUSES: dict[str, PlanStatus] = {
    "pending": "pending",
    "in_progress": "in_progress",
    "completed": "done",
    "cancelled": "cancelled",
}


class Part(Struct, frozen=True):
    """A piece of a message."""

    id: str
    type: str
    text: str = ""
    """What was said, or what a tool answered."""
    is_inserted: bool = False
    """Put there by the program, or not shown to the model."""
    is_ended: bool = True
    """It is whole: nothing will be added."""
    tool: str = ""
    call_id: str = ""
    status: str = ""
    input_json: bytes = b"{}"
    is_success: bool | None = None
    is_auto: bool | None = None
    """Of a compaction that was asked for: the program itself asks."""
    tokens: int = 0
    started_at: float | None = None
    ended_at: float | None = None


class Message(Struct, frozen=True):
    id: str
    kind: Kind
    created_ms: int = 0
    completed_ms: int | None = None
    is_settled: bool = True
    """It will not change any more, as far as the agent says."""
    has_failed: bool = False
    parent_id: str = ""
    trigger: CompactionTrigger | None = None
    """Of a compaction that says it itself."""
    model: str = ""
    tokens: int = 0
    """Of the context, as the last step of this message left it; 0 when unknown."""
    parts: tuple[Part, ...] = ()
    """Where they stand in the message itself."""


def object_of(text: str | None) -> dict[str, Any] | None:
    """The JSON object in this text; None when it is none."""
    if text is None:
        return None
    try:
        value = msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        try:
            value = json.loads(text, strict=False)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None


def message_v1(message_id: str, data: Mapping[str, Any], row_ms: int) -> Message:
    """A row of `message`, or a file of the old tree.  Its parts stand elsewhere."""
    time = object_in(data, "time")
    created = milliseconds(time.get("created")) or row_ms
    role = data.get("role")
    if role == "user":
        return Message(message_id, "user", created, created)
    if role != "assistant":
        return Message(message_id, "other", created, created)
    names = (text_in(data, "mode"), text_in(data, "agent"))
    is_summary = data.get("summary") is True or names == ("compaction", "compaction")
    completed = milliseconds(time.get("completed"))
    has_failed = bool(data.get("error")) or data.get("finish") == "error"
    return Message(
        message_id,
        "summary" if is_summary else "assistant",
        created,
        completed,
        is_settled=completed is not None or bool(data.get("error")),
        has_failed=has_failed,
        parent_id=text_in(data, "parentID"),
        model=text_in(data, "modelID"),
        tokens=context_size(data.get("tokens")),
    )


def part_v1(part_id: str, data: Mapping[str, Any]) -> Part:
    """A row of `part`, or a file of the old tree."""
    kind = text_in(data, "type")
    if kind == "tool":
        state = object_in(data, "state")
        time = object_in(state, "time")
        return tool_part(
            part_id,
            tool=text_in(data, "tool"),
            call_id=text_in(data, "callID") or part_id,
            state=state,
            output=text_in(state, "output") or text_in(state, "error"),
            facts=object_in(state, "metadata"),
            started=time.get("start"),
            ended=time.get("end"),
        )
    if kind == "compaction":
        auto = data.get("auto")
        return Part(part_id, kind, is_auto=auto if isinstance(auto, bool) else None)
    if kind == "step-finish":
        return Part(part_id, kind, tokens=context_size(data.get("tokens")))
    if kind == "subtask":
        command = text_in(data, "command")
        return Part(part_id, kind, text=f"/{command}" if command else "")
    time = object_in(data, "time")
    return Part(
        part_id,
        kind,
        text=text_in(data, "text"),
        is_inserted=data.get("synthetic") is True or data.get("ignored") is True,
        is_ended=milliseconds(time.get("end")) is not None,
        ended_at=_seconds(time.get("end")),
    )


def tool_part(
    part_id: str,
    *,
    tool: str,
    call_id: str,
    state: Mapping[str, Any],
    output: str,
    facts: Mapping[str, Any],
    started: object,
    ended: object,
) -> Part:
    status = text_in(state, "status")
    is_success = {"completed": True, "error": False}.get(status)
    code = next((code for key in _EXIT_KEYS if (code := whole(facts.get(key))) is not None), None)
    if is_success and code is not None:
        is_success = code == 0  # the shell tool answers, whatever became of the command
    return Part(
        part_id,
        "tool",
        text=output,
        tool=tool,
        call_id=call_id,
        status=status,
        input_json=_json(state.get("input")),
        is_success=is_success,
        started_at=_seconds(started),
        ended_at=_seconds(ended),
    )


def plan_steps(part: Part) -> tuple[PlanStep, ...] | None:
    """The to-do list that this call of a tool wrote; None when it wrote none."""
    if part.tool != "todowrite":
        return None
    todos = (object_of(part.input_json.decode()) or {}).get("todos")
    if not isinstance(todos, list):
        return None
    return tuple(
        PlanStep(text=text_in(todo, "content"), status=_STATUSES.get(text_in(todo, "status"), "pending"))
        for todo in todos
        if isinstance(todo, dict) and text_in(todo, "content")
    )


def context_size(tokens: object) -> int:
    """What the next request carries of this one: all that went in, and the answer."""
    if not isinstance(tokens, dict):
        return 0
    cache = object_in(tokens, "cache")
    counts = (tokens.get("input"), tokens.get("output"), cache.get("read"), cache.get("write"))
    size = sum(max(0, whole(count) or 0) for count in counts)
    return size if size < TOKENS_LIMIT else 0


def object_in(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def text_in(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def milliseconds(value: object) -> int | None:
    """A time since the epoch, or None for anything that is none."""
    found = whole(value)
    return found if found is not None and 0 < found < TIME_LIMIT else None


def _seconds(value: object) -> float | None:
    found = milliseconds(value)
    return None if found is None else found / 1000


def _json(value: object) -> bytes:
    """Of an object that was decoded here; `{}` for anything else."""
    if not isinstance(value, dict):
        return b"{}"
    try:
        return msgspec.json.encode(value)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
        pass
    try:
        return json.dumps(value).encode("ascii")
    except (ValueError, RecursionError):
        return b"{}"
