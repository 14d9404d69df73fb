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


def message_of(message_id: str, row_type: str, data: Mapping[str, Any], row_ms: int) -> Message:
    """Rows of the first layout have no type of their own."""
    if row_type:
        return message_v2(message_id, row_type, data, row_ms)
    return message_v1(message_id, data, row_ms)


def message_v1(message_id: str, data: Mapping[str, Any], row_ms: int) -> Message:
    """A row of `message`, or a file of the old tree.  Its parts stand elsewhere."""
    time = _object(data, "time")
    created = milliseconds(time.get("created")) or row_ms
    role = data.get("role")
    if role == "user":
        return Message(message_id, "user", created, created)
    if role != "assistant":
        return Message(message_id, "other", created, created)
    names = (_text(data, "mode"), _text(data, "agent"))
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
        parent_id=_text(data, "parentID"),
        model=_text(data, "modelID"),
        tokens=context_size(data.get("tokens")),
    )


def message_v2(message_id: str, row_type: str, data: Mapping[str, Any], row_ms: int) -> Message:
    """A row of `session_message`."""
    time = _object(data, "time")
    created = milliseconds(time.get("created")) or row_ms
    if row_type == "assistant":
        return _assistant_v2(message_id, data, created, milliseconds(time.get("completed")))
    if row_type == "compaction":
        return _compaction_v2(message_id, data, created, milliseconds(time.get("completed")))
    if row_type == "user":
        parts = [Part("text", "text", text=_text(data, "text"))]
        if data.get("files"):
            parts.append(Part("files", "file"))
        return Message(message_id, "user", created, created, parts=tuple(parts))
    if row_type in ("synthetic", "system", "skill"):
        part = Part("text", "text", text=_text(data, "text"), is_inserted=True)
        return Message(message_id, "inserted", created, created, parts=(part,))
    return Message(message_id, "other", created, created)


def _assistant_v2(message_id: str, data: Mapping[str, Any], created: int, completed: int | None) -> Message:
    content = data.get("content")
    pieces = content if isinstance(content, list) else []
    parts = [_piece_v2(at, piece) for at, piece in enumerate(pieces) if isinstance(piece, dict)]
    has_failed = bool(data.get("error"))
    return Message(
        message_id,
        "assistant",
        created,
        completed,
        is_settled=completed is not None or has_failed,
        has_failed=has_failed,
        model=_text(_object(data, "model"), "id"),
        tokens=context_size(data.get("tokens")),
        parts=tuple(parts),
    )


def _compaction_v2(message_id: str, data: Mapping[str, Any], created: int, completed: int | None) -> Message:
    status = data.get("status")
    # Releases without a status write the row when the summary is there.
    is_running = status == "running" or (status is None and not data.get("summary"))
    return Message(
        message_id,
        "summary",
        created,
        completed or (None if is_running else created),
        is_settled=not is_running,
        has_failed=status not in (None, "completed") or bool(data.get("error")),
        trigger=_trigger(data.get("reason")),
    )


def _trigger(reason: object) -> CompactionTrigger | None:
    if reason in ("auto", "manual"):
        return "auto" if reason == "auto" else "manual"
    return None


def _piece_v2(at: int, piece: Mapping[str, Any]) -> Part:
    part_id = _text(piece, "id") or f"{at}"
    kind = _text(piece, "type")
    time = _object(piece, "time")
    if kind == "tool":
        state = _object(piece, "state")
        return _tool(
            part_id,
            tool=_text(piece, "name"),
            call_id=part_id,
            state=state,
            output=_output_v2(state),
            facts=_object(state, "structured"),
            started=time.get("ran") or time.get("created"),
            ended=time.get("completed"),
        )
    is_inserted = piece.get("synthetic") is True or piece.get("ignored") is True
    # A text of V2 has no end of its own: it is whole when its message is.
    return Part(part_id, kind, text=_text(piece, "text"), is_inserted=is_inserted, is_ended=False)


def _output_v2(state: Mapping[str, Any]) -> str:
    content = state.get("content")
    pieces = content if isinstance(content, list) else []
    texts = [_text(piece, "text") for piece in pieces if isinstance(piece, dict)]
    error = state.get("error")
    if isinstance(error, dict):
        texts.append(_text(error, "message"))
    return "\n".join(text for text in texts if text)


def part_v1(part_id: str, data: Mapping[str, Any]) -> Part:
    """A row of `part`, or a file of the old tree."""
    kind = _text(data, "type")
    if kind == "tool":
        state = _object(data, "state")
        time = _object(state, "time")
        return _tool(
            part_id,
            tool=_text(data, "tool"),
            call_id=_text(data, "callID") or part_id,
            state=state,
            output=_text(state, "output") or _text(state, "error"),
            facts=_object(state, "metadata"),
            started=time.get("start"),
            ended=time.get("end"),
        )
    if kind == "compaction":
        auto = data.get("auto")
        return Part(part_id, kind, is_auto=auto if isinstance(auto, bool) else None)
    if kind == "step-finish":
        return Part(part_id, kind, tokens=context_size(data.get("tokens")))
    if kind == "subtask":
        command = _text(data, "command")
        return Part(part_id, kind, text=f"/{command}" if command else "")
    time = _object(data, "time")
    return Part(
        part_id,
        kind,
        text=_text(data, "text"),
        is_inserted=data.get("synthetic") is True or data.get("ignored") is True,
        is_ended=milliseconds(time.get("end")) is not None,
        ended_at=_seconds(time.get("end")),
    )


def _tool(
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
    status = _text(state, "status")
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
        PlanStep(text=_text(todo, "content"), status=_STATUSES.get(_text(todo, "status"), "pending"))
        for todo in todos
        if isinstance(todo, dict) and _text(todo, "content")
    )


def context_size(tokens: object) -> int:
    """What the next request carries of this one: all that went in, and the answer."""
    if not isinstance(tokens, dict):
        return 0
    cache = _object(tokens, "cache")
    counts = (tokens.get("input"), tokens.get("output"), cache.get("read"), cache.get("write"))
    size = sum(max(0, whole(count) or 0) for count in counts)
    return size if size < TOKENS_LIMIT else 0


def _object(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _text(data: Mapping[str, Any], key: str) -> str:
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
