"""What the reader of Copilot CLI remembers between lines, bounded, and fit to be kept in a checkpoint."""

from __future__ import annotations

import msgspec

from agentinitd.transcripts.reader import Checkpoint

KNOWN_CALLS = 256
KNOWN_MARKERS = 64


class Memory(msgspec.Struct):
    """What the reader has to know of the lines before; it goes into the checkpoint as it is."""

    session_id: str
    cwd: str | None = None
    version: str | None = None
    is_told: bool = False
    """The session has named itself."""
    is_helper: bool = False
    calls: dict[str, int] = {}
    """Tool calls told, newest last, each with its line: most are recorded twice."""
    markers: dict[str, int] = {}
    snippet: str | None = None
    """The last snippet told, until the conversation goes on."""
    window: int | None = None
    """How much the model can hold: said when the context is cut or summarised."""
    is_line_open: bool = False


def remembered(checkpoint: Checkpoint, session_id: str) -> Memory:
    if not checkpoint.state:
        return Memory(session_id=session_id)
    try:
        return msgspec.convert(dict(checkpoint.state), Memory)
    except msgspec.ValidationError:
        # Written by another version: reading goes on, only what repeats across this place is told again.
        return Memory(session_id=session_id)


def remember(known: dict[str, int], key: str, line: int, *, limit: int) -> None:
    known[key] = line
    if len(known) > limit:
        del known[next(iter(known))]
