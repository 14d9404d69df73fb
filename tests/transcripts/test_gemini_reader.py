"""What the lines of Gemini CLI tell: each thing once, however often the program writes it."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

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
from agentinitd.transcripts.gemini_reader import GeminiReader
from agentinitd.transcripts.reader import Checkpoint

SAMPLE = Path(__file__).parents[1] / "data" / "gemini" / "gm-0.61-auto-compress.jsonl"
PROJECT = "/home/u/shop"
HEAD = {
    "sessionId": "s1",
    "projectHash": hashlib.sha256(PROJECT.encode()).hexdigest(),
    "startTime": "2026-07-31T09:00:00.000Z",
    "kind": "main",
}
FILES_FOLLOW = {"text": "\n--- Content from referenced files ---"}
ACK = "Got it. Thanks for the additional context!"


def message(kind: str, content: Any, message_id: str, second: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "id": message_id,
        "timestamp": f"2026-07-31T09:00:{second:02}.000Z",
        "type": kind,
        "content": content,
        **more,
    }


def says(text: str, message_id: str = "u1", **more: Any) -> dict[str, Any]:
    return message("user", [{"text": text}], message_id, **more)


def answers(tokens: int | None, message_id: str = "g1", text: str = "", **more: Any) -> dict[str, Any]:
    counted = {"input": tokens, "output": 9, "cached": 0} if tokens is not None else None
    return message("gemini", text, message_id, model="gemini-2.5-pro", tokens=counted, **more)


def sets(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"$set": {"messages": list(messages), "lastUpdated": "2026-07-31T09:00:50.000Z"}}


def snapshot(message_id: str = "snap", **more: Any) -> dict[str, Any]:
    return says("<state_snapshot>\nall of it", message_id, **more)


def compressed(message_id: str = "snap", tail: Iterable[dict[str, Any]] = ()) -> dict[str, Any]:
    return sets(snapshot(message_id), message("gemini", [{"text": ACK}], f"{message_id}-ack"), *tail)


def lines(records: Iterable[Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def read(*records: Any, head: Any = HEAD) -> list[Event]:
    reader = GeminiReader(is_detailed=True)
    return reader.feed(lines([head, *records])) + reader.flush()


def told(events: list[Event], *kinds: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kinds)]


def test_an_answer_that_is_written_four_times_is_one_request() -> None:
    call = {"id": "c1", "name": "read_file", "args": {"file_path": "a.py"}}
    result = [{"functionResponse": {"id": "c1", "name": "read_file", "response": {"output": "text of it"}}}]
    events = read(
        answers(None, text="reading"),
        answers(100, text="reading"),
        answers(100, text="reading", toolCalls=[{**call, "status": "executing"}]),
        answers(100, text="reading", toolCalls=[{**call, "status": "success", "result": result}]),
        message("user", result, "r1"),
    )

    assert [(type(event).__name__, event.line) for event in events] == [
        ("SessionSeen", 1), ("AgentMessage", 2), ("Request", 3), ("ToolCall", 4), ("ToolResult", 5),
    ]  # fmt: skip
    request, tool_call, tool_result = events[2], events[3], events[4]
    assert isinstance(request, Request)
    assert (request.request_id, request.model, request.context_tokens) == ("g1", "gemini-2.5-pro", 100)
    assert request.window_tokens == 1_048_576
    assert isinstance(tool_call, ToolCall)
    assert (tool_call.name, tool_call.input) == ("read_file", {"file_path": "a.py"})
    assert isinstance(tool_result, ToolResult)
    assert (tool_result.call_id, tool_result.is_success, tool_result.text) == ("c1", True, "text of it")


@pytest.mark.parametrize(
    ("status", "is_success"), [("success", True), ("error", False), ("cancelled", False)]
)
def test_a_tool_has_ended_well_or_not(status: str, is_success: bool) -> None:
    call = {"id": "c1", "name": "x", "status": status, "resultDisplay": "shown"}

    (result,) = told(read(answers(5, toolCalls=[call])), ToolResult)

    assert (result.is_success, result.text) == (is_success, "shown")


def test_a_result_that_comes_without_its_call_is_told_once() -> None:
    response = {"functionResponse": {"id": "c1", "name": "x", "response": {"error": "no such file"}}}
    running = answers(5, toolCalls=[{"id": "c1", "name": "x", "status": "executing"}])
    ended = answers(5, toolCalls=[{"id": "c1", "name": "x", "status": "error", "result": [response]}])

    (result,) = told(read(running, message("user", [response], "r1"), ended), ToolResult)

    assert (result.line, result.is_success, result.text) == (3, False, "no such file")


def test_the_to_do_list_is_told_when_it_was_written() -> None:
    todos = [
        {"description": "read", "status": "completed"},
        {"description": "write", "status": "in_progress"},
        {"description": "test", "status": "blocked"},
        {"description": "sing", "status": "cancelled"},
        {"description": "", "status": "pending"},
        "no todo",
    ]
    good = {"id": "c1", "name": "write_todos", "args": {"todos": todos}, "status": "success"}
    bad = {**good, "id": "c2", "status": "error"}

    (plan,) = told(read(answers(5, toolCalls=[good, bad])), PlanUpdate)

    assert [(step.text, step.status) for step in plan.steps] == [
        ("read", "done"), ("write", "in_progress"), ("test", "pending"), ("sing", "cancelled"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "display", "text"),
    [
        ("plain", None, "plain"),
        ([{"text": "a"}, {"text": "b"}], None, "a\nb"),
        ([{"text": "fix @a.py"}, FILES_FOLLOW, {"text": "x = 1"}], None, "fix @a.py"),
        ([{"text": "fix x = 1"}], [{"text": "fix @a.py"}], "fix @a.py"),
        ([{"text": "go on"}, {"text": "<hook_context>remember</hook_context>"}], None, "go on"),
        ([{"inlineData": {"data": "QUJD", "mimeType": "image/png"}}], None, ""),
        ("/home/u/a.py is broken", None, "/home/u/a.py is broken"),
        ("what is <state_snapshot>?", None, "what is <state_snapshot>?"),
    ],
)  # fmt: skip
def test_what_the_person_typed(content: Any, display: Any, text: str) -> None:
    events = read(message("user", content, "u1", **({"displayContent": display} if display else {})))

    assert [event.text for event in told(events, PersonMessage)] == [text]


@pytest.mark.parametrize(
    ("content", "display"),
    [
        ([{"text": "<session_context>\nToday is Friday"}], None),
        ([{"text": "<hook_context>remember</hook_context>"}], None),
        ([{"text": "<state_snapshot>\nall of it"}], None),
        ([{"text": "Here is the user's editor context as a JSON object."}], None),
        ([{"text": "Please continue."}], None),
        ([{"text": "System: Please continue."}], [{"functionResponse": {"id": "c", "name": "x"}}]),
        ([{"functionResponse": {"id": "c", "name": "x", "response": {"output": "go"}}}], None),
        ("/compress", None),
        ("/chat save one", None),
        ("?", None),
        ("", None),
        (None, None),
        (7, None),
    ],
)
def test_what_the_person_did_not_type(content: Any, display: Any) -> None:
    events = read(message("user", content, "u1", **({"displayContent": display} if display else {})))

    assert told(events, PersonMessage) == []


def test_a_snippet_that_a_hook_added_has_arrived() -> None:
    hook = {"text": "<hook_context># Project memory (agentinitd 1234abcd)\n- rule</hook_context>"}
    quoted = says("why does it say (agentinitd 5678abcd)?", "u2")

    events = read(message("user", [{"text": "go on"}, hook], "u1"), quoted)

    assert [event.snippet_id for event in told(events, SnippetSeen)] == ["1234abcd"]


def test_a_checkpoint_and_its_notice_are_one_compression() -> None:
    kept = message("gemini", [{"text": "kept"}], "kept-1")
    notice = message("info", "Context compressed from 52% to 3%.", "i1")
    events = read(
        sets(says("<session_context>", "ctx")),
        says("go"),
        answers(500_000),
        compressed(tail=[kept]),
        notice,
        says("on", "u2"),
        answers(60_000, "g2"),
    )

    (marker,) = told(events, CompactionMarker)
    assert (marker.line, marker.trigger, marker.marker_id) == (5, "auto", "snap")
    assert told(events, ContextCleared) == []
    assert [event.text for event in told(events, PersonMessage)] == ["go", "on"]
    assert told(events, AgentMessage) == []


def test_a_notice_without_a_word_is_the_persons_own_compression() -> None:
    events = read(answers(500_000), compressed(), message("info", "", "i1"))

    assert [event.trigger for event in told(events, CompactionMarker)] == ["manual"]


@pytest.mark.parametrize(
    "following", [[], [says("on", "u2")], [answers(60_000, "g2")], [{"$rewindTo": "u1"}]]
)
def test_a_checkpoint_alone_is_a_compression_too(following: list[Any]) -> None:
    events = read(answers(500_000), compressed(), {"$set": {"lastUpdated": "x"}}, *following)

    (marker,) = told(events, CompactionMarker)
    assert (marker.line, marker.trigger) == (3, None)


def test_two_compressions_are_two() -> None:
    notice = "Context compressed from 52% to 3%."
    events = read(
        answers(500_000),
        compressed("one"),
        message("info", notice, "i1"),
        answers(60_000, "g2"),
        answers(520_000, "g3"),
        compressed("two"),
        message("info", notice, "i2"),
    )

    assert [event.marker_id for event in told(events, CompactionMarker)] == ["one", "two"]


def test_an_attempt_that_failed_leaves_a_notice_and_is_nothing() -> None:
    events = read(sets(says("<session_context>", "ctx")), answers(500_000), message("info", "", "i1"))

    assert told(events, CompactionMarker) == []


def test_before_there_were_checkpoints_the_notice_alone_tells() -> None:
    old = "IMPORTANT: A compressed context will be sent (compressed from: 600000 to 30000 tokens)."
    events = read(
        answers(500_000),
        message("info", "Context compressed from 52% to 3%.", "i1"),
        answers(60_000, "g2"),
        message("info", "", "i2"),
        answers(50_000, "g3"),
        message("info", old, "i3"),
    )

    assert [
        (event.marker_id, event.trigger, event.tokens_before, event.tokens_after)
        for event in told(events, CompactionMarker)
    ] == [("i1", "auto", None, None), ("i2", "manual", None, None), ("i3", "auto", 600_000, 30_000)]


@pytest.mark.parametrize(
    "record",
    [
        message("info", "Request cancelled.", "i1"),
        message("user", "Context compressed from 52% to 3%.", "i1"),
        message("gemini", "Context compressed from 52% to 3%.", "i1"),
        message("warning", "", "i1"),
        message("error", "", "i1"),
        says("<state_snapshot> is in my prompt"),
        message("gemini", "<state_snapshot>", "g2"),
    ],
)
def test_words_of_a_compression_in_other_records_are_none(record: dict[str, Any]) -> None:
    assert told(read(answers(500_000), record), CompactionMarker) == []


def test_a_summary_that_was_there_before_is_no_new_compression() -> None:
    notice = message("info", "Context compressed from 52% to 3%.", "i1")
    events = read(
        answers(500_000), compressed(), notice, answers(60_000, "g2"), compressed(), answers(40_000, "g3")
    )

    assert [event.line for event in told(events, CompactionMarker)] == [3]
    assert [(event.kind, event.line) for event in told(events, ContextCleared)] == [("rewind", 6)]


def test_a_prompt_that_quotes_a_summary_stays_a_prompt_when_old_output_is_masked() -> None:
    prompt = says("explain <state_snapshot> to me")
    events = read(prompt, answers(90_000), sets(prompt, answers(90_000)), answers(61_000, "g2"))

    assert told(events, CompactionMarker) == []
    assert [(event.kind, event.line) for event in told(events, ContextCleared)] == [("microcompact", 4)]


def test_a_list_that_repeats_messages_tells_none_of_them_again() -> None:
    call = {"id": "c1", "name": "x", "status": "success"}
    conversation = [says("go"), answers(90_000, text="done", toolCalls=[call])]

    events = read(*conversation, sets(*conversation), *conversation)

    assert [event.line for event in told(events, PersonMessage, Request, AgentMessage, ToolCall)] == [
        2,
        3,
        3,
        3,
    ]


def test_a_rewind_makes_old_sizes_incomparable() -> None:
    for target in ("u1", "unknown"):
        events = read(says("go"), answers(90_000), {"$rewindTo": target}, answers(20_000, "g2"))
        assert [(event.kind, event.line) for event in told(events, ContextCleared)] == [("rewind", 4)]


def test_a_fall_without_a_compression_is_said_to_be_none() -> None:
    events = read(says("a"), answers(125_000), says("b", "u2"), answers(68_000, "g2"), answers(67_000, "g3"))

    assert [(event.kind, event.line) for event in told(events, ContextCleared)] == [("microcompact", 5)]


def test_a_session_nobody_sits_before_may_compress_without_a_word() -> None:
    events = read(says("a"), answers(700_000), answers(60_000, "g2"))

    assert told(events, ContextCleared) == []


def test_the_project_is_the_folder_that_the_hash_is_of() -> None:
    path = {
        "id": "c1",
        "name": "read_file",
        "args": {"file_path": f"{PROJECT}/src/a.py"},
        "status": "success",
    }

    assert [event.cwd for event in told(read(answers(5, toolCalls=[path])), SessionSeen)] == [None, PROJECT]
    assert [event.cwd for event in told(read({"$set": {"directories": ["/x", PROJECT]}}), SessionSeen)] == [
        None,
        PROJECT,
    ]


def test_a_sub_agents_transcript_is_a_helpers() -> None:
    notice = message("info", "Context compressed from 52% to 3%.", "i1")
    events = read(says("your brief"), answers(5), notice, head={**HEAD, "kind": "subagent"})

    assert [(type(event).__name__, event.is_helper) for event in events] == [
        ("SessionSeen", True), ("Request", True), ("CompactionMarker", True),
    ]  # fmt: skip


@pytest.mark.parametrize("tokens", [0, -3, True, "12", 1.5, 10**12, None, [], {}])
def test_a_size_that_is_none_is_no_request(tokens: Any) -> None:
    record = {**answers(5), "tokens": {"input": tokens}}

    assert told(read(record), Request) == []


def test_fields_of_the_wrong_type_count_as_missing() -> None:
    events = read(
        {**says("go"), "timestamp": 5, "displayContent": 7},
        {**answers(100, text="done"), "model": ["x"], "toolCalls": {"a": 1}},
        {"id": 4, "type": [], "content": {}},
        {"$set": 5},
        {"$set": {"messages": 5}},
        {"$rewindTo": 7},
        {"unknown": "record"},
        {
            **answers(200, "g2"),
            "toolCalls": [5, {"id": 4, "name": None}, {"id": "c", "name": "x", "args": 3}],
        },
    )

    assert [event.text for event in told(events, PersonMessage, AgentMessage)] == ["go", "done"]
    assert [event.context_tokens for event in told(events, Request)] == [100, 200]
    assert told(events, Skipped) == []


def test_a_reader_goes_on_from_a_checkpoint_wherever_it_was_taken() -> None:
    data = SAMPLE.read_bytes()
    whole = GeminiReader(is_detailed=True)
    expected = whole.feed(data) + whole.flush()
    chance = random.Random(3)
    for _ in range(20):
        reader = GeminiReader(is_detailed=True)
        cut = chance.randrange(len(data))
        events = reader.feed(data[:cut])
        kept = json.loads(json.dumps(_plain(reader.checkpoint())))
        second = GeminiReader(Checkpoint(**kept), is_detailed=True)
        events += second.feed(data[kept["offset"] :]) + second.flush()
        assert events == expected


def _plain(checkpoint: Checkpoint) -> dict[str, Any]:
    return {"offset": checkpoint.offset, "line": checkpoint.line, "state": dict(checkpoint.state)}


def test_fifty_cuts_change_nothing() -> None:
    data = SAMPLE.read_bytes()
    whole = GeminiReader(is_detailed=True)
    expected = whole.feed(data) + whole.flush()
    chance = random.Random(5)
    for _ in range(3):
        reader = GeminiReader(is_detailed=True)
        cuts = [0, *sorted(chance.sample(range(len(data)), 50)), len(data)]
        events: list[Event] = []
        for start, end in pairwise(cuts):
            events += reader.feed(data[start:end])
        assert events + reader.flush() == expected


def test_damage_between_the_lines_changes_no_other_event() -> None:
    rows = SAMPLE.read_bytes().splitlines(keepends=True)
    expected = [
        (type(event), event.written_at) for event in GeminiReader(is_detailed=True).feed(b"".join(rows))
    ]
    damage = [b"\0" * 300 + b"\n", b'{"id":"x","type":"gem\n', b"\xff\n", b"\n", b"[]\n", b'{"$set":{"mess\n']
    spliced = b"".join(row + damage[at % len(damage)] for at, row in enumerate(rows))

    events = GeminiReader(is_detailed=True).feed(spliced)

    assert [(type(event), event.written_at) for event in events if not isinstance(event, Skipped)] == expected
    assert told(events, Skipped)


def test_a_reader_that_began_in_the_middle_takes_no_old_summary_for_a_new_one() -> None:
    old = {**snapshot("old"), "timestamp": "2026-07-31T08:00:00.000Z"}
    masked = sets(old, message("gemini", [{"text": ACK}], "old-ack"), answers(90_000))
    new = sets(
        {**snapshot("new"), "timestamp": "2026-07-31T10:00:00.000Z"}, message("gemini", ACK, "new-ack")
    )
    reader = GeminiReader(Checkpoint(offset=1000), is_detailed=True)

    events = reader.feed(lines([answers(90_000), masked, new])) + reader.flush()

    assert [event.marker_id for event in told(events, CompactionMarker)] == ["new"]


KEYS = ("id", "type", "content", "tokens", "toolCalls", "$set", "messages", "input", "args", "text", "status")
RECORDS = (HEAD, says("go"), answers(5), compressed(), message("info", "", "i"), {"$rewindTo": "u1"})
VALUES = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.sampled_from(["user", "gemini", "", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
)


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=60) | (st.sampled_from(RECORDS) | VALUES).map(json.dumps).map(str.encode)))
def test_no_bytes_make_it_raise(rows: list[bytes]) -> None:
    reader = GeminiReader(is_detailed=True)
    reader.feed(b"\n".join(rows))
    reader.flush()
    reader.checkpoint()
