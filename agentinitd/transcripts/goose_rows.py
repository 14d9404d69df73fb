"""What Goose's database says of one session.  Columns come and go between releases."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from agentinitd.transcripts.database import LONG_VALUE_BYTES, columns, long_text
from agentinitd.transcripts.database_follower import UnknownSchema
from agentinitd.transcripts.goose_events import Usage
from agentinitd.transcripts.goose_records import (
    Message,
    decoded,
    message_of,
    pieces_of,
    seconds,
    shown_of,
)
from agentinitd.transcripts.json_lines import tokens_of

HELPERS = ("sub_agent", "hidden")
"""Types of session that nobody talks to."""

_SESSIONS = frozenset({"id", "working_dir"})
_MESSAGES = frozenset({"id", "session_id", "role", "content_json", "created_timestamp"})
_USAGE = (
    "id",
    "created_timestamp",
    "model",
    "total_tokens",
    "input_tokens",
    "output_tokens",
    "is_compaction",
)
_TEXT = (
    f"CASE WHEN content_json IS NULL THEN 0 "
    f"WHEN length(CAST(content_json AS BLOB)) <= {LONG_VALUE_BYTES} THEN content_json END"
)


class Session(NamedTuple):
    cwd: str | None
    is_helper: bool
    created_at: float
    model: str
    window_tokens: int | None
    total_tokens: int | None
    output_tokens: int | None
    accumulated_tokens: int | None


class Row(NamedTuple):
    id: int
    size: int
    message: Message | None


class GooseRows:
    def __init__(self, connection: sqlite3.Connection, session_id: str) -> None:
        self._connection = connection
        self._session_id = session_id
        self._columns = session_columns(connection)
        self._has_metadata = "metadata_json" in columns(connection, "messages")
        self._usage_columns = columns(connection, "usage_ledger")
        self.has_usage = {"id", "session_id"} <= self._usage_columns and bool(
            self._ask("SELECT 1 FROM usage_ledger WHERE session_id = ? LIMIT 1")
        )

    def session(self) -> Session | None:
        names = (
            "working_dir", "session_type", "parent_session_id", "created_at", "model_config_json",
            "total_tokens", "output_tokens", "accumulated_total_tokens",
        )  # fmt: skip
        chosen = ", ".join(name if name in self._columns else "NULL" for name in names)
        found = self._ask(f"SELECT {chosen} FROM sessions WHERE id = ?")
        if not found:
            return None
        cwd, kind, parent, created, config, total, output, accumulated = found[0]
        model = decoded(config)
        model = model if isinstance(model, dict) else {}
        name = model.get("model_name")
        return Session(
            cwd=cwd if isinstance(cwd, str) and cwd else None,
            is_helper=kind in HELPERS or bool(parent),
            created_at=_utc_seconds(created),
            model=name if isinstance(name, str) else "",
            window_tokens=tokens_of(model.get("context_limit")),
            total_tokens=tokens_of(total),
            output_tokens=tokens_of(output),
            accumulated_tokens=tokens_of(accumulated),
        )

    def count(self, until_id: int) -> int:
        return int(
            self._ask("SELECT count(*) FROM messages WHERE session_id = ? AND id <= ?", until_id)[0][0]
        )

    def first_id(self) -> int:
        return int(self._ask("SELECT min(id) FROM messages WHERE session_id = ?")[0][0] or 0)

    def last_ids(self) -> tuple[int, int]:
        """Of the messages, and of the account."""
        usage = (
            self._ask("SELECT max(id) FROM usage_ledger WHERE session_id = ?") if self.has_usage else [(0,)]
        )
        messages = self._ask("SELECT max(id) FROM messages WHERE session_id = ?")
        return int(messages[0][0] or 0), int(usage[0][0] or 0)

    def after(self, row_id: int, limit: int) -> list[Row]:
        query = f"{self._select} AND id > ? ORDER BY id LIMIT ?"
        return [self._row(found) for found in self._ask(query, row_id, limit)]

    def messages(self) -> Iterator[Message]:
        query = f"{self._select} ORDER BY id"
        for found in self._connection.execute(query, (self._session_id,)):
            message = self._row(found).message
            if message is not None:
                yield message

    def last(self, until_id: int, limit: int) -> Iterator[Row]:
        """The last messages up to `until_id`, in order."""
        query = "SELECT id FROM messages WHERE session_id = ? AND id <= ? ORDER BY id DESC LIMIT ?"
        ids = [row[0] for row in self._ask(query, until_id, limit)]
        for row_id in reversed(ids):
            yield from self.after(row_id - 1, 1)

    def is_last_sent(self, row_id: int) -> bool:
        """Whether this message is still sent to the model: a compaction may have taken it back since."""
        row = next(iter(self.after(row_id - 1, 1)), None)
        return row is None or row.message is None or row.message.is_sent

    def usage(self, after_id: int) -> Iterator[tuple[int, Usage]]:
        if not self.has_usage:
            return
        names = ", ".join(
            name if name in self._usage_columns else "NULL" for name in (*_USAGE, "cost_source")
        )
        query = f"SELECT {names} FROM usage_ledger WHERE session_id = ? AND id > ? ORDER BY id"
        for row in self._connection.execute(query, (self._session_id, after_id)):
            yield int(row[0]), _usage_of(row)

    def last_request(self, until_id: int) -> Usage | None:
        if not self.has_usage:
            return None
        query = "SELECT id FROM usage_ledger WHERE session_id = ? AND id <= ? ORDER BY id DESC LIMIT 16"
        for (row_id,) in self._ask(query, until_id):
            _, usage = next(self.usage(row_id - 1))
            if usage.context_tokens and not usage.is_compaction:
                return usage
        return None

    @property
    def _select(self) -> str:
        metadata = "metadata_json" if self._has_metadata else "NULL"
        return f"SELECT id, role, created_timestamp, {_TEXT}, {metadata} FROM messages WHERE session_id = ?"

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(query, (self._session_id, *values)).fetchall()

    def _row(self, found: tuple[Any, ...]) -> Row:
        row_id, role, created, content, metadata = found
        if content is None:
            content = long_text(self._connection, "messages", "content_json", row_id)
        pieces = pieces_of(content)
        message = None if pieces is None else message_of(role, created, pieces, shown_of(metadata))
        return Row(row_id, len(content) if isinstance(content, str) else 0, message)


def session_columns(connection: sqlite3.Connection) -> frozenset[str]:
    """Raises UnknownSchema where there are no sessions of Goose."""
    found = columns(connection, "sessions")
    if not (found >= _SESSIONS and columns(connection, "messages") >= _MESSAGES):
        raise UnknownSchema("no tables of Goose as they are known; a newer agentinitd may read them")
    return found


def _usage_of(row: tuple[Any, ...]) -> Usage:
    row_id, created, model, total, given, answered, is_compaction, source = row
    given, answered = tokens_of(given), tokens_of(answered)
    tokens = tokens_of(total) or (given and given + (answered or 0))
    if source == "carried_forward":
        tokens = None  # what was used before there was an account, as one sum
    return Usage(
        id=f"usage:{row_id}",
        written_at=seconds(created),
        model=model if isinstance(model, str) else "",
        context_tokens=tokens,
        output_tokens=answered,
        is_compaction=bool(is_compaction),
    )


def _utc_seconds(value: object) -> float:
    """`2026-09-01 00:00:00`, as SQLite writes the time; 0 for anything else."""
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
        return found.replace(tzinfo=found.tzinfo or UTC).timestamp() if found else 0.0
    except (ValueError, OverflowError):
        return 0.0
