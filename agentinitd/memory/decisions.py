"""Which anchors still hold: newest decisions first, and none that another one replaced."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from agentinitd.model.facts import Anchor


def newest_first(anchors: Iterable[Anchor]) -> list[Anchor]:
    """By the time they were written; among equals the one further down was added later."""
    last_first = list(anchors)[::-1]
    return sorted(last_first, key=_written_at, reverse=True)


def _written_at(anchor: Anchor) -> float:
    return -math.inf if anchor.written_at is None else anchor.written_at


def without_superseded(anchors: Iterable[Anchor]) -> list[Anchor]:
    """The anchors that none of the others replaces, in their order.

    Two that replace each other are a mistake of the writer; then the newer one holds.
    """
    given = list(anchors)
    replaces: dict[str, set[str]] = {}
    for anchor in newest_first(given):
        for target in re.split(r"[,;\s]+", anchor.supersedes or ""):
            if target and not _leads_to(replaces, target, anchor.id):
                replaces.setdefault(anchor.id, set()).add(target)
    gone = set().union(*replaces.values())
    return [anchor for anchor in given if anchor.id not in gone]


def _leads_to(replaces: dict[str, set[str]], start: str, end: str) -> bool:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name == end:
            return True
        if name not in seen:
            seen.add(name)
            waiting += replaces.get(name, ())
    return False
