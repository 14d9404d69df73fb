"""What a project's memory holds: anchors, task state, and the memory that one session is served."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import msgspec

AnchorKind = Literal["constraint", "tool", "decision"]
Priority = Literal["critical", "normal", "low"]
Scope = Literal["once", "task", "project", "always"]
Status = Literal["active", "superseded", "ended", "rejected"]
"""Only what is active is served.  Rejected: a person said that it was none, and it must not return."""
Polarity = Literal["do", "do_not"]
CapturedKind = Literal["rule", "decision", "dead_end", "tool", "value"]
Outcome = Literal["adopted", "failed"]
Language = Literal["en", "zh"]

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


class Anchor(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One recorded fact: what, and in a second line why.

    A struct as the events are: capture makes a changed copy of one whenever something is said again.
    """

    id: str
    kind: AnchorKind
    what: str
    why: str | None = None
    priority: Priority = "normal"
    scope: Scope = "project"
    source: str = "user"
    confidence: float = 1.0
    written_at: float | None = None
    """Seconds since the epoch: the item's own `last_updated`, else that of the file's front matter."""
    verified_at: float | None = None
    """Seconds since the epoch of the last confirmation by a person."""
    supersedes: str | None = None
    applies: tuple[str, ...] = ()
    forbid: str | None = None
    check: str | None = None
    restores: str | None = None
    """Ids of what holds again through it."""
    topic: str = ""
    """What a decision is about, so that two about the same can be told to conflict."""
    outcome: Outcome | None = None
    """Failed: it was tried in vain, a dead end."""
    instead_of: str = ""
    """What a decision was chosen over, in a few words; of a captured rule, what it corrects by a value
    alone."""
    recorded_at: float | None = None
    """Seconds since the epoch, when that was later than `written_at`."""
    phases: tuple[str, ...] = ()
    """Served only while the task is in one of these phases; empty: always."""
    status: Status = "active"
    captured: CapturedKind | None = None
    """What capture took it for; None: written by a person."""
    polarity: Polarity | None = None
    quote: str = ""
    """The words it was captured from."""
    said: int = 1
    """How often it was said."""
    last_source: str = ""
    """Session and line where it was said last."""
    ended_at: float | None = None
    """Seconds since the epoch: when it was lifted, replaced or over."""
    ended_by: str = ""
    """Session and line that ended it."""
    against: str = ""
    """Ids of what a person wrote or confirmed before, and what this was said against."""
    file: str = ""
    """Path relative to the memory folder, with `/`."""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A memory file, or a part of one, that could not be used, and the cure."""

    file: str
    line: int
    message: str
    is_mild: bool = False
    """Worth knowing, but nothing that somebody has to mend."""

    @property
    def is_absence(self) -> bool:
        """Nothing is there yet: said, but no trouble."""
        return self.message.startswith("is missing")

    @property
    def is_check(self) -> bool:
        """The file can be used; what it says of the project does not hold."""
        return self.message.startswith("the check of ")

    @property
    def text(self) -> str:
        """For people; without the line when it concerns the whole file."""
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Decisions about one topic of which none replaces the other: somebody has to settle it."""

    topic: str
    served: str
    """Id of the one that was decided last."""
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What one session is served: the project's anchors with those of its task, and that task's state."""

    constraints: tuple[Anchor, ...] = ()
    tools: tuple[Anchor, ...] = ()
    decisions: tuple[Anchor, ...] = ()
    """Newest first; without what was superseded, and without what another about the same topic outlived."""
    restorers: Mapping[str, Anchor] = field(default_factory=dict)
    """By the id of an anchor that holds again: the one that brought it back, and is not served itself."""
    conflicts: tuple[Conflict, ...] = ()
    resting: tuple[Anchor, ...] = ()
    """Limited to other phases than the one the task is in: not served now."""
    captured: tuple[Anchor, ...] = ()
    """Found in sessions and confirmed by nobody yet."""
    gainsaid: tuple[Anchor, ...] = ()
    """Written or confirmed by a person who said otherwise later, in a session: not served meanwhile."""
    overruled: Mapping[str, str] = field(default_factory=dict)
    """Ids of what was captured, each with the id of what a person wrote against it later: not served."""
    task_id: str | None = None
    task_state: Mapping[str, JsonValue] | None = None
    problems: tuple[Problem, ...] = field(default=())
    language: Language = "en"
    """The language most of the anchors are written in."""

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        return self.constraints + self.tools + self.decisions + self.captured

    @property
    def is_empty(self) -> bool:
        return not self.anchors and not self.task_state
