"""Which run of Aider a place in its chat history belongs to: what a reader has to know that begins there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from agentinitd.transcripts.aider_text import RUN

BLOCK_BYTES = 256 * 1024
SEARCH_BYTES = 64 * 1024 * 1024
"""Further back than this nobody looks: the session then has the name of the first run."""
_HEADING = b"# aider chat started at "
_HEADING_BYTES = 64


class Run(NamedTuple):
    time: str
    offset: int


def last_run(path: Path, until: int | None = None) -> Run | None:
    """The last one that starts before byte `until`; None when none is found."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError:
        return None
    try:
        size = os.fstat(descriptor).st_size
        end = size if until is None else min(size, until)
        return _searched(descriptor, end)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _searched(descriptor: int, end: int) -> Run | None:
    lowest = max(0, end - SEARCH_BYTES)
    at = end
    while at > lowest:
        start = max(0, at - BLOCK_BYTES)
        # A heading may lie across the end of the block.
        block = os.pread(descriptor, min(at + _HEADING_BYTES, end) - start, start)
        if (found := _last_in(block, is_top=start == 0)) is not None:
            return Run(found.time, start + found.offset)
        at = start
    return None


def _last_in(block: bytes, *, is_top: bool) -> Run | None:
    at = len(block)
    while (at := block.rfind(_HEADING, 0, at)) >= 0:
        begins_line = block[at - 1 : at] == b"\n" if at else is_top
        started = RUN.fullmatch(block[at:].split(b"\n", 1)[0])
        if begins_line and started is not None:
            return Run(started[1].decode(), at)
    return None
