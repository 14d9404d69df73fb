"""What the Codex reader remembers between lines, bounded, and fit to be kept in a checkpoint."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from agentinitd.model.facts import JsonValue
from agentinitd.transcripts.codex_records import Payload
from agentinitd.transcripts.json_lines import plain, seconds_of

RECENT_REQUESTS = 32
KNOWN_MARKERS = 64
COPY_GAP_SECONDS = 1.0
"""A fork writes its copy at once; by a pause as long as this it is over."""
_DAY_SECONDS = 86400.0


class Memory(msgspec.Struct):
    """What the reader has to know of the lines before; it goes into the checkpoint as it is.

    The dicts hold what was seen last, newest last, each with its line.
    """

    session_id: str | None = None
    cwd: str | None = None
    version: str | None = None
    is_helper: bool = False
    model: str = ""
    window: int | None = None
    created: float | None = None
    """When the thread began: the time inside its id, where that can be believed."""
    copied_at: float | None = None
    """While the copy of another thread is read: the newest time in it."""
    tokens: int | None = None
    """The last size, for the next turn to compare with."""
    is_turn_start: bool = False
    """A turn began, and had no request yet."""
    is_review: bool = False
    """A conversation on the side runs, whose sizes are not those of this one."""
    announced: str = ""
    """By which records the last compaction was told; "" after the request behind it."""
    announced_line: int = -1
    requests: dict[str, int] = {}
    markers: dict[str, int] = {}
    typed: str = ""
    """How the last message of the person was told: newer versions write some a second way."""
    plan: str = ""
    snippet: str | None = None
    """The last snippet told, until the conversation goes on."""
    is_line_open: bool = False
    """The last line was read before its newline came."""


def remembered(state: Mapping[str, JsonValue], *, is_top: bool) -> Memory:
    """`is_top`: the file is read again, and only what was told of it counts."""
    try:
        memory = msgspec.convert(dict(state), Memory)
    except msgspec.ValidationError:
        # Written by another version: reading goes on, only what repeats across this place is told again.
        return Memory()
    return Memory(requests=memory.requests, markers=memory.markers) if is_top else memory


def remember(known: dict[str, int], key: str, line: int, *, limit: int) -> None:
    known[key] = line
    if len(known) > limit:
        del known[next(iter(known))]


def is_copy_meta(meta: Payload) -> bool:
    """The thread begins with the history of another one."""
    return bool(meta.forked_from_id) or is_helper_meta(meta)


def is_helper_meta(meta: Payload) -> bool:
    source = plain(meta.source)
    if isinstance(source, dict) and ("subagent" in source or "internal" in source):
        return True
    return bool(meta.parent_thread_id) or plain(meta.thread_source) == "subagent"


def created_at(meta: Payload) -> float | None:
    """The time inside the thread's id, if it is one: within a day of the time that stands beside it."""
    told, inside = seconds_of(meta.timestamp), _time_in(meta.id)
    if told is None or inside is None or abs(told - inside) > _DAY_SECONDS:
        return None
    return inside


def is_own_turn(memory: Memory, turn: Payload) -> bool:
    """This turn began after the thread did: so it was not copied."""
    began = _time_in(turn.turn_id)
    return began is not None and memory.created is not None and began >= memory.created


def is_still_copy(memory: Memory, written_at: float | None) -> bool:
    """Copied lines follow each other without a pause, whatever times they had before."""
    newest = memory.copied_at
    if newest is None:
        return False
    if written_at is not None:
        if written_at - newest >= COPY_GAP_SECONDS:
            memory.copied_at = None
            return False
        memory.copied_at = max(newest, written_at)
    return True


def _time_in(uuid: str | None) -> float | None:
    """Ids are of version 7: they begin with the milliseconds since the epoch."""
    digits = (uuid or "").replace("-", "")
    if len(digits) != 32 or digits[12] != "7":
        return None
    try:
        return int(digits[:12], 16) / 1000
    except ValueError:
        return None
