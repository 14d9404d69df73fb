"""How much of a Claude Code transcript is a copy of another: what a fork or an old-style resume carries over.

Nothing in the file says so.  But copied records keep their `uuid`, or at least the id of the model's answer,
and the transcript they come from lies in the same folder.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import NamedTuple

from agentinitd.transcripts.claude_code_paths import is_helper_path, is_transcript
from agentinitd.transcripts.claude_code_records import (
    CONVERSATION,
    NOT_PLAIN,
    Record,
    decode,
    recover,
    seconds,
)
from agentinitd.transcripts.files import open_regular
from agentinitd.transcripts.lines import Lines

BLOCK_BYTES = 64 * 1024
HEAD_RECORDS = 8
HEAD_BYTES = 1024 * 1024
SIBLINGS_LIMIT = 256
"""The siblings looked at: those changed last."""
DEEP_BYTES = 64 * 1024 * 1024
"""How much of the siblings is searched for a copy that does not begin where the conversation did."""
LOOK_AHEAD = 1024
"""Records that may be missing in one of the two files before they count as different from here on."""
LIVE_SECONDS = 60.0


class _Known(NamedTuple):
    """What tells a record from every other, in whichever file it stands."""

    ids: tuple[str, ...]
    offset: int
    timestamp: str
    session_id: str | None
    is_root: bool
    is_sidechain: bool


class _Shared(NamedTuple):
    """How far two transcripts run side by side, and how each goes on."""

    last: _Known
    other_last: _Known
    own: _Known | None
    other_own: _Known | None


def copied_until(path: Path) -> int:
    """The byte up to which the records of `path` are a copy of a sibling's; 0 when it is no copy."""
    if is_helper_path(path):
        return 0
    until = 0
    try:
        near = takewhile(lambda record: record.offset < HEAD_BYTES, _records(path))
        head = list(islice(near, HEAD_RECORDS))
        for sibling in _siblings_with(path, head):
            shared = _shared(path, sibling)
            if shared is not None and _is_copy(path, sibling, shared):
                until = max(until, shared.own.offset if shared.own is not None else path.stat().st_size)
    except OSError:
        # Gone or closed to us while it was looked at: what is known so far has to do.
        return until
    return until


def _records(path: Path) -> Iterator[_Known]:
    lines = Lines()
    with open_regular(path) as file:
        while block := file.read(BLOCK_BYTES):
            for batch in lines.feed(block):
                offset = batch.offset
                for line in batch.text.split(b"\n"):
                    yield from _known_in(line, offset)
                    offset += len(line) + 1


def _known_in(line: bytes, offset: int) -> Iterator[_Known]:
    try:
        records = [decode(line)]
    except NOT_PLAIN:
        records = recover(line).records
    for record in records:
        ids = _ids_of(record)
        if ids and record.type in CONVERSATION:
            is_root = record.parent_uuid is None and record.subtype != "compact_boundary"
            is_sidechain = record.is_sidechain is True
            yield _Known(ids, offset, record.timestamp or "", record.session_id, is_root, is_sidechain)


def _ids_of(record: Record) -> tuple[str, ...]:
    answer = record.message.id if record.message is not None else None
    return tuple(known_id for known_id in (record.uuid, answer) if known_id)


def _siblings_with(path: Path, head: list[_Known]) -> Iterator[Path]:
    """Transcripts beside `path` that hold one of its first records too."""
    ids = [known_id.encode() for known in head for known_id in known.ids]
    if not ids or head[0].is_sidechain:
        return
    budget = 0 if head[0].is_root else DEEP_BYTES
    for sibling in _siblings(path):
        size = _bytes_until_any(sibling, ids, BLOCK_BYTES + budget)
        if size is None:
            yield sibling
        else:
            budget = max(0, budget - size)


def _siblings(path: Path) -> list[Path]:
    with os.scandir(path.parent) as entries:
        found = [
            (entry.stat().st_mtime, entry.path)
            for entry in entries
            if entry.name != path.name and entry.is_file() and is_transcript(Path(entry.path))
        ]
    return [Path(name) for _, name in heapq.nlargest(SIBLINGS_LIMIT, found) if not is_helper_path(Path(name))]


def _bytes_until_any(path: Path, ids: list[bytes], limit: int) -> int | None:
    """None when one of the ids stands in the first `limit` bytes, else how many bytes were read."""
    read = 0
    overlap = b""
    try:
        with open_regular(path) as file:
            while read < limit and (block := file.read(BLOCK_BYTES)):
                text = overlap + block
                if any(known_id in text for known_id in ids):
                    return None
                overlap = text[-128:]
                read += len(block)
    except OSError:
        return read
    return read


class _Window:
    """The records of a file around the place where it was last found to agree with another."""

    def __init__(self, path: Path) -> None:
        self._records = _records(path)
        self._index: dict[str, int] = {}
        self._loaded: list[_Known] = []
        self._first = 0
        self.matched = -1

    def find(self, ids: tuple[str, ...]) -> bool:
        """Look for a record with one of these ids, at most LOOK_AHEAD beyond the last that was found."""
        while True:
            found = [self._index[known_id] for known_id in ids if known_id in self._index]
            if found:
                self.matched = max(self.matched, found[0])
                return True
            if self._first + len(self._loaded) > self.matched + LOOK_AHEAD or self._load() is None:
                return False

    def at(self, index: int) -> _Known | None:
        while index >= self._first + len(self._loaded):
            if self._load() is None:
                return None
        return self._loaded[index - self._first]

    def _load(self) -> _Known | None:
        record = next(self._records, None)
        if record is None:
            return None
        for known_id in record.ids:
            self._index.setdefault(known_id, self._first + len(self._loaded))
        self._loaded.append(record)
        if len(self._loaded) > 2 * LOOK_AHEAD + 1:
            gone, self._loaded = self._loaded[:LOOK_AHEAD], self._loaded[LOOK_AHEAD:]
            self._first += LOOK_AHEAD
            for known_id in {known_id for known in gone for known_id in known.ids}:
                if self._index.get(known_id, self._first) < self._first:
                    del self._index[known_id]
        return record


def _shared(path: Path, sibling: Path) -> _Shared | None:
    window = _Window(sibling)
    first = window.at(0)
    if first is None or first.is_sidechain:
        # A helper's transcript may hold a copy of the conversation, but never the other way round.
        return None
    last: _Known | None = None
    own: _Known | None = None
    unknown = 0
    for record in _records(path):
        if window.find(record.ids):
            last, own, unknown = record, None, 0
        else:
            own = own or record
            unknown += 1
            if unknown > LOOK_AHEAD:
                break
    other_last = window.at(window.matched) if last is not None else None
    if last is None or other_last is None:
        return None
    return _Shared(last, other_last, own, window.at(window.matched + 1))


def _is_copy(path: Path, sibling: Path, shared: _Shared) -> bool:
    """Of two transcripts that share records, `path` is the later one."""
    names = {path.stem, sibling.stem}
    for session_id in (shared.last.session_id, shared.other_last.session_id):
        # A copy whose records still carry the name of the file they were written to.
        if session_id in names and shared.last.session_id == shared.other_last.session_id:
            return session_id == sibling.stem
    own, other = shared.own, shared.other_own
    if own is not None and other is not None:
        return own.timestamp > other.timestamp
    if own is not None:
        return True
    if other is None:
        return path.stat().st_mtime > sibling.stat().st_mtime
    # Either it ended where the other was forked from it, or it is a fork from an earlier point that has not
    # gone on yet.  Such a fork was just written, long after its last record; the other is as old as its last.
    return _is_late(path) and not _is_late(sibling)


def _is_late(path: Path) -> bool:
    """The file changed long after its last record was written."""
    with open_regular(path) as file:
        found = os.fstat(file.fileno())
        file.seek(max(0, found.st_size - BLOCK_BYTES))
        lines = file.read(BLOCK_BYTES).split(b"\n")
    for line in reversed(lines):
        for record in _known_in(line, 0):
            written_at = seconds(record.timestamp)
            if written_at is not None:
                return found.st_mtime - written_at > LIVE_SECONDS
    return False
