"""Draws one rebuild: a bar for each script, and what was waited for before, between and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agentinitd.cli.critical_chain import span_text
from agentinitd.cli.plot_scene import (
    Anchor,
    Line,
    Part,
    Rect,
    Scene,
    Text,
    fitted,
    legend,
    legend_height,
    round_step,
    text_width,
)
from agentinitd.cli.terminal import local_time
from agentinitd.sessions.timeline import SHORTEST_QUEUE_MS, Around, RunTime, ScriptTime

WIDTH = 1200.0
MARGIN = 24.0
TOP = 104.0
MOST_ROWS = 200
WIDEST_NAME = 300.0
BAR = 0.62
"""Part of a row that its bar fills."""
LEAST_BAR = 2.0
TICKS = 10
ROLES = {
    "ok": "ok",
    "empty": "empty",
    **dict.fromkeys(("skipped", "masked", "shadowed", "ignored", "pending-trust", "aborted"), "skipped"),
    **dict.fromkeys(("failed", "binary", "exec-error", "refused"), "failed"),
    **dict.fromkeys(("timeout", "flood"), "timeout"),
}
MEANINGS = {
    "ok": "ok",
    "empty": "had nothing to say",
    "cached": "served from before",
    "skipped": "did not run",
    "failed": "failed",
    "timeout": "stopped: too slow or too loud",
    "processor": "processor time in it",
    "daemon": "the daemon's own work",
    "wait": "waited",
}


class _Chart:
    """Where on the picture a row and a moment are.  Moments are milliseconds after the rebuild began."""

    def __init__(self, run: RunTime, around: Around) -> None:
        self.scripts = run.scripts[:MOST_ROWS]
        self.before = _before(run, around)
        self.row_height = 24.0 if len(self.scripts) <= 60 else 16.0
        self.size = 12.0 if self.row_height > 20 else 10.0
        labels = [*(_label(script) for script in self.scripts), "waited to begin"]
        widest = max(text_width(label, self.size) for label in labels)
        self.left = MARGIN + min(WIDEST_NAME, widest) + 12
        self.right = WIDTH - MARGIN - 90
        self.begin_ms = -sum(duration for _, duration, _ in self.before)
        self.total_ms = run.duration_ms
        self.end_ms = max(run.duration_ms, 1.0)
        self.rows = len(self.before) + len(self.scripts) + 1
        self.bottom = TOP + self.rows * self.row_height

    def x(self, milliseconds: float) -> float:
        part = (milliseconds - self.begin_ms) / (self.end_ms - self.begin_ms)
        return self.left + part * (self.right - self.left)

    def y(self, row: int) -> float:
        return TOP + row * self.row_height


def rebuild_scene(run: RunTime, around: Around) -> Scene:
    chart = _Chart(run, around)
    title = (
        f"{run.runlevel} rebuild {run.run}: {run.result}, {span_text(run.duration_ms)}, {run.tokens} tokens"
    )
    left_out = len(run.scripts) - len(chart.scripts)
    room = WIDTH - 2 * MARGIN
    entries = [(role, MEANINGS[role]) for role in MEANINGS if role in _roles(chart, run)]
    legend_top = chart.bottom + (80 if left_out else 62)
    scene = Scene(
        width=WIDTH,
        height=legend_top + legend_height(entries, room=room) + MARGIN,
        title=title,
        description=_told(run, around),
    )
    scene.add(Text(x=MARGIN, y=32, text=fitted(title, 17, room), size=17, is_bold=True))
    scene.add(Text(x=MARGIN, y=54, text=fitted(_whose(run), 12, room), role="muted"))
    scene.add(Text(x=MARGIN, y=73, text=fitted(_told(run, around), 12, room), role="muted"))
    scene.add(*_ground(chart), *_rows(chart, run))
    if left_out:
        more = f"{left_out} scripts more are not shown; agentinitd blame has them"
        scene.add(Text(x=chart.left, y=chart.bottom + 50, text=more, role="muted", size=11))
    scene.add(*legend(entries, x=MARGIN, y=legend_top, room=room, keys={"processor": "strip"}))
    return scene


def _whose(run: RunTime) -> str:
    return _joined(run.whose, run.project, local_time(run.at))


def _told(run: RunTime, around: Around) -> str:
    """Why, and what was waited for before and after."""
    lag, waited, read = around.lag_ms, around.waited_ms, around.read_ms
    return _joined(
        around.cause or run.trigger,
        "" if lag is None else f"noticed after {span_text(lag)}",
        "" if waited is None else f"began {span_text(waited)} later",
        f"{span_text(run.queue_ms)} behind other rebuilds" if run.queue_ms >= SHORTEST_QUEUE_MS else "",
        "" if read is None else f"read {span_text(read)} after its end",
    )


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _before(run: RunTime, around: Around) -> list[tuple[str, float, str]]:
    """Name, milliseconds and role of what came before.  What took much longer is told in words alone."""
    told = [("noticed", around.lag_ms, "wait"), ("waited to begin", around.waited_ms, "wait")]
    rows = [(name, duration, role) for name, duration, role in told if duration is not None]
    return rows if sum(duration for _, duration, _ in rows) <= 2 * max(run.duration_ms, 1.0) else []


def _ground(chart: _Chart) -> Iterator[Part]:
    for row in range(0, chart.rows, 2):
        yield Rect(x=MARGIN, y=chart.y(row), width=WIDTH - 2 * MARGIN, height=chart.row_height, role="stripe")
    step = round_step(chart.end_ms - chart.begin_ms, TICKS)
    tick = -int(-chart.begin_ms / step) * step
    decimals = 0 if _unit_step(step, chart) >= 1 else len(f"{_unit_step(step, chart):.3f}".rstrip("0")) - 2
    while tick <= chart.end_ms * 1.0001:
        x = chart.x(tick)
        yield Line(x1=x, y1=TOP, x2=x, y2=chart.bottom, role="grid")
        label = f"{tick / (1000 if _is_seconds(chart) else 1):.{decimals}f}"
        yield Text(x=x, y=chart.bottom + 16, text=label, role="muted", size=11, anchor="middle")
        tick += step
    yield Line(x1=chart.left, y1=chart.bottom, x2=chart.right, y2=chart.bottom, role="axis")
    unit = "s" if _is_seconds(chart) else "ms"
    middle = (chart.left + chart.right) / 2
    text = f"{unit} since the rebuild began"
    yield Text(x=middle, y=chart.bottom + 33, text=text, role="muted", size=11, anchor="middle")


def _is_seconds(chart: _Chart) -> bool:
    return chart.end_ms - chart.begin_ms >= 10_000


def _unit_step(step: float, chart: _Chart) -> float:
    return step / 1000 if _is_seconds(chart) else step


def _rows(chart: _Chart, run: RunTime) -> Iterator[Part]:
    at, row = chart.begin_ms, 0
    for name, duration, role in chart.before:
        yield from _row(chart, row, name, at, duration, role, hint=name)
        at, row = at + duration, row + 1
    for script in chart.scripts:
        yield from _script_row(chart, row, script)
        row += 1
    composing = max((script.end_ms for script in run.scripts), default=0.0)
    yield from _row(
        chart,
        row,
        "composed",
        composing,
        run.duration_ms - composing,
        "daemon",
        hint="the snippet is composed",
    )
    x = chart.x(run.duration_ms)
    yield Line(x1=x, y1=TOP - 6, x2=x, y2=chart.bottom, role="axis", is_dashed=True)
    total = f"{span_text(run.duration_ms)} in all"
    yield Text(x=x, y=TOP - 10, text=total, size=11, anchor="end", is_bold=True)


def _script_row(chart: _Chart, row: int, script: ScriptTime) -> Iterator[Part]:
    flags = f" ({', '.join(script.flags)})" if script.flags else ""
    told = f"{script.result}{flags}"
    hint = f"{script.script}, {script.layer}: {told}, {span_text(script.duration_ms)}"
    yield from _row(
        chart,
        row,
        _label(script),
        script.start_ms,
        script.duration_ms,
        _role(script),
        hint=fitted(f"{hint}. {script.reason}" if script.reason else hint, 11, 900),
        remark=_remark(script),
        has_run=script.has_run,
    )
    busy = min(script.user_ms + script.sys_ms, script.duration_ms)
    width = chart.x(script.start_ms + busy) - chart.x(script.start_ms)
    if script.has_run and width >= LEAST_BAR:
        y = chart.y(row) + chart.row_height * (1 + BAR) / 2 - 3
        yield Rect(x=chart.x(script.start_ms), y=y, width=width, height=3, role="processor")


def _remark(script: ScriptTime) -> str:
    """What its colour does not say for sure."""
    flags = ", ".join(script.flags)
    if script.result in ("ok", "empty"):
        return flags
    return f"{script.result} ({flags})" if flags else script.result


def _row(
    chart: _Chart,
    row: int,
    name: str,
    at_ms: float,
    duration_ms: float,
    role: str,
    *,
    hint: str,
    remark: str = "",
    has_run: bool = True,
) -> Iterator[Part]:
    """A label, a line of dots up to the bar, the bar, and how long it is: behind it, or before it."""
    middle = chart.y(row) + chart.row_height / 2
    base = middle + chart.size * 0.35
    label = fitted(name, chart.size, WIDEST_NAME)
    yield Text(x=chart.left - 12, y=base, text=label, size=chart.size, anchor="end")
    span = span_text(duration_ms) if has_run else ""
    x, width = chart.x(at_ms), max(LEAST_BAR, chart.x(at_ms + duration_ms) - chart.x(at_ms))
    told, is_before = _placed(chart, span, remark, x, x + width)
    leader_end = x - (12 + text_width(told, 11) if is_before else 0)
    if leader_end > chart.left + 4:
        yield Line(x1=chart.left, y1=middle, x2=leader_end, y2=middle, role="grid", is_dashed=True)
    height = chart.row_height * BAR
    yield Rect(x=x, y=middle - height / 2, width=width, height=height, role=role, rounded=2, hint=hint)
    beside = x - 6 if is_before else x + width + 6
    anchor: Anchor = "end" if is_before else "start"
    yield Text(x=beside, y=base, text=told, role="muted", size=11, anchor=anchor)


def _placed(chart: _Chart, span: str, remark: str, begin: float, end: float) -> tuple[str, bool]:
    """What is said of a bar, and whether before it: where there is room; its length alone always has."""
    whole = f"{span}, {remark}" if span and remark else span or remark
    width = text_width(whole, 11)
    # Not across the line at the end of all.
    limit = WIDTH - MARGIN if end + 3 >= chart.x(chart.total_ms) else chart.x(chart.total_ms)
    if end + 6 + width <= limit:
        return whole, False
    return (whole, True) if chart.left + 6 + width < begin - 6 else (span or remark, False)


def _label(script: ScriptTime) -> str:
    return script.script if script.action == "start" else f"{script.script} {script.action}"


def _role(script: ScriptTime) -> str:
    return "cached" if "cached" in script.flags else ROLES.get(script.result, "skipped")


def _roles(chart: _Chart, run: RunTime) -> Sequence[str]:
    found = {_role(script) for script in chart.scripts} | {"daemon"}
    if chart.before:
        found.add("wait")
    if any(script.has_run and script.user_ms + script.sys_ms > 0 for script in run.scripts):
        found.add("processor")
    return tuple(found)
