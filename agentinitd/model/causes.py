"""Why a rebuild is due: a trigger, at a place of the transcript, naming a runlevel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentinitd.model.scripts import Runlevel

Trigger = Literal[
    "session", "marker", "drop", "periodic", "task-state", "switch", "manual", "checkpoint", "reminder"
]

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
}

# When several causes wait, one rebuild serves them all, at the strongest runlevel (supervision.md RL-12).
STRENGTH: tuple[Runlevel, ...] = ("slim", "periodic", "session", "manual", "compact", "switch", "shutdown")


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
