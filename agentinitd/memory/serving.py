"""The memory as scripts get it on stdin: one JSON object, small enough to be handed over whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from agentinitd.memory.captured_serving import captured_entry, captured_facts, captured_rules
from agentinitd.memory.dates import day_of
from agentinitd.memory.decisions import is_program_s
from agentinitd.memory.staleness import failed_note, program_note, stale_note
from agentinitd.memory.task_state import served_state
from agentinitd.model.facts import Anchor, Conflict, JsonValue, Language, Memory, Priority, Problem

MAX_JSON_BYTES = 56 * 1024
MAX_PROBLEMS = 10
MAX_CONFLICTS = 5
_PROBLEM_CHARS = 200
_TOPIC_CHARS = 80
_KEYS = ("constraints", "tools", "decisions", "captured")


def memory_json(
    memory: Memory,
    *,
    now: float,
    stale_days: float,
    language: Language | None = None,
    disproved: Mapping[str, str] | None = None,
) -> dict[str, JsonValue]:
    """The object `memory` of a script's stdin, at most 56 KiB even with every character escaped.

    What does not fit is counted in `omitted`: captured facts first, then the oldest decisions, then tools,
    then constraints of low priority; what is critical comes last of all.  `disproved`: ids of anchors whose
    check failed, and what was found; such a note takes the place of one of age, and that of who wrote it.
    """
    spoken = language or memory.language
    served: dict[str, JsonValue] = {
        "language": spoken,
        "task_id": memory.task_id,
        "task_state": served_state(memory.task_state) if memory.task_state else None,
        "problems": list(_problem_texts(memory.problems)),
        "conflicts": [_conflict(conflict) for conflict in memory.conflicts[:MAX_CONFLICTS]],
    }
    room = MAX_JSON_BYTES - _size(served) - 200
    kept: dict[int, JsonValue] = {}
    for anchor in _most_important_first(memory):
        failed = (disproved or {}).get(anchor.id)
        stale = stale_note(anchor, now=now, stale_days=stale_days, language=spoken)
        if failed:
            stale = failed_note(failed, spoken)
        elif stale is None and is_program_s(anchor):
            stale = program_note(spoken)
        entry = _entry(anchor, stale)
        if anchor.captured:
            entry |= captured_entry(anchor, memory.gainsaid)
        elif anchor.kind == "decision":
            entry |= _fate(anchor, memory.restorers.get(anchor.id))
        room -= _size(entry) + 2
        if room < 0:
            break
        kept[id(anchor)] = entry
    lists = (memory.constraints, memory.tools, memory.decisions, memory.captured)
    for key, anchors in zip(_KEYS, lists, strict=True):
        served[key] = [kept[id(anchor)] for anchor in anchors if id(anchor) in kept]
    served["omitted"] = len(memory.anchors) - len(kept)
    return served


def _size(value: JsonValue) -> int:
    return len(json.dumps(value))


def _most_important_first(memory: Memory) -> Iterator[Anchor]:
    rest: Iterable[Anchor] = chain(
        _of("normal", memory.constraints),
        captured_rules(memory.captured, is_hard=True),
        _of("low", memory.constraints),
        captured_rules(memory.captured, is_hard=False),
        _of("normal", memory.tools),
        _of("low", memory.tools),
        (anchor for anchor in memory.decisions if anchor.priority != "critical"),
        captured_facts(memory.captured),
    )
    return chain(_of("critical", memory.anchors), rest)


def _of(priority: Priority, anchors: Iterable[Anchor]) -> Iterator[Anchor]:
    return (anchor for anchor in anchors if anchor.priority == priority)


def _entry(anchor: Anchor, stale: str | None) -> dict[str, JsonValue]:
    return {
        "id": anchor.id,
        "what": anchor.what,
        "why": anchor.why,
        "priority": anchor.priority,
        "scope": anchor.scope,
        "source": anchor.source,
        "confidence": anchor.confidence,
        "stale": stale,
        "file": anchor.file,
        "line": anchor.line,
    }


def _fate(decision: Anchor, restorer: Anchor | None) -> dict[str, JsonValue]:
    """Whether it was tried in vain, and what made it hold again."""
    again: JsonValue = None
    if restorer is not None:
        again = {"id": restorer.id, "what": restorer.what, "on": day_of(restorer.written_at)}
    return {"outcome": decision.outcome, "restored": again}


def _conflict(conflict: Conflict) -> JsonValue:
    return {
        "topic": conflict.topic[:_TOPIC_CHARS],
        "served": conflict.served,
        "others": list(conflict.others[:MAX_CONFLICTS]),
    }


def _problem_texts(problems: tuple[Problem, ...]) -> Iterator[str]:
    for problem in problems[:MAX_PROBLEMS]:
        yield problem.text[:_PROBLEM_CHARS]
    if len(problems) > MAX_PROBLEMS:
        yield f"and {len(problems) - MAX_PROBLEMS} more"
