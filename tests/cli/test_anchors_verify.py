"""`agentinitd anchors verify --all`: what can be proved by reading is proved, and the rest is a person's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.anchors import anchors

RULES = """\
- [constraint] Tests: `npm test` <!-- id: c-held; check: script package.json test -->
- [constraint] Lint: `npm run lint` <!-- id: c-failed; check: script package.json lint -->
- [constraint] Outside <!-- id: c-unknown; check: path ../secret -->
- [constraint] Be kind <!-- id: c-person -->
- [constraint] Replaced <!-- id: c-old; status: ended; check: path nowhere -->
"""
Run = Callable[..., Result]


@pytest.fixture
def project(new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = new_project("project", project_constraints=RULES)
    (folder / "package.json").write_text('{"scripts": {"test": "vitest"}}')
    for task in ("one", "two"):
        (folder / ".agent-memory/tasks" / task / "state").mkdir(parents=True)
        (folder / ".agent-memory/tasks" / task / "anchors").mkdir()
        text = f"- [tool] {task} <!-- id: t-{task}; check: path {task}.py -->\n"
        (folder / ".agent-memory/tasks" / task / "anchors/tool_interfaces.md").write_text(text)
    (folder / "one.py").touch()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run(project: Path) -> Run:
    assert project.is_dir()
    return lambda *words: CliRunner().invoke(anchors, ["verify", *words], catch_exceptions=False)


def outcomes(done: Result) -> dict[str, str]:
    told: dict[str, Any] = json.loads(done.stdout)
    return {each["id"]: each["outcome"] for each in told["anchors"]}


def test_every_check_of_the_project_and_its_tasks_is_evaluated(run: Run) -> None:
    done = run("--all", "--json")

    assert done.exit_code == 1
    assert outcomes(done) == {
        "c-held": "held",
        "c-failed": "failed",
        "c-unknown": "unknown",
        "c-person": "unchecked",
        "t-one": "held",
        "t-two": "failed",
    }
    assert json.loads(done.stdout)["counts"] == {"failed": 2, "unknown": 1, "unchecked": 1, "held": 2}


def test_people_see_first_what_failed_with_its_place_and_why(run: Run) -> None:
    shown = run("--all")
    lines = shown.stdout.splitlines()

    assert lines[0] == (
        "FAILED  c-failed  .agent-memory/anchors/project_constraints.md:2: "
        "package.json no longer defines lint"
    )
    assert any(line.startswith("cannot be evaluated  c-unknown") for line in lines)
    assert any(line.startswith("needs a person  c-person") for line in lines)
    assert lines[-1] == "2 held, 2 failed, 1 cannot be evaluated, 1 without a check."
    assert "agentinitd anchors verify ID" in shown.stderr


def test_it_ends_well_when_nothing_fails(run: Run, project: Path) -> None:
    (project / "package.json").write_text('{"scripts": {"test": "vitest", "lint": "eslint"}}')
    (project / "two.py").touch()

    assert run("--all").exit_code == 0


def test_a_proof_is_no_persons_word(run: Run, project: Path) -> None:
    before = {path: path.read_bytes() for path in project.rglob("*.md")}

    run("--all")

    assert {path: path.read_bytes() for path in project.rglob("*.md")} == before


@pytest.mark.parametrize("words", [(), ("--all", "c-held"), ("--all", "--task", "one")])
def test_what_is_meant_has_to_be_clear(run: Run, words: tuple[str, ...]) -> None:
    assert run(*words).exit_code == 2
