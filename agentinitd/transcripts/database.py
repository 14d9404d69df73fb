"""An agent's SQLite database, read without leaving a trace: never written to, never checkpointed, never held.

A connection lives for one read.  While the agent has the database open, its shared memory is opened read-only
as well, so that not even the mark of a reader is written; a read in progress keeps nobody from writing.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from agentinitd.transcripts.lines import LONG_LINE_BYTES
from agentinitd.transcripts.long_line import LongLine

BUSY_SECONDS = 0.05
"""Only a database without a write-ahead log makes readers wait: while a commit is written."""
PAGES_KIB = 256
"""In memory, of each connection: it reads on, and by itself SQLite would keep 2 MiB of what was passed."""
LONG_VALUE_BYTES = LONG_LINE_BYTES
"""A longer value is squeezed while it is read, as a long line is."""
RACY_NS = 50_000_000
"""A file changed so short a time ago may change again and show the same time."""
SEPARATOR = "#"

_MAGIC = b"SQLite format 3\0"
_BLOCK_BYTES = 256 * 1024
UNREADABLE = (sqlite3.Error, OSError, ValueError, OverflowError, MemoryError)
"""What reading a database may raise; ValueError is for paths that can name no file."""


class Stamp(NamedTuple):
    """Two alike: nothing was committed in between."""

    files: tuple[tuple[int, int, int, int] | None, ...]
    """Device, inode, size and time of change: of the database, and of its write-ahead log."""
    is_racy: bool
    """It changed just now: a change to come might not show."""

    @property
    def is_absent(self) -> bool:
        return self.files[0] is None


def stamp(path: Path) -> Stamp:
    """Raises OSError for a path that cannot be looked at."""
    files = tuple(_looked(Path(f"{path}{suffix}")) for suffix in ("", "-wal"))
    newest = max((file[3] for file in files if file is not None), default=0)
    return Stamp(files, is_racy=time.time_ns() - newest < RACY_NS)


def _looked(path: Path) -> tuple[int, int, int, int] | None:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, "not a regular file")  # a FIFO would keep us waiting for ever
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def is_database(path: Path) -> bool:
    try:
        # Not to hang on a FIFO.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError):
        return False
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode) and os.pread(descriptor, 16, 0) == _MAGIC
    except OSError:
        return False
    finally:
        os.close(descriptor)


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """One consistent view of the database; raises one of UNREADABLE."""
    connection = sqlite3.connect(_uri(path), uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        connection.text_factory = _text
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("BEGIN")
        connection.execute(f"PRAGMA cache_size = -{PAGES_KIB}")
        yield connection
    finally:
        connection.close()


def _uri(path: Path) -> str:
    # Without shared memory nobody has a write-ahead log in use, and a read-only one could not be made.
    is_in_use = Path(f"{path}-shm").exists()
    return f"file:{quote(os.fsencode(path))}?mode=ro" + ("&readonly_shm=1" if is_in_use else "")


_text = partial(str, encoding="utf-8", errors="replace")


def columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """Of this table, empty when there is none: a view of that name counts as none."""
    if not connection.execute(
        "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)
    ).fetchone():
        return frozenset()
    return frozenset(
        str(row[0]) for row in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
    )


def long_text(connection: sqlite3.Connection, table: str, column: str, rowid: int) -> str | None:
    """A long JSON value with its long strings cut; None when that does not make it short."""
    line = LongLine()
    with connection.blobopen(table, column, rowid, readonly=True) as blob:
        while piece := blob.read(_BLOCK_BYTES):
            line.feed(piece)
    return None if line.is_too_long else _text(bytes(line.kept))


def problem_of(path: Path, error: BaseException) -> str:
    """What, which, and the cure."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"{path}: locked by another program; it is read again at the next change"
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return f"{path}: damaged ({error}); restore it, or let its agent make a new one"
    if name.startswith("SQLITE_CANTOPEN"):
        return f"{path}: cannot be opened; make it readable, and its folder writable: its log lies there"
    detail = (error.strerror if isinstance(error, OSError) else None) or error
    return f"{path}: cannot be read ({detail})"


def name_of(path: Path, session_id: str) -> str:
    return f"{path}{SEPARATOR}{session_id}"


def split_name(name: str) -> tuple[Path, str]:
    """The database and the session of a name that `name_of` made; session ids hold no separator."""
    path, _, session_id = name.rpartition(SEPARATOR)
    return Path(path), session_id
