"""What Qwen Code writes, as typed records: one line of a transcript (since about 0.1)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Raw, Struct

from agentinitd.model.events import CompactionTrigger
from agentinitd.transcripts.gemini_messages import ACKNOWLEDGED, SNAPSHOT
from agentinitd.transcripts.gemini_records import FunctionResponse
from agentinitd.transcripts.json_lines import NOT_PLAIN, Shape, lenient, plain

TYPES = frozenset({"user", "assistant", "tool_result", "system"})
# The summary is among the first; before it stands at most what the program says at every start.
_SUMMARY_WITHIN = 4


class Usage(Struct, gc=False, rename="camel"):
    prompt_token_count: int | float | None = None
    total_token_count: int | float | None = None


class FunctionCall(Struct, gc=False):
    id: str | None = None
    name: str | None = None
    args: Raw = Raw()


class Part(Struct, gc=False, rename="camel"):
    """One piece of a message."""

    text: str | None = None
    thought: bool | None = None
    function_call: FunctionCall | None = None
    function_response: FunctionResponse | None = None
    inline_data: Raw = Raw()
    file_data: Raw = Raw()


class Message(Struct, gc=False):
    role: str | None = None
    parts: Raw = Raw()


class ToolCallResult(Struct, gc=False, rename="camel"):
    call_id: str | None = None
    status: str | None = None
    result_display: Raw = Raw()


class Record(Struct, gc=False, rename="camel"):
    """Every field may be missing: the format is the agent's own business."""

    uuid: str | None = None
    parent_uuid: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    type: str | None = None
    subtype: str | None = None
    provenance: str | None = None
    cwd: str | None = None
    version: str | None = None
    model: str | None = None
    message: Message | None = None
    usage_metadata: Usage | None = None
    context_window_size: int | float | None = None
    tool_call_result: Raw = Raw()
    system_payload: Raw = Raw()
    is_sidechain: bool | None = None
    forked_from: Raw = Raw()


class PromptPayload(Struct, gc=False, rename="camel"):
    """What the person saw of a message, and what hooks added to it."""

    display_text: str | None = None
    hook_context: str | None = None


class CompressionInfo(Struct, gc=False, rename="camel"):
    original_token_count: int | float | None = None
    new_token_count: int | float | None = None
    compression_status: int | None = None
    trigger_reason: str | None = None


class Compression(Struct, gc=False, rename="camel"):
    info: CompressionInfo | None = None
    compressed_history: Raw = Raw()

    @property
    def trigger(self) -> CompactionTrigger | None:
        reason = self.info.trigger_reason if self.info is not None else None
        if reason is None:
            return None
        return "manual" if reason == "manual" else "auto"


def is_record(value: Mapping[str, Any]) -> bool:
    return (
        value.get("type") in TYPES
        and isinstance(value.get("uuid"), str)
        and isinstance(value.get("sessionId"), str)
    )


SHAPE = Shape(Record, start=r'\{\s*"(?:uuid|parentUuid|sessionId|daemonPromptId)"\s*:', is_record=is_record)

_decode_parts = msgspec.json.Decoder(list[Part]).decode
_decode_messages = msgspec.json.Decoder(list[Message]).decode
decode_prompt = msgspec.json.Decoder(PromptPayload).decode
decode_result = msgspec.json.Decoder(ToolCallResult).decode
decode_compression = msgspec.json.Decoder(Compression).decode
_PARTS = re.compile(rb'"message"\s*:\s*\{[^{}\[\]]{0,40}"parts"\s*:')


def is_own_line(line: bytes) -> bool:
    """Other agents write records of these types too, but no messages that have parts, and no payloads."""
    try:
        records = [SHAPE.decode(line)]
    except NOT_PLAIN:
        records = SHAPE.salvage(line).records
    return any(
        record.type in TYPES
        and record.uuid is not None
        and record.session_id is not None
        and (_PARTS.search(line) is not None or bool(record.system_payload) or record.type == "tool_result")
        for record in records
    )


def parts_of(message: Message | None) -> list[Part]:
    if message is None or not message.parts:
        return []
    try:
        return _decode_parts(bytes(message.parts))
    except NOT_PLAIN:
        values = plain(message.parts)
    if not isinstance(values, list):
        return []
    return [lenient(value, Part) for value in values if isinstance(value, dict)]


def summary_in(history: Raw) -> str | None:
    """The summary with which this history begins; the model is made to acknowledge it."""
    messages = _first_messages(history)
    for message, following in pairwise([*messages, Message()]):
        text = said_text(parts_of(message))
        if SNAPSHOT in text or said_text(parts_of(following)).startswith(ACKNOWLEDGED):
            return text
    return None


def _first_messages(history: Raw) -> list[Message]:
    try:
        return _decode_messages(bytes(history))[: _SUMMARY_WITHIN + 1] if history else []
    except NOT_PLAIN:
        values = plain(history)
    if not isinstance(values, list):
        return []
    return [lenient(value, Message) for value in values[: _SUMMARY_WITHIN + 1] if isinstance(value, dict)]


def said_text(parts: Iterable[Part]) -> str:
    """What stands there to be read, without the thoughts."""
    return "\n".join([part.text for part in parts if part.text and not part.thought])
