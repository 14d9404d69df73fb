"""Asking the search index: entries as rows, what matches some words, and what replaced what."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from agentinitd.memory.recall_entries import Entry, RecallKind

COLUMNS = ("kind", "what", "why", "names", "item", "task", "at", "line", "past", "anchor")
"""Of the table `entry`: the fields of `Entry`."""

_SELECT = f"""
select e.id, {", ".join(f"e.{name}" for name in COLUMNS)}, s.name,
  (select g.by from gone g where g.entry = e.id and (g.view in ('', :view) or g.view = e.task))
"""
_NO_COPIES = """
 and not (e.past and exists (
   select 1 from entry o where o.key = e.key and not o.past
   and (:view is null or o.task is null or o.task = :view)
 ))
"""
"""A line of the past that says what is recorded today: that is found where it stands."""
_LIMIT_RELATED = 50


class Row(NamedTuple):
    """An entry that was found, with its place."""

    id: int
    entry: Entry
    file: str
    gone_by: str | None
    """Id of what replaced it, in the view that was asked for."""
    rank: float = 0.0
    """The smaller, the better."""


class Asked(NamedTuple):
    """What rows are asked for; with a `view`, what this task sees: the project's and its own."""

    kinds: tuple[RecallKind, ...] = ()
    since: float | None = None
    until: float | None = None
    view: str | None = None


def values_of(entry: Entry) -> tuple[object, ...]:
    return (
        entry.kind, entry.what, entry.why, entry.names, entry.item, entry.task, entry.at, entry.line,
        entry.is_past, entry.anchor,
    )  # fmt: skip


def entry_of(values: Any) -> Entry:
    kind, what, why, names, item, task, at, line, past, anchor = values
    return Entry(
        kind=kind, what=what, why=why, names=names, item=item, task=task, at=at, line=line,
        is_past=bool(past), anchor=anchor,
    )  # fmt: skip


def matching(connection: sqlite3.Connection, match: str, asked: Asked) -> Iterator[Row]:
    """What matches, best first, one by one: it costs what is taken."""
    conditions = "".join(
        [
            f" and e.kind in ({','.join(map(repr, asked.kinds))})" if asked.kinds else _NO_COPIES,
            " and (e.task is null or e.task = :view)" if asked.view is not None else "",
            " and e.at >= :since" if asked.since is not None else "",
            " and e.at <= :until" if asked.until is not None else "",
        ]
    )
    query = (
        f"{_SELECT}, words.rank from words join entry e on e.id = words.rowid"
        f" join source s on s.id = e.source where words match :match{conditions} order by words.rank"
    )
    return map(_row, connection.execute(query, {"match": match, **asked._asdict()}))


def related(connection: sqlite3.Connection, row: Row, view: str | None) -> list[Row]:
    """All that replaced it or was replaced by it, over any number of steps, itself included."""
    seen: dict[int, Row] = {row.id: row}
    waiting = [row]
    while waiting and len(seen) < _LIMIT_RELATED:
        current = waiting.pop()
        for other in _neighbours(connection, current, view):
            if other.id not in seen:
                seen[other.id] = other
                waiting.append(other)
    return list(seen.values())


def _neighbours(connection: sqlite3.Connection, row: Row, view: str | None) -> Iterator[Row]:
    if not row.entry.item:
        return
    query = (
        f"{_SELECT} from entry e join source s on s.id = e.source where e.item != '' and ("
        " e.id in (select newer from link where older = :item)"
        " or e.item in (select older from link where newer = :id))"
    )
    names = {"item": row.entry.item, "id": row.id, "view": view}
    for other in map(_row, connection.execute(query, names)):
        # An id of one task means nothing in another.
        if None in (row.entry.task, other.entry.task) or row.entry.task == other.entry.task:
            yield other


def originals(connection: sqlite3.Connection, row: Row, view: str | None) -> list[Row]:
    """What is recorded today in the same words as this line of the past."""
    query = f"{_SELECT} from entry e join source s on s.id = e.source where e.key = :key and not e.past"
    return list(map(_row, connection.execute(query, {"key": row.entry.key, "view": view})))


def _row(values: Any) -> Row:
    id, *columns = values[: len(COLUMNS) + 1]
    return Row(id, entry_of(columns), *values[len(COLUMNS) + 1 :])
