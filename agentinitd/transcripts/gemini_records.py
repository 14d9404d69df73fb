"""What Gemini CLI writes, as typed records: one message of a document, or one line of a newer transcript."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct, field

from agentinitd.transcripts.json_lines import NOT_PLAIN, Shape, clean, lenient, plain, typed_list

MESSAGE_TYPES = frozenset({"user", "gemini", "info", "warning", "error"})
NOTICES = frozenset({"info", "warning", "error"})
"""What the program says to the person; only an interactive session records them."""


class Identity(Struct, gc=False):
    id: str | None = None


class Tokens(Struct, gc=False):
    input: int | float | None = None


class Patch(Struct, gc=False, rename="camel"):
    """What a line changes in the first one; after most messages only the time."""

    session_id: str | None = None
    last_updated: str | None = None
    kind: str | None = None
    directories: Raw = Raw()
    messages: Raw = Raw()


class Record(Struct, gc=False, rename="camel"):
    """A message, a patch of the metadata, a rewind, or the first line.  Every field may be missing."""

    id: str | None = None
    type: str | None = None
    timestamp: str | None = None
    model: str | None = None
    content: Raw = Raw()
    display_content: Raw = Raw()
    tokens: Tokens | None = None
    tool_calls: Raw = Raw()
    session_id: str | None = None
    project_hash: str | None = None
    start_time: str | None = None
    last_updated: str | None = None
    kind: str | None = None
    directories: Raw = Raw()
    messages: Raw = Raw()
    patch: Patch | None = field(name="$set", default=None)
    rewind_to: str | None = field(name="$rewindTo", default=None)


class ToolUse(Struct, gc=False, rename="camel"):
    """One entry of `toolCalls`: the call and, when it has ended, what came of it."""

    id: str | None = None
    name: str | None = None
    args: Raw = Raw()
    result: Raw = Raw()
    status: str | None = None
    result_display: Raw = Raw()
    timestamp: str | None = None


class Response(Struct, gc=False):
    """What a tool answered the model."""

    output: str | None = None
    error: Raw = Raw()


class FunctionResponse(Struct, gc=False):
    id: str | None = None
    name: str | None = None
    response: Raw = Raw()


class PlainResponse(Struct, gc=False):
    response: Response | None = None


class PlainResult(Struct, gc=False, rename="camel"):
    """What most results are: one answer with a text."""

    function_response: PlainResponse | None = None


class Part(Struct, gc=False, rename="camel"):
    """One piece of a message's content."""

    text: str | None = None
    thought: bool | None = None
    function_response: FunctionResponse | None = None
    function_call: Raw = Raw()
    inline_data: Raw = Raw()
    file_data: Raw = Raw()


def is_idle(patch: Patch) -> bool:
    """Only the time is new."""
    return not patch.messages and patch.session_id is None and patch.kind is None and not patch.directories


def is_record(value: Mapping[str, Any]) -> bool:
    """Only Gemini CLI writes objects like this, and nothing inside of one looks so."""
    if "$set" in value or "$rewindTo" in value:
        return True
    if isinstance(value.get("sessionId"), str) and isinstance(value.get("projectHash"), str):
        return True
    return value.get("type") in MESSAGE_TYPES and "timestamp" in value and isinstance(value.get("id"), str)


SHAPE = Shape(Record, start=r'\{\s*"(?:id|sessionId|\$set|\$rewindTo)"\s*:', is_record=is_record)

_decode_message = msgspec.json.Decoder(Record).decode
_decode_id = msgspec.json.Decoder(Identity).decode
_decode_messages = msgspec.json.Decoder(list[Record]).decode
_decode_parts = msgspec.json.Decoder(list[Part]).decode
_decode_part = msgspec.json.Decoder(Part).decode
_decode_text = msgspec.json.Decoder(str).decode
_decode_tools = msgspec.json.Decoder(list[ToolUse]).decode
decode_result = msgspec.json.Decoder(list[PlainResult]).decode
decode_response = msgspec.json.Decoder(Response).decode
_decode_directories = msgspec.json.Decoder(list[str]).decode
_MESSAGE_START = re.compile(rb'\{\s*"id"\s*:')


def message_of(raw: bytes) -> Record:
    """One message of a document; a field of the wrong type counts as missing."""
    try:
        return _decode_message(raw)
    except NOT_PLAIN:
        value = plain(Raw(raw))
    return lenient(value if isinstance(value, dict) else {}, Record)


def id_of(raw: bytes) -> str | None:
    """The id of a message, without looking at the rest of it."""
    try:
        return _decode_id(raw).id
    except NOT_PLAIN:
        return message_of(raw).id


def is_message(raw: bytes) -> bool:
    if not _MESSAGE_START.match(raw):
        return False
    record = message_of(raw)
    return record.id is not None and record.timestamp is not None and record.type in MESSAGE_TYPES


def messages_of(raw: Raw) -> list[Record]:
    return typed_list(raw, _decode_messages, Record)


def tools_of(raw: Raw) -> list[ToolUse]:
    return typed_list(raw, _decode_tools, ToolUse)


def parts_of(raw: Raw) -> list[Part]:
    """The content of a message: a text, one part, or a list of both."""
    content = bytes(raw)
    try:
        if content[:1] == b"[":
            return _decode_parts(content)
        if content[:1] == b"{":
            return [_decode_part(content)]
        return [Part(text=_decode_text(content))] if content else []
    except NOT_PLAIN:
        value = plain(raw)
    values = value if isinstance(value, list) else [value]
    return [
        Part(text=clean(each)) if isinstance(each, str) else lenient(each, Part)
        for each in values
        if isinstance(each, str | dict)
    ]


def text_in(raw: Raw) -> str:
    """What stands in a content to be read, without the thoughts."""
    content = bytes(raw)
    if content == b'""':
        return ""
    if content[:1] == b'"':
        try:
            return _decode_text(content)
        except NOT_PLAIN:
            pass  # a lone surrogate: what can be read of it is found below
    return "\n".join(part.text for part in parts_of(raw) if part.text and not part.thought)


def directories_of(raw: Raw) -> list[str]:
    try:
        return _decode_directories(bytes(raw)) if raw else []
    except NOT_PLAIN:
        return []
