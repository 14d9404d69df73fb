"""What was captured, as scripts get it: what holds for this session, firm and often said things first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import msgspec

from agentinitd.memory.capture.sources import VIA, session_name, source_of
from agentinitd.memory.contraries import contraries, excerpt, said_at
from agentinitd.memory.decisions import ids_in
from agentinitd.memory.staleness import GONE
from agentinitd.model.facts import Anchor, JsonValue, Memory

_TASKS = "tasks/"
_FACTS_IN_ORDER = ("dead_end", "decision", "value", "tool")


def with_captured(memory: Memory, *, session_id: str | None, task_id: str | None, capture: str) -> Memory:
    """The memory with what was captured as far as it holds here.

    What was said for once holds in its own session; what was said of a task that had no name yet is nothing
    to a session of a named one.  `propose` and `off` serve nothing that nobody confirmed.

    Beside what a person said against something that they had written, the written is not served; once they
    confirmed that again, what they had said is not, and neither is what they wrote otherwise later.
    """
    if not memory.captured:
        return memory
    here = [anchor for anchor in memory.captured if capture == "auto" and _holds(anchor, session_id, task_id)]
    pairs = list(contraries([*memory.constraints, *here]))
    outdated = {pair.said.id for pair in pairs if not pair.is_said_later} | memory.overruled.keys()
    gainsaid = {pair.written.id: pair.written for pair in pairs if pair.said.id not in outdated}
    critical = {pair.said.id for pair in pairs if pair.written.priority == "critical"}
    served = [
        msgspec.structs.replace(anchor, priority="critical") if anchor.id in critical else anchor
        for anchor in here
        if anchor.id not in outdated
    ]
    return replace(
        memory,
        constraints=tuple(each for each in memory.constraints if each.id not in gainsaid),
        captured=tuple(sorted(served, key=_place)),
        gainsaid=tuple(gainsaid.values()),
    )


def without_gone(memory: Memory, disproved: Mapping[str, str], *, session_id: str | None) -> Memory:
    """Without interfaces that other sessions showed in files that are gone; another branch may have them.

    The session that showed one is told that its file is gone.
    """
    gone = {name for name, found in disproved.items() if found.endswith(GONE)}
    if gone.isdisjoint(anchor.id for anchor in memory.captured):
        return memory
    kept = (each for each in memory.captured if each.id not in gone or _is_from(each, session_id))
    return replace(memory, captured=tuple(kept))


def _is_from(anchor: Anchor, session_id: str | None) -> bool:
    source = source_of(anchor.last_source or anchor.source)
    return source is None or session_id is None or source.session == session_name(session_id)


def _holds(anchor: Anchor, session_id: str | None, task_id: str | None) -> bool:
    if anchor.scope == "once":
        return _is_from(anchor, session_id)
    return anchor.scope != "task" or task_id is None or anchor.file.startswith(_TASKS)


def _place(anchor: Anchor) -> tuple[bool, bool, bool, int, int, float]:
    """Rules before facts, what stands in for a written one first; hard before soft, often said before seldom,
    new before old."""
    kind = anchor.captured or "rule"
    rank = _FACTS_IN_ORDER.index(kind) if kind in _FACTS_IN_ORDER else -1
    is_first = bool(anchor.against)
    return kind != "rule", not is_first, anchor.priority == "low", rank, -anchor.said, -said_at(anchor)


def captured_rules(anchors: Iterable[Anchor], *, is_hard: bool) -> Iterator[Anchor]:
    rules = (anchor for anchor in anchors if anchor.captured == "rule" and anchor.priority != "critical")
    return (anchor for anchor in rules if (anchor.priority != "low") is is_hard)


def captured_facts(anchors: Iterable[Anchor]) -> Iterator[Anchor]:
    return (anchor for anchor in anchors if anchor.captured != "rule" and anchor.priority != "critical")


def captured_entry(anchor: Anchor, gainsaid: Sequence[Anchor] = ()) -> dict[str, JsonValue]:
    """What a captured item has besides what every anchor has; `against`: what is served no more for it."""
    against = [each for each in gainsaid if each.id in ids_in(anchor.against)] if anchor.against else []
    return {
        "kind": anchor.captured,
        "polarity": anchor.polarity,
        "force": "soft" if anchor.priority == "low" else "hard",
        "said": anchor.said,
        "topic": anchor.topic,
        "outcome": anchor.outcome,
        "is_external": VIA in anchor.source,
        "corrects": anchor.instead_of if anchor.captured == "rule" else "",
        "against": [
            {"id": each.id, "what": excerpt(each.what), "file": each.file, "line": each.line}
            for each in against
        ],
    }
