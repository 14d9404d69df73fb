"""Tasks of Cline 3.x: what the person saw of them, read whole, torn, and while they are written."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.model.events import (
    AgentMessage,
    CompactionMarker,
    ContextCleared,
    Event,
    PersonMessage,
    PlanStep,
    PlanUpdate,
    Request,
    SessionSeen,
    Skipped,
    SnippetSeen,
    ToolCall,
    ToolResult,
)
from agentinitd.sessions.replay import replay
from agentinitd.transcripts import cline
from agentinitd.transcripts.cline_tasks import interpreter
from agentinitd.transcripts.document_entries import whole_document

DATA = Path(__file__).parents[1] / "data" / "cline"
TASK = "1788200000000"


class Task:
    """Writes as the extension does: the whole list, by a rename."""

    def __init__(self, tasks: Path, name: str = TASK) -> None:
        self.folder = tasks / name
        self.folder.mkdir(parents=True)
        self.path = self.folder / "ui_messages.json"
        self.messages: list[dict[str, Any]] = []
        self.time = 1_788_200_000_000

    def add(self, type_: str, name: str, text: str = "", **more: Any) -> dict[str, Any]:
        self.time += 1000
        message = {"ts": self.time, "type": type_, type_: name, "text": text, **more}
        self.messages.append(message)
        return message

    def say(self, name: str, text: str = "", **more: Any) -> dict[str, Any]:
        return self.add("say", name, text, **more)

    def request(self, tokens: int, **more: Any) -> dict[str, Any]:
        usage = {"request": "…", "tokensIn": tokens, "tokensOut": 0, "cacheReads": 0, "cacheWrites": 0}
        return self.say("api_req_started", json.dumps(usage), **more)

    def save(self) -> None:
        temporary = self.path.with_suffix(".tmp")
        temporary.write_text(json.dumps(self.messages, indent=1), encoding="utf-8")
        temporary.replace(self.path)


@pytest.fixture
def task(tmp_path: Path) -> Task:
    made = Task(tmp_path / "saoudrizwan.claude-dev" / "tasks")
    made.say("text", "build it")
    return made


def kinds(events: Iterable[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def of(events: Iterable[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def all_of(task: Task) -> list[Event]:
    task.save()
    follower = cline.follow(str(task.path), is_detailed=True)
    return [*follower.read(), *follower.finish()]


def test_the_sample_task_says_all_that_is_in_it() -> None:
    follower = cline.follow(str(DATA / "task" / "ui_messages.json"), is_detailed=True)
    events = follower.read()

    assert kinds(events) == [
        "SessionSeen", "PersonMessage", "Request", "AgentMessage", "PersonMessage", "Request", "AgentMessage",
        "CompactionMarker", "Request", "AgentMessage",
    ]  # fmt: skip
    assert [event.context_tokens for event in of(events, Request)] == [14_120, 156_000, 70_200]
    assert [event.line for event in of(events, CompactionMarker)] == [44]


def test_a_longer_cut_is_another_compaction_and_the_same_cut_is_none(task: Task) -> None:
    for deleted, tokens in ((None, 150_000), ([2, 7], 70_000), ([2, 7], 80_000), ([2, 21], 60_000)):
        more = {"conversationHistoryDeletedRange": deleted} if deleted else {}
        task.request(tokens, **more)
        task.say("text", "done", **more)
    found = replay(all_of(task), "cline").compactions

    sizes = [(each.tokens_before, each.tokens_after) for each in found]
    assert sizes == [(150_000, 70_000), (80_000, 60_000)]


def test_a_cut_is_told_when_it_is_made_and_the_request_when_its_figures_are_there(task: Task) -> None:
    task.request(150_000)
    task.save()
    follower = cline.follow(str(task.path), is_detailed=True)
    follower.read()
    started = task.request(0, conversationHistoryDeletedRange=[2, 7])
    task.save()
    cut = follower.read()
    started["text"] = json.dumps({"tokensIn": 50_000, "tokensOut": 10, "cacheReads": 0, "cacheWrites": 9})
    task.save()
    later = follower.read()

    assert kinds(cut) == ["CompactionMarker"]
    assert [event.context_tokens for event in of(later, Request)] == [50_019]


def test_a_cut_after_a_summary_tells_why(task: Task) -> None:
    task.add("ask", "condense", "a summary")
    task.request(9_000, conversationHistoryDeletedRange=[2, 7])
    task.say("tool", json.dumps({"tool": "summarizeTask", "content": "a summary"}))
    task.request(9_500, conversationHistoryDeletedRange=[2, 30])

    assert [event.trigger for event in of(all_of(task), CompactionMarker)] == ["manual", "auto"]


def test_the_divider_of_the_newest_extension_is_a_compaction_once_it_is_complete(task: Task) -> None:
    started = task.say("compaction", json.dumps({"status": "started", "mode": "auto"}))
    task.save()
    follower = cline.follow(str(task.path), is_detailed=True)
    before = follower.read()
    started["text"] = json.dumps(
        {"status": "completed", "mode": "auto", "tokensBefore": 120_000, "tokensAfter": 9_000}
    )
    task.save()
    found = of(follower.read(), CompactionMarker)

    assert not of(before, CompactionMarker)
    sizes = [(each.trigger, each.tokens_before, each.tokens_after) for each in found]
    assert sizes == [("auto", 120_000, 9_000)]


def test_partial_messages_are_waited_for(task: Task) -> None:
    half = task.say("text", "half of", partial=True)
    task.save()
    follower = cline.follow(str(task.path), is_detailed=True)
    assert not of(follower.read(), AgentMessage)
    half["text"], half["partial"] = "half of it", False
    task.save()

    assert [event.text for event in of(follower.read(), AgentMessage)] == ["half of it"]


def test_a_task_restored_to_an_earlier_point_is_a_rewind(task: Task) -> None:
    for number in range(3):
        task.request(10_000 * (number + 1))
        task.say("user_feedback", f"step {number}")
    task.save()
    follower = cline.follow(str(task.path), is_detailed=True)
    follower.read()
    del task.messages[3:]
    task.say("user_feedback", "another way")
    task.save()
    events = follower.read()

    assert kinds(events) == ["ContextCleared", "PersonMessage"]
    assert [event.kind for event in of(events, ContextCleared)] == ["rewind"]


def test_asks_and_notices_without_a_meaning_are_silent(task: Task) -> None:
    for name in ("resume_task", "api_req_failed", "mistake_limit_reached", "a_later_invention"):
        task.add("ask", name, "?")
    for name in ("checkpoint_created", "reasoning", "user_feedback_diff", "subagent_usage"):
        task.say(name, json.dumps({"tokensIn": 900_000}))

    assert kinds(all_of(task)) == ["SessionSeen", "PersonMessage"]


def test_questions_and_results_are_what_the_agent_said(task: Task) -> None:
    task.add("ask", "followup", json.dumps({"question": "Which one?", "options": ["a"]}))
    task.add("ask", "plan_mode_respond", json.dumps({"response": "My plan."}))
    task.say("completion_result", "All done.HAS_CHANGES")
    task.add("ask", "completion_result", "")

    assert [event.text for event in of(all_of(task), AgentMessage)] == ["Which one?", "My plan.", "All done."]


def test_tools_commands_and_servers_are_called(task: Task) -> None:
    task.say("tool", json.dumps({"tool": "readFile", "path": "a.py"}))
    task.add("ask", "command", "pytest -qREQ_APP")
    task.say("command_output", "2 passed")
    task.add(
        "ask",
        "use_mcp_server",
        json.dumps({"type": "use_mcp_tool", "serverName": "git", "toolName": "log", "arguments": '{"n": 1}'}),
    )
    task.say("mcp_server_response", "abc")
    events = all_of(task)

    assert [(event.name, event.input) for event in of(events, ToolCall)] == [
        ("readFile", {"tool": "readFile", "path": "a.py"}),
        ("execute_command", {"command": "pytest -q"}),
        ("mcp__git__log", {"n": 1}),
    ]
    results = [(event.text, event.is_success) for event in of(events, ToolResult)]
    assert results == [("2 passed", None), ("abc", None)]


def test_the_checklist_is_the_plan(task: Task) -> None:
    task.say("task_progress", "- [x] read\n- [ ] write\nnot a step")

    assert [event.steps for event in of(all_of(task), PlanUpdate)] == [
        (PlanStep(text="read", status="done"), PlanStep(text="write", status="pending"))
    ]


def test_the_folder_and_version_are_found_beside_the_messages(task: Task) -> None:
    details = "<environment_details>\n# Current Working Directory (/srv/my (old) demo) Files\na.py\n"
    (task.folder / "api_conversation_history.json").write_text(
        json.dumps([{"role": "user", "content": [{"type": "text", "text": details}]}]), encoding="utf-8"
    )
    (task.folder / "task_metadata.json").write_text(
        json.dumps({"environment_history": [{"cline_version": "3.17.0"}, {"cline_version": "3.26.6"}]}),
        encoding="utf-8",
    )
    seen = of(all_of(task), SessionSeen)

    assert [(each.session_id, each.cwd, each.agent_version) for each in seen] == [
        (TASK, "/srv/my (old) demo", "3.26.6")
    ]


def test_the_folder_is_also_found_in_the_first_request(task: Task) -> None:
    request = "# Current Working Directory (/srv/demo) Files\na.py"
    task.say("api_req_started", json.dumps({"request": request, "tokensIn": 10}))

    assert [each.cwd for each in of(all_of(task), SessionSeen)] == ["/srv/demo"]


def test_the_folder_is_also_found_in_the_list_of_tasks(task: Task) -> None:
    state = task.folder.parents[1] / "state"
    state.mkdir()
    places = {"other": "/x", TASK: "/srv/demo"}
    items = [{"id": name, "cwdOnTaskInitialization": place} for name, place in places.items()]
    (state / "taskHistory.json").write_text(json.dumps(items), encoding="utf-8")

    assert [each.cwd for each in of(all_of(task), SessionSeen)] == ["/srv/demo"]


def test_a_session_is_named_again_when_its_folder_becomes_known(task: Task) -> None:
    task.save()
    follower = cline.follow(str(task.path), is_detailed=True)
    assert [each.cwd for each in of(follower.read(), SessionSeen)] == [None]
    task.say("api_req_started", json.dumps({"request": "# Current Working Directory (/srv/demo) Files"}))
    task.save()

    assert [each.cwd for each in of(follower.read(), SessionSeen)] == ["/srv/demo"]


def test_a_snippet_of_a_hook_is_seen_in_the_request_it_went_into(task: Task) -> None:
    text = '<hook_context source="x">\nin force now (agentinitd 0123456789ab):\n</hook_context>'
    task.say("api_req_started", json.dumps({"request": text, "tokensIn": 10}))

    assert [each.snippet_id for each in of(all_of(task), SnippetSeen)] == ["0123456789ab"]


def test_the_model_is_the_one_the_messages_name(task: Task) -> None:
    task.request(10, modelInfo={"providerId": "p", "modelId": "model-x", "mode": "act"})

    assert [event.model for event in of(all_of(task), Request)] == ["model-x"]


def test_a_follower_goes_on_from_its_checkpoint(task: Task) -> None:
    task.request(10_000)
    task.save()
    first = cline.follow(str(task.path), is_detailed=True)
    first.read()
    saved = json.loads(json.dumps(first.checkpoint()))
    task.say("user_feedback", "go on")
    task.save()

    assert kinds(cline.follow(str(task.path), saved, is_detailed=True).read()) == ["PersonMessage"]


def test_a_task_taken_up_at_its_end_tells_its_last_size_as_history(task: Task) -> None:
    task.request(10_000)
    task.request(20_000)
    task.save()
    events = cline.follow(str(task.path), start="end", is_detailed=True).read()

    assert kinds(events) == ["SessionSeen", "Request"]
    assert all(event.is_history for event in events)


def test_torn_anywhere_what_is_whole_is_told(task: Task) -> None:
    for number in range(8):
        task.request(10_000 + number)
        task.say("user_feedback", f"step {number} with a }} and a {{ in it")
    task.save()
    whole = task.path.read_bytes()
    expected = kinds(all_of(task))[1:]
    for cut in random.Random(3).sample(range(len(whole)), 50):
        task.path.write_bytes(whole[:cut])
        follower = cline.follow(str(task.path), is_detailed=True)
        events = [*follower.read(), *follower.finish()]
        found = [kind for kind in kinds(events) if kind not in ("SessionSeen", "Skipped")]

        assert found == expected[: len(found)]
        assert len(found) >= whole[:cut].count(b"\n },") - 1


def test_damage_in_the_middle_costs_what_it_hit_and_is_told(task: Task) -> None:
    for number in range(6):
        task.say("user_feedback", f"step {number}")
    task.save()
    damaged = task.path.read_bytes().replace(b'"text": "step 2"', b'"text": "st\0\xff\n')
    task.path.write_bytes(damaged)
    follower = cline.follow(str(task.path), is_detailed=True)
    events = [*follower.read(), *follower.finish()]
    texts = [event.text for event in of(events, PersonMessage)]

    assert {"step 0", "step 1", "step 4", "step 5"} <= set(texts)
    assert of(events, Skipped)


def test_a_whole_form_after_a_torn_one_tells_the_rest_once(task: Task) -> None:
    for number in range(6):
        task.say("user_feedback", f"step {number}")
    task.save()
    whole = task.path.read_bytes()
    task.path.write_bytes(whole[: len(whole) // 2])
    follower = cline.follow(str(task.path), is_detailed=True)
    events = [*follower.read(), *follower.finish()]
    task.path.write_bytes(whole)
    os.utime(task.path, ns=(1, 1))
    events += follower.read()

    texts = [event.text for event in of(events, PersonMessage)]
    assert texts == ["build it", *(f"step {number}" for number in range(6))]


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
names = st.sampled_from(
    ["text", "api_req_started", "tool", "followup", "condense_context", "compaction", "user_edit_todos"]
)
ui_messages = st.fixed_dictionaries(
    {},
    optional={
        "ts": values,
        "type": st.sampled_from(["say", "ask"]) | values,
        "say": names | values,
        "ask": names | values,
        "text": st.text(max_size=20) | values | values.map(json.dumps),
        "conversationHistoryDeletedRange": st.lists(st.integers(), max_size=3) | values,
        "contextCondense": values,
        "modelInfo": values,
    },
)


@given(st.lists(ui_messages, max_size=5), st.sampled_from(["cline", "roo"]))
def test_messages_of_any_kind_never_raise(messages: list[dict[str, Any]], flavour: Any) -> None:
    document = whole_document(json.dumps(messages).encode(), None)
    assert document is not None
    interpreter(flavour, is_detailed=True)(document, {})
