"""What we ask of the records in an `events.jsonl` of Copilot CLI.  Every field may be missing.

The data of every type of record are read by one structure: their names mean the same wherever they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from agentinitd.transcripts.json_lines import NOT_PLAIN, Shape, seconds_of, text_of, typed, typed_list


class Place(Struct, gc=False):
    cwd: str | None = None


class ToolRequest(Struct, gc=False, rename="camel"):
    tool_call_id: str | None = None
    name: str | None = None
    tool_name: str | None = None
    """Its name in early versions."""
    arguments: Raw = Raw()


class Answer(Struct, gc=False):
    """What a tool gave, or why it failed."""

    content: str | None = None
    message: str | None = None


class Data(Struct, gc=False, rename="camel"):
    # Of a session.
    session_id: str | None = None
    copilot_version: str | None = None
    context: Place | str | None = None
    cwd: str | None = None
    detached_from_spawning_parent_session_id: str | None = None
    # Of messages.
    content: Raw = Raw()
    source: str | None = None
    is_autopilot_continuation: bool | None = None
    message_id: str | None = None
    model: str | None = None
    tool_requests: Raw = Raw()
    output_tokens: int | None = None
    chunk_index: int | None = None
    chunk_count: int | None = None
    parent_tool_call_id: str | None = None
    """Of the call that started the sub-agent to which this belongs."""
    # Of tools.
    tool_call_id: str | None = None
    tool_name: str | None = None
    arguments: Raw = Raw()
    success: bool | None = None
    result: Raw = Raw()
    error: Raw = Raw()
    # Of what shrinks the context.
    trigger: str | None = None
    pre_compaction_tokens: int | None = None
    post_compaction_tokens: int | None = None
    tokens_removed: int | None = None
    token_limit: int | None = None
    # Of hooks.
    output: Raw = Raw()


_decode_requests = msgspec.json.Decoder(list[ToolRequest]).decode
_decode_answer = msgspec.json.Decoder(Answer).decode


def tool_requests_of(data: Data) -> list[ToolRequest]:
    return typed_list(data.tool_requests, _decode_requests, ToolRequest)


def answer_in(raw: Raw) -> str:
    """A text, or an object that holds one."""
    if bytes(raw)[:1] == b'"':
        return text_of(raw)
    answer = typed(raw, _decode_answer, Answer) if raw else Answer()
    return answer.content or answer.message or ""


class Record(Struct, gc=False, rename="camel"):
    type: str | None = None
    data: Data | None = None
    id: str | None = None
    timestamp: str | None = None
    agent_id: str | None = None
    """Of the sub-agent to which this belongs."""
    ephemeral: bool | None = None

    @property
    def written_at(self) -> float | None:
        return seconds_of(self.timestamp)


def _is_record(value: Mapping[str, Any]) -> bool:
    """A record, and not an object inside of a torn one."""
    kind, has_place = value.get("type"), isinstance(value.get("id"), str) and "timestamp" in value
    return isinstance(kind, str) and isinstance(value.get("data"), dict) and has_place


SHAPE = Shape(Record, start=r'\{\s*"(?:type|id|timestamp|parentId|agentId|data)"\s*:', is_record=_is_record)


def is_record(line: bytes) -> bool:
    """Only Copilot CLI writes its records in this envelope."""
    if b'"parentId"' not in line:
        return False
    try:
        value = msgspec.json.decode(line)
    except NOT_PLAIN:
        return bool(SHAPE.salvage(line).records)
    return isinstance(value, dict) and _is_record(value) and "." in value["type"]
