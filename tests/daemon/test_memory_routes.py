"""Tasks over the socket: what programs ask and change."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

STATE = {"task_id": "main-1", "goal": "g", "pending": ["read", "write"], "next_action": "read"}
Ask = Callable[..., Any]


@pytest.fixture
def project(new_project: Callable[..., Path]) -> Path:
    folder = new_project("shop")
    (folder / ".agent-memory" / "state" / "task_state.json").write_text(json.dumps(STATE))
    return folder


@pytest.fixture
def ask(shared_daemon: Any, project: Path) -> Ask:
    """`ask("GET", "/v1/tasks?…")` or `ask("POST", path, **body)` → the answer, which has this status."""

    def exchange(method: str, path: str, *, status: int = 200, **body: object) -> Any:
        path = path.replace("PROJECT", str(project))
        given = {"project": str(project), **body} if method == "POST" else None
        found, answer = shared_daemon.ask(method, path, given)
        assert found == status, answer
        return json.loads(answer)

    return exchange


def test_a_task_is_begun_changed_and_shown(ask: Ask) -> None:
    made = ask("POST", "/v1/tasks", task="docs", goal="the docs", pending=["outline"])
    assert made["file"] == "tasks/docs/state/task_state.json"

    changed = ask(
        "POST", "/v1/tasks/docs", add="write", complete="outline", next_action="write it", phase="draft"
    )

    assert changed["changed"] is True
    assert "outline: pending → completed" in changed["changes"]
    shown = ask("GET", "/v1/tasks/docs?project=PROJECT&history=1")
    assert shown["state"]["completed"] == ["outline"]
    assert (shown["phase"], shown["next_action"]) == ("draft", "write it")
    assert [each["by"] for each in shown["history"]] == ["socket", "socket"]
    assert shown["history"][1]["reason"] == (
        "add: write, complete: outline, next_action: write it, phase: draft"
    )


def test_all_are_listed_and_the_present_one_is_marked(ask: Ask) -> None:
    ask("POST", "/v1/tasks", task="docs")

    found = ask("GET", "/v1/tasks?project=PROJECT")

    assert [(each["name"], each["is_default"]) for each in found["tasks"]] == [
        ("main-1", True),
        ("docs", False),
    ]
    assert found["default"] is None


def test_the_present_task_and_the_one_without_a_name_can_be_meant(ask: Ask) -> None:
    ask("POST", "/v1/tasks", task="docs")
    ask("POST", "/v1/tasks/switch", task="docs")

    assert ask("POST", "/v1/tasks/@", goal="the docs")["task"] == "docs"
    assert ask("GET", "/v1/tasks/@?project=PROJECT")["task"] == "docs"
    assert ask("GET", "/v1/tasks/-?project=PROJECT")["name"] == "main-1"
    assert ask("POST", "/v1/tasks/-", complete="read", reason="it was read")["state"]["completed"] == ["read"]


def test_a_session_means_its_own_task(
    ask: Ask, shared_daemon: Any, project: Path, new_session: Callable[..., Any]
) -> None:
    session = new_session(shared_daemon, project=project)
    session.starts()
    ask("POST", "/v1/tasks", task="docs", pending=["outline"])
    shared_daemon.ask("POST", "/v1/tasks/switch", {"session": session.id, "task": "docs"})

    status, body = shared_daemon.ask("POST", "/v1/tasks/@", {"session": session.id, "complete": "outline"})

    assert (status, json.loads(body)["task"]) == (200, "docs")
    assert shared_daemon.get(f"/v1/tasks?session={session.id}")["default"] == "docs"
    assert "1/1" in session.prompts()


@pytest.mark.parametrize(
    ("path", "body", "status", "told"),
    [
        ("/v1/tasks/-", {"complete": "deploy"}, 400, "read; write"),
        ("/v1/tasks/-", {}, 400, "Nothing is asked"),
        ("/v1/tasks/-", {"completed": "read"}, 400, "unknown field `completed`"),
        ("/v1/tasks/-", {"next_action": "x" * 5000}, 400, "too many"),
        ("/v1/tasks/-", {"add": " "}, 400, "names no step"),
        ("/v1/tasks/nobody", {"add": "x"}, 409, "There is no task nobody"),
        ("/v1/tasks/..", {"add": "x"}, 400, "no name for a task"),
        ("/v1/tasks", {"task": "a/b"}, 400, "no name for a task"),
        ("/v1/tasks", {"task": "main-1"}, 409, "There is a task"),
        ("/v1/tasks/switch", {"task": "nobody"}, 409, "There is no task nobody"),
        ("/v1/tasks/switch", {}, 400, "missing required field `task`"),
        ("/v1/tasks/-", {"project": "/nowhere", "add": "x"}, 404, "agentinitd init"),
        ("/v1/tasks/-", {"session": "nobody", "add": "x"}, 404, "No session nobody"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(
    ask: Ask, project: Path, path: str, body: dict[str, object], status: int, told: str
) -> None:
    before = (project / ".agent-memory" / "state" / "task_state.json").read_bytes()

    assert told in ask("POST", path, **{"status": status, **body})["error"]
    assert (project / ".agent-memory" / "state" / "task_state.json").read_bytes() == before


def test_a_task_that_is_none_is_not_found(ask: Ask) -> None:
    assert "task list" in ask("GET", "/v1/tasks/nobody?project=PROJECT", status=404)["error"]


def test_a_state_that_is_broken_is_refused_and_kept(ask: Ask, project: Path) -> None:
    path = project / ".agent-memory" / "state" / "task_state.json"
    path.write_text("{")

    assert "task restore" in ask("POST", "/v1/tasks/-", status=409, complete="read")["error"]
    assert path.read_text() == "{"
