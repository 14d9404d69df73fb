"""One line of a Claude Code transcript → records: typed and fast when whole, forgiving when not."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw, Struct

# Above this a damaged line is not repaired: the forgiving parser builds every value it meets.
REPAIR_LIMIT = 1024 * 1024
REPAIR_ATTEMPTS = 32
REPAIR_BUDGET = 8 * 1024 * 1024

CONVERSATION = frozenset({"user", "assistant", "system", "attachment"})
"""The types of record that are part of the conversation's chain."""


class Usage(Struct, gc=False):
    input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class Message(Struct, gc=False):
    id: str | None = None
    model: str | None = None
    usage: Usage | None = None
    content: Raw = Raw()


class Record(Struct, gc=False, rename="camel"):
    """What we ask of a record.  Every field may be missing: the format is the agent's own business."""

    type: str | None = None
    subtype: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_visible_in_transcript_only: bool | None = None
    is_api_error_message: bool | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    session_id: str | None = None
    cwd: str | None = None
    version: str | None = None
    timestamp: str | None = None
    request_id: str | None = None
    message: Message | None = None
    content: Raw = Raw()
    compact_metadata: Raw = Raw()
    attachment: Raw = Raw()


class Block(Struct, gc=False):
    """One block of a message's content."""

    type: str | None = None
    text: str | None = None


decode = msgspec.json.Decoder(Record).decode
"""A whole, well-formed line.  Raises one of NOT_PLAIN for anything else."""
decode_lines = msgspec.json.Decoder(Record).decode_lines
"""Many of them at once; blank lines are left out."""
NOT_PLAIN = (msgspec.MsgspecError, ValueError, RecursionError)

_decode_blocks = msgspec.json.Decoder(list[Block]).decode
_decode_text = msgspec.json.Decoder(str).decode
_parse = json.JSONDecoder(strict=False)
_SPACE = " \t\r\n\0"
# A record behind the torn end of another begins with one of the keys that records begin with.  A nested
# object does so too at times; what tells it apart is what follows: never the end of the line or a record.
_RECORD_START = re.compile(
    r'\{\s*"(?:parentUuid|logicalParentUuid|isSidechain|uuid|sessionId|userType|cwd|message|requestId|timestamp'
    r'|type"\s*:\s*"(?:user|assistant|system|attachment))"'
)


class Found(NamedTuple):
    """What a line that is not plain still says."""

    records: list[Record]
    problem: str | None
    """Why something on this line is lost; None when nothing is."""


def recover(line: bytes) -> Found:
    """Every record on a line that the typed decoder refused."""
    if not line.strip(b" \t\r\n\0"):
        return Found([], "NUL bytes" if b"\0" in line else None)
    if len(line) > REPAIR_LIMIT:
        return Found([], f"damaged, and with {len(line):,} bytes too long to repair")
    text = _text_of(line)
    body = text.strip(_SPACE)
    problem = None if len(body) == len(text.strip(" \t\r\n")) else "NUL bytes around the record"
    found = _parsed(body, 0)
    if found is not None and found[1] == len(body):
        value = found[0]
        if isinstance(value, dict):
            return Found([_record_of(value)], problem)
        return Found([], f"not an object but {_kind(value)}")
    return _torn(body)


def _text_of(line: bytes) -> str:
    line = line.removeprefix(b"\xef\xbb\xbf")
    try:
        return line.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return line.decode("utf-8", "replace")


def _torn(body: str) -> Found:
    """Records that stand one behind the other, and those behind the torn end of one."""
    records: list[Record] = []
    is_lossless = is_boundary = True
    at, budget = 0, REPAIR_BUDGET
    for _ in range(REPAIR_ATTEMPTS):
        budget -= len(body) - at
        found = _parsed(body, at) if budget > 0 else None
        if found is not None and _is_record(body, found, is_boundary=is_boundary):
            records.append(_record_of(found[0]))
            at, behind = _skip_space(body, found[1]), found[1]
            is_lossless = is_lossless and "\0" not in body[behind:at]
            if at == len(body):
                break
            is_boundary = body[at] == "{"
        else:
            at += 1
            is_boundary = False
        if not is_boundary:
            is_lossless = False
            start = _RECORD_START.search(body, at)
            if start is None:
                break
            at = start.start()
    return Found(records, None if is_lossless and at == len(body) else _lost(records))


def _lost(records: list[Record]) -> str:
    if not records:
        return "not JSON"
    return f"torn; {len(records)} whole record{'s' if len(records) > 1 else ''} on the line read all the same"


def _parsed(body: str, at: int) -> tuple[Any, int] | None:
    try:
        return _parse.raw_decode(body, at)
    except (ValueError, RecursionError):
        return None


def _is_record(body: str, found: tuple[Any, int], *, is_boundary: bool) -> bool:
    """A record, and not an object from inside a torn one."""
    value = found[0]
    if is_boundary or not isinstance(value, dict):
        return isinstance(value, dict)
    end = _skip_space(body, found[1])
    is_outermost = end >= len(body) or body[end] == "{"
    return is_outermost and value.get("type") in CONVERSATION and isinstance(value.get("uuid"), str)


def _skip_space(body: str, at: int) -> int:
    while at < len(body) and body[at] in _SPACE:
        at += 1
    return at


def _kind(value: object) -> str:
    if value is None:
        return "null"
    return {list: "a list", str: "a text", bool: "true or false"}.get(type(value), "a number")


def _record_of(value: dict[str, Any]) -> Record:
    """A record out of values of any type: a field of the wrong type counts as missing."""
    message = value.get("message")
    return Record(
        type=_string(value.get("type")),
        subtype=_string(value.get("subtype")),
        is_sidechain=value.get("isSidechain") is True,
        is_meta=value.get("isMeta") is True,
        is_compact_summary=value.get("isCompactSummary") is True,
        is_visible_in_transcript_only=value.get("isVisibleInTranscriptOnly") is True,
        is_api_error_message=value.get("isApiErrorMessage") is True,
        uuid=_string(value.get("uuid")),
        parent_uuid=_string(value.get("parentUuid")),
        session_id=_string(value.get("sessionId")),
        cwd=_string(value.get("cwd")),
        version=_string(value.get("version")),
        timestamp=_string(value.get("timestamp")),
        request_id=_string(value.get("requestId")),
        message=_message_of(message) if isinstance(message, dict) else None,
        content=_raw(value.get("content")),
        compact_metadata=_raw(value.get("compactMetadata")),
        attachment=_raw(value.get("attachment")),
    )


def _message_of(value: dict[str, Any]) -> Message:
    usage = value.get("usage")
    return Message(
        id=_string(value.get("id")),
        model=_string(value.get("model")),
        usage=_usage_of(usage) if isinstance(usage, dict) else None,
        content=_raw(value.get("content")),
    )


def _usage_of(value: dict[str, Any]) -> Usage:
    return Usage(
        input_tokens=whole(value.get("input_tokens")),
        cache_creation_input_tokens=whole(value.get("cache_creation_input_tokens")),
        cache_read_input_tokens=whole(value.get("cache_read_input_tokens")),
    )


def whole(value: object) -> int | None:
    """A count of tokens, or None for anything that is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    return value


def seconds(timestamp: str | None) -> float | None:
    """ISO 8601 → seconds since the epoch; a time without a zone is UTC, as the agent writes it."""
    if timestamp is None:
        return None
    try:
        written = datetime.fromisoformat(timestamp)
        return (written if written.tzinfo else written.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _string(value: object) -> str | None:
    return _clean(value) if isinstance(value, str) else None


def _clean(text: str) -> str:
    """Without lone surrogates, which no file and no socket would take."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _raw(value: object) -> Raw:
    return Raw() if value is None else Raw(json.dumps(value).encode("ascii"))


def plain(raw: Raw) -> Any:
    """A field that is looked at only now, as plain values; None when it is absent or cannot be read."""
    if not raw:
        return None
    try:
        return json.loads(_text_of(bytes(raw)), strict=False)
    except (ValueError, RecursionError):
        return None


def blocks_of(raw: Raw) -> list[Block]:
    """The content of a message; a plain string counts as one block of text."""
    content = bytes(raw)
    try:
        if content[:1] == b'"':
            return [Block(type="text", text=_decode_text(content))]
        return _decode_blocks(content)
    except NOT_PLAIN:
        value = plain(raw)
    if isinstance(value, str):
        return [Block(type="text", text=_clean(value))]
    if not isinstance(value, list):
        return []
    return [
        Block(type=_string(block.get("type")), text=_string(block.get("text")))
        for block in value
        if isinstance(block, dict)
    ]
