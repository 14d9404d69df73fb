"""What of a task state is news to the agent, when it changes."""

from __future__ import annotations

from collections.abc import Mapping

from agentinitd.memory.plan_mirror import BY_PERSON, KEY, entries
from agentinitd.memory.task_state import (
    PLAN_AT,
    PLAN_BY,
    REPORTED_NEXT,
    RESULTS,
    TIMES,
    is_next_reported,
    is_proven,
)
from agentinitd.model.facts import JsonValue

_KNOWN_TO_THE_AGENT = frozenset((*TIMES, PLAN_AT, PLAN_BY, RESULTS, REPORTED_NEXT))
"""When something was written, what the agent said and what its tools answered; what follows is elsewhere."""


def agents_own_left_out(state: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Without what is empty, and what the agent said or saw: its plan must not come back to it as news.

    A plan that a person wrote stays, and so does what a person said of a mirrored one; what a result proved
    and a rule blocked is listed in keys of its own.
    """
    told = {key: value for key, value in state.items() if key not in _KNOWN_TO_THE_AGENT}
    news: dict[str, JsonValue] = {key: value for key, value in told.items() if value}
    if is_next_reported(state):
        del news["next_action"]
    mirrored = entries(dict(state))
    if not mirrored:
        return news
    by_person: list[JsonValue] = [
        entry.get("title")
        for entry in mirrored
        if is_proven(entry) and entry.get("proven_by") in (None, BY_PERSON)
    ]
    del news[KEY]
    return {**news, KEY: by_person} if by_person else news
