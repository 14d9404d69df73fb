"""How large a session's context was at each request, kept small enough to be drawn."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from agentinitd.model.events import CompactionMarker, Event, Request
from agentinitd.sessions.windows import window_of

MOST_POINTS = 4096
MOST_MARKERS = 10_000
LATEST = 4e9
"""A moment in the year 2096."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    number: int
    """Of the request, from 1."""
    line: int
    at: float
    """Seconds since the epoch, never before that of the point before; 0.0 where nothing was ever told."""
    tokens: int


class ContextSeries:
    """Takes the events of one transcript in order.  Of too many requests the lowest and highest are kept."""

    def __init__(self) -> None:
        self.requests = 0
        self.window_tokens: int | None = None
        """How much the model can hold, as far as anybody says."""
        self._points: list[Point] = []
        self._waiting: list[Point] = []
        self._stride = 1
        self._at = 0.0
        self._is_timed = True
        self._markers: dict[int, float] = {}

    def see(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Request) and not event.is_history:
                self._add(event)
            elif isinstance(event, CompactionMarker) and len(self._markers) < MOST_MARKERS:
                at = _sane(event.written_at)
                if at is not None:
                    self._markers[event.line] = at

    @property
    def points(self) -> tuple[Point, ...]:
        return (*self._points, *_ends(self._waiting))

    @property
    def is_timed(self) -> bool:
        """Whether every request says when it was."""
        return self._is_timed and self.requests > 0

    def point_at_line(self, line: int) -> Point | None:
        """The first request that is told there or behind it, else the last one."""
        points = self.points
        place = bisect_left(points, line, key=lambda point: point.line)
        return points[min(place, len(points) - 1)] if points else None

    def time_of_marker(self, line: int) -> float | None:
        """When the compaction that is told there was written down."""
        return self._markers.get(line)

    def _add(self, request: Request) -> None:
        self.requests += 1
        at = _sane(request.written_at)
        if at is None:
            self._is_timed = False
        self._at = max(self._at, at or 0.0)
        self._note_window(request)
        self._waiting.append(
            Point(number=self.requests, line=request.line, at=self._at, tokens=max(0, request.context_tokens))
        )
        if len(self._waiting) == self._stride:
            self._points += _ends(self._waiting)
            self._waiting.clear()
            if len(self._points) >= MOST_POINTS:
                self._thin_out()

    def _note_window(self, request: Request) -> None:
        window = request.window_tokens or window_of(request.model, seen_tokens=request.context_tokens)
        if window and window > 0:
            self.window_tokens = max(window, self.window_tokens or 0)

    def _thin_out(self) -> None:
        groups = [self._points[start : start + 4] for start in range(0, len(self._points), 4)]
        self._points = [point for group in groups for point in _ends(group)]
        self._stride *= 2 if self._stride > 1 else 4


def _sane(at: float | None) -> float | None:
    """None also for what no clock of a computer can have shown."""
    return at if at is not None and 0 < at < LATEST else None


def _ends(points: Sequence[Point]) -> tuple[Point, ...]:
    """The lowest and the highest of them, in the order in which they came."""
    if len(points) < 2:
        return tuple(points)
    lowest = min(points, key=lambda point: point.tokens)
    highest = max(points, key=lambda point: point.tokens)
    if lowest is highest:
        return (points[0], points[-1])
    return (lowest, highest) if lowest.number < highest.number else (highest, lowest)
