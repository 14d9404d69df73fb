"""What the Claude Code reader remembers between lines, bounded, and fit to be kept in a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from agentinitd.model.facts import JsonValue
from agentinitd.transcripts import claude_code_details

RECENT_REQUESTS = 32
KNOWN_MARKERS = 64
KNOWN_FORKS = 64


class Memory(msgspec.Struct):
    """What the reader has to know of the lines before; it goes into the checkpoint as it is.

    The dicts hold what was seen last, newest last, each with its line.
    """

    session_id: str | None = None
    cwd: str | None = None
    version: str | None = None
    is_helper: bool | None = None
    """None until the first record of the conversation tells."""
    requests: dict[str, int] = {}
    """Keys of the last requests told: the other lines of their answers say nothing new."""
    markers: dict[str, int] = {}
    typed: str | None = None
    """The person's last message."""
    boundary: str | None = None
    """A boundary whose summary has not come yet."""
    summary_of: str | None = None
    """The parent of a summary that came without its boundary."""
    tip: str | None = None
    """The newest record of the conversation."""
    forks: dict[str, int] = {}
    """Older messages of the person, and where they were put: `/rewind` leads back there."""
    snippet: str | None = None
    """The last snippet told, until the conversation goes on: one delivery may leave two records."""
    details: claude_code_details.Memory = msgspec.field(default_factory=claude_code_details.Memory)
    """What is known besides where all details are told."""
    is_line_open: bool = False
    """The last line was read before its newline came."""


def remembered(state: Mapping[str, JsonValue]) -> Memory:
    try:
        return msgspec.convert(dict(state), Memory)
    except msgspec.ValidationError:
        # Written by another version: reading goes on, only what repeats across this place is told again.
        return Memory()


def remember(known: dict[str, int], key: str, line: int, *, limit: int) -> None:
    known[key] = line
    if len(known) > limit:
        del known[next(iter(known))]
