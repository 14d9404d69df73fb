"""One rebuild with real scripts: what it gives, what it leaves and remembers, and how it is called off."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentinitd.daemon.paths import Places
from agentinitd.daemon.rebuild import KEPT_PROJECTS, KEPT_RUNS, Rebuilder
from agentinitd.model.causes import Cause
from agentinitd.sessions.delivery import DeliveryState
from agentinitd.sessions.record import SessionRecord

RULE = "- [constraint] Install with pnpm, never npm\n"
RECORD = SessionRecord(
    key="k",
    agent="claude-code",
    session_ids=("s-1",),
    delivery=DeliveryState(due=(Cause(id="c", trigger="marker", turn=1, reason=""),)),
)


@pytest.fixture
def project(new_project: Callable[..., Path]) -> Path:
    return new_project("p", project_constraints=RULE)


def run(story: Callable[[], Awaitable[None]]) -> None:
    async def told() -> None:
        await story()

    asyncio.run(told())


def test_it_gives_a_snippet_its_causes_and_every_script(
    rebuilder: Rebuilder, project: Path, rig: Any
) -> None:
    async def story() -> None:
        built = await rebuilder.build(RECORD, project, "compact")

        assert built.snippet is not None
        assert "pnpm" in built.snippet.text
        assert (built.result, built.trigger, built.causes) == ("ok", "marker", RECORD.delivery.due)
        keys = ["constraints", "captured-rules", "tools", "task-state", "decisions", "captured-facts"]
        assert [each.script.key for each in built.runs] == keys
        assert {each.output for each in built.runs} == {""}  # it is in the snippet, and kept once
        assert {key: each.run_id for key, each in rebuilder.latest.items()} == {str(project): built.run_id}
        assert await rebuilder.would_say_the_same(built, RECORD, project, "compact")

    run(story)
    assert [rig.told(event)[0]["run"] for event in ("run.start", "run.end", "script.end")] == ["i-1"] * 3


def test_all_runs_that_are_remembered_share_their_scripts(rebuilder: Rebuilder, project: Path) -> None:
    async def story() -> None:
        for _ in range(2):
            await rebuilder.build(RECORD, project, "compact", is_forced=True)

    run(story)
    first, second = rebuilder.runs
    assert [one.script is other.script for one, other in zip(first.runs, second.runs, strict=True)] == [
        True
    ] * 6


def test_for_a_session_the_text_is_left_for_readers_and_for_a_question_it_is_not(
    rebuilder: Rebuilder, project: Path
) -> None:
    async def story() -> None:
        await rebuilder.build_for(project, runlevel="manual")
        assert not (project / ".agent-memory" / "run").exists()
        await rebuilder.build(RECORD, project, "compact")

    run(story)
    assert "pnpm" in (project / ".agent-memory" / "run" / "s-1" / "snippet.md").read_text()


def test_what_cannot_be_left_costs_nothing_but_that(rebuilder: Rebuilder, project: Path, rig: Any) -> None:
    (project / ".agent-memory" / "run").write_text("a file in the way")

    async def story() -> None:
        built = await rebuilder.build(RECORD, project, "compact")
        assert built.snippet is not None

    run(story)
    assert len(rig.told("disk.full")) == 1


def test_lines_alone_are_told_without_any_script_and_tell_no_task_state(
    rebuilder: Rebuilder, project: Path
) -> None:
    line = Cause(id="c", trigger="reminder", turn=1, reason="", say="Rule broken: only pnpm.")

    async def story() -> None:
        built = await rebuilder.build(replace(RECORD, delivery=DeliveryState(due=(line,))), project, "slim")
        assert built.snippet is not None
        assert "Rule broken: only pnpm." in built.snippet.text
        assert (built.runs, built.task_digest, built.result) == ((), None, "ok")

    run(story)


def test_an_empty_memory_says_nothing(rebuilder: Rebuilder, new_project: Callable[..., Path]) -> None:
    async def story() -> None:
        built = await rebuilder.build(RECORD, new_project("empty"), "compact")
        assert (built.result, built.snippet, bool(built.reason)) == ("empty", None, True)

    run(story)


def test_what_is_remembered_is_bounded(rebuilder: Rebuilder, new_project: Callable[..., Path]) -> None:
    projects = [new_project(f"p{number}", project_constraints=RULE) for number in range(KEPT_PROJECTS + 3)]

    async def story() -> None:
        for project in projects:
            await rebuilder.build_for(project, runlevel="shutdown")  # nothing runs then

    run(story)
    assert list(rebuilder.latest) == [str(project) for project in projects[3:]]
    assert rebuilder.runs.maxlen == KEPT_RUNS


@pytest.fixture
def slow(project: Path, places: Places) -> Path:
    """A project of a person who has a script of their own that takes its time."""
    path = places.config_dir / "init.d" / "S50-slow"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!/bin/sh\ntouch {project}/began\nsleep 30\n")
    path.chmod(0o755)
    return project


def test_no_more_run_at_once_than_the_config_says(
    rebuilder: Rebuilder, project: Path, places: Places, tmp_path: Path
) -> None:
    """RL-11: two, unless it says otherwise."""
    path = places.config_dir / "init.d" / "S50-counts"
    path.parent.mkdir(parents=True)
    here = tmp_path / "here"
    here.mkdir()
    count = f"mkdir {here}/$$; ls {here} | wc -l >> {tmp_path}/counts; sleep 0.2; rmdir {here}/$$"
    path.write_text(f"#!/bin/sh\n{count}\n")
    path.chmod(0o755)

    async def story() -> None:
        await asyncio.gather(*(rebuilder.build_for(project, runlevel="compact") for _ in range(4)))

    run(story)
    assert max(int(line) for line in (tmp_path / "counts").read_text().splitlines()) == 2


def test_one_that_is_called_off_gives_nothing_to_anybody(rebuilder: Rebuilder, slow: Path) -> None:
    """FAIL-7."""

    async def story() -> None:
        building = asyncio.create_task(rebuilder.build(RECORD, slow, "compact"))
        async with asyncio.timeout(10):
            while not (slow / "began").exists():  # noqa: ASYNC110 - a script says so, by a file
                await asyncio.sleep(0.01)

        rebuilder.cancel()

        built = await building
        assert (built.result, built.snippet) == ("aborted", None)
        assert "stopping" in built.reason
        later = await rebuilder.build_for(slow, runlevel="manual")
        assert later.result == "aborted"

    run(story)
    assert not (slow / ".agent-memory" / "run").exists()


def test_one_that_is_overtaken_leaves_nothing_and_harms_no_other(rebuilder: Rebuilder, slow: Path) -> None:
    """FAIL-7: what was called off alone publishes nothing, and the daemon goes on."""
    cancel = threading.Event()

    async def story() -> None:
        building = asyncio.create_task(rebuilder.build(RECORD, slow, "periodic", cancel=cancel))
        async with asyncio.timeout(10):
            while not (slow / "began").exists():  # noqa: ASYNC110 - a script says so, by a file
                await asyncio.sleep(0.01)
        cancel.set()
        built = await building
        assert (built.result, built.snippet) == ("aborted", None)
        assert built.reason == "a more urgent rebuild took its place"
        assert (await rebuilder.build(RECORD, slow, "slim")).result == "empty"

    run(story)
    assert not (slow / ".agent-memory" / "run").exists()
