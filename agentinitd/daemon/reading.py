"""The transcript of one session, read on slice by slice, and how far what was read has been judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from agentinitd.model.events import Event
from agentinitd.sessions.record import SessionRecord
from agentinitd.transcripts.follower import Follower

Opened = Callable[[Mapping[str, Any] | None, bool], Follower]
"""Opens a transcript: where to go on, and whether with its details."""
SLICE_BYTES = 256 * 1024
"""What a slice says is judged on the loop, in one go."""


class Reading:
    """Opened when it is first read, and again when the details are wanted or no longer so."""

    def __init__(self, opened: Opened) -> None:
        self._open = opened
        self._tail: Follower | None = None
        self._is_detailed = False
        self._judged: tuple[dict[str, Any], int] | None = None
        """The checkpoint and the offset behind what was judged; a slice may be under way behind it."""

    @property
    def offset(self) -> int | None:
        """How far it was read, if it was."""
        return self._tail.offset if self._tail is not None else None

    @property
    def problem(self) -> str:
        """Why nothing can be read now."""
        return (self._tail.problem or "") if self._tail is not None else ""

    def read(self, checkpoint: Mapping[str, Any] | None, *, is_detailed: bool) -> tuple[list[Event], bool]:
        """The next slice, and whether there is more.  May block: a neighbour is searched, a database locked.

        `checkpoint`: where to begin when it was not opened yet.
        """
        tail = self._tail
        if tail is None or self._is_detailed != is_detailed:
            tail = self._open(checkpoint if tail is None else tail.checkpoint(), is_detailed)
            self._tail, self._is_detailed = tail, is_detailed
        events = tail.read(SLICE_BYTES)
        return events, tail.has_more

    def judged(self) -> None:
        """All that was read is in the record now."""
        assert self._tail is not None, "nothing was read"
        self._judged = self._tail.checkpoint(), self._tail.offset

    def with_checkpoint(self, record: SessionRecord) -> SessionRecord:
        """With the place from which the next daemon goes on."""
        if self._judged is None:
            return record
        checkpoint, offset = self._judged
        return replace(record, checkpoint=checkpoint, offset=offset)
