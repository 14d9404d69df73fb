"""Takes up a transcript at its end: which session it is and how large its context was, without reading it.

The blocks before the end are read back until they hold a request; all that is told is history.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Protocol

from agentinitd.model.events import CompactionMarker, ContextCleared, Event, Request, SessionSeen
from agentinitd.transcripts.reader import Checkpoint, Reader

BLOCK_BYTES = 256 * 1024
HEAD_BYTES = 16 * 1024
WINDOWS_BYTES = (32 * 1024, 256 * 1024, 2 * 1024 * 1024, 8 * 1024 * 1024)
"""How far back a request is looked for, one try after the other."""
LINE_SEARCH_BYTES = 64 * 1024 * 1024
COUNTED_BYTES = 64 * 1024 * 1024
"""So far from the top lines are counted; what lies behind is counted from where reading began."""


class NewReader(Protocol):
    """`reader.LineFormat.new_reader` for one file."""

    def __call__(self, checkpoint: Checkpoint | None = None, *, history_until: int = 0) -> Reader: ...


def take_up(descriptor: int, new_reader: NewReader, size: int) -> tuple[Reader, list[Event]]:
    """A reader that stands before the line being written at `size`, and what has to be known of the rest."""
    end = _last_line_start(descriptor, size)
    head, head_events = _read_head(descriptor, new_reader, end)
    reader = new_reader(replace(head, offset=end, line=_lines_before(descriptor, end)), history_until=end)
    events: list[Event] = []
    for window in WINDOWS_BYTES:
        start = _line_start_after(descriptor, max(0, end - window), end)
        if start is not None:
            line = _lines_before(descriptor, start)
            begin = replace(head, offset=start, line=line) if start else None
            reader = new_reader(begin, history_until=end)
            events = _feed(reader, descriptor, start, end)
        if start == 0 or any(isinstance(event, Request) for event in events):
            break
    return reader, _told([*head_events, *events])


def _told(events: list[Event]) -> list[Event]:
    """The session's names, the last request, and what made the context smaller since."""
    sessions = [event for event in events if isinstance(event, SessionSeen)][-1:]
    requests = [at for at, event in enumerate(events) if isinstance(event, Request)][-1:]
    since = events[requests[0] :] if requests else events
    return [
        *sessions,
        *(event for event in since if isinstance(event, Request | CompactionMarker | ContextCleared)),
    ]


def _read_head(descriptor: int, new_reader: NewReader, end: int) -> tuple[Checkpoint, list[Event]]:
    """Only the head tells whose conversation this is; a line in the middle may be a helper's."""
    reader = new_reader(history_until=end)
    sessions: list[Event] = []
    at, limit = 0, min(end, WINDOWS_BYTES[-1])
    while at < limit and not sessions:
        block = os.pread(descriptor, min(HEAD_BYTES, limit - at), at)
        if not block:
            break
        sessions = [event for event in reader.feed(block) if isinstance(event, SessionSeen)]
        at += len(block)
    return reader.checkpoint(), sessions


def _lines_before(descriptor: int, end: int) -> int:
    """How many lines end before `end`; 0 where it would take long to count them."""
    if end > COUNTED_BYTES:
        return 0
    starts = range(0, end, BLOCK_BYTES)
    return sum(os.pread(descriptor, min(BLOCK_BYTES, end - at), at).count(b"\n") for at in starts)


def _feed(reader: Reader, descriptor: int, start: int, end: int) -> list[Event]:
    events: list[Event] = []
    while start < end:
        block = os.pread(descriptor, min(BLOCK_BYTES, end - start), start)
        if not block:
            break
        events += reader.feed(block)
        start += len(block)
    return events


def _line_start_after(descriptor: int, start: int, end: int) -> int | None:
    """The first line that begins at `start` or behind it; None when none does before `end`."""
    if start == 0:
        return 0
    # The byte before decides whether a line begins right at `start`.
    at = start - 1
    while at < end:
        block = os.pread(descriptor, min(BLOCK_BYTES, end - at), at)
        if not block:
            return None
        newline = block.find(b"\n")
        if newline >= 0:
            found = at + newline + 1
            return found if found < end else None
        at += len(block)
    return None


def _last_line_start(descriptor: int, size: int) -> int:
    """Where the last line begins that has no newline yet; `size` when each line has one, or none is near."""
    at = size
    while at > max(0, size - LINE_SEARCH_BYTES):
        start = max(0, at - HEAD_BYTES)
        newline = os.pread(descriptor, at - start, start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        at = start
    return 0 if at == 0 else size
