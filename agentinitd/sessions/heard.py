"""What a whole transcript gives to remember, and the memory that would be served at its end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agentinitd.memory.capture.ledger import Ledger
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.memory.capture.sources import source_of
from agentinitd.memory.captured_serving import with_captured
from agentinitd.memory.language import language_of
from agentinitd.model.events import Event, PlanStatus, PlanStep, PlanUpdate
from agentinitd.model.facts import Anchor, CapturedKind, JsonValue, Memory, Polarity, Scope

HeardStatus = Literal["active", "superseded", "ended"]
_SESSION = "replay"
_LIST_OF: dict[PlanStatus, str] = {
    "done": "completed",
    "in_progress": "in_progress",
    "pending": "pending",
    "cancelled": "",
}
_PLAN_CONFIDENCE = 0.6
"""The agent's own word for how far it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One thing that was captured.  The names are those of `replay --json`."""

    kind: CapturedKind | Literal["progress"]
    text: str
    polarity: Polarity | None
    scope: Scope
    status: HeardStatus
    line: int
    """Where it was said first."""
    quote: str
    confidence: float


class Hearing:
    """Takes the events of one transcript in order, with all their details."""

    def __init__(self) -> None:
        self._listener = Listener(_SESSION, readers=built_in())
        self._ledger = Ledger((), session=_SESSION)
        self._plan: PlanUpdate | None = None
        self.last_at: float | None = None
        """When the latest event was written."""

    @property
    def left_out(self) -> int:
        return self._ledger.left_out

    def see(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.written_at is not None:
                self.last_at = max(event.written_at, self.last_at or 0.0)
            if type(event) is PlanUpdate and not event.is_helper and not event.is_history:
                self._plan = event
        self._ledger.take(self._listener.hear(events), now=self.last_at or 0.0)

    def heard(self) -> tuple[Heard, ...]:
        return (*map(_heard, self._ledger.items), *self._progress())

    def memory(self) -> Memory:
        """As a session would be served whose project holds nothing else."""
        items = tuple(item for item in self._ledger.items if item.status == "active")
        steps = self._plan.steps if self._plan else ()
        memory = Memory(
            captured=items,
            task_state=_state(steps) if steps else None,
            language=language_of([item.what for item in items] or [step.text for step in steps]),
        )
        return with_captured(memory, session_id=_SESSION, task_id=None, capture="auto")

    def _progress(self) -> Iterable[Heard]:
        for step in self._plan.steps if self._plan else ():
            yield Heard(
                kind="progress",
                text=step.text,
                polarity=None,
                scope="task",
                status="active" if step.status in ("pending", "in_progress") else "ended",
                line=self._plan.line if self._plan else 0,
                quote=step.text,
                confidence=_PLAN_CONFIDENCE,
            )


def _heard(item: Anchor) -> Heard:
    source = source_of(item.source)
    status: HeardStatus = "ended" if item.status == "rejected" else item.status
    return Heard(
        kind=item.captured or "rule",
        text=item.what,
        polarity=item.polarity,
        scope=item.scope,
        status=status,
        line=source.line if source else 0,
        quote=item.quote,
        confidence=item.confidence,
    )


def _state(steps: Sequence[PlanStep]) -> dict[str, JsonValue]:
    lists: dict[str, list[JsonValue]] = {"completed": [], "in_progress": [], "pending": [], "blockers": []}
    for step in steps:
        if name := _LIST_OF[step.status]:
            lists[name].append(step.text)
    return {"status": "active", **lists}
