"""Which task each session is at: bound by name or by the project's default, and left in good order.

Leaving a task saves its state and asks the scripts of the session to stop, while they are still told of that
task; then a full snippet of the new one is due.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from agentinitd.daemon.binding import bound_task, named
from agentinitd.daemon.following import Followed
from agentinitd.daemon.logs import RebuildLog
from agentinitd.daemon.rebuild import Rebuilder
from agentinitd.daemon.roster import Roster
from agentinitd.daemon.session_log import log_refused
from agentinitd.memory.tasks import (
    UNNAMED,
    default_task,
    note_state,
    own_task,
    place_of,
    save_state,
    set_default,
)
from agentinitd.model.causes import Cause
from agentinitd.model.errors import AgentinitdError
from agentinitd.sessions.observations import Asked


class Switching:
    """One for all sessions."""

    def __init__(
        self,
        roster: Roster,
        rebuilder: Rebuilder,
        *,
        tasks: asyncio.TaskGroup,
        log: RebuildLog,
        now: Callable[[], float],
    ) -> None:
        self._roster = roster
        self._rebuilder = rebuilder
        self._tasks = tasks
        self._log = log
        self._now = now

    async def notice(self, followed: Followed) -> None:
        """Follows where the project went meanwhile.  The caller holds the session's lock, and saves."""
        project, at = followed.project, followed.record.at_task
        if project is None:
            return
        task_id = await asyncio.to_thread(bound_task, followed.record, project)
        if at is None:
            followed.go_to(task_id or UNNAMED)
            self.remember(followed)
        elif at != (task_id or UNNAMED):
            await self._leave(followed, task_id)
            self._arrive(followed, task_id)

    def remember(self, followed: Followed) -> None:
        """The state of its task is another than before: for the history, for which no hook waits."""
        self._tasks.create_task(self._remember(followed), name="remember")

    async def _remember(self, followed: Followed) -> None:
        if followed.project is not None:
            task_id = await asyncio.to_thread(bound_task, followed.record, followed.project)
            await self._try(followed, note_state, followed.project, task_id, now=self._now())

    async def bind(self, followed: Followed, task_id: str | None) -> str | None:
        """A task of its own for this session, None: that of its project.  Gives the task it is at then.

        Raises UsageError, and MemoryRefused when there is no such task.
        """
        project = followed.project
        if project is None:
            raise AgentinitdError(f"Session {followed.record.session_id} works where there is no memory.")
        if task_id is not None:
            await asyncio.to_thread(place_of, project, named(task_id))
        async with followed.lock:
            await self.notice(followed)
            bound = replace(followed.record, task_id=task_id)
            goal = await asyncio.to_thread(bound_task, bound, project)
            if followed.record.at_task != (goal or UNNAMED):
                await self._leave(followed, goal)
                followed.bind(task_id)
                self._arrive(followed, goal)
            followed.bind(task_id)
            await followed.save(is_urgent=True)
        return goal

    async def set_default(
        self, project: Path, task_id: str | None, *, worktree: str | None
    ) -> list[Followed]:
        """Another task for the project, or for a worktree of it.  Gives the sessions that follow.

        Raises UsageError, and MemoryRefused when there is no such task.
        """
        if task_id is not None:
            await asyncio.to_thread(place_of, project, named(task_id))
        goal = named(task_id) if task_id is not None or worktree is None else default_task(project)
        before = await asyncio.to_thread(self._followers, project, worktree)
        for followed in before:
            async with followed.lock:
                await self.notice(followed)
                if followed.record.at_task not in (None, goal or UNNAMED):
                    await self._leave(followed, goal)
        await asyncio.to_thread(set_default, project, task_id, worktree=worktree)
        went: list[Followed] = []
        for followed in before:
            async with followed.lock:
                was = followed.record.at_task
                await self.notice(followed)
                await followed.save(is_urgent=True)
            if followed.record.at_task != was:
                went.append(followed)
        return went

    def _followers(self, project: Path, worktree: str | None) -> list[Followed]:
        """Sessions that have no task of their own, where the one of their worktree or project changes."""
        return [
            each
            for each in self._roster
            if each.project == project
            and each.record.task_id is None
            and _follows(project, each.record.worktree, worktree)
        ]

    async def _leave(self, followed: Followed, goal: str | None) -> None:
        """Its state is saved, and its scripts stop: in this order, so that what they do is no loss."""
        project, record = followed.project, followed.record
        assert project is not None, "_leave() without a project"
        old, reason = named(record.at_task), _reason(record.at_task, goal)
        await self._try(followed, save_state, project, old, by="switch", reason=reason, now=self._now())
        cause = Cause(id="leaving", trigger="switch", turn=record.detector.turn, reason=reason)
        followed.building.make_way_for("switch")
        async with followed.building.lock:
            await self._rebuilder.stop(replace(record, task_id=record.at_task), project, cause)
        followed.has_stopped()

    def _arrive(self, followed: Followed, task_id: str | None) -> None:
        reason = _reason(followed.record.at_task, task_id)
        followed.go_to(task_id or UNNAMED)
        followed.observe(Asked(trigger="switch", cause_id=f"switch:{secrets.token_hex(4)}", reason=reason))

    async def _try(
        self, followed: Followed, work: Callable[..., object], *arguments: object, **words: object
    ) -> None:
        """A memory that cannot be written to must not keep a session from its task."""
        try:
            await asyncio.to_thread(work, *arguments, **words)
        except Exception as error:  # also of a bug: it must end neither the session nor the daemon
            log_refused(self._log, followed.record, f"{type(error).__name__}: {error}")


def _follows(project: Path, own: str | None, changed: str | None) -> bool:
    """Whether a session in this worktree goes along: one without a task of its own goes with the project."""
    return own == changed or (changed is None and own_task(project, own) is None)


def _reason(old: str | None, new: str | None) -> str:
    return f"{_shown(new)} in place of {_shown(old)}"


def _shown(task_id: str | None) -> str:
    return f"task {task_id}" if task_id and task_id != UNNAMED else "the task without a name"
