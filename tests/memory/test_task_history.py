"""The lines of a history, and what changed between two states in words."""

from __future__ import annotations

import json

import pytest

from agentinitd.memory.task_history import Recorded, differences, is_same, recorded_in, recorded_of


def test_a_line_comes_back_as_it_was() -> None:
    recorded = Recorded(at=12.5, by="user", reason="`task next`", state={"名": [1, {"a": None}]})

    assert recorded_of(recorded.line.encode()) == recorded
    assert "\n" not in recorded.line


@pytest.mark.parametrize("line", [b"", b"{", b"[1]", b"\xff", b'{"at": 1}', b'{"state": 3}', b"[" * 100_000])
def test_a_torn_or_foreign_line_is_passed_over(line: bytes) -> None:
    good = Recorded(at=1.0, by="b", reason="r", state={}).line.encode()

    assert [recorded.by for recorded in recorded_in([line, good, line])] == ["b"]


@pytest.mark.parametrize("at", [None, "x", True, 1e300, [1]])
def test_a_time_that_is_none_costs_only_the_time(at: object) -> None:
    found = recorded_of(json.dumps({"at": at, "by": 3, "state": {"a": 1}}).encode())

    assert found == Recorded(at=0.0, by="", reason="", state={"a": 1})


def test_times_alone_make_no_other_state() -> None:
    assert is_same({"a": 1, "last_updated": "x"}, {"a": 1, "last_updated": "y", "updated_at": "z"})
    assert not is_same({"a": 1}, {"a": True})
    assert is_same(None, {})


def test_what_changed_is_told_in_words() -> None:
    before = {
        "status": "open",
        "steps": [{"title": "read", "status": "done"}, {"title": "write", "status": "todo"}],
        "blockers": ["the key"],
        "port": 1,
        "phase": "build",
    }
    after = {
        "status": "done",
        "steps": [{"title": "read", "status": "done"}, {"title": "write", "status": "done"}],
        "pending": ["ship"],
        "next_action": "go\nhome",
        "port": {"a": 2},
        "last_updated": "x",
    }

    assert differences(before, after) == [  # type: ignore[arg-type]
        "status: open → done",
        "next_action: nothing → go home",
        "phase: build → nothing",
        "+ ship (pending)",
        "write: pending → completed",
        "- the key (was blocked)",
        'port: 1 → {"a": 2}',
    ]
    assert differences(None, {"goal": "g"}) == ["goal: nothing → g"]
    assert differences({"goal": "g"}, {"goal": "g"}) == []


def test_long_values_are_cut() -> None:
    [line] = differences({}, {"notes": "x" * 5000})

    assert len(line) < 200
