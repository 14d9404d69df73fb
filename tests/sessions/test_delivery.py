"""Each cause is served exactly once, told as histories of what hooks do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.model.causes import Cause, Trigger
from agentinitd.sessions.delivery import (
    FULL_RUNLEVELS,
    KEPT_CAUSE_IDS,
    KEPT_DELIVERIES,
    KEPT_DUE,
    DeliveryState,
    Handout,
    add,
    arrived,
    find_handout,
    hand_out,
    put_back,
    withdraw,
)

EMPTY = DeliveryState()


def cause(name: str, trigger: Trigger = "marker") -> Cause:
    return Cause(id=name, trigger=trigger, turn=1, reason="because")


def handout(token: str, *causes: Cause) -> Handout:
    return Handout(
        token=token,
        causes=causes,
        runlevel="compact",
        snippet_id="s-1",
        event="UserPromptSubmit",
        handed_at=1.0,
    )


def due_of(state: DeliveryState) -> list[str]:
    return [each.id for each in state.due]


def served(state: DeliveryState) -> list[str]:
    return [each.id for delivered in state.delivered for each in delivered.handout.causes]


class TestDue:
    def test_causes_wait_in_the_order_they_came(self) -> None:
        state = add(add(EMPTY, cause("a")), cause("b"))

        assert due_of(state) == ["a", "b"]

    @pytest.mark.parametrize(
        ("trigger", "left"),
        [("marker", ["b"]), ("drop", ["b"]), ("session", ["b"]), ("periodic", ["a", "b"])],
    )
    def test_a_report_is_asked_for_no_more_once_the_window_was_emptied(
        self, trigger: Trigger, left: list[str]
    ) -> None:
        assert due_of(add(add(EMPTY, cause("a", "checkpoint")), cause("b", trigger))) == left

    def test_the_same_cause_is_never_due_twice_wherever_it_is_by_now(self) -> None:
        waiting = add(EMPTY, cause("a"))
        handed = hand_out(waiting, handout("t", cause("a")))
        there = arrived(handed, "t")

        assert add(waiting, cause("a")) == waiting
        assert add(handed, cause("a")) == handed
        assert add(there, cause("a")) == there

    def test_a_cause_that_waits_is_still_known_when_many_came_after_it(self) -> None:
        state = EMPTY
        for number in range(KEPT_CAUSE_IDS + 10):
            state = add(state, cause(f"c-{number}"))

        state = add(state, cause("c-0"))

        assert due_of(state).count("c-0") == 1

    def test_a_cause_that_is_on_its_way_is_still_known_when_many_came_after_it(self) -> None:
        state = hand_out(add(EMPTY, cause("a")), handout("t", cause("a")))
        for number in range(KEPT_CAUSE_IDS + 10):
            state = add(state, cause(f"c-{number}"))

        state = put_back(add(state, cause("a")), "t")

        assert due_of(state).count("a") == 1

    def test_what_is_no_longer_so_stops_waiting_and_all_else_waits_on(self) -> None:
        state = hand_out(add(EMPTY, cause("a")), handout("t", cause("a")))
        state = add(add(state, cause("b", "task-state")), cause("c", "drop"))

        state = withdraw(state, "task-state")

        assert due_of(state) == ["c"]
        assert due_of(put_back(state, "t")) == ["a", "c"]

    def test_what_is_so_again_is_due_again(self) -> None:
        waiting = add(EMPTY, cause("task-state:1:x", "task-state"))

        again = add(withdraw(waiting, "task-state"), cause("task-state:1:x", "task-state"))

        assert due_of(again) == ["task-state:1:x"]

    def test_where_no_hook_ever_comes_only_the_latest_wait(self) -> None:
        state = hand_out(add(EMPTY, cause("first")), handout("t", cause("first")))
        for number in range(10 * KEPT_DUE):
            state = add(state, cause(f"c-{number}"))

        state = put_back(state, "t")

        assert len(state.due) == KEPT_DUE
        assert due_of(state)[-1] == f"c-{10 * KEPT_DUE - 1}"


class TestHandingOut:
    def test_whoever_comes_first_takes_all_that_waits_and_the_next_gets_nothing(self) -> None:
        state = add(add(EMPTY, cause("a")), cause("b"))

        state = hand_out(state, handout("t", *state.due))

        assert state.due == ()
        assert find_handout(state, "t") is not None

    def test_what_becomes_due_while_the_snippet_is_built_stays_due(self) -> None:
        state = add(EMPTY, cause("a"))
        taken = state.due
        state = add(state, cause("b"))

        state = hand_out(state, handout("t", *taken))

        assert due_of(state) == ["b"]

    def test_a_receipt_settles_it_once(self) -> None:
        state = hand_out(add(EMPTY, cause("a")), handout("t", cause("a")))

        once = arrived(state, "t")

        assert served(once) == ["a"]
        assert once.handouts == ()
        assert arrived(once, "t") == once
        assert put_back(once, "t") == once

    def test_what_did_not_arrive_is_due_again_before_what_came_later(self) -> None:
        state = hand_out(add(EMPTY, cause("a")), handout("t", cause("a")))
        state = add(state, cause("b"))

        state = put_back(state, "t")

        assert due_of(state) == ["a", "b"]
        assert state.handouts == ()
        assert put_back(state, "t") == state
        assert arrived(state, "t") == state

    def test_two_on_their_way_are_settled_each_by_its_own_token(self) -> None:
        state = hand_out(add(EMPTY, cause("a")), handout("t-1", cause("a")))
        state = hand_out(add(state, cause("b")), handout("t-2", cause("b")))

        state = arrived(put_back(state, "t-1"), "t-2")

        assert due_of(state) == ["a"]
        assert served(state) == ["b"]

    @pytest.mark.parametrize("settle", [arrived, put_back])
    def test_an_unknown_token_changes_nothing(self, settle: object) -> None:
        state = hand_out(add(EMPTY, cause("a")), handout("t", cause("a")))

        assert callable(settle)
        assert settle(state, "forged") == state

    def test_what_is_remembered_stays_bounded(self) -> None:
        state = EMPTY
        for number in range(500):
            state = add(state, cause(f"c-{number}"))
            state = arrived(hand_out(state, handout(f"t-{number}", *state.due)), f"t-{number}")

        assert len(state.delivered) == KEPT_DELIVERIES
        assert len(state.known_ids) == KEPT_CAUSE_IDS
        assert served(state)[-1] == "c-499"


def test_a_full_snippet_is_what_every_runlevel_but_slim_and_shutdown_gives() -> None:
    assert sorted(FULL_RUNLEVELS) == ["compact", "manual", "periodic", "session", "switch"]


ACTIONS = st.lists(
    st.tuples(st.sampled_from(["add", "hand out", "arrived", "put back"]), st.integers(0, 5)), max_size=60
)


@given(ACTIONS)
def test_whatever_hooks_do_a_cause_is_in_one_place_and_none_is_lost(actions: list[tuple[str, int]]) -> None:
    state, added, token = EMPTY, set[str](), 0
    for action, number in actions:
        match action:
            case "add":
                added.add(f"c-{number}")
                state = add(state, cause(f"c-{number}"))
            case "hand out" if state.due:
                token += 1
                state = hand_out(state, handout(f"t-{token}", *state.due))
            case "arrived":
                state = arrived(state, f"t-{number}")
            case "put back":
                state = put_back(state, f"t-{number}")

        on_their_way = [each.id for handed in state.handouts for each in handed.causes]
        places = due_of(state) + on_their_way + served(state)
        assert sorted(places) == sorted(added)
