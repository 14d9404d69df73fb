"""Which project a working directory belongs to: the nearest folder above it that holds a memory."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from agentinitd.disk import read_bounded

MEMORY_FOLDER = ".agent-memory"
_POINTER_BYTES = 4096
_TASK_ID = re.compile(r"\w[\w.-]{0,63}")


class Place(NamedTuple):
    """A project, and the linked worktree of it that one stands in."""

    project: Path | None = None
    """Real path; None when no memory is in reach."""
    worktree: str | None = None
    """What git calls a linked worktree that uses the main one's memory; None in the main one."""


def is_safe_task_id(task_id: str) -> bool:
    """Whether it can name a folder and nothing else."""
    return bool(_TASK_ID.fullmatch(task_id)) and ".." not in task_id and len(task_id.encode()) <= 200


def is_trusted_owner(uid: int) -> bool:
    """The user's own, or root's."""
    return uid in (os.geteuid(), 0)


def find_project(cwd: Path, *, home: Path) -> Path | None:
    """The real path of the project of `cwd`, which may be gone by now; None when no memory is in reach."""
    return find_place(cwd, home=home).project


def find_place(cwd: Path, *, home: Path) -> Place:
    """The project of `cwd`, and in which of its worktrees that lies.  Never raises.

    The walk up ends at the first folder holding `.git`, at the home, and before a mount point or a folder of
    somebody else (supervision.md section 1).  A linked worktree without a memory uses the main worktree's.
    """
    try:
        folder = _nearest_existing(cwd)
        return _walk(folder, Path(os.path.realpath(home))) if folder else Place()
    except (OSError, ValueError):
        return Place()


def _nearest_existing(cwd: Path) -> Path | None:
    if not cwd.is_absolute():
        return None
    real = Path(os.path.realpath(cwd))
    return next((folder for folder in (real, *real.parents) if folder.is_dir()), None)


def _walk(start: Path, home: Path) -> Place:
    device = start.stat().st_dev
    for folder in (start, *start.parents):
        found = folder.stat()
        if found.st_dev != device or not is_trusted_owner(found.st_uid):
            return Place()
        if _has_memory(folder):
            return Place(folder)
        if os.path.lexists(folder / ".git"):
            main = _main_worktree(folder)
            return main if main.project and _has_memory(main.project) else Place()
        if folder == home:
            return Place()
    return Place()


def _has_memory(folder: Path) -> bool:
    """Links count here; reading through one that leaves the project is refused, and said, by the store."""
    try:
        found = (folder / MEMORY_FOLDER).stat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and is_trusted_owner(found.st_uid)


def _main_worktree(checkout: Path) -> Place:
    """The main worktree of a linked one, which must name it in turn: an archive can carry a forged `.git`."""
    try:
        pointer = _pointer(checkout / ".git").removeprefix("gitdir:").strip()
        own = Path(os.path.realpath(checkout / pointer))
        back = os.path.realpath(own / _pointer(own / "gitdir"))
        common = Path(os.path.realpath(own / _pointer(own / "commondir")))
    except (OSError, ValueError):
        return Place()
    is_ours = all(is_trusted_owner(folder.stat().st_uid) for folder in (own, common, common.parent))
    is_linked = own.parent == common / "worktrees" and common.name == ".git"
    if not (is_ours and is_linked and back == str(checkout / ".git")):
        return Place()
    return Place(common.parent, own.name if is_safe_task_id(own.name) else None)


def _pointer(path: Path) -> str:
    return os.fsdecode(read_bounded(path, _POINTER_BYTES)).strip()
