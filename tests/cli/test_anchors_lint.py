"""`agentinitd anchors lint`: every file of the memory, with an exit code for scripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.anchors import anchors


def run(*words: str) -> Result:
    return CliRunner().invoke(anchors, ["lint", *words], catch_exceptions=False)


@pytest.fixture
def project(new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = new_project("p", project_constraints="- [constraint] use `uv`\n")
    monkeypatch.chdir(folder)
    return folder


def test_a_good_memory_is_left_in_peace(project: Path) -> None:
    assert project.is_dir()
    assert (run().exit_code, run().stdout) == (0, "Nothing to mend.\n")


def test_an_interface_whose_file_is_gone_is_noted_and_no_failure(
    new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "- [tool] `f(x)` in a.py <!-- captured: tool; source: s:1 (tool); check: symbol a.py f -->\n"
    monkeypatch.chdir(new_project("p", captured=line))

    result = run()

    assert result.exit_code == 0
    assert result.stdout.startswith(
        "note: anchors/captured.md:1: check-fails: check `symbol a.py f` does not"
    )


def test_findings_of_project_and_tasks_are_told_with_place_rule_and_cure(project: Path) -> None:
    folder = project / ".agent-memory" / "tasks" / "t-1" / "anchors"
    folder.mkdir(parents=True)
    (folder / "notes.md").write_text("\n- [rule] x\n- [constraint] be careful\n")

    result = run()

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "tasks/t-1/anchors/notes.md:2: unknown-tag: [rule] is no tag; the item is not served."
        " Write [constraint], [tool] or [decision].",
        "tasks/t-1/anchors/notes.md:3: not-checkable: nobody can tell whether it is kept."
        " Name the file, the command or the value by which anyone can see whether it is kept.",
    ]
    told = json.loads(run("--json").stdout)["findings"]
    assert [(each["line"], each["rule"]) for each in told] == [(2, "unknown-tag"), (3, "not-checkable")]
