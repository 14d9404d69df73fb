"""What we ask of the records in a `wire.jsonl`: of Kimi CLI, which nests them, and of Kimi Code, flat ones.

Every field may be missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from agentinitd.transcripts.json_lines import NOT_PLAIN, Shape, lenient, text_of, typed, typed_list

TIME_LIMIT = 1e11
"""Seconds; what is further away, or no number, is damaged."""


class Part(Struct, gc=False):
    """A piece of a message; of another type than `text` it is a thought or a picture."""

    type: str | None = None
    text: str | None = None


Content = str | list[Part] | None


class Function(Struct, gc=False):
    name: str | None = None
    arguments: str | None = None


class Call(Struct, gc=False):
    """A tool is asked for: with a `function` in the first form of Kimi Code, flat since."""

    id: str | None = None
    function: Function | str | None = None
    name: str | None = None
    arguments: str | None = None


class Usage(Struct, gc=False, rename="camel"):
    """What a call of the model was given (Kimi Code)."""

    input_other: int | None = None
    input_cache_read: int | None = None
    input_cache_creation: int | None = None


class CliUsage(Struct, gc=False):
    """The same, as Kimi CLI spells it."""

    input_other: int | None = None
    input_cache_read: int | None = None
    input_cache_creation: int | None = None


def input_of(usage: Usage | CliUsage) -> int:
    """All that was given, from the cache or not."""
    return (usage.input_other or 0) + (usage.input_cache_read or 0) + (usage.input_cache_creation or 0)


class ReturnValue(Struct, gc=False):
    is_error: bool | None = None
    output: Raw = Raw()
    message: str | None = None


class Payload(Struct, gc=False):
    """Of a message of Kimi CLI, whatever its type: their names mean the same wherever they stand."""

    user_input: Raw = Raw()
    # Of a status; what is absent has not changed.
    context_tokens: int | None = None
    max_context_tokens: int | None = None
    token_usage: CliUsage | str | None = None
    message_id: str | None = None
    # Of what the agent says.
    type: str | None = None
    text: Raw = Raw()
    # Of tools.
    id: str | None = None
    function: Raw = Raw()
    tool_call_id: str | None = None
    return_value: Raw = Raw()


class Origin(Struct, gc=False, rename="camel"):
    """Where a message came from (Kimi Code)."""

    kind: str | None = None
    trigger: str | None = None
    skill_name: str | None = None
    skill_args: str | None = None
    command_name: str | None = None
    command_args: str | None = None


class Message(Struct, gc=False, rename="camel"):
    """Of Kimi CLI: what happened.  Of Kimi Code: what was appended to the conversation."""

    type: str | None = None
    payload: Payload | str | None = None
    role: str | None = None
    content: Raw = Raw()
    origin: Origin | str | None = None
    tool_calls: Raw = Raw()
    tool_call_id: str | None = None
    is_error: bool | None = None


class Output(Struct, gc=False, rename="camel"):
    is_error: bool | None = None
    output: Raw = Raw()


class LoopEvent(Struct, gc=False, rename="camel"):
    """A step of the agent (Kimi Code)."""

    type: str | None = None
    part: Part | str | None = None
    tool_call_id: str | None = None
    name: str | None = None
    args: Raw = Raw()
    result: Output | str | None = None


_decode_parts = msgspec.json.Decoder(list[Part]).decode
_decode_calls = msgspec.json.Decoder(list[Call]).decode
_decode_event = msgspec.json.Decoder(LoopEvent).decode
_decode_function = msgspec.json.Decoder(Function).decode
_decode_value = msgspec.json.Decoder(ReturnValue).decode


def content_of(raw: Raw) -> Content:
    return text_of(raw) if bytes(raw)[:1] == b'"' else typed_list(raw, _decode_parts, Part)


def calls_of(message: Message) -> list[Call]:
    return typed_list(message.tool_calls, _decode_calls, Call)


def event_of(record: Record) -> LoopEvent:
    return typed(record.event, _decode_event, LoopEvent)


def function_of(payload: Payload) -> Function:
    return typed(payload.function, _decode_function, Function)


def value_of(payload: Payload) -> ReturnValue:
    return typed(payload.return_value, _decode_value, ReturnValue)


class Record(Struct, gc=False, rename="camel"):
    timestamp: float | None = None
    """Seconds (Kimi CLI)."""
    message: Message | str | None = None
    type: str | None = None
    time: float | None = None
    """Milliseconds (Kimi Code)."""
    protocol_version: str | None = msgspec.field(name="protocol_version", default=None)
    created_at: float | None = msgspec.field(name="created_at", default=None)
    event: Raw = Raw()
    input: Raw = Raw()
    origin: Origin | str | None = None
    model: str | None = None
    usage: Usage | str | None = None
    usage_scope: str | None = None
    kind: str | None = None
    source: str | None = None
    cwd: str | None = None
    key: str | None = None
    value: Raw = Raw()
    tokens_before: int | None = None
    tokens_after: int | None = None

    @property
    def written_at(self) -> float | None:
        at = self.timestamp
        if at is None:
            at = self.created_at if self.time is None else self.time
            at = None if at is None else at / 1000
        return at if at is not None and abs(at) < TIME_LIMIT else None


_CODE_ROOMS = frozenset(
    {
        "config", "context", "cron", "full_compaction", "goal", "llm", "mcp", "micro_compaction",
        "permission", "plan_mode", "profile", "prompt", "swarm_mode", "task", "token_counting", "tools",
        "turn", "usage",
    }
)  # fmt: skip


def _is_record(value: Mapping[str, Any]) -> bool:
    """A record, and not an object inside of a torn one."""
    kind, message = value.get("type"), value.get("message")
    if isinstance(message, dict) and "timestamp" in value:
        return isinstance(message.get("type"), str) and isinstance(message.get("payload"), dict)
    if not isinstance(kind, str):
        return False
    if kind in ("metadata", "forked"):
        return isinstance(value.get("protocol_version"), str) or isinstance(value.get("time"), int | float)
    return kind.partition(".")[0] in _CODE_ROOMS and "." in kind


SHAPE = Shape(Record, start=r'\{\s*"(?:type|timestamp|time|message)"\s*:', is_record=_is_record)


def is_record(line: bytes) -> bool:
    """Only Kimi writes such a first line, or records in one of its two envelopes."""
    try:
        value = msgspec.json.decode(line)
    except NOT_PLAIN:
        return any(_is_sure(record) for record in SHAPE.salvage(line).records)
    return isinstance(value, dict) and _is_record(value) and _is_sure(lenient(value, Record))


def _is_sure(record: Record) -> bool:
    """Others name their records as Kimi Code does, but do not write the time so."""
    message = record.message
    if isinstance(message, Message) and isinstance(message.payload, Payload):
        return record.timestamp is not None
    return record.protocol_version is not None or record.time is not None
