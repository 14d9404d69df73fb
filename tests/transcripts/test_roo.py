"""Tasks of Roo Code: condensed and truncated contexts, to-do lists, tasks that started each other."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

import pytest

from agentinitd.model.events import (
    CompactionMarker,
    ContextCleared,
    Event,
    PersonMessage,
    PlanStep,
    PlanUpdate,
    Request,
    SessionSeen,
)
from agentinitd.sessions.replay import replay
from agentinitd.transcripts import cline, roo
from agentinitd.transcripts.follower import Agent as AgentModule

DATA = Path(__file__).parents[1] / "data" / "roo" / "task" / "ui_messages.json"
TASK = "0b8c0000-0000-4000-8000-000000000001"
AGENT: AgentModule = roo


class Task:
    """Writes as Roo Code does: the whole list on one line, by a rename."""

    def __init__(self, tasks: Path) -> None:
        self.folder = tasks / TASK
        self.folder.mkdir(parents=True)
        self.path = self.folder / "ui_messages.json"
        self.messages: list[dict[str, Any]] = []
        self.time = 1_788_200_000_000
        self.say("text", "build it")

    def say(self, name: str, text: str = "", **more: Any) -> dict[str, Any]:
        self.time += 1000
        message = {"ts": self.time, "type": "say", "say": name, "text": text, **more}
        self.messages.append(message)
        return message

    def request(self, **usage: int) -> None:
        self.say("api_req_started", json.dumps(usage))

    def save(self) -> None:
        temporary = self.folder / ".ui_messages.json.new"
        temporary.write_text(json.dumps(self.messages), encoding="utf-8")
        temporary.replace(self.path)


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return Task(tmp_path / "rooveterinaryinc.roo-cline" / "tasks")


def of(events: Iterable[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def all_of(task: Task) -> list[Event]:
    task.save()
    follower = roo.follow(str(task.path), is_detailed=True)
    return [*follower.read(), *follower.finish()]


def test_the_sample_of_the_manifest_has_exactly_its_compactions(shared: Path) -> None:
    folder = shared / "transcripts" / "cline"
    entries = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))["files"]
    (entry,) = (entry for entry in entries if entry["path"].startswith("roo/"))
    path = folder / entry["path"]
    assert (roo.is_own(path), cline.is_own(path)) == (True, False)
    follower = roo.follow(roo.names_in(path)[-1], is_detailed=True)
    events = [*follower.read(), *follower.finish()]
    markers = of(events, CompactionMarker)

    assert [(each.tokens_before, each.tokens_after) for each in markers] == [
        (each["tokens_before"], each["tokens_after"]) for each in entry["compactions"]
    ]
    assert [each.offset for each in markers] == [4, 6]
    assert all(each.is_whole for each in markers)
    assert [each.tokens_after for each in replay(events, "roo").compactions] == [12_100, 33_000]


def test_a_context_is_condensed_once_it_says_how_far(task: Task) -> None:
    started = task.say("condense_context", "", partial=True)
    task.save()
    follower = roo.follow(str(task.path), is_detailed=True)
    assert not of(follower.read(), CompactionMarker)
    started["partial"] = False
    started["contextCondense"] = {"prevContextTokens": 90_000, "newContextTokens": 9_000, "condenseId": "c"}
    task.save()
    found = of(follower.read(), CompactionMarker)

    assert [(each.marker_id, each.tokens_before, each.tokens_after) for each in found] == [
        ("c", 90_000, 9_000)
    ]
    assert follower.read() == []


def test_a_condensing_that_failed_is_none(task: Task) -> None:
    task.say("condense_context_error", "too small")
    task.say("condense_context", "")

    assert not of(all_of(task), CompactionMarker)


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"tokensIn": 3_000, "tokensOut": 120, "cacheReads": 0, "cacheWrites": 11_000}, 14_120),
        ({"tokensIn": 60_000, "tokensOut": 50, "cacheReads": 50_000, "cacheWrites": 8_000}, 60_050),
        ({"tokensIn": 33_000, "tokensOut": 50}, 33_050),
    ],
)
def test_what_came_from_the_cache_counts_once_in_every_release(
    task: Task, usage: dict[str, int], tokens: int
) -> None:
    task.request(**usage)

    assert [event.context_tokens for event in of(all_of(task), Request)] == [tokens]


def test_a_request_without_figures_is_none(task: Task) -> None:
    task.say("api_req_started", json.dumps({"apiProtocol": "anthropic"}))
    task.request(tokensIn=0, tokensOut=0)
    task.say("api_req_started", "{not json")

    assert not of(all_of(task), Request)


def test_the_to_do_list_is_the_plan_also_when_the_person_changes_it(task: Task) -> None:
    todos = [
        {"id": "1", "content": "read", "status": "completed"},
        {"id": "2", "content": "write", "status": "in_progress"},
        {"id": "3", "content": "check", "status": "pending"},
    ]
    text = json.dumps({"tool": "updateTodoList", "todos": todos})
    task.messages.append({"ts": 1, "type": "ask", "ask": "tool", "text": text})
    task.say("user_edit_todos", json.dumps({"tool": "updateTodoList", "todos": todos[:1]}))
    plans = [event.steps for event in of(all_of(task), PlanUpdate)]
    read = PlanStep(text="read", status="done")

    assert plans == [
        (read, PlanStep(text="write", status="in_progress"), PlanStep(text="check", status="pending")),
        (read,),
    ]


def test_a_message_deleted_by_the_person_is_a_rewind(task: Task) -> None:
    task.request(tokensIn=50_000)
    task.say("user_feedback", "no")
    task.save()
    follower = roo.follow(str(task.path), is_detailed=True)
    follower.read()
    del task.messages[1:]
    task.save()

    assert [event.kind for event in of(follower.read(), ContextCleared)] == ["rewind"]


def test_the_folder_is_in_the_item_of_the_history(task: Task) -> None:
    (task.folder / "history_item.json").write_text(json.dumps({"id": TASK, "workspace": "/srv/demo"}))

    assert [(each.session_id, each.cwd) for each in of(all_of(task), SessionSeen)] == [(TASK, "/srv/demo")]


@pytest.mark.parametrize("wrapped", [True, False])
def test_the_folder_is_in_the_conversation_with_the_model(task: Task, wrapped: bool) -> None:
    text = "<environment_details>\n# Current Workspace Directory (/srv/demo) Files\na.py"
    history: Any = [{"role": "user", "content": [{"type": "text", "text": text}], "ts": 1}]
    history = {"version": 2, "messages": history} if wrapped else history
    (task.folder / "api_conversation_history.json").write_text(json.dumps(history))

    assert [each.cwd for each in of(all_of(task), SessionSeen)] == ["/srv/demo"]


def test_a_task_that_another_started_is_a_helper(task: Task) -> None:
    (task.folder / "history_item.json").write_text(json.dumps({"id": TASK, "parentTaskId": "p"}))
    events = all_of(task)

    assert of(events, PersonMessage)
    assert all(event.is_helper for event in events)


def test_tasks_are_found_below_the_editors(task: Task, tmp_path: Path) -> None:
    task.save()
    tasks = task.folder.parent

    assert (
        tmp_path / ".config" / "Code" / "User" / "globalStorage" / tasks.parent.name / "tasks"
        in roo.roots(tmp_path, {})
    )
    assert roo.roots(tmp_path, {"XDG_CONFIG_HOME": "/x"})[0] == Path(
        "/x/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks"
    )
    assert list(roo.scan(tasks)) == [str(task.path)]
    assert roo.names_at(PurePath(task.path)) == (str(task.path),)
    assert roo.names_at(PurePath(task.folder / "api_conversation_history.json")) == ()


def test_a_task_is_known_by_its_path_its_name_or_its_text(tmp_path: Path) -> None:
    for folder in ("rooveterinaryinc.roo-cline/tasks/1", TASK, "copied"):
        path = tmp_path / folder / "ui_messages.json"
        path.parent.mkdir(parents=True)
        path.write_bytes(DATA.read_bytes())

        assert (roo.is_own(path), cline.is_own(path)) == (True, False), folder


def test_any_file_of_a_task_names_it(task: Task) -> None:
    task.save()
    (task.folder / "history_item.json").write_text("{}")

    assert roo.names_in(task.folder / "history_item.json") == [str(task.path)]
    assert roo.names_in(task.folder) == [str(task.path)]
    assert roo.names_in(task.folder.parent) == [str(task.path)]
