"""All that is known of one session, as one value that survives a restart as a whole.

The place in the transcript, the detector's state and what is due stand in the same record: a kill between two
writes can neither lose a cause nor find it a second time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from agentinitd.model.scripts import Failing
from agentinitd.model.work import RecentWork
from agentinitd.sessions.delivery import DeliveryState
from agentinitd.sessions.detector_state import DetectorState

RECORD_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LastHook:
    """How the latest hook of the session was served: `status` shows it."""

    event: str
    at: float
    """Seconds since the epoch."""
    outcome: str
    """`served`, `nothing due`, `waits for another hook`, `no memory`, `client left`."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastCompaction:
    at: float
    trigger: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LastReply:
    """Whether the first reply after a snippet honoured its rules."""

    at: float
    verdict: str
    """`echoed`, `silent` or `violated`."""
    broken: tuple[str, ...] = ()
    """Rule and deed: `c-3f2a: ran pip install x`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session of an agent.  `key` names its file."""

    key: str
    agent: str
    v: int = RECORD_VERSION
    session_ids: tuple[str, ...] = ()
    """Latest last: resuming may hand out a new id for the same transcript."""
    transcript: str | None = None
    agent_version: str | None = None
    cwd: str | None = None
    project: str | None = None
    worktree: str | None = None
    """Of the project, as git calls it; None in the main one."""
    task_id: str | None = None
    """A task of its own; None: that of its project or worktree, `-`: the one without a name."""
    at_task: str | None = None
    """The task it was at when it was last looked at, `-` for the one without a name."""
    started: tuple[str, ...] = ()
    """Keys of the scripts that ran for it since it came to this task."""
    failing: tuple[Failing, ...] = ()
    """Scripts that failed the last time, which are left alone for a while when they fail again and again."""
    is_helper: bool = False
    checkpoint: dict[str, Any] | None = None
    """Of the transcript's follower, in its own form."""
    offset: int = 0
    """How far the transcript was read."""
    read_at: float = 0.0
    """When it was looked at the last time that it was read to its end, in seconds since the epoch."""
    earlier: int = 0
    """So much of the transcript was written before anybody listened to it; 0 when that was heard, too."""
    is_missed: bool = False
    """It began while no daemon ran, and is to be heard though nobody goes on with it."""
    detector: DetectorState = field(default_factory=DetectorState)
    delivery: DeliveryState = field(default_factory=DeliveryState)
    recent_work: RecentWork = field(default_factory=RecentWork)
    """What decides, when room is short, which facts come first."""
    unwritten: dict[str, list[Any]] = field(default_factory=dict)
    """What was read before `offset` and is not in the memory yet: by who found it, in its own form."""
    previous_runlevel: str = "N"
    last_compaction: LastCompaction | None = None
    last_hook: LastHook | None = None
    last_reply: LastReply | None = None
    skipped_lines: int = 0
    first_skip: str = ""
    seen_at: float = 0.0
    """When it was last active, in seconds since the epoch."""

    @property
    def first_session_id(self) -> str:
        """What was captured from it is filed under: resuming hands out others for the same transcript."""
        return self.session_ids[0] if self.session_ids else self.key

    @property
    def session_id(self) -> str:
        return self.session_ids[-1] if self.session_ids else self.key
