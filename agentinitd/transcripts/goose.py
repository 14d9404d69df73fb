"""Goose, the module that `agents.AGENTS` lists: sessions in a database, or in the JSON Lines before it."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any, cast

from agentinitd.transcripts import files, goose_legacy
from agentinitd.transcripts.database import (
    SEPARATOR,
    UNREADABLE,
    columns,
    is_database,
    name_of,
    opened,
    split_name,
    stamp,
)
from agentinitd.transcripts.database_follower import StoreFollower, UnknownSchema, follow_database
from agentinitd.transcripts.follower import Seen, Start
from agentinitd.transcripts.goose_reader import USAGE_BITS, GooseReader
from agentinitd.transcripts.goose_rows import HELPERS, session_columns
from agentinitd.transcripts.reader import LineFormat
from agentinitd.transcripts.tail import Tail

NAME = "goose"

READS = (
    "sessions.db up to schema 16 and the JSON Lines before it: messages, tools, to-do lists, compactions, "
    "context sizes (of each request where there is an account, else of the last), the model's window; "
    "the version of Goose is not in them"
)

_DATABASE = "sessions.db"


def roots(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    moved = env.get("GOOSE_PATH_ROOT") or ""
    if moved.startswith("/"):
        return (Path(moved) / "data" / "sessions",)
    base = env.get("XDG_DATA_HOME") or ""
    data = Path(base) if base.startswith("/") else home / ".local" / "share"
    return (data / "goose" / "sessions",)


def names_at(path: PurePath) -> tuple[str, ...] | None:
    if _is_legacy(path):
        return (str(path),)
    # Which sessions a database holds only a look inside tells.
    return None if path.name.removesuffix("-wal").removesuffix("-journal") == _DATABASE else ()


def scan(root: Path) -> dict[str, Seen]:
    return files.scan(root, _is_legacy) | _sessions(root / _DATABASE)


def is_own(path: Path) -> bool:
    if path.is_dir():
        return is_own(path / _DATABASE) or any(map(is_own, sorted(path.glob("*.jsonl"))[:1]))
    if not is_database(path):
        return files.holds_record(path, goose_legacy.is_record)
    try:
        with opened(path) as connection:
            session_columns(connection)
    except (*UNREADABLE, UnknownSchema):
        return False
    return True


def names_in(path: Path) -> list[str]:
    if path.is_dir():
        found = scan(path)
    elif not is_database(path):
        return [str(path)]
    else:
        found = _sessions(path)
    return sorted(found, key=lambda name: (found[name].mtime_ns, found[name].size))


def follow(
    name: str,
    checkpoint: Mapping[str, Any] | None = None,
    *,
    start: Start = "top",
    is_detailed: bool = False,
) -> StoreFollower[sqlite3.Connection] | Tail:
    if SEPARATOR not in name:
        lines = cast(LineFormat, sys.modules[goose_legacy.__name__])
        return Tail(Path(name), lines, checkpoint, start=start, is_detailed=is_detailed)
    reader = GooseReader(split_name(name)[1], checkpoint, start=start, is_detailed=is_detailed)
    return follow_database(name, reader)


def _is_legacy(path: PurePath) -> bool:
    return path.suffix == ".jsonl"


def _sessions(path: Path) -> dict[str, Seen]:
    """Every main session of the database.  The size is of two row ids, see `goose_reader.USAGE_BITS`."""
    try:
        inode = (stamp(path).files[0] or (0, 0))[1]
        if not inode:
            return {}
        with opened(path) as connection:
            rows = connection.execute(_query(connection)).fetchall()
    except (*UNREADABLE, UnknownSchema):
        return {}
    return {
        name_of(path, session_id): Seen(
            (message_id or 0) << USAGE_BITS | (usage_id or 0), (touched or 0) * 1_000_000_000, inode
        )
        for session_id, message_id, usage_id, touched in rows
        if isinstance(session_id, str) and SEPARATOR not in session_id
    }


def _query(connection: sqlite3.Connection) -> str:
    """One question for all sessions: the newest rows are found by index."""
    known = session_columns(connection)
    has_usage = {"id", "session_id"} <= columns(connection, "usage_ledger")
    usage = "(SELECT max(id) FROM usage_ledger WHERE session_id = s.id)" if has_usage else "0"
    touched = "CAST(strftime('%s', s.updated_at) AS INTEGER)" if "updated_at" in known else "0"
    others = [f"'{kind}'" for kind in HELPERS]
    is_main = [f"s.session_type NOT IN ({', '.join(others)})"] if "session_type" in known else []
    is_main += ["s.parent_session_id IS NULL"] if "parent_session_id" in known else []
    where = f"WHERE {' AND '.join(is_main)}" if is_main else ""
    newest = "(SELECT max(id) FROM messages WHERE session_id = s.id)"
    return f"SELECT s.id, {newest}, {usage}, {touched} FROM sessions s {where}"
