"""Finding again whatever was recorded: anchors, decisions, past snippets, past task states."""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from agentinitd.memory.decisions import FateWord, ids_in
from agentinitd.memory.excerpt import excerpt
from agentinitd.memory.recall_answer import Answer, Hit, Question
from agentinitd.memory.recall_entries import anchor_of
from agentinitd.memory.recall_files import recall_sources
from agentinitd.memory.recall_rows import ARCHIVE, Asked, Row, matching, originals, related
from agentinitd.memory.recall_store import index_in_memory, index_made_anew, index_on_disk, is_damage
from agentinitd.memory.search_tokens import Term, match_all, match_any, query_terms
from agentinitd.memory.task_binding import default_task

ENOUGH_HITS = 5
"""With fewer that have all the words, those follow that have some of them."""

_POOL = 50
_MOST_EQUAL = 2000
_MOST_TASKS = 5
# What was said once counts for less than what is recorded today.
_PAST_WEIGHT = 0.6
# Of what has only some of the words: weaker than this, compared with the best, it fills the page and no more.
_LEAST_OF_BEST = 0.25
_MOST_REPLACED = 5
"""Of one chain, while not all is asked for."""
# Of what belongs together the answer comes first, then what made it so, then what is open, then what is over.
_ORDER_OF_CHAIN: dict[FateWord, int] = {
    "restored": 0,
    "restores": 1,
    "conflict": 2,
    "claimed": 2,
    "gainsaid": 2,
    "overruled": 2,
}


def recall(project: Path, question: Question, *, now: Callable[[], float] = time.time) -> Answer:
    """Never raises for what lies on disk: an index that cannot be used is made anew, or done without."""
    terms = query_terms(question.text)
    if not terms:
        return Answer()
    scope = question.task or (None if question.is_all else default_task(project))
    search = _Search(question, terms, scope)
    sources = recall_sources(project)
    ways = [index_on_disk, index_made_anew]
    while ways:
        try:
            with ways.pop(0)(project, sources, now=now()) as connection:
                return search.answer(connection)
        except (sqlite3.Error, OSError, ValueError, TypeError, KeyError) as error:
            ways = ways if is_damage(error) else []
    with index_in_memory(project, sources, now=now()) as connection:
        return search.answer(connection)


@dataclass(frozen=True, slots=True)
class _Found:
    """Rows in the order of the answer, and what was passed over on the way."""

    rows: dict[int, tuple[Row, bool]] = field(default_factory=dict)
    """By id, with whether only a relation led there."""
    said: set[int] = field(default_factory=set)
    """Keys: what was said several times is shown once."""
    withdrawn: dict[int, Row] = field(default_factory=dict)
    """Over, and nothing that holds belongs to it."""


class _Search:
    """One question, over whichever index."""

    def __init__(self, question: Question, terms: tuple[Term, ...], scope: str | None) -> None:
        self._question = question
        self._terms = terms
        self._scope = scope
        self._asked = Asked(question.kinds, question.since, question.until, scope, question.is_all)

    def answer(self, connection: sqlite3.Connection) -> Answer:
        found = _Found()
        self._collect(connection, match_all(self._terms), found)
        if len(found.rows) < ENOUGH_HITS and match_any(self._terms) != match_all(self._terms):
            self._collect(connection, match_any(self._terms), found, least_of_best=_LEAST_OF_BEST)
        is_narrow = self._scope is not None and len(found.rows) < self._question.limit
        if not found.rows:
            # What was lifted is a better answer than none, as long as it says so.
            found.rows.update((id, (row, False)) for id, row in found.withdrawn.items())
        chosen = dict(list(found.rows.items())[: self._question.limit])
        return Answer(
            hits=tuple(self._hit(row, is_related=is_related) for row, is_related in chosen.values()),
            withdrawn=len(found.withdrawn.keys() - chosen.keys()),
            other_tasks=self._other_tasks(connection) if is_narrow else (),
        )

    def _collect(
        self, connection: sqlite3.Connection, match: str, found: _Found, *, least_of_best: float = 0.0
    ) -> None:
        pool = self._pool(connection, match)
        matched = {row.id for row in pool}
        best = min((row.rank for row in pool), default=0.0)
        for row in _best_first(pool):
            is_weak = row.rank > best * least_of_best and len(found.rows) >= ENOUGH_HITS
            if is_weak or len(found.rows) >= self._question.limit:
                return
            if row.entry.is_past and row.entry.key in found.said:
                continue
            found.said.add(row.entry.key)
            self._add(found, list(self._chain(connection, row)), matched)

    def _add(self, found: _Found, chain: list[Row], matched: set[int]) -> None:
        """A row with all that belongs to it; a chain that is over as a whole only when asked for."""
        if not self._question.is_all:
            over = [other for other in chain if other.is_withdrawn]
            is_alone = len(over) == len(chain)
            left_out = over if is_alone else over[_MOST_REPLACED:]
            found.withdrawn.update((other.id, other) for other in left_out if other.id in matched)
            chain = [other for other in chain if other not in left_out]
        for other in chain:
            found.rows.setdefault(other.id, (other, other.id not in matched))

    def _pool(self, connection: sqlite3.Connection, match: str) -> list[Row]:
        """The best rows, and all that are as good as the last of them."""
        pool: list[Row] = []
        size = max(_POOL, 2 * self._question.limit)
        for row in matching(connection, match, self._asked):
            if len(pool) >= _MOST_EQUAL or (len(pool) >= size and row.rank > pool[size - 1].rank):
                break
            pool.append(self._settled(connection, row))
        return pool

    def _other_tasks(self, connection: sqlite3.Connection) -> tuple[str, ...]:
        """Those with good hits that cannot be seen from here."""
        rows = matching(connection, match_all(self._terms), self._asked._replace(view=None, is_all=False))
        tasks = (row.entry.task for row in islice(rows, _POOL) if not self._is_in_scope(row))
        return tuple(dict.fromkeys(task or "" for task in tasks))[:_MOST_TASKS]

    def _is_in_scope(self, row: Row) -> bool:
        task = row.entry.task or ""
        if task.startswith(ARCHIVE) and not self._question.is_all:
            return False
        return self._scope is None or row.entry.task is None or task.removeprefix(ARCHIVE) == self._scope

    def _settled(self, connection: sqlite3.Connection, row: Row) -> Row:
        """A line of the past shares the fate of what is recorded in the same words."""
        if not row.entry.is_past:
            return row
        today = [other for other in originals(connection, row, self._scope) if self._is_in_scope(other)]
        is_gone = bool(today) and all(other.is_withdrawn for other in today)
        return row._replace(fate=today[0].fate) if is_gone else row

    def _chain(self, connection: sqlite3.Connection, row: Row) -> Iterator[Row]:
        """All that belongs together: what holds first, what it replaced last."""
        rows = [other for other in related(connection, row, self._scope) if self._is_in_scope(other)]
        rows = [row if other.id == row.id else other for other in rows if self._is_asked(other)]
        yield from sorted(rows, key=_place_in_chain)

    def _is_asked(self, row: Row) -> bool:
        at = -math.inf if row.entry.at is None else row.entry.at
        kinds, since, until = self._asked.kinds, self._asked.since, self._asked.until
        return (
            (not kinds or row.entry.kind in kinds)
            and (since is None or at >= since)
            and (until is None or at <= until)
        )

    def _hit(self, row: Row, *, is_related: bool) -> Hit:
        entry = row.entry
        anchor = anchor_of(entry) if entry.anchor else None
        return Hit(
            kind=entry.kind,
            text=excerpt(entry.what, self._terms),
            why=excerpt(entry.why, self._terms),
            id=entry.item,
            task=entry.task,
            at=entry.at,
            file=row.file,
            line=entry.line,
            fate=row.fate,
            replaces=tuple(ids_in(anchor.supersedes)) if anchor else (),
            restores=tuple(ids_in(anchor.restores)) if anchor else (),
            is_dead_end=anchor is not None and anchor.outcome == "failed",
            is_past=entry.is_past,
            is_related=is_related,
        )


def _best_first(rows: list[Row]) -> list[Row]:
    """Among those that are as good as equal the newest first."""
    best = min((row.rank for row in rows), default=-1.0)

    def place(row: Row) -> tuple[float, float]:
        weight = _PAST_WEIGHT if row.entry.is_past else 1.0
        return -round(row.rank * weight / best, 2), _newest(row)

    return sorted(rows, key=place)


def _place_in_chain(row: Row) -> tuple[int, float, int]:
    order = _ORDER_OF_CHAIN.get(row.fate.standing, 3) if row.fate is not None else 0
    return order, _newest(row), -row.entry.line


def _newest(row: Row) -> float:
    return math.inf if row.entry.at is None else -row.entry.at
