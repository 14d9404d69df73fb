"""Hears what a session does, and writes what of it moves its task or is to be remembered.

In a thread, never on the loop.  Nothing that goes wrong here stops the reading of a session: it is kept for
`status`, and what could not be written is tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

from agentinitd.daemon.binding import bound_task
from agentinitd.memory.locking import locked
from agentinitd.memory.progress import apply, reason_of
from agentinitd.memory.progress_events import Finding, ProgressListener
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
"""Hooks of this session wait meanwhile."""

Found = TypeVar("Found")


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

    def __init__(self) -> None:
        self.count = 0
        """What came of it, for `status`."""
        self.unwritten = ""
        """Why the last attempt to write failed."""
        self.bug = ""
        self._waiting: list[Found] = []
        self._retry_at = 0.0

    @property
    def is_waiting(self) -> bool:
        return bool(self._waiting)

    @property
    def is_held(self) -> bool:
        """What waits could be written, and waits for more of a backlog."""
        return bool(self._waiting) and not self.unwritten

    @property
    def trouble(self) -> str:
        return self.unwritten or self.bug

    def hear(self, events: Sequence[Event], desk: Desk, *, now: float, has_more: bool = False) -> None:
        """Raises nothing: a bug of ours costs what these events said, and no more.

        While a backlog is read, which `has_more` says, what is found in many slices is written together.
        """
        try:
            self._waiting += self._found(events, desk, now)
        except Exception as error:
            self._note_bug("hearing", error)
        del self._waiting[:-MOST_WAITING]
        is_enough = bool(self._waiting) and not (has_more and len(self._waiting) < WRITTEN_TOGETHER)
        if is_enough and now >= self._retry_at:
            self._try_to_write(desk, now)

    def _try_to_write(self, desk: Desk, now: float) -> None:
        waiting = tuple(self._waiting)
        try:
            with locked(desk.project, wait_seconds=LOCK_SECONDS):
                self.count += self._written(waiting, desk, now)
        except (AgentinitdError, OSError) as error:
            self.unwritten, self._retry_at = str(error), now + RETRY_SECONDS
            return
        except Exception as error:
            self._note_bug("writing", error)
        self._waiting.clear()
        self.unwritten, self._retry_at = "", 0.0

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
                lambda state: _moved(state, found, is_new=is_new),
                by=f"{record.agent} {desk.session[:8]}",
                reason=reason_of(found),
                now=now,
            )
        except _NoNews:
            return 0
        return len(_proven(change.after) - _proven(change.before or {}))


class _NoNews(Exception):
    """The state says all of this already."""


def _moved(state: State, found: Sequence[Finding], *, is_new: bool) -> State:
    """A task begins with a plan or by a person; results alone make none."""
    after = apply(state, found)
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
    """Of one session."""

    def __init__(self, *notings: Noting[Any], now: Callable[[], float]) -> None:
        self._notings = notings
        self._now = now
        self._one_at_a_time = Lock()
        """Whoever waited for one hearing may be cancelled, and another begin."""

    @property
    def trouble(self) -> str:
        """Why something is not in the memory; empty when all is well."""
        return next((each.trouble for each in self._notings if each.trouble), "")

    @property
    def is_waiting(self) -> bool:
        """Something could not be written yet."""
        return any(each.is_waiting for each in self._notings)

    @property
    def is_held(self) -> bool:
        return any(each.is_held for each in self._notings)

    def hear(self, events: Sequence[Event], desk: Desk, *, has_more: bool = False) -> None:
        """In a thread.  Raises nothing.  `has_more`: the next events are there already."""
        now = self._now()
        with self._one_at_a_time:
            for each in self._notings:
                each.hear(events, desk, now=now, has_more=has_more)

    def as_json(self) -> dict[str, Any]:
        counts: dict[str, Any] = {}
        for each in self._notings:
            counts |= each.as_json()
        return {**counts, "error": self.trouble or None}
