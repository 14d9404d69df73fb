from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentinitd.cli.rc import rc

ALL = [
    "S10-constraints",
    "S15-captured-rules",
    "S20-tools",
    "S30-task-state",
    "S40-decisions",
    "S45-captured-facts",
]


def show(*words: str) -> str:
    result = CliRunner().invoke(rc, ["show", *words], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = home / "project"
    (folder / ".agent-memory" / "init.d").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def test_the_vendor_scripts_run_in_their_runlevels(project: Path) -> None:
    shown = json.loads(show("--json"))
    names = {level: [step["name"] for step in steps] for level, steps in shown["runlevels"].items()}
    assert names == {
        "session": ALL,
        "compact": ALL,
        "periodic": ALL,
        "slim": ["S30-task-state"],
        "switch": ALL,
        "manual": ALL,
        "shutdown": [],
    }
    assert {step["state"] for steps in shown["runlevels"].values() for step in steps} == {"runs"}
    assert shown["project"] == str(project)
    assert shown["findings"] == []
    assert shown["unassigned"] == []


def test_outside_a_project_there_are_the_other_layers(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    shown = json.loads(show("--json"))
    assert shown["project"] is None
    assert [script["name"] for script in shown["scripts"]] == ALL


def test_people_see_each_level_with_layer_description_and_refusal(project: Path) -> None:
    script = project / ".agent-memory" / "init.d" / "S50-mine"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    lines = show().splitlines()
    assert lines[0] == "session, compact, periodic, switch, manual"
    assert lines[7].split()[:3] == ["S50-mine", "project", "[pending-trust:"]
    assert any(line.split()[:2] == ["S30-task-state", "vendor"] for line in lines)
    assert lines[-2:] == ["shutdown", "  nothing"]


def test_verbosely_each_script_tells_where_it_is_from_and_why_it_runs(home: Path) -> None:
    own = home / ".config" / "agentinitd" / "init.d" / "S60-mine"
    own.parent.mkdir(parents=True)
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    lines = show("-v").splitlines()
    assert f"  {own}: Default-Start: session compact periodic" in lines
    [linked] = [line for line in lines if "/init.d/S30-task-state: " in line]
    assert linked.endswith("links of the vendor layer: compact (S) periodic (S) session (S) slim (S)")


def test_verbosely_every_file_that_does_not_run_is_named_with_its_reason(project: Path) -> None:
    """NAM-3."""
    (project / ".agent-memory" / "init.d" / "S50-mine.sh").touch()
    assert "S50-mine.sh" not in show()
    assert f"{project}/.agent-memory/init.d/S50-mine.sh: ignored: extension" in show("-v")


def invoke(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(rc, words)
    said = f"{result.exception}" if result.exception and result.exit_code else ""
    return result.exit_code, result.output + said


def own_script(home: Path, name: str = "S50-mine", body: str = "#!/bin/sh\necho mine\n") -> Path:
    path = home / ".config" / "agentinitd" / "init.d" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(body)
    path.chmod(0o755)
    return path


class TestEdit:
    """RL-7: `add` and `del` edit the person's own layer, or with --project that of the project."""

    @pytest.mark.usefixtures("project")
    def test_a_link_is_made_and_taken_back(self, home: Path) -> None:
        own_script(home)
        folder = home / ".config" / "agentinitd" / "rc.d"
        code, said = invoke("add", "S50-mine", "slim")
        assert code == 0
        assert f"+ {folder}/slim.d/S50-mine" in said.splitlines()
        assert (folder / "slim.d" / "S50-mine").read_text() == "#!/bin/sh\necho mine\n"
        assert invoke("del", "mine", "slim") == (0, f"- {folder}/slim.d/S50-mine\n")
        assert invoke("del", "mine", "slim") == (0, "mine is not called in slim: nothing to change.\n")
        assert invoke("del", "mine", "--all")[0] == 0
        assert invoke("del", "mine", "--all") == (
            0,
            "mine is not called in any runlevel: nothing to change.\n",
        )
        assert invoke("add", "mine")[0] == 0
        assert invoke("add", "mine") == (0, "mine is called there already: nothing to change.\n")

    @pytest.mark.usefixtures("project")
    def test_where_no_runlevel_calls_it_nothing_is_written(self, home: Path) -> None:
        own_script(home, body="#!/bin/sh\n### BEGIN INIT INFO\n# Default-Start:\n### END INIT INFO\n")
        assert invoke("del", "mine", "--all") == (
            0,
            "mine is not called in any runlevel: nothing to change.\n",
        )
        assert not (home / ".config" / "agentinitd" / "rc.d").exists()

    def test_a_dry_run_writes_nothing(self, project: Path, home: Path) -> None:
        own_script(home)
        assert "+ " in invoke("add", "mine", "-n")[1]
        assert not (home / ".config" / "agentinitd" / "rc.d").exists()
        assert not (project / ".agent-memory" / "rc.d").exists()

    def test_a_projects_entry_about_others_says_that_it_waits_for_approval(self, project: Path) -> None:
        code, said = invoke("del", "S40-decisions", "compact", "--project")
        entry = project / ".agent-memory" / "rc.d" / "compact.d" / "S40-decisions"
        assert (code, entry.read_bytes()) == (0, b"")
        assert said.splitlines()[-1] == f"It holds once you approve it: agentinitd trust {entry}"

    @pytest.mark.usefixtures("project")
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("add", "nothing"), "No init.d holds a script called nothing."),
            (("add", "tools", "sesion"), "Did you mean session?"),
            (("del", "tools"), "Name the runlevels, or --all."),
        ],
    )
    def test_what_makes_no_sense_is_said(self, words: tuple[str, ...], said: str) -> None:
        code, told = invoke(*words)
        assert code != 0
        assert said in told


class TestStatus:
    def test_each_script_with_what_became_of_it(self, daemon: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        """RL-7 and the words of `rc-status`: ok, failed, pending, shadowed; unassigned ones last."""
        own_script(daemon.home, "S50-broken", "#!/bin/sh\necho why >&2\nexit 1\n")
        idle = "#!/bin/sh\n### BEGIN INIT INFO\n# Default-Start:\n### END INIT INFO\n"
        own_script(daemon.home, "S51-idle", idle)
        own_script(daemon.home, "S52-off").chmod(0o644)
        monkeypatch.chdir(daemon.project)
        monkeypatch.setenv("AGENTINITD_RUNTIME_DIR", str(daemon.runtime))
        daemon.ask("POST", "/v1/rebuild", {"runlevel": "compact", "project": str(daemon.project)})

        lines = invoke("status")[1].splitlines()

        assert lines[0] == "Runlevel: compact"
        states = {line.split()[0]: line[line.index("[") + 1 : line.index("]")].strip() for line in lines[1:9]}
        assert (states["S10-constraints"], states["S50-broken"], states["S52-off"]) == (
            "ok",
            "failed",
            "skipped",
        )
        assert lines[-2:] == ["In no runlevel", " S51-idle"]
        assert invoke("status", "--failed") == (0, "S50-broken\n")
        told = json.loads(invoke("status", "--json", "--all")[1])
        assert (len(told["runlevels"]), told["failed"]) == (7, ["S50-broken"])

    @pytest.mark.usefixtures("project")
    def test_without_a_daemon_nothing_was_run_yet(self) -> None:
        code, said = invoke("status", "slim")
        assert (code, "S30-task-state" in said, "[  not run  ]" in said) == (0, True, True)
        assert invoke("status", "--failed") == (1, "1")
