"""Asking the search index: entries as rows, what matches some words, and what replaced what."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any, NamedTuple

from agentinitd.memory.decisions import Fate
from agentinitd.memory.recall_entries import Entry, RecallKind

COLUMNS = ("kind", "what", "why", "names", "item", "task", "at", "line", "past", "anchor")
"""Of the table `entry`: the fields of `Entry`."""

_VIEW = """
case when :view in (select name from judged) then :view
     when :view is null and e.task in (select name from judged) then e.task else '' end
"""
"""Which judgement counts: that of the task that asks, else that of the task it belongs to."""
_SELECT = f"""
select e.id, {", ".join(f"e.{name}" for name in COLUMNS)}, s.name,
  e.item != '' and (e.anchor is not null or exists (select 1 from link where older = e.item)),
  (select f.fate from fate f where f.entry = e.id and f.view = {_VIEW})
"""
ARCHIVE = ".archive/"
"""Begins the name of a task that is in the archive."""

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
    is_linked: bool
    """Something may belong to it: what it replaced, or what replaced it."""
    fate: Fate | None
    """In the view that was asked for; None: it holds."""
    rank: float = 0.0
    """The smaller, the better."""

    @property
    def is_withdrawn(self) -> bool:
        return self.fate is not None and self.fate.is_withdrawn


class Asked(NamedTuple):
    """What rows are asked for; with a `view`, what this task sees: the project's and its own."""

    kinds: tuple[RecallKind, ...] = ()
    since: float | None = None
    until: float | None = None
    view: str | None = None
    is_all: bool = False
    """Also what is in the archive."""


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
            _seen(asked),
            " and e.at >= :since" if asked.since is not None else "",
            " and e.at <= :until" if asked.until is not None else "",
        ]
    )
    query = (
        f"{_SELECT}, words.rank from words join entry e on e.id = words.rowid"
        f" join source s on s.id = e.source where words match :match{conditions} order by words.rank"
    )
    return map(_row, connection.execute(query, {"match": match, "archive": ARCHIVE, **asked._asdict()}))


def _seen(asked: Asked) -> str:
    """Of which tasks things are found."""
    if asked.view is None:
        return "" if asked.is_all else " and (e.task is null or e.task not like :archive || '%')"
    archived = " or e.task = :archive || :view" if asked.is_all else ""
    return f" and (e.task is null or e.task = :view{archived})"


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
    if not row.is_linked:
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
    file, is_linked, fate, *rank = values[len(COLUMNS) + 1 :]
    return Row(id, entry_of(columns), file, bool(is_linked), Fate(*json.loads(fate)) if fate else None, *rank)
