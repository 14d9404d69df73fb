"""JSON Lines → one record a line, for any agent: counts lines, waits for torn ends, salvages damaged lines.

What a record is, an agent says by a msgspec structure; a line that does not fit it is read by a forgiving
parser, and a field of the wrong type counts as missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from types import UnionType
from typing import Any, Generic, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Raw, Struct

from agentinitd.transcripts.lines import Batch, Lines

REPAIR_LIMIT = 1024 * 1024
"""Above this a damaged line is not repaired: the forgiving parser builds every value it meets."""
REPAIR_ATTEMPTS = 32
TOKENS_LIMIT = 100_000_000
"""A context beyond this is a damaged number: no model's window comes near it."""

NOT_PLAIN = (msgspec.MsgspecError, ValueError, RecursionError, OverflowError)

_NEWLINE, _OPENING, _CLOSING = b"\n{}"
_SPACE = " \t\r\n\0"
_parse = json.JSONDecoder(strict=False)
_decode_text = msgspec.json.Decoder(str).decode

R = TypeVar("R", bound=Struct)
S = TypeVar("S", bound=Struct)


class Shape(Generic[R]):
    """How a line of one agent is decoded, and how its records are known inside of damage."""

    def __init__(
        self, record: type[R], *, start: str, is_record: Callable[[Mapping[str, Any]], bool]
    ) -> None:
        """`start`: a regular expression for how records begin; nested objects may begin so too."""
        decoder = msgspec.json.Decoder(record)
        self.decode: Callable[[bytes], R] = decoder.decode
        self.decode_lines: Callable[[bytes], list[R]] = decoder.decode_lines
        self._record = record
        self._start = re.compile(start)
        self._is_record = is_record

    def salvage(self, line: bytes) -> Salvaged[R]:
        """Every record on a line that the typed decoder refused."""
        if not line.strip(b" \t\r\n\0"):
            return Salvaged([], "NUL bytes" if b"\0" in line else None)
        if len(line) > REPAIR_LIMIT:
            return Salvaged([], f"damaged, and with {len(line):,} bytes too long to repair")
        text = _text_of(line)
        body = text.strip(_SPACE)
        found = _parsed(body, 0)
        if found is None or found[1] < len(body):
            return self._from_torn(body)
        if not isinstance(found[0], dict):
            return Salvaged([], "not an object")
        is_whole = len(body) == len(text.strip(" \t\r\n"))
        return Salvaged(
            [lenient(found[0], self._record)], None if is_whole else "NUL bytes around the record"
        )

    def _from_torn(self, body: str) -> Salvaged[R]:
        """Records that stand one behind the other, and those behind the torn end of one."""
        records: list[R] = []
        at, is_lossless = 0, True
        for _ in range(REPAIR_ATTEMPTS):
            found = _parsed(body, at)
            if found is not None and isinstance(found[0], dict) and self._is_record(found[0]):
                records.append(lenient(found[0], self._record))
                at = _skip_space(body, found[1])
            else:
                is_lossless = False
                at += 1
            if at >= len(body):
                break
            start = self._start.search(body, at)
            if start is None:
                is_lossless = False
                break
            is_lossless = is_lossless and start.start() == at
            at = start.start()
        return Salvaged(records, None if is_lossless and records else _lost(len(records)))


class Salvaged(NamedTuple, Generic[R]):
    """What a line that is not plain still says."""

    records: list[R]
    problem: str | None
    """Why something on this line is lost; None when nothing is."""


class RecordLines(Generic[R]):
    """Feeds a reader: calls `read` for each record and `skip` for each loss, with `line` and `at` set."""

    def __init__(
        self,
        shape: Shape[R],
        *,
        read: Callable[[R], None],
        skip: Callable[[str], None],
        offset: int = 0,
        line: int = 0,
        is_open: bool = False,
    ) -> None:
        self.line = line
        """The one being read, from 1; between two feeds the last one."""
        self.at = offset
        """Byte offset of that line."""
        self.is_open = is_open
        """The last line was read before its newline came.  To be kept in the checkpoint."""
        self._shape = shape
        self._read = read
        self._skip = skip
        self._lines = Lines(offset)

    @property
    def offset(self) -> int:
        """First byte that was not read as part of a whole line."""
        return self._lines.offset

    def feed(self, block: bytes) -> None:
        for batch in self._lines.feed(block):
            self._read_batch(batch)

    def flush(self) -> None:
        """Reads a last line that lacks its newline, if it is a whole record; else keeps it."""
        rest = self._lines.rest()
        try:
            record = self._shape.decode(rest)
        except NOT_PLAIN:
            found = self._shape.salvage(rest)
            if len(found.records) != 1 or found.problem:
                return
            record = found.records[0]
        if not self.is_open:
            self.line += 1
        self.at = self._lines.offset
        self._read(record)
        self._lines.take_rest()
        self.is_open = True

    def _read_batch(self, batch: Batch) -> None:
        offset, text = batch.offset, batch.text
        if self.is_open:
            # The line was read before its newline came: what comes now is its end, mostly nothing.
            self.is_open = False
            if not text:
                return
            if text[0] == _NEWLINE:
                offset, text = offset + 1, text[1:]
            else:
                self.line -= 1
        starts = _line_starts(text)
        records = self._decoded(text, starts)
        if not records:
            self._read_line_by_line(offset, text, is_too_long=batch.is_too_long)
            return
        read = self._read
        for start, record in zip(starts, records, strict=True):
            self.line += 1
            self.at = offset + start
            read(record)

    def _decoded(self, text: bytes, starts: list[int]) -> list[R]:
        """One record for each line; none at all when the lines have to be looked at one by one."""
        if not _are_objects(text, starts):
            return []
        try:
            records = self._shape.decode_lines(text)
        except NOT_PLAIN:
            return []
        return records if len(records) == len(starts) else []

    def _read_line_by_line(self, offset: int, text: bytes, *, is_too_long: bool) -> None:
        for line in text.split(b"\n"):
            self.line += 1
            self.at, offset = offset, offset + len(line) + 1
            if is_too_long:
                self._skip("too long: more than 4 MiB without its long strings")
            elif line and not line.isspace():
                self._read_line(line)

    def _read_line(self, line: bytes) -> None:
        try:
            records = [self._shape.decode(line)]
        except NOT_PLAIN:
            found = self._shape.salvage(line)
            if found.problem is not None:
                self._skip(found.problem)
            records = found.records
        for record in records:
            self._read(record)


def typed(raw: Raw, decode: Callable[[bytes], S], kind: type[S]) -> S:
    """A part of a record that is looked at only now.  What does not fit counts as missing."""
    try:
        return decode(bytes(raw))
    except NOT_PLAIN:
        value = plain(raw)
    return lenient(value if isinstance(value, dict) else {}, kind)


def typed_list(raw: Raw, decode: Callable[[bytes], list[S]], kind: type[S]) -> list[S]:
    """The same of a list; what is no object in it is left out."""
    if not raw:
        return []
    try:
        return decode(bytes(raw))
    except NOT_PLAIN:
        values = plain(raw)
    if not isinstance(values, list):
        return []
    return [lenient(value, kind) for value in values if isinstance(value, dict)]


def lenient(value: Mapping[str, Any], kind: type[S]) -> S:
    """A structure out of values of any type: a field of the wrong type counts as missing."""
    kept: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.encode_name in value:
            with suppress(*NOT_PLAIN):
                kept[field.name] = _lenient(value[field.encode_name], field.type)
    return kind(**kept)


def _lenient(found: Any, kind: Any) -> Any:
    """Raises one of NOT_PLAIN for what does not fit."""
    if kind is Raw:
        return _raw(found)
    if isinstance(found, dict | list):
        for part in get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,):
            if isinstance(found, dict) and isinstance(part, type) and issubclass(part, Struct):
                return lenient(found, part)
            if isinstance(found, list) and get_origin(part) is list:
                return _lenient_list(found, get_args(part)[0])
    return msgspec.convert(_clean(found), kind, strict=True)


def _lenient_list(found: list[Any], kind: Any) -> list[Any]:
    kept: list[Any] = []
    for each in found:
        with suppress(*NOT_PLAIN):
            kept.append(_lenient(each, kind))
    return kept


def plain(raw: Raw) -> Any:
    """A field as plain values; None when it is absent or cannot be read."""
    if not raw:
        return None
    try:
        return json.loads(_text_of(bytes(raw)), strict=False)
    except NOT_PLAIN:
        return None


def text_of(raw: Raw) -> str:
    """A field that is a text; "" for any other."""
    text = bytes(raw)
    if text[:1] != b'"':
        return ""
    try:
        return _decode_text(text)
    except NOT_PLAIN:
        return clean(plain(raw)) or ""


def tokens_of(value: object) -> int | None:
    """A count of tokens that a model may hold, or None for anything that is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, float) and not value.is_integer():
        return None
    return int(value) if 0 < value < TOKENS_LIMIT else None


def seconds_of(timestamp: str | None) -> float | None:
    """ISO 8601 → seconds since the epoch; a time without a zone is UTC, as agents write it."""
    if timestamp is None:
        return None
    try:
        written = datetime.fromisoformat(timestamp)
        return (written if written.tzinfo else written.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def clean(value: object) -> str | None:
    """A text without lone surrogates, which no file and no socket would take; None for any other value."""
    return _clean(value) if isinstance(value, str) else None


def _raw(value: object) -> Raw:
    try:
        return Raw() if value is None else Raw(json.dumps(value).encode("ascii"))
    except (ValueError, RecursionError):
        return Raw()


def _clean(value: Any) -> Any:
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _text_of(line: bytes) -> str:
    line = line.removeprefix(b"\xef\xbb\xbf")
    try:
        return line.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return line.decode("utf-8", "replace")


def _parsed(body: str, at: int) -> tuple[Any, int] | None:
    try:
        return _parse.raw_decode(body, at)
    except (ValueError, RecursionError):
        return None


def _skip_space(body: str, at: int) -> int:
    while at < len(body) and body[at] in _SPACE:
        at += 1
    return at


def _lost(count: int) -> str:
    if not count:
        return "not JSON"
    return f"torn; {count} whole record{'s' if count > 1 else ''} on the line read all the same"


def _line_starts(text: bytes) -> list[int]:
    starts, find = [0], text.find
    while end := find(b"\n", starts[-1]) + 1:
        starts.append(end)
    return starts


def _are_objects(text: bytes, starts: list[int]) -> bool:
    """No line is blank, and no value can reach over the end of a line: `}` newline `{` ends one for sure."""
    if text[:1] != b"{" or text[-1:] != b"}":
        return False
    for start in starts[1:]:  # noqa: SIM110 - a generator costs as much as all the rest of this
        if text[start] != _OPENING or text[start - 2] != _CLOSING:
            return False
    return True
