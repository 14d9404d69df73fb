"""`snippet`: what the agent would get now; asking delivers nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

New = Callable[..., Any]


@pytest.fixture
def known(shared_daemon: Any) -> Any:
    shared_daemon.anchors("".join(f"- [constraint] rule number {n} about file {n}\n" for n in range(60)))
    return shared_daemon


def test_of_this_folder_or_one_below_it(known: Any) -> None:
    (known.project / "src").mkdir(exist_ok=True)

    here, below = known.command("snippet"), known.command("snippet", cwd=known.project / "src")

    assert here.returncode == below.returncode == 0
    assert "rule number 0 " in here.stdout
    assert below.stdout == here.stdout


def test_a_larger_budget_shows_more(known: Any) -> None:
    small, large = (known.command("snippet", "--budget", size).stdout for size in ("300", "5000"))

    assert "rule number 59 " in large
    assert "rule number 59 " not in small
    assert "snippet --budget" in small


def test_the_snippet_of_a_task_has_that_tasks_anchors(known: Any) -> None:
    task = known.project / ".agent-memory" / "tasks" / "t-9" / "anchors"
    task.mkdir(parents=True, exist_ok=True)
    (task / "project_constraints.md").write_text(
        "- [constraint] only in this task\n  <!-- priority: critical -->\n"
    )

    assert "only in this task" in known.command("snippet", "--task", "t-9").stdout
    assert "only in this task" not in known.command("snippet").stdout


def test_every_item_is_explained_to_people_and_to_programs(known: Any) -> None:
    lines = known.command("snippet", "--explain", "--budget", "200").stdout.splitlines()
    told = json.loads(known.command("snippet", "--explain", "--json", "--budget", "200").stdout)

    assert lines[0] == (
        f"{told['tokens']} tokens of 200; {told['kept']} items in, {told['left_out']} left out;"
        " the most important first"
    )
    assert "   1  in   normal" in lines[1] and "Constraints: rule number 0 about file 0" in lines[1]
    assert lines[2].strip() == "the first of its section"
    assert lines[-1].strip().startswith("no room was left for its")
    assert [item["in"] for item in told["items"]] == [True] * told["kept"] + [False] * told["left_out"]
    assert told["kept"] + told["left_out"] == len(lines) // 2


def test_asking_takes_nothing_away(known: Any, new_session: New) -> None:
    session = new_session(known)
    session.starts()
    session.turn(150_000)
    session.compacts()

    assert "rule number 0 " in known.command("snippet", "--session", session.id).stdout
    assert "rule number 0 " in session.prompts()


def test_an_empty_memory_has_nothing_to_say_and_that_is_no_error(known: Any, new_project: New) -> None:
    done = known.command("snippet", cwd=new_project("empty"))

    assert (done.returncode, done.stdout) == (0, "")
    assert "nothing to say" in done.stderr


def test_a_memory_that_cannot_be_read_is_not_called_empty(known: Any, new_project: New) -> None:
    project = new_project("unread")
    anchors = project / ".agent-memory" / "anchors" / "project_constraints.md"
    anchors.write_bytes(b"- [constraint] a\0b\n")

    done = known.command("snippet", cwd=project)

    assert (done.returncode, done.stdout) == (0, "")
    assert "is empty" not in done.stderr
    assert f"{anchors}" in done.stderr
    assert "UTF-8" in done.stderr


def test_nor_is_that_of_a_session(known: Any, new_project: New, new_session: New) -> None:
    session = new_session(known, project=new_project("unread-too"))
    anchors = session.project / ".agent-memory" / "anchors" / "project_constraints.md"
    anchors.write_bytes(b"\0")
    session.starts()

    done = known.command("snippet", "--session", session.id[:12])

    assert done.returncode == 0
    assert f"{anchors}" in done.stderr


def test_outside_of_a_project_it_says_what_to_do(known: Any) -> None:
    done = known.command("snippet", cwd=known.home)

    assert (done.returncode, done.stdout) == (1, "")
    assert "agentinitd init" in done.stderr
