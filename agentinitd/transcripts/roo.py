"""Roo Code: the module that `agents.AGENTS` lists.  A session is known by its task's `ui_messages.json`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any

from agentinitd.transcripts import cline_tasks
from agentinitd.transcripts.cline_beside import TaskBeside
from agentinitd.transcripts.cline_follower import SessionFollower
from agentinitd.transcripts.cline_places import ROO_EXTENSION, is_task, task_roots
from agentinitd.transcripts.cline_sessions import scan_tasks, sessions_in
from agentinitd.transcripts.follower import Seen, Start

NAME = "roo"
READS = (
    "tasks of the 3.x extension: messages, tools, to-do lists, context sizes, condensed and truncated "
    "contexts; neither the model nor its window nor the outcome of a tool is in them"
)


def roots(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    return task_roots(home, env, ROO_EXTENSION)


def names_at(path: PurePath) -> tuple[str, ...] | None:
    return (str(path),) if is_task(path) else ()


def scan(root: Path) -> dict[str, Seen]:
    return scan_tasks(root)


def is_own(path: Path) -> bool:
    return bool(sessions_in(path, "roo"))


def names_in(path: Path) -> list[str]:
    return sessions_in(path, "roo")


def follow(
    name: str,
    checkpoint: Mapping[str, Any] | None = None,
    *,
    start: Start = "top",
    is_detailed: bool = False,
) -> SessionFollower:
    path = Path(name)
    form = cline_tasks.form("roo", is_detailed=is_detailed)
    return SessionFollower(path, form, TaskBeside(path), checkpoint, start=start)
