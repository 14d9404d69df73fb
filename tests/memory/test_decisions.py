"""Which decisions hold: the newest first, and none that another one replaced."""

from __future__ import annotations

from agentinitd.memory.decisions import newest_first, without_superseded
from agentinitd.model.facts import Anchor


def decision(name: str, written_at: float | None = None, supersedes: str | None = None) -> Anchor:
    return Anchor(id=name, kind="decision", what=name, written_at=written_at, supersedes=supersedes)


def ids(anchors: list[Anchor]) -> str:
    return " ".join(anchor.id for anchor in anchors)


def test_newest_come_first_and_among_equals_the_one_further_down() -> None:
    anchors = [decision("a", 1), decision("b", 3), decision("c", 1), decision("d"), decision("e")]

    assert ids(newest_first(anchors)) == "b c a e d"


def test_what_was_replaced_is_left_out_also_through_several_steps() -> None:
    anchors = [
        decision("a"),
        decision("b", supersedes="a"),
        decision("c"),
        decision("d", supersedes="b, nobody"),
    ]

    assert ids(without_superseded(anchors)) == "c d"


def test_two_that_replace_each_other_leave_the_newer_one() -> None:
    anchors = [decision("a", 2, "c"), decision("b", 3, "a"), decision("c", 1, "b"), decision("d", 1, "d")]

    assert ids(without_superseded(anchors)) == "b d"
