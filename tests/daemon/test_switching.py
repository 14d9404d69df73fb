"""Switching tasks by the real daemon: the old one is saved and stopped, the new one told, and none leaks."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

New = Callable[..., Any]

STOPS = """\
#!/bin/sh
### BEGIN INIT INFO
# Provides:             keeper
# Default-Start:        session compact
# Default-Stop:         switch
# Short-Description:    Says what it was told of
### END INIT INFO
echo "$1 $AGENTINITD_RUNLEVEL $AGENTINITD_TRIGGER $AGENTINITD_TASK_ID" >> "$AGENTINITD_STATE_DIR/said"
[ "$1" = start ] && echo "- keeper of ${AGENTINITD_TASK_ID:-nothing}"
exit 0
"""


def rule(text: str) -> str:
    return f"- [constraint] {text}\n"


@pytest.fixture
def project(new_project: New) -> Path:
    """With two tasks, each with a rule and a state of its own, and one rule for all."""
    folder: Path = new_project("shop", project_constraints=rule("for all"))
    for name in ("billing", "docs"):
        task = folder / ".agent-memory" / "tasks" / name
        (task / "anchors").mkdir(parents=True)
        (task / "state").mkdir()
        (task / "anchors" / "rules.md").write_text(rule(f"only of {name}"))
        state = {"task_id": name, "next_action": f"work on {name}", "pending": ["a"]}
        (task / "state" / "task_state.json").write_text(json.dumps(state))
    return folder


def history(project: Path, task: str) -> list[dict[str, Any]]:
    path = project / ".agent-memory" / "tasks" / task / "state" / "history.jsonl"
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )


def switch(daemon: Any, **body: object) -> dict[str, Any]:
    status, answer = daemon.ask("POST", "/v1/tasks/switch", body)
    assert status == 200, answer
    found: dict[str, Any] = json.loads(answer)
    return found


def snippet(daemon: Any, **query: str) -> str:
    status, body = daemon.ask("GET", f"/v1/snippet?{urlencode(query)}")
    assert status == 200, body
    return str(body.decode())


class TestSession:
    def test_two_sessions_of_one_project_never_see_each_others_task(
        self, shared_daemon: Any, project: Path, new_session: New
    ) -> None:
        one, two = (new_session(shared_daemon, project=project) for _ in range(2))
        for session, task in ((one, "billing"), (two, "docs")):
            session.starts()
            switch(shared_daemon, session=session.id, task=task)
        for session, own, other in ((one, "billing", "docs"), (two, "docs", "billing")):
            session.turn(50_000)
            told = session.prompts()
            assert "for all" in told
            assert f"only of {own}" in told
            assert f"work on {own}" in told
            assert other not in told
            assert session.prompts() == ""
            assert other not in session.starts("resume")
            assert other not in snippet(shared_daemon, session=session.id)

        path = project / ".agent-memory" / "tasks" / "docs" / "state" / "task_state.json"
        path.write_text(json.dumps({"task_id": "docs", "next_action": "read docs again"}))
        assert one.prompts() == ""
        assert "read docs again" in two.prompts()

    def test_it_is_not_held_back_by_the_cool_down_and_is_full(
        self, shared_daemon: Any, project: Path, new_session: New
    ) -> None:
        session = new_session(shared_daemon, project=project)
        session.starts()

        assert switch(shared_daemon, session=session.id, task="docs")["task"] == "docs"

        told = session.prompts()
        assert "only of docs" in told
        seen = session.seen()
        assert (seen["task"], seen["last_delivery"]["runlevel"]) == ("docs", "switch")

    def test_to_where_it_is_already_nothing_is_due(
        self, shared_daemon: Any, project: Path, new_session: New
    ) -> None:
        session = new_session(shared_daemon, project=project)
        session.starts()
        switch(shared_daemon, session=session.id, task="docs")
        session.prompts()

        switch(shared_daemon, session=session.id, task="docs")

        assert session.prompts() == ""

    def test_it_goes_back_to_that_of_its_project(
        self, shared_daemon: Any, project: Path, new_session: New
    ) -> None:
        session = new_session(shared_daemon, project=project)
        session.starts()
        switch(shared_daemon, session=session.id, task="docs")
        session.prompts()

        assert switch(shared_daemon, session=session.id, task=None)["task"] is None

        assert "only of docs" not in session.prompts()

    @pytest.mark.parametrize(("task", "status"), [("nobody", 409), ("../etc", 400), ("", 400)])
    def test_to_no_task_it_stays_where_it_is(
        self, shared_daemon: Any, project: Path, new_session: New, task: str, status: int
    ) -> None:
        session = new_session(shared_daemon, project=project)
        session.starts()

        answered, body = shared_daemon.ask("POST", "/v1/tasks/switch", {"session": session.id, "task": task})

        assert answered == status, body
        assert session.prompts() == ""

    def test_the_binding_and_what_is_due_survive_a_kill(
        self, daemon: Any, project: Path, new_session: New
    ) -> None:
        session = new_session(daemon, project=project)
        session.starts()
        switch(daemon, session=session.id, task="docs")
        daemon.kill()
        daemon.start()

        assert "only of docs" in session.prompts()
        assert "only of docs" in session.starts("resume")

    def test_without_a_daemon_it_is_told_only_of_its_own_task(
        self, daemon: Any, project: Path, new_session: New
    ) -> None:
        session, other = (new_session(daemon, project=project) for _ in range(2))
        session.starts()
        other.starts()
        switch(daemon, session=session.id, task="docs")
        session.prompts()
        daemon.kill()

        assert "only of docs" in daemon.context(session.payload("SessionStart", source="resume"))
        left = daemon.context(other.payload("SessionStart", source="resume"))
        assert "for all" in left
        assert "only of docs" not in left


class TestProject:
    def test_sessions_without_a_task_of_their_own_follow_and_the_others_stay(
        self, shared_daemon: Any, project: Path, new_session: New
    ) -> None:
        follower, bound = (new_session(shared_daemon, project=project) for _ in range(2))
        follower.starts()
        bound.starts()
        switch(shared_daemon, session=bound.id, task="billing")
        bound.prompts()

        answer = switch(shared_daemon, project=str(project), task="docs")

        assert (answer["task"], answer["sessions"]) == ("docs", [follower.id])
        assert "only of docs" in follower.prompts()
        assert bound.prompts() == ""
        assert (project / ".agent-memory" / "state" / "default_task").read_text() == "docs\n"

    def test_a_switch_by_the_file_is_noticed(
        self, shared_daemon: Any, project: Path, new_session: New
    ) -> None:
        session = new_session(shared_daemon, project=project)
        session.starts()

        (project / ".agent-memory" / "state" / "default_task").write_text("billing\n")

        assert "only of billing" in session.prompts()
        assert session.seen()["last_delivery"]["runlevel"] == "switch"

    def test_a_new_session_begins_with_the_task_of_its_project(
        self, shared_daemon: Any, project: Path, new_session: New
    ) -> None:
        switch(shared_daemon, project=str(project), task="docs")
        session = new_session(shared_daemon, project=project)

        told = session.starts()

        assert "only of docs" in told
        assert "only of docs" in snippet(shared_daemon, project=str(project))
        assert session.prompts() == ""

    def test_the_last_snippet_for_those_without_a_daemon_is_of_the_present_task(
        self, shared_daemon: Any, project: Path, new_session: New
    ) -> None:
        new_session(shared_daemon, project=project).starts()
        last = project / ".agent-memory" / "run" / "last-snippet"
        assert last.exists()

        switch(shared_daemon, project=str(project), task="docs")

        assert not last.exists() or "only of docs" in last.read_text()


class TestLeaving:
    def test_the_old_state_is_saved_with_the_reason(
        self, shared_daemon: Any, project: Path, new_session: New
    ) -> None:
        session = new_session(shared_daemon, project=project)
        session.starts()
        for task in ("billing", "docs"):
            switch(shared_daemon, session=session.id, task=task)

        last = history(project, "billing")[-1]
        assert (last["by"], last["reason"]) == ("switch", "task docs in place of task billing")
        assert last["state"]["next_action"] == "work on billing"

    def test_scripts_are_asked_to_stop_while_they_are_told_of_the_old_task(
        self, daemon: Any, project: Path, new_session: New
    ) -> None:
        """RL-8, RL-9."""
        script = daemon.home / ".config" / "agentinitd" / "init.d" / "S50-keeper"
        script.parent.mkdir(parents=True)
        script.write_text(STOPS)
        script.chmod(0o755)
        session = new_session(daemon, project=project)
        session.starts()
        switch(daemon, session=session.id, task="billing")
        assert "keeper of billing" in session.prompts()

        switch(daemon, session=session.id, task="docs")
        told = session.prompts()

        assert "keeper of docs" in told
        said = (daemon.state_dir / "scripts" / session.seen()["key"] / "said").read_text().splitlines()
        assert said == [
            "start session session ",
            "stop switch switch ",
            "start switch switch billing",
            "stop switch switch billing",
            "start switch switch docs",
        ]

    def test_one_that_was_never_started_is_not_stopped(
        self, daemon: Any, project: Path, new_session: New
    ) -> None:
        session = new_session(daemon, project=project)
        session.starts()
        script = daemon.home / ".config" / "agentinitd" / "init.d" / "S50-keeper"
        script.parent.mkdir(parents=True)
        script.write_text(STOPS)
        script.chmod(0o755)

        switch(daemon, session=session.id, task="billing")
        session.prompts()

        said = (daemon.state_dir / "scripts" / session.seen()["key"] / "said").read_text().splitlines()
        assert said == ["start switch switch billing"]

    def test_at_its_end_and_at_ours_its_scripts_stop_and_when_it_goes_on_they_start(
        self, daemon: Any, project: Path, new_session: New, eventually: New
    ) -> None:
        """RL-8, RL-9: `shutdown` calls K entries, of what was started in this session, and starts nothing."""
        script = daemon.home / ".config" / "agentinitd" / "init.d" / "S50-keeper"
        script.parent.mkdir(parents=True)
        script.write_text(STOPS.replace("switch", "shutdown"))
        script.chmod(0o755)
        session = new_session(daemon, project=project)
        session.starts()
        path = daemon.state_dir / "scripts" / session.seen()["key"] / "said"

        session.told(session.payload("SessionEnd", reason="exit"))
        eventually(lambda: len(path.read_text().splitlines()) == 2)
        session.told(session.payload("SessionEnd", reason="exit"))
        session.starts("resume")
        daemon.stop()

        assert path.read_text().splitlines() == [
            "start session session ",
            "stop shutdown shutdown ",
            "start session session ",
            "stop shutdown shutdown ",
        ]
        ends = [record["result"] for record in daemon.log() if record["event"] == "run.end"]
        assert ends == ["ok", "ok", "ok", "ok"]

    def test_a_state_changed_by_hand_is_in_the_history_once_it_is_noticed(
        self, shared_daemon: Any, project: Path, new_session: New, eventually: New
    ) -> None:
        session = new_session(shared_daemon, project=project)
        session.starts()
        switch(shared_daemon, session=session.id, task="docs")
        session.prompts()
        path = project / ".agent-memory" / "tasks" / "docs" / "state" / "task_state.json"
        path.write_text(json.dumps({"task_id": "docs", "next_action": "by hand"}))

        assert "by hand" in session.prompts()

        last = eventually(lambda: [each for each in history(project, "docs") if "by hand" in str(each)])[-1]
        assert (last["by"], last["state"]["next_action"]) == ("file", "by hand")


@pytest.fixture
def worktree(project: Path, tmp_path: Path) -> Path:
    """A linked worktree of the project, beside it, without a memory of its own."""

    def git(*words: str) -> None:
        identity = ["-c", "user.name=n", "-c", "user.email=e@x"]
        subprocess.run(["git", *identity, *words], cwd=project, check=True, capture_output=True)

    git("init", "-q")
    (project / ".gitignore").write_text(".agent-memory/\n")
    git("add", ".gitignore")
    git("commit", "-qm", "begin")
    git("worktree", "add", "-q", str(tmp_path / "feature"))
    return tmp_path / "feature"


class TestWorktree:
    def test_it_shares_the_memory_and_is_at_a_task_of_its_own(
        self, shared_daemon: Any, project: Path, worktree: Path, new_session: New
    ) -> None:
        main = new_session(shared_daemon, project=project)
        linked = new_session(shared_daemon, project=worktree)
        main.starts()
        assert "for all" in linked.starts()

        answer = switch(shared_daemon, project=str(worktree), task="docs")

        assert answer["sessions"] == [linked.id]
        assert "only of docs" in linked.prompts()
        assert main.prompts() == ""
        assert (project / ".agent-memory" / "state" / "worktrees" / "feature").read_text() == "docs\n"
        assert "only of docs" in snippet(shared_daemon, project=str(worktree))
        assert "only of docs" not in snippet(shared_daemon, project=str(project))

        switch(shared_daemon, project=str(project), task="billing")
        assert "only of billing" in main.prompts()
        assert linked.prompts() == ""

        switch(shared_daemon, project=str(worktree), task=None)
        assert "only of billing" in linked.prompts()


def test_a_switch_costs_a_hook_no_more_than_a_look(
    shared_daemon: Any, project: Path, new_session: New
) -> None:
    """What was built ahead is handed out as it is."""
    session = new_session(shared_daemon, project=project)
    session.starts()
    switch(shared_daemon, session=session.id, task="docs")
    deadline = time.monotonic() + 10
    while not [run for run in shared_daemon.get("/v1/runs")["runs"] if run["session"] == session.id][1:]:
        assert time.monotonic() < deadline
        time.sleep(0.02)

    assert "only of docs" in session.prompts()

    runs = [run for run in shared_daemon.get("/v1/runs")["runs"] if run["session"] == session.id]
    assert [run["runlevel"] for run in runs] == ["session", "switch"]
