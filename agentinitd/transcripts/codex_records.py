"""One line of a Codex rollout → a record: typed and fast when whole, forgiving when not."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Raw, Struct

from agentinitd.transcripts.json_lines import Shape, lenient

ENVELOPES = frozenset(
    {
        "session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state",
        "token_usage_record", "inter_agent_communication", "inter_agent_communication_metadata",
    }
)  # fmt: skip
"""The types of record that Codex is known to write around a payload."""
BARE_ITEMS = frozenset(
    {"message", "reasoning", "function_call", "function_call_output", "local_shell_call", "custom_tool_call"}
)
"""What rollouts of before September 2025 hold without an envelope."""


class Usage(Struct, gc=False):
    input_tokens: int | None = None
    total_tokens: int | None = None


class TokenInfo(Struct, gc=False):
    last_token_usage: Usage | None = None
    total_token_usage: Usage | None = None
    """Of the whole thread: it never falls, and is no size of the context."""
    model_context_window: int | None = None


class Payload(Struct, gc=False):
    """What we ask of a payload of any type.  Every field may be missing: the format is Codex's business."""

    type: str | None = None
    timestamp: str | None = None
    # session_meta, turn_context
    id: str | None = None
    session_id: str | None = None
    cwd: str | None = None
    cli_version: str | None = None
    model: str | None = None
    turn_id: str | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    thread_source: Raw = Raw()
    source: Raw = Raw()
    # response_item
    role: str | None = None
    content: Raw = Raw()
    call_id: str | None = None
    namespace: str | None = None
    name: str | None = None
    arguments: Raw = Raw()
    input: Raw = Raw()
    action: Raw = Raw()
    output: Raw = Raw()
    # event_msg, compacted
    info: TokenInfo | None = None
    model_context_window: int | None = None
    kind: str | None = None
    message: Raw = Raw()
    item: Raw = Raw()
    plan: Raw = Raw()
    window_id: Raw = Raw()


class Record(Struct, gc=False):
    """A line.  The fields behind the payload are those of the oldest rollouts, which have no envelope."""

    timestamp: str | None = None
    type: str | None = None
    payload: Payload | None = None
    id: str | None = None
    role: str | None = None
    content: Raw = Raw()
    call_id: str | None = None
    name: str | None = None
    arguments: Raw = Raw()
    input: Raw = Raw()
    action: Raw = Raw()
    output: Raw = Raw()
    record_type: str | None = None

    def bare(self) -> Payload:
        return Payload(
            type=self.type,
            timestamp=self.timestamp,
            id=self.id,
            role=self.role,
            content=self.content,
            call_id=self.call_id,
            name=self.name,
            arguments=self.arguments,
            input=self.input,
            action=self.action,
            output=self.output,
        )


def _is_whole(value: Mapping[str, Any]) -> bool:
    """A record, and not an object from inside a torn one."""
    return value.get("type") in ENVELOPES and isinstance(value.get("payload"), dict)


SHAPE = Shape(Record, start=r'\{\s*"timestamp"\s*:\s*"', is_record=_is_whole)

_HEAD = re.compile(
    rb'\{\s*"timestamp"\s*:\s*"([^"\\]{0,64})"\s*,'
    rb'(?:\s*"ordinal"\s*:\s*[0-9]{1,20}\s*,)?\s*"type"\s*:\s*"(\w{1,64})"'
)
HEAD_BYTES = 256


def head_of(line: bytes) -> Record:
    """Type and time of a record of which only the first bytes are known."""
    found = _HEAD.match(line)
    if found is None:
        return Record()
    timestamp, kind = found[1].decode("utf-8", "replace"), found[2].decode("ascii", "replace")
    return lenient({"timestamp": timestamp, "type": kind, "payload": {}}, Record)


def is_record(line: bytes) -> bool:
    """This line is one that only Codex writes."""
    if head_of(line[:HEAD_BYTES]).type in ENVELOPES and b'"payload"' in line[: 2 * HEAD_BYTES]:
        return True
    return any(_is_bare(record, line) for record in SHAPE.salvage(line).records)


def _is_bare(record: Record, line: bytes) -> bool:
    if record.type is None:
        is_meta = record.id is not None and record.timestamp is not None and b'"instructions"' in line
        return is_meta or record.record_type == "state"
    if record.type == "message":
        return b'"input_text"' in bytes(record.content) or b'"output_text"' in bytes(record.content)
    return record.type in BARE_ITEMS and (record.call_id is not None or b'"encrypted_content"' in line)
