"""Which transcripts lie below a root, and how large each is: the truth that file events only hint at.

For agents that keep each session in a file of its own: what `Agent.scan` and its neighbours need.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import IO

from agentinitd.transcripts.follower import Seen
from agentinitd.transcripts.lines import Lines

MAX_DEPTH = 6


def scan(root: Path, is_main: Callable[[PurePath], bool]) -> dict[str, Seen]:
    """Every file below `root` of which `is_main` holds.  What cannot be read is left out this time."""
    found: dict[str, Seen] = {}
    for entry in _files(str(root), MAX_DEPTH):
        if not _is_text(entry.path):
            continue
        if not is_main(PurePath(entry.path)):
            continue
        try:
            status = entry.stat()
        except OSError:
            continue
        found[entry.path] = Seen(status.st_size, status.st_mtime_ns, status.st_ino)
    return found


def _is_text(path: str) -> bool:
    """No agent gives its transcripts other names, and JSON could not carry them."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def look(path: str) -> Seen | None:
    try:
        status = os.stat(path)  # noqa: PTH116 - once a second for each active session
    except (OSError, ValueError):
        return None
    return Seen(status.st_size, status.st_mtime_ns, status.st_ino)


HEAD_BYTES = 1024 * 1024
"""Where a record that tells the agent is looked for."""
LONGEST_HEAD_BYTES = 64 * 1024 * 1024
"""The same, while not even the first line has ended."""
_BLOCK_BYTES = 256 * 1024


def open_regular(path: Path) -> IO[bytes]:
    """Without a buffer.  Raises OSError for what is no regular file: a FIFO waits, a device never ends."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path}: not a regular file")
    return os.fdopen(descriptor, "rb", buffering=0)


def holds_record(path: Path, is_record: Callable[[bytes], bool]) -> bool:
    """Whether a line near the beginning of this file is a record: how the agent of a file is guessed."""
    try:
        with open_regular(path) as file:
            return any(is_record(line) for line in _head_lines(file))
    except OSError:
        return False


def _head_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Lines that say something, as far as one may have to look."""
    lines = Lines()
    while block := file.read(_BLOCK_BYTES):
        for batch in lines.feed(block):
            yield from (line for line in batch.text.split(b"\n") if line.strip())
        if file.tell() >= (HEAD_BYTES if lines.offset else LONGEST_HEAD_BYTES):
            return
    if lines.rest().strip():
        yield lines.rest()


def _files(folder: str, depth: int) -> Iterator[os.DirEntry[str]]:
    for entry in _entries(folder):
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
        except OSError:
            continue
        if not is_folder:
            yield entry
        elif depth:
            yield from _files(entry.path, depth - 1)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """Listing may fail as well as opening: on network file systems, and in /proc."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
