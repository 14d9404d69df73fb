"""Follows a JSON document that its agent writes anew after every change: what is new in it, each thing once.

The file is read whole, within a bound, whenever it changed, and compared with what was told before.  While
it is written it is empty or half for a moment: then nothing is told, and it is looked at again.  One that
stays torn is given up after a silence, and what is whole in it is told.

For an event of a document `offset` is the index of its message in the list, from 0, and `line` the physical
line on which that message begins.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from agentinitd.model.events import CompactionMarker, ContextCleared, Event, Request, SessionSeen, Skipped
from agentinitd.transcripts.document_entries import Document, salvage, whole_document
from agentinitd.transcripts.files import open_regular
from agentinitd.transcripts.follower import Start
from agentinitd.transcripts.long_line import LongLine

WHOLE_BYTES = 24 * 1024 * 1024
"""Up to here a document is read as it is; the long strings of a larger one are cut while it streams."""
BLOCK_BYTES = 256 * 1024
SILENCE_SECONDS = 2.0
"""A document that is torn is waited for so long."""


class Interpreted(NamedTuple):
    events: list[Event]
    """What the document says that was not told before, in the order of its messages."""
    memory: Mapping[str, Any]
    """Of what was told: plain values, handed back with the next form of the document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFormat:
    """What an agent knows of its documents."""

    list_key: str | None
    """The field that holds the messages; None where the document is the list itself."""
    is_message: Callable[[bytes], bool]
    """Whether these bytes are one message: asked of the pieces of a damaged document."""
    interpret: Callable[[Document, Mapping[str, Any]], Interpreted]
    """Pure; raises nothing.  What is missing from a document that is not whole may be there all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentCheckpoint:
    memory: Mapping[str, Any] = field(default_factory=dict)
    size: int = 0
    seen: tuple[int, int, int] | None = None
    """Inode, size and time of change of the form that was told last."""


class DocumentFollower:
    """Follows the document at `path`, whether it exists yet or not.

    `start` counts only without a checkpoint.  What was there before is then told as history, and of that only
    the session's names, the last request, and what made the context smaller since.
    """

    def __init__(
        self,
        path: Path,
        form: DocumentFormat,
        checkpoint: Mapping[str, Any] | None = None,
        *,
        start: Start = "top",
        whole_bytes: int = WHOLE_BYTES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = str(path)
        self.path = path
        self.has_more = False
        self.flush_at: float | None = None
        self.problem: str | None = None
        self._form = form
        self._whole_bytes = whole_bytes
        self._now = now
        known = _restored(checkpoint)
        self._known = known or DocumentCheckpoint()
        self._start: Start = start if known is None else "top"
        self._seen = self._known.seen
        self._torn: bytes | None = None
        """The last form, when it is not whole and nothing of it was told."""
        self._changed_at = now()

    @property
    def offset(self) -> int:
        """How large the form of the document was that was told last."""
        return self._known.size

    def checkpoint(self) -> dict[str, Any]:
        """Covers exactly what `read` has returned so far: a `DocumentCheckpoint` in plain values."""
        plain: dict[str, Any] = msgspec.to_builtins(self._known)
        return plain

    def read(self, max_bytes: int = 0) -> list[Event]:  # noqa: ARG002 - a document is read whole or not at all
        """What the present form of the document says that was not told before."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return self._absent(None)
        except OSError as error:
            return self._absent(f"{self.path}: {error.strerror}")
        if not stat.S_ISREG(found.st_mode):
            return self._absent(f"{self.path}: not a regular file")
        seen = (found.st_ino, found.st_size, found.st_mtime_ns)
        if seen != self._seen:
            self._seen = seen
            self._changed_at = self._now()
            return self._read_form()
        if self.flush_at is not None and self._now() >= self.flush_at:
            return self.finish()
        return []

    def finish(self) -> list[Event]:
        """What is whole in a document that will not be written on."""
        data, self._torn, self.flush_at = self._torn, None, None
        if data is None or not data.strip(b" \t\r\n\0"):
            return []
        document = salvage(data, self._form.list_key, self._form.is_message)
        return sorted([*self._told(document), *_gaps(document)], key=lambda event: event.offset)

    def _absent(self, problem: str | None) -> list[Event]:
        self.problem = problem
        self._seen = self._torn = self.flush_at = None
        if problem is None and not self._known.memory:
            # All that a file holds that is not there yet will be new.
            self._start = "top"
        return []

    def _read_form(self) -> list[Event]:
        try:
            data = _read_bounded(self.path, self._whole_bytes)
        except OSError as error:
            self.problem = f"{self.path}: {error.strerror or error}"
            self._seen = None
            return []
        self.problem = None
        document = whole_document(data, self._form.list_key)
        if document is None:
            self._torn, self.flush_at = data, self._changed_at + SILENCE_SECONDS
            return []
        self._torn = self.flush_at = None
        return self._told(document)

    def _told(self, document: Document) -> list[Event]:
        events, memory = self._form.interpret(document, self._known.memory)
        history = _history(document, self._start)
        if history:
            events = _taken_up(events, history)
        self._start = "top"
        self._known = DocumentCheckpoint(memory=memory, size=document.size, seen=self._seen)
        return events


def _restored(checkpoint: Mapping[str, Any] | None) -> DocumentCheckpoint | None:
    """None when there is none, or one that another version wrote in another form."""
    try:
        return msgspec.convert(checkpoint, DocumentCheckpoint) if checkpoint is not None else None
    except msgspec.ValidationError:
        return None


def _gaps(document: Document) -> list[Event]:
    return [Skipped(line=gap.line, offset=gap.index, reason=gap.reason) for gap in document.gaps]


def _history(document: Document, start: Start) -> int:
    """How many messages were there before: all, or those that a form of `start` bytes had room for."""
    if start == "top":
        return 0
    if start == "end" or document.size <= start:
        return len(document.entries)
    # A message that has grown since ends behind the place where the old list ended: it counts as new.
    old_end = start - document.trailer
    return sum(entry.end <= old_end for entry in document.entries)


def _taken_up(events: list[Event], history: int) -> list[Event]:
    """Of what was there before: the session's names, the last request, and what shrank the context since."""
    old = [event for event in events if event.offset < history or isinstance(event, SessionSeen)]
    new = [event for event in events if not (event.offset < history or isinstance(event, SessionSeen))]
    requests = [at for at, event in enumerate(old) if isinstance(event, Request)]
    since = old[requests[-1] :] if requests else old
    kept = [
        *[event for event in old if isinstance(event, SessionSeen)][-1:],
        *(event for event in since if isinstance(event, Request | CompactionMarker | ContextCleared)),
    ]
    return [*(msgspec.structs.replace(event, is_history=True) for event in kept), *new]


def _read_bounded(path: Path, whole_bytes: int) -> bytes:
    """The file, or what is left of a huge one when its long strings are cut.  Raises OSError."""
    with open_regular(path) as file:
        if os.fstat(file.fileno()).st_size <= whole_bytes:
            data = file.read(whole_bytes + 1) or b""
            if len(data) <= whole_bytes:
                return data
            file.seek(0)
        squeezed = LongLine()
        while block := file.read(BLOCK_BYTES):
            squeezed.feed(block)
    if squeezed.is_too_long:
        raise OSError(f"{squeezed.size:,} bytes and too much even without its long strings")
    return bytes(squeezed.kept)
