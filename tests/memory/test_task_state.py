"""Task states: read with patience, named when wrong, and served in the order of their use."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.memory.task_state import parse_task_state, served_state


def test_unknown_keys_are_kept() -> None:
    raw = {
        "task_id": "a",
        "status": "active",
        "completed": [],
        "pending": ["b"],
        "blockers": [],
        "mine": {"x": [1]},
    }

    assert parse_task_state(json.dumps(raw).encode()) == (raw, [])


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"", 1, "empty"),
        (b" \n ", 1, "empty"),
        (b'{"task_id": "a",\n "pending": [', 2, "not JSON"),
        (b'{"a": NaN}', 1, "NaN is not JSON"),
        (b"[1, 2]", 1, "a JSON object"),
        (b"\xff\xfe{", 1, "not UTF-8"),
        (b"\x00\x01\x02", 1, "not JSON"),
        (b'{"a":' + b"[" * 50 + b"]" * 50 + b"}", 1, "nested"),
        (b"[" * 200_000, 1, "nested"),
        (b'{"a": ' + b"9" * 5000 + b"}", 1, "5,000 digits"),
    ],
)
def test_a_state_that_cannot_be_used_is_named_with_its_line(data: bytes, line: int, message: str) -> None:
    state, (problem,) = parse_task_state(data, file="tasks/a/state/task_state.json")

    assert state is None
    assert (problem.file, problem.line) == ("tasks/a/state/task_state.json", line)
    assert message in problem.message


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("completed", 3),
        ("pending", {"a": 1}),
        ("blockers", [7]),
        ("task_id", ["x"]),
        ("steps", True),
        ("goal", 1),
    ],
)
def test_a_value_of_the_wrong_type_is_named_and_the_rest_is_served(key: str, value: object) -> None:
    state, (problem,) = parse_task_state(json.dumps({"next_action": "go on", key: value}).encode())

    assert state is not None
    assert problem.message.startswith(f"{key}: ")
    assert served_state(state)["next_action"] == "go on"


def test_a_byte_order_mark_and_half_a_surrogate_pair_do_no_harm() -> None:
    state, problems = parse_task_state(b'\xef\xbb\xbf{"goal": "\\ud800", "\\ud801": 1}')

    assert state == {"goal": "?", "?": 1}
    assert problems == []


def test_steps_become_lists_and_the_running_one_carries_its_place(shared: Path) -> None:
    state, problems = parse_task_state((shared / "field-cases/14-clear-then-resume/state.json").read_bytes())

    assert problems == []
    assert state is not None
    served = served_state(state)
    assert list(served)[:3] == ["task_id", "goal", "next_action"]
    assert served["next_action"] == "Report: section with totals"
    assert served["in_progress"] == ["3/3 Report"]
    assert served["completed"] == ["Reader", "Validation"]
    assert served["counts"] == {"blocked": 0, "in_progress": 1, "pending": 0, "completed": 2}


@pytest.mark.parametrize(
    ("status", "served_as"),
    [
        ("done", "completed"), ("Completed", "completed"), ("已完成", "completed"),
        ("in-progress", "in_progress"), ("In Progress", "in_progress"), ("进行中", "in_progress"),
        ("todo", "pending"), ("whatever", "pending"), (None, "pending"), (3, "pending"),
        ("blocked", "blockers"), ("cancelled", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("title", ["title", "content", "step", "name"])
def test_plans_of_many_tools_are_understood(title: str, status: object, served_as: str | None) -> None:
    served = served_state({"todos": [{title: "x", "status": status}]})  # type: ignore[dict-item]

    lists = {key: served[key] for key in ("completed", "in_progress", "pending", "blockers") if served[key]}
    assert list(lists) == ([served_as] if served_as else [])


def test_one_text_serves_as_a_list_of_one_and_doubles_are_served_once() -> None:
    served = served_state({"blockers": "no key", "pending": ["a", "a", {"title": "b"}, "", None, 3]})

    assert served["blockers"] == ["no key"]
    assert served["pending"] == ["a", "b"]


def test_a_served_state_is_bounded_whatever_is_written() -> None:
    long = {
        "goal": "字" * 9000,
        "completed": [f"第 {n} 步" for n in range(5000)],
        "pending": ["x" * 2000] * 3,
        "notes": "y" * 50_000,
        "branch": "main",
    }

    served = served_state(long)  # type: ignore[arg-type]

    assert len(json.dumps(served)) < 30_000
    assert served["completed"][-1] == "第 4999 步"  # type: ignore[index]
    assert served["counts"]["completed"] == 5000  # type: ignore[index, call-overload]
    assert served["branch"] == "main"
    assert "notes" not in served
    assert "9,000 characters" in str(served["goal"])


@given(st.binary(max_size=60))
def test_no_bytes_whatever_make_the_parser_fail(data: bytes) -> None:
    state, problems = parse_task_state(data)

    assert state is not None or problems


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["task_id", "goal", "status", "next_action", "steps", "completed", "pending", "blockers", "x"]
)


@given(st.dictionaries(KEYS, JSON, max_size=6))
def test_whatever_object_is_written_can_be_served(raw: dict[str, object]) -> None:
    state, _ = parse_task_state(json.dumps(raw).encode())

    assert state is not None
    assert json.dumps(served_state(state)).encode()
