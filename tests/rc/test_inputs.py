from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from agentinitd.model.scripts import Header, Script
from agentinitd.rc.inputs import MOST_INPUTS, fingerprint
from agentinitd.rc.request import RunRequest

SCRIPT = Script(
    name="S50-a",
    key="a",
    order=50,
    layer="user",
    path="/x/S50-a",
    sha256="aa",
    header=Header(inputs=("anchors/*.md", "../.git/HEAD")),
)
REQUEST = RunRequest(
    run_id="i-7",
    session_id="abc",
    session_dir=Path("/s"),
    project_root=Path("/p"),
    task_id="t",
    trigger="marker",
    runlevel="compact",
    digest="d",
)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    folder = tmp_path / ".agent-memory"
    (folder / "anchors").mkdir(parents=True)
    (folder / "anchors" / "a.md").write_text("one")
    return folder


def test_it_stays_equal_while_nothing_changes(memory: Path) -> None:
    first = fingerprint(SCRIPT, REQUEST, memory)
    assert first is not None
    assert (
        fingerprint(SCRIPT, replace(REQUEST, run_id="i-8", session_id="other", trigger="drop"), memory)
        == first
    )


@pytest.mark.parametrize(
    "change",
    [{"digest": "e"}, {"runlevel": "session"}, {"task_id": None}, {"budget_tokens": 100}],
    ids=["digest", "runlevel", "task", "budget"],
)
def test_it_changes_with_what_is_asked(memory: Path, change: dict[str, object]) -> None:
    assert fingerprint(SCRIPT, replace(REQUEST, **change), memory) != fingerprint(SCRIPT, REQUEST, memory)  # type: ignore[arg-type]


def test_it_changes_with_the_script(memory: Path) -> None:
    assert fingerprint(replace(SCRIPT, sha256="bb"), REQUEST, memory) != fingerprint(SCRIPT, REQUEST, memory)


def test_it_changes_with_any_input(memory: Path) -> None:
    seen = {fingerprint(SCRIPT, REQUEST, memory)}
    (memory / "anchors" / "b.md").write_text("two")
    seen.add(fingerprint(SCRIPT, REQUEST, memory))
    (memory / "anchors" / "b.md").write_text("two and more")
    seen.add(fingerprint(SCRIPT, REQUEST, memory))
    os.utime(memory / "anchors" / "b.md", (1, 1))
    seen.add(fingerprint(SCRIPT, REQUEST, memory))
    (memory.parent / ".git").mkdir()
    (memory.parent / ".git" / "HEAD").write_text("ref")
    seen.add(fingerprint(SCRIPT, REQUEST, memory))
    (memory / "anchors" / "a.md").unlink()
    seen.add(fingerprint(SCRIPT, REQUEST, memory))
    assert len(seen) == 6


def test_without_inputs_or_a_project_the_script_has_to_run(memory: Path) -> None:
    assert fingerprint(replace(SCRIPT, header=Header()), REQUEST, memory) is None
    assert fingerprint(SCRIPT, REQUEST, None) is None


def test_too_many_inputs_are_not_looked_at(memory: Path) -> None:
    for number in range(MOST_INPUTS + 1):
        (memory / "anchors" / f"{number}.md").touch()
    assert fingerprint(SCRIPT, REQUEST, memory) is None
