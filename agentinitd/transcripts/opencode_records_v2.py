"""Messages of OpenCode 2, their pieces in the message itself → the same frozen values as of version 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentinitd.model.events import CompactionTrigger
from agentinitd.transcripts.opencode_records import (
    Message,
    Part,
    context_size,
    milliseconds,
    object_in,
    text_in,
    tool_part,
)


def message_v2(message_id: str, row_type: str, data: Mapping[str, Any], row_ms: int) -> Message:
    """A row of `session_message`."""
    time = object_in(data, "time")
    created = milliseconds(time.get("created")) or row_ms
    if row_type == "assistant":
        return _assistant_v2(message_id, data, created, milliseconds(time.get("completed")))
    if row_type == "compaction":
        return _compaction_v2(message_id, data, created, milliseconds(time.get("completed")))
    if row_type == "user":
        parts = [Part("text", "text", text=text_in(data, "text"))]
        if data.get("files"):
            parts.append(Part("files", "file"))
        return Message(message_id, "user", created, created, parts=tuple(parts))
    if row_type in ("synthetic", "system", "skill"):
        part = Part("text", "text", text=text_in(data, "text"), is_inserted=True)
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
        model=text_in(object_in(data, "model"), "id"),
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
    part_id = text_in(piece, "id") or f"{at}"
    kind = text_in(piece, "type")
    time = object_in(piece, "time")
    if kind == "tool":
        state = object_in(piece, "state")
        return tool_part(
            part_id,
            tool=text_in(piece, "name"),
            call_id=part_id,
            state=state,
            output=_output_v2(state),
            facts=object_in(state, "structured"),
            started=time.get("ran") or time.get("created"),
            ended=time.get("completed"),
        )
    is_inserted = piece.get("synthetic") is True or piece.get("ignored") is True
    # A text of V2 has no end of its own: it is whole when its message is.
    return Part(part_id, kind, text=text_in(piece, "text"), is_inserted=is_inserted, is_ended=False)


def _output_v2(state: Mapping[str, Any]) -> str:
    content = state.get("content")
    pieces = content if isinstance(content, list) else []
    texts = [text_in(piece, "text") for piece in pieces if isinstance(piece, dict)]
    error = state.get("error")
    if isinstance(error, dict):
        texts.append(text_in(error, "message"))
    return "\n".join(text for text in texts if text)
