"""Which transcripts lie below a root, and how large each is: the truth that file events only hint at."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import NamedTuple

from agentinitd.transcripts.reader import AgentReader

MAX_DEPTH = 6


class Seen(NamedTuple):
    """Changes whenever a transcript does."""

    size: int
    mtime_ns: int
    inode: int


def scan(root: Path, agent: AgentReader) -> dict[str, Seen]:
    """Every main transcript below `root`.  What cannot be read is left out, and looked at again next time."""
    found: dict[str, Seen] = {}
    for entry in _files(str(root), MAX_DEPTH):
        if not _is_text(entry.path):
            continue
        path = PurePath(entry.path)
        if not agent.is_transcript(path) or agent.is_helper_path(path):
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


def _files(folder: str, depth: int) -> Iterator[os.DirEntry[str]]:
    try:
        entries = os.scandir(folder)
    except OSError:
        return
    with entries:
        for entry in entries:
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
            except OSError:
                continue
            if not is_folder:
                yield entry
            elif depth:
                yield from _files(entry.path, depth - 1)
