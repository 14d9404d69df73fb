"""Follows one Codex thread wherever its rollout lies: plain, archived, compressed, or back again."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from agentinitd.model.events import Event, Request, SessionSeen
from agentinitd.transcripts.codex_archive import UNFINISHED_HISTORY, Archive
from agentinitd.transcripts.codex_far_request import far_request
from agentinitd.transcripts.codex_paths import is_compressed, places_of
from agentinitd.transcripts.follower import Start
from agentinitd.transcripts.reader import LineFormat
from agentinitd.transcripts.tail import BLOCK_BYTES, Tail


class RolloutFollower:
    def __init__(
        self,
        name: str,
        lines: LineFormat,
        checkpoint: Mapping[str, Any] | None = None,
        *,
        start: Start = "top",
        is_detailed: bool = False,
        places: Callable[[str], tuple[Path, ...]] = places_of,
    ) -> None:
        self.name = name
        self.has_more = False
        self.flush_at: float | None = None
        self.problem: str | None = None
        self._lines = lines
        self._places = places(name)
        self._given = checkpoint
        self._start = start
        self._is_detailed = is_detailed
        self._inner = self._follow(self._places[0], checkpoint)

    @property
    def offset(self) -> int:
        return self._inner.offset

    def read(self, max_bytes: int = 8 * BLOCK_BYTES) -> list[Event]:
        place = self._place()
        if place != self._inner.path:
            self._inner = self._follow(place, self._reached())
        is_first = self._inner.offset == 0
        events = self._inner.read(max_bytes)
        if is_first and self._start != "top" and self._inner.offset and isinstance(self._inner, Tail):
            events = self._with_far_request(events, self._inner.path)
        self.has_more = self._inner.has_more
        self.flush_at = self._inner.flush_at
        self.problem = self._inner.problem
        return events

    def finish(self) -> list[Event]:
        return self._inner.finish()

    def checkpoint(self) -> dict[str, Any]:
        return self._inner.checkpoint()

    def _place(self) -> Path:
        """Where the rollout lies now; where it was last while it lies nowhere."""
        return next((place for place in self._places if os.path.lexists(place)), self._inner.path)

    def _reached(self) -> Mapping[str, Any] | None:
        """The bytes stay the same wherever they lie, so that reading goes on where it was."""
        return self._inner.checkpoint() if self._inner.offset else self._given

    def _follow(self, place: Path, checkpoint: Mapping[str, Any] | None) -> Tail | Archive:
        if is_compressed(place):
            return Archive(place, checkpoint, start=self._start, is_detailed=self._is_detailed)
        if checkpoint is not None and checkpoint.get("history_until") == UNFINISHED_HISTORY:
            # Resumed while its archive was still read through: what it holds by now is history.
            checkpoint, self._start = None, "end"
        return Tail(place, self._lines, checkpoint, start=self._start, is_detailed=self._is_detailed)

    def _with_far_request(self, events: list[Event], path: Path) -> list[Event]:
        """Taken up at its end, a rollout may have its last size behind lines of many megabytes."""
        if any(isinstance(event, Request) for event in events):
            return events
        names = [event for event in events if isinstance(event, SessionSeen)]
        is_helper = any(event.is_helper for event in names)
        request = far_request(path, self._inner.offset, is_helper=is_helper)
        if request is None:
            return events
        return [*names, request, *(event for event in events if not isinstance(event, SessionSeen))]
