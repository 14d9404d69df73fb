"""What cannot work is named when it is written down, and what can is left in peace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agentinitd.memory.anchor_doubts import doubts
from agentinitd.model.facts import Anchor


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src" / "api").mkdir(parents=True)
    (tmp_path / "src" / "api" / "a.py").write_text("def f(): pass\n")
    return tmp_path


def told(project: Path, **fields: Any) -> list[str]:
    anchor = Anchor(id="c-1", kind="constraint", what="x", **fields)
    return [f"{doubt.rule}: {doubt.told}" for doubt in doubts(anchor, project)]


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("path src/none.py", "does not hold: src/none.py is gone"),
        ("text src/api/a.py class", "does not hold: src/api/a.py no longer has that text"),
        ("path ../outside", "cannot be evaluated: `../outside` leaves the project"),
        ("path /etc/passwd", "cannot be evaluated: `/etc/passwd` leaves the project"),
        ("file src/api/a.py", "is no check"),
    ],
)
def test_a_check_that_does_not_hold(project: Path, check: str, said: str) -> None:
    [only] = told(project, check=check)
    assert only.startswith(f"check-fails: check `{check}` ")
    assert said in only


@pytest.mark.parametrize(
    ("forbid", "said"),
    [
        ("Bash(npm *", "the closing bracket is missing"),
        ("bash(npm *)", "no tool is called bash, but Bash is"),
        ("Wrte(src/*)", "but Write is"),
        ("Edit(src/apo/*.py)", "nothing is at src/apo in the project"),
        ("Write(lib/generated/)", "nothing is at lib/generated in the project"),
        ("Edit(../other/*)", "it leaves the project"),
    ],
)
def test_a_call_that_nobody_can_make(project: Path, forbid: str, said: str) -> None:
    [only] = told(project, forbid=forbid)
    assert only.startswith(f"forbid-misses: forbid `{forbid}`: ")
    assert said in only


def test_an_absolute_path_in_the_project_would_never_be_met(project: Path) -> None:
    [only] = told(project, forbid=f"Edit({project}/src/*)")
    assert f"write it relative to {project}" in only


@pytest.mark.parametrize(
    "fields",
    [
        {"check": "path src/api"},
        {"check": "symbol src/api/a.py f"},
        {"forbid": "Bash(npm *)"},
        {"forbid": "npm *"},
        {"forbid": "Edit(src/api/*)"},
        {"forbid": "Edit(*.lock)"},
        {"forbid": "Write(Makefile)"},
        {"forbid": "Edit(/etc/*)"},
        {"forbid": "mcp__github__merge(*)"},
        {"forbid": "apply_patch(*)"},
        {"forbid": "Bash(rm -rf ../*)"},
        {"applies": ("src/**", "**/*.ts", "*.md", "src/{api,ui}/*.py")},
    ],
)
def test_what_can_work_is_left_in_peace(project: Path, fields: dict[str, Any]) -> None:
    assert told(project, **fields) == []


def test_a_glob_that_is_about_nothing(project: Path) -> None:
    assert told(project, applies=("src/ap/*.py",)) == [
        "applies-misses: applies `src/ap/*.py`: nothing is at src/ap in the project"
    ]
