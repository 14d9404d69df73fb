"""English orders that are done once, clauses of bug reports, and facts that look like limits."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.rules import rules_of
from agentinitd.model.events import PersonMessage

STEPS = [
    "drop the old index, keep the two newest and run the migration",
    "put the totals in the footer and show me a screenshot",
    "raise the timeout to 90s and try again",
    "sort the list by size, take the top ten and print them",
    "generate a key, use 4096 bits, put it in vault and commit",
    "bump numpy to 2.0 and fix what breaks",
]
RULES = [
    ("use tabs and put braces on their own line", "do"),
    ("keep functions short and use early returns", "do"),
    ("log errors to stderr and return exit code 2", "do"),
    ("write commit messages in the imperative and prefix them with the ticket", "do"),
    ("name branches feat/x and open PRs against develop", "do"),
]


def stated(message: str) -> list[tuple[str, str]]:
    heard = rules_of(PersonMessage(line=1, offset=0, written_at=1.0, text=message), Context())
    return [(each.polarity, each.text) for each in heard if each.act == "state"]


@pytest.mark.parametrize("message", STEPS)
def test_a_step_of_the_work_at_hand_lays_nothing_down(message: str) -> None:
    assert stated(message) == []


@pytest.mark.parametrize(("message", "polarity"), RULES)
def test_what_is_of_things_in_general_is_a_rule_beside_another(message: str, polarity: str) -> None:
    assert polarity in {each for each, _ in stated(message)}
