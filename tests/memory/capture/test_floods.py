"""A long run of one sign is looked at once, not from each of its places: nobody waits for a joke."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.model.events import PersonMessage


@pytest.mark.parametrize(
    "flood", ["?", ";", "!", ".", "…", "a", "`", "``a", "-", "_", " ", "中", "a://", "a. "]
)
@pytest.mark.parametrize(("before", "after"), [("", "，不要改 b.py"), ("never use ", " never use b.py")])
def test_a_message_that_is_a_flood(flood: str, before: str, after: str) -> None:
    text = before + (flood * 20_000)[:19_000] + after
    rule = PersonMessage(line=2, offset=len(text) + 1, text="Never commit to main.")

    heard = Listener("s", readers=built_in()).hear([PersonMessage(line=1, offset=0, text=text), rule])

    assert [each.text for each in heard if each.line == 2] == ["Never commit to main"]
