"""A session of Copilot CLI as its database alone knows it: calls of the model, and those that summarised.

For `replay` of a database whose transcripts are elsewhere, or gone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

import msgspec

from agentinitd.model.events import CompactionMarker, Event, Request, SessionSeen
from agentinitd.transcripts.copilot_cli_sizes import PAGE_ROWS, TABLE, Row, read_rows
from agentinitd.transcripts.database import UNREADABLE, columns, opened
from agentinitd.transcripts.database_follower import UnknownSchema
from agentinitd.transcripts.follower import Start
from agentinitd.transcripts.json_lines import clean

SUMMARISER = "compaction"


def session_ids(path: Path) -> list[str]:
    """Those of which the database knows calls, the latest last; empty when it cannot be read."""
    try:
        with opened(path) as connection:
            if not {"id", "session_id"} <= columns(connection, TABLE):
                return []
            rows = connection.execute(f"SELECT session_id FROM {TABLE} GROUP BY session_id ORDER BY max(id)")
            return [row[0] for row in rows if isinstance(row[0], str)]
    except UNREADABLE:
        return []


class _State(msgspec.Struct):
    cursor: int = 0
    count: int = 0
    last_at: float = 0.0
    is_told: bool = False
    history_until: int = 0
    """The row up to which all was there before it was followed."""


class _Where(TypedDict):
    line: int
    offset: int
    written_at: float | None
    is_history: bool


class StoreReader:
    """Satisfies `database_follower.SessionReader`."""

    has_more = False
    wait_seconds: float | None = None

    def __init__(
        self, session_id: str, checkpoint: Mapping[str, Any] | None = None, *, start: Start = "top"
    ) -> None:
        self._session_id = session_id
        self._state = _restored(checkpoint)
        self._is_taken_up = checkpoint is None and start != "top"

    @property
    def offset(self) -> int:
        return self._state.count

    def checkpoint(self) -> dict[str, Any]:
        plain: dict[str, Any] = msgspec.to_builtins(self._state)
        return plain

    def read(self, connection: sqlite3.Connection, max_bytes: int, *, is_last: bool) -> list[Event]:
        """A page of rows; `max_bytes` and `is_last` make no difference for what is so small."""
        del max_bytes, is_last
        if not {"id", "session_id"} <= columns(connection, TABLE):
            raise UnknownSchema(f"has no table {TABLE} of a known form; it is read when its agent makes one")
        state = self._state
        rows = read_rows(connection, self._session_id, state.cursor, before_at=state.last_at)
        events = [] if state.is_told else [self._session(connection)]
        history_until = _last_id(connection) if self._is_taken_up else state.history_until
        self._is_taken_up = False
        state.history_until = history_until
        for row in rows:
            state.count += 1
            state.cursor, state.last_at = row.id, row.written_at
            events += self._told(row)
        state.is_told = True
        self.has_more = len(rows) == PAGE_ROWS
        return events

    def _session(self, connection: sqlite3.Connection) -> Event:
        cwd = None
        if {"id", "cwd"} <= columns(connection, "sessions"):
            found = connection.execute(
                "SELECT cwd FROM sessions WHERE id = ?", (self._session_id,)
            ).fetchone()
            cwd = clean(found[0]) if found is not None else None
        return SessionSeen(line=0, offset=0, session_id=self._session_id, cwd=cwd, agent_version=None)

    def _told(self, row: Row) -> list[Event]:
        where: _Where = {
            "line": row.id,
            "offset": row.id,
            "written_at": row.written_at,
            "is_history": row.id <= self._state.history_until,
        }
        if row.initiator == SUMMARISER:
            marker_id = f"{TABLE}:{row.id}"
            return [
                CompactionMarker(
                    **where, marker_id=marker_id, trigger=None, tokens_before=None, tokens_after=None
                )
            ]
        if not row.is_own or not row.input_tokens:
            return []
        request_id = f"{TABLE}:{row.id}"
        return [Request(**where, request_id=request_id, model=row.model, context_tokens=row.input_tokens)]


def _last_id(connection: sqlite3.Connection) -> int:
    [(highest,)] = connection.execute(f"SELECT max(id) FROM {TABLE}")
    return highest if isinstance(highest, int) else 0


def _restored(checkpoint: Mapping[str, Any] | None) -> _State:
    try:
        return msgspec.convert(checkpoint or {}, _State)
    except msgspec.ValidationError:
        return _State()
