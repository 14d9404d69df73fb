"""What a rebuild is asked is read: the memory of the task, what its checks say, the place of the session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from agentinitd.daemon.binding import bound_task
from agentinitd.daemon.place_note import place_note
from agentinitd.daemon.question import Question, ask
from agentinitd.daemon.settings import Settings
from agentinitd.memory.checks import Checks
from agentinitd.memory.project import is_safe_task_id
from agentinitd.memory.store import MemoryStore
from agentinitd.model.facts import Memory
from agentinitd.model.scripts import Runlevel
from agentinitd.sessions.delivery import FULL_RUNLEVELS
from agentinitd.sessions.record import SessionRecord


class Asking:
    """Of all projects: their memories stay read until they change."""

    def __init__(self, settings: Settings, *, now: Callable[[], float]) -> None:
        self._settings = settings
        self._store = MemoryStore(now=now)
        self._checks = Checks()
        self._now = now

    async def question(
        self, record: SessionRecord, project: Path, runlevel: Runlevel, *, budget_tokens: int | None = None
    ) -> Question:
        config = self._settings.of(project)
        task_id, memory = await self.memory(record, project)
        record = replace(record, task_id=task_id)
        question = ask(
            record,
            project,
            runlevel,
            memory,
            config,
            now=self._now(),
            budget_tokens=budget_tokens,
            disproved=await asyncio.to_thread(self._checks.disproved, memory.anchors, project),
        )
        if runlevel not in FULL_RUNLEVELS or not (memory.task_state and record.cwd):
            return question
        place = await asyncio.to_thread(place_note, memory.task_state, record.cwd, question.language)
        return replace(question, place=place or "")

    def load(self, project: Path, task_id: str | None) -> Memory:
        """As it is now.  Threads may ask."""
        return self._store.load(project, task_id)

    async def memory(self, record: SessionRecord, project: Path) -> tuple[str | None, Memory]:
        """Of the task it is at, and that.  In a thread: a large file that changed takes seconds to read."""

        def load() -> tuple[str | None, Memory]:
            task_id = bound_task(record, project)
            return task_id, self._store.load(project, task_id)

        return await asyncio.to_thread(load)

    async def has_task(self, project: Path, task_id: str) -> bool:
        memory = await asyncio.to_thread(self._store.load, project, task_id)
        has_folder = is_safe_task_id(task_id) and (project / ".agent-memory" / "tasks" / task_id).is_dir()
        return has_folder or bool(memory.task_state)

    def captured(self, project: Path, task_id: str | None) -> int:
        """How much was captured for it and waits for a person."""
        return len(self._store.load(project, task_id).captured)
