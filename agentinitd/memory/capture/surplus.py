"""What leaves when a file of captured items grows too long: what is over first, what was rejected last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agentinitd.memory.capture.sources import source_of
from agentinitd.model.facts import Anchor

MAX_ITEMS = 400
_FACTS = ("tool", "value", "dead_end", "decision")


def without_surplus(items: Sequence[Anchor], limit: int = MAX_ITEMS) -> tuple[Anchor, ...]:
    """At most so many of ours, in their order.  What a person wrote there is not counted, and stays.

    A rejected item stays long: without it the same would come again.
    """
    own = [anchor for anchor in items if is_ours(anchor)]
    surplus = len(own) - limit
    if surplus <= 0:
        return tuple(items)
    leaving = {anchor.id for anchor in sorted(own, key=_worth)[:surplus]}
    return tuple(anchor for anchor in items if anchor.id not in leaving)


def room_for(items: Iterable[Anchor]) -> int:
    """A file that is longer than we make them was made so by somebody else: it grows no more, nor shrinks."""
    return max(MAX_ITEMS, sum(map(is_ours, items)))


def is_ours(anchor: Anchor) -> bool:
    """It names the place in a session where it was said."""
    return source_of(anchor.source) is not None


def _worth(anchor: Anchor) -> tuple[int, int, int, float]:
    if anchor.status in ("superseded", "ended"):
        return 0, 0, 0, anchor.ended_at or 0.0
    if anchor.status == "rejected":
        return 2, 0, 0, _said_at(anchor)
    is_rule = anchor.captured not in _FACTS
    rank = 1 + (anchor.priority != "low") if is_rule else 0
    return 1, rank, anchor.said, _said_at(anchor)


def _said_at(anchor: Anchor) -> float:
    return max(anchor.verified_at or 0.0, anchor.written_at or 0.0)
