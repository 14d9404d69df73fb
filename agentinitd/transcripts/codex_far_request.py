"""The last size in a rollout whose end is taken by lines of many megabytes: reads but the heads of lines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from agentinitd.model.events import Request
from agentinitd.transcripts.codex_reader import CodexReader
from agentinitd.transcripts.codex_records import HEAD_BYTES, head_of
from agentinitd.transcripts.reader import Checkpoint

SEARCH_BYTES = 48 * 1024 * 1024
BLOCK_BYTES = 256 * 1024
LINE_BYTES = 64 * 1024
"""No line that tells a size is longer."""


def far_request(path: Path, end: int, *, is_helper: bool = False) -> Request | None:
    """The last request before byte `end`, as history; None when a compaction came since, or none is near."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            return _last_request(descriptor, end, is_helper=is_helper)
        finally:
            os.close(descriptor)
    except OSError:
        return None


def _last_request(descriptor: int, end: int, *, is_helper: bool) -> Request | None:
    for start in _line_starts(descriptor, end):
        head = os.pread(descriptor, HEAD_BYTES, start)
        kind = head_of(head).type
        if kind == "compacted":
            return None
        if kind == "event_msg" and b'"token_count"' in head:
            reader = CodexReader(Checkpoint(offset=start, state={"is_helper": is_helper}), history_until=end)
            line = os.pread(descriptor, min(LINE_BYTES, end - start), start).partition(b"\n")[0]
            for event in reader.feed(line + b"\n"):
                if isinstance(event, Request):
                    return event
    return None


def _line_starts(descriptor: int, end: int) -> Iterator[int]:
    """Of the lines before `end`, the last first."""
    # The newline before `end` ends the last line: what counts is where the line begins.
    at = end - 1
    while at > max(0, end - SEARCH_BYTES):
        start = max(0, at - BLOCK_BYTES)
        block = os.pread(descriptor, at - start, start)
        while (newline := block.rfind(b"\n")) >= 0:
            yield start + newline + 1
            block = block[:newline]
        at = start
