"""Field case 07: one rule in five wordings and two languages, beside one that only looks the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentinitd.memory.capture.ledger import apply
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.model.facts import Anchor

CASE = "07-same-rule-five-times"
OTHERS = ("structlog", "problem+json", "tests/data", "类型", "异常", "版本")


@pytest.fixture
def replayed(replay_case: Callable[..., Any]) -> Any:
    return replay_case(CASE)


@pytest.fixture
def items(shared: Path, read_events: Callable[..., Any]) -> tuple[Anchor, ...]:
    events = read_events(shared / "field-cases" / CASE / "session.jsonl")
    return apply((), Listener("s", readers=built_in()).hear(events), session="s", now=0)


def test_it_takes_one_line_its_neighbour_another_and_all_others_are_there(replayed: Any) -> None:
    replayed.check()
    assert sum("0007" in line for line in replayed.snippet.splitlines()) == 1
    assert sum("0008" in line for line in replayed.snippet.splitlines()) == 1
    assert all(any(other in rule for rule in replayed.rules) for other in OTHERS)


def test_the_daemon_stores_and_serves_each_once(play_bare: Callable[..., Any]) -> None:
    played = play_bare(CASE)

    played.check(played.last)
    for name in ("0007", "0008"):
        assert sum(name in line for line in played.last.splitlines()) == 1
        assert sum(name in rule for rule in played.rules) == 1
    assert all(any(other in rule for rule in played.rules) for other in OTHERS)
    assert sum(other in played.last for other in OTHERS) >= 5
    assert not any("tests/" in rule and "tests/data" not in rule for rule in played.rules)
    assert [each.said for each in played.captured if "0007" in each.what] == [5]


def test_the_permission_is_no_ban(replayed: Any) -> None:
    assert not any("tests/" in rule and "tests/data" not in rule for rule in replayed.rules)


def test_what_is_said_most_often_comes_first(replayed: Any) -> None:
    first = next(line for line in replayed.snippet.splitlines() if line.startswith("- "))

    assert "0007" in first


def test_it_knows_how_often_it_was_said_and_where_last(items: tuple[Anchor, ...]) -> None:
    [rule] = [item for item in items if "0007" in item.what]

    assert (rule.said, rule.source, rule.last_source) == (5, "s:1", "s:21")


def test_removing_duplicates_never_removes_the_last_copy(
    shared: Path, read_events: Callable[..., Any]
) -> None:
    events = read_events(shared / "field-cases" / CASE / "session.jsonl")
    proposals = Listener("s", readers=built_in()).hear(events)
    items: tuple[Anchor, ...] = ()

    for _ in range(3):
        items = apply(items, proposals, session="s", now=0)
        items = apply(items, [each for each in proposals if "0007" in each.text], session="t", now=0)

    assert [item.status for item in items if "0007" in item.what] == ["active"]
