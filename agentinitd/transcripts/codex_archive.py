"""Reads a compressed rollout, in bounded steps and bounded memory, as if it were the plain file.

Its checkpoints are those of a `Tail`: a thread that is archived, compressed or resumed goes on from them.
"""

from __future__ import annotations

import hashlib
import importlib
import stat
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from agentinitd.model.events import CompactionMarker, ContextCleared, Event, Request, SessionSeen, Skipped
from agentinitd.transcripts.codex_reader import CodexReader
from agentinitd.transcripts.follower import Start
from agentinitd.transcripts.reader import Checkpoint
from agentinitd.transcripts.tail import BLOCK_BYTES, PRINT_BYTES, TailCheckpoint

WINDOW_LOG = 24
"""A frame that wants more than 16 MiB of memory is refused: Codex writes them with 2 MiB."""
UNFINISHED_HISTORY = sys.maxsize
"""`history_until` in the checkpoint of an archive that is still read only to know where it ends."""
NO_PACKAGE = "compressed, and Python cannot read zstd here: `pip install zstandard`"

_TOLD_OF_HISTORY = (SessionSeen, Request, CompactionMarker, ContextCleared)


class Stream(Protocol):
    def read1(self, size: int, /) -> bytes:
        """At most so much; what stands before damage is given before the damage is told."""
        ...

    def close(self) -> object: ...


class Opened(NamedTuple):
    stream: Stream
    error: type[Exception]
    """What `read1` raises for damage."""


def open_archive(path: Path) -> Opened | None:
    """None when no module is there that reads zstd.  Raises OSError."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(f"{path}: not a regular file")
    for open_by in (_open_by_python, _open_by_package):
        try:
            return open_by(path)
        except ImportError:
            continue
    return None


def _open_by_python(path: Path) -> Opened:
    """Since 3.14 Python brings it along."""
    zstd = importlib.import_module("compression.zstd")
    options = {zstd.DecompressionParameter.window_log_max: WINDOW_LOG}
    return Opened(zstd.open(path, "rb", options=options), zstd.ZstdError)


def _open_by_package(path: Path) -> Opened:
    zstd = importlib.import_module("zstandard")
    decompressor = zstd.ZstdDecompressor(max_window_size=1 << WINDOW_LOG)
    stream = decompressor.stream_reader(path.open("rb"), read_across_frames=True, closefd=True)
    return Opened(stream, zstd.ZstdError)


class Archive:
    """Follows the compressed rollout at `path`.  Without a checkpoint `start` counts as for a `Tail`."""

    def __init__(
        self,
        path: Path,
        checkpoint: Mapping[str, Any] | None = None,
        *,
        start: Start = "top",
        is_detailed: bool = False,
        opener: Callable[[Path], Opened | None] = open_archive,
    ) -> None:
        self.path = path
        self.has_more = False
        self.flush_at: float | None = None
        self.problem: str | None = None
        self._opener = opener
        self._is_detailed = is_detailed
        known = _restored(checkpoint)
        self._known = known or TailCheckpoint()
        self._is_known = known is not None
        # Nobody writes to an archive: what it holds when it is first seen, happened before.
        self._is_history = start != "top" if known is None else known.history_until == UNFINISHED_HISTORY
        reader = Checkpoint() if known is None else known.reader
        self._reader = self._new_reader(reader)
        self._skip = self._reader.offset
        """So far everything was read before."""
        self._opened: Opened | None = None
        self._is_ended = False
        self._position = 0
        self._head = self._before_position = self._before_line = b""
        self._seen: tuple[int, int, int] | None = None

    @property
    def offset(self) -> int:
        return self._reader.offset

    def read(self, max_bytes: int = 4 * BLOCK_BYTES) -> list[Event]:
        """What is new, from about `max_bytes` of the text."""
        try:
            found = self.path.stat()
            if not stat.S_ISREG(found.st_mode):
                self._end(f"{self.path}: not a regular file")
                return []
            seen = (found.st_ino, found.st_size, found.st_mtime_ns)
            if self._opened is None and seen == self._seen:
                return []
            return self._read_from(self._stream(seen), max_bytes)
        except (OSError, EOFError) as error:
            self._end(None if isinstance(error, FileNotFoundError) else f"{self.path}: {error}")
            return []

    def finish(self) -> list[Event]:
        """There will be no more: a torn end is read if it is whole, and told as `Skipped` if it is not."""
        events = self._told(self._reader.flush())
        reached = self._reader.checkpoint()
        if reached.offset < self._position:
            reason = "the last line is incomplete"
            events.append(Skipped(line=reached.line + 1, offset=reached.offset, reason=reason))
        return events

    def checkpoint(self) -> dict[str, Any]:
        """A `TailCheckpoint` in plain values."""
        if self._position > self._skip or not self._is_known:
            self._known = replace(
                self._known,
                reader=self._reader.checkpoint(),
                head_bytes=len(self._head),
                head_sha256=_print_of(self._head),
                before_bytes=len(self._before_line),
                before_sha256=_print_of(self._before_line),
                history_until=self._reader.offset if self._is_ended else self._history_until,
            )
        plain: dict[str, Any] = msgspec.to_builtins(self._known)
        return plain

    @property
    def _history_until(self) -> int:
        return UNFINISHED_HISTORY if self._is_history else self._known.history_until

    def _new_reader(self, reached: Checkpoint) -> CodexReader:
        return CodexReader(reached, history_until=self._history_until, is_detailed=self._is_detailed)

    def _stream(self, seen: tuple[int, int, int]) -> Opened | None:
        if self._opened is None or seen != self._seen:
            self._end(None)
            self._opened = self._opener(self.path)
            self._seen = seen
            self._position = 0
            self._head = self._before_position = self._before_line = b""
            self._reader = self._new_reader(self._reader.checkpoint())
            self._skip = self._reader.offset
            self._is_ended = False
        return self._opened

    def _read_from(self, opened: Opened | None, max_bytes: int) -> list[Event]:
        if opened is None:
            # What was read while it was plain is all that there is.
            self.problem = None if self._is_known else f"{self.path}: {NO_PACKAGE}"
            return []
        events: list[Event] = []
        stop = self._position + max_bytes
        self.problem, self.has_more = None, True
        while self._position < stop:
            try:
                block = opened.stream.read1(min(BLOCK_BYTES, stop - self._position))
            except (opened.error, EOFError) as error:
                self._end(f"{self.path}: damaged ({error})")
                break
            if not block:
                self._end(None)
                self._is_ended = True
                break
            events += self._take(block)
        return events

    def _take(self, block: bytes) -> list[Event]:
        start = self._position
        self._position += len(block)
        if len(self._head) < PRINT_BYTES:
            self._head = (self._head + block)[:PRINT_BYTES]
        recent, recent_start = self._before_position + block, start - len(self._before_position)
        self._before_position = recent[-PRINT_BYTES:]
        if self._position <= self._skip:
            return []
        if start < self._skip:
            self._before_line = recent[: self._skip - recent_start][-PRINT_BYTES:]
            block = block[self._skip - start :]
        line_start = self._reader.offset
        events = self._told(self._reader.feed(block))
        if self._reader.offset > line_start:
            self._before_line = recent[: self._reader.offset - recent_start][-PRINT_BYTES:]
        return events

    def _told(self, events: list[Event]) -> list[Event]:
        if self._is_history:
            events = [event for event in events if isinstance(event, _TOLD_OF_HISTORY)]
        return events

    def _end(self, problem: str | None) -> None:
        self.has_more = False
        self.problem = problem
        if self._opened is not None:
            self._opened.stream.close()
            self._opened = None


def _restored(checkpoint: Mapping[str, Any] | None) -> TailCheckpoint | None:
    try:
        return msgspec.convert(checkpoint, TailCheckpoint) if checkpoint is not None else None
    except msgspec.ValidationError:
        return None


def _print_of(piece: bytes) -> str:
    return hashlib.sha256(piece).hexdigest() if piece else ""
