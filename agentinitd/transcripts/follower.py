"""What every agent's module promises to the daemon: which sessions there are, and what is new in each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any, Literal, NamedTuple, Protocol

from agentinitd.model.events import Event

Start = Literal["top", "end"] | int
"""Without a checkpoint: read all, nothing, or from the size that the file had when it was first seen."""


class Seen(NamedTuple):
    """Changes whenever the session does."""

    size: int
    mtime_ns: int
    inode: int


class Follower(Protocol):
    """Follows one session on disk; never the same twice, whatever is done to the files meanwhile."""

    name: str
    """What the session is known by: the real path of its transcript; in a database `<path>#<session id>`."""
    has_more: bool
    """There is more to read already: call `read` again without waiting."""
    flush_at: float | None
    """When `read` should be called although nothing changed: a torn end is waited for."""
    problem: str | None
    """Why nothing can be read now; None while it can, and while there is nothing yet."""

    @property
    def offset(self) -> int:
        """Grows with what was read: a byte offset, or a count of records."""
        ...

    def read(self, max_bytes: int = ...) -> list[Event]:
        """What is new, from at most about `max_bytes`.  Raises nothing for bad data."""
        ...

    def finish(self) -> list[Event]:
        """There will be no more: a torn end is read if it is whole, and told as `Skipped` if it is not."""
        ...

    def checkpoint(self) -> dict[str, Any]:
        """Plain values, fit for JSON; covers exactly what `read` has returned so far."""
        ...


class Agent(Protocol):
    """One agent: a module of this folder."""

    NAME: str
    """As architecture.md section 2 spells it."""
    READS: str
    """For people, one line: which files, which versions, and what is not there to be read."""

    def roots(self, home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
        """The folders below which this agent keeps its sessions, whether they exist or not."""
        ...

    def names_at(self, path: PurePath) -> tuple[str, ...] | None:
        """The sessions that a change of this file concerns: none `()`, these, or None for: ask `scan`.

        Looks at the path alone.  Transcripts of sub-agents concern nobody.
        """
        ...

    def scan(self, root: Path) -> dict[str, Seen]:
        """Every main session below `root` by name.  What cannot be read is left out.  Raises nothing."""
        ...

    def is_own(self, path: Path) -> bool:
        """This file or folder holds sessions of this agent: how the agent of an unknown file is guessed."""
        ...

    def names_in(self, path: Path) -> list[str]:
        """The sessions in this file or folder, for `replay`: the latest last."""
        ...

    def follow(
        self,
        name: str,
        checkpoint: Mapping[str, Any] | None = None,
        *,
        start: Start = "top",
        is_detailed: bool = False,
    ) -> Follower:
        """Goes on from `checkpoint`; without one as `start` says.  What was copied is history.

        `is_detailed`: also tells what the agent said and did: AgentMessage, ToolCall, ToolResult, PlanUpdate.
        Whoever needs none of them reads twice as fast.
        """
        ...
