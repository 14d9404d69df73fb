"""Where a session works: the project of its working directory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from agentinitd.memory.project import find_place
from agentinitd.sessions.record import SessionRecord


def placed(record: SessionRecord, cwd: str | None, *, home: Path) -> SessionRecord:
    """`cwd`: as it was said last.  A project is kept once it was found, as long as it has its memory."""
    if cwd and cwd != record.cwd:
        record = replace(record, cwd=cwd)
    is_found = record.project is not None and _is_folder(Path(record.project) / ".agent-memory")
    if is_found or not record.cwd:
        return record
    place = find_place(Path(record.cwd), home=home)
    project = str(place.project) if place.project else None
    return replace(record, project=project, worktree=place.worktree)


def _is_folder(path: Path) -> bool:
    """Also where we may not look: `Path.is_dir` raises then."""
    try:
        return path.is_dir()
    except OSError:
        return False
