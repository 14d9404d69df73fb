"""Follows one session in a database that its agent is writing: looks whether anything changed, then asks.

What a session says is up to its agent's reader; when to open the database, what to do when that fails, and
to keep neither a descriptor nor a lock in between is settled here.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from agentinitd.model.events import Event
from agentinitd.transcripts.database import UNREADABLE, Stamp, opened, problem_of, split_name, stamp

S = TypeVar("S")
READ_BYTES = 1024 * 1024
RETRY_SECONDS = 1.0
"""What could not be read is tried again after so long."""


class UnknownSchema(Exception):
    """The database is none of the agent's, or of a version that nobody knows yet."""


class SessionReader(Protocol):
    """One session of one agent.  What makes `read` raise leaves it as it was before."""

    has_more: bool
    wait_seconds: float | None
    """There is something half-written: look again after so long although nothing changed."""

    @property
    def offset(self) -> int:
        """Records read so far."""
        ...

    def read(self, store: Any, max_bytes: int, *, is_last: bool) -> list[Event]:
        """What is new in the opened `store`.  `is_last`: what is half-written stays so.

        Raises UnknownSchema, and one of `database.UNREADABLE`.
        """
        ...

    def checkpoint(self) -> dict[str, Any]: ...


class StoreFollower(Generic[S]):
    """Satisfies `follower.Follower`."""

    def __init__(
        self,
        name: str,
        reader: SessionReader,
        *,
        path: Path,
        looked: Callable[[Path], Stamp],
        opened: Callable[[Path], AbstractContextManager[S]],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.has_more = False
        self.flush_at: float | None = None
        self.problem: str | None = None
        self._path = path
        self._looked = looked
        self._opened = opened
        self._reader = reader
        self._now = now
        self._seen: Stamp | None = None
        """Of the state that was read to its end; None while there may be more to read."""

    @property
    def offset(self) -> int:
        return self._reader.offset

    def read(self, max_bytes: int = READ_BYTES) -> list[Event]:
        return self._read(max_bytes, is_last=False)

    def finish(self) -> list[Event]:
        """Reads what is left to read, too."""
        events: list[Event] = []
        is_more = True
        while is_more:
            self._seen = None
            events += self._read(READ_BYTES, is_last=True)
            is_more = self.has_more
        return events

    def checkpoint(self) -> dict[str, Any]:
        return self._reader.checkpoint()

    def _read(self, max_bytes: int, *, is_last: bool) -> list[Event]:
        seen: Stamp | None = None
        try:
            seen = self._looked(self._path)
            if seen == self._seen and not self._is_due():
                return []
            self._settle(None, None)
            if seen.is_absent:
                return []
            with self._opened(self._path) as store:
                events = self._reader.read(store, max_bytes, is_last=is_last)
        except UnknownSchema as unknown:
            # It changes when its agent migrates it, and is looked at again then.
            self._settle(seen, f"{self._path}: {unknown}")
            return []
        except UNREADABLE as error:
            self._settle(None, problem_of(self._path, error))
            self.flush_at = self._now() + RETRY_SECONDS
            return []
        self._go_on(seen)
        return events

    def _go_on(self, seen: Stamp) -> None:
        self.has_more = self._reader.has_more
        if not seen.is_racy and not self.has_more:
            self._seen = seen
        if self._reader.wait_seconds is not None:
            self.flush_at = self._now() + self._reader.wait_seconds

    def _is_due(self) -> bool:
        return self.flush_at is not None and self._now() >= self.flush_at

    def _settle(self, seen: Stamp | None, problem: str | None) -> None:
        self.has_more, self.flush_at = False, None
        self._seen, self.problem = seen, problem


def follow_database(name: str, reader: SessionReader) -> StoreFollower[sqlite3.Connection]:
    return StoreFollower(name, reader, path=split_name(name)[0], looked=stamp, opened=opened)
