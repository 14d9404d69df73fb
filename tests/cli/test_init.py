"""`init` as a person types it: makes what is missing, and never touches what is there."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.main import cli
from agentinitd.model.errors import AgentinitdError, NotConfigured, UsageError

MADE = {
    ".gitignore",
    "anchors/decision_log.md",
    "anchors/project_constraints.md",
    "anchors/tool_interfaces.md",
    "config.yaml",
    "state/task_state.json",
}


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = home / "果园"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def call(*args: str) -> Result:
    return CliRunner().invoke(cli, ["init", *args])


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_new_project_gets_its_memory_and_the_next_step_is_named(project):
    result = call()

    memory = project / ".agent-memory"
    assert result.exit_code == 0
    assert contents(memory).keys() == MADE
    assert (memory / "init.d").is_dir()
    assert all(path.stat().st_mode & 0o077 == 0 for path in (memory, *memory.rglob("*")))
    assert str(memory / "anchors" / "project_constraints.md") in result.output
    assert "agentinitd start" in result.output


def test_running_it_again_changes_nothing(project):
    call()
    memory = project / ".agent-memory"
    (memory / "config.yaml").unlink()
    (memory / "anchors" / "decision_log.md").write_text("mine")
    (memory / "anchors" / "tool_interfaces.md").unlink()
    (memory / "anchors" / "tool_interfaces.md").symlink_to("nowhere")
    before = contents(memory)

    result = call("--share")

    after = contents(memory)
    assert after.pop(".gitignore") == b"state/\ntasks/*/state/\nrun/\n*.sqlite*\n.lock\n*.conflict-*\n"
    assert after.pop("config.yaml")
    assert after == {name: data for name, data in before.items() if name != ".gitignore"}
    assert "made .gitignore, config.yaml." in result.output
    assert "all is there already" in call().output


def test_a_gitignore_somebody_wrote_is_kept_when_sharing(project):
    memory = project / ".agent-memory"
    memory.mkdir()
    (memory / ".gitignore").write_text("*\n!anchors/\n")

    call("--share")

    assert (memory / ".gitignore").read_text() == "*\n!anchors/\n"


@pytest.mark.parametrize(
    ("option", "kept"), [([], []), (["--share"], ["anchors/project_constraints.md", "config.yaml"])]
)
def test_git_sees_what_is_to_be_shared_and_nothing_else(project, option, kept):
    subprocess.run(["git", "init", "-q"], check=True)
    call(*option)
    (project / ".agent-memory" / "index.sqlite-wal").write_text("")

    seen = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], capture_output=True, text=True, check=True
    ).stdout

    for name in (
        "anchors/project_constraints.md",
        "config.yaml",
        "state/task_state.json",
        "index.sqlite-wal",
    ):
        assert (name in seen) == (name in kept)


def test_inside_a_checkout_the_memory_belongs_to_its_top(project, monkeypatch):
    (project / ".git").mkdir()
    (project / "src" / "deep").mkdir(parents=True)
    monkeypatch.chdir(project / "src" / "deep")

    call()

    assert (project / ".agent-memory").is_dir()
    assert not (project / "src" / ".agent-memory").exists()


def test_a_memory_in_reach_is_used(project, monkeypatch):
    call()
    (project / "src").mkdir()
    monkeypatch.chdir(project / "src")

    assert f"{project / '.agent-memory'}: all is there already" in call().output


def test_a_home_under_version_control_is_not_the_project(project, home):
    (home / ".git").mkdir()

    call()

    assert (project / ".agent-memory").is_dir()
    assert not (home / ".agent-memory").exists()


def test_the_home_itself_is_refused(home, monkeypatch):
    monkeypatch.chdir(home)

    result = call()

    assert isinstance(result.exception, UsageError)
    assert str(home) in str(result.exception)
    assert list(home.iterdir()) == []


@pytest.mark.usefixtures("project")
def test_hooks_go_to_the_agents_that_are_there(home):
    assert "No agent found" in call().output
    (home / ".claude").mkdir()

    assert "our hooks are in" in call().output
    assert "SessionStart" in json.loads((home / ".claude" / "settings.json").read_bytes())["hooks"]
    assert "our hooks are in already" in call().output


@pytest.mark.usefixtures("project")
def test_hooks_go_to_the_agents_that_are_named(home):
    call("--agent", "claude-code")

    assert (home / ".claude" / "settings.json").exists()


@pytest.mark.usefixtures("project")
def test_hooks_can_be_left_out(home):
    (home / ".claude").mkdir()

    result = call("--no-hooks")

    assert list((home / ".claude").iterdir()) == []
    assert "settings.json" not in result.output
    assert isinstance(call("--no-hooks", "--agent", "claude-code").exception, UsageError)


def test_an_unknown_agent_is_refused_before_anything_is_made(project):
    assert isinstance(call("--agent", "hal").exception, UsageError)
    assert list(project.iterdir()) == []


def test_broken_settings_cost_the_hooks_and_not_the_memory(project, home):
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text("{")

    assert isinstance(call().exception, NotConfigured)
    assert contents(project / ".agent-memory").keys() == MADE


@pytest.mark.parametrize("place", [".agent-memory", ".agent-memory/anchors"])
def test_nothing_is_made_behind_a_link_or_in_place_of_a_file(project, tmp_path, place):
    behind = tmp_path / "behind"
    behind.mkdir()
    (project / place).parent.mkdir(exist_ok=True)
    (project / place).symlink_to(behind)
    assert isinstance(call().exception, NotConfigured)
    assert list(behind.iterdir()) == []

    (project / place).unlink()
    (project / place).write_text("precious")
    assert isinstance(call().exception, AgentinitdError)
    assert (project / place).read_text() == "precious"


def test_the_comments_are_in_the_persons_language(project, monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")

    call()

    assert "[约束]" in (project / ".agent-memory" / "anchors" / "project_constraints.md").read_text()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_project_of_somebody_else_is_refused(project):
    os.chown(project, 12345, -1)

    assert isinstance(call().exception, AgentinitdError)
    assert list(project.iterdir()) == []
