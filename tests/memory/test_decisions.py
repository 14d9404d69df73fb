"""Which decisions hold: the newest first, and none that another one replaced."""

from __future__ import annotations

from typing import Any

import pytest

from agentinitd.memory.decisions import (
    newest_first,
    open_conflicts,
    restorers_of,
    served,
    standing,
)
from agentinitd.model.facts import Anchor, Conflict


def decision(
    name: str, written_at: float | None = None, supersedes: str | None = None, **more: Any
) -> Anchor:
    return Anchor(id=name, kind="decision", what=name, written_at=written_at, supersedes=supersedes, **more)


def ids(anchors: list[Anchor]) -> str:
    return " ".join(anchor.id for anchor in anchors)


def holding(*anchors: Anchor) -> str:
    return ids(served(anchors, standing(anchors)))


BACK = (
    decision("d1", 1),
    decision("d3", 3, "d1"),
    decision("d4", 4, "d3", restores="d1"),
)


def test_newest_come_first_and_among_equals_the_one_further_down() -> None:
    anchors = [decision("a", 1), decision("b", 3), decision("c", 1), decision("d"), decision("e")]

    assert ids(newest_first(anchors)) == "b c a e d"


def test_what_was_replaced_is_left_out_also_through_several_steps() -> None:
    anchors = [decision("a"), decision("b", None, "a"), decision("c"), decision("d", None, "b, nobody")]

    assert holding(*anchors) == "c d"
    assert standing(anchors).replaced == {"a": "b", "b": "d"}


def test_two_that_replace_each_other_leave_the_newer_one() -> None:
    anchors = [decision("a", 2, "c"), decision("b", 3, "a"), decision("c", 1, "b"), decision("d", 1, "d")]

    assert holding(*anchors) == "b d"


def test_what_a_person_rejected_replaces_nothing() -> None:
    assert holding(decision("a", 1), decision("b", 2, "a", status="rejected")) == "a"


class TestBringingBack:
    def test_what_was_brought_back_is_served_in_place_of_what_did_it_and_counts_from_that_day(self) -> None:
        [back] = served(BACK, standing(BACK))

        assert (back.id, back.what, back.written_at) == ("d1", "d1", 4)
        assert restorers_of(BACK, standing(BACK)) == {"d1": BACK[2]}
        assert standing(BACK).replaced == {"d3": "d4"}

    def test_it_replaces_what_had_come_in_between_named_or_not(self) -> None:
        between = decision("d3b", 3.5, "d3")

        assert holding(BACK[0], BACK[1], between, decision("d4", 4, restores="d1")) == "d1"

    def test_also_in_files_without_dates(self) -> None:
        undated = [decision("d1"), decision("d3", None, "d1"), decision("d4", None, restores="d1")]

        assert holding(*undated) == "d1"
        assert (
            holding(decision("d1", 1), decision("d3", 3, "d1"), decision("d4", None, "d3", restores="d1"))
            == "d1"
        )

    @pytest.mark.parametrize("named", ["d1", "d4", "d1, d4"])
    def test_whichever_of_the_two_a_later_one_replaces_both_are_over(self, named: str) -> None:
        anchors = (*BACK, decision("d6", 6, named))

        assert holding(*anchors) == "d6"
        assert standing(anchors).replaced == {"d1": "d6" if named != "d4" else "d3", "d3": "d4", "d4": "d6"}

    def test_and_back_once_more(self) -> None:
        again = (*BACK, decision("d7", 7, "d1", restores="d3"))
        assert holding(*again) == "d3"

        forth = (*BACK, decision("d6", 6, "d4"), decision("d7", 7, "d6", restores="d4"))
        [back] = served(forth, standing(forth))
        assert (back.id, back.written_at) == ("d1", 7)
        assert standing(forth).restored["d1"] == "d7"

    def test_what_brings_back_nothing_that_is_known_speaks_for_itself(self) -> None:
        assert holding(decision("d1", 1), decision("d4", 4, restores="d9, d4")) == "d1 d4"

    def test_two_that_bring_back_each_other_bring_back_nothing(self) -> None:
        anchors = [
            decision("a", 1, restores="b"),
            decision("b", 2, restores="a"),
            decision("c", 3, "a, b"),
        ]

        assert holding(*anchors) == "c"


class TestConflicts:
    def test_of_two_about_one_topic_the_one_decided_last_is_served_whenever_it_was_recorded(self) -> None:
        anchors = [
            decision(each.id, each.written_at, each.supersedes, restores=each.restores, topic="Cache")
            for each in BACK
        ]
        late = decision("d5", 3.9, topic=" cache", recorded_at=9.0, file="anchors/decision_log.md", line=7)
        fates = standing([*anchors, late])

        assert holding(*anchors, late) == "d1"
        assert fates.conflicts == (Conflict(topic="Cache", served="d1", others=("d5",)),)
        [problem] = open_conflicts([*anchors, late], fates)
        assert problem.text.startswith("anchors/decision_log.md:7: d5 and d1 are both about `Cache`")

    def test_dead_ends_and_other_topics_are_in_nobodys_way(self) -> None:
        anchors = [
            decision("a", 1, topic="x"),
            decision("b", 2, topic="x", outcome="failed"),
            decision("c", 3, topic="y"),
            decision("d", 4),
            decision("e", 5),
        ]

        assert holding(*anchors) == "a b c d e"
        assert standing(anchors).conflicts == ()

    def test_one_that_is_replaced_is_settled(self) -> None:
        anchors = [
            decision("a", 1, topic="x"),
            decision("b", 2, topic="x"),
            decision("c", 3, "a, b", topic="x"),
        ]

        assert holding(*anchors) == "c"
        assert standing(anchors).conflicts == ()
