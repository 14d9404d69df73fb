"""`agentinitd agents`: what was found where, for people and for programs."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentinitd.cli.agents import agents
from agentinitd.transcripts.agents import AGENTS

DATA = Path(__file__).parents[1] / "data"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(agents, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def told() -> dict[str, dict[str, Any]]:
    return {each["agent"]: each for each in json.loads(run("--json"))["agents"]}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def put(sample: str, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(DATA / sample, path)


def test_where_there_is_none_each_is_named_with_the_places_it_would_be_in(home: Path) -> None:
    found = told()

    assert list(found) == list(AGENTS)
    assert not any(each["is_found"] or each["sessions"] for each in found.values())
    assert found["claude-code"]["roots"] == [str(home / ".claude" / "projects")]
    assert all(each["reads"] == AGENTS[name].READS for name, each in found.items())


def test_sessions_are_counted_in_files_and_in_databases(home: Path) -> None:
    day = home / ".codex" / "sessions" / "2025" / "11" / "14"
    put("codex/cx-0.57-empty-session.jsonl", day / "rollout-2025-11-14T09-00-00-a.jsonl")
    put("codex/cx-0.57-empty-session.jsonl", day / "rollout-2025-11-14T10-00-00-b.jsonl")
    store = home / ".local" / "share" / "goose" / "sessions"
    store.mkdir(parents=True)
    database = sqlite3.connect(store / "sessions.db")
    database.executescript((DATA / "goose" / "1-before.sql").read_text())
    database.close()

    found = told()

    assert {name for name, each in found.items() if each["is_found"]} == {"codex", "goose"}
    assert (found["codex"]["sessions"], found["goose"]["sessions"]) == (2, 1)
    assert found["codex"]["roots"] == [str(home / ".codex" / "sessions")]


def test_an_agent_is_here_also_before_its_first_session(home: Path) -> None:
    (home / ".claude" / "projects").mkdir(parents=True)

    assert told()["claude-code"]["is_found"]
    assert "claude-code  0 sessions; served by hooks (`agentinitd install`)" in run()


def test_the_history_of_aider_is_looked_for_in_this_project(project: Path) -> None:
    assert not told()["aider"]["is_found"]

    put("aider/aider.chat.history.md", project / ".aider.chat.history.md")

    found = told()["aider"]
    assert (found["is_found"], found["sessions"], found["roots"]) == (True, 1, [str(project)])
    assert "aider        1 session; no hooks: its snippets lie in a file" in run()


def test_a_variable_moves_what_it_moves_for_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere" / "sessions").mkdir(parents=True)
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "elsewhere"))

    assert told()["codex"]["roots"] == [str(tmp_path / "elsewhere" / "sessions")]


def test_people_are_spared_the_many_places_of_an_editor(home: Path) -> None:
    shown = run()

    assert "roo          not found" in shown
    assert "more; --json names them" in shown
    assert shown.count(f"{home}") < sum(len(each["roots"]) for each in told().values())


def test_hooks_are_there_for_those_that_have_an_integration() -> None:
    assert {name for name, each in told().items() if each["has_hooks"]} == {"claude-code"}
