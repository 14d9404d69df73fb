"""Past snippets of a project, one JSON line each, so that `recall` finds what an agent was once told."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import msgspec

from agentinitd.disk import write_atomically

NAME = "snippets.jsonl"
MOST_BYTES = 4 * 1024 * 1024
_TAIL_BYTES = 64 * 1024


class PastSnippet(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the file."""

    at: float
    """Seconds since the epoch."""
    session: str
    task: str | None
    runlevel: str
    id: str
    text: str


def append(run: Path, past: PastSnippet) -> None:
    """Adds a line to `snippets.jsonl` in `run`, a real folder of ours, unless the last one says the same.

    Raises OSError.  A link or whatever else is no plain file is refused.
    """
    path = run / NAME
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    descriptor = os.open(path, flags, 0o600)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(f"{path} is not a plain file; nothing was written there")
        tail = os.pread(descriptor, _TAIL_BYTES, max(0, found.st_size - _TAIL_BYTES))
        if f'"id":"{past.id}"'.encode() in tail.rstrip(b"\n").rpartition(b"\n")[2]:
            return
        # A newline first where a full disk cut the line before.
        start = b"" if not tail or tail.endswith(b"\n") else b"\n"
        os.write(descriptor, start + msgspec.json.encode(past) + b"\n")
    finally:
        os.close(descriptor)
    if found.st_size > MOST_BYTES:
        _forget_older_half(path)


def _forget_older_half(path: Path) -> None:
    data = path.read_bytes()
    write_atomically(path, data[data.find(b"\n", len(data) // 2) + 1 :], is_synced=False)
