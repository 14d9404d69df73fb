"""How large the contexts of Copilot CLI were: rows of its `session-store.db`, matched with the answers.

The table holds a row for every call of the model, sub-agents and summaries included, mostly without saying
which is which; the session's own calls are known by the answer that stands in the transcript.  Both are
written when the answer is complete, in either order.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from agentinitd.model.events import CompactionMarker, ContextCleared, Event, Request, SessionSeen, Skipped
from agentinitd.transcripts.copilot_cli_reader import Unsized
from agentinitd.transcripts.database import UNREADABLE, Stamp, columns, opened, problem_of, stamp
from agentinitd.transcripts.json_lines import clean, seconds_of, tokens_of

TABLE = "assistant_usage_events"
NEAR_SECONDS = 120.0
"""A row and its answer are never further apart."""
CLOSE_SECONDS = 5.0
"""So close they belong together although they count the output in different ways."""
PATIENCE_SECONDS = 20.0
"""So long an answer waits for its row."""
RETRY_SECONDS = 0.5
MAX_WAITING = 64
PAGE_ROWS = 1024
KEPT_ROWS = 2 * PAGE_ROWS


class _Any:
    """Whatever number of tokens was put out."""


_ANY = _Any()
_OWN_CALLS = frozenset({"", "agent", "user"})
_NEEDED = frozenset({"id", "session_id", "model", "input_tokens", "created_at"})


class Row(NamedTuple):
    id: int
    model: str
    input_tokens: int
    """Includes what came from the cache: this is the context."""
    output_tokens: int | None
    written_at: float
    initiator: str

    @property
    def is_own(self) -> bool:
        """Nothing says that it is a call on the side."""
        return self.initiator in _OWN_CALLS


def read_rows(
    connection: sqlite3.Connection, session_id: str, after: int, *, before_at: float = 0.0
) -> list[Row]:
    """The next rows of this session, at most PAGE_ROWS.  Raises sqlite3.Error."""
    known = columns(connection, TABLE)
    if not known >= _NEEDED:
        return []
    output, initiator = (name if name in known else "NULL" for name in ("output_tokens", "initiator"))
    found = connection.execute(
        f"SELECT id, model, input_tokens, {output}, created_at, {initiator} FROM {TABLE}"
        " WHERE session_id = ? AND id > ? ORDER BY id LIMIT ?",
        (session_id, after, PAGE_ROWS),
    )
    rows: list[Row] = []
    for values in found:
        # A row without a time was written right after the one before.
        at = seconds_of(values[4] if type(values[4]) is str else None) or (
            rows[-1].written_at if rows else before_at
        )
        rows.append(_row_of(values, at))
    return rows


def _is_other_table(connection: sqlite3.Connection, cursor: int) -> bool:
    """Ids only grow: a table that does not reach so far was made anew."""
    if not columns(connection, TABLE) >= _NEEDED:
        return False
    [(highest,)] = connection.execute(f"SELECT max(id) FROM {TABLE}")
    return not isinstance(highest, int) or highest < cursor


def _row_of(values: tuple[Any, ...], at: float) -> Row:
    row_id, model, input_tokens, output_tokens, _, initiator = values
    return Row(
        row_id if isinstance(row_id, int) else 0,
        clean(model) or "",
        tokens_of(input_tokens) or 0,
        tokens_of(output_tokens),
        at,
        (clean(initiator) or "").lower() if initiator else "",
    )


class Sizes:
    """Turns the `Unsized`s of one session into `Request`s, each when its row is there."""

    def __init__(
        self,
        path: Path,
        session_id: str,
        checkpoint: Mapping[str, Any],
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.retry_at: float | None = None
        """An answer waits for its row: look again then."""
        self._path = path
        self._session_id = session_id
        self._now = now
        self._rows: list[Row] = []
        self._cursor = _count(checkpoint.get("cursor"))
        self._waiting = [(answer, now()) for answer in _answers(checkpoint.get("waiting"))]
        self._last_row_at = 0.0
        self._seen: Stamp | None = None
        """Of the database when all of its rows were read."""
        self._is_trouble_told = False

    def checkpoint(self) -> dict[str, Any]:
        cursor = self._rows[0].id - 1 if self._rows else self._cursor
        waiting = [msgspec.to_builtins(answer) for answer, _ in self._waiting]
        return {"cursor": max(cursor, 0), "waiting": waiting}

    def filled(self, events: list[Event], *, is_last: bool = False) -> list[Event]:
        """The same events, with sizes; first those that became known of earlier answers.

        `is_last`: nothing will come any more, so that nothing is waited for.
        """
        # By type and not by `isinstance`: this is asked of every event of every session.
        for event in events:
            if type(event) is SessionSeen and event.session_id != self._session_id:
                self._session_id, self._rows, self._cursor, self._seen = event.session_id, [], 0, None
        answers = [answer for answer, _ in self._waiting]
        answers += [event for event in events if type(event) is Unsized]
        if not answers:
            return events
        trouble = self._load(answers)
        told = self._settle(is_last=is_last)
        for event in events:
            kind = type(event)
            if kind is Unsized:
                assert isinstance(event, Unsized)
                request = self._sized(event, is_last=is_last)
                if request is not None:
                    told.append(request)
            else:
                if kind is CompactionMarker or kind is ContextCleared:
                    # A size from before must not be taken for one of after it.
                    self._waiting.clear()
                told.append(event)
        self.retry_at = self._now() + RETRY_SECONDS if self._waiting else None
        return told + trouble

    def _settle(self, *, is_last: bool) -> list[Event]:
        """The answers that waited: those whose row is there now."""
        waiting, self._waiting = self._waiting, []
        told: list[Event] = []
        for answer, since in waiting:
            is_late = is_last or self._now() - since >= PATIENCE_SECONDS
            request = self._sized(answer, is_last=is_late, since=since)
            if request is not None:
                told.append(request)
        return told

    def _sized(self, answer: Unsized, *, is_last: bool, since: float | None = None) -> Request | None:
        if self._rows and self._rows[0].written_at < (answer.written_at or 0.0) - NEAR_SECONDS:
            self._forget([answer, *(other for other, _ in self._waiting)])
        index = self._row_for(answer)
        is_overdue = index is None and (is_last or self._is_passed(answer))
        if is_overdue:
            index = self._nearest(answer, CLOSE_SECONDS, _ANY)
        if index is not None:
            row = self._rows.pop(index)
            return _request(answer, row) if row.input_tokens else None
        if not is_overdue and not answer.is_history:
            self._waiting.append((answer, self._now() if since is None else since))
            del self._waiting[:-MAX_WAITING]
        return None

    def _row_for(self, answer: Unsized) -> int | None:
        """The one that counts the same output, the nearest if there are several."""
        output = answer.output_tokens
        if output is None:
            return self._nearest(answer, CLOSE_SECONDS, _ANY)
        index = self._nearest(answer, NEAR_SECONDS, output)
        return self._nearest(answer, CLOSE_SECONDS, None) if index is None else index

    def _nearest(self, answer: Unsized, limit: float, output: int | _Any | None) -> int | None:
        """Its index.  Rows stand in the order of their ids, which is that of their times, or nearly so."""
        at, best = answer.written_at, None
        if at is None:
            return None
        for index, row in enumerate(self._rows):
            distance = row.written_at - at
            if distance > limit:
                break
            if -limit <= distance and (output is _ANY or row.output_tokens == output):
                best, limit = index, abs(distance)
        return best

    def _is_passed(self, answer: Unsized) -> bool:
        """Its row would be there by now, as later ones are; or there is no database to wait for."""
        at = answer.written_at
        return at is None or self._last_row_at > at + NEAR_SECONDS or _is_absent(self._path)

    def _load(self, answers: list[Unsized]) -> list[Event]:
        """The rows up to the last answer; what stands in the way of them is told once."""
        until = max((answer.written_at or 0.0 for answer in answers), default=0.0) + NEAR_SECONDS
        try:
            seen = stamp(self._path)
            if seen.is_absent or seen == self._seen:
                return []
            with opened(self._path) as connection:
                is_all = self._load_from(connection, until, answers)
        except UNREADABLE as error:
            return self._trouble(answers[-1], error)
        self._seen = seen if is_all and not seen.is_racy else None
        return []

    def _load_from(self, connection: sqlite3.Connection, until: float, answers: list[Unsized]) -> bool:
        """Whether that was all."""
        if self._cursor and _is_other_table(connection, self._cursor):
            self._cursor, self._rows, self._last_row_at = 0, [], 0.0
        while True:
            rows = read_rows(connection, self._session_id, self._cursor, before_at=self._last_row_at)
            if rows:
                self._take(rows, answers)
            if len(rows) < PAGE_ROWS:
                return True
            if self._last_row_at > until:
                return False

    def _take(self, rows: list[Row], answers: list[Unsized]) -> None:
        self._cursor, self._last_row_at = rows[-1].id, rows[-1].written_at
        self._rows += [row for row in rows if row.is_own]
        self._forget(answers)

    def _forget(self, answers: Iterable[Unsized]) -> None:
        """Rows that are too old for all of these, and so for every answer that may still come."""
        times = [answer.written_at for answer in answers if answer.written_at is not None]
        oldest = min(times, default=0.0) - NEAR_SECONDS
        first = next((at for at, row in enumerate(self._rows) if row.written_at >= oldest), len(self._rows))
        del self._rows[: max(first, len(self._rows) - KEPT_ROWS)]

    def _trouble(self, answer: Unsized, error: BaseException) -> list[Event]:
        if self._is_trouble_told:
            return []
        self._is_trouble_told = True
        reason = f"context sizes are not known: {problem_of(self._path, error)}"
        return [Skipped(line=answer.line, offset=answer.offset, reason=reason)]


def _request(answer: Unsized, row: Row) -> Request:
    return Request(
        line=answer.line,
        offset=answer.offset,
        written_at=answer.written_at,
        is_history=answer.is_history,
        is_helper=answer.is_helper,
        request_id=answer.request_id,
        model=row.model or answer.model,
        context_tokens=row.input_tokens,
        window_tokens=answer.window_tokens,
    )


def _is_absent(path: Path) -> bool:
    try:
        return stamp(path).is_absent
    except UNREADABLE:
        return False


def _count(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _answers(values: object) -> list[Unsized]:
    """Out of a checkpoint; one of another version holds none that we know."""
    try:
        return msgspec.convert(values or [], list[Unsized])
    except msgspec.ValidationError:
        return []
