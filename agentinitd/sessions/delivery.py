"""What is due to a session, what is being handed out, and what arrived: each cause is served exactly once.

A cause is *due* until a hook takes it.  It is then *handed out* under a token; it has arrived when the hook
client left a receipt of that token, and it is due again when it did not (architecture.md section 9).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from agentinitd.model.causes import Cause, Trigger
from agentinitd.model.scripts import Runlevel

KEPT_DELIVERIES = 16
KEPT_CAUSE_IDS = 64
KEPT_DUE = 128
"""More causes than this do not wait for a hook that perhaps never comes; one snippet serves all that do."""
_EMPTYING: frozenset[Trigger] = frozenset({"marker", "drop", "session"})
FULL_RUNLEVELS: frozenset[Runlevel] = frozenset({"session", "compact", "periodic", "switch", "manual"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Handout:
    """A snippet on its way to the agent, and the causes it serves."""

    token: str
    """Names the receipt that the hook client leaves."""
    causes: tuple[Cause, ...]
    runlevel: Runlevel
    snippet_id: str
    event: str
    """The hook that took it, as the agent calls it."""
    handed_at: float
    """Seconds since the epoch."""
    offset: int = 0
    """How far the transcript had been read: the snippet's id shows up behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """A hand-out that arrived at the hook, and later perhaps in the transcript."""

    handout: Handout
    is_confirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryState:
    """Everything delivery must remember across a restart."""

    due: tuple[Cause, ...] = ()
    handouts: tuple[Handout, ...] = ()
    delivered: tuple[Delivered, ...] = ()
    """The latest, oldest first."""
    known_ids: tuple[str, ...] = ()
    """Ids of causes that were due before: the same cause is never due twice."""
    has_confirmed: bool = False
    """A snippet's id was seen in this transcript before, so its absence means something."""


def add(state: DeliveryState, cause: Cause) -> DeliveryState:
    """`cause` becomes due, unless it is known."""
    if cause.id in state.known_ids or any(cause.id == each.id for each in _open(state)):
        return state
    known = (*state.known_ids, cause.id)[-KEPT_CAUSE_IDS:]
    # What was asked for before the window was emptied is of no use any more.
    due = [each for each in state.due if each.trigger != "checkpoint" or cause.trigger not in _EMPTYING]
    return replace(state, due=(*due, cause)[-KEPT_DUE:], known_ids=known)


def hand_out(state: DeliveryState, handout: Handout) -> DeliveryState:
    """The causes of `handout` leave what is due: whoever asks next gets nothing for them."""
    taken = {cause.id for cause in handout.causes}
    due = tuple(cause for cause in state.due if cause.id not in taken)
    return replace(state, due=due, handouts=(*state.handouts, handout))


def arrived(state: DeliveryState, token: str) -> DeliveryState:
    handout = find_handout(state, token)
    if handout is None:
        return state
    delivered = (*state.delivered, Delivered(handout=handout))[-KEPT_DELIVERIES:]
    return replace(state, handouts=_without(state, token), delivered=delivered)


def put_back(state: DeliveryState, token: str) -> DeliveryState:
    """It did not arrive: its causes are due again, before those that came later."""
    handout = find_handout(state, token)
    if handout is None:
        return state
    return replace(state, handouts=_without(state, token), due=(handout.causes + state.due)[-KEPT_DUE:])


def settled(before: DeliveryState, after: DeliveryState) -> tuple[tuple[Handout, bool], ...]:
    """The hand-outs that are no longer on their way, and whether each arrived."""
    there = {delivered.handout.token for delivered in after.delivered}
    return tuple(
        (handout, handout.token in there)
        for handout in before.handouts
        if find_handout(after, handout.token) is None
    )


def withdraw(state: DeliveryState, trigger: Trigger) -> DeliveryState:
    """What waits because of this trigger is no longer so; it may become so again."""
    due = tuple(cause for cause in state.due if cause.trigger != trigger)
    known = tuple(known_id for known_id in state.known_ids if not known_id.startswith(f"{trigger}:"))
    return replace(state, due=due, known_ids=known)


def _open(state: DeliveryState) -> tuple[Cause, ...]:
    """What waits and what is on its way, however long ago it became due."""
    return state.due + tuple(cause for handout in state.handouts for cause in handout.causes)


def find_handout(state: DeliveryState, token: str) -> Handout | None:
    return next((handout for handout in state.handouts if handout.token == token), None)


def _without(state: DeliveryState, token: str) -> tuple[Handout, ...]:
    return tuple(handout for handout in state.handouts if handout.token != token)
