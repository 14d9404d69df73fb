"""Cline: the module that `agents.AGENTS` lists.

Two layouts: the store of 4.x and of the command line, where a session is known by its `<id>.messages.json`,
and the tasks of the 3.x extension, known by their `ui_messages.json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any

from agentinitd.transcripts import cline_sdk, cline_tasks
from agentinitd.transcripts.cline_beside import StoreBeside, TaskBeside
from agentinitd.transcripts.cline_follower import SessionFollower
from agentinitd.transcripts.cline_places import (
    CLINE_EXTENSION,
    UI_MESSAGES,
    is_sidecar,
    is_store,
    is_task,
    store_roots,
    task_roots,
)
from agentinitd.transcripts.cline_sessions import scan_store, scan_tasks, sessions_in
from agentinitd.transcripts.follower import Seen, Start

NAME = "cline"
READS = (
    "the store of 4.x and the tasks of the 3.x extension: messages, tools, context sizes, compactions; to-do "
    "lists of 3.x; the size of the model's window is in neither, the outcome of a tool only in the store"
)


def roots(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    return (*store_roots(home, env), *task_roots(home, env, CLINE_EXTENSION))


def names_at(path: PurePath) -> tuple[str, ...] | None:
    # The size of the messages alone does not tell that a sidecar changed: `scan` does.
    if is_sidecar(path):
        return None
    return (str(path),) if is_store(path) or is_task(path) else ()


def scan(root: Path) -> dict[str, Seen]:
    return scan_tasks(root) if root.name == "tasks" else scan_store(root)


def is_own(path: Path) -> bool:
    return bool(sessions_in(path, "cline"))


def names_in(path: Path) -> list[str]:
    return sessions_in(path, "cline")


def follow(
    name: str,
    checkpoint: Mapping[str, Any] | None = None,
    *,
    start: Start = "top",
    is_detailed: bool = False,
) -> SessionFollower:
    path = Path(name)
    if path.name == UI_MESSAGES:
        form = cline_tasks.form("cline", is_detailed=is_detailed)
        return SessionFollower(path, form, TaskBeside(path), checkpoint, start=start)
    form = cline_sdk.form(is_detailed=is_detailed)
    return SessionFollower(path, form, StoreBeside(path), checkpoint, start=start)
