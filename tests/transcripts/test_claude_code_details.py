"""What Claude Code's agent said and did is told once, with the to-do lists that it wrote."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentinitd.model.events import (
    RESULT_CHARS,
    AgentMessage,
    Event,
    PlanUpdate,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts import claude_code
from agentinitd.transcripts.reader import Checkpoint

MAIN = PurePath("/home/u/.claude/projects/-p/11111111-0000-4000-8000-000000000001.jsonl")
HELPER = MAIN.with_name("agent-1234abcd.jsonl")
DETAILS = (AgentMessage, ToolCall, ToolResult, PlanUpdate)


def record(kind: str, content: object, number: int = 1, **more: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": f"msg_{number}", "model": "m", "usage": {"input_tokens": 100 + number}}
    own = {"uuid": f"u{number}", "sessionId": "s", "timestamp": f"2026-01-01T00:00:{number % 60:02}Z"}
    return {"type": kind, "isSidechain": False, **own, "message": message, **more}


def call(call_id: str, name: str, **given: object) -> dict[str, Any]:
    block = {"type": "tool_use", "id": call_id, "name": name, "input": given}
    return record("assistant", [block])


def answer(call_id: str, content: object, **more: Any) -> dict[str, Any]:
    return record("user", [{"tool_use_id": call_id, "type": "tool_result", "content": content, **more}])


def data_of(records: Iterable[object]) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in records)


def told(*records: object, path: PurePath = MAIN) -> list[Any]:
    return details(claude_code.new_reader(path, is_detailed=True).feed(data_of(records)))


def details(events: Iterable[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, DETAILS)]


def plans(events: Iterable[Event]) -> list[list[tuple[str, str]]]:
    found = [event.steps for event in events if isinstance(event, PlanUpdate)]
    return [[(step.text, step.status) for step in steps] for steps in found]


# The real samples


def counted(path: Path) -> Counter[str]:
    """What stands in a sample, counted without any of our own means."""
    found: Counter[str] = Counter()
    seen: set[object] = set()
    is_helper = "-subagent-" in path.name
    for line in path.read_bytes().split(b"\n"):
        try:
            row = json.loads(line)
        except ValueError:
            continue
        message = row.get("message") if isinstance(row, dict) else None
        if not isinstance(message, dict) or row.get("type") not in ("user", "assistant"):
            continue
        if (row.get("isSidechain") and not is_helper) or not isinstance(message.get("content"), list):
            continue
        for block in message["content"]:
            key = json.dumps([message.get("id") or block.get("tool_use_id"), block])
            if key not in seen and message.get("model") != "<synthetic>":
                seen.add(key)
                found[block.get("type")] += bool(block.get("type") != "text" or block["text"].strip())
                found[f"{row['type']} {block.get('type')}"] += 1
                found["TodoWrite"] += block.get("name") == "TodoWrite"
    return found


def test_every_block_of_the_samples_is_told_once(shared: Path) -> None:
    total: Counter[str] = Counter()
    for path in sorted((shared / "transcripts" / "claude-code").glob("cc-[12]*.jsonl")):
        follower = claude_code.follow(str(path), is_detailed=True)
        events = follower.read()
        while follower.has_more:
            events += follower.read()
        found = Counter(type(event).__name__ for event in events)
        expected = counted(path)
        assert found["ToolCall"] == expected["tool_use"], path.name
        assert found["ToolResult"] == expected["tool_result"], path.name
        assert found["AgentMessage"] == expected["assistant text"], path.name
        assert found["PlanUpdate"] == expected["TodoWrite"], path.name
        total += found

    assert total["ToolCall"] > 500
    assert total["AgentMessage"] > 300
    assert total["PlanUpdate"] > 30


# Messages and tools


def test_a_message_of_several_blocks_is_told_block_by_block() -> None:
    first = record("assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I look"}])
    second = record(
        "assistant", [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}}]
    )

    said, asked = told(first, second)

    assert (said.text, said.line) == ("I look", 1)
    assert (asked.call_id, asked.name, asked.input, asked.line) == ("t1", "Bash", {"command": "ls"}, 2)


def test_a_record_that_comes_twice_is_told_once() -> None:
    rows = [record("assistant", [{"type": "text", "text": "done"}]), call("t", "Bash"), answer("t", "a")]

    assert len(told(*rows, *rows)) == 3


def test_the_same_words_in_another_message_are_told_again() -> None:
    again = [record("assistant", [{"type": "text", "text": "done"}], number) for number in (1, 2)]

    assert [each.text for each in told(*again)] == ["done", "done"]


@pytest.mark.parametrize(
    ("content", "more", "expected"),
    [
        ("fine", {}, ("fine", True)),
        ("fine", {"is_error": False}, ("fine", True)),
        ("Error: no", {"is_error": True}, ("Error: no", False)),
        (
            [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}],
            {},
            ("a\nb", True),
        ),
        ("x" * 9000, {}, ("x" * RESULT_CHARS, True)),
        ("\ud83d", {}, ("\ufffd", True)),
        (None, {}, ("", True)),
        ({"text": 1}, {}, ("", True)),
    ],
)
def test_a_result_says_whether_it_succeeded(content: object, more: dict[str, Any], expected: object) -> None:
    _, result = told(call("t", "Bash"), answer("t", content, **more))

    assert (result.call_id, (result.text, result.is_success)) == ("t", expected)


def test_a_plain_text_is_a_message_and_what_the_program_says_is_none() -> None:
    synthetic = record("assistant", [{"type": "text", "text": "No response requested."}])
    synthetic["message"]["model"] = "<synthetic>"
    failed = record("assistant", [{"type": "text", "text": "API Error"}], 2, isApiErrorMessage=True)

    assert [each.text for each in told(synthetic, failed, record("assistant", "Hello", 3))] == ["Hello"]


def test_a_helper_in_the_main_transcript_says_nothing_and_in_its_own_it_is_marked() -> None:
    own = record("assistant", [{"type": "text", "text": "main"}])
    aside = record("assistant", [{"type": "text", "text": "aside"}], 2, isSidechain=True)

    assert [(each.text, each.is_helper) for each in told(own, aside)] == [("main", False)]
    assert [(each.text, each.is_helper) for each in told(aside, path=HELPER)] == [("aside", True)]


def test_nothing_of_it_is_told_to_who_does_not_ask() -> None:
    rows = [record("assistant", "Hello"), call("t", "TodoWrite", todos=[]), answer("t", "a")]

    assert not details(claude_code.new_reader(MAIN).feed(data_of(rows)))


# Plans


def test_a_to_do_list_is_told_whole() -> None:
    todos = [
        {"content": "one", "status": "completed", "activeForm": "x"},
        {"content": "two", "status": "in_progress"},
        {"content": "three", "status": "pending"},
        {"content": "four", "status": "unheard of"},
        {"status": "pending"},
        "five",
    ]

    assert plans(told(call("t", "TodoWrite", todos=todos), call("u", "TodoWrite", todos="none"))) == [
        [("one", "done"), ("two", "in_progress"), ("three", "pending"), ("four", "pending")]
    ]


def test_tasks_that_change_one_by_one_are_told_as_the_whole_list() -> None:
    rows = [
        call("a", "TaskCreate", subject="one", description="d"),
        answer("a", "Task #1 created successfully: one"),
        call("b", "TaskCreate", subject="two"),
        answer("b", "Task #2 created successfully: two"),
        call("c", "TaskUpdate", taskId="1", status="in_progress"),
        answer("c", "Updated task #1 status"),
        call("d", "TaskUpdate", taskId="1", status="completed"),
        answer("d", "failed", is_error=True),
        call("e", "TaskUpdate", taskId="2", status="deleted", subject="second"),
        answer("e", "Updated task #2"),
        call("f", "TaskUpdate", taskId="9", status="completed"),
        answer("f", "Updated task #9"),
    ]

    assert plans(told(*rows)) == [
        [("one", "pending")],
        [("one", "pending"), ("two", "pending")],
        [("one", "in_progress"), ("two", "pending")],
        [("one", "in_progress"), ("second", "cancelled")],
    ]


# Cuts and damage


def story() -> bytes:
    rows: list[dict[str, Any]] = []
    for number in range(12):
        rows += [
            record("assistant", [{"type": "text", "text": f"step {number}"}], number),
            call(f"t{number}", "TaskCreate", subject=f"task {number}"),
            answer(f"t{number}", f"Task #{number} created"),
        ]
    return data_of(rows)


def test_the_place_of_a_cut_makes_no_difference() -> None:
    text = story()
    whole = claude_code.new_reader(MAIN, is_detailed=True).feed(text)
    assert len(details(whole)) == 48
    chance = random.Random(1)
    for _ in range(50):
        cut = chance.randrange(len(text))
        reader = claude_code.new_reader(MAIN, is_detailed=True)
        events = reader.feed(text[:cut])
        known = reader.checkpoint()
        kept = Checkpoint(offset=known.offset, line=known.line, state=json.loads(json.dumps(known.state)))
        again = claude_code.new_reader(MAIN, kept, is_detailed=True)

        assert events + again.feed(text[known.offset :]) == whole


@settings(deadline=None, max_examples=150)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    (
                        "type",
                        "text",
                        "id",
                        "name",
                        "input",
                        "todos",
                        "content",
                        "status",
                        "tool_use_id",
                        "is_error",
                    )
                ),
                inner | st.sampled_from(("text", "tool_use", "tool_result", "TodoWrite", "TaskUpdate")),
                max_size=6,
            )
        ),
    )
)
def test_no_content_makes_it_raise(content: object) -> None:
    told(record("assistant", content), record("user", content, 2), call("t", "TaskUpdate", x=content))
