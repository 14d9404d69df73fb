"""Whether a session works where its task says: its folder and branch beside the recorded ones."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from agentinitd.disk import read_bounded
from agentinitd.model.facts import JsonValue, Language
from agentinitd.snippet.frame import elsewhere_line

_HEAD_BYTES = 4096
_BRANCH = re.compile(r"ref: refs/heads/([\w./@+#=-]{1,200})\s*")


def place_note(state: Mapping[str, JsonValue] | None, cwd: str | None, language: Language) -> str | None:
    """One line when folder or branch are others than the state's `worktree` and `branch`; never raises."""
    folder = _text(state, "worktree")
    branch = _text(state, "branch")
    if not cwd or not (folder or branch):
        return None
    is_elsewhere = bool(folder) and Path(folder).is_absolute() and not _is_inside(cwd, folder)
    current = branch_of(Path(cwd)) if branch else ""
    is_other_branch = bool(current) and current != branch
    if not (is_elsewhere or is_other_branch):
        return None
    return elsewhere_line(
        folders=(folder, cwd) if is_elsewhere else None,
        branches=(branch, current) if is_other_branch else None,
        language=language,
    )


def _text(state: Mapping[str, JsonValue] | None, key: str) -> str:
    value = state.get(key) if state else None
    return value.strip() if isinstance(value, str) else ""


def _is_inside(cwd: str, folder: str) -> bool:
    try:
        return Path(os.path.realpath(cwd)).is_relative_to(os.path.realpath(folder))
    except ValueError:
        return False


def branch_of(folder: Path) -> str:
    """The branch that is checked out there; empty when there is none, or it cannot be told."""
    try:
        checkout = next((each for each in (folder, *folder.parents) if os.path.lexists(each / ".git")), None)
        if checkout is None:
            return ""
        git = checkout / ".git"
        if git.is_file():
            git = checkout / _read(git).removeprefix("gitdir:").strip()
        found = _BRANCH.fullmatch(_read(git / "HEAD"))
    except (OSError, ValueError):
        return ""
    return found[1] if found and ".." not in found[1] else ""


def _read(path: Path) -> str:
    return read_bounded(path, _HEAD_BYTES).decode()
