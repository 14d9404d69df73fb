"""A whole transcript, seen at once: what was compacted, and what would have been rebuilt.

Plays the events through the detector as if every snippet had been delivered the moment it was due.  What it
keeps is bounded, whatever the length of the transcript.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from agentinitd.model.causes import strongest
from agentinitd.model.events import (
    CompactionMarker,
    CompactionTrigger,
    ContextCleared,
    Event,
    PersonMessage,
    Request,
    SessionSeen,
    Skipped,
)
from agentinitd.model.scripts import Runlevel
from agentinitd.sessions.detector import step
from agentinitd.sessions.detector_state import DetectorState
from agentinitd.sessions.limits import Limits
from agentinitd.sessions.observations import Delivered, Observation, SessionStarted

if TYPE_CHECKING:
    # Who does not ask what was said does not wait for its readers to be loaded.
    from agentinitd.sessions.heard import Heard, Hearing

LIST_LIMIT = 10_000
SERIES_POINTS = 512
KNOWN_SESSIONS = 64

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    line: int
    """Of the first record that announces it."""
    kind: Literal["marker", "drop"]
    trigger: CompactionTrigger | None
    tokens_before: int | None
    """The marker's own figure, else the last request's; for a drop the highest since the last compaction."""
    tokens_after: int | None
    """Of the first request after it; the marker's own figure where that leaves nothing out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    line: int
    runlevel: Runlevel
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedLine:
    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What a transcript holds.  The names are those of `replay --json`."""

    agent: str
    session_id: str | None
    turns: int
    requests: int
    peak_context_tokens: int
    window_tokens: int | None
    """None when the transcript does not say it."""
    compactions: tuple[Compaction, ...]
    rebuilds: tuple[Rebuild, ...]
    skipped_lines: tuple[SkippedLine, ...]
    helper_compactions: tuple[Compaction, ...]
    """Of the sub-agent whose transcript this is; they are nobody's who works on."""
    captured: tuple[Heard, ...]
    """What it gives to remember, what holds no longer included; empty unless that was asked for."""
    left_out: dict[str, int]
    """How many entries a list does not show because there are too many."""
    series: tuple[int, ...] = field(default=(), repr=False)
    """The context over time, each point the highest of some requests in a row."""


class Replaying:
    """Takes the events of one transcript in order; `result` may be asked at any time."""

    def __init__(
        self,
        agent: str,
        limits: Limits | None = None,
        *,
        ignore_markers: bool = False,
        hearing: Hearing | None = None,
    ) -> None:
        self._agent = agent
        self._limits = limits or Limits()
        self._hearing = hearing
        self._ignores_markers = ignore_markers
        self._state = DetectorState()
        self._session_id: str | None = None
        self._session_ids: list[str] = []
        self._has_started = False
        self._turns = 0
        self._requests = 0
        self._peak = 0
        self._last_tokens: int | None = None
        self._compactions: _Bounded[_OpenCompaction] = _Bounded()
        self._helper_compactions: _Bounded[_OpenCompaction] = _Bounded()
        self._awaiting: list[_OpenCompaction] = []
        self._rebuilds: _Bounded[Rebuild] = _Bounded()
        self._skipped: _Bounded[SkippedLine] = _Bounded()
        self._series = _Series()
        self._see: dict[type, Callable[[Any], None]] = {
            Request: self._see_request,
            PersonMessage: self._see_message,
            CompactionMarker: self._see_marker,
            ContextCleared: self._observe,
            SessionSeen: self._see_session,
            Skipped: self._see_skipped,
        }

    def see(self, events: Sequence[Event]) -> None:
        if self._hearing is not None:
            self._hearing.see(events)
        for event in events:
            see = self._see.get(type(event))
            if see is not None:
                see(event)

    def result(self) -> Replay:
        return Replay(
            agent=self._agent,
            session_id=self._session_id,
            turns=self._turns,
            requests=self._requests,
            peak_context_tokens=self._peak,
            window_tokens=None,
            compactions=tuple(compaction.closed() for compaction in self._compactions.kept),
            rebuilds=tuple(self._rebuilds.kept),
            skipped_lines=tuple(self._skipped.kept),
            helper_compactions=tuple(compaction.closed() for compaction in self._helper_compactions.kept),
            captured=self._hearing.heard() if self._hearing else (),
            left_out={
                "compactions": self._compactions.left_out,
                "rebuilds": self._rebuilds.left_out,
                "skipped_lines": self._skipped.left_out,
                "helper_compactions": self._helper_compactions.left_out,
                "captured": self._hearing.left_out if self._hearing else 0,
            },
            series=self._series.points(),
        )

    def _see_session(self, seen: SessionSeen) -> None:
        self._session_id = seen.session_id
        is_known = seen.session_id in self._session_ids
        if not is_known:
            self._session_ids = [*self._session_ids, seen.session_id][-KNOWN_SESSIONS:]
        if self._has_started and not is_known and not seen.is_history and not seen.is_helper:
            self._start(seen, "resume")
        self._observe(seen)

    def _see_message(self, message: PersonMessage) -> None:
        self._turns += not message.is_helper
        self._observe(message)

    def _see_request(self, request: Request) -> None:
        tokens = request.context_tokens
        self._requests += 1
        self._peak = max(self._peak, tokens)
        self._series.add(tokens)
        if self._awaiting:
            for compaction in self._awaiting:
                compaction.tokens_after = tokens
            self._awaiting.clear()
        self._observe(request)
        self._last_tokens = tokens

    def _see_marker(self, marker: CompactionMarker) -> None:
        if self._ignores_markers:
            return
        if not marker.is_history:
            before = self._last_tokens if marker.tokens_before is None else marker.tokens_before
            compaction = _OpenCompaction(marker.line, "marker", marker.trigger, before)
            (self._helper_compactions if marker.is_helper else self._compactions).add(compaction)
            if marker.is_whole:
                compaction.tokens_after = marker.tokens_after
            else:
                self._awaiting.append(compaction)
        self._observe(marker)

    def _see_skipped(self, skipped: Skipped) -> None:
        self._skipped.add(SkippedLine(line=skipped.line, reason=skipped.reason))

    def _observe(self, event: Event) -> None:
        if event.is_helper:
            return
        if not self._has_started and not event.is_history:
            self._has_started = True
            self._start(event, "startup")
        drop = self._state.last_drop
        self._step(event, event.line)
        found = self._state.last_drop
        if found is not None and found is not drop:
            self._compactions.add(_OpenCompaction(found.line, "drop", None, found.before, found.after))

    def _start(self, event: Event, source: Literal["startup", "resume"]) -> None:
        self._step(SessionStarted(source=source, cause_id=f"session:{event.offset}"), event.line)

    def _step(self, observation: Observation, line: int) -> None:
        self._state, causes = step(self._state, observation, self._limits)
        if not causes:
            return
        runlevel = strongest(causes)
        reason = "; ".join(cause.reason for cause in causes)
        # A checkpoint says one line; no script runs for it.
        if not all(cause.say for cause in causes):
            self._rebuilds.add(Rebuild(line=line, runlevel=runlevel, reason=reason))
        delivered = Delivered(runlevel=runlevel, is_full=runlevel != "slim")
        self._state, _ = step(self._state, delivered, self._limits)


def replay(
    events: Iterable[Event], agent: str, limits: Limits | None = None, *, ignore_markers: bool = False
) -> Replay:
    replaying = Replaying(agent, limits, ignore_markers=ignore_markers)
    replaying.see(tuple(events))
    return replaying.result()


@dataclass(slots=True)
class _OpenCompaction:
    """One whose first request afterwards may still come."""

    line: int
    kind: Literal["marker", "drop"]
    trigger: CompactionTrigger | None
    tokens_before: int | None
    tokens_after: int | None = None

    def closed(self) -> Compaction:
        return Compaction(
            line=self.line,
            kind=self.kind,
            trigger=self.trigger,
            tokens_before=self.tokens_before,
            tokens_after=self.tokens_after,
        )


class _Bounded(Generic[T]):
    """A list that stops growing, and counts on."""

    def __init__(self) -> None:
        self.kept: list[T] = []
        self.left_out = 0

    def add(self, entry: T) -> None:
        if len(self.kept) < LIST_LIMIT:
            self.kept.append(entry)
        else:
            self.left_out += 1


class _Series:
    """Context sizes; when there are too many points, neighbours are merged and each covers twice as many."""

    def __init__(self) -> None:
        self._points: list[int] = []
        self._stride = 1
        self._highest = 0
        self._count = 0

    def add(self, tokens: int) -> None:
        if tokens > self._highest:
            self._highest = tokens
        self._count += 1
        if self._count == self._stride:
            self._points.append(self._highest)
            self._highest = self._count = 0
            if len(self._points) == SERIES_POINTS:
                self._merge()

    def _merge(self) -> None:
        pairs = zip(self._points[::2], self._points[1::2], strict=True)
        self._points = [max(pair) for pair in pairs]
        self._stride *= 2

    def points(self) -> tuple[int, ...]:
        return (*self._points, self._highest) if self._count else tuple(self._points)
