"""Where the search index lies: it is made, brought up to date and thrown away here, by one writer at a time.

It is derived: whatever is wrong with it costs time and nothing else (architecture.md section 4).  Readers
take no lock: SQLite's write-ahead log lets them read while somebody writes.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from agentinitd.memory.project import MEMORY_FOLDER
from agentinitd.memory.recall_files import Source
from agentinitd.memory.recall_index import VERSION, Index
from agentinitd.model.errors import NotInstalled

INDEX_NAME = "index.sqlite"
LOCK_NAME = "index.sqlite-lock"
_LEAST_PATIENCE_SECONDS = 1.0
_BYTES_PER_SECOND = 1_000_000
"""How fast an index is made at the least: whoever holds the lock may be making one."""
_LOCK_POLL_SECONDS = 0.02
_BUSY_SECONDS = 2.0
# As in the store: two writes within one tick of the clock look like one.
_YOUNG_SECONDS = 0.1
_FOREIGN_CODES = frozenset(
    {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_FULL}
)

Opened = AbstractContextManager[sqlite3.Connection]


def index_on_disk(project: Path, sources: list[Source], *, now: float) -> Opened:
    """The index of the project, up to date.  Raises OSError and sqlite3.Error when it cannot be used."""
    return _opened(project, sources, now, is_kept=True)


def index_made_anew(project: Path, sources: list[Source], *, now: float) -> Opened:
    """The same, whatever was there."""
    return _opened(project, sources, now, is_kept=False)


@contextmanager
def index_in_memory(_project: Path, sources: list[Source], *, now: float) -> Iterator[sqlite3.Connection]:
    """For a folder where nothing may be written, or while somebody else writes for too long."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        try:
            _fill(connection, sources, now, identity="memory")
        except sqlite3.OperationalError as error:
            cure = "Install a Python whose SQLite has FTS5, such as those of python.org."
            raise NotInstalled(
                f"The SQLite of {sys.executable} cannot search texts: {error}. {cure}"
            ) from error
        yield connection


def is_damage(error: Exception) -> bool:
    """Whether making the index anew may help."""
    code = getattr(error, "sqlite_errorcode", None)
    return not isinstance(error, OSError) and (code is None or code & 0xFF not in _FOREIGN_CODES)


@contextmanager
def _opened(
    project: Path, sources: list[Source], now: float, *, is_kept: bool
) -> Iterator[sqlite3.Connection]:
    folder = _own_folder(project)
    path = folder / INDEX_NAME
    connection = _existing(path) if is_kept else None
    try:
        if connection is None or not Index(connection).is_current(sources):
            if connection is not None:
                connection.close()
            with _locked(folder, patience_seconds=_patience_seconds(sources)):
                # Look again: whoever held the lock may have done it all.
                connection = _existing(path) if is_kept else None
                connection = connection or _empty(path)
                _fill(connection, sources, now, identity=_identity(path))
        yield connection
    finally:
        if connection is not None:
            connection.close()


def _own_folder(project: Path) -> Path:
    """Where we write must be the project's and ours: a repository can bring a link, root can look in."""
    folder = project / MEMORY_FOLDER
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise OSError(f"{folder} is a link, or belongs to somebody else; nothing is written there")
    return folder


def _patience_seconds(sources: list[Source]) -> float:
    """As long as it would take us without the index."""
    return _LEAST_PATIENCE_SECONDS + sum(source.stamp[2] for source in sources) / _BYTES_PER_SECOND


@contextmanager
def _locked(folder: Path, *, patience_seconds: float) -> Iterator[None]:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(folder / LOCK_NAME, flags, 0o600)
    try:
        deadline = time.monotonic() + patience_seconds
        while not _is_taken(descriptor):
            if time.monotonic() > deadline:
                raise OSError(f"{folder / LOCK_NAME} is held by another process")
            time.sleep(_LOCK_POLL_SECONDS)
        yield
    finally:
        os.close(descriptor)


def _is_taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _existing(path: Path) -> sqlite3.Connection | None:
    """None when there is none, or none that we made here: an archive can carry one with other words."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_nlink != 1:
        return None
    if found.st_mode & 0o077:
        path.chmod(0o600)
    connection = _connect(path)
    try:
        if Index(connection).identity() == _identity(path):
            return connection
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def _connect(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(os.fsencode(path))}?mode=rw"
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
    connection.execute("pragma trusted_schema = off")
    return connection


def _identity(path: Path) -> str:
    """Of the program's version and of this very file: a copy from elsewhere is none of ours."""
    found = path.stat()
    return f"{VERSION}:{found.st_dev}:{found.st_ino}"


def _empty(path: Path) -> sqlite3.Connection:
    """A new file in place of what was there; a log left behind would be played back into it."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))
    connection = _connect(path)
    connection.execute("pragma journal_mode = wal")
    return connection


def _fill(connection: sqlite3.Connection, sources: list[Source], now: float, *, identity: str) -> None:
    """All in one transaction: killed at any point, the index is what it was."""
    index = Index(connection)
    connection.execute("pragma synchronous = normal")
    connection.execute("begin immediate")
    try:
        is_new = index.identity() != identity
        if is_new:
            index.create(identity)
        index.follow(sources, is_young=lambda source: _is_young(source, now))
        connection.execute("commit")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("rollback")
        raise
    if is_new:
        # From here on the file is whole without its log.
        connection.execute("pragma wal_checkpoint(truncate)")


def _is_young(source: Source, now: float) -> bool:
    return any(abs(now - nanoseconds / 1e9) < _YOUNG_SECONDS for nanoseconds in source.stamp[3:])
