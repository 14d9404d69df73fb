"""Where a rebuild spent its time: each script's part, and what it waited for, from beginning to end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

REMEMBERED_RUNS = 20
"""Of which the usual time of a script is told (supervision.md section 18)."""
NO_SESSION = "no-session"
"""What stands in a record where nobody's snippet was built: somebody asked for a project."""
SHORTEST_GAP_MS = 0.1
SHORTEST_QUEUE_MS = 1.0
"""What is less is no waiting for others."""
LONGEST_MS = 30 * 24 * 3600 * 1000.0
"""What is more is no time of a rebuild but a damaged record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptTime:
    """One script of a rebuild.  The names are those of the log and of `GET /v1/runs`."""

    script: str
    layer: str = ""
    action: str = "start"
    result: str = ""
    reason: str = ""
    flags: tuple[str, ...] = ()
    exit: int | None = None
    signal: str | None = None
    start_ms: float = 0.0
    duration_ms: float = 0.0
    user_ms: float = 0.0
    sys_ms: float = 0.0
    maxrss_kb: int | None = None
    """None: not known."""

    @property
    def end_ms(self) -> float:
        return self.start_ms + self.duration_ms

    @property
    def has_run(self) -> bool:
        """Neither skipped nor served from what it printed before."""
        return "cached" not in self.flags and (self.duration_ms > 0 or self.exit is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTime:
    """One rebuild, as it is told."""

    run: str
    at: str
    """When it ended."""
    session: str = ""
    project: str = ""
    trigger: str = ""
    runlevel: str = ""
    result: str = ""
    reason: str = ""
    queue_ms: float = 0.0
    """So long it waited for other rebuilds before it began."""
    duration_ms: float = 0.0
    tokens: int = 0
    snippet: str | None = None
    scripts: tuple[ScriptTime, ...] = ()

    @property
    def whose(self) -> str:
        """The session, where it served one."""
        return f"session {self.session}" if self.session not in ("", NO_SESSION) else ""

    @property
    def outside_ms(self) -> float:
        """What no script can be blamed for."""
        return max(0.0, self.duration_ms - sum(end - start for start, end in _busy(self.scripts)))


def run_time(told: Mapping[str, Any]) -> RunTime | None:
    """From one object of `GET /v1/runs`, or from what the log has of a run; None for what is neither."""
    try:
        run = msgspec.convert(told, RunTime)
    except (msgspec.ValidationError, ValueError, OverflowError):
        return None
    scripts = tuple(_bounded(script) for script in run.scripts)
    last = max((script.end_ms for script in scripts), default=0.0)
    duration_ms = max(_ms(run.duration_ms), last)
    return replace(run, scripts=scripts, queue_ms=_ms(run.queue_ms), duration_ms=duration_ms)


def _bounded(script: ScriptTime) -> ScriptTime:
    return replace(
        script,
        start_ms=_ms(script.start_ms),
        duration_ms=_ms(script.duration_ms),
        user_ms=_ms(script.user_ms),
        sys_ms=_ms(script.sys_ms),
        maxrss_kb=script.maxrss_kb if script.maxrss_kb and script.maxrss_kb > 0 else None,
    )


def _ms(value: float) -> float:
    return min(max(0.0, value), LONGEST_MS) if math.isfinite(value) else 0.0


def _busy(scripts: Sequence[ScriptTime]) -> Iterator[tuple[float, float]]:
    """The stretches in which a script ran, however many at once."""
    reached = 0.0
    for script in sorted(scripts, key=lambda each: each.start_ms):
        if script.end_ms > reached:
            yield max(reached, script.start_ms), script.end_ms
            reached = script.end_ms


@dataclass(frozen=True, slots=True, kw_only=True)
class Blamed:
    """A script's part of a rebuild, beside what it usually takes."""

    time: ScriptTime
    share_percent: float
    p50_ms: float | None
    """Of the last runs in which it really ran; None when there was none."""
    p95_ms: float | None
    runs: int


def blame(run: RunTime, history: Sequence[RunTime]) -> tuple[Blamed, ...]:
    """The scripts of `run`, the slowest first.  `history`: other rebuilds, the latest last."""
    slowest_first = sorted(run.scripts, key=lambda each: (-each.duration_ms, each.start_ms))
    return tuple(_blamed(script, run, history) for script in slowest_first)


def _blamed(script: ScriptTime, run: RunTime, history: Sequence[RunTime]) -> Blamed:
    times = [
        each.duration_ms
        for other in history
        if other.project == run.project
        for each in other.scripts
        if each.has_run
        and (each.script, each.layer, each.action) == (script.script, script.layer, script.action)
    ][-REMEMBERED_RUNS:]
    return Blamed(
        time=script,
        share_percent=100 * script.duration_ms / run.duration_ms if run.duration_ms else 0.0,
        p50_ms=_percentile(times, 50),
        p95_ms=_percentile(times, 95),
        runs=len(times),
    )


def _percentile(values: Sequence[float], percent: int) -> float | None:
    """Of so few values the nearest one, not one in between that never was."""
    if not values:
        return None
    return sorted(values)[max(0, math.ceil(len(values) * percent / 100) - 1)]


StepKind = Literal["notice", "wait", "own", "script", "delivery"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One link of the chain: it began when the one before it had ended."""

    name: str
    kind: StepKind
    at_ms: float
    duration_ms: float
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What the log tells of before and after a rebuild."""

    lag_ms: float | None = None
    """From the row in the transcript to its being noticed."""
    waited_ms: float | None = None
    """From then to the begin of the rebuild."""
    cause: str = ""
    read_ms: float | None = None
    """From the end of the rebuild until its snippet was seen to arrive."""
    hook: str = ""


def critical_chain(run: RunTime, around: Around) -> tuple[Step, ...]:
    """What the snippet waited for, in order: from the row in the transcript to its being read."""
    steps: list[Step] = []

    def wait(name: str, kind: StepKind, duration_ms: float | None, note: str = "") -> None:
        if duration_ms is not None:
            at_ms = steps[-1].at_ms + steps[-1].duration_ms if steps else 0.0
            steps.append(
                Step(name=name, kind=kind, at_ms=at_ms, duration_ms=max(0.0, duration_ms), note=note)
            )

    wait("noticed", "notice", around.lag_ms, around.cause)
    why = "" if around.lag_ms is not None else around.cause
    if run.queue_ms >= SHORTEST_QUEUE_MS:
        why = f"{why}; " * bool(why) + f"{run.queue_ms:,.1f} ms of it behind other rebuilds"
    wait("waited to begin", "wait", around.waited_ms, why)
    reached = 0.0
    for script in _on_the_chain(run.scripts):
        _wait_between(wait, script.start_ms - reached, "prepared" if reached == 0.0 else "between scripts")
        wait(script.script, "script", script.duration_ms, _note(script))
        reached = script.end_ms
    _wait_between(wait, run.duration_ms - reached, "composed" if run.scripts else "composed, no script ran")
    wait("delivered", "delivery", around.read_ms, f"by {around.hook}" if around.hook else "")
    return tuple(steps)


def _wait_between(wait: Any, duration_ms: float, name: str) -> None:
    if duration_ms >= SHORTEST_GAP_MS:
        wait(name, "own", duration_ms)


def _on_the_chain(scripts: Sequence[ScriptTime]) -> list[ScriptTime]:
    """Backwards from the one that ended last: each time the last that had ended when it began."""
    chain: list[ScriptTime] = []
    begins = math.inf
    for script in sorted(scripts, key=lambda each: (each.end_ms, each.start_ms), reverse=True):
        if script.end_ms <= begins + SHORTEST_GAP_MS and script.has_run:
            chain.append(script)
            begins = script.start_ms
    return chain[::-1]


def _note(script: ScriptTime) -> str:
    flags = f" ({', '.join(script.flags)})" if script.flags else ""
    return "" if script.result == "ok" and not flags else f"{script.result}{flags}"
