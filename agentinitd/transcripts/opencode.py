"""OpenCode, the module that `agents.AGENTS` lists: sessions in a database, or in the JSON tree before it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path, PurePath
from typing import Any

from agentinitd.transcripts import opencode_rows, opencode_tree
from agentinitd.transcripts.database import (
    SEPARATOR,
    UNREADABLE,
    is_database,
    name_of,
    opened,
    split_name,
    stamp,
)
from agentinitd.transcripts.database_follower import StoreFollower, UnknownSchema, follow_database
from agentinitd.transcripts.follower import Seen, Start
from agentinitd.transcripts.opencode_reader import OpenCodeReader

NAME = "opencode"

READS = (
    "opencode*.db of versions 1 and 2 and the JSON tree storage/ before them: messages, tools, to-do lists, "
    "context sizes, compactions; the size of the model's window is not in them"
)

_LOGS = ("-wal", "-journal")


def roots(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    base = env.get("XDG_DATA_HOME") or ""
    folder = (Path(base) if base.startswith("/") else home / ".local" / "share") / "opencode"
    database = Path(env.get("OPENCODE_DB") or "")
    if database.is_absolute() and not database.is_relative_to(folder):
        return folder, database.parent
    return (folder,)


def names_at(path: PurePath) -> tuple[str, ...] | None:
    if opencode_tree.is_session_path(path):
        return (str(path),)
    name = path.name
    for log in _LOGS:
        name = name.removesuffix(log)
    # Which sessions a database holds, and which one a message belongs to, only a look inside tells.
    return None if name.endswith(".db") or _is_of_tree(path) else ()


def _is_of_tree(path: PurePath) -> bool:
    """`storage/message/<session>/…`, `storage/part/<message>/…`"""
    parts = path.parts[-4:-2]
    return path.suffix == ".json" and parts in (("storage", "message"), ("storage", "part"))


def scan(root: Path) -> dict[str, Seen]:
    found = opencode_tree.scan(root / "storage")
    for path in _databases(root):
        found |= _sessions(path)
    return found


def is_own(path: Path) -> bool:
    if path.is_dir():
        return _storage_of(path) is not None or any(map(is_own, _databases(path)))
    if not is_database(path):
        return opencode_tree.is_session_path(path) and opencode_tree.store_of(path) is not None
    try:
        with opened(path) as connection:
            opencode_rows.last_touched(connection)
    except (*UNREADABLE, UnknownSchema):
        return False
    return True


def names_in(path: Path) -> list[str]:
    """Of a database, a folder of them, the tree, or one file of it."""
    if not path.is_dir():
        if not is_database(path):
            return [str(path)] if opencode_tree.is_session_path(path) else []
        found = _sessions(path)
    else:
        found = scan(path)
        storage = _storage_of(path)
        if storage is not None:
            found |= opencode_tree.scan(storage)
    return sorted(found, key=lambda name: (found[name].size, name))


def follow(
    name: str,
    checkpoint: Mapping[str, Any] | None = None,
    *,
    start: Start = "top",
    is_detailed: bool = False,
) -> StoreFollower[sqlite3.Connection] | StoreFollower[Path]:
    """`start` in milliseconds, as `scan` gives it for a size."""
    if SEPARATOR not in name:
        reader = OpenCodeReader(
            opencode_tree.store_of, checkpoint, start=start, is_detailed=is_detailed, wall=time.time
        )
        return StoreFollower(
            name, reader, path=Path(name), looked=opencode_tree.looked, opened=opencode_tree.opened
        )
    store_of = partial(_store_of, session_id=split_name(name)[1])
    return follow_database(
        name, OpenCodeReader(store_of, checkpoint, start=start, is_detailed=is_detailed, wall=time.time)
    )


def _store_of(connection: sqlite3.Connection, *, session_id: str) -> opencode_rows.Store | None:
    return opencode_rows.store_of(connection, session_id)


def _sessions(path: Path) -> dict[str, Seen]:
    """Every main session of one database; its size is the time of the last change, in milliseconds."""
    try:
        inode = (stamp(path).files[0] or (0, 0))[1]
        with opened(path) as connection:
            touched = opencode_rows.last_touched(connection)
    except (*UNREADABLE, UnknownSchema):
        return {}
    return {
        name_of(path, session_id): Seen(time_ms, time_ms * 1_000_000, inode)
        for session_id, time_ms in touched.items()
        if SEPARATOR not in session_id
    }


def _databases(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.glob("*.db") if is_database(path))
    except OSError:
        return []


def _storage_of(path: Path) -> Path | None:
    """The tree in this folder, or this folder."""
    for folder in (path, path / "storage"):
        if folder.name == "storage" and (folder / "session").is_dir() and (folder / "message").is_dir():
            return folder
    return None
