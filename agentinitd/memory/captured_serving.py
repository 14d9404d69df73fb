"""What was captured, as scripts get it: what holds for this session, firm and often said things first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from agentinitd.memory.capture.sources import session_name, source_of
from agentinitd.model.facts import Anchor, JsonValue, Memory

_TASKS = "tasks/"
_FACTS_IN_ORDER = ("dead_end", "decision", "value", "tool")


def with_captured(memory: Memory, *, session_id: str | None, task_id: str | None, capture: str) -> Memory:
    """The memory with what was captured as far as it holds here.

    What was said for once holds in its own session; what was said of a task that had no name yet is nothing
    to a session of a named one.  `propose` and `off` serve nothing that nobody confirmed.
    """
    if not memory.captured:
        return memory
    here = [anchor for anchor in memory.captured if capture == "auto" and _holds(anchor, session_id, task_id)]
    return replace(memory, captured=tuple(sorted(here, key=_place)))


def _holds(anchor: Anchor, session_id: str | None, task_id: str | None) -> bool:
    if anchor.scope == "once":
        source = source_of(anchor.last_source or anchor.source)
        return source is None or session_id is None or source.session == session_name(session_id)
    return anchor.scope != "task" or task_id is None or anchor.file.startswith(_TASKS)


def _place(anchor: Anchor) -> tuple[bool, bool, int, int, float]:
    """Rules before facts, hard before soft, often said before seldom, new before old."""
    said_at = max(anchor.verified_at or 0.0, anchor.written_at or 0.0)
    kind = anchor.captured or "rule"
    rank = _FACTS_IN_ORDER.index(kind) if kind in _FACTS_IN_ORDER else -1
    return kind != "rule", anchor.priority == "low", rank, -anchor.said, -said_at


def captured_rules(anchors: Iterable[Anchor], *, is_hard: bool) -> Iterator[Anchor]:
    rules = (anchor for anchor in anchors if anchor.captured == "rule" and anchor.priority != "critical")
    return (anchor for anchor in rules if (anchor.priority != "low") is is_hard)


def captured_facts(anchors: Iterable[Anchor]) -> Iterator[Anchor]:
    return (anchor for anchor in anchors if anchor.captured != "rule" and anchor.priority != "critical")


def captured_entry(anchor: Anchor) -> dict[str, JsonValue]:
    """What a captured item has besides what every anchor has."""
    return {
        "kind": anchor.captured,
        "polarity": anchor.polarity,
        "force": "soft" if anchor.priority == "low" else "hard",
        "said": anchor.said,
        "topic": anchor.topic,
        "outcome": anchor.outcome,
    }
