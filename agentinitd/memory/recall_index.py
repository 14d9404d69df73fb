"""The search index as SQLite tables: what they hold, how they follow the files, and how they are asked."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping

from agentinitd.disk import read_bounded
from agentinitd.memory.contraries import fates_beside
from agentinitd.memory.decisions import ids_in, standing
from agentinitd.memory.recall_entries import (
    Entry,
    anchor_entries,
    anchor_of,
    history_entries,
    snippet_entries,
    state_entries,
)
from agentinitd.memory.recall_files import Source
from agentinitd.memory.recall_rows import COLUMNS, entry_of, values_of
from agentinitd.memory.search_tokens import index_text
from agentinitd.model.facts import Anchor

VERSION = 5
"""To be raised whenever the tables, the entries or the tokens change."""

_GUARD_BYTES = 256
_READ_BYTES = 64 * 1024 * 1024
EVERYWHERE = ""
"""The view of the whole project; the others are tasks."""

_SCHEMA = """
create table meta (name text primary key, value text) without rowid;
create table source (
    id integer primary key, name text unique, stamp text, size integer, lines integer, guard blob
);
create table entry (
    id integer primary key autoincrement, source integer, digest integer, line integer, kind text, item text,
    task text, at real, what text, why text, names text, key integer, past integer, anchor text
);
create index entry_source on entry (source, digest);
create index entry_key on entry (key);
create index entry_item on entry (item) where item != '';
create table link (older text, newer integer, primary key (older, newer)) without rowid;
create index link_newer on link (newer);
create table judged (name text primary key) without rowid;
create table fate (entry integer, view text, fate text, primary key (entry, view)) without rowid;
create virtual table words using fts5 (what, why, names, content='', tokenize='porter unicode61');
insert into words (words, rank) values ('rank', 'bm25(2.0, 1.0, 1.0)');
"""
_COLUMNS = ", ".join(COLUMNS)


class Index:
    """Over one connection; whoever opened that closes it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._execute = connection.execute

    def create(self, identity: str) -> None:
        for statement in _SCHEMA.strip().split(";\n"):
            self._execute(statement)
        self._execute("insert into meta values ('identity', ?)", (identity,))

    def identity(self) -> str | None:
        """What `create` was told; None when this is no index."""
        try:
            found = self._execute("select value from meta where name = 'identity'").fetchone()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
            return None
        return found[0] if found else None

    # --- Following the files

    def is_current(self, sources: list[Source]) -> bool:
        known = dict(self._execute("select name, stamp from source"))
        return len(known) == len(sources) and all(
            known.get(source.name) == _stamp_text(source) for source in sources
        )

    def follow(self, sources: list[Source], *, is_young: Callable[[Source], bool]) -> None:
        """Takes in what changed.  A file that is `is_young` may change again unseen: it is read once more."""
        known = dict(self._execute("select name, stamp from source"))
        is_changed = False
        for name in known.keys() - {source.name for source in sources}:
            self._forget(name)
            is_changed = True
        for source in sources:
            if known.get(source.name) != _stamp_text(source):
                self._take(source, stamp="" if is_young(source) else _stamp_text(source))
                is_changed = is_changed or source.kind == "anchors"
        if is_changed:
            self._judge({source.name: source.stamp[3] / 1e9 for source in sources})

    def _forget(self, name: str) -> None:
        [(number,)] = self._execute("select id from source where name = ?", (name,)).fetchall()
        self._remove([row[0] for row in self._execute("select id from entry where source = ?", (number,))])
        self._execute("delete from source where id = ?", (number,))

    def _take(self, source: Source, *, stamp: str) -> None:
        self._execute("insert or ignore into source (name) values (?)", (source.name,))
        query = "select id, size, lines, guard from source where name = ?"
        number, size, lines, guard = self._execute(query, (source.name,)).fetchone()
        try:
            data = read_bounded(source.path, _READ_BYTES)  # type: ignore[arg-type]  # a path as a text will do
        except OSError:
            data = b""
        if source.kind in ("history", "snippets"):
            start, first = (size, lines) if _goes_on(data, size, guard) else (0, 0)
            # What follows the last line feed may grow yet; it is taken as it is, and read again.
            end = data.rfind(b"\n") + 1
            told = list(enumerate(data[start:].split(b"\n"), start=first + 1))
            read = snippet_entries(told) if source.kind == "snippets" else history_entries(told, source.task)
            self._merge(number, read, is_more=start > 0)
            size, lines, guard = end, first + len(told) - 1, _guard(data, end)
        else:
            self._merge(number, _entries(source, data), is_more=False)
        update = "update source set stamp = ?, size = ?, lines = ?, guard = ? where id = ?"
        self._execute(update, (stamp, size, lines, guard, number))

    def _merge(self, source: int, entries: Iterable[Entry], *, is_more: bool) -> None:
        """Makes these the entries of a file, or adds them; what was there already keeps its words."""
        found = {entry.digest: entry for entry in entries}
        query = "select digest, id from entry where source = ?"
        known: dict[int, int] = dict(self._execute(query, (source,)))
        if not is_more:
            self._remove([known[digest] for digest in known.keys() - found.keys()])
        moved = [
            (entry.line, entry.at, entry.anchor, known[digest])
            for digest, entry in found.items()
            if digest in known
        ]
        self._connection.executemany("update entry set line = ?, at = ?, anchor = ? where id = ?", moved)
        self._add(source, [(digest, entry) for digest, entry in found.items() if digest not in known])

    def _add(self, source: int, entries: list[tuple[int, Entry]]) -> None:
        last = self._execute("select coalesce(max(seq), 0) from sqlite_sequence").fetchone()[0]
        numbered = list(enumerate(entries, start=last + 1))
        self._connection.executemany(
            f"insert into entry (id, source, digest, key, {_COLUMNS}) values ({','.join('?' * 14)})",
            ((id, source, digest, entry.key, *values_of(entry)) for id, (digest, entry) in numbered),
        )
        self._connection.executemany(
            "insert into words (rowid, what, why, names) values (?, ?, ?, ?)",
            ((id, *_tokens(entry.what, entry.why, entry.names)) for id, (_, entry) in numbered),
        )

    def _remove(self, ids: Iterable[int]) -> None:
        numbers = [(id,) for id in ids]
        for (id,) in numbers:
            texts = self._execute("select what, why, names from entry where id = ?", (id,)).fetchone()
            command = "insert into words (words, rowid, what, why, names) values ('delete', ?, ?, ?, ?)"
            self._execute(command, (id, *_tokens(*texts)))
        self._connection.executemany("delete from entry where id = ?", numbers)

    # --- What still holds

    def _judge(self, changed_at: Mapping[str, float]) -> None:
        """Says what became of each anchor, in the view of the project and in that of each task."""
        for table in ("link", "judged", "fate"):
            self._execute(f"delete from {table}")
        newer = list(self._anchors("e.anchor is not null"))
        self._link((older, id) for id, _, anchor in newer for older in _named(anchor))
        linked = "e.item != '' and (e.anchor is not null or e.item in (select older from link))"
        anchors = list(self._anchors(linked))
        views = {task or EVERYWHERE for _, task, _ in anchors} | {EVERYWHERE}
        self._connection.executemany("insert into judged values (?)", [(view,) for view in views])
        for view in views:
            seen = [(id, anchor) for id, task, anchor in anchors if task in (None, view)]
            fates = standing(anchor for _, anchor in seen)
            numbers = {anchor.id: id for id, anchor in seen}
            self._link(
                (other, numbers[conflict.served]) for conflict in fates.conflicts for other in conflict.others
            )
            beside = list(fates_beside([anchor for _, anchor in seen], fates, changed_at))
            told = [
                (id, view, json.dumps(fate))
                for (id, _), fate in zip(seen, beside, strict=True)
                if fate is not None
            ]
            self._connection.executemany("insert or ignore into fate values (?, ?, ?)", told)
            self._link(
                (anchor.id, numbers[fate.by])
                for (_, anchor), fate in zip(seen, beside, strict=True)
                if fate is not None and fate.standing in ("gainsaid", "overruled")
            )

    def _link(self, links: Iterable[tuple[str, int]]) -> None:
        """Id and entry of what belongs together."""
        self._connection.executemany("insert or ignore into link values (?, ?)", links)

    def _anchors(self, where: str) -> Iterator[tuple[int, str | None, Anchor]]:
        """Linked anchors with their id and task, in the order in which they are served."""
        query = (
            f"select e.id, {_COLUMNS} from entry e join source s on s.id = e.source where {where}"
            " order by e.task is not null, s.name, e.line"
        )
        for id, *values in self._execute(query):
            entry = entry_of(values)
            yield id, entry.task, anchor_of(entry)


def _tokens(*texts: str) -> Iterator[str]:
    return map(index_text, texts)


def _entries(source: Source, data: bytes) -> Iterator[Entry]:
    if source.kind == "state":
        return state_entries(data, source.task)
    text = "" if b"\0" in data else data.decode("utf-8", "replace")
    return anchor_entries(text, source.name, source.task)


def _stamp_text(source: Source) -> str:
    return ":".join(map(str, source.stamp))


def _goes_on(data: bytes, size: int | None, guard: bytes | None) -> bool:
    """Whether the file begins with all that was read of it, as one does that is only appended to."""
    return bool(size) and len(data) >= (size or 0) and _guard(data, size or 0) == guard


def _guard(data: bytes, size: int) -> bytes:
    ends = data[: min(size, _GUARD_BYTES)] + data[max(0, size - _GUARD_BYTES) : size]
    return hashlib.blake2b(ends, digest_size=16).digest()


def _named(anchor: Anchor) -> list[str]:
    return [*ids_in(anchor.supersedes), *ids_in(anchor.restores)]
