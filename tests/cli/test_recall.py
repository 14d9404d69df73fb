"""`agentinitd recall`: searches the memory of this folder's project, whether or not a daemon runs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.recall import recall
from agentinitd.model.errors import UsageError

LOG = """\
- [decision] 会话缓存用 Redis
  <!-- id: d1; last_updated: 2026-11-01T12:00:00Z -->
- [decision] 会话缓存改用 Postgres
  Why: one part less
  <!-- id: d2; supersedes: d1; last_updated: 2026-11-05T12:00:00Z -->
"""


@pytest.fixture
def project(new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = new_project("project", decision_log=LOG)
    for task in ("a", "b"):
        path = folder / ".agent-memory" / "tasks" / task / "anchors" / "rules.md"
        path.parent.mkdir(parents=True)
        path.write_text(f"- [constraint] lamp of {task}\n")
    (folder / "src").mkdir()
    monkeypatch.chdir(folder / "src")
    return folder


Run = Callable[..., Result]


@pytest.fixture
def run(project: Path) -> Run:
    """The command, in a folder of the project."""
    assert project.is_dir()
    return lambda *words: CliRunner().invoke(recall, words, catch_exceptions=False)


def test_people_see_what_when_where_and_why(run: Run) -> None:
    done = run("缓存")

    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "decision  d2  2026-11-05  replaces d1  .agent-memory/anchors/decision_log.md:3",
        "  会话缓存改用 Postgres",
        "  one part less",
        "decision  d1  2026-11-01  WITHDRAWN, replaced by d2 on 2026-11-05"
        "  .agent-memory/anchors/decision_log.md:1",
        "  会话缓存用 Redis",
    ]
    assert done.stderr == ""


def test_people_see_what_was_brought_back_what_conflicts_and_what_failed(project: Path, run: Run) -> None:
    log = project / ".agent-memory" / "anchors" / "decision_log.md"
    log.write_text(
        "- [decision] lamp one <!-- id: d1; topic: lamp; last_updated: 2026-11-01T12:00:00Z -->\n"
        "- [decision] two <!-- id: d2; topic: lamp; supersedes: d1; last_updated: 2026-11-02T12:00:00Z -->\n"
        "- [decision] back\n"
        "  <!-- id: d3; supersedes: d2; restores: d1; last_updated: 2026-11-04T12:00:00Z -->\n"
        "- [decision] lamp four <!-- id: d4; topic: lamp; last_updated: 2026-11-03T12:00:00Z -->\n"
        "- [decision] oil in the lantern <!-- id: d5; outcome: failed -->\n"
        "- [decision] gas in the lantern <!-- id: d6; status: ended; ended: 2026-11-06T12:00:00Z -->\n"
    )

    def told(*words: str) -> list[str]:
        lines = run(*words, "--kind", "decision").stdout.splitlines()[::2]
        return [line.removeprefix("decision  ").partition("  .agent")[0] for line in lines]

    assert told("lamp") == [
        "d1  2026-11-01  holds again, through d3 on 2026-11-04",
        "d3  2026-11-04  brings back d1, replaces d2",
        "d4  2026-11-03  CONFLICT, unsettled, with d1",
        "d2  2026-11-02  WITHDRAWN, replaced by d3 on 2026-11-04, replaces d1",
    ]
    assert told("lantern") == ["d5  tried in vain"]
    assert told("gas") == ["d6  WITHDRAWN on 2026-11-06"]


def test_programs_get_one_object(run: Run) -> None:
    found = json.loads(run("缓存", "--json").stdout)

    assert [hit["id"] for hit in found["hits"]] == ["d2", "d1"]
    assert found["hits"][0]["at"] == "2026-11-05T12:00:00Z"
    assert json.loads(run("nothing-of-it", "--json").stdout)["hits"] == []


def test_a_task_sees_no_other_and_is_told_of_it(run: Run) -> None:
    done = run("lamp", "--task", "a")

    assert "lamp of a" in done.stdout and "lamp of b" not in done.stdout
    assert done.stderr.splitlines() == ["There are hits in other tasks: b. Show them: --task NAME or --all"]
    assert "task b" in run("lamp").stdout


def test_filters_and_number(run: Run) -> None:
    assert "d2" in run("缓存", "--kind", "decision", "--since", "2026-11-05", "--until", "2026-11-05").stdout
    assert run("缓存", "--kind", "tool", "--kind", "state").stdout == ""
    assert run("缓存", "--since", "2026-11-06").stdout == ""
    assert len(json.loads(run("lamp", "-n", "1", "--json").stdout)["hits"]) == 1


@pytest.mark.parametrize("query", ['"', "*", "C++", "NEAR(", "", "🚀", "x" * 10_240])
def test_odd_queries_find_nothing_and_say_so(run: Run, query: str) -> None:
    done = run(query)

    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "Nothing that is recorded matches.\n"


def test_what_cannot_be_asked_is_named(run: Run) -> None:
    for words in (("--kind", "rule"), ("--since", "soon"), ("-n", "0"), ("--task", "../x")):
        with pytest.raises(UsageError, match=words[1].replace(".", r"\.")):
            run("x", *words)


def test_outside_a_project_it_ends_as_snippet_and_rebuild_do(new_daemon: Callable[[], Any]) -> None:
    daemon = new_daemon()
    daemon.start()

    told = {
        (done.returncode, done.stdout, done.stderr)
        for words in (("recall", "x"), ("snippet",), ("rebuild",))
        if (done := daemon.command(*words, cwd=daemon.home))
    }

    [(code, stdout, stderr)] = told
    assert (code, stdout) == (1, "")
    assert "agentinitd init" in stderr


def test_foreign_text_neither_begins_a_line_nor_speaks_to_the_terminal(run: Run, project: Path) -> None:
    state = {"note": "lamp\u202e \x1b]0;evil\x07\r\nfake hit", "task_id": "\x1b[31m"}
    path = project / ".agent-memory" / "state" / "task_state.json"
    path.write_text(json.dumps(state))
    done = run("evil")

    assert len(done.stdout.splitlines()) == 2
    assert all(character.isprintable() or character == "\n" for character in done.stdout)


def test_it_starts_no_daemon(project: Path, home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "agentinitd", "recall", "缓存"], cwd=project,
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip

    assert (done.returncode, "Postgres" in done.stdout) == (0, True)
    assert not list(home.rglob("*.sock"))
