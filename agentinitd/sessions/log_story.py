"""What the records of the rebuild log tell together: each rebuild, its scripts, cause and delivery."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from agentinitd.sessions.timeline import Around, RunTime, run_time

EVENTS = ("trigger", "run.start", "script.end", "script.skip", "run.end", "delivery")
"""The records that are of interest here."""
KEPT_RUNS = 400
KEPT_OPEN = 64
KEPT_MARKS = 20_000
SCRIPTS_OF_A_RUN = 1000

MarkKind = Literal["rebuild", "delivery"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Something that happened to a session."""

    kind: MarkKind
    session: str
    at: float
    """Seconds since the epoch."""
    runlevel: str
    result: str


@dataclass(frozen=True, slots=True)
class _Moment:
    """Monotonic seconds compare within one life of the daemon; the wall clock may jump."""

    instance: str
    mono: float | None
    wall: float

    def ms_until(self, later: _Moment) -> float:
        if self.instance == later.instance and self.mono is not None and later.mono is not None:
            return max(0.0, (later.mono - self.mono) * 1000)
        return max(0.0, (later.wall - self.wall) * 1000)


@dataclass(slots=True)
class _Trigger:
    moment: _Moment
    trigger: str
    reason: str
    lag_ms: float | None


@dataclass(slots=True)
class _Open:
    """A rebuild whose end was not read yet."""

    began: _Moment
    causes: list[_Trigger]
    scripts: list[Mapping[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class _Finished:
    run: RunTime
    began: _Moment | None
    ended: _Moment
    causes: list[_Trigger]
    arrived: _Moment | None = None
    hook: str = ""


class LogStory:
    """Takes the log's records, the oldest first.  What it keeps is bounded, whatever the log's length."""

    def __init__(self) -> None:
        self.marks: deque[Mark] = deque(maxlen=KEPT_MARKS)
        self._due: OrderedDict[str, list[_Trigger]] = OrderedDict()
        self._open: OrderedDict[str, _Open] = OrderedDict()
        self._finished: OrderedDict[str, _Finished] = OrderedDict()
        self._see = {
            "trigger": self._see_trigger,
            "run.start": self._see_start,
            "script.end": self._see_script,
            "script.skip": self._see_script,
            "run.end": self._see_end,
            "delivery": self._see_delivery,
        }

    def see(self, record: Mapping[str, Any]) -> None:
        """Records of other kinds and damaged ones are passed over."""
        see = self._see.get(_text(record.get("event")))
        moment = _moment(record)
        if see is not None and moment is not None:
            see(record, moment)

    @property
    def runs(self) -> tuple[RunTime, ...]:
        """Those that ended, the latest last."""
        return tuple(finished.run for finished in self._finished.values())

    def around(self, run_id: str) -> Around:
        finished = self._finished.get(run_id)
        if finished is None or finished.began is None:
            return Around()
        arrived, cause = finished.arrived, _first_cause(finished)
        return Around(
            lag_ms=cause.lag_ms if cause else None,
            waited_ms=cause.moment.ms_until(finished.began) if cause else None,
            cause=f"{cause.trigger}: {cause.reason}"
            if cause and cause.reason
            else cause.trigger
            if cause
            else "",
            read_ms=finished.ended.ms_until(arrived) if arrived else None,
            hook=finished.hook,
        )

    def _see_trigger(self, record: Mapping[str, Any], moment: _Moment) -> None:
        lag = record.get("detect_lag_ms")
        found = _Trigger(
            moment,
            _text(record.get("trigger")),
            _text(record.get("reason")),
            float(lag) if isinstance(lag, int | float) else None,
        )
        due = self._due.setdefault(_text(record.get("session")), [])
        del due[KEPT_OPEN:]
        due.append(found)
        _bound(self._due, KEPT_OPEN)

    def _see_start(self, record: Mapping[str, Any], moment: _Moment) -> None:
        session, trigger = _text(record.get("session")), _text(record.get("trigger"))
        due = self._due.get(session, [])
        # One that somebody asked for in between (`snippet`) serves no cause.
        causes = due if any(cause.trigger == trigger for cause in due) else []
        if causes:
            del self._due[session]
        self._open[_text(record.get("run"))] = _Open(moment, causes)
        _bound(self._open, KEPT_OPEN)

    def _see_script(self, record: Mapping[str, Any], _moment: _Moment) -> None:
        opened = self._open.get(_text(record.get("run")))
        if opened is not None and len(opened.scripts) < SCRIPTS_OF_A_RUN:
            opened.scripts.append(record)

    def _see_end(self, record: Mapping[str, Any], moment: _Moment) -> None:
        opened = self._open.pop(_text(record.get("run")), None)
        scripts = opened.scripts if opened else []
        run = run_time({**record, "at": record.get("ts"), "scripts": scripts})
        if run is None:
            return
        self._finished[run.run] = _Finished(
            run, opened.began if opened else None, moment, opened.causes if opened else []
        )
        _bound(self._finished, KEPT_RUNS)
        self._mark("rebuild", record, moment)

    def _see_delivery(self, record: Mapping[str, Any], moment: _Moment) -> None:
        if record.get("result") != "arrived":
            return
        self._mark("delivery", record, moment)
        session, snippet = _text(record.get("session")), _text(record.get("snippet"))
        for finished in reversed(self._finished.values()):
            if finished.run.session == session and finished.run.snippet == snippet:
                if finished.arrived is None:
                    finished.arrived, finished.hook = moment, _text(record.get("hook"))
                return

    def _mark(self, kind: MarkKind, record: Mapping[str, Any], moment: _Moment) -> None:
        self.marks.append(
            Mark(
                kind=kind,
                session=_text(record.get("session")),
                at=moment.wall,
                runlevel=_text(record.get("runlevel")),
                result=_text(record.get("result")),
            )
        )


def _first_cause(finished: _Finished) -> _Trigger | None:
    fitting = [cause for cause in finished.causes if cause.trigger == finished.run.trigger]
    return fitting[0] if fitting else None


def _moment(record: Mapping[str, Any]) -> _Moment | None:
    mono = record.get("mono")
    try:
        wall = datetime.fromisoformat(_text(record.get("ts"))).timestamp()
    except (ValueError, OverflowError):
        return None
    return _Moment(
        _text(record.get("instance")), float(mono) if isinstance(mono, int | float) else None, wall
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _bound(kept: OrderedDict[str, Any], most: int) -> None:
    while len(kept) > most:
        kept.popitem(last=False)
