"""File events are hints, and they come again whatever happens to the watched folder."""

# ruff: noqa: ASYNC240 - a scenario is a person at work: what it does to the folder is done at once

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from agentinitd.daemon.watcher import Watcher


class Heard:
    """Remembers what the watcher reported; the tests wait for what must come, for as long as it takes."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.looks = 0
        self._news = asyncio.Condition()

    async def changed(self, paths: set[str]) -> None:
        async with self._news:
            self.paths |= paths
            self.looks += not paths
            self._news.notify_all()

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with self._news:
            await self._news.wait_for(is_so)

    async def path(self, path: Path) -> None:
        await self.until(lambda: str(path) in self.paths)

    async def look(self) -> None:
        before = self.looks
        await self.until(lambda: self.looks > before)


Scenario = Callable[[Watcher, Heard], Awaitable[None]]


def play(root: Path, scenario: Scenario) -> Watcher:
    """Watches `root` in the background while `scenario` goes on."""

    async def run() -> Watcher:
        heard = Heard()
        watcher = Watcher(root, changed=heard.changed, absent_seconds=0.02, retry_seconds=(0.02,))
        watcher.set_active(True)
        watching = asyncio.create_task(watcher.run())
        try:
            await scenario(watcher, heard)
        finally:
            assert not watching.done(), watching
            watching.cancel()
            await asyncio.wait({watching})
        return watcher

    return asyncio.run(run())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Real, since macOS reports what a link leads to."""
    return tmp_path.resolve() / "projects"


def test_what_was_there_before_is_looked_for_and_what_comes_later_is_told(root: Path) -> None:
    root.mkdir()

    async def scenario(watcher: Watcher, heard: Heard) -> None:
        await heard.look()
        assert watcher.state == "events"
        (root / "s.jsonl").write_text("1\n")
        await heard.path(root / "s.jsonl")
        heard.paths.clear()
        with (root / "s.jsonl").open("a") as file:
            file.write("2\n")
        await heard.path(root / "s.jsonl")

    play(root, scenario)


def test_nothing_is_filtered_out_because_of_its_name(root: Path) -> None:
    """WAT-2."""
    (root / "-home-me-node_modules" / ".venv").mkdir(parents=True)

    async def scenario(_watcher: Watcher, heard: Heard) -> None:
        await heard.look()
        for name in ("a~", ".b", "c.pyc"):
            (root / "-home-me-node_modules" / ".venv" / name).touch()
        for name in ("a~", ".b", "c.pyc"):
            await heard.path(root / "-home-me-node_modules" / ".venv" / name)

    play(root, scenario)


def test_a_folder_that_is_absent_is_waited_for(root: Path) -> None:
    async def scenario(watcher: Watcher, heard: Heard) -> None:
        await asyncio.sleep(0)
        assert watcher.state == "waiting: folder is absent"
        root.mkdir()
        (root / "early.jsonl").touch()
        await heard.look()
        (root / "late.jsonl").touch()
        await heard.path(root / "late.jsonl")

    play(root, scenario)


def test_a_folder_that_is_removed_and_made_again_is_watched_again(root: Path) -> None:
    """WAT-6."""
    root.mkdir()

    async def scenario(watcher: Watcher, heard: Heard) -> None:
        await heard.look()
        shutil.rmtree(root)
        root.mkdir()
        watcher.check()
        await heard.look()
        (root / "new.jsonl").touch()
        await heard.path(root / "new.jsonl")

    play(root, scenario)


def test_a_folder_that_is_removed_is_waited_for(root: Path) -> None:
    root.mkdir()

    async def scenario(watcher: Watcher, heard: Heard) -> None:
        await heard.look()
        shutil.rmtree(root)
        watcher.check()
        while watcher.state == "events":  # noqa: ASYNC110 - nothing is reported, that is the point
            await asyncio.sleep(0.005)
        assert watcher.state == "waiting: folder is absent"
        root.mkdir()
        await heard.look()

    play(root, scenario)


def test_a_folder_replaced_by_a_rename_is_watched_in_its_new_place(root: Path) -> None:
    root.mkdir()
    (root.parent / "other").mkdir()

    async def scenario(watcher: Watcher, heard: Heard) -> None:
        await heard.look()
        root.rename(root.parent / "old")
        (root.parent / "other").rename(root)
        watcher.check()
        await heard.look()
        heard.paths.clear()
        (root / "new.jsonl").touch()
        await heard.path(root / "new.jsonl")

    play(root, scenario)


def test_checking_a_folder_that_is_still_there_does_not_arm_anew(root: Path) -> None:
    root.mkdir()

    async def scenario(watcher: Watcher, heard: Heard) -> None:
        await heard.look()
        watcher.check()
        (root / "a").touch()
        await heard.path(root / "a")
        assert heard.looks == 1

    play(root, scenario)


def test_in_a_burst_of_new_folders_each_is_told_at_least_by_its_top(root: Path) -> None:
    """A file may be written before its new folder is watched: the folder's own event must make us look."""
    root.mkdir()

    async def scenario(_watcher: Watcher, heard: Heard) -> None:
        await heard.look()
        tops = [root / f"-home-me-project-{number}" for number in range(50)]
        for top in tops:
            (top / "deep").mkdir(parents=True)
            (top / "deep" / "s.jsonl").write_text("{}\n")
        for top in tops:
            await heard.until(lambda top=top: any(path.startswith(str(top)) for path in heard.paths))  # type: ignore[misc]
        heard.paths.clear()
        for top in tops:
            with (top / "deep" / "s.jsonl").open("a") as file:
                file.write("{}\n")
        for top in tops:
            await heard.path(top / "deep" / "s.jsonl")

    play(root, scenario)


def test_a_change_of_pace_arms_anew_and_loses_nothing(root: Path) -> None:
    root.mkdir()

    async def scenario(watcher: Watcher, heard: Heard) -> None:
        await heard.look()
        watcher.set_active(True)  # no change
        watcher.set_active(False)
        (root / "between").touch()
        await heard.until(lambda: str(root / "between") in heard.paths or heard.looks == 2)
        await heard.until(lambda: heard.looks == 2)
        (root / "after").touch()
        await heard.path(root / "after")

    play(root, scenario)


def test_a_look_under_way_is_ended_before_the_watch_is_armed_anew(root: Path) -> None:
    root.mkdir()
    ended: list[str] = []

    async def run() -> None:
        began, go_on = asyncio.Event(), asyncio.Event()

        async def changed(_paths: set[str]) -> None:
            began.set()
            try:
                await go_on.wait()
                ended.append("whole")
            except asyncio.CancelledError:
                ended.append("torn")
                raise

        watcher = Watcher(root, changed=changed, absent_seconds=0.02, retry_seconds=(0.02,))
        watcher.set_active(True)
        watching = asyncio.create_task(watcher.run())
        await began.wait()
        watcher.set_active(False)
        await asyncio.sleep(0.2)  # time enough for a wrong cancel; a right one needs none
        go_on.set()
        while not ended:  # noqa: ASYNC110 - what is waited for is a list
            await asyncio.sleep(0.005)
        watching.cancel()
        await asyncio.wait({watching})

    asyncio.run(run())

    assert ended[0] == "whole"


@pytest.mark.parametrize("when", ["look", "event"])
def test_trouble_in_what_a_change_causes_is_shown_and_the_watch_comes_back(root: Path, when: str) -> None:
    """WAT-3."""
    root.mkdir()

    async def run() -> None:
        states: list[str] = []
        calls = 0

        async def changed(paths: set[str]) -> None:
            nonlocal calls
            if bool(paths) == (when == "event") and not calls:
                calls += 1
                raise OSError("too many open files")
            states.append(watcher.state)
            if not paths and not calls:
                (root / "s.jsonl").touch()

        watcher = Watcher(root, changed=changed, absent_seconds=0.02, retry_seconds=(0.02,))
        watcher.set_active(True)
        watching = asyncio.create_task(watcher.run())
        while watcher.state != "polling (too many open files)":  # noqa: ASYNC110 - a state has no event
            await asyncio.sleep(0.002)
        states.clear()
        while not states:  # noqa: ASYNC110 - a list has none either
            await asyncio.sleep(0.005)
        assert states == ["events"]
        watching.cancel()
        await asyncio.wait({watching})

    asyncio.run(run())


def test_a_file_in_its_place_is_told_and_a_folder_is_found_later(root: Path) -> None:
    root.touch()

    async def scenario(watcher: Watcher, heard: Heard) -> None:
        await asyncio.sleep(0)
        assert watcher.state.startswith("polling (")
        root.unlink()
        root.mkdir()
        await heard.look()

    play(root, scenario)


def test_cancelling_ends_it_and_leaves_no_task_or_descriptor(root: Path) -> None:
    root.mkdir()

    async def run() -> None:
        heard = Heard()
        watcher = Watcher(root, changed=heard.changed, absent_seconds=0.02, retry_seconds=(0.02,))
        watching = asyncio.create_task(watcher.run())
        await heard.look()
        watching.cancel()
        await asyncio.wait({watching})
        await asyncio.sleep(0)
        assert watching.cancelled()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    before = len(list(Path("/dev/fd").iterdir()))
    asyncio.run(run())
    # The library closes its own in a thread, a little later.
    while len(list(Path("/dev/fd").iterdir())) > before:
        time.sleep(0.005)
