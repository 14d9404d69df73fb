"""English habits, comfort and measures, what is put behind a question, and what only looks like it."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.rules import rules_of
from agentinitd.model.events import PersonMessage

RULES = [
    ("I usually don't nest more than two callbacks", "do_not"),
    ("we rarely use decorators here", "do_not"),
    ("best not to mix tabs and spaces", "do_not"),
    ("rather than fixtures I'd build the objects in the test", "do"),
    ("replies as brief as possible, I read them on the bus", "do"),
    ("deep inheritance I can hardly bear", "do_not"),
    ("smaller diffs would make me feel safer", "do"),
    ("I suggest commands as plain functions, easy to test", "do"),
    ("not one byte of the bootloader is to be changed", "do_not"),
    ("all retries 250 ms", "do"),
    ("tests first, code second", "do"),
    ("no deploy without my go", "do_not"),
    ("no rebase this time round", "do_not"),
    ("macros, honestly, I avoid them when I can", "do_not"),
    ("why is there a sleep in the login test, no sleeps please", "do_not"),
    ("why are you suddenly writing English, write Chinese", "do"),
]
NO_RULES = [
    "I usually don't get up that early",
    "best not to know",
    "rather than wait I'd say we have lunch",
    "come as soon as possible",
    "no output without the flag",
    "no one today",
    "redis only keeps the sessions, nothing else",
    'when the check fails just show "too short"',
    "don't show the banner when nobody is logged in, please build that",
    "carry on without me",
    "don't use grep, just open the file",
    "don't you dare be lazy",
    "why does it never stop, the loop looks fine",
]


def stated(message: str) -> list[tuple[str, str]]:
    heard = rules_of(PersonMessage(line=1, offset=0, written_at=1.0, text=message), Context())
    return [(each.polarity, each.text) for each in heard if each.act == "state"]


@pytest.mark.parametrize(("message", "polarity"), RULES)
def test_a_habit_or_a_measure_is_a_rule(message: str, polarity: str) -> None:
    assert [found for found, _ in stated(message)] == [polarity]


@pytest.mark.parametrize("message", NO_RULES)
def test_what_only_looks_like_one_is_none(message: str) -> None:
    assert stated(message) == []
