"""A snippet that was handed over either shows up in the transcript, or is handed over once more."""

from __future__ import annotations

from agentinitd.model.causes import Cause
from agentinitd.sessions.confirmation import agent_answered, seen
from agentinitd.sessions.delivery import DeliveryState, Handout, add, arrived, hand_out, put_back


def cause(name: str) -> Cause:
    return Cause(id=name, trigger="marker", turn=1, reason="because")


def handed(state: DeliveryState, token: str, snippet_id: str, *, offset: int) -> DeliveryState:
    return hand_out(
        state,
        Handout(
            token=token, causes=state.due, runlevel="compact", snippet_id=snippet_id,
            event="PostToolUse", handed_at=1.0, offset=offset,
        ),
    )  # fmt: skip


def delivered(state: DeliveryState, token: str, snippet_id: str, *, offset: int) -> DeliveryState:
    return arrived(handed(state, token, snippet_id, offset=offset), token)


def confirmed(state: DeliveryState) -> list[bool]:
    return [each.is_confirmed for each in state.delivered]


KNOWN = seen(delivered(add(DeliveryState(), cause("first")), "t-0", "s-0", offset=10), "s-0")
"""A session in which the agent writes down what hooks print: one snippet was seen."""


class TestSeen:
    def test_the_id_confirms_its_delivery_and_no_other(self) -> None:
        state = delivered(add(KNOWN, cause("a")), "t-1", "s-1", offset=20)

        state = seen(state, "s-1")

        assert confirmed(state) == [True, True]
        assert confirmed(seen(delivered(add(state, cause("b")), "t-2", "s-2", offset=30), "s-1")) == [
            True, True, False,
        ]  # fmt: skip

    def test_the_same_text_delivered_twice_has_one_id_and_is_confirmed_together(self) -> None:
        state = delivered(add(DeliveryState(), cause("a")), "t-1", "s-1", offset=10)
        state = delivered(add(state, cause("b")), "t-2", "s-1", offset=20)

        assert confirmed(seen(state, "s-1")) == [True, True]

    def test_an_id_that_was_never_delivered_proves_nothing(self) -> None:
        state = delivered(add(DeliveryState(), cause("a")), "t-1", "s-1", offset=10)

        assert seen(state, "s-of-another-session") == state
        assert not state.has_confirmed

    def test_seeing_it_again_changes_nothing(self) -> None:
        assert seen(KNOWN, "s-0") == KNOWN

    def test_the_transcript_is_a_better_witness_than_a_receipt_that_has_not_come(self) -> None:
        """Else the receipt's absence would make it due again, and the agent would get it twice."""
        state = handed(add(KNOWN, cause("a")), "t-1", "s-1", offset=20)

        state = seen(state, "s-1")

        assert state.handouts == ()
        assert confirmed(state) == [True, True]
        assert put_back(state, "t-1").due == ()
        assert arrived(state, "t-1") == state

    def test_an_id_that_stood_there_before_proves_nothing(self) -> None:
        """The same memory gives the same id: a fork carries it along in its copied history."""
        state = handed(add(KNOWN, cause("a")), "t-1", "s-1", offset=20)

        assert seen(state, "s-1", offset=19) == state
        assert confirmed(seen(state, "s-1", offset=20)) == [True, True]


class TestTheAgentAnswers:
    def test_a_delivery_that_never_showed_up_is_due_again_with_its_reason(self) -> None:
        state = delivered(add(KNOWN, cause("a")), "t-1", "s-1", offset=20)

        state = agent_answered(state, offset=30, turn=4)

        (again,) = state.due
        assert (again.trigger, again.turn, again.offset) == ("marker", 4, 30)
        assert "PostToolUse never showed up" in again.reason

    def test_it_is_due_again_once_only_however_often_the_agent_speaks(self) -> None:
        state = delivered(add(KNOWN, cause("a")), "t-1", "s-1", offset=20)
        state = agent_answered(agent_answered(state, offset=30, turn=4), offset=40, turn=4)
        assert len(state.due) == 1

        state = delivered(state, "t-2", "s-1", offset=50)
        state = agent_answered(state, offset=60, turn=5)

        assert state.due == ()

    def test_one_that_showed_up_is_settled(self) -> None:
        state = seen(delivered(add(KNOWN, cause("a")), "t-1", "s-1", offset=20), "s-1")

        assert agent_answered(state, offset=30, turn=4) == state

    def test_what_the_agent_said_before_the_delivery_proves_nothing(self) -> None:
        state = delivered(add(KNOWN, cause("a")), "t-1", "s-1", offset=20)

        assert agent_answered(state, offset=20, turn=4) == state
        assert agent_answered(state, offset=15, turn=4) == state

    def test_an_agent_that_never_wrote_down_a_snippet_is_not_waited_for(self) -> None:
        state = delivered(add(DeliveryState(), cause("a")), "t-1", "s-1", offset=20)

        assert agent_answered(state, offset=30, turn=4) == state

    def test_without_a_delivery_there_is_nothing_to_wait_for(self) -> None:
        assert agent_answered(DeliveryState(has_confirmed=True), offset=30, turn=4).due == ()

    def test_a_newer_delivery_stands_for_the_older_one(self) -> None:
        state = delivered(add(KNOWN, cause("a")), "t-1", "s-1", offset=20)
        state = seen(delivered(add(state, cause("b")), "t-2", "s-2", offset=30), "s-2")

        assert agent_answered(state, offset=40, turn=4).due == ()
