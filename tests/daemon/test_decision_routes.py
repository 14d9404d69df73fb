"""`/v1/decisions`: programs record and read what was decided."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest


@pytest.fixture
def project(new_project: Callable[..., Path]) -> Path:
    folder = new_project("p")
    (folder / ".agent-memory" / "tasks" / "billing" / "state").mkdir(parents=True)
    return folder


class Socket:
    def __init__(self, daemon: Any, project: Path) -> None:
        self.daemon = daemon
        self.project = str(project)

    def add(self, text: str, **more: object) -> tuple[int, Any]:
        body = {"project": self.project, "text": text, **more}
        status, answer = self.daemon.ask("POST", "/v1/decisions", body)
        return status, json.loads(answer)

    def ids(self, **query: str) -> list[list[str]]:
        found = self.daemon.get(f"/v1/decisions?{urlencode({'project': self.project, **query})}")
        return [[each["id"] for each in chain["decisions"]] for chain in found["chains"]]


@pytest.fixture
def socket(shared_daemon: Any, project: Path) -> Socket:
    return Socket(shared_daemon, project)


def test_what_is_recorded_is_listed_by_topic_and_task(socket: Socket) -> None:
    assert socket.add("Redis", id="d1", topic="cache", because="fast", instead_of=["files"])[0] == 200
    status, answer = socket.add("Postgres", id="d2", supersedes=["d1"], decided="2025-11-28")
    assert (status, answer["decision"]["decided"], answer["conflicts"]) == (200, "2025-11-28T00:00:00Z", [])
    socket.add("by hand", id="d3", task="billing")

    assert socket.ids() == [["d2", "d1"]]
    assert socket.ids(task="billing") == [["d3"], ["d2", "d1"]]
    assert socket.ids(topic="cache") == [["d2", "d1"]]


def test_what_a_person_decided_is_neither_replaced_nor_outlived_by_a_program(
    socket: Socket, project: Path
) -> None:
    log = project / ".agent-memory" / "anchors" / "decision_log.md"
    log.write_text("- [decision] Redis <!-- id: d1; topic: cache; last_updated: 2026-11-01 -->\n")

    status, answer = socket.add("Postgres", supersedes=["d1"])
    assert (status, "d1 was not recorded by a program" in answer["error"]) == (403, True)
    status, answer = socket.add("memory", id="d2", topic="cache")
    assert (status, answer["conflicts"], answer["decision"]["source"]) == (200, ["d1"], "socket")
    snippet = socket.daemon.ask("GET", f"/v1/snippet?{urlencode({'project': socket.project})}")[1].decode()
    assert "Redis" in snippet and "- memory" not in snippet


def test_what_cannot_be_recorded_is_refused(socket: Socket) -> None:
    for more in (
        {"supersedes": ["d9"]},
        {"decided": "soon"},
        {"task": "nowhere"},
        {"colour": "red"},
        {"text": ""},
    ):
        status, answer = socket.add(**{"text": "x", **more})  # type: ignore[arg-type]
        assert (status, bool(answer["error"])) == (400, True)
    assert socket.ids() == []
    assert socket.daemon.ask("GET", f"/v1/decisions?{urlencode({'project': '/nowhere'})}")[0] == 404
