"""Draws a session's context over time, with its compactions, rebuilds and deliveries."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from agentinitd.cli.critical_chain import span_text
from agentinitd.cli.plot_scene import (
    Anchor,
    Key,
    Line,
    Part,
    Rect,
    Scene,
    Shape,
    Text,
    fitted,
    legend,
    round_step,
    text_width,
)
from agentinitd.cli.plot_times import Pause, TimeAxis
from agentinitd.sessions.context_series import ContextSeries, Point
from agentinitd.sessions.log_story import Mark
from agentinitd.sessions.replay import Compaction, Replay

WIDTH = 1200.0
MARGIN = 24.0
LEFT = 118.0
RIGHT = WIDTH - MARGIN
LANES_TOP = 78.0
LANE = 22.0
TOP = LANES_TOP + 3 * LANE + 14
BOTTOM = TOP + 340
HEIGHT = BOTTOM + 116
TICK_ROOM = 78.0
PAUSE_ROOM = 14.0
MOST_LINES = 60
"""Of more compactions no line goes through the chart: nothing could be seen behind them."""
Y_STEPS = 6
KEYS: dict[str, Key] = {
    "context": "line",
    "window": "dashes",
    **dict.fromkeys(("marker", "drop", "rebuild", "failed", "delivery"), "tick"),
}
SHOWN_WINDOW = 2.0
"""The size of the window is drawn when it is at most so many times the highest context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlot:
    """What is to be drawn."""

    session: str
    project: str
    replay: Replay
    series: ContextSeries
    marks: Sequence[Mark]
    """Of this session, from the log."""
    zone: tzinfo | None = None
    """None: that of the machine."""


def session_scene(plot: SessionPlot) -> Scene:
    drawing = _Drawing(plot)
    title = f"Context of session {plot.session} ({plot.replay.agent})"
    scene = Scene(width=WIDTH, height=HEIGHT, title=title, description=drawing.told())
    room = WIDTH - 2 * MARGIN
    scene.add(Text(x=MARGIN, y=32, text=fitted(title, 17, room), size=17, is_bold=True))
    scene.add(Text(x=MARGIN, y=54, text=fitted(drawing.told(), 12, room), role="muted"))
    if not drawing.points:
        middle = (TOP + BOTTOM) / 2
        text = "The transcript tells of no request yet."
        scene.add(Text(x=(LEFT + RIGHT) / 2, y=middle, text=text, role="muted", anchor="middle"))
        return scene
    scene.add(*drawing.area(), *drawing.pauses(), *drawing.vertical_axis(), *drawing.horizontal_axis())
    scene.add(*drawing.context(), *drawing.window(), *drawing.lanes(), *drawing.compactions())
    scene.add(*drawing.pause_lengths())
    scene.add(*legend(drawing.meanings(), x=MARGIN, y=HEIGHT - 36, room=room, keys=KEYS))
    return scene


class _Drawing:
    def __init__(self, plot: SessionPlot) -> None:
        self._plot = plot
        self.points = plot.series.points
        highest = max((point.tokens for point in self.points), default=0)
        window = plot.series.window_tokens
        self._window = window if window and window <= SHOWN_WINDOW * highest else None
        self._step = round_step(max(highest, self._window or 0, 1), Y_STEPS)
        self._top_tokens = self._step * -(-max(highest, self._window or 0, 1) // self._step)
        self._moments = [point.at for point in self.points]
        self._axis = self._time_axis() if self.points and plot.series.is_timed else None

    def _time_axis(self) -> TimeAxis:
        begin, end = self._moments[0], self._moments[-1]
        # What was delivered before the first answer belongs to it, too; what came years later does not.
        near = [mark.at for mark in self._plot.marks if begin - 3600 <= mark.at <= end + 3600]
        return TimeAxis([*self._moments, *near], left=LEFT, right=RIGHT - 8, zone=self._plot.zone)

    def told(self) -> str:
        replay = self._plot.replay
        count = sum(replay.left_out.get(name, 0) for name in ("compactions", "helper_compactions"))
        count += len(replay.compactions) + len(replay.helper_compactions)
        parts = [
            _counted(replay.turns, "turn"),
            _counted(replay.requests, "request"),
            f"up to {replay.peak_context_tokens:,} tokens",
            _counted(count, "compaction"),
            "" if self._axis or not self.points else "times are not told: by requests",
            self._plot.project,
        ]
        return " · ".join(part for part in parts if part)

    def meanings(self) -> list[tuple[str, str]]:
        found = [("context", "context at each request")]
        kinds = {compaction.kind for compaction in self._all_compactions}
        found += [("marker", "compaction, told by the transcript")] if "marker" in kinds else []
        found += [("drop", "compaction, inferred from the fall")] if "drop" in kinds else []
        rebuilds = {_role_of(mark) for mark in self._marks("rebuild")}
        found += [("rebuild", "rebuild")] if "rebuild" in rebuilds else []
        found += [("failed", "rebuild that failed")] if "failed" in rebuilds else []
        found += [("delivery", "delivery: the snippet arrived")] if self._marks("delivery") else []
        found += [("window", "what the model can hold")] if self._window else []
        return [*found, ("pause", "pause, shortened")] if self._axis and self._axis.pauses else found

    @property
    def _all_compactions(self) -> tuple[Compaction, ...]:
        return (*self._plot.replay.compactions, *self._plot.replay.helper_compactions)

    def _x(self, point: Point) -> float:
        if self._axis is not None:
            return self._axis.x(point.at)
        last = max(2, self._plot.series.requests)
        return LEFT + (point.number - 1) / (last - 1) * (RIGHT - 8 - LEFT)

    def _y(self, tokens: float) -> float:
        return BOTTOM - tokens / self._top_tokens * (BOTTOM - TOP)

    def pauses(self) -> Iterator[Part]:
        axis = self._axis
        for pause in axis.pauses if axis else ():
            left, right = self._axis_x(pause.begin), self._axis_x(pause.end)
            told = span_text(pause.seconds * 1000)
            # A little less than its width: two in a row are two.
            width, height = right - left - 1, BOTTOM - TOP
            yield Rect(x=left + 0.5, y=TOP, width=width, height=height, role="pause", hint=f"pause of {told}")

    def pause_lengths(self) -> Iterator[Part]:
        for pause in self._axis.pauses if self._axis else ():
            left, right = self._axis_x(pause.begin), self._axis_x(pause.end)
            if right - left >= PAUSE_ROOM:
                told, x = span_text(pause.seconds * 1000), (left + right) / 2 + 4
                is_above = self._highest_in(pause) - TOP > text_width(told, 10) + 16
                anchor: Anchor = "end" if is_above else "start"
                y = TOP + 8 if is_above else BOTTOM - 8
                yield Text(x=x, y=y, text=told, role="muted", size=10, anchor=anchor, is_upright=True)

    def _highest_in(self, pause: Pause) -> float:
        """Where the context stands then: its length is written where that is not."""
        begin, end = (bisect_right(self._moments, at) for at in (pause.begin, pause.end))
        return min((self._y(point.tokens) for point in self.points[max(0, begin - 1) : end]), default=BOTTOM)

    def _axis_x(self, at: float) -> float:
        return self._axis.x(at) if self._axis is not None else LEFT

    def vertical_axis(self) -> Iterator[Part]:
        tokens = 0.0
        while tokens <= self._top_tokens * 1.0001:
            y = self._y(tokens)
            yield Line(x1=LEFT, y1=y, x2=RIGHT, y2=y, role="grid" if tokens else "axis")
            yield Text(x=LEFT - 10, y=y + 4, text=_short(tokens), role="muted", size=11, anchor="end")
            tokens += self._step
        middle = (TOP + BOTTOM) / 2
        yield Text(
            x=MARGIN + 10,
            y=middle,
            text="context in tokens",
            role="muted",
            size=11,
            anchor="middle",
            is_upright=True,
        )

    def horizontal_axis(self) -> Iterator[Part]:
        if self._axis is None:
            yield from self._request_ticks()
            return
        for x, time, date in self._axis.ticks(TICK_ROOM):
            yield Line(x1=x, y1=BOTTOM, x2=x, y2=BOTTOM + 5, role="axis")
            yield Text(x=x, y=BOTTOM + 19, text=time, role="muted", size=11, anchor="middle")
            if date:
                yield Text(x=x, y=BOTTOM + 34, text=date, role="muted", size=11, anchor="middle")
        yield from self._axis_name("local time" if self._plot.zone is None else f"time, {self._plot.zone}")

    def _request_ticks(self) -> Iterator[Part]:
        last = max(2, self._plot.series.requests)
        step = max(1.0, round_step(last - 1, 12))
        number = 1.0
        while number <= last:
            x = LEFT + (number - 1) / (last - 1) * (RIGHT - 8 - LEFT)
            yield Line(x1=x, y1=BOTTOM, x2=x, y2=BOTTOM + 5, role="axis")
            yield Text(x=x, y=BOTTOM + 19, text=f"{number:,.0f}", role="muted", size=11, anchor="middle")
            number = number + step if number > 1 or step == 1 else step
        yield from self._axis_name("number of the request")

    def _axis_name(self, name: str) -> Iterator[Part]:
        yield Text(x=(LEFT + RIGHT) / 2, y=BOTTOM + 52, text=name, role="muted", size=11, anchor="middle")

    def area(self) -> Iterator[Part]:
        corners = self._corners()
        ground = ((corners[0][0], BOTTOM), *corners, (corners[-1][0], BOTTOM))
        yield Shape(points=ground, role="area", is_filled=True)

    def context(self) -> Iterator[Part]:
        yield Shape(points=self._corners(), role="context", is_filled=False)

    def _corners(self) -> tuple[tuple[float, float], ...]:
        """In steps: a context is so large until the next request changes it, or a compaction before that."""
        falls = sorted(x for x, compaction in self._placed_compactions() if compaction.kind == "marker")
        corners: list[tuple[float, float]] = []
        for point in self.points:
            x, y = self._x(point), self._y(point.tokens)
            if corners:
                before, level = corners[-1]
                fall = falls[bisect_left(falls, x) - 1] if falls and falls[0] < x else before
                step = fall if before < fall and y > level else x
                corners += [(step, level), (step, y)]
            corners.append((x, y))
        last_x, last_y = corners[-1]
        return tuple(_seen([*corners, (min(last_x + 6, RIGHT), last_y)]))

    def window(self) -> Iterator[Part]:
        if self._window:
            y = self._y(self._window)
            yield Line(x1=LEFT, y1=y, x2=RIGHT, y2=y, role="window", is_dashed=True, width=1.2)

    def lanes(self) -> Iterator[Part]:
        names = ("compactions", "rebuilds", "deliveries")
        for number, name in enumerate(names):
            y = LANES_TOP + number * LANE
            yield Rect(x=LEFT, y=y + 2, width=RIGHT - LEFT, height=LANE - 4, role="stripe")
            yield Text(x=LEFT - 10, y=y + LANE / 2 + 4, text=name, size=11, anchor="end")
        for kind, number in (("rebuild", 1), ("delivery", 2)):
            for mark in self._marks(kind):
                yield self._tick(self._axis_x(mark.at), number, _role_of(mark), _hint_of(mark))
            if not self._marks(kind):
                y = LANES_TOP + number * LANE + LANE / 2 + 4
                yield Text(x=LEFT + 8, y=y, text="none in the log", role="muted", size=11)

    def _marks(self, kind: str) -> list[Mark]:
        axis = self._axis
        if axis is None:
            return []
        return [mark for mark in self._plot.marks if mark.kind == kind and axis.begin <= mark.at <= axis.end]

    def _tick(self, x: float, lane: int, role: str, hint: str) -> Part:
        y = LANES_TOP + lane * LANE
        return Rect(x=x - 1.5, y=y + 4, width=3, height=LANE - 8, role=role, rounded=1, hint=hint)

    def compactions(self) -> Iterator[Part]:
        """A line through the chart at each, and how it fell where there is room to say it."""
        placed = sorted(self._placed_compactions(), key=lambda each: each[0])
        free_from = LEFT
        for x, compaction in placed:
            told = f"{_tokens(compaction.tokens_before)} → {_tokens(compaction.tokens_after)}"
            hint = f"line {compaction.line:,}, {compaction.kind} {compaction.trigger or ''}: {told}"
            if len(placed) <= MOST_LINES:
                yield Line(x1=x, y1=TOP, x2=x, y2=BOTTOM, role=compaction.kind, is_dashed=True)
            yield self._tick(x, 0, compaction.kind, hint)
            width = text_width(told, 11)
            begin = x + 5 if x + 5 + width <= RIGHT else x - 5 - width
            next_x = min((other for other, _ in placed if other > x), default=RIGHT + 4)
            if begin >= free_from and begin + width <= next_x - 4:
                yield Text(x=begin, y=LANES_TOP + LANE / 2 + 4, text=told, role="muted", size=11)
                free_from = begin + width + 4
            else:
                free_from = max(free_from, x + 4)
        if not placed:
            yield Text(x=LEFT + 8, y=LANES_TOP + LANE / 2 + 4, text="none", role="muted", size=11)

    def _placed_compactions(self) -> Iterator[tuple[float, Compaction]]:
        for compaction in self._all_compactions:
            at = self._plot.series.time_of_marker(compaction.line)
            point = self._plot.series.point_at_line(compaction.line)
            if self._axis is not None and at is not None and compaction.kind == "marker":
                yield self._axis.x(at), compaction
            elif point is not None:
                yield self._x(point), compaction


def _seen(corners: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Of all corners within half a pixel the first, lowest, highest and last are all that can be seen."""
    column: list[tuple[float, float]] = []
    for corner in corners:
        if column and int(corner[0] * 2) != int(column[0][0] * 2):
            yield from _outer(column)
            column = []
        column.append(corner)
    yield from _outer(column)


def _outer(column: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
    if len(column) <= 4:
        return column
    heights = [height for _, height in column]
    seen = sorted({0, heights.index(min(heights)), heights.index(max(heights)), len(column) - 1})
    return [column[place] for place in seen]


def _role_of(mark: Mark) -> str:
    return "failed" if mark.kind == "rebuild" and mark.result in ("failed", "aborted") else mark.kind


def _hint_of(mark: Mark) -> str:
    return fitted(f"{mark.kind}: {mark.runlevel}, {mark.result}", 11, 600)


def _tokens(count: int | None) -> str:
    return "?" if count is None else _short(count)


def _short(tokens: float) -> str:
    """`850`, `45k`, `152.3k`, `1.2M`."""
    if tokens >= 999_950:
        return f"{tokens / 1_000_000:.2f}".rstrip("0").rstrip(".") + "M"
    if tokens >= 1000:
        return f"{tokens / 1000:.1f}".removesuffix(".0") + "k"
    return f"{tokens:.0f}"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
