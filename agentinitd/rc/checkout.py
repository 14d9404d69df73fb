"""Where a project's approvals are at home: its git checkout if that is genuine, else its folder (TRU-4)."""

# Real paths are judged as texts, and files opened relative to descriptors.
# ruff: noqa: PTH116, PTH118, PTH120

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from agentinitd import disk

_POINTER_BYTES = 4096


@dataclass(frozen=True, slots=True)
class TrustRoot:
    """Approvals hold for `root`; paths in them are relative to `top`."""

    root: str
    """Real path of the git folder that all worktrees share, or of the project."""
    top: str
    """Real path of the top of this work tree, or of the project."""


def trust_root(project_root: Path, uid: int) -> TrustRoot:
    """The trust root of a project.  Anything that looks forged makes it the project's own folder."""
    project = os.path.realpath(project_root)
    top = _work_tree_top(project)
    if top is not None and _is_own(top, uid):
        shared = _shared_git_folder(top)
        if shared is not None and _is_own(shared, uid):
            return TrustRoot(shared, top)
    return TrustRoot(project, project)


def _work_tree_top(folder: str) -> str | None:
    while not os.path.lexists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def _shared_git_folder(top: str) -> str | None:
    entry = os.path.join(top, ".git")
    mode = os.lstat(entry).st_mode
    if stat.S_ISDIR(mode):
        return entry
    # A link could lead into any repository that the user trusts already: an archive can carry one.
    return _shared_by_worktree(entry) if stat.S_ISREG(mode) else None


def _shared_by_worktree(entry: str) -> str | None:
    """The common folder of a linked worktree that knows this checkout: an unpacked `.git` file may lie."""
    pointer = _line(entry)
    if pointer is None or not pointer.startswith("gitdir:"):
        return None
    own = os.path.realpath(os.path.join(os.path.dirname(entry), pointer.removeprefix("gitdir:").strip()))
    common_pointer, back = _line(os.path.join(own, "commondir")), _line(os.path.join(own, "gitdir"))
    if common_pointer is None or back is None:
        return None
    common = os.path.realpath(os.path.join(own, common_pointer))
    is_listed = os.path.dirname(own) == os.path.join(common, "worktrees")
    is_known = os.path.realpath(os.path.join(own, back)) == os.path.realpath(entry)
    return common if is_listed and is_known else None


def _line(path: str) -> str | None:
    try:
        return disk.read_bounded(Path(path), _POINTER_BYTES).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return None


def _is_own(folder: str, uid: int) -> bool:
    found = os.stat(folder)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == uid
