"""Hears what a session does, and writes what of it moves its task or is to be remembered.

In a thread, never on the loop.  Nothing that goes wrong here stops the reading of a session: it is kept for
`status`, and what could not be written is tried again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

import msgspec

from agentinitd.daemon.binding import bound_task
from agentinitd.memory.locking import locked
from agentinitd.memory.progress import apply, reason_of
from agentinitd.memory.progress_events import (
    CheckRan,
    Finding,
    Planned,
    ProgressListener,
    Reported,
    RuleApplies,
)
from agentinitd.memory.task_files import place_of, read_state
from agentinitd.memory.task_state import (
    RESULTS,
    State,
    is_mirrored,
    is_proven,
    progress_of,
    step_progress,
    title_of,
)
from agentinitd.memory.tasks import change_state
from agentinitd.model.config import Config
from agentinitd.model.errors import AgentinitdError
from agentinitd.model.events import Event
from agentinitd.sessions.record import SessionRecord

RETRY_SECONDS = 30.0
MOST_WAITING = 500
"""Of what waits to be written while the memory cannot be: the oldest leaves."""
WRITTEN_TOGETHER = 200
"""Of a backlog; to write a few costs nearly as much as to write many."""
LOCK_SECONDS = 2.0
MOST_KEPT_BYTES = 512 * 1024
"""In the record of a session, of what waits, as JSON: the oldest leaves."""

Found = TypeVar("Found")

_FINDINGS: Mapping[str, type[Finding]] = {
    each.__name__: each for each in (CheckRan, RuleApplies, Planned, Reported)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Whose events are heard, and where what is found in them belongs."""

    project: Path
    record: SessionRecord
    config: Config

    @property
    def session(self) -> str:
        return self.record.first_session_id


class Noting(Generic[Found]):
    """One thing that is listened for: found at once, written when the memory can be."""

    hears_earlier = False
    """Also what a session said before it was followed."""

    def __init__(self) -> None:
        self.count = 0
        """What came of it, for `status`."""
        self.left_out = 0
        """What was found, and left before it could be written."""
        self.unwritten = ""
        """Why the last attempt to write failed."""
        self.bug = ""
        self._waiting: list[Found] = []
        self._in_hand: tuple[Found, ...] = ()
        """What is written at the moment."""
        self._retry_at = 0.0
        self._changing = Lock()
        """One thread hears while another writes."""

    @property
    def is_waiting(self) -> bool:
        return bool(self._waiting or self._in_hand)

    @property
    def is_crowded(self) -> bool:
        """Much more would cost what waits longest."""
        return not self.unwritten and len(self._waiting) > MOST_WAITING // 2

    @property
    def trouble(self) -> str:
        return self.unwritten or self.bug

    @property
    def own_trouble(self) -> str:
        return ""

    def is_due(self, now: float, *, has_more: bool = False) -> bool:
        """While a backlog is read, as `has_more` says, what is found in many slices is written together."""
        is_enough = self.is_waiting and not (has_more and len(self._waiting) < WRITTEN_TOGETHER)
        return is_enough and now >= self._retry_at

    def hear(self, events: Sequence[Event], desk: Desk, *, now: float) -> None:
        """Raises nothing: a bug of ours costs what these events said, and no more."""
        try:
            self._wait_for_writing(self._found(events, desk, now))
        except Exception as error:
            self._note_bug("hearing", error)

    def write(self, desk: Desk, *, now: float) -> None:
        """What waits.  Raises nothing; what the memory does not take goes on waiting."""
        with self._changing:
            self._in_hand, self._waiting = tuple(self._waiting), []
        try:
            with locked(desk.project, wait_seconds=LOCK_SECONDS):
                self.count += self._written(self._in_hand, desk, now)
            self.unwritten, self._retry_at = "", 0.0
        except (AgentinitdError, OSError) as error:
            self.unwritten, self._retry_at = str(error), now + RETRY_SECONDS
            self._wait_for_writing((), again=self._in_hand)
        except Exception as error:
            self._note_bug("writing", error)
        self._in_hand = ()

    def _wait_for_writing(self, found: Sequence[Found], *, again: Sequence[Found] = ()) -> None:
        with self._changing:
            waiting = [*again, *self._waiting, *found]
            self._waiting = waiting[-MOST_WAITING:]
            self.left_out += len(waiting) - len(self._waiting)

    def keep(self) -> list[Any]:
        """What is not written, in plain values: the record of the session keeps it across a restart."""
        with self._changing:
            waiting = (*self._in_hand, *self._waiting)
        kept: list[Any] = []
        size = 0
        for each in reversed(waiting):
            plain = msgspec.to_builtins(self._plain(each))
            size += len(msgspec.json.encode(plain))
            if size > MOST_KEPT_BYTES:
                break
            kept.append(plain)
        return kept[::-1]

    def take_up(self, kept: Sequence[Any]) -> None:
        """What a daemon before us kept; what it meant by it may be of another version."""
        found: list[Found] = []
        for plain in kept:
            with contextlib.suppress(msgspec.ValidationError, AttributeError, KeyError, ValueError):
                found.append(self._from_plain(plain))
        self._wait_for_writing(found)

    def _plain(self, found: Found) -> object:
        return found

    def _from_plain(self, plain: Any) -> Found:
        raise NotImplementedError

    def _note_bug(self, doing: str, error: Exception) -> None:
        self.bug = f"{type(self).__name__.lower()}: {doing}: {type(error).__name__}: {error}"

    def as_json(self) -> dict[str, int]:
        """What `status` tells of it."""
        raise NotImplementedError

    def _found(self, events: Sequence[Event], desk: Desk, now: float) -> Sequence[Found]:
        raise NotImplementedError

    def _written(self, found: Sequence[Found], desk: Desk, now: float) -> int:
        """How much of it was news.  Called with the lock of the memory."""
        raise NotImplementedError


class Progress(Noting[Finding]):
    """Results of tools, and the agent's plan → the task's state."""

    def __init__(self) -> None:
        super().__init__()
        self._listener = ProgressListener()

    def as_json(self) -> dict[str, int]:
        return {"proven": self.count}

    def _found(self, events: Sequence[Event], desk: Desk, now: float) -> Sequence[Finding]:
        return self._listener.hear(events, desk.config.progress, now=now)

    def _written(self, found: Sequence[Finding], desk: Desk, now: float) -> int:
        record = desk.record
        task_id = bound_task(record, desk.project)
        is_new = read_state(place_of(desk.project, task_id))[0] is None
        try:
            change = change_state(
                desk.project,
                task_id,
                lambda state: _moved(state, found, desk.session, is_new=is_new),
                by=f"{record.agent} {desk.session[:8]}",
                reason=reason_of(found),
                now=now,
            )
        except _NoNews:
            return 0
        return len(_proven(change.after) - _proven(change.before or {}))

    def _plain(self, found: Finding) -> object:
        return {type(found).__name__: found}

    def _from_plain(self, plain: Any) -> Finding:
        ((name, said),) = plain.items()
        return msgspec.convert(said, _FINDINGS[name])


class _NoNews(Exception):
    """The state says all of this already."""


def _moved(state: State, found: Sequence[Finding], session: str, *, is_new: bool) -> State:
    """A task begins with a plan or by a person; results alone make none."""
    after = apply(state, found, session=session)
    if after == state or (is_new and {**after, RESULTS: None} == {**state, RESULTS: None}):
        raise _NoNews
    return {**after, "status": ""} if is_new else after


def _proven(state: State) -> set[str]:
    """What is done, and not only because the agent says so."""
    claimed = {
        title_of(step)
        for steps in state.values()
        for step in (steps if isinstance(steps, list) else ())
        if is_mirrored(step) and progress_of(step) == "completed" and not is_proven(step)
    }
    done = {title for title, progress in step_progress(state).items() if progress == "completed"}
    return done - {title for title in claimed if title}


class Scribe:
    """Of one session.  It hears in one thread, and writes in another: whoever waits for the reading of a
    session needs the first alone."""

    def __init__(self, *notings: Noting[Any], now: Callable[[], float]) -> None:
        self._notings = notings
        self._now = now
        self._hears = Lock()
        """Whoever waited for one hearing may be cancelled, and another begin."""
        self._writes = Lock()

    @property
    def trouble(self) -> str:
        """Why something is not in the memory; empty when all is well."""
        return next((each.trouble for each in self._notings if each.trouble), "")

    @property
    def own_trouble(self) -> str:
        """Of the team's own reader, whose fault costs what it would have found."""
        return next((each.own_trouble for each in self._notings if each.own_trouble), "")

    @property
    def left_out(self) -> int:
        """What found no room, and is in no memory."""
        return sum(each.left_out for each in self._notings)

    @property
    def is_waiting(self) -> bool:
        """Something could not be written yet."""
        return any(each.is_waiting for each in self._notings)

    @property
    def is_crowded(self) -> bool:
        return any(each.is_crowded for each in self._notings)

    def is_due(self, *, has_more: bool = False) -> bool:
        """There is something to `write`.  `has_more`: the next events are there already."""
        now = self._now()
        return any(each.is_due(now, has_more=has_more) for each in self._notings)

    def hear(self, events: Sequence[Event], desk: Desk) -> None:
        """In a thread.  Raises nothing."""
        now = self._now()
        with self._hears:
            for each in self._notings:
                each.hear(events, desk, now=now)

    def hear_earlier(self, events: Sequence[Event], desk: Desk) -> None:
        """What was said before the session was followed.  In a thread.  Raises nothing."""
        now = self._now()
        with self._hears:
            for each in self._notings:
                if each.hears_earlier:
                    each.hear(events, desk, now=now)

    def write(self, desk: Desk) -> None:
        """In a thread.  Raises nothing."""
        now = self._now()
        with self._writes:
            for each in self._notings:
                if each.is_due(now):
                    each.write(desk, now=now)

    def keep(self) -> dict[str, list[Any]]:
        """What is not written yet, for the record of the session."""
        kept = {type(each).__name__: each.keep() for each in self._notings if each.is_waiting}
        return {name: plain for name, plain in kept.items() if plain}

    def take_up(self, kept: Mapping[str, list[Any]]) -> None:
        for each in self._notings:
            each.take_up(kept.get(type(each).__name__, ()))

    def as_json(self) -> dict[str, Any]:
        counts: dict[str, Any] = {}
        for each in self._notings:
            counts |= each.as_json()
        return {
            **counts,
            "left_out": self.left_out,
            "error": self.trouble or self.own_trouble or None,
        }
