"""What we ask of the records in an `events.jsonl` of Copilot CLI.  Every field may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from agentinitd.transcripts.json_lines import Shape


class Record(Struct, gc=False, rename="camel"):
    type: str | None = None
    id: str | None = None
    timestamp: str | None = None
    agent_id: str | None = None
    """Of the sub-agent that it belongs to."""
    ephemeral: bool | None = None
    data: Raw = Raw()


class Place(Struct, gc=False):
    cwd: str | None = None


class Session(Struct, gc=False, rename="camel"):
    """Of `session.start`, `session.resume` and `session.context_changed`, which is a place itself."""

    session_id: str | None = None
    copilot_version: str | None = None
    context: Place | None = None
    cwd: str | None = None
    detached_from_spawning_parent_session_id: str | None = None


class UserMessage(Struct, gc=False, rename="camel"):
    content: Raw = Raw()
    source: str | None = None
    is_autopilot_continuation: bool | None = None


class AssistantMessage(Struct, gc=False, rename="camel"):
    message_id: str | None = None
    model: str | None = None
    content: Raw = Raw()
    tool_requests: Raw = Raw()
    output_tokens: int | None = None
    chunk_index: int | None = None
    chunk_count: int | None = None
    parent_tool_call_id: str | None = None


class ToolRequest(Struct, gc=False, rename="camel"):
    """One of a message, or `tool.execution_start` itself: they name the tool each in its own way."""

    tool_call_id: str | None = None
    name: str | None = None
    tool_name: str | None = None
    arguments: Raw = Raw()
    parent_tool_call_id: str | None = None


class ToolAnswer(Struct, gc=False):
    content: Raw = Raw()
    message: Raw = Raw()


class ToolComplete(Struct, gc=False, rename="camel"):
    tool_call_id: str | None = None
    success: bool | None = None
    result: ToolAnswer | None = None
    error: ToolAnswer | None = None
    parent_tool_call_id: str | None = None


class Compaction(Struct, gc=False, rename="camel"):
    success: bool | None = None
    trigger: str | None = None
    pre_compaction_tokens: int | None = None
    post_compaction_tokens: int | None = None
    tokens_removed: int | None = None


class Limit(Struct, gc=False, rename="camel"):
    token_limit: int | None = None


class HookEnd(Struct, gc=False):
    output: Raw = Raw()


decode_session = msgspec.json.Decoder(Session).decode
decode_user_message = msgspec.json.Decoder(UserMessage).decode
decode_assistant_message = msgspec.json.Decoder(AssistantMessage).decode
decode_tool_request = msgspec.json.Decoder(ToolRequest).decode
decode_tool_requests = msgspec.json.Decoder(list[ToolRequest]).decode
decode_tool_complete = msgspec.json.Decoder(ToolComplete).decode
decode_compaction = msgspec.json.Decoder(Compaction).decode
decode_limit = msgspec.json.Decoder(Limit).decode
decode_hook_end = msgspec.json.Decoder(HookEnd).decode


def _is_record(value: Mapping[str, Any]) -> bool:
    """A record, and not an object inside of a torn one."""
    kind, has_place = value.get("type"), isinstance(value.get("id"), str) and "timestamp" in value
    return isinstance(kind, str) and isinstance(value.get("data"), dict) and has_place


SHAPE = Shape(Record, start=r'\{\s*"(?:type|id|timestamp|parentId|agentId|data)"\s*:', is_record=_is_record)


def is_record(line: bytes) -> bool:
    """Only Copilot CLI writes its records in this envelope."""
    try:
        records = [SHAPE.decode(line)]
    except (msgspec.MsgspecError, ValueError, RecursionError):
        records = SHAPE.salvage(line).records
    return any(
        record.type is not None
        and "." in record.type
        and record.id is not None
        and record.timestamp is not None
        and b'"parentId"' in line
        and bytes(record.data)[:1] == b"{"
        for record in records
    )
