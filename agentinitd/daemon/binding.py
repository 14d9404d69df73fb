"""The task that a session is at, by its record and by the files of its project."""

from __future__ import annotations

from pathlib import Path

from agentinitd.memory.tasks import UNNAMED, default_task
from agentinitd.sessions.record import SessionRecord


def bound_task(record: SessionRecord, project: Path) -> str | None:
    """Its own, else that of its worktree or project; None: the one without a name.  Reads a small file."""
    own = record.task_id
    return default_task(project, record.worktree) if own is None else named(own)


def named(task_id: str | None) -> str | None:
    """As the memory takes it: None for the task without a name."""
    return None if task_id == UNNAMED else task_id
