"""What is proposed at the end of a command line: what is on disk, and nothing that needs a daemon."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentinitd.cli.completing import answer_lines, first_sentence
from agentinitd.cli.main import COMMANDS, cli


def proposed(*words: str) -> list[str]:
    return [line.split("\t")[1] for line in answer_lines(cli, words)]


@pytest.fixture
def project(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One with an anchor, a decision and two tasks, and a session that was followed in it."""
    memory = tmp_path / "project" / ".agent-memory"
    (memory / "anchors").mkdir(parents=True)
    (memory / "anchors" / "project_constraints.md").write_text(
        "- [constraint] Use pnpm\n  <!-- id: c-1 -->\n"
    )
    (memory / "anchors" / "decision_log.md").write_text("- [decision] Round half up\n  <!-- id: d-1 -->\n")
    for task in ("billing", "login"):
        (memory / "tasks" / task / "state").mkdir(parents=True)
        (memory / "tasks" / task / "state" / "task_state.json").write_text(
            json.dumps({"task_id": task, "goal": "g"})
        )
    sessions = home / ".local" / "state" / "agentinitd" / "sessions"
    sessions.mkdir(parents=True)
    record = {"key": "k", "agent": "codex", "session_ids": ["5e55-1"], "project": "/p\x1b[31m"}
    (sessions / "k.json").write_text(json.dumps(record))
    monkeypatch.chdir(memory.parent)
    return memory.parent


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("rebuild", "--session", ""), ["5e55-1"]),
        (("rebuild", "--session", "=", "5"), ["5e55-1"]),
        (("rebuild", "--session=5"), ["--session=5e55-1"]),
        (("plot", "--session", "x"), []),
        (("task", "switch", "l"), ["login"]),
        (("snippet", "--task", "b"), ["billing"]),
        (("task", "new", ""), []),
        (("anchors", "edit", ""), ["c-1", "d-1"]),
        (("anchors", "verify", "c-1", "d"), ["d-1"]),
        (("decisions", "supersede", ""), ["d-1"]),
        (("decisions", "add", "--id", ""), []),
        (("rebuild", "--runlevel", "s"), ["session", "slim", "switch", "shutdown"]),
        (("install", ""), ["claude-code"]),
        (("replay", "--agent", "go"), ["goose"]),
        (("anchors", "list", "--kind", "d"), ["decision"]),
        (("logs", "--f"), ["--follow", "--failed"]),
        (("re", "x"), []),
    ],
)
def test_values(words: tuple[str, ...], expected: list[str]) -> None:
    assert proposed(*words) == expected


@pytest.mark.usefixtures("project")
def test_a_few_words_about_each_stand_beside_it_on_the_same_line() -> None:
    assert list(answer_lines(cli, ("plot", "--session", ""))) == ["plain\t5e55-1\tcodex /p [31m"]


def test_rebuilds_come_the_latest_first(
    log_of: Callable[..., Path], rebuild_records: Callable[..., list[Any]]
) -> None:
    log_of(*rebuild_records("i-1", S10_a=5.0), *rebuild_records("i-2", at=9.0, S10_a=5.0))

    assert proposed("blame", "") == ["i-2", "i-1"]


@pytest.mark.usefixtures("home")
def test_where_there_is_no_memory_nothing_is_proposed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert proposed("anchors", "edit", "") == proposed("task", "switch", "") == []


def test_files_are_left_to_the_shell() -> None:
    for words in (("trust", "allow", "/t"), ("trust", "/t"), ("replay", "/t")):
        assert [line.split("\t")[0] for line in answer_lines(cli, words)] == ["file"]


def test_names_of_commands_need_no_import_of_them() -> None:
    code = (
        "import sys; from agentinitd.cli.main import cli; from agentinitd.cli.completing import answer_lines;"
        "print(*answer_lines(cli, ['']), sep='\\n');"
        "print(*[name[15:] for name in sys.modules if name.startswith('agentinitd.cli.')], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert [line.split("\t")[1] for line in done.stdout.splitlines()][: len(COMMANDS)] == list(COMMANDS)
    assert set(done.stderr.split()) == {"main", "completing", "terminal"}


@pytest.mark.parametrize(
    ("asked", "words", "said"),
    [("words", ["stat"], "plain\tstatus\t"), ("bash_source", [], "_AGENTINITD_COMPLETE=bash_complete")],
)
def test_the_program_answers_us_and_the_scripts_of_click(asked: str, words: list[str], said: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "agentinitd", *words],
        env={**os.environ, "_AGENTINITD_COMPLETE": asked},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (said in done.stdout, done.stderr) == (True, "")


def test_of_a_help_text_the_first_sentence_is_shown() -> None:
    assert first_sentence("\n  Take them out.  And\n  more.\n\nAnd more.") == "Take them out"
    assert first_sentence("Names of `a.b`\nin two lines.") == "Names of `a.b` in two lines"
