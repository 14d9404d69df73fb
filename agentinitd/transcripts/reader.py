"""What every reader promises: bytes in, events out, and a checkpoint from which another reader goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Protocol

from agentinitd.model.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Where a reader stands, in plain values: `msgspec.to_builtins` and `msgspec.convert` carry it."""

    offset: int = 0
    """First byte that was not read as part of a whole line: the next `feed` has to begin there."""
    line: int = 0
    """Lines read so far."""
    state: Mapping[str, Any] = field(default_factory=dict)
    """The reader's own small memory; of no meaning to anybody else."""


class Reader(Protocol):
    """Reads one transcript, block by block.  No bytes make it raise."""

    @property
    def offset(self) -> int:
        """First byte that was not read as part of a whole line."""
        ...

    def feed(self, block: bytes) -> list[Event]:
        """What the whole lines up to the end of `block` say; a torn last line is kept for later."""
        ...

    def flush(self) -> list[Event]:
        """After silence: read a last line that lacks its newline, if it is a whole record.  Else keep it."""
        ...

    def checkpoint(self) -> Checkpoint: ...


class LineFormat(Protocol):
    """A module whose transcripts are lines, one file a session."""

    def new_reader(
        self,
        path: PurePath,
        checkpoint: Checkpoint | None = None,
        *,
        history_until: int = 0,
        is_detailed: bool = False,
    ) -> Reader:
        """A reader that goes on from `checkpoint`; what lies before byte `history_until` is history.

        `is_detailed` as in `follower.Agent.follow`.
        """
        ...
