"""All that the detector remembers of one session between two observations."""

from __future__ import annotations

from typing import Literal

import msgspec

Announcer = Literal["marker", "session-hook", "compaction-hook"]


class Drop(msgspec.Struct, frozen=True):
    """A fall of the context that is taken for a compaction."""

    line: int
    offset: int
    before: int
    """The highest size since the last compaction, or since the last full snippet."""
    after: int

    @property
    def reason(self) -> str:
        percent = 100 * (self.before - self.after) / self.before
        return f"context fell from {self.before:,} to {self.after:,} tokens (-{percent:.1f} %)"


class Measured(msgspec.Struct, frozen=True):
    """The size of one request."""

    line: int
    offset: int
    tokens: int
    model: str


class DetectorState(msgspec.Struct, frozen=True):
    """All that the detector knows of one session; plain values, fit for `msgspec.json`.

    A msgspec structure and not a dataclass because one is made for every request of every session.
    """

    turn: int = 0
    requests: int = 0
    """Since the turn began, or since the last full snippet in it."""
    base: int | None = None
    """The highest size to compare with; None until the next request tells one."""
    current: int | None = None
    model: str | None = None
    """The one the sizes are of."""
    doubted: Measured | None = None
    """A request by another model, which may be a call on the side: the next one decides."""
    request_at: float | None = None
    is_after_pause: bool = False
    """This turn began after a long pause, and had no request yet."""
    full_turn: int | None = None
    """The turn in which the last full rebuild was due or delivered."""
    put_off: Drop | None = None
    """Found inside the cool-down: due when that is over, unless a full snippet comes before."""
    last_drop: Drop | None = None
    announced_by: tuple[Announcer, ...] = ()
    """By whom the compaction in progress was announced."""
    announced_at: float | None = None
    closed_by: tuple[Announcer, ...] = ()
    """By whom the last compaction that is over was announced."""
    closed_at: float | None = None
    """When the first request after it was written."""
    late_requests: int = 0
    """Of before that compaction, read after a hook had announced it."""
    told_task: str | None = None
    due_task: str | None = None
    is_checkpointed: bool = False
    """The agent was asked for a progress report in this filling of the window."""
    fired: tuple[str, ...] = ()
