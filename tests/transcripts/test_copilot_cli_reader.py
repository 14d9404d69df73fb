"""Records of Copilot CLI become events, whatever the version, the damage, and the place of a cut."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentinitd.model.events import (
    CompactionMarker,
    Event,
    PersonMessage,
    PlanUpdate,
    SessionSeen,
    Skipped,
    SnippetSeen,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts.copilot_cli_reader import CopilotReader, Unsized
from agentinitd.transcripts.reader import Checkpoint

SAMPLE = Path(__file__).parents[1] / "data" / "copilot-cli" / "compaction.jsonl"
FRAME = "Recorded by the project's owner, in force now (agentinitd 0123456789ab):\n- one rule"


def record(kind: str, *, id: str = "e1", agent: str | None = None, **data: Any) -> dict[str, Any]:
    made = {"type": kind, "data": data, "id": id, "timestamp": "2026-11-29T10:00:00.000Z", "parentId": None}
    return made if agent is None else {**made, "agentId": agent}


def data_of(records: Iterable[object]) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in records)


def events_of(*records: object) -> list[Event]:
    told = CopilotReader("s", is_detailed=True).feed(data_of(records))
    return [event for event in told if not isinstance(event, SessionSeen)]


def kinds(events: Iterable[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


# Sessions


def test_a_session_names_itself_and_again_when_it_moves() -> None:
    start = record("session.start", sessionId="s1", copilotVersion="1.0.80", context={"cwd": "/a"})
    same = record("session.resume", context={"cwd": "/a"})
    moved = record("session.context_changed", cwd="/b")

    told = CopilotReader("folder", is_detailed=True).feed(data_of([start, same, moved]))

    assert [
        (event.line, event.session_id, event.cwd) for event in told if isinstance(event, SessionSeen)
    ] == [
        (1, "s1", "/a"),
        (3, "s1", "/b"),
    ]


def test_a_session_whose_start_is_lost_is_named_after_its_folder() -> None:
    told = CopilotReader("folder", is_detailed=True).feed(
        b"torn\n" + data_of([record("user.message", content="hi")])
    )

    assert kinds(told) == ["Skipped", "SessionSeen", "PersonMessage"]
    assert [event.session_id for event in told if isinstance(event, SessionSeen)] == ["folder"]


def test_a_run_that_was_left_behind_by_another_session_is_a_helpers() -> None:
    start = record("session.start", sessionId="s1", detachedFromSpawningParentSessionId="s0")

    told = CopilotReader("s1", is_detailed=True).feed(
        data_of([start, record("user.message", content="tidy up")])
    )

    assert all(event.is_helper for event in told)


# Messages


@pytest.mark.parametrize(
    ("data", "is_typed"),
    [
        ({"content": "fix it"}, True),
        ({"content": "fix it", "source": "user"}, True),
        ({"content": "", "attachments": [{"type": "file"}]}, True),
        ({"content": "the skill's text", "source": "skill-pdf"}, False),
        ({"content": "done?", "source": "agent-7"}, False),
        ({"content": "go on", "isAutopilotContinuation": True}, False),
        ({"content": "<system_notification>a shell ended</system_notification>"}, False),
    ],
)
def test_only_what_the_person_typed_is_a_message(data: dict[str, Any], is_typed: bool) -> None:
    assert kinds(events_of(record("user.message", **data))) == (["PersonMessage"] if is_typed else [])


def test_what_a_sub_agent_does_says_nothing_of_the_session() -> None:
    told = events_of(
        record("user.message", agent="a1", content="look around"),
        record("assistant.message", agent="a1", messageId="m", content="well", outputTokens=3),
        record("assistant.message", messageId="m2", content="well", outputTokens=3, parentToolCallId="t"),
        record("tool.execution_start", agent="a1", toolCallId="t2", toolName="view"),
        record("session.compaction_complete", agent="a1", success=True, preCompactionTokens=9),
        record("session.truncation", agent="a1"),
    )

    assert told == []


def test_records_that_are_not_kept_on_disk_say_nothing() -> None:
    assert events_of({**record("user.message", content="hi"), "ephemeral": True}) == []


# Tools


def test_a_call_that_is_recorded_twice_is_told_once_and_its_result_with_its_success() -> None:
    request = {"toolCallId": "t1", "name": "bash", "arguments": {"command": "ls"}, "type": "function"}
    told = events_of(
        record("assistant.message", messageId="m", content="", toolRequests=[request], outputTokens=1),
        record("tool.execution_start", toolCallId="t1", toolName="bash", arguments={"command": "ls"}),
        record("tool.execution_complete", toolCallId="t1", success=True, result={"content": "x" * 9000}),
        record("tool.execution_start", toolCallId="t2", toolName="view", arguments="no object"),
        record("tool.execution_complete", toolCallId="t2", success=False, error={"message": "no such file"}),
    )

    assert kinds(told) == ["Unsized", "ToolCall", "ToolResult", "ToolCall", "ToolResult"]
    calls = [event for event in told if isinstance(event, ToolCall)]
    assert [(call.call_id, call.name, call.input) for call in calls] == [
        ("t1", "bash", {"command": "ls"}),
        ("t2", "view", {}),
    ]
    results = [event for event in told if isinstance(event, ToolResult)]
    assert [(result.is_success, len(result.text)) for result in results] == [(True, 4000), (False, 12)]


def test_a_checklist_is_a_plan() -> None:
    todos = "# Plan\n- [x] read\n- [ ] write\n  * [~] test it\nfree text"
    request = {"toolCallId": "t1", "toolName": "update_todo", "arguments": {"todos": todos}}

    [_, _, plan] = events_of(record("assistant.message", messageId="m", toolRequests=[request]))

    assert isinstance(plan, PlanUpdate)
    assert [(step.text, step.status) for step in plan.steps] == [
        ("read", "done"),
        ("write", "pending"),
        ("test it", "in_progress"),
    ]


def test_an_answer_in_several_pieces_is_one_request() -> None:
    told = events_of(
        record("assistant.message", messageId="m", content="a", chunkIndex=0, chunkCount=2, outputTokens=5),
        record("assistant.message", messageId="m", content="b", chunkIndex=1, chunkCount=2, outputTokens=5),
    )

    assert kinds(told) == ["Unsized", "AgentMessage", "AgentMessage"]


# Compactions


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (
            {"success": True, "preCompactionTokens": 120_000, "postCompactionTokens": 18_000},
            (120_000, 18_000),
        ),
        ({"success": True, "preCompactionTokens": 120_000, "tokensRemoved": 100_000}, (120_000, 20_000)),
        ({"success": True}, (None, None)),
        ({"success": True, "preCompactionTokens": "many", "postCompactionTokens": -5}, (None, None)),
        ({"success": False, "preCompactionTokens": 120_000}, None),
        ({"success": "true"}, None),
        ({}, None),
    ],
)
def test_only_a_compaction_that_succeeded_is_one(data: dict[str, Any], found: tuple[Any, Any] | None) -> None:
    told = events_of(record("session.compaction_start"), record("session.compaction_complete", **data))

    markers = [
        (event.tokens_before, event.tokens_after) for event in told if isinstance(event, CompactionMarker)
    ]
    assert markers == ([] if found is None else [found])


@pytest.mark.parametrize(
    ("trigger", "told"),
    [
        ("manual", "manual"),
        ("threshold", "auto"),
        ("context_limit_retry", "auto"),
        ("new", None),
        (None, None),
    ],
)
def test_a_compaction_says_why(trigger: str | None, told: str | None) -> None:
    [marker] = events_of(record("session.compaction_complete", success=True, trigger=trigger))

    assert isinstance(marker, CompactionMarker)
    assert (marker.trigger, marker.marker_id) == (told, "e1")


def test_a_compaction_written_twice_is_told_once() -> None:
    complete = record("session.compaction_complete", success=True)

    assert kinds(events_of(complete, complete)) == ["CompactionMarker"]


def test_what_cuts_the_context_without_a_summary_clears_it() -> None:
    told = events_of(record("session.truncation", tokenLimit=128_000), record("session.context_cleared"))

    assert [getattr(event, "kind", None) for event in told] == ["microcompact", "clear"]


def test_the_window_is_known_from_the_last_cut_until_the_model_changes() -> None:
    answer = record("assistant.message", messageId="m", outputTokens=1)
    told = events_of(
        answer,
        record("session.compaction_start", tokenLimit=128_000),
        answer,
        record("session.model_change", newModel="b"),
        answer,
    )

    windows = [event.window_tokens for event in told if isinstance(event, Unsized)]
    assert windows == [None, 128_000, None]


def test_a_snippet_is_seen_in_what_a_hook_printed_and_nowhere_else() -> None:
    hook = record("hook.end", hookType="sessionStart", success=True, output={"additionalContext": FRAME})
    result = record("tool.execution_complete", toolCallId="t", success=True, result={"content": FRAME})
    told = events_of(hook, hook, record("user.message", content=FRAME), result, hook)

    snippets = [event.snippet_id for event in told if isinstance(event, SnippetSeen)]
    assert kinds(told) == ["SnippetSeen", "PersonMessage", "ToolResult", "SnippetSeen"]
    assert snippets == ["0123456789ab"] * 2


# Damage and cuts


def read_in(pieces: Iterable[bytes]) -> list[Event]:
    reader = CopilotReader("s", is_detailed=True)
    return [event for piece in pieces for event in reader.feed(piece)] + reader.flush()


def test_the_sample_reads_the_same_wherever_it_is_cut() -> None:
    text = SAMPLE.read_bytes()
    whole = read_in([text])
    chance = random.Random(1)

    assert len(whole) > 10
    assert read_in(text[at : at + 1] for at in range(len(text))) == whole
    for _ in range(50):
        cut = chance.randrange(len(text))
        reader = CopilotReader("s", is_detailed=True)
        told = reader.feed(text[:cut]) + reader.flush()
        known = reader.checkpoint()
        plain = Checkpoint(offset=known.offset, line=known.line, state=json.loads(json.dumps(known.state)))
        assert told + CopilotReader("s", plain, is_detailed=True).feed(text[known.offset :]) == whole


@pytest.mark.parametrize(
    "damage",
    [
        b"\0" * 300,
        b'{"type":"user.message","data":{"content":"torn',
        b"\xff\xfe garbage",
        b"[1,2]",
        b"null",
        b"{}",
    ],
)
def test_damage_between_two_records_costs_nothing_else(damage: bytes) -> None:
    lines = SAMPLE.read_bytes().splitlines()
    whole = read_in([b"\n".join(lines) + b"\n"])
    for at in (1, 8, len(lines) - 1):
        told = read_in([b"\n".join([*lines[:at], damage, *lines[at:]]) + b"\n"])

        assert kinds(event for event in told if not isinstance(event, Skipped)) == kinds(whole)


def test_a_record_behind_a_torn_one_is_read_and_what_is_inside_the_torn_one_is_not() -> None:
    inner = json.dumps({"type": "text", "id": "x", "data": "no record"}).encode()
    torn = b'{"type":"tool.execution_complete","data":{"result":{"contents":[' + inner + b',{"type":"te'
    line = torn + data_of([record("user.message", content="whole")])

    told = CopilotReader("s", is_detailed=True).feed(line)

    assert kinds(told) == ["Skipped", "SessionSeen", "PersonMessage"]


def test_fields_of_the_wrong_type_count_as_missing() -> None:
    wrong = [
        record("user.message", content=["no", "text"]),
        record("assistant.message", messageId=7, content={"a": 1}, toolRequests="none", outputTokens="5"),
        record("tool.execution_complete", toolCallId=5, success="yes"),
        record("session.start", sessionId=[], context="here"),
        {**record("user.message", content="half a pair: \ud83d"), "timestamp": 7, "agentId": 5},
    ]

    told = events_of(*wrong)

    assert kinds(told) == ["PersonMessage", "Unsized", "PersonMessage"]
    assert [event.text for event in told if isinstance(event, PersonMessage)] == ["", "half a pair: \ufffd"]


def test_a_giant_line_is_read_without_being_kept() -> None:
    big = record("user.message", content="x" * 3_000_000, attachments=[{"data": "y" * 3_000_000}])

    [event] = events_of(big)

    assert isinstance(event, PersonMessage)
    assert 1000 < len(event.text) < 100_000


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
names = st.sampled_from(
    ["content", "toolRequests", "success", "toolCallId", "result", "output", "context", "messageId", "source"]
)
types = st.sampled_from(
    [
        "session.start", "user.message", "assistant.message", "tool.execution_start",
        "tool.execution_complete", "session.compaction_complete", "session.truncation", "hook.end", "new",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries({"type": types | values, "data": st.dictionaries(names, values) | values})
        | values
    ),
    st.binary(max_size=40),
    st.integers(0, 4000),
)
def test_no_bytes_make_it_raise(records: list[object], junk: bytes, at: int) -> None:
    text = data_of(records)
    read_in([text[:at], junk, text[at:], b"\n", junk])
