"""What an agent's hook tells us, in the same words for every agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

HookEvent = Literal[
    "session-start",
    "prompt",
    "tool-result",
    "before-compaction",
    "after-compaction",
    "stop",
    "session-end",
    "other",
]
SessionSource = Literal["startup", "resume", "clear", "compact", "fork"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HookRequest:
    """One call of a hook, read from its stdin."""

    agent: str
    event: HookEvent
    event_name: str
    """As the agent calls it; the answer has to repeat it."""
    session_id: str
    transcript_path: str | None = None
    cwd: str | None = None
    source: SessionSource | None = None
    """Only for `session-start`."""
    is_helper: bool = False
    """Called inside a sub-agent: it gets nothing."""
    can_deliver: bool = False
    """What this hook prints reaches the model."""
