"""What leaves a file that grows too long."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from agentinitd.memory.capture.surplus import without_surplus
from agentinitd.model.facts import Anchor


def item(name: str, **fields: Any) -> Anchor:
    return Anchor(
        id=name,
        kind="constraint",
        what=name,
        **{"captured": "rule", "source": "s:1", "written_at": 1.0, **fields},
    )


def test_the_oldest_that_is_over_leaves_first_then_facts_then_wishes_then_rules_and_the_rejected_last() -> (
    None
):
    items = [
        item("rejected", status="rejected"),
        item("often", said=5),
        item("rule"),
        item("wish", priority="low"),
        item("tool", captured="tool"),
        item("late", status="ended", ended_at=9.0),
        item("early", status="superseded", ended_at=3.0),
    ]

    kept = [[anchor.id for anchor in without_surplus(items, limit)] for limit in range(7, 0, -1)]

    gone = [(set(before) - set(after)).pop() for before, after in pairwise(kept)]
    assert gone == ["early", "late", "tool", "wish", "rule", "often"]
