"""`agentinitd anchors review`: what was found in sessions becomes a person's own, or never returns."""

from __future__ import annotations

import json
import os
import pty
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.anchors import anchors
from agentinitd.memory.capture.captured_file import PROJECT_FILE
from agentinitd.memory.capture.surplus import MAX_ITEMS
from agentinitd.memory.store import recorded
from agentinitd.model.errors import MemoryRefused, UsageError
from agentinitd.model.facts import Anchor

CAPTURED = """\
---
written_by: agentinitd
---
- [constraint] never touch legacy/billing
  <!-- id: c-legacy; captured: rule; polarity: do_not; source: s1:7; said: 2; last_source: s1:9;
  quote: "but never touch legacy/billing"; priority: low; check: path legacy/billing -->
- [constraint] never touch legacy
  <!-- id: c-old; captured: rule; status: superseded; source: s1:1; ended_by: s1:7 -->
- [decision] keep SQLite
  <!-- id: d-sqlite; captured: decision; source: s1:8 (agent); quote: "keep SQLite" -->
"""
Run = Callable[..., Result]


@pytest.fixture
def project(new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = new_project("p", captured=CAPTURED)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run(project: Path) -> Run:
    assert project.is_dir()
    return lambda *words, **more: CliRunner().invoke(
        anchors, ["review", *words], catch_exceptions=False, **more
    )


def held(project: Path) -> dict[str, Anchor]:
    return {anchor.id: anchor for anchor in recorded(project)}


def test_each_is_shown_with_its_words_its_place_and_what_it_replaced(run: Run) -> None:
    shown = run().stdout

    assert "never touch legacy/billing\n  from s1:7, said 2 times, last in s1:9" in shown
    assert "“but never touch legacy/billing”" in shown
    assert "instead of (s1:1): never touch legacy" in shown
    assert "keep SQLite" in shown


def test_what_was_said_against_a_written_rule_is_shown_with_both_ways_to_settle_it(
    new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    written = "- [constraint] Never push to main. <!-- id: c-main -->\n"
    said = "- [constraint] push to main <!-- id: x-1; captured: rule; source: s:7; against: c-main -->\n"
    monkeypatch.chdir(new_project("p", project_constraints=written, captured=said))

    shown = CliRunner().invoke(anchors, ["review"], catch_exceptions=False).stdout

    assert "against what is written in .agent-memory/anchors/project_constraints.md:1: Never push" in shown
    assert "keep: this takes its place; reject: what is written holds again (c-main)" in shown
    listed = CliRunner().invoke(anchors, ["list"], catch_exceptions=False).stdout
    assert "project_constraints.md:1  SAID OTHERWISE, x-1" in listed


def test_a_correction_is_shown_and_kept_with_what_it_corrects(
    new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "- [constraint] sorry, clang <!-- id: x-1; captured: rule; source: s:7; instead_of: use gcc -->\n"
    said += "- [constraint] yarn <!-- id: x-2; captured: rule; source: s:9; topic: Use -->\n"
    project = new_project("p", captured=said)
    monkeypatch.chdir(project)

    result = CliRunner().invoke(anchors, ["review", "--keep", "x-1", "--keep", "x-2"], catch_exceptions=False)

    assert "use gcc → sorry, clang" in result.stdout
    assert [each.what for each in held(project).values()] == ["use gcc → sorry, clang", "Use: yarn"]


def test_for_programs_it_is_one_object(run: Run) -> None:
    told: list[dict[str, Any]] = json.loads(run("--json").stdout)["captured"]

    assert [each["id"] for each in told] == ["c-legacy", "d-sqlite"]
    assert told[0]["replaced"] == [{"text": "never touch legacy", "source": "s1:1"}]


def test_what_is_kept_moves_to_the_file_of_its_kind_and_is_confirmed(run: Run, project: Path) -> None:
    assert run("--keep", "c-leg").stdout.startswith("Kept c-legacy in anchors/project_constraints.md")

    kept = held(project)["c-legacy"]
    assert (kept.file, kept.captured, kept.source) == ("anchors/project_constraints.md", None, "s1:7")
    assert (kept.priority, kept.check) == ("low", "path legacy/billing")
    assert kept.verified_at is not None
    assert "c-legacy" not in (project / ".agent-memory" / PROJECT_FILE).read_text()


def test_it_may_be_kept_in_better_words_but_not_in_none_and_not_with_a_secret(
    run: Run, project: Path
) -> None:
    run("--edit", "d-sqlite", "SQLite, because of  one host")

    assert held(project)["d-sqlite"].what == "SQLite, because of one host"
    for words in ("  ", "the password is hunter2!x"):
        with pytest.raises(MemoryRefused):
            run("--edit", "c-legacy", words)


def test_what_is_rejected_stays_marked_and_is_not_asked_for_again(run: Run, project: Path) -> None:
    run("--reject", "c-legacy")

    assert held(project)["c-legacy"].status == "rejected"
    assert "c-legacy" not in run().stdout


def test_an_id_that_is_none_or_not_clear_is_an_error(run: Run) -> None:
    for name in ("c-nothing", "c-old", ""):
        with pytest.raises(UsageError, match="review"):
            run("--keep", name)


def test_nothing_left_is_said(run: Run) -> None:
    run("--reject", "c-legacy", "--keep", "d-sqlite")

    assert run().stdout == "Nothing waits for a review.\n"


def test_a_file_that_cannot_be_read_is_told(run: Run, project: Path) -> None:
    (project / ".agent-memory" / PROJECT_FILE).write_bytes(b"\xff\xfe\x00")

    shown = run()
    assert f".agent-memory/{PROJECT_FILE}: is not a text in UTF-8." in shown.stderr
    assert shown.stdout == "Nothing else waits for a review.\n"


def test_of_two_said_in_one_sentence_only_the_one_that_took_its_place_is_shown_with_it(
    run: Run, project: Path
) -> None:
    (project / ".agent-memory" / PROJECT_FILE).write_text(
        "- [constraint] port 3000\n"
        "  <!-- id: c-1; captured: rule; status: superseded; source: s:1; ended_by: s:3 -->\n"
        "- [constraint] port 4000\n  <!-- id: c-2; captured: rule; source: s:3; supersedes: c-1 -->\n"
        "- [constraint] no emoji\n  <!-- id: c-3; captured: rule; source: s:3 -->\n"
    )

    told = json.loads(run("--json").stdout)["captured"]
    assert [(each["id"], len(each["replaced"])) for each in told] == [("c-2", 1), ("c-3", 0)]


def at_a_terminal(project: Path, typed: bytes) -> str:
    """What `anchors review` shows somebody who types this."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(project)
        os.execv(sys.executable, [sys.executable, "-P", "-m", "agentinitd", "anchors", "review"])
    os.write(terminal, typed)
    shown = b""
    try:
        while more := os.read(terminal, 4096):
            shown += more
    except OSError:  # how Linux tells that the other side has ended
        pass
    os.waitpid(pid, 0)
    os.close(terminal)
    return shown.decode()


def test_at_a_terminal_each_is_asked_for_and_no_slip_of_the_finger_decides_or_ends_it(project: Path) -> None:
    shown = at_a_terminal(project, b"x\nkept\nr\nedit\nSQLite\x1b[D\nedit\nSQLite on one host\n")

    assert shown.count("keep, edit, reject, skip or quit") == 5
    assert "would be read as" in shown
    assert "\x1b" not in shown
    assert held(project)["c-legacy"].status == "rejected"
    assert held(project)["d-sqlite"].what == "SQLite on one host"


def test_a_full_file_is_told(run: Run, project: Path) -> None:
    path = project / ".agent-memory" / PROJECT_FILE
    items = (
        f"- [constraint] never touch part{n}/\n  <!-- id: c-{n}; captured: rule; source: s1:{n} -->\n"
        for n in range(MAX_ITEMS)
    )
    path.write_text("".join(items), encoding="utf-8")
    assert "anchors/captured.md is full" in run("--json").stderr

    run("--keep", "c-7")
    assert run("--json").stderr == ""
