"""The decision log as chains: what holds now, and below it all that it replaced."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from agentinitd.memory.dates import time_text
from agentinitd.memory.decisions import Fate, fates_of, ids_in, standing, topic_key
from agentinitd.model.facts import Anchor, Conflict

# Of a chain the answer comes first, then what made it so, then what is open, then what is over.
_ORDER = {"restored": 0, "restores": 1, "conflict": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """A decision, and what became of it."""

    anchor: Anchor
    fate: Fate | None
    """None: it simply holds."""

    @property
    def is_over(self) -> bool:
        return self.fate is not None and self.fate.is_withdrawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Decisions that belong together, the one that holds first, what is over last."""

    decisions: tuple[Logged, ...]

    @property
    def topic(self) -> str:
        return next((each.anchor.topic for each in self.decisions if each.anchor.topic), "")

    @property
    def is_over(self) -> bool:
        return all(each.is_over for each in self.decisions)


def chains_of(anchors: Iterable[Anchor], *, topic: str = "") -> list[Chain]:
    """Those about a topic, or all; the one whose last word is the newest first."""
    decisions = list(filter(_is_decision, anchors))
    fates = standing(decisions)
    logged = [
        Logged(anchor=anchor, fate=fate)
        for anchor, fate in zip(decisions, fates_of(decisions, fates), strict=True)
    ]
    groups = _groups(logged, fates.conflicts)
    wanted = topic_key(topic)
    chains = [Chain(decisions=tuple(sorted(group, key=_place))) for group in groups]
    chains.sort(key=lambda chain: max(_written_at(each.anchor) for each in chain.decisions), reverse=True)
    return [chain for chain in chains if not wanted or _is_about(chain, wanted)]


def _is_decision(anchor: Anchor) -> bool:
    """Also what a person chose in a session, and what is a rule since."""
    return anchor.kind == "decision" or (anchor.kind == "constraint" and anchor.outcome == "adopted")


def _is_about(chain: Chain, wanted: str) -> bool:
    return any(topic_key(each.anchor.topic) == wanted for each in chain.decisions)


def _groups(logged: Sequence[Logged], conflicts: Iterable[Conflict]) -> list[list[Logged]]:
    """What names each other, directly or through others, the latest written first."""
    leaders = {each.anchor.id: each.anchor.id for each in logged}

    def leader(name: str) -> str:
        while leaders[name] != name:
            leaders[name] = leaders[leaders[name]]
            name = leaders[name]
        return name

    for one, other in _pairs(logged, conflicts):
        if one in leaders and other in leaders:
            leaders[leader(one)] = leader(other)
    groups: dict[str, list[Logged]] = {}
    for each in reversed(logged):
        groups.setdefault(leader(each.anchor.id), []).append(each)
    return list(groups.values())


def _pairs(logged: Iterable[Logged], conflicts: Iterable[Conflict]) -> Iterator[tuple[str, str]]:
    for each in logged:
        for other in (*ids_in(each.anchor.supersedes), *ids_in(each.anchor.restores)):
            yield each.anchor.id, other
    for conflict in conflicts:
        yield from ((conflict.served, other) for other in conflict.others)


def _place(each: Logged) -> tuple[int, float]:
    order = 0 if each.fate is None else _ORDER.get(each.fate.standing, 3)
    return order, -_written_at(each.anchor)


def _written_at(anchor: Anchor) -> float:
    return -math.inf if anchor.written_at is None else anchor.written_at


def chain_json(chain: Chain) -> dict[str, Any]:
    """With stable names."""
    return {"topic": chain.topic or None, "decisions": [logged_json(each) for each in chain.decisions]}


def logged_json(each: Logged) -> dict[str, Any]:
    anchor, fate = each.anchor, each.fate
    return {
        "id": anchor.id,
        "text": anchor.what,
        "why": anchor.why,
        "instead_of": anchor.instead_of or None,
        "topic": anchor.topic or None,
        "failed": anchor.outcome == "failed",
        "decided": time_text(anchor.written_at),
        "recorded": time_text(anchor.recorded_at if anchor.recorded_at is not None else anchor.written_at),
        "standing": fate.standing if fate else "current",
        "by": (fate.by if fate else "") or None,
        "since": time_text(fate.at) if fate else None,
        "supersedes": ids_in(anchor.supersedes),
        "restores": ids_in(anchor.restores),
        "source": anchor.source,
        "captured": anchor.captured,
        "file": anchor.file,
        "line": anchor.line,
    }


def added_json(decision: Anchor, conflicts: Iterable[str]) -> dict[str, Any]:
    """What was recorded just now, and what it is at odds with."""
    return {"decision": logged_json(Logged(anchor=decision, fate=None)), "conflicts": list(conflicts)}
