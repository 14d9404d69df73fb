"""Follows one session of Cline or Roo Code: its messages, and with them what the files beside them say.

A compaction is told when its sidecar appears or changes, in front of the first message that came after it.
The messages themselves are written at the end of a turn: requests from before a compaction that come to light
only after it are told no more, as nothing that is compared with them would be comparable.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from agentinitd.model.events import CompactionMarker, ContextCleared, Event, Request, SessionSeen
from agentinitd.transcripts.cline_beside import Beside, Compaction, Session
from agentinitd.transcripts.document import DocumentFollower, DocumentFormat
from agentinitd.transcripts.follower import Start

_changed = msgspec.structs.replace


class Told(msgspec.Struct, frozen=True):
    """What was told besides the messages; goes into the checkpoint."""

    session: tuple[str, str | None, str | None] | None = None
    compaction: str | None = None
    source_count: int = 0
    """Of the compaction told last."""
    line: int = 1
    """The last one that an event stood on."""


class SessionFollower:
    """Satisfies `follower.Follower`."""

    def __init__(
        self,
        messages: Path,
        form: DocumentFormat,
        beside: Beside,
        checkpoint: Mapping[str, Any] | None = None,
        *,
        start: Start = "top",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        known = checkpoint or {}
        document = known.get("document")
        self.name = str(messages)
        self.has_more = False
        self.flush_at: float | None = None
        self.problem: str | None = None
        self._document = DocumentFollower(
            messages, form, document if isinstance(document, Mapping) else None, start=start, now=now
        )
        self._beside = beside
        self._told = _restored(known.get("told"))
        self._is_take_up = checkpoint is None and start != "top"

    @property
    def offset(self) -> int:
        return self._document.offset

    def read(self, max_bytes: int = 0) -> list[Event]:
        # The messages first: what replaces some of them is written before those that come after it.
        events = self._complete(self._document.read(max_bytes))
        self.flush_at, self.problem = self._document.flush_at, self._document.problem
        return events

    def finish(self) -> list[Event]:
        return self._complete(self._document.finish())

    def checkpoint(self) -> dict[str, Any]:
        return {"document": self._document.checkpoint(), "told": msgspec.to_builtins(self._told)}

    def _complete(self, events: list[Event]) -> list[Event]:
        compaction = self._beside.compaction()
        if not self._document.offset and compaction is None:
            return events
        session = self._beside.session()
        events = [_of_session(event, session) for event in self._with_compaction(events, compaction)]
        if events:
            self._told = _changed(self._told, line=max(1, events[-1].line))
        events = self._with_session(events, session)
        self._is_take_up = False
        return events

    def _with_session(self, events: list[Event], session: Session) -> list[Event]:
        names = (session.session_id, session.cwd, session.version)
        if names == self._told.session:
            return events
        self._told = _changed(self._told, session=names)
        seen = SessionSeen(
            line=1,
            offset=0,
            is_history=self._is_take_up,
            is_helper=session.is_helper,
            session_id=session.session_id,
            cwd=session.cwd,
            agent_version=session.version,
        )
        return [seen, *events]

    def _with_compaction(self, events: list[Event], compaction: Compaction | None) -> list[Event]:
        if any(isinstance(event, ContextCleared) and not event.is_history for event in events):
            self._told = _changed(self._told, source_count=0)
        if compaction is None:
            # Removed with a reset of the session.  The next one counts, whatever it is called.
            self._told = _changed(self._told, compaction=None, source_count=0)
            return events
        events = [event for event in events if not self._is_late(event)]
        if compaction.id == self._told.compaction:
            return events
        is_stale = self._is_stale(compaction)
        count = 0 if is_stale else compaction.source_count or 0
        self._told = _changed(self._told, compaction=compaction.id, source_count=count)
        return events if is_stale else self._placed(events, compaction)

    def _is_late(self, event: Event) -> bool:
        return isinstance(event, Request) and event.offset < self._told.source_count

    def _is_stale(self, compaction: Compaction) -> bool:
        """It replaces more than there is, and the messages were written after it: the agent ignores it."""
        memory = self._document.checkpoint()["memory"]
        count, written_at = memory.get("messages"), memory.get("updated_at")
        return (
            isinstance(count, int)
            and (compaction.source_count or 0) > count
            and isinstance(written_at, int | float)
            and written_at > (compaction.at or 0.0)
        )

    def _placed(self, events: list[Event], compaction: Compaction) -> list[Event]:
        at = next((at for at, event in enumerate(events) if _is_after(event, compaction)), len(events))
        near = events[at] if at < len(events) else events[-1] if events else None
        marker = CompactionMarker(
            line=near.line if near is not None else self._told.line,
            offset=compaction.source_count or (near.offset if near is not None else 0),
            written_at=compaction.at,
            is_history=self._is_take_up and not compaction.is_latest,
            marker_id=compaction.id,
            trigger=compaction.trigger,
            tokens_before=compaction.tokens_before,
            tokens_after=None,
        )
        return [*events[:at], marker, *events[at:]]


def _is_after(event: Event, compaction: Compaction) -> bool:
    if compaction.source_count is not None:
        return event.offset >= compaction.source_count
    return compaction.at is not None and (event.written_at or 0.0) > compaction.at


def _of_session(event: Event, session: Session) -> Event:
    """Marks what a fork copied, and what a helper says."""
    is_copy = (
        session.forked_at is not None
        and event.written_at is not None
        and event.written_at < session.forked_at
    )
    if not is_copy and not session.is_helper:
        return event
    return _changed(event, is_history=event.is_history or is_copy, is_helper=session.is_helper)


def _restored(told: object) -> Told:
    try:
        return msgspec.convert(told, Told) if told is not None else Told()
    except msgspec.ValidationError:
        return Told()
