"""`agentinitd task`: what people type, with and without a daemon."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.task import task
from agentinitd.model.errors import MemoryRefused, NotRunning, UsageError

STATE = {
    "task_id": "ui-52",
    "goal": "new components",
    "status": "in_progress",
    "steps": [
        {"id": 1, "title": "Inventory", "status": "done"},
        {"id": 2, "title": "Port the login page", "status": "in_progress"},
        {"id": 3, "title": "Remove the old styles", "status": "todo"},
    ],
    "port": 5433,
}

Run = Callable[..., Result]


@pytest.fixture
def project(new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = new_project("project")
    (folder / ".agent-memory" / "state" / "task_state.json").write_text(json.dumps(STATE, indent=2))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("TZ", "UTC")
    return folder


@pytest.fixture
def run(project: Path) -> Run:
    """The command, in the project; no daemon runs."""
    assert project.is_dir()
    return lambda *words: CliRunner().invoke(task, words, catch_exceptions=False)


def state(project: Path, name: str = "") -> dict[str, Any]:
    folder = f"tasks/{name}/state" if name else "state"
    found: dict[str, Any] = json.loads((project / ".agent-memory" / folder / "task_state.json").read_text())
    return found


class TestShow:
    def test_it_tells_where_the_task_stands(self, run: Run) -> None:
        lines = run("show").stdout.splitlines()

        assert lines[:-1] == [
            "ui-52  in_progress  the task of this project",
            "Goal: new components",
            "Steps: 1/3 done",
            "    1  completed    Inventory",
            "    2  in_progress  Port the login page",
            "    3  pending      Remove the old styles",
            "port: 5433",
        ]
        assert lines[-1].startswith(".agent-memory/state/task_state.json, changed ")

    def test_the_history_tells_how_it_got_there(self, run: Run) -> None:
        run("complete", "login")
        run("next", "remove", "styles")

        lines = run("show", "--history").stdout.splitlines()

        assert [line.rpartition("  ")[2] if line[:4].strip() else line for line in lines] == [
            "file: as it was found",
            "        task_id: nothing → ui-52",
            "        goal: nothing → new components",
            "        status: nothing → in_progress",
            "        + Inventory (completed)",
            "        + Port the login page (in_progress)",
            "        + Remove the old styles (pending)",
            "        port: nothing → 5433",
            "user: complete: login",
            "        Port the login page: in_progress → completed",
            "user: next_action: remove styles",
            "        next_action: nothing → remove styles",
        ]
        assert run("show", "--history", "-n", "1").stdout.count("user") == 1

    def test_as_json_it_has_stable_names(self, run: Run) -> None:
        answer = json.loads(run("show", "--history", "--json").stdout)

        assert answer.keys() == {
            "task", "name", "goal", "status", "phase", "next_action", "counts", "is_default", "is_archived",
            "file", "written_at", "problems", "state", "history",
        }  # fmt: skip
        assert answer["state"] == STATE
        assert answer["history"][0].keys() == {"number", "at", "by", "reason", "changes", "state"}

    def test_a_change_by_an_editor_is_in_it(self, run: Run, project: Path) -> None:
        run("complete", "2")
        path = project / ".agent-memory" / "state" / "task_state.json"
        path.write_text(path.read_text().replace("5433", "5434"))

        assert "port: 5433 → 5434" in run("show", "--history").stdout

    def test_a_broken_file_is_named_with_its_line(self, run: Run, project: Path) -> None:
        (project / ".agent-memory" / "state" / "task_state.json").write_text('{"a": 1,\n')

        assert "state/task_state.json:2: not JSON" in run("show").stdout


class TestChange:
    def test_a_step_is_completed_by_a_part_of_its_title_or_its_number(self, run: Run, project: Path) -> None:
        assert run("complete", "login").stdout.splitlines() == [
            "the unnamed task: 2/3 done",
            "  Port the login page: in_progress → completed",
        ]
        run("complete", "3")

        assert [step["status"] for step in state(project)["steps"]] == ["done", "done", "done"]
        assert "says so already" in run("complete", "3").stdout

    def test_a_name_that_fits_none_is_refused_with_what_there_is(self, run: Run) -> None:
        with pytest.raises(UsageError, match="Port the login page; Remove the old styles"):
            run("complete", "deploy")

    def test_each_changes_its_part(self, run: Run, project: Path) -> None:
        run("next", "port", "LoginForm")
        run("phase", "build")
        run("status", "nearly", "there")
        run("add", "Write", "docs")
        run("start", "docs")
        run("block", "waits for the design")

        now = state(project)
        assert (now["next_action"], now["phase"], now["status"]) == (
            "port LoginForm",
            "build",
            "nearly there",
        )
        assert now["steps"][3] == {"id": 4, "title": "Write docs", "status": "in_progress"}
        assert now["blockers"] == ["waits for the design"]
        run("unblock", "design")
        assert state(project)["blockers"] == []

    def test_done_ends_the_whole_task(self, run: Run, project: Path) -> None:
        lines = run("done").stdout.splitlines()

        assert lines[:2] == [
            "The unnamed task is done.",
            "Steps that were left open: Port the login page; Remove the old styles",
        ]
        assert state(project)["status"] == "done"
        assert "done already" in run("done").stdout

    def test_as_json_it_tells_what_changed(self, run: Run) -> None:
        answer = json.loads(run("complete", "login", "--json").stdout)

        assert answer["changes"] == ["Port the login page: in_progress → completed"]
        assert answer["changed"] is True
        assert answer["state"]["steps"][1]["status"] == "done"

    def test_a_state_of_the_history_holds_again(self, run: Run, project: Path) -> None:
        run("complete", "login")
        run("restore", "1")

        assert state(project)["steps"] == STATE["steps"]

    def test_a_broken_file_is_left_alone_until_it_is_restored(self, run: Run, project: Path) -> None:
        run("complete", "login")
        path = project / ".agent-memory" / "state" / "task_state.json"
        path.write_text("{")
        with pytest.raises(MemoryRefused, match="task restore"):
            run("complete", "3")
        assert path.read_text() == "{"

        run("restore")

        assert state(project)["steps"][1]["status"] == "done"
        assert [each.read_text() for each in path.parent.glob("*.broken-*")] == ["{"]


class TestNamed:
    def test_a_task_is_begun_listed_switched_to_and_put_away(self, run: Run, project: Path) -> None:
        run("new", "docs-88", "the", "docs", "--step", "outline", "--step", "write")
        assert run("switch", "docs-88").stdout == f"{project} is at task docs-88 now.\n"
        run("complete", "outline")

        assert run("list").stdout.splitlines() == [
            "  ui-52    1/3  in_progress  new components",
            "* docs-88  1/2  open  the docs",
        ]
        with pytest.raises(MemoryRefused, match="Switch to another first"):
            run("archive", "docs-88")
        run("switch", "-")
        assert "tasks/.archive/docs-88" in run("archive", "docs-88").stdout
        assert "docs-88" not in run("list").stdout
        assert "  docs-88  1/2  archived  the docs" in run("list", "--all").stdout.splitlines()
        assert "archived" in run("show", "docs-88").stdout
        run("archive", "--back", "docs-88")
        assert state(project, "docs-88")["completed"] == ["outline"]

    def test_another_task_than_the_present_one_can_be_named(self, run: Run, project: Path) -> None:
        run("new", "a")
        run("next", "rest", "--task", "a")

        assert state(project, "a")["next_action"] == "rest"
        assert "next_action" not in state(project)
        assert "a is done." in run("done", "a").stdout

    def test_one_is_begun_and_gone_to_at_once(self, run: Run) -> None:
        assert "is at task b now" in run("new", "b", "--switch").stdout
        assert json.loads(run("list", "--json").stdout)["default"] == "b"

    def test_the_name_of_the_unnamed_one_leads_to_it(self, run: Run) -> None:
        run("new", "b", "--switch")
        run("switch", "ui-52")

        assert run("show").stdout.startswith("ui-52  in_progress  the task of this project")
        [mine] = [each for each in json.loads(run("list", "--json").stdout)["tasks"] if each["is_default"]]
        assert mine["name"] == "ui-52"

    @pytest.mark.parametrize(
        "words", [("switch",), ("switch", "a", "--follow"), ("show", "a", "--session", "s")]
    )
    def test_what_can_be_meant_in_two_ways_is_refused(self, run: Run, words: tuple[str, ...]) -> None:
        with pytest.raises(UsageError):
            run(*words)

    def test_without_a_daemon_no_session_is_bound(self, run: Run) -> None:
        run("new", "a")
        with pytest.raises(NotRunning, match="bound to its task by the daemon"):
            run("switch", "a", "--session", "s")


def test_where_there_is_no_memory_the_cure_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from agentinitd.model.errors import AgentinitdError

    monkeypatch.chdir(tmp_path)
    with pytest.raises(AgentinitdError, match="agentinitd init"):
        CliRunner().invoke(task, ["list"], catch_exceptions=False)


def test_with_a_daemon_a_session_is_bound_and_its_task_is_meant(
    daemon: Any, new_session: Callable[..., Any]
) -> None:
    session = new_session(daemon)
    session.starts()
    assert daemon.command("task", "new", "docs", "--step", "write").returncode == 0

    bound = daemon.command("task", "switch", "docs", "--session", session.id[:8])
    done = daemon.command("task", "complete", "write", "--session", session.id[:8])

    assert bound.stdout == f"Session {session.id} is at task docs now.\n"
    assert done.stdout == "docs: 1/1 done\n  write: pending → completed\n"
    assert "docs" in session.prompts()
    kept = daemon.command("task", "archive", "docs")
    assert f"Session {session.id} is at this task" in kept.stderr
    followed = daemon.command("task", "switch", "--follow", "--session", session.id)
    assert followed.stdout == f"Session {session.id} is at the task without a name now, as its project is.\n"
    moved = daemon.command("task", "new", "next-one", "--switch")
    assert "Sessions that get its memory with their next message: 1" in moved.stdout
    assert os.listdir(daemon.project / ".agent-memory" / "tasks") != []  # noqa: PTH208
