"""Follows one transcript that an agent is writing: what is new, in bounded steps, and never the same twice.

A file is known by the bytes at its head and by those before the place read so far; an inode is given to
the next file at once.  When those bytes are gone, the file was cut or replaced: it is read again from the
top, and what is older than the newest thing told before is told as history.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from agentinitd.model.events import Event, Skipped
from agentinitd.transcripts.follower import Start
from agentinitd.transcripts.reader import Checkpoint, LineFormat, Reader
from agentinitd.transcripts.take_up import take_up

BLOCK_BYTES = 96 * 1024
"""Larger ones are mapped anew by the allocator each time, which costs more than reading them."""
PRINT_BYTES = 256
"""Of the head, and of what stands before the place read so far (supervision.md WAT-7)."""
SILENCE_SECONDS = 2.0
"""A last line without its newline, or zeros at the end, are waited for so long (supervision.md WAT-8)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TailCheckpoint:
    """Where a tail stands, and how it knows the file again.  Plain values, as in `Checkpoint`."""

    reader: Checkpoint = field(default_factory=Checkpoint)
    head_bytes: int = 0
    head_sha256: str = ""
    before_bytes: int = 0
    before_sha256: str = ""
    """Of the bytes before `reader.offset`."""
    newest: float | None = None
    """The latest `written_at` told so far."""
    reread_until: int = 0
    """What stands before this byte was read before, in an earlier form of the file."""
    reread_newest: float | None = None
    """`newest` at that time."""
    history_until: int = 0


class Tail:
    """Follows the file at `path`, whether it exists yet or not.

    `start` counts only without a checkpoint: `top`, `end`, or the size that the file had when it was first
    seen.  What was there before is then not told, except for the last request and the session's names, as
    history.
    """

    def __init__(
        self,
        path: Path,
        agent: LineFormat,
        checkpoint: Mapping[str, Any] | None = None,
        *,
        start: Start = "top",
        history_until: int = 0,
        is_detailed: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = str(path)
        self.path = path
        self.has_more = False
        """There is more to read already: call `read` again without waiting."""
        self.flush_at: float | None = None
        """When to call `read` although nothing changed, on the clock `now`: a torn end is given up then."""
        self.problem: str | None = None
        """Why the file cannot be read at the moment.  A file that does not exist is no problem."""
        self._agent = agent
        self._is_detailed = is_detailed
        self._now = now
        known = _restored(checkpoint)
        self._known = known or TailCheckpoint(history_until=history_until)
        self._newest = self._known.newest
        self._start: Start = "top" if known is not None else start
        self._reader: Reader | None = None
        self._position = 0
        self._head = b""
        self._before_position = b""
        self._before_line = b""
        self._seen: tuple[int, int, int, int] | None = None
        """Device, inode, size and time of change when `read` last looked."""
        self._grew_at = now()

    @property
    def offset(self) -> int:
        """First byte that was not read as part of a whole line."""
        return self._known.reader.offset if self._reader is None else self._reader.offset

    def checkpoint(self) -> dict[str, Any]:
        """Covers exactly what `read` has returned so far: a `TailCheckpoint` in plain values."""
        plain: dict[str, Any] = msgspec.to_builtins(self._checkpoint())
        return plain

    def _checkpoint(self) -> TailCheckpoint:
        if self._reader is None:
            return self._known
        return replace(
            self._known,
            reader=self._reader.checkpoint(),
            head_bytes=len(self._head),
            head_sha256=_print_of(self._head),
            before_bytes=len(self._before_line),
            before_sha256=_print_of(self._before_line),
            newest=self._newest,
        )

    def finish(self) -> list[Event]:
        """There will be no more: a torn end is read if it is whole, and told as `Skipped` if it is not."""
        if self._reader is None:
            return []
        events = self._marked(self._reader.flush())
        reached = self._reader.checkpoint()
        if reached.offset < self._position:
            events.append(
                Skipped(line=reached.line + 1, offset=reached.offset, reason="the last line is incomplete")
            )
        return events

    def read(self, max_bytes: int = 8 * BLOCK_BYTES) -> list[Event]:
        """What is new, from at most about `max_bytes` of the file; `has_more` tells whether that was all."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return self._absent(None)
        except OSError as error:
            return self._absent(f"{self.path}: {error.strerror}")
        if not stat.S_ISREG(found.st_mode):
            return self._absent(f"{self.path}: not a regular file")
        seen = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
        if seen != self._seen:
            self._grew_at = self._now()
            self.flush_at = None
        elif not self.has_more and not self._is_silent():
            return []
        return self._read_file(seen, max_bytes)

    def _is_silent(self) -> bool:
        return self.flush_at is not None and self._now() >= self.flush_at

    def _absent(self, problem: str | None) -> list[Event]:
        self.problem = problem
        self.has_more = False
        self.flush_at = None
        self._seen = None
        if problem is None and self._reader is None:
            # All that a file holds that is not there yet will be new.
            self._start = "top"
        return []

    def _read_file(self, seen: tuple[int, int, int, int], max_bytes: int) -> list[Event]:
        events: list[Event] = []
        try:
            # Not to hang on a FIFO that took the file's place meanwhile.
            descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
            try:
                reader = self._ready(descriptor, events)
                self._read_on(descriptor, reader, max_bytes, events)
            finally:
                os.close(descriptor)
        except OSError as error:
            self.problem = f"{self.path}: {error.strerror}"
            return events
        self.problem = None
        self._seen = seen
        return events

    def _ready(self, descriptor: int, events: list[Event]) -> Reader:
        """The reader, made if this is the first look, and renewed if the file is another one now."""
        size = os.fstat(descriptor).st_size
        if self._reader is None and self._start != "top":
            until = size if self._start == "end" else min(size, int(self._start))
            return self._take_up(descriptor, until, events)
        if self._reader is None:
            known = self._known
            self._position = known.reader.offset
            if not self._resumes(descriptor, known, size):
                return self._start_over(known.reader, size)
            self._head = os.pread(descriptor, PRINT_BYTES, 0)[: max(known.head_bytes, 0)]
            self._reader = self._new_reader(known.reader, history_until=known.history_until)
        elif not self._is_same(descriptor, size):
            return self._start_over(self._reader.checkpoint(), size)
        return self._reader

    def _new_reader(self, checkpoint: Checkpoint | None = None, *, history_until: int = 0) -> Reader:
        return self._agent.new_reader(
            self.path, checkpoint, history_until=history_until, is_detailed=self._is_detailed
        )

    def _take_up(self, descriptor: int, until: int, events: list[Event]) -> Reader:
        self._reader, told = take_up(descriptor, self._new_reader, until)
        self._position = self._reader.offset
        start = max(0, self._position - PRINT_BYTES)
        self._before_line = os.pread(descriptor, self._position - start, start)
        self._before_position = self._before_line
        self._known = replace(self._known, history_until=self._position)
        self._note_newest(told)
        events += told
        return self._reader

    def _resumes(self, descriptor: int, known: TailCheckpoint, size: int) -> bool:
        """The bytes that the checkpoint knows are still there."""
        if size < known.reader.offset:
            return False
        head = os.pread(descriptor, known.head_bytes, 0)
        start = known.reader.offset - known.before_bytes
        before = os.pread(descriptor, known.before_bytes, max(0, start))
        self._before_line = self._before_position = before
        return _print_of(head) == known.head_sha256 and _print_of(before) == known.before_sha256

    def _is_same(self, descriptor: int, size: int) -> bool:
        if size < self._position:
            return False
        start = self._position - len(self._before_position)
        return (
            os.pread(descriptor, len(self._head), 0) == self._head
            and os.pread(descriptor, len(self._before_position), start) == self._before_position
        )

    def _start_over(self, reached: Checkpoint, size: int) -> Reader:
        """Read from the top; the memory of the reader so far knows again what was just told."""
        self._known = replace(
            self._known,
            reread_until=max(size, self._position),
            reread_newest=self._newest,
            history_until=0,
        )
        self._position = 0
        self._head = self._before_position = self._before_line = b""
        self._reader = self._new_reader(replace(reached, offset=0, line=0))
        return self._reader

    def _read_on(self, descriptor: int, reader: Reader, max_bytes: int, events: list[Event]) -> None:
        is_silent = self._is_silent()
        stop = self._position + max_bytes
        has_zeros = False
        while self._position < stop and not has_zeros:
            block = os.pread(descriptor, min(BLOCK_BYTES, stop - self._position), self._position)
            if block.endswith(b"\0") and not is_silent:
                # Zeros at the end are bytes that did not reach the disk yet; after a crash they never will.
                block = block.rstrip(b"\0")
                has_zeros = True
            if not block:
                break
            events += self._feed(reader, block)
        self.has_more = self._position >= stop and os.fstat(descriptor).st_size > self._position
        if len(self._head) < PRINT_BYTES:
            self._head = os.pread(descriptor, min(PRINT_BYTES, self._position), 0)
        is_torn = has_zeros or self._position > reader.offset
        if is_torn and is_silent:
            events += self._marked(reader.flush())
            if reader.offset == self._position:
                self._before_line = self._before_position
        self.flush_at = self._grew_at + SILENCE_SECONDS if is_torn and not is_silent else None

    def _feed(self, reader: Reader, block: bytes) -> list[Event]:
        line_start, start = reader.offset, self._position
        events = self._marked(reader.feed(block))
        before = self._before_position
        self._position += len(block)
        self._before_position = (before + block[-PRINT_BYTES:])[-PRINT_BYTES:]
        if reader.offset > line_start:
            # The last line may have ended before this block, within the bytes kept of the one before.
            end = reader.offset - start
            near = block[max(0, end - PRINT_BYTES) : end] if end > 0 else b""
            self._before_line = (before[: len(before) + min(0, end)] + near)[-PRINT_BYTES:]
        return events

    def _marked(self, events: list[Event]) -> list[Event]:
        """History is what was told before the file was cut or replaced, by the time it was written."""
        until, newest = self._known.reread_until, self._known.reread_newest
        if until:
            events = [_as_history(event) if _is_reread(event, until, newest) else event for event in events]
        self._note_newest(events)
        return events

    def _note_newest(self, events: list[Event]) -> None:
        newest = self._newest
        for event in events:
            at = event.written_at
            if at is not None and (newest is None or at > newest):
                newest = at
        self._newest = newest


def _restored(checkpoint: Mapping[str, Any] | None) -> TailCheckpoint | None:
    """None when there is none, or one that a later version wrote in another form."""
    try:
        return msgspec.convert(checkpoint, TailCheckpoint) if checkpoint is not None else None
    except msgspec.ValidationError:
        return None


def _as_history(event: Event) -> Event:
    return msgspec.structs.replace(event, is_history=True)


def _is_reread(event: Event, until: int, newest: float | None) -> bool:
    is_old = event.written_at is None or (newest is not None and event.written_at < newest)
    return event.offset < until and is_old


def _print_of(piece: bytes) -> str:
    return hashlib.sha256(piece).hexdigest() if piece else ""
