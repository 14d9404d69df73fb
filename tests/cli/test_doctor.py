"""`doctor` as a person calls it: each fault is found, with its cure, and nothing is started or changed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.main import cli
from agentinitd.integrations.hook_entries import GUARD


@pytest.fixture(autouse=True)
def project(new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    made = new_project("p", project_constraints="- [constraint] x\n")
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def settings(home: Path) -> Path:
    """Claude Code is here, with our hooks."""
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    assert CliRunner().invoke(cli, ["install", "claude-code"]).exit_code == 0
    return path


def call(*args: str) -> Result:
    result = CliRunner().invoke(cli, ["doctor", *args], standalone_mode=False)
    assert result.exception is None, result.exception
    return result


def told(topic: str) -> list[tuple[str, str, str]]:
    """Level, text and cure of each line that is not ok."""
    found = json.loads(call("--json").output)["findings"]
    lines = [each for each in found if each["topic"] == topic and each["level"] != "ok"]
    return [(each["level"], each["text"], each["cure"]) for each in lines]


def test_without_a_daemon_it_fails_with_the_cure_and_starts_nothing(home):
    before = sorted(home.rglob("*"))
    result = call()

    assert result.return_value == 1
    assert "FAIL daemon   it does not run" in result.output
    assert "Cure: agentinitd start" in result.output
    assert sorted(home.rglob("*")) == before


def test_json_has_stable_names_and_counts():
    answer = json.loads(call("--json").output)

    assert list(answer) == ["findings", "counts"]
    assert {tuple(finding) for finding in answer["findings"]} == {("topic", "level", "text", "cure")}
    assert sum(answer["counts"].values()) == len(answer["findings"])


class TestHooks:
    def test_missing(self, home):
        (home / ".claude").mkdir()

        [(level, text, cure)] = told("hooks")
        assert (level, cure) == ("fail", "agentinitd install claude-code")
        assert "not installed" in text

    @pytest.mark.usefixtures("settings")
    def test_that_answer_are_fine_and_the_open_question_is_not(self, home, project):
        [(level, text, _)] = told("hooks")
        assert (level, "question about trust" in text) == ("warn", True)

        (home / ".claude.json").write_text(
            json.dumps({"projects": {str(project): {"hasTrustDialogAccepted": True}}})
        )
        assert told("hooks") == []

    def test_of_another_installation_that_is_gone(self, settings):
        gone = settings.read_text().replace(f"{sys.executable} -I", "/gone/python -I")
        settings.write_text(gone)

        found = [(level, text) for level, text, _ in told("hooks")][:2]
        assert [level for level, _ in found] == ["warn", "fail"]
        assert "another place of agentinitd" in found[0][1]
        assert "ended with exit code 127" in found[1][1]

    def test_switched_off_by_the_agents_own_setting(self, settings):
        settings.write_text(json.dumps({**json.loads(settings.read_text()), "disableAllHooks": True}))

        assert "disableAllHooks" in told("hooks")[0][1]

    def test_in_settings_that_do_not_parse(self, settings):
        settings.write_text("{,")

        [(level, text, _)] = told("hooks")
        assert (level, ":1:2:" in text) == ("fail", True)

    def test_their_guard_does_not_hide_what_is_wrong(self, settings):
        assert GUARD in json.loads(settings.read_text())["hooks"]["Stop"][0]["hooks"][0]["command"]


class TestProject:
    def test_memory_that_cannot_be_read(self, project):
        (project / ".agent-memory" / "anchors" / "tool_interfaces.md").write_bytes(b"\xff\xfe\x00")

        [(level, text, cure)] = told("memory")
        assert (level, "tool_interfaces.md" in text, "mend" in cure) == ("fail", True, True)

    def test_scripts_that_wait_for_approval(self, project):
        path = project / ".agent-memory" / "init.d" / "S50-x"
        path.parent.mkdir()
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)

        [(level, text, cure), remarks] = told("scripts")
        assert (level, cure) == ("warn", f"agentinitd trust {path}")
        assert remarks == ("warn", "1 remark on headers, names and links", "agentinitd verify")
        assert str(path) in text

    def test_config_that_cannot_be_used(self, home):
        path = home / ".config" / "agentinitd" / "agentinitd.yaml"
        path.parent.mkdir(parents=True)
        path.write_text("budget_tokens: 3\n")

        [(level, text, _)] = told("config")
        assert (level, "budget_tokens" in text) == ("fail", True)

        path.write_text("budget_token: 300\n")
        [(level, text, _)] = told("config")
        assert (level, "did you mean budget_tokens?" in text) == ("warn", True)


def test_nothing_is_told_twice(daemon: Any, new_session: Callable[..., Any]) -> None:
    """What the daemon complains of stands above already, with its cure."""
    daemon.anchors("- [constraint] x <!-- priority: odd -->\n")
    scripts = daemon.project / ".agent-memory" / "init.d"
    scripts.mkdir()
    own = daemon.home / ".config" / "agentinitd"
    (own / "init.d").mkdir(parents=True)
    (own / "agentinitd.yaml").write_text("budget_tokens: 1\nlangage: en\n")
    for path, text in ((scripts / "S50-a", "#!/bin/sh\n"), (own / "init.d" / "S60-b", "#!/no/such\n")):
        path.write_text(text)
        path.chmod(0o755)
    (own / "init.d" / "S61-c").write_text("#!/bin/sh\nexit 1\n")
    (own / "init.d" / "S61-c").chmod(0o755)
    assert daemon.command("reload").returncode == 6
    new_session(daemon).starts()

    found = json.loads(daemon.command("doctor", "--json").stdout)["findings"]
    wrong = [each for each in found if each["level"] != "ok"]
    said = [each["text"] for each in wrong]

    for words in (
        "budget_tokens",
        "langage",
        "S50-a",
        "no interpreter /no/such",
        "`odd` is unknown",
        "S61-c",
    ):
        assert len([text for text in said if words in text]) == 1, words
    assert not [each for each in wrong if "Cure" in each["text"] or each["cure"] == "agentinitd status"]
    shown = daemon.command("status").stdout.splitlines()
    assert len([line for line in shown if "`odd` is unknown" in line]) == 1


def test_a_daemon_that_runs_answers_and_a_hook_reaches_it(daemon: Any) -> None:
    (daemon.home / ".claude").mkdir(exist_ok=True)
    daemon.command("install", "claude-code")

    done = daemon.command("doctor")
    assert done.returncode == 0, done.stdout
    assert "ok   daemon   it runs (pid " in done.stdout
    assert "they reach the daemon" in done.stdout
