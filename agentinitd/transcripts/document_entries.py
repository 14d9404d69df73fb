"""One JSON document with a list of messages → the messages as bytes, and where each one stands.

A whole document is split by a typed decoder.  Of one that is torn or damaged, what is still whole is found
message by message.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import msgspec
from msgspec import Raw

_BOM = b"\xef\xbb\xbf"
DEEPEST = 512
_DAMAGE = "torn or damaged"
_LIST = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[")
_GAP = re.compile(rb"[\s,]*")
_END = re.compile(rb"\s*\]\s*[,}]|\s*\]\s*\Z")
# A string has no raw newline: where one is torn, the next line is read as it is meant.
_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*+"|[{}]')
_OPENING, _CLOSING = b"{}"
_NOT_PLAIN = (msgspec.MsgspecError, ValueError, RecursionError)

_decode_fields = msgspec.json.Decoder(dict[str, Raw]).decode
_decode_list = msgspec.json.Decoder(list[Raw]).decode


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One message of the document."""

    index: int
    """In the list, from 0."""
    line: int
    """The physical line on which it begins, from 1."""
    start: int
    end: int
    """Its first byte, and the one behind its last."""
    data: bytes
    """The whole document: of that there is only one in memory."""

    @property
    def raw(self) -> bytes:
        return self.data[self.start : self.end]


class Gap(msgspec.Struct, frozen=True, gc=False):
    """Something in the list that is no message any more."""

    index: int
    line: int
    reason: str


class Document(NamedTuple):
    head: Mapping[str, Raw]
    """The other fields beside the list, as far as they were found."""
    entries: list[Entry]
    gaps: list[Gap]
    is_whole: bool
    """False for a torn one: what is missing from it may be there all the same."""
    size: int

    @property
    def trailer(self) -> int:
        """How many bytes stand behind the last message."""
        return self.size - self.entries[-1].end if self.entries else self.size


def whole_document(data: bytes, list_key: str | None) -> Document | None:
    """The document when all of it is well-formed, else None."""
    begin = len(_BOM) if data.startswith(_BOM) else 0
    try:
        if list_key is None:
            head: dict[str, Raw] = {}
            listed, at = memoryview(data)[begin:], data.find(b"[")
        else:
            head = _decode_fields(memoryview(data)[begin:])
            listed = memoryview(head.pop(list_key, Raw(b"[]")))
            at = _list_start(data, list_key, listed)
        sizes = [len(memoryview(raw)) for raw in _decode_list(listed)]
    except _NOT_PLAIN:
        return None
    return Document(head, _placed(data, sizes, at + 1), [], True, len(data))


def _list_start(data: bytes, list_key: str, listed: memoryview) -> int:
    """Where the list begins."""
    view = memoryview(data)
    for found in re.finditer(rb'"' + re.escape(list_key.encode()) + rb'"\s*:\s*', data):
        if view[found.end() : found.end() + len(listed)] == listed:
            return found.end()
    return 0


def _placed(data: bytes, sizes: list[int], at: int) -> list[Entry]:
    entries = []
    line, counted = 1, 0
    for index, size in enumerate(sizes):
        gap = _GAP.match(data, at)
        start = gap.end() if gap is not None else at
        line += data.count(b"\n", counted, start)
        at, counted = start + size, start
        entries.append(Entry(index, line, start, at, data))
    return entries


def salvage(data: bytes, list_key: str | None, is_message: Callable[[bytes], bool]) -> Document:
    """What is whole in a document that is not: every outermost object that `is_message` knows."""
    at = _salvage_start(data, list_key)
    found: list[tuple[int, int]] = []
    for start, end in _objects(data, at):
        if is_message(data[start:end]):
            while found and found[-1][0] > start:
                found.pop()
            found.append((start, end))
    entries, gaps = _numbered(data, found, at)
    return Document(_salvage_head(data, list_key, at), entries, gaps, False, len(data))


def _salvage_start(data: bytes, list_key: str | None) -> int:
    if list_key is None:
        begin = _LIST.match(data)
        return begin.end() if begin is not None else 0
    found = re.search(rb'"' + re.escape(list_key.encode()) + rb'"\s*:\s*\[', data)
    return found.end() if found is not None else 0


def _salvage_head(data: bytes, list_key: str | None, at: int) -> Mapping[str, Raw]:
    """The fields that stand before the list."""
    if list_key is None or not at:
        return {}
    try:
        fields = _decode_fields(data[:at].removeprefix(_BOM) + b"]}")
    except _NOT_PLAIN:
        return {}
    fields.pop(list_key, None)
    return fields


def _objects(data: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Everything between two brackets that belong together, the inner ones first."""
    open_at: deque[int] = deque(maxlen=DEEPEST)
    for token in _TOKEN.finditer(data, at):
        kind = data[token.start()]
        if kind == _OPENING:
            open_at.append(token.start())
        elif kind == _CLOSING and open_at:
            yield open_at.pop(), token.end()


def _numbered(data: bytes, found: list[tuple[int, int]], at: int) -> tuple[list[Entry], list[Gap]]:
    """The messages with their places; what stands between two and is no comma was one once."""
    entries: list[Entry] = []
    gaps: list[Gap] = []
    line, counted, index = 1, 0, 0
    for start, end in found:
        if not _is_gap(data, at, start):
            gaps.append(Gap(index, line + data.count(b"\n", counted, at), _DAMAGE))
            index += 1
        line, counted = line + data.count(b"\n", counted, start), start
        entries.append(Entry(index, line, start, end, data))
        index, at = index + 1, end
    if not _END.match(data, at):
        gaps.append(Gap(index, line + data.count(b"\n", counted, at), _DAMAGE))
    return entries, gaps


def _is_gap(data: bytes, start: int, end: int) -> bool:
    gap = _GAP.match(data, start)
    return gap is not None and gap.end() >= end
