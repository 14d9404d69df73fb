"""Records of Kimi CLI and Kimi Code become events, whatever version, damage, and place of a cut."""

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
from agentinitd.transcripts.kimi_reader import KimiReader
from agentinitd.transcripts.reader import Checkpoint

DATA = Path(__file__).parents[1] / "data" / "kimi"
SAMPLES = [DATA / "kimi-cli.jsonl", DATA / "kimi-code.jsonl"]
FRAME = "Recorded by the project's owner, in force now (agentinitd 0123456789ab):\n- one rule"
USER = {"kind": "user"}
SKILL = {"kind": "skill_activation", "trigger": "user-slash", "skillName": "review", "skillArgs": "it"}


def cli(kind: str, at: float = 1.5, **payload: Any) -> dict[str, Any]:
    return {"timestamp": at, "message": {"type": kind, "payload": payload}}


def code(type_: str, at: int = 1500, **fields: Any) -> dict[str, Any]:
    return {"type": type_, **fields, "time": at}


def text_of(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


def appended(text: str, role: str = "user", **fields: Any) -> dict[str, Any]:
    return code("context.append_message", message={"role": role, "content": text_of(text), **fields})


def usage(tokens: int, **fields: Any) -> dict[str, Any]:
    counts = {"inputOther": tokens - 30, "inputCacheRead": 20, "inputCacheCreation": 10, "output": 999}
    return code("usage.record", model="k", usage=counts, **fields)


def data_of(records: Iterable[object]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def events_of(*records: object) -> list[Event]:
    told = KimiReader("s", is_detailed=True).feed(data_of(records))
    return [event for event in told if not isinstance(event, SessionSeen)]


def kinds(events: Iterable[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def requests(events: Iterable[Event]) -> list[int]:
    return [event.context_tokens for event in events if isinstance(event, Request)]


def markers(events: Iterable[Event]) -> list[tuple[Any, ...]]:
    found = [event for event in events if isinstance(event, CompactionMarker)]
    return [(each.trigger, each.tokens_before, each.tokens_after) for each in found]


# Kimi CLI


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("fix it", "fix it"),
        (text_of("fix it") + text_of("please"), "fix it\nplease"),
        (text_of("<system>CHECKPOINT 1</system>") + text_of("fix it"), "fix it"),
        ([{"type": "image_url", "image_url": {"url": "data:"}}], ""),
        ("/skill:review the parser", "/skill:review the parser"),
        ("/planning is hard", "/planning is hard"),
        ("<system-reminder>A task ended.</system-reminder>", None),
        ("/init", None),
        ("/yolo", None),
        ("  ", None),
        (None, None),
        (7, None),
    ],
)
def test_only_what_the_person_typed_is_a_message(typed: object, text: str | None) -> None:
    told = events_of(cli("TurnBegin", user_input=typed))

    assert [event.text for event in told if isinstance(event, PersonMessage)] == (
        [] if text is None else [text]
    )


def test_what_is_said_while_it_works_is_a_message_too() -> None:
    [event] = events_of(cli("SteerInput", user_input="use pytest"))

    assert isinstance(event, PersonMessage)
    assert event.written_at == 1.5


def test_a_status_tells_only_what_changed() -> None:
    told = events_of(
        cli("StatusUpdate", context_tokens=200, max_context_tokens=1000, message_id="m1"),
        cli("StatusUpdate", plan_mode=True),
        cli("StatusUpdate", context_tokens=200, message_id="m1"),
        cli("StatusUpdate", context_tokens=0),
        cli("StatusUpdate", context_tokens=300, max_context_tokens=None, message_id="m2"),
        cli("StatusUpdate", token_usage={"input_other": 5, "input_cache_read": 400, "output": 7}),
        cli("StatusUpdate", context_tokens=-1),
        cli("StatusUpdate", context_tokens=10**12),
    )

    assert requests(told) == [200, 300, 405]
    assert [event.window_tokens for event in told if isinstance(event, Request)] == [1000] * 3


def test_a_compaction_is_its_end() -> None:
    told = events_of(
        cli("StatusUpdate", context_tokens=200),
        cli("CompactionBegin"),
        cli("CompactionBegin", 2.5),
        cli("CompactionEnd", 3.5),
        cli("CompactionEnd", 3.5),
        cli("TurnBegin", 4.5, user_input="/compact keep names"),
        cli("CompactionEnd", 5.5),
    )

    assert markers(told) == [("auto", 200, None), ("manual", None, None)]


def test_clearing_is_no_compaction() -> None:
    told = events_of(
        cli("TurnBegin", user_input="/clear"),
        cli("ContentPart", type="text", text="The context has been cleared."),
        cli("TurnEnd"),
        cli("TurnBegin", user_input="/reset"),
    )

    assert [event.kind for event in told if isinstance(event, ContextCleared)] == ["clear", "clear"]
    assert len(told) == 2


def test_what_a_sub_agent_does_says_nothing_of_the_session() -> None:
    inner = [
        {"type": "StatusUpdate", "payload": {"context_tokens": 5}},
        {"type": "CompactionEnd", "payload": {}},
        {"type": "TurnBegin", "payload": {"user_input": "x"}},
    ]

    assert events_of(*(cli("SubagentEvent", agent_id="a1", event=event) for event in inner)) == []


def test_calls_and_their_results_are_told() -> None:
    call = {"type": "function", "id": "t1", "function": {"name": "Shell", "arguments": '{"command": "ls"}'}}
    told = events_of(
        cli("ToolCall", **call),
        cli("ToolResult", tool_call_id="t1", return_value={"is_error": False, "output": "x" * 9000}),
        cli("ToolCall", id="t2", function={"name": "Shell", "arguments": None}),
        cli("ToolResult", tool_call_id="t2", return_value={"is_error": True, "output": [], "message": "No."}),
        cli("ToolResult", tool_call_id="t3", return_value={"output": text_of("a") + text_of("b")}),
    )

    calls = [(event.call_id, event.name, event.input) for event in told if isinstance(event, ToolCall)]
    assert calls == [("t1", "Shell", {"command": "ls"}), ("t2", "Shell", {})]
    results = [event for event in told if isinstance(event, ToolResult)]
    assert [(each.is_success, each.text[:4], len(each.text)) for each in results] == [
        (True, "xxxx", 4000),
        (False, "No.", 3),
        (None, "a\nb", 3),
    ]


def test_the_whole_list_is_a_plan_and_a_look_at_it_is_none() -> None:
    def set_todos(**arguments: Any) -> dict[str, Any]:
        return cli("ToolCall", id="t", function={"name": "SetTodoList", "arguments": json.dumps(arguments)})

    todos = [{"title": "a", "status": "done"}, {"title": "b", "status": "in_progress"}, {"title": "c"}, 7]
    told = events_of(set_todos(todos=todos), set_todos(), set_todos(todos=todos), set_todos(todos=[]))

    plans = [event.steps for event in told if isinstance(event, PlanUpdate)]
    assert [[(step.text, step.status) for step in steps] for steps in plans] == [
        [("a", "done"), ("b", "in_progress"), ("c", "pending")],
        [],
    ]


# Kimi Code


@pytest.mark.parametrize(
    ("origin", "text"),
    [
        (USER, "typed"),
        (None, "typed"),
        (SKILL, "/review it"),
        ({"kind": "plugin_command", "trigger": "user-slash", "commandName": "go"}, "/go"),
        ({**SKILL, "trigger": "model-tool"}, None),
        *(
            ({"kind": kind}, None)
            for kind in (
                "injection", "shell_command", "compaction_summary", "system_trigger", "background_task",
                "cron_job", "cron_missed", "hook_result", "retry", "of a later version",
            )
        ),
    ],
)  # fmt: skip
def test_a_message_is_the_persons_by_its_origin_and_told_once(origin: object, text: str | None) -> None:
    prompt = code("turn.prompt", input=text_of("typed"), origin=origin)
    told = events_of(prompt, appended("typed", origin=origin), appended("typed", origin=origin))

    # The second time it stands in the conversation without having been typed: an import, or a lost record.
    expected = [] if text is None else [text, text]
    assert [event.text for event in told if isinstance(event, PersonMessage)] == expected


def test_a_context_is_the_input_of_a_step_and_of_nothing_else() -> None:
    told = events_of(
        usage(100, usageScope="turn"),
        usage(200),
        code("llm.request", kind="compaction"),
        usage(300),
        code("llm.request", kind="loop"),
        usage(400),
        usage(500, usageScope="session"),
        code("usage.record", model="k", usage={}),
        code("usage.record", model="k"),
    )

    assert requests(told) == [100, 200, 400]
    assert [event.model for event in told if isinstance(event, Request)] == ["k"] * 3


def test_without_request_records_a_summary_is_known_by_the_compaction_it_stands_in() -> None:
    told = events_of(
        usage(200), code("full_compaction.begin"), usage(190), code("context.apply_compaction"), usage(20)
    )

    assert requests(told) == [200, 20]


@pytest.mark.parametrize("order", [("apply", "complete"), ("complete", "apply")])
def test_a_compaction_is_its_application_in_whatever_order(order: tuple[str, str]) -> None:
    rows = {
        "apply": code("context.apply_compaction", 9, summary="S", tokensBefore=200, tokensAfter=30),
        "complete": code("full_compaction.complete", tokensBefore=200, tokensAfter=30),
    }
    told = events_of(
        code("full_compaction.begin", source="manual"),
        code("full_compaction.cancel"),
        code("full_compaction.begin", source="auto"),
        *(rows[name] for name in order),
        code("context.apply_compaction", 99, tokensBefore="many", tokensAfter=0),
    )

    assert markers(told) == [("auto", 200, 30), (None, None, None)]


def test_a_begin_without_an_application_was_cancelled() -> None:
    told = events_of(code("full_compaction.begin", source="auto"), code("full_compaction.complete"))

    assert told == []


def test_what_shrinks_the_context_without_a_summary_clears_it() -> None:
    told = events_of(code("micro_compaction.apply"), code("context.undo", count=1), code("context.clear"))

    assert [event.kind for event in told if isinstance(event, ContextCleared)] == [
        "microcompact",
        "rewind",
        "clear",
    ]


def test_a_step_tells_what_the_agent_says_and_does() -> None:
    def step(kind: str, **fields: Any) -> dict[str, Any]:
        return code("context.append_loop_event", event={"type": kind, "uuid": "u", **fields})

    told = events_of(
        step("step.begin"),
        step("content.part", part={"type": "think", "think": "hm"}),
        step("content.part", part={"type": "text", "text": "done"}),
        step("tool.call", toolCallId="t1", name="Bash", args={"command": "ls"}),
        step("tool.result", toolCallId="t1", result={"output": "a"}),
        step("tool.call", toolCallId="t2", name="Bash", args='{"command": "rm"}'),
        step("tool.result", toolCallId="t2", result={"output": text_of("no"), "isError": True}),
    )

    assert kinds(told) == ["AgentMessage", "ToolCall", "ToolResult", "ToolCall", "ToolResult"]
    assert [event.input for event in told if isinstance(event, ToolCall)] == [
        {"command": "ls"},
        {"command": "rm"},
    ]
    results = [(event.is_success, event.text) for event in told if isinstance(event, ToolResult)]
    assert results == [(True, "a"), (False, "no")]


def test_messages_of_the_first_form_are_read() -> None:
    call = {"type": "function", "id": "t1", "function": {"name": "Bash", "arguments": '{"command":"ls"}'}}
    flat = {"type": "function", "id": "t2", "name": "Bash", "arguments": None}
    told = events_of(
        appended("I look", "assistant", toolCalls=[call, flat, 5]), appended("a", "tool", toolCallId="t1")
    )

    assert [event.text for event in told if isinstance(event, AgentMessage)] == ["I look"]
    assert [(event.call_id, event.input) for event in told if isinstance(event, ToolCall)] == [
        ("t1", {"command": "ls"}),
        ("t2", {}),
    ]
    assert [event.is_success for event in told if isinstance(event, ToolResult)] == [None]


def test_a_plan_that_is_asked_for_and_then_kept_is_told_once() -> None:
    todos = [{"title": "a", "status": "done"}]
    call = {"type": "tool.call", "toolCallId": "t", "name": "TodoList", "args": {"todos": todos}}
    kept = code("tools.update_store", key="todo", value=todos)
    told = events_of(
        code("context.append_loop_event", event=call), kept, code("tools.update_store", key="x", value=[])
    )

    assert kinds(told) == ["ToolCall", "PlanUpdate"]


@pytest.mark.parametrize("text", [FRAME, f"<system-reminder>\n{FRAME}\n</system-reminder>"])
def test_a_snippet_is_seen_where_a_hook_put_it_and_nowhere_else(text: str) -> None:
    hook = {"kind": "hook_result", "event": "SessionStart"}
    told = events_of(appended(text, origin=hook), appended(text, origin=hook), appended(FRAME, origin=USER))

    assert kinds(told) == ["SnippetSeen", "PersonMessage"]
    assert [event.snippet_id for event in told if isinstance(event, SnippetSeen)] == ["0123456789ab"]


def test_a_session_says_its_names_again_when_it_moves() -> None:
    rows = [
        {"type": "metadata", "protocol_version": "1.4", "created_at": 1000},
        code("config.update", cwd="/a"),
        code("config.update", cwd="/a"),
        code("config.update", modelAlias="k"),
    ]

    told = [
        event
        for event in KimiReader("s", is_detailed=True).feed(data_of(rows))
        if isinstance(event, SessionSeen)
    ]

    assert [(each.session_id, each.cwd, each.agent_version, each.written_at) for each in told] == [
        ("s", None, "wire 1.4", 1.0),
        ("s", "/a", "wire 1.4", 1.5),
    ]


# Damage and cuts


def read_in(pieces: Iterable[bytes]) -> list[Event]:
    reader = KimiReader("s", is_detailed=True)
    return [event for piece in pieces for event in reader.feed(piece)] + reader.flush()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_reads_the_same_wherever_it_is_cut(sample: Path) -> None:
    text = sample.read_bytes()
    whole = read_in([text])
    chance = random.Random(1)

    assert len(whole) > 10
    assert read_in(text[at : at + 1] for at in range(len(text))) == whole
    for _ in range(50):
        cut = chance.randrange(len(text))
        reader = KimiReader("s", is_detailed=True)
        told = reader.feed(text[:cut]) + reader.flush()
        known = reader.checkpoint()
        plain = Checkpoint(offset=known.offset, line=known.line, state=json.loads(json.dumps(known.state)))
        assert told + KimiReader("s", plain, is_detailed=True).feed(text[known.offset :]) == whole


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "damage",
    [b"\0" * 300, b'{"timestamp":1.0,"message":{"type":"TurnBegin","pay', b"\xff garbage", b"[]", b"{}"],
)
def test_damage_between_two_records_costs_nothing_else(sample: Path, damage: bytes) -> None:
    lines = sample.read_bytes().splitlines()
    whole = read_in([b"\n".join(lines) + b"\n"])
    for at in (1, 8, len(lines) - 1):
        told = read_in([b"\n".join([*lines[:at], damage, *lines[at:]]) + b"\n"])

        assert kinds(event for event in told if not isinstance(event, Skipped)) == kinds(whole)


@pytest.mark.parametrize("whole", [cli("TurnBegin", user_input="whole"), code("turn.prompt", input="whole")])
def test_a_record_behind_a_torn_one_is_read_and_what_is_inside_the_torn_one_is_not(
    whole: dict[str, Any],
) -> None:
    inner = json.dumps({"type": "text", "text": "no record"})
    torn = f'{{"timestamp":1.0,"message":{{"type":"ToolResult","payload":{{"output":[{inner},{{"type":"te'

    told = KimiReader("s", is_detailed=True).feed(torn.encode() + data_of([whole]))

    assert kinds(told) == ["Skipped", "SessionSeen", "PersonMessage"]


def test_fields_of_the_wrong_type_count_as_missing() -> None:
    told = events_of(
        {"timestamp": 1, "message": {"type": "TurnBegin", "payload": {"user_input": {"a": 1}}}},
        {"timestamp": "late", "message": {"type": "TurnBegin", "payload": {"user_input": "lost"}}},
        cli("StatusUpdate", context_tokens="many", token_usage=[]),
        cli("ToolCall", id=5, function="none"),
        code("usage.record", usage={"inputOther": "x"}, model=7),
        code("turn.prompt", input="half a pair: \ud83d", origin="user"),
        {**code("context.append_loop_event", event=[1]), "time": "then"},
    )

    assert [event.text for event in told if isinstance(event, PersonMessage)] == ["half a pair: \ufffd"]
    assert len(told) == 1


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
cli_types = st.sampled_from(
    [
        "TurnBegin",
        "SteerInput",
        "StatusUpdate",
        "CompactionEnd",
        "ContentPart",
        "ToolCall",
        "ToolResult",
        "New",
    ]
)
code_types = st.sampled_from(
    [
        "metadata", "turn.prompt", "context.append_message", "context.append_loop_event", "usage.record",
        "context.apply_compaction", "full_compaction.begin", "tools.update_store", "config.update", "new",
    ]
)  # fmt: skip
cli_fields = st.dictionaries(
    st.sampled_from(["user_input", "context_tokens", "token_usage", "id", "function", "return_value"]), values
)
code_fields = st.dictionaries(
    st.sampled_from(["input", "origin", "message", "event", "usage", "model", "key", "value", "cwd", "time"]),
    values,
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.builds(lambda kind, at, payload: {"timestamp": at, "message": {"type": kind, "payload": payload}},
                  cli_types | values, values, cli_fields | values)
        | st.builds(lambda kind, fields: {**fields, "type": kind}, code_types | values, code_fields)
        | values
    ),
    st.binary(max_size=40),
    st.integers(0, 4000),
)  # fmt: skip
def test_no_bytes_make_it_raise(records: list[object], junk: bytes, at: int) -> None:
    text = data_of(records)
    read_in([text[:at], junk, text[at:], b"\n", junk])
