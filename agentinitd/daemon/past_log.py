"""What the rebuild log holds already, read from its oldest part on."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

LINE_LIMIT_BYTES = 16384
"""None of ours is so long; what is may be a foreign file without any line end."""


def parts(path: Path) -> list[Path]:
    """The files that the log was moved to, the oldest first, and the log itself."""
    numbered = [other for other in path.parent.glob(f"{path.name}.*") if other.suffix[1:].isdigit()]
    return [*sorted(numbered, key=lambda other: int(other.suffix[1:]), reverse=True), path]


def records(path: Path, events: Sequence[str]) -> Iterator[dict[str, Any]]:
    """The records of these events.  Damaged lines are passed over, and parts that cannot be read."""
    wanted = tuple(f'"event": "{event}"'.encode() for event in events)
    for line in _lines(path):
        if any(event in line for event in wanted):
            with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError):
                yield msgspec.json.decode(line, type=dict[str, Any])


def _lines(path: Path) -> Iterator[bytes]:
    for part in parts(path):
        with contextlib.suppress(OSError), part.open("rb") as file:
            while line := file.readline(LINE_LIMIT_BYTES):
                yield line
