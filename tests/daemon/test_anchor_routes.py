"""`/v1/anchors`: programs keep anchors too, and none of them speaks for a person."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RULES = """\
- Never push <!-- id: c-push; priority: critical -->
- Use npm <!-- id: c-npm -->
- Use yarn <!-- id: c-yarn; supersedes: c-npm -->
"""


@pytest.fixture
def project(new_project: Callable[..., Path]) -> Path:
    return new_project("socket", project_constraints=RULES)


@pytest.fixture
def ask(shared_daemon: Any, project: Path) -> Callable[..., tuple[int, Any]]:
    """`ask("POST", "/v1/anchors", what="x")` → status and the JSON of the answer."""

    def call(method: str, path: str, **fields: object) -> tuple[int, Any]:
        body = None if method == "GET" else {"project": str(project), **fields}
        status, answer = shared_daemon.ask(method, path, body)
        return status, json.loads(answer)

    return call


def text(project: Path) -> str:
    return (project / ".agent-memory/anchors/project_constraints.md").read_text()


def test_an_anchor_is_added_changed_and_removed(ask: Any, project: Path) -> None:
    status, added = ask("POST", "/v1/anchors", what="Tests: `pnpm test`", why="CI", applies=["*.ts"])
    assert status == 200
    assert (added["source"], added["verified"], added["line"]) == ("socket", None, 4)

    path = f"/v1/anchors/{added['id'][:6]}"
    status, changed = ask("POST", path, why="", priority="low")
    assert (status, changed["why"], changed["priority"], changed["what"]) == (200, None, "low", added["what"])

    status, removed = ask("POST", f"{path}/remove")
    assert (status, removed["id"], removed["kept"]) == (200, added["id"], False)
    assert removed["lines"].startswith("- [constraint] Tests:")
    assert text(project) == RULES


def test_anchors_are_listed_by_kind_and_fate(ask: Any, project: Path) -> None:
    def ids(query: str = "") -> list[str]:
        status, answer = ask("GET", f"/v1/anchors?project={project}/deep{query}")
        assert status == 200, answer
        return [each["id"] for each in answer["anchors"]]

    assert ids() == ["c-push", "c-yarn"]
    assert ids("&all=1") == ["c-push", "c-npm", "c-yarn"]
    assert ids("&kind=tool") == []
    assert ask("GET", f"/v1/anchors?project={project}&kind=rule")[0] == 400
    assert ask("GET", f"/v1/anchors?project={project}&task=nope")[0] == 409
    assert ask("GET", "/v1/anchors?project=/")[0] == 404


def test_a_session_stands_for_its_project_and_its_task(
    ask: Any, shared_daemon: Any, project: Path, new_session: Callable[..., Any]
) -> None:
    session = new_session(shared_daemon, project=project)
    session.starts()
    task = project / ".agent-memory/tasks/billing/anchors"
    task.mkdir(parents=True)
    (task / "notes.md").write_text("- [tool] f(x) <!-- id: t-f -->\n")
    (project / ".agent-memory/state/default_task").write_text("billing\n")

    _, answer = ask("GET", f"/v1/anchors?session={session.id}&kind=tool")
    assert [(each["id"], each["task"]) for each in answer["anchors"]] == [("t-f", "billing")]
    status, added = ask("POST", "/v1/anchors", session=session.id, what="x", task="billing")
    assert (status, added["file"]) == (200, "tasks/billing/anchors/project_constraints.md")
    status, added = ask("POST", "/v1/anchors", session=session.id, what="y")
    assert (status, added["task"]) == (200, None)


@pytest.mark.parametrize(
    ("path", "fields", "status", "told"),
    [
        ("", {"what": "x", "priority": "critical"}, 403, "Only a person"),
        ("", {"what": "x", "supersedes": ["c-push"]}, 403, "written by a person"),
        ("/c-push", {"what": "Push"}, 403, "written by a person"),
        ("/c-push/remove", {}, 403, "written by a person"),
        ("", {"what": "x", "source": "user"}, 400, "source"),
        ("", {"what": "x", "verified": "2026-01-01"}, 400, "verified"),
        ("/c-push", {"verified_at": 1}, 400, "verified_at"),
        ("", {"what": " "}, 400, "needs words"),
        ("", {"why": "x"}, 400, "what"),
        ("", {"what": "x", "kind": "rule"}, 400, "kind"),
        ("", {"what": "x", "check": "run me"}, 400, "is no check"),
        ("", {"what": "x", "task": "../../etc"}, 400, "no name for a task"),
        ("", {"what": "never PUSH"}, 409, "c-push says the same"),
        ("", {"what": "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}, 409, "credential"),
        ("/c-9", {"what": "x"}, 404, "no anchor"),
        ("/c-", {"what": "x"}, 404, "3 anchors are meant"),
    ],
)
def test_what_is_refused_says_why_and_leaves_the_file(
    ask: Any, project: Path, path: str, fields: dict[str, Any], status: int, told: str
) -> None:
    answered, answer = ask("POST", f"/v1/anchors{path}", **fields)

    assert (answered, told in answer["error"]) == (status, True), answer
    assert text(project) == RULES


def test_verifying_by_a_program_reads_the_check_and_writes_nothing(ask: Any, project: Path) -> None:
    status, answer = ask("POST", "/v1/anchors/c-push/verify")
    assert (status, answer["held"]) == (200, None)
    assert "agentinitd anchors verify" in answer["reason"]
    _, added = ask("POST", "/v1/anchors", what="There is a README", check="path README.md")
    before = text(project)

    assert ask("POST", f"/v1/anchors/{added['id']}/verify")[1]["held"] is False
    (project / "README.md").touch()
    assert ask("POST", f"/v1/anchors/{added['id']}/verify")[1]["held"] is True
    assert text(project) == before
