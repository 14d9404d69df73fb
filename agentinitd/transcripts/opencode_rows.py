"""Where OpenCode keeps the messages of a session in its database: tables of any layout, asked in one way."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any, ClassVar, NamedTuple, Protocol

from agentinitd.transcripts.database import LONG_VALUE_BYTES, columns, long_text
from agentinitd.transcripts.database_follower import UnknownSchema
from agentinitd.transcripts.opencode_records import (
    Message,
    Part,
    message_v1,
    milliseconds,
    object_of,
    part_v1,
)
from agentinitd.transcripts.opencode_records_v2 import message_v2

Place = tuple[int, str]
"""The order of messages in a session: by time or number, then by id."""

_SESSION = frozenset({"id", "directory", "time_updated"})
_MESSAGE = frozenset({"id", "session_id", "time_created", "time_updated", "data"})
_PART = frozenset({"id", "message_id", "data"})
_SESSION_MESSAGE = frozenset({"id", "session_id", "type", "seq", "time_created", "time_updated", "data"})
# A long value is not brought into memory as a whole; the cast only keeps SQLite from counting characters.
_DATA = f"CASE WHEN data IS NULL THEN 0 WHEN length(CAST(data AS BLOB)) <= {LONG_VALUE_BYTES} THEN data END"
_TOO_LONG = "too long: more than 4 MiB without its long strings"


class Session(NamedTuple):
    id: str
    cwd: str | None
    version: str | None
    is_helper: bool
    created_ms: int


class Found(NamedTuple):
    """A message as it stands now."""

    id: str
    place: Place
    touched_ms: int
    """When the row was written last."""
    size: int
    """Bytes of it that were read."""
    message: Message | None
    """None when it cannot be read."""
    problem: str = ""
    is_torn: bool = False
    """It may be in the middle of being written."""


class Store(Protocol):
    """The messages of one session.  Each call may raise one of `database.UNREADABLE`."""

    layout: str
    session: Session

    def after(self, place: Place | None, limit: int) -> list[Found]:
        """The messages behind `place`, in order."""
        ...

    def by_id(self, ids: Iterable[str]) -> list[Found]: ...

    def recent(self, limit: int) -> list[Place]:
        """The last messages, newest first."""
        ...

    def count_before(self, place: Place) -> int: ...

    def parts(self, message_id: str) -> list[tuple[str, Part | None]]:
        """In order; None for one that cannot be read."""
        ...


def store_of(connection: sqlite3.Connection, session_id: str) -> Store | None:
    """The layout in which the session is alive; None when the database does not know it (any more)."""
    stores = [kind(connection, session_id) for kind in _layouts(connection)]
    known = [store for store in stores if store.is_known]
    # Both may hold it, once an old session was taken over by a new version: the newer message tells.
    return max(known, key=lambda store: store.newest_ms, default=None)


def _layouts(connection: sqlite3.Connection) -> list[type[_Rows]]:
    """Those whose tables are here.  Raises UnknownSchema when there are none."""
    kinds: list[type[_Rows]] = [kind for kind in (RowsV1, RowsV2, RowsEarlyV2) if kind.fits(connection)]
    if not kinds:
        raise UnknownSchema(
            "no tables of OpenCode 1 or 2 as they are known; a newer agentinitd may read them"
        )
    return kinds


def last_touched(connection: sqlite3.Connection) -> dict[str, int]:
    """Each main session, and when it or its last message was written: milliseconds since the epoch."""
    found: dict[str, int] = {}
    for kind in _layouts(connection):
        is_main = (
            "WHERE s.parent_id IS NULL" if "parent_id" in columns(connection, kind.SESSION_TABLE) else ""
        )
        for session_id, *times in connection.execute(f"{kind.SCAN} {is_main}"):
            touched = max((milliseconds(time) or 0 for time in times), default=0)
            found[str(session_id)] = max(touched, found.get(str(session_id), 0))
    return found


class _Rows:
    """What the layouts have in common."""

    layout: str
    TABLES: ClassVar[dict[str, frozenset[str]]]
    SESSION_TABLE: str
    MESSAGE_TABLE: str
    KEY: str
    """The column by which messages are ordered."""
    SCAN: str

    def __init__(self, connection: sqlite3.Connection, session_id: str) -> None:
        self._connection = connection
        self._session_id = session_id
        found = self._session()
        self.is_known = found is not None
        self.session = found or Session(session_id, None, None, False, 0)
        recent = self._ask(f"SELECT time_created FROM {self._session_rows} {self._newest}", 1)
        self.newest_ms = (milliseconds(recent[0][0]) or 0) if recent else -1

    @classmethod
    def fits(cls, connection: sqlite3.Connection) -> bool:
        return all(needed <= columns(connection, table) for table, needed in cls.TABLES.items())

    def after(self, place: Place | None, limit: int) -> list[Found]:
        key, message_id = place or (-(2**63), "")
        rows = self._ask(
            f"{self._select} AND ({self.KEY}, id) > (?, ?) ORDER BY {self.KEY}, id LIMIT ?",
            key,
            message_id,
            limit,
        )
        return [self._found(row) for row in rows]

    def by_id(self, ids: Iterable[str]) -> list[Found]:
        rows = [row for each in ids for row in self._ask(f"{self._select} AND id = ?", each)]
        return sorted((self._found(row) for row in rows), key=lambda found: found.place)

    def recent(self, limit: int) -> list[Place]:
        rows = self._ask(f"SELECT {self.KEY}, id FROM {self._session_rows} {self._newest}", limit)
        return [_place(*row) for row in rows]

    def count_before(self, place: Place) -> int:
        rows = self._ask(
            f"SELECT count(*) FROM {self._session_rows} AND ({self.KEY}, id) < (?, ?)",
            *place,
        )
        return int(rows[0][0])

    def parts(self, message_id: str) -> list[tuple[str, Part | None]]:
        if "part" not in self.TABLES:
            return []
        rows = self._connection.execute(
            f"SELECT rowid, id, {_DATA} FROM part WHERE message_id = ? ORDER BY id", (message_id,)
        )
        return [(str(part_id), self._part(rowid, str(part_id), data)) for rowid, part_id, data in rows]

    def _part(self, rowid: int, part_id: str, data: object) -> Part | None:
        fields = object_of(self._text("part", rowid, data)[0])
        return None if fields is None else part_v1(part_id, fields)

    @property
    def _session_rows(self) -> str:
        # A key of another type would have no place in the order.
        return f"{self.MESSAGE_TABLE} WHERE session_id = ? AND typeof({self.KEY}) = 'integer'"

    @property
    def _newest(self) -> str:
        return f"ORDER BY {self.KEY} DESC, id DESC LIMIT ?"

    @property
    def _select(self) -> str:
        kind = "type" if "type" in self.TABLES[self.MESSAGE_TABLE] else "''"
        return (
            f"SELECT rowid, id, {self.KEY}, time_created, time_updated, {kind}, {_DATA} "
            f"FROM {self._session_rows}"
        )

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, (self._session_id, *values)).fetchall()

    def _session(self) -> Session | None:
        known = columns(self._connection, self.SESSION_TABLE)
        optional = [
            column if column in known else "NULL" for column in ("time_created", "version", "parent_id")
        ]
        row = self._connection.execute(
            f"SELECT directory, {', '.join(optional)} FROM {self.SESSION_TABLE} WHERE id = ?",
            (self._session_id,),
        ).fetchone()
        if row is None:
            return None
        directory, created, version, parent = row
        return Session(
            self._session_id,
            cwd=directory if isinstance(directory, str) and directory else None,
            version=version if isinstance(version, str) and version else None,
            is_helper=bool(parent),
            created_ms=milliseconds(created) or 0,
        )

    def _found(self, row: tuple[Any, ...]) -> Found:
        rowid, message_id, key, created, updated, row_type, data = row
        place = _place(key, message_id)
        created_ms = milliseconds(created) or 0
        touched_ms = max(created_ms, milliseconds(updated) or 0)
        text, problem = self._text(self.MESSAGE_TABLE, rowid, data)
        fields = object_of(text)
        if fields is None:
            problem = f"message {message_id}: {problem or 'not a JSON object'}"
            return Found(place[1], place, touched_ms, len(text or ""), None, problem)
        # Rows of the first layout have no type of their own.
        if row_type:
            message = message_v2(place[1], str(row_type), fields, created_ms)
        else:
            message = message_v1(place[1], fields, created_ms)
        return Found(place[1], place, touched_ms, len(text or ""), message)

    def _text(self, table: str, rowid: int, data: object) -> tuple[str | None, str]:
        """The JSON of this row, squeezed when it is long, or why there is none."""
        if data is None:
            text = long_text(self._connection, table, "data", rowid)
            return text, "" if text is not None else _TOO_LONG
        if isinstance(data, bytes):
            return data.decode("utf-8", "replace"), ""
        return (data, "") if isinstance(data, str) else (None, "not a text")


class RowsV1(_Rows):
    layout = "v1"
    TABLES: ClassVar = {"session": _SESSION, "message": _MESSAGE, "part": _PART}
    SESSION_TABLE = "session"
    MESSAGE_TABLE = "message"
    KEY = "time_created"
    SCAN = """
        SELECT s.id, s.time_updated, m.time_created, m.time_updated FROM session s
        LEFT JOIN message m ON m.id = (
            SELECT id FROM message WHERE session_id = s.id ORDER BY time_created DESC, id DESC LIMIT 1)"""


class RowsV2(_Rows):
    layout = "v2"
    TABLES: ClassVar = {"session_v2": _SESSION, "session_message": _SESSION_MESSAGE}
    SESSION_TABLE = "session_v2"
    MESSAGE_TABLE = "session_message"
    KEY = "seq"
    SCAN = """
        SELECT s.id, s.time_updated, m.time_created, m.time_updated FROM session_v2 s
        LEFT JOIN session_message m ON m.session_id = s.id AND m.seq = (
            SELECT max(seq) FROM session_message WHERE session_id = s.id)"""


class RowsEarlyV2(RowsV2):
    """As of mid-2026: the new messages belong to the old table of sessions."""

    TABLES: ClassVar = {"session": _SESSION, "session_message": _SESSION_MESSAGE}
    SESSION_TABLE = "session"
    SCAN = RowsV2.SCAN.replace("session_v2", "session")


def _place(key: object, message_id: object) -> Place:
    return (key if isinstance(key, int) else 0), str(message_id)
