"""What of a rewritten conversation was told before: a bounded window over the keys of its pieces.

A piece is told once for its key.  Keys come from what a piece says, not from where it stands: agents number,
split and join their messages anew when they resume a session.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from agentinitd.model.events import Event

WINDOW = 512
"""The keys that are remembered.  What stands before the first of them was told."""


class Piece(NamedTuple):
    key: str
    event: Event | None
    """None for a detail that nobody asked for: the conversation is known by its key all the same."""


class Unread(NamedTuple):
    events: list[Event]
    is_rewound: bool
    """The last thing told before is gone from the conversation."""
    memory: dict[str, Any]


def key_of(kind: str, *parts: str) -> str:
    """Short, and the same for the same text; a collision costs one event among neighbours."""
    return f"{kind}{zlib.crc32(chr(0).join(parts).encode('utf-8', 'replace')):08x}"


def unread(pieces: Sequence[Piece], memory: Mapping[str, Any], *, is_whole: bool) -> Unread:
    """What is new.  Of a conversation that is not whole, what is missing counts as still there."""
    keys = _numbered([piece.key for piece in pieces])
    known, count = _known(memory)
    present = frozenset(keys).intersection(known)
    told = frozenset(known)
    floor = _floor(keys, present, count=count, known=known, is_whole=is_whole)
    new = [at for at in range(floor, len(keys)) if keys[at] not in told]
    events = [event for at in new if (event := pieces[at].event) is not None]
    newest = memory.get("newest")
    if known and not present and isinstance(newest, int | float):
        # Nothing of it is known again: another conversation, or the same in other words.
        events = [_as_history(event) if _is_old(event, newest) else event for event in events]
    kept = keys if is_whole else [*known, *(keys[at] for at in new)]
    return Unread(
        events=events,
        is_rewound=is_whole and bool(known) and known[-1] not in present,
        memory={
            "keys": kept[-WINDOW:],
            "count": len(keys) if is_whole else count + len(new),
            "newest": _newest(events, newest),
        },
    )


def _is_old(event: Event, newest: float) -> bool:
    return event.written_at is not None and event.written_at <= newest


def _as_history(event: Event) -> Event:
    return msgspec.structs.replace(event, is_history=True)


def _newest(events: Sequence[Event], before: object) -> float | None:
    times = [event.written_at for event in events if event.written_at is not None]
    if isinstance(before, int | float):
        times.append(before)
    return max(times, default=None)


def _numbered(keys: list[str]) -> list[str]:
    """The second of two equal keys, and each later one, gets its number."""
    seen: dict[str, int] = {}
    numbered = []
    for key in keys:
        times = seen.get(key, 0)
        seen[key] = times + 1
        numbered.append(f"{key}.{times}" if times else key)
    return numbered


def _known(memory: Mapping[str, Any]) -> tuple[list[str], int]:
    keys, count = memory.get("keys"), memory.get("count")
    if not isinstance(keys, list) or not isinstance(count, int):
        return [], 0
    return [key for key in keys if isinstance(key, str)], count


def _floor(keys: list[str], present: frozenset[str], *, count: int, known: list[str], is_whole: bool) -> int:
    """Where the remembered window begins: what stands before it was told."""
    if count <= len(known):
        return 0
    if present:
        return next(at for at, key in enumerate(keys) if key in present)
    return 0 if is_whole else len(keys)
