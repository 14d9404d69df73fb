"""What is remembered of a Gemini conversation between two reads: bounded, and fit for a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

KNOWN_MESSAGES = 128
KNOWN_CALLS = 256
KNOWN_SNAPSHOTS = 64
"""At least so many of each are remembered, at most twice as many."""


class Pending(msgspec.Struct):
    """A compression whose notice has not come yet: only that tells who asked for it."""

    marker_id: str
    line: int
    offset: int
    written_at: float | None = None
    is_history: bool = False


class Memory(msgspec.Struct):
    """The dicts hold what was seen last, newest last."""

    session_id: str | None = None
    cwd: str | None = None
    project_hash: str | None = None
    is_helper: bool = False
    messages: dict[str, str] = {}
    """Ids of messages, and a letter for each thing told of them: a message is written several times."""
    calls: dict[str, str] = {}
    """The same for tool calls."""
    open_calls: dict[str, int] = {}
    """Calls whose result was not told yet."""
    snapshots: dict[str, int] = {}
    """Messages that hold a summary, or quote one: none of them is a new one."""
    pending: Pending | None = None
    is_marked: bool = False
    """A compression was told, and no request since."""
    has_checkpoints: bool = False
    """The transcript is one that writes a checkpoint at each compression."""
    has_notices: bool = False
    prompts: int = 0
    """Messages typed, counted up to two."""
    peak: int | None = None
    """The largest context since it was made smaller for a known reason."""
    newest: str = ""
    """When the latest message was written, in the agent's own words: they sort."""
    is_partial: bool = False
    """Reading did not begin at the top: a message that is not known may be old."""
    snippet: str | None = None
    is_line_open: bool = False


def remembered(state: Mapping[str, Any]) -> Memory:
    try:
        return msgspec.convert(dict(state), Memory)
    except msgspec.ValidationError:
        # Written by another version: reading goes on, only what repeats across this place is told again.
        return Memory()


def note(known: dict[str, str], key: str, letter: str, *, limit: int) -> bool:
    """True the first time."""
    letters = known.get(key)
    if letters is None:
        known[key] = letter
        if len(known) > 2 * limit:
            forget(known, limit=limit)
        return True
    if letter in letters:
        return False
    known[key] = letters + letter
    return True


def remember(known: dict[str, int], key: str, *, limit: int) -> None:
    known[key] = 1
    if len(known) > 2 * limit:
        forget(known, limit=limit)


def forget(known: dict[str, Any], *, limit: int) -> None:
    """All but the newest: many at once, as a dict is slow to name its oldest key."""
    for key in list(known)[:-limit]:
        del known[key]
