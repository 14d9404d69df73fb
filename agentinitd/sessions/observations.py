"""What the detector is told: events of the transcript, and what happened outside of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentinitd.model.events import Event
from agentinitd.model.hooks import SessionSource
from agentinitd.model.scripts import Runlevel


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStarted:
    """A hook says that a session begins.  Source `compact` announces a compaction instead."""

    source: SessionSource
    cause_id: str
    at: float | None = None
    """Seconds since the epoch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """A hook of its own says that the context was just replaced."""

    cause_id: str
    at: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """A snippet reached the agent."""

    runlevel: Runlevel
    is_full: bool
    task_digest: str | None = None
    """Of the task state that the snippet tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStateChanged:
    """The file of the bound task's state has this digest now."""

    digest: str
    reason: str = "the task state changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A person, or a command of theirs, wants a rebuild now."""

    trigger: Literal["manual", "switch"]
    cause_id: str
    reason: str


Observation = Event | SessionStarted | Compacted | Delivered | TaskStateChanged | Asked
