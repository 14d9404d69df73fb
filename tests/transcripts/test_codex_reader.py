"""Codex rollouts become events, whatever the version."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from agentinitd.model.events import (
    CompactionMarker,
    ContextCleared,
    PersonMessage,
    Request,
    SessionSeen,
    Skipped,
    ToolCall,
    ToolResult,
)
from agentinitd.sessions.replay import replay

sys.path.insert(0, str(Path(__file__).parent))

from codex_lines import (
    FORK,
    META,
    at,
    compacted,
    data_of,
    estimate,
    event,
    events_of,
    history,
    in_pieces,
    item,
    kinds,
    meta,
    of,
    read,
    record,
    said,
    tokens,
    typed,
)


def manifest_entries(shared: Path) -> list[dict[str, Any]]:
    files = json.loads((shared / "transcripts" / "MANIFEST.json").read_text())["files"]
    return [entry for entry in files if entry["agent"] == "codex"]


# The real transcripts


def test_every_sample_has_exactly_the_compactions_that_are_known_of_it(shared: Path) -> None:
    entries = manifest_entries(shared)

    assert len(entries) >= 11
    for entry in entries:
        found = replay(read((shared / "transcripts" / entry["file"]).read_bytes()), "codex")
        told = [
            (each.line, each.kind, each.trigger, each.tokens_before, each.tokens_after)
            for each in found.compactions
        ]
        known = [
            (each["line_number"], "marker", each["trigger"], each["tokens_before"], each["tokens_after"])
            for each in entry["compactions"]
        ]
        assert told == known, entry["file"]
        assert found.peak_context_tokens == entry["max_context_tokens"], entry["file"]
        assert not found.skipped_lines, entry["file"]


def test_what_falls_at_the_start_of_a_turn_in_a_sample_is_no_compaction(shared: Path) -> None:
    name = "cx-0.117-drop-at-turn-start.jsonl"
    events = read((shared / "transcripts" / "codex" / name).read_bytes())
    cleared = {each.line for each in of(ContextCleared, events)}

    assert {268, 315} <= cleared
    assert not of(CompactionMarker, events)
    assert not replay(events, "codex").compactions


def test_the_sample_of_a_sub_agent_says_nothing_of_the_person(shared: Path) -> None:
    events = read((shared / "transcripts" / "codex" / "cx-0.118a-subagent.jsonl").read_bytes())

    assert of(Request, events)
    assert all(each.is_helper for each in events)
    assert not of(PersonMessage, events)


def test_the_person_speaks_as_often_as_the_sample_has_their_events(shared: Path) -> None:
    for entry in manifest_entries(shared):
        data = (shared / "transcripts" / entry["file"]).read_bytes()
        spoken = data.count(b'"payload":{"type":"user_message"')
        is_helper = "subagent" in entry["file"]

        assert len(of(PersonMessage, read(data))) == (0 if is_helper else spoken), entry["file"]


def test_every_call_in_the_samples_has_a_name_and_arguments_that_are_an_object(shared: Path) -> None:
    for entry in manifest_entries(shared):
        events = read((shared / "transcripts" / entry["file"]).read_bytes())
        calls = of(ToolCall, events)

        assert all(
            call.name and isinstance(json.loads(call.input_json), dict) for call in calls if call.input
        )
        assert {result.call_id for result in of(ToolResult, events)} <= {call.call_id for call in calls}


# The session


def test_the_first_meta_names_the_thread() -> None:
    other = {**META, "id": "thread-0", "cwd": "/elsewhere", "cli_version": "0.1.0"}

    [seen] = of(SessionSeen, read(data_of([meta(), typed(), tokens(5), meta(other)])))

    assert (seen.session_id, seen.cwd, seen.agent_version) == ("thread-1", "/home/user/project", "0.155.0")


def test_another_folder_in_a_turn_is_told() -> None:
    seen = of(SessionSeen, read(data_of([meta(), record("turn_context", {"cwd": "C:\\work", "model": "m"})])))

    assert [each.cwd for each in seen] == ["/home/user/project", "C:\\work"]


@pytest.mark.parametrize(
    "more",
    [
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}}},
        {"source": {"subagent": "review"}},
        {"parent_thread_id": "p"},
        {"thread_source": "subagent"},
    ],
)
def test_a_thread_that_another_thread_started_is_a_helper(more: dict[str, object]) -> None:
    events = read(data_of([meta({**META, **more}), typed(second=9), tokens(100, 10), compacted(11)]))

    assert kinds(events) == ["SessionSeen", "Request", "CompactionMarker"]
    assert all(each.is_helper for each in events)


@pytest.mark.parametrize("source", ["cli", "vscode", "exec", {"custom": "x"}, None])
def test_other_sources_are_no_helpers(source: object) -> None:
    [message] = of(PersonMessage, read(data_of([meta({**META, "source": source}), typed()])))

    assert not message.is_helper


# What counts as a message of the person


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("fix it", "fix it"),
        ("规则：一律 UTF-8\u2028line", "规则：一律 UTF-8\u2028line"),
        ("", ""),
        (
            "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nfix it\n",
            "fix it",
        ),
        ("why is <environment_context> there?", "why is <environment_context> there?"),
        ("half a pair: \ud83d", "half a pair: \ufffd"),
    ],
)
def test_what_the_person_typed_is_told_without_what_the_editor_put_before_it(text: str, told: str) -> None:
    [message] = events_of(typed(text))

    assert isinstance(message, PersonMessage)
    assert message.text == told


@pytest.mark.parametrize(
    "line",
    [
        item("message", role="user", content=[{"type": "input_text", "text": "fix it"}]),
        item(
            "message",
            role="developer",
            content=[{"type": "input_text", "text": "<permissions instructions>"}],
        ),
        event(
            "user_message",
            message="<environment_context>\n</environment_context>",
            kind="environment_context",
        ),
        event("user_message", message="<user_instructions>be good</user_instructions>"),
        event("user_message", message="# AGENTS.md instructions for /home\n<INSTRUCTIONS>x</INSTRUCTIONS>"),
        record("inter_agent_communication", {"content": "do this"}),
        event("item_completed", item={"type": "AgentMessage", "content": [{"type": "Text", "text": "x"}]}),
    ],
)
def test_what_codex_puts_in_the_persons_place_is_no_message(line: object) -> None:
    assert not of(PersonMessage, events_of(line))


def test_newer_versions_tell_the_persons_message_as_a_completed_item() -> None:
    content = [
        {"type": "text", "text": "fix it", "text_elements": []},
        {"type": "local_image", "path": "/a.png"},
    ]
    [message] = events_of(
        event("item_completed", item={"type": "UserMessage", "id": "i", "content": content})
    )

    assert message.text == "fix it"


def test_a_message_told_in_both_forms_is_one_and_one_typed_twice_is_two() -> None:
    both = event(
        "item_completed", item={"type": "UserMessage", "content": [{"type": "text", "text": "go on"}]}
    )

    assert len(of(PersonMessage, events_of(typed(), both))) == 1
    assert len(of(PersonMessage, events_of(both, typed(), both, typed()))) == 2
    assert (
        len(of(PersonMessage, events_of(typed(), event("turn_aborted", reason="interrupted"), typed()))) == 2
    )


# Requests


def test_the_context_is_the_total_of_the_last_request_and_the_window_is_told() -> None:
    turn = record("turn_context", {"model": "gpt-6", "cwd": "/home/user/project"})
    [request] = of(Request, events_of(meta(), turn, tokens(30_000, total=900_000)))

    assert (request.context_tokens, request.window_tokens, request.model) == (30_000, 258_400, "gpt-6")


def test_figures_that_are_written_again_are_one_request() -> None:
    again = tokens(30_000, total=40_000)

    events = events_of(again, again, typed(), again, estimate(9_000), again, tokens(30_000, total=70_000))

    assert [each.context_tokens for each in of(Request, events)] == [30_000, 30_000]


@pytest.mark.parametrize(
    "info",
    [
        None,
        {"last_token_usage": None},
        {"last_token_usage": {"input_tokens": 0, "total_tokens": 9_100}},
        {"last_token_usage": {"input_tokens": 5, "total_tokens": 0}},
        {"last_token_usage": {"input_tokens": -1, "total_tokens": -1}},
        {"last_token_usage": {"total_tokens": 9_100}},
        {
            "last_token_usage": {"input_tokens": 4_280_000, "total_tokens": 4_280_000},
            "model_context_window": 570_000,
        },
        {"last_token_usage": {"input_tokens": 10**17, "total_tokens": 10**17}},
        {"last_token_usage": "many"},
        [],
    ],
)
def test_estimates_zeros_and_impossible_figures_are_no_request(info: object) -> None:
    assert events_of(event("token_count", info=info)) == []


def test_a_model_that_codex_does_not_know_may_hold_more_than_the_window_it_assumes() -> None:
    [request] = events_of(tokens(700_000, window=258_400))

    assert request.context_tokens == 700_000


def test_a_fall_at_the_start_of_a_turn_is_told_as_such_and_fires_nothing() -> None:
    events = events_of(meta(), typed(), tokens(150_000), typed(), tokens(70_000), tokens(80_000))

    assert kinds(events) == [
        "PersonMessage",
        "Request",
        "PersonMessage",
        "ContextCleared",
        "Request",
        "Request",
    ]
    assert not replay(events, "codex").compactions


def test_a_fall_in_the_middle_of_a_turn_or_too_deep_for_its_start_is_left_to_be_judged() -> None:
    in_turn = events_of(meta(), typed(), tokens(150_000), tokens(70_000))
    deep = events_of(meta(), typed(), tokens(150_000), typed(), tokens(20_000))

    assert not of(ContextCleared, in_turn + deep)
    assert [each.kind for each in replay(in_turn, "codex").compactions] == ["drop"]


def test_a_rollback_makes_sizes_from_before_worthless() -> None:
    events = events_of(
        meta(), typed(), tokens(150_000), event("thread_rolled_back", num_turns=3), typed(), tokens(20_000)
    )

    assert [each.kind for each in of(ContextCleared, events)] == ["rewind"]
    assert not replay(events, "codex").compactions


def test_a_review_on_the_side_is_not_the_conversation() -> None:
    events = events_of(
        meta(),
        typed(),
        tokens(150_000),
        event("entered_review_mode", target={}),
        typed("review this"),
        tokens(12_000),
        tokens(14_000),
        event("exited_review_mode"),
        tokens(151_000),
    )

    assert [each.is_helper for each in of(Request, events)] == [False, True, True, False]
    assert len(of(PersonMessage, events)) == 1
    assert not replay(events, "codex").compactions


# Compactions


@pytest.mark.parametrize(
    "records",
    [
        [compacted()],
        [compacted(), event("context_compacted")],
        [estimate(9_100), compacted(), event("context_compacted")],
        [compacted(), record("turn_context", {}), estimate(9_100), event("context_compacted")],
        [compacted(), event("item_completed", item={"type": "ContextCompaction", "id": "c"})],
        [
            compacted(),
            event("context_compacted"),
            event("item_completed", item={"type": "ContextCompaction", "id": "c"}),
        ],
        [compacted(), tokens(30_000), event("context_compacted")],
        [event("context_compacted")],
        [event("context_compacted"), compacted()],
        [event("item_completed", item={"type": "ContextCompaction"})],
        [record("compacted", {"message": "Another language model started to solve this problem"})],
        [record("compacted", {})],
    ],
)
def test_one_compaction_is_told_once_however_it_is_written(records: list[object]) -> None:
    events = events_of(meta(), typed(), tokens(200_000), *records, tokens(31_000))

    assert len(of(CompactionMarker, events)) == 1
    assert len(replay(events, "codex").compactions) == 1


def test_two_compactions_are_two() -> None:
    first = [compacted(1), event("context_compacted", 1.1)]
    second = [compacted(2), event("context_compacted", 2.1)]

    assert len(of(CompactionMarker, events_of(*first, *second))) == 2
    assert len(of(CompactionMarker, events_of(*first, *[tokens(5 + n) for n in range(9)], *second))) == 2


def test_a_marker_is_known_by_its_window_or_by_its_time() -> None:
    [by_window] = events_of(compacted(window_id="w-2", window_number=1))
    [by_time] = events_of(compacted(window_id=2))

    assert by_window.marker_id == "w-2"
    assert by_time.marker_id == f"at:{by_time.written_at:.3f}"
    assert (by_time.trigger, by_time.tokens_before, by_time.tokens_after) == (None, None, None)


def test_text_that_speaks_of_compactions_is_none() -> None:
    text = data_of([compacted(), event("context_compacted")]).decode()
    events = events_of(said(text), typed(text), item("function_call_output", call_id="c", output=text))

    assert kinds(events) == ["AgentMessage", "PersonMessage", "ToolResult"]


def test_a_giant_compaction_is_told_whatever_is_in_it() -> None:
    pictures = [{"type": "input_image", "image_url": "data:" + "QUJD" * 500_000}] * 3
    events = read(data_of([meta(), compacted(replacement_history=pictures), typed()]))
    items = [{"type": "message", "role": "user", "content": [n]} for n in range(150_000)]
    too_long = data_of([meta(), typed("before"), compacted(7, replacement_history=items), typed("after")])

    assert kinds(events) == ["SessionSeen", "CompactionMarker", "PersonMessage"]
    assert kinds(read(too_long)) == ["SessionSeen", "PersonMessage", "CompactionMarker", "PersonMessage"]
    assert in_pieces(too_long, [65_536 * n for n in range(1, 200)]) == read(too_long)


def test_another_record_that_is_too_long_is_skipped_and_said() -> None:
    long = record("world_state", {"list": [[n] for n in range(900_000)]})

    [skipped] = events_of(long)

    assert isinstance(skipped, Skipped)
    assert "too long" in skipped.reason


# Forks


@pytest.mark.parametrize("first", [FORK, META])
def test_the_history_that_a_fork_copied_fires_nothing(first: dict[str, object]) -> None:
    own = [typed("new", 30), tokens(33_000, 35), compacted(40), tokens(9_000, 50)]
    events = read(data_of([meta(first), *history(0.0), *own]))
    marker = [each.is_history for each in of(CompactionMarker, events)]

    assert [each.cwd for each in of(SessionSeen, events)] == ["/home/user/project"]
    assert [(each.text, each.is_history) for each in of(PersonMessage, events)] == [
        ("old", True),
        ("new", False),
    ]
    assert marker == [True, False]
    assert len(replay(events, "codex").compactions) == 1


def test_a_copy_may_take_seconds_and_keep_its_old_times() -> None:
    slow = [{**each, "timestamp": at(0.9 * n)} for n, each in enumerate(history(0.0))]
    old = [{**each, "timestamp": "2026-10-01T00:00:00.000Z"} for each in history(0.0)]

    for copy in (slow, old):
        events = read(data_of([meta(FORK), *copy]))
        assert all(each.is_history for each in events if not isinstance(each, SessionSeen))


def test_a_turn_with_a_later_id_than_the_thread_is_its_own_at_once() -> None:
    def v7(seconds: float) -> str:
        digits = f"{int(seconds * 1000):012x}"
        return f"{digits[:8]}-{digits[8:]}-7000-8000-000000000000"

    born = 1796032800.0  # 2026-11-30T10:00:00Z
    stamp = "2026-11-30T10:00:00.000Z"
    first = {**FORK, "id": v7(born), "timestamp": stamp}
    lines = [
        meta(first),
        event("task_started", turn_id=v7(born - 500)),
        typed("old"),
        event("task_started", turn_id=v7(born + 0.5)),
        typed("new"),
        compacted(),
    ]
    events = read(data_of([{**each, "timestamp": stamp} for each in lines]))

    assert [(each.text, each.is_history) for each in of(PersonMessage, events)] == [
        ("old", True),
        ("new", False),
    ]
    assert not of(CompactionMarker, events)[0].is_history


# The oldest rollouts


def test_bare_items_without_an_envelope_are_read() -> None:
    context = "<environment_context>\n  <cwd>/home/user/old</cwd>\n</environment_context>"
    output = '{"output":"x","metadata":{"exit_code":0}}'
    lines = [
        {"id": "thread-9", "timestamp": "2025-07-01T10:00:00.000Z", "instructions": None, "git": {}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": context}]},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "fix it"}]},
        {"type": "reasoning", "summary": [], "encrypted_content": "x"},
        {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": output},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
    ]
    events = read(data_of(lines))

    assert kinds(events) == [
        "SessionSeen",
        "SessionSeen",
        "PersonMessage",
        "ToolCall",
        "ToolResult",
        "AgentMessage",
    ]
    assert (events[1].session_id, events[1].cwd) == ("thread-9", "/home/user/old")  # type: ignore[attr-defined]
