"""Of a conversation that is written anew, each thing is told once, wherever it stands."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentinitd.model.events import AgentMessage
from agentinitd.transcripts.cline_told import WINDOW, Piece, Unread, key_of, unread


def pieces(texts: Sequence[str]) -> list[Piece]:
    return [
        Piece(key_of("a", text), AgentMessage(line=at + 1, offset=at, written_at=float(at), text=text))
        for at, text in enumerate(texts)
    ]


def told(found: Unread) -> list[str]:
    return [event.text for event in found.events if isinstance(event, AgentMessage) and not event.is_history]


def after(*forms: Sequence[str], is_whole: bool = True) -> Unread:
    """What the last of these forms says that is new."""
    memory: dict[str, Any] = {}
    found = unread([], memory, is_whole=True)
    for form in forms:
        found = unread(pieces(form), json.loads(json.dumps(found.memory)), is_whole=is_whole)
    return found


def test_what_was_told_is_not_told_again() -> None:
    assert told(after(["a", "b"], ["a", "b", "c"])) == ["c"]
    assert told(after(["a", "b"], ["a", "b"])) == []


def test_the_same_words_said_twice_are_two_things() -> None:
    assert told(after(["a", "go on", "b"], ["a", "go on", "b", "go on"])) == ["go on"]


def test_what_is_completed_late_is_told_although_it_stands_before_the_end() -> None:
    assert told(after(["a", "c"], ["a", "b", "c"])) == ["b"]


def test_a_part_that_was_taken_back_is_noticed_and_what_replaces_it_is_new() -> None:
    found = after(["a", "b", "c"], ["a", "d"])

    assert found.is_rewound
    assert told(found) == ["d"]


def test_an_edit_in_the_middle_takes_nothing_back() -> None:
    assert not after(["a", "b", "c"], ["a", "B", "c"]).is_rewound


def test_memory_is_bounded_and_old_things_are_still_known() -> None:
    texts = [f"text {number}" for number in range(3 * WINDOW)]
    found = after(texts, [*texts, "new"])

    assert told(found) == ["new"]
    assert len(found.memory["keys"]) == WINDOW


def test_of_a_damaged_form_what_is_missing_counts_as_still_there() -> None:
    texts = [f"text {number}" for number in range(2 * WINDOW)]
    memory = unread(pieces(texts), {}, is_whole=True).memory
    head = unread(pieces(texts[:100]), memory, is_whole=False)

    assert (told(head), head.is_rewound) == ([], False)
    assert told(unread(pieces([*texts, "new"]), head.memory, is_whole=True)) == ["new"]


def test_a_conversation_in_which_nothing_is_known_again_is_told_as_history_as_far_as_it_is_old() -> None:
    memory = unread(pieces(["a", "b", "c"]), {}, is_whole=True).memory
    found = unread(pieces(["A", "B", "C", "D"]), memory, is_whole=True)

    assert [event.is_history for event in found.events] == [True, True, True, False]


@given(st.lists(st.sampled_from("abc"), max_size=40), st.integers())
def test_growing_in_any_steps_tells_the_same(texts: list[str], seed: int) -> None:
    steps = random.Random(seed)
    memory: dict[str, Any] = {}
    heard: list[str] = []
    at = 0
    while at < len(texts):
        at += steps.randint(1, 5)
        found = unread(pieces(texts[:at]), memory, is_whole=True)
        heard += told(found)
        memory = found.memory

    assert heard == texts


@given(st.dictionaries(st.sampled_from(["keys", "count", "newest"]), st.none() | st.integers() | st.text()))
def test_a_memory_of_any_kind_does_no_harm(memory: dict[str, Any]) -> None:
    unread(pieces(["a"]), memory, is_whole=True)
