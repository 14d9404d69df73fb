"""Why a rebuild is due: a trigger, at a place of the transcript, naming a runlevel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentinitd.model.scripts import Runlevel

Trigger = Literal[
    "session", "marker", "drop", "periodic", "task-state", "switch", "manual", "checkpoint", "reminder",
    "shutdown",
]  # fmt: skip

RUNLEVEL_OF: dict[Trigger, Runlevel] = {
    "session": "session",
    "marker": "compact",
    "drop": "compact",
    "periodic": "periodic",
    "task-state": "slim",
    "switch": "switch",
    "manual": "manual",
    "checkpoint": "slim",
    "reminder": "slim",
    "shutdown": "shutdown",
}

# When several causes wait, one rebuild serves them all, at the strongest runlevel (supervision.md RL-12).
STRENGTH: tuple[Runlevel, ...] = ("slim", "periodic", "session", "manual", "compact", "switch", "shutdown")

_URGENT: frozenset[Runlevel] = frozenset({"compact", "switch", "shutdown"})
_IN_NO_HURRY: frozenset[Runlevel] = frozenset({"slim", "periodic"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """One reason for a rebuild.  The id is equal for the same reason however often it is found."""

    id: str
    trigger: Trigger
    turn: int
    reason: str
    """For people: `context fell from 152,000 to 108,000 tokens (-28.9 %)`."""
    line: int = 0
    offset: int = 0
    is_catchup: bool = False
    """It happened while the daemon was down."""
    say: str = ""
    """One line for the agent, which needs no script: alone it is the whole snippet."""

    @property
    def runlevel(self) -> Runlevel:
        return RUNLEVEL_OF[self.trigger]


def strongest(causes: tuple[Cause, ...]) -> Runlevel:
    """The runlevel that serves all of these causes at once."""
    return max((cause.runlevel for cause in causes), key=STRENGTH.index)


def overtakes(wanted: Runlevel, under_way: Runlevel) -> bool:
    """Whether a rebuild that is under way is called off for this one (supervision.md RL-12)."""
    return wanted in _URGENT and under_way in _IN_NO_HURRY
