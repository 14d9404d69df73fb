"""Whether a delivered snippet reached the conversation: its id shows up there, or it is due again, once."""

from __future__ import annotations

from dataclasses import replace

from agentinitd.model.causes import Cause
from agentinitd.sessions.delivery import Delivered, DeliveryState, Handout, add, arrived

AGAIN = "again:"


def seen(state: DeliveryState, snippet_id: str, *, offset: int | None = None) -> DeliveryState:
    """The transcript holds `snippet_id` at `offset`: what was handed out before is there.

    One still on its way has arrived: the transcript is a better witness than a receipt that has not come yet.
    """

    def is_proven(handout: Handout) -> bool:
        return handout.snippet_id == snippet_id and (offset is None or handout.offset <= offset)

    for handout in filter(is_proven, state.handouts):
        state = arrived(state, handout.token)
    delivered = tuple(
        replace(each, is_confirmed=True) if is_proven(each.handout) else each for each in state.delivered
    )
    if delivered == state.delivered:
        return state
    return replace(state, delivered=delivered, has_confirmed=True)


def agent_answered(state: DeliveryState, *, offset: int, turn: int) -> DeliveryState:
    """The agent spoke at `offset`: a delivery before it that never showed up is made due again, once.

    Only where a snippet was seen before in this transcript: some versions of an agent do not write down what
    hooks print, and their silence means nothing.
    """
    if not state.has_confirmed or not state.delivered:
        return state
    last = state.delivered[-1]
    if last.is_confirmed or offset <= last.handout.offset or _is_second_try(last):
        return state
    cause = last.handout.causes[-1]
    return add(
        state,
        Cause(
            id=AGAIN + last.handout.token,
            trigger=cause.trigger,
            turn=turn,
            reason=f"the snippet handed to {last.handout.event} never showed up in the transcript",
            offset=offset,
        ),
    )


def _is_second_try(delivered: Delivered) -> bool:
    return any(cause.id.startswith(AGAIN) for cause in delivered.handout.causes)
