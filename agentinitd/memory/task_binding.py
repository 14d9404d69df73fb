"""Which task a project is at, and each of its linked worktrees: small files that hold the name of a task."""

from __future__ import annotations

import contextlib
from pathlib import Path

from agentinitd.disk import read_bounded
from agentinitd.memory.folder import memory_file
from agentinitd.memory.project import MEMORY_FOLDER, is_safe_task_id
from agentinitd.memory.task_files import place_of
from agentinitd.memory.writer import locked, update

UNNAMED = "-"
"""Stands for the task without a name where nothing means something else."""
_LAST_SNIPPET = "run/last-snippet"


def default_task(project: Path, worktree: str | None = None) -> str | None:
    """The task of sessions without a binding of their own; None: the unnamed one.  Never raises.

    A worktree is at its own task once it was switched, and at the project's until then.
    """
    own = _named(project, binding_file(worktree)) if worktree else None
    named = own or _named(project, binding_file(None))
    return None if named == UNNAMED else named


def own_task(project: Path, worktree: str | None) -> str | None:
    """What was chosen for exactly this worktree, or for the project; None: nothing."""
    return _named(project, binding_file(worktree))


def binding_file(worktree: str | None) -> str:
    return f"state/worktrees/{worktree}" if worktree else "state/default_task"


def _named(project: Path, name: str) -> str | None:
    file = memory_file(project, name, limit_bytes=4096)
    if file is None or file.stamp is None:
        return None
    try:
        task_id = read_bounded(file.path, 4096).decode("utf-8-sig").strip()
    except (OSError, ValueError):
        return None
    return task_id if task_id == UNNAMED or is_safe_task_id(task_id) else None


def set_default(project: Path, task_id: str | None, *, worktree: str | None = None) -> None:
    """Sessions without a binding of their own are at this task now.  Raises MemoryRefused, UsageError.

    `UNNAMED`: at the task without a name.  None: nothing is chosen, a worktree follows the project again.
    """
    with locked(project):
        if task_id is not None and task_id != UNNAMED:
            place_of(project, task_id)
        path = project / MEMORY_FOLDER / binding_file(worktree)
        if task_id is None:
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
        else:
            update(Path(binding_file(worktree)), lambda _: f"{task_id}\n", project=project)
        if worktree is None:
            # It tells of the task that was left, and is shown to whoever finds no daemon.
            with contextlib.suppress(OSError):
                (project / MEMORY_FOLDER / _LAST_SNIPPET).unlink()


def bound_worktrees(project: Path, task_id: str) -> list[str]:
    """The linked worktrees that were switched to this task."""
    try:
        names = sorted(path.name for path in (project / MEMORY_FOLDER / "state/worktrees").iterdir())
    except OSError:
        return []
    return [name for name in names if own_task(project, name) == task_id]
