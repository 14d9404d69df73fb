"""What of a task state is news to the agent, when it changes."""

from __future__ import annotations

from collections.abc import Mapping

from agentinitd.model.facts import JsonValue

PLAN = "plan"
# What tools answered the agent, and what follows from that in another key.
_KNOWN_TO_THE_AGENT = frozenset(("plan_at", "last_results", "blocked_by_rule"))


def agents_own_left_out(state: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Without what the agent itself said or saw: its mirrored plan must not come back to it as news.

    A plan that a person wrote stays: only mirrored steps say whether they are claimed.
    """
    plan = state.get(PLAN)
    is_mirrored = isinstance(plan, list) and all(
        isinstance(step, dict) and "claimed" in step for step in plan
    )
    left_out = _KNOWN_TO_THE_AGENT | ({PLAN} if is_mirrored else set())
    return {key: value for key, value in state.items() if key not in left_out}
