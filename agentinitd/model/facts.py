"""What a project's memory holds: anchors, task state, and the memory that one session is served."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

AnchorKind = Literal["constraint", "tool", "decision"]
Priority = Literal["critical", "normal", "low"]
Scope = Literal["once", "task", "project", "always"]
Language = Literal["en", "zh"]

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """One recorded fact: what, and in a second line why."""

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
    file: str = ""
    """Path relative to the memory folder, with `/`."""
    line: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A memory file, or a part of one, that could not be used, and the cure."""

    file: str
    line: int
    message: str

    @property
    def is_absence(self) -> bool:
        """Nothing is there yet: said, but no trouble."""
        return self.message.startswith("is missing")

    @property
    def text(self) -> str:
        """For people; without the line when it concerns the whole file."""
        return f"{self.file}:{self.line}: {self.message}" if self.line else f"{self.file}: {self.message}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """What one session is served: the project's anchors with those of its task, and that task's state."""

    constraints: tuple[Anchor, ...] = ()
    tools: tuple[Anchor, ...] = ()
    decisions: tuple[Anchor, ...] = ()
    """Newest first, superseded ones left out."""
    task_id: str | None = None
    task_state: Mapping[str, JsonValue] | None = None
    problems: tuple[Problem, ...] = field(default=())
    language: Language = "en"
    """The language most of the anchors are written in."""

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        return self.constraints + self.tools + self.decisions

    @property
    def is_empty(self) -> bool:
        return not self.anchors and not self.task_state
