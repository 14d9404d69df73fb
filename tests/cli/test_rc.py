from __future__ import annotations

import json
from pathlib import Path

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
    assert lines[0] == "session"
    assert lines[7].split()[:3] == ["S50-mine", "project", "[pending-trust:"]
    assert any(line.split()[:2] == ["S30-task-state", "vendor"] for line in lines)


def test_verbosely_every_file_that_does_not_run_is_named_with_its_reason(project: Path) -> None:
    (project / ".agent-memory" / "init.d" / "S50-mine.sh").touch()
    assert "S50-mine.sh" not in show()
    assert f"{project}/.agent-memory/init.d/S50-mine.sh: ignored: extension" in show("-v")
