"""What of the captured items holds for a session, and in what order it is served."""

from __future__ import annotations

from typing import Any

import pytest

from agentinitd.memory.captured_serving import with_captured, without_gone
from agentinitd.memory.serving import memory_json
from agentinitd.model.facts import Anchor, Memory


def item(name: str, **fields: Any) -> Anchor:
    given: dict[str, Any] = {
        "captured": "rule",
        "polarity": "do",
        "source": "s:1",
        "written_at": 1.0,
        **fields,
    }
    return Anchor(id=name, kind="constraint", what=name, **given)


def served(
    *items: Anchor, session_id: str | None = "s", task_id: str | None = None, capture: str = "auto"
) -> list[str]:
    memory = with_captured(Memory(captured=items), session_id=session_id, task_id=task_id, capture=capture)
    captured: Any = memory_json(memory, now=0, stale_days=7)["captured"]
    return [entry["what"] for entry in captured]


def test_rules_come_before_facts_hard_ones_before_wishes_and_often_said_ones_first() -> None:
    items = [
        item("value", captured="value"),
        item("dead end", captured="dead_end"),
        item("wish", priority="low", said=9),
        item("once said", written_at=5.0),
        item("newer", written_at=6.0),
        item("five times", said=5),
    ]

    assert served(*items) == ["five times", "newer", "once said", "wish", "dead end", "value"]


@pytest.mark.parametrize("capture", ["propose", "off"])
def test_what_nobody_confirmed_is_served_only_where_that_is_wanted(capture: str) -> None:
    assert served(item("rule"), capture=capture) == []


def test_what_was_said_for_once_holds_in_its_own_session() -> None:
    once = item("once", scope="once", last_source="s:9")

    assert (served(once), served(once, session_id="t")) == (["once"], [])


def test_what_was_said_of_a_task_without_a_name_is_nothing_to_a_named_one() -> None:
    unnamed = item("unnamed", scope="task", file="anchors/captured.md")
    named = item("named", scope="task", file="tasks/t/anchors/captured.md")

    assert sorted(served(unnamed, named)) == ["named", "unnamed"]
    assert served(unnamed, named, task_id="t") == ["named"]


def test_an_entry_says_all_that_a_script_can_need() -> None:
    memory = Memory(captured=(item("rule", said=3, priority="low", topic="x", file="anchors/a.md", line=4),))

    captured: Any = memory_json(memory, now=0, stale_days=7)["captured"]

    assert captured == [
        {
            "id": "rule", "what": "rule", "why": None, "priority": "low", "scope": "project", "source": "s:1",
            "confidence": 1.0, "stale": None, "file": "anchors/a.md", "line": 4, "kind": "rule",
            "polarity": "do", "force": "soft", "said": 3, "topic": "x", "outcome": None,
            "is_external": False, "corrects": "", "against": [],
        }
    ]  # fmt: skip


def test_an_interface_whose_file_is_gone_is_served_to_its_own_session_only() -> None:
    memory = Memory(captured=(item("f", captured="tool"), item("g", captured="tool"), item("rule")))
    found = {"f": "a.py is gone", "g": "a.py no longer defines g"}

    assert [each.what for each in without_gone(memory, found, session_id="t").captured] == ["g", "rule"]
    assert without_gone(memory, found, session_id="s") == memory
