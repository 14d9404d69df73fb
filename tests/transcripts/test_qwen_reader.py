"""What the records of Qwen Code tell."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentinitd.model.events import (
    AgentMessage,
    CompactionMarker,
    ContextCleared,
    Event,
    PersonMessage,
    PlanUpdate,
    Request,
    SessionSeen,
    Skipped,
    SnippetSeen,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts.qwen_reader import QwenReader
from agentinitd.transcripts.reader import Checkpoint

DATA = Path(__file__).parents[1] / "data" / "qwen"
SAMPLES = [DATA / "qw-0.24-auto-compress.jsonl", DATA / "qw-0.24-manual-compress-rewind-model-switch.jsonl"]
ACK = "Got it. Thanks for the additional context!"


def record(kind: str, **more: Any) -> dict[str, Any]:
    return {
        "uuid": "r1",
        "parentUuid": None,
        "sessionId": "s1",
        "timestamp": "2026-10-08T09:00:03.431Z",
        "type": kind,
        "cwd": "/home/u/shop",
        "version": "0.24.4",
        **more,
    }


def says(text: str, **more: Any) -> dict[str, Any]:
    return record("user", provenance="real_user", message={"role": "user", "parts": [{"text": text}]}, **more)


def answers(tokens: Any, *parts: Any, **more: Any) -> dict[str, Any]:
    usage = {"promptTokenCount": tokens, "totalTokenCount": 7, "cachedContentTokenCount": 3}
    message = {"role": "model", "parts": list(parts)}
    return record("assistant", model="qwen3-coder-plus", message=message, usageMetadata=usage, **more)


def history(*texts: str) -> list[dict[str, Any]]:
    roles = ("user", "model")
    return [{"role": roles[at % 2], "parts": [{"text": text}]} for at, text in enumerate(texts)]


def compressed(reason: str | None, *texts: str, **info: Any) -> dict[str, Any]:
    counts = {"originalTokenCount": 223_200, "newTokenCount": 11_800, "compressionStatus": 1, **info}
    if reason is not None:
        counts["triggerReason"] = reason
    payload = {"info": counts, "compressedHistory": history(*texts), "completedToolCallIds": []}
    return record("system", subtype="chat_compression", systemPayload=payload)


def read(*records: Any) -> list[Event]:
    reader = QwenReader(is_detailed=True)
    return reader.feed(b"".join(json.dumps(each).encode() + b"\n" for each in records)) + reader.flush()


def told(events: list[Event], *kinds: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kinds)]


def test_a_turn_is_told_in_its_order() -> None:
    call = {"functionCall": {"id": "c1", "name": "read_file", "args": {"path": "a.py"}}}
    response = {"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "text"}}}
    result = {"callId": "c1", "status": "success", "resultDisplay": "read it"}
    events = read(
        says("go"),
        answers(100, {"text": "hm", "thought": True}, {"text": "reading"}, call, contextWindowSize=262_144),
        record("tool_result", message={"role": "user", "parts": [response]}, toolCallResult=result),
    )

    assert [(type(event).__name__, event.line) for event in events] == [
        ("SessionSeen", 1), ("PersonMessage", 1), ("Request", 2), ("AgentMessage", 2), ("ToolCall", 2),
        ("ToolResult", 3),
    ]  # fmt: skip
    session, _, request, said, tool_call, tool_result = events
    assert isinstance(session, SessionSeen)
    assert (session.session_id, session.cwd, session.agent_version) == ("s1", "/home/u/shop", "0.24.4")
    assert isinstance(request, Request)
    assert (request.context_tokens, request.window_tokens) == (100, 262_144)
    assert isinstance(said, AgentMessage)
    assert said.text == "reading"
    assert isinstance(tool_call, ToolCall)
    assert (tool_call.name, tool_call.input) == ("read_file", {"path": "a.py"})
    assert isinstance(tool_result, ToolResult)
    assert (tool_result.call_id, tool_result.is_success, tool_result.text) == ("c1", True, "text")


@pytest.mark.parametrize(
    ("status", "response", "is_success", "text"),
    [
        ("error", {"error": "no such file"}, False, "no such file"),
        ("cancelled", {}, False, "shown"),
        (None, {"error": "no"}, False, "no"),
        (None, {"output": "yes"}, None, "yes"),
        ("something new", "text", None, "text"),
    ],
)
def test_a_tool_has_ended_well_or_not(status: Any, response: Any, is_success: Any, text: str) -> None:
    part = {"functionResponse": {"id": "c1", "name": "x", "response": response}}
    result = {"callId": "c1", "status": status, "resultDisplay": "shown"}

    events = read(record("tool_result", message={"parts": [part]}, toolCallResult=result))

    assert [(each.is_success, each.text) for each in told(events, ToolResult)] == [(is_success, text)]


def test_the_to_do_list_is_told() -> None:
    todos = [{"content": "read", "status": "completed"}, {"content": "write", "status": "pending"}]
    call = {"functionCall": {"id": "c1", "name": "todo_write", "args": {"todos": todos}}}

    (plan,) = told(read(answers(5, call)), PlanUpdate)

    assert [(step.text, step.status) for step in plan.steps] == [("read", "done"), ("write", "pending")]


def test_without_a_prompt_count_the_total_is_the_size() -> None:
    assert [event.context_tokens for event in told(read(answers(None), answers(0)), Request)] == [7, 7]


@pytest.mark.parametrize(
    "message",
    [
        says("x", subtype="notification"),
        says("x", subtype="cron"),
        says("x", subtype="mid_turn_user_message"),
        says("x", subtype="goal_runtime"),
        says("x", subtype="something_new"),
        says("x") | {"provenance": "goal_runtime"},
        says("/compress"),
        says("<system-reminder>\nbe kind\n</system-reminder>"),
        says("<qwen:user-prompt-submit-context>\nrule\n</qwen:user-prompt-submit-context>"),
        record("user", message={"parts": [{"functionResponse": {"id": "c", "name": "x"}}]}),
        record("user", message={"parts": []}),
        record("user"),
        record("user", message="text"),
    ],
)
def test_what_the_person_did_not_type(message: dict[str, Any]) -> None:
    assert told(read(message), PersonMessage) == []


def test_the_person_typed_what_was_shown_and_not_what_hooks_added() -> None:
    added = {"text": "<qwen:user-prompt-submit-context>\nrule\n</qwen:user-prompt-submit-context>"}
    parts = {
        "parts": [
            {"text": "fix @a.py"},
            {"text": "\n--- Content from referenced files ---"},
            {"text": "x"},
            added,
        ]
    }
    events = read(
        record("user", message=parts),
        says("expanded", systemPayload={"displayText": "/fix it all", "hookContext": ""}),
        says("expanded", systemPayload={"displayText": "fix it", "hookContext": ""}),
        record("user", message={"parts": [{"inlineData": {"data": "QUJD"}}]}),
    )

    assert [event.text for event in told(events, PersonMessage)] == ["fix @a.py", "/fix it all", "fix it", ""]


def test_a_snippet_that_a_hook_added_has_arrived_once() -> None:
    text = "# Project memory (agentinitd 1234abcd)\n- rule"
    tagged = {"text": f"<qwen:user-prompt-submit-context>\n{text}\n</qwen:user-prompt-submit-context>"}
    prompt = record("user", message={"parts": [{"text": "go"}, tagged]}, systemPayload={"hookContext": text})

    assert [event.snippet_id for event in told(read(prompt), SnippetSeen)] == ["1234abcd"]
    assert told(read(says("why (agentinitd 1234abcd)?")), SnippetSeen) == []


@pytest.mark.parametrize(
    ("reason", "trigger"),
    [
        ("token_limit", "auto"), ("image_overflow", "auto"), ("payload_overflow", "auto"),
        ("manual", "manual"), (None, None),
    ],
)  # fmt: skip
def test_a_compression_is_marked(reason: str | None, trigger: str | None) -> None:
    (marker,) = told(
        read(says("go"), compressed(reason, "<state_snapshot>\nall", ACK, "more")), CompactionMarker
    )

    assert (marker.line, marker.trigger, marker.marker_id) == (2, trigger, "r1")
    assert (marker.tokens_before, marker.tokens_after) == (223_200, 11_800)


def test_the_history_in_a_compression_is_no_conversation() -> None:
    events = read(says("go"), compressed("manual", "<state_snapshot>\nall", ACK, "typed long ago", "said"))

    assert [event.text for event in told(events, PersonMessage, AgentMessage)] == ["go"]


def test_a_compression_that_failed_is_none() -> None:
    for status in (2, 3, 4, 5):
        assert told(read(compressed("manual", "s", ACK, compressionStatus=status)), CompactionMarker) == []


def test_compress_fast_empties_old_results_and_is_no_compression() -> None:
    fast = compressed("manual", "go", "done", "go on", newTokenCount=200_000)
    events = read(says("go"), answers(223_000), fast, answers(150_000))

    assert told(events, CompactionMarker) == []
    assert [(event.kind, event.line) for event in told(events, ContextCleared)] == [("microcompact", 3)]


def test_compress_fast_after_a_compression_finds_the_same_summary() -> None:
    full = compressed("token_limit", "a summary in free words", ACK, "go")
    fast = compressed("manual", "a summary in free words", ACK, "go", "done")
    again = compressed("manual", "another summary", ACK, "go", "done")

    events = read(full, answers(20_000), fast, answers(19_000), again)

    assert [event.line for event in told(events, CompactionMarker)] == [1, 5]
    assert [event.line for event in told(events, ContextCleared)] == [3]


def test_a_rewind_makes_old_sizes_incomparable() -> None:
    rewind = record("system", subtype="rewind", systemPayload={"truncatedCount": 4})

    events = read(answers(51_000), rewind, answers(31_000))

    assert [(event.kind, event.line) for event in told(events, ContextCleared)] == [("rewind", 2)]


def test_a_fall_without_a_compression_is_said_to_be_none() -> None:
    events = read(answers(51_000), answers(31_000), answers(30_000))

    assert [(event.kind, event.line) for event in told(events, ContextCleared)] == [("microcompact", 2)]


def test_what_a_fork_repeats_is_history() -> None:
    copied = {"forkedFrom": {"sessionId": "s0", "messageUuid": "r1"}}
    marker = compressed("token_limit", "<state_snapshot>", ACK) | copied
    events = read(says("old", **copied), answers(5, **copied), marker, says("new"))

    assert [(type(event).__name__, event.is_history) for event in events] == [
        ("SessionSeen", True), ("PersonMessage", True), ("Request", True), ("CompactionMarker", True),
        ("PersonMessage", False),
    ]  # fmt: skip


def test_a_helpers_records_in_the_main_transcript_are_nobodys() -> None:
    aside = {"isSidechain": True}

    assert [type(event) for event in read(says("go"), says("brief", **aside), answers(5, **aside))] == [
        SessionSeen, PersonMessage,
    ]  # fmt: skip
    own = read(says("brief", **aside), answers(5, **aside))
    assert [(type(event), event.is_helper) for event in own] == [(SessionSeen, True), (Request, True)]


def test_records_of_unknown_kinds_are_passed_over() -> None:
    events = read(
        says("go"),
        record("system", subtype="ui_telemetry", systemPayload={"uiEvent": {"input_token_count": 9}}),
        record("system", subtype="brand_new", systemPayload=[1]),
        record("brand_new"),
        {"type": "user"},
        {},
        {**answers(5), "usageMetadata": {"promptTokenCount": "many"}, "contextWindowSize": []},
        {**answers(6), "message": {"parts": [5, {"text": 7}, {"functionCall": 3}]}},
        {**compressed("manual"), "systemPayload": "text"},
        record("tool_result", message={"parts": [{"functionResponse": {"id": 3}}]}, toolCallResult=[]),
    )

    assert [type(event) for event in events] == [SessionSeen, PersonMessage, Request, CompactionMarker]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_cuts_and_checkpoints_change_nothing(sample: Path) -> None:
    data = sample.read_bytes()
    whole = QwenReader(is_detailed=True)
    expected = whole.feed(data) + whole.flush()
    chance = random.Random(5)
    reader = QwenReader(is_detailed=True)
    cuts = [0, *sorted(chance.sample(range(len(data)), 50)), len(data)]
    events: list[Event] = []
    for start, end in pairwise(cuts):
        events += reader.feed(data[start:end])
        kept = msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(reader.checkpoint())))
        if chance.random() < 0.5:
            second = QwenReader(msgspec.convert(kept, Checkpoint), is_detailed=True)
            second.feed(data[kept["offset"] : end])
            reader = second

    assert events + reader.flush() == expected


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_torn_end_costs_only_the_torn_record(sample: Path) -> None:
    data = sample.read_bytes()
    whole = QwenReader(is_detailed=True).feed(data)
    end = data.rstrip(b"\n").rfind(b"\n") + 1
    reader = QwenReader(is_detailed=True)

    events = reader.feed(data[: (end + len(data)) // 2]) + reader.flush()

    assert events == [event for event in whole if event.offset < end]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_damage_between_the_lines_changes_no_other_event(sample: Path) -> None:
    rows = sample.read_bytes().splitlines(keepends=True)
    expected = [
        (type(event), event.written_at) for event in QwenReader(is_detailed=True).feed(b"".join(rows))
    ]
    damage = [b"\0" * 300 + b"\n", b'{"uuid":"x","type":"assi\n', b"\xff\n", b"\n", b"[]\n", b'"x"\n']
    spliced = b"".join(row + damage[at % len(damage)] for at, row in enumerate(rows))

    events = QwenReader(is_detailed=True).feed(spliced)

    assert [(type(event), event.written_at) for event in events if not isinstance(event, Skipped)] == expected


KEYS = (
    "uuid",
    "type",
    "message",
    "parts",
    "text",
    "usageMetadata",
    "promptTokenCount",
    "systemPayload",
    "info",
)
RECORDS = (says("go"), answers(5), compressed("manual", "a", ACK), record("tool_result"), {"type": "user"})
VALUES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.sampled_from(["user", "assistant", "", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
)


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=60) | (st.sampled_from(RECORDS) | VALUES).map(json.dumps).map(str.encode)))
def test_no_bytes_make_it_raise(rows: list[bytes]) -> None:
    reader = QwenReader(is_detailed=True)
    reader.feed(b"\n".join(rows))
    reader.flush()
    reader.checkpoint()
