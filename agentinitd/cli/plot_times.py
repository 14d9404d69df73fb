"""The time axis of a session: pauses are shortened, ticks stand at round hours and minutes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise

SHORTEST_PAUSE_SECONDS = 600.0
PAUSE_PART = 0.05
"""From here on what takes this part of the whole is a pause ..."""
ALWAYS_PAUSE_SECONDS = 1800.0
"""... and what is longer than this always is."""
WIDEST_PAUSE = 0.025
"""As a part of the axis."""
ALL_PAUSES = 0.3
TICK_SECONDS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    begin: float
    end: float

    @property
    def seconds(self) -> float:
        return self.end - self.begin


class TimeAxis:
    """Moment → place between `left` and `right`.  Nobody works in a pause: it gets little room."""

    def __init__(self, moments: Sequence[float], *, left: float, right: float, zone: tzinfo | None) -> None:
        ordered = sorted(moments)
        self.begin, self.end = ordered[0], max(ordered[-1], ordered[0] + 1.0)
        self.left, self.right = left, right
        self._zone = zone
        self.pauses = _pauses(ordered)
        worked = self.end - self.begin - sum(pause.seconds for pause in self.pauses)
        share = min(WIDEST_PAUSE, ALL_PAUSES / max(1, len(self.pauses)))
        self._pause_width = share * (right - left)
        room = right - left - self._pause_width * len(self.pauses)
        self._per_second = room / max(worked, 1e-6)
        # Both ends of each stretch: where it begins in time, and on the axis.
        self._times, self._places = [self.begin], [left]
        for pause in self.pauses:
            place = self._places[-1] + (pause.begin - self._times[-1]) * self._per_second
            self._times += [pause.begin, pause.end]
            self._places += [place, place + self._pause_width]

    def x(self, at: float) -> float:
        at = min(max(at, self.begin), self.end)
        index = bisect_right(self._times, at) - 1
        place, since = self._places[index], at - self._times[index]
        if index % 2:  # inside of a pause
            return place + self._pause_width * since / max(self._times[index + 1] - self._times[index], 1e-6)
        return min(place + since * self._per_second, self.right)

    def ticks(self, room: float) -> Iterator[tuple[float, str, str]]:
        """Place, time of day, and the date where it is a new one; no two nearer than `room`."""
        step = self._step(room)
        taken = self.left - room
        day = ""
        for at in self._tick_moments(step):
            if self.x(at) - taken < room:
                continue
            local = datetime.fromtimestamp(at, self._zone)
            date = f"{local:%Y-%m-%d}"
            yield (
                self.x(at),
                f"{local:%H:%M:%S}" if step < 60 else f"{local:%H:%M}",
                date if date != day else "",
            )
            taken, day = self.x(at), date

    def _step(self, room: float) -> int:
        seconds = room / max(self._per_second, 1e-9)
        return next((step for step in TICK_SECONDS if step >= seconds), TICK_SECONDS[-1])

    def _tick_moments(self, step: int) -> Iterator[float]:
        """Multiples of the step in local time; of a stretch of work without any, its beginning."""
        starts = self._times[::2]
        ends = [*self._times[1::2], self.end]
        for start, end in zip(starts, ends, strict=True):
            local = datetime.fromtimestamp(start, self._zone)
            midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
            passed = (local - midnight).total_seconds()
            moment = midnight + timedelta(seconds=-(-passed // step) * step)
            if moment.timestamp() > end:
                yield start
            while moment.timestamp() <= end:
                yield moment.timestamp()
                moment += timedelta(seconds=step)


def _pauses(ordered: Sequence[float]) -> list[Pause]:
    gaps = [Pause(begin=here, end=after) for here, after in pairwise(ordered)]
    whole = ordered[-1] - ordered[0]
    longest_first = sorted(gaps, key=lambda gap: gap.seconds, reverse=True)
    found: list[Pause] = []
    for gap in longest_first:
        # Of what is left without the longer ones: a night hides the pauses of the day.
        is_long_here = gap.seconds >= max(SHORTEST_PAUSE_SECONDS, PAUSE_PART * whole)
        if not is_long_here and gap.seconds < ALWAYS_PAUSE_SECONDS:
            break
        found.append(gap)
        whole -= gap.seconds
    return sorted(found, key=lambda gap: gap.begin)
