"""What the person says still holds confirms what they wrote down, of whatever kind, and makes nothing new."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.ledger import Ledger
from agentinitd.memory.capture.renewals import renewals_in
from agentinitd.model.events import PersonMessage
from agentinitd.model.facts import Anchor

KNOWN = (
    Anchor(id="a2", kind="constraint", what="发布只在周二"),
    Anchor(id="a4", kind="decision", what="对账走增量"),
    Anchor(id="a5", kind="constraint", what="Releases go out on Tuesdays only"),
    Anchor(id="a6", kind="constraint", what="Never push to main"),
)


def confirmed(text: str) -> list[str]:
    ledger = Ledger((), session="s", known=KNOWN)
    ledger.take(renewals_in(PersonMessage(offset=0, line=3, text=text)), now=7.0)
    assert ledger.items == ()
    return list(ledger.confirmed)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("对，发布还是只在周二。", ["a2", "a5"]),
        ("嗯，对账还是走增量。接着做退款。", ["a4"]),
        ("Yes, releases still go out on Tuesdays only.", ["a2", "a5"]),
        ("继续。发布仍然只在周二。", ["a2", "a5"]),
    ],
)
def test_a_renewed_statement_confirms_it(text: str, names: list[str]) -> None:
    assert confirmed(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "发布还是只在周二吗？",
        "发布现在放在周二。",  # says nothing of still
        "对，发布还是只在周三。",
        "对，接着做。",
        "yes, still push to main",
        "> 对，发布还是只在周二。",
    ],
)
def test_what_asks_or_says_something_else_confirms_nothing(text: str) -> None:
    assert confirmed(text) == []
