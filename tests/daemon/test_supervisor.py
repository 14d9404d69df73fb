"""The supervisor's decisions, with a rebuilder that only counts: when it builds, and when it need not."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentinitd.daemon.built import Built
from agentinitd.daemon.finding import SessionPlaces
from agentinitd.daemon.supervisor import (
    ACTIVE_SECONDS,
    EMPTY_FRESH_SECONDS,
    FRESH_SECONDS,
    Supervisor,
    sweep_seconds,
)
from agentinitd.daemon.switching import Switching
from agentinitd.daemon.watcher import ABSENT, EVENTS
from agentinitd.model.snippets import Snippet
from agentinitd.sessions.observations import Delivered
from agentinitd.transcripts.agents import AGENTS, guess

AGENT = "claude-code"
SNIPPET = Snippet(id="s", text="text", tokens=1, language="en", kept=1, omitted=0)


class CountingRebuilder:
    """Builds nothing, counts, and fails when it is told to."""

    def __init__(self, rig: Any) -> None:
        self._rig = rig
        self.built: list[str] = []
        self.snippet: Snippet | None = SNIPPET
        self.memory = "digest"
        self.task = "task"
        self.duration_ms = 1.0
        self.is_broken = False
        self.rests = 0
        self.latest: dict[str, Built] = {}

    async def build(self, record: Any, project: Path, runlevel: Any, **_: object) -> Built:
        await asyncio.sleep(0)
        if self.is_broken:
            raise RuntimeError("no room")
        self.built.append(runlevel)
        return Built(
            run_id=f"r-{len(self.built)}",
            runlevel=runlevel,
            trigger="manual",
            session_id=record.session_id,
            project=str(project),
            causes=record.delivery.due,
            result="ok",
            reason="",
            snippet=self.snippet,
            runs=(),
            problems=(),
            digest=self.memory,
            task_digest=self.task,
            duration_ms=self.duration_ms,
            built_at=self._rig.now,
            finished_at=self._rig.now,
        )

    async def would_say_the_same(self, built: Built, _record: Any, _project: Path, _runlevel: Any) -> bool:
        return built.digest == self.memory

    async def task_digest(self, _record: Any, _project: Path) -> str:
        return self.task

    def rest(self) -> None:
        self.rests += 1


class Watch:
    """A supervisor and what it needs; `complaints` are the bugs it met."""

    def __init__(self, rig: Any) -> None:
        self.rig = rig
        self.roots: dict[Path, tuple[str, ...]] = {rig.projects_dir: (AGENT,)}
        self.rebuilder = CountingRebuilder(rig)
        self.roster = rig.roster()
        self.complaints: list[str] = []
        self.idle_seconds = 0.01
        self.slept_seconds = 0.0
        self.woke: list[float] = []
        self.absent_since = rig.now + 60
        self._began = time.monotonic()

    def run(self, story: Callable[[Supervisor], Awaitable[None]]) -> None:
        async def told() -> None:
            async with asyncio.TaskGroup() as tasks:
                await story(self._supervisor(tasks))

        asyncio.run(told())

    def _supervisor(self, tasks: asyncio.TaskGroup) -> Supervisor:
        rebuilder: Any = self.rebuilder
        return Supervisor(
            places=SessionPlaces(AGENTS, self.roots, guess=guess),
            roster=self.roster,
            rebuilder=rebuilder,
            switching=Switching(
                self.roster, rebuilder, tasks=tasks, log=self.rig.log, now=lambda: self.rig.now
            ),
            tasks=tasks,
            tick_seconds=lambda: (0.01, self.idle_seconds),
            complain=lambda where, error: self.complaints.append(f"{where}: {error}"),
            watch_told=lambda _root, _state: None,
            woke=self.woke.append,
            absent_since=self.absent_since,
            now=lambda: self.rig.now + self.slept_seconds,
            monotonic=lambda: self.rig.now + time.monotonic() - self._began,
        )


@pytest.fixture
def watch(rig: Any) -> Watch:
    return Watch(rig)


def due(followed: Any) -> list[str]:
    return [cause.trigger for cause in followed.record.delivery.due]


async def until(is_so: Callable[[], object]) -> None:
    """Lets the supervisor work until it is so."""
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110 - what it waits for knows nothing of this test
            await asyncio.sleep(0.005)


async def ticks(watch: Watch, times: int = 3) -> None:
    """Lets it look at everything so many times more."""
    before = watch.rebuilder.rests
    await until(lambda: watch.rebuilder.rests >= before + times)


def follow_one_turn(rig: Any, transcript: Any) -> None:
    """As a daemon before ours did; that it read so far is on record."""
    transcript.turn(150_000)
    followed, _ = rig.roster().of_transcript(AGENT, str(transcript.transcript))

    async def before() -> None:
        await followed.catch_up()
        await followed.save(is_urgent=True)

    asyncio.run(before())


class TestFirstLook:
    def test_what_is_there_at_the_start_is_known_and_not_new(self, watch: Watch, transcript: Any) -> None:
        transcript.turn(150_000)
        transcript.compacts()

        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()

        watch.run(story)

        assert len(watch.roster) == 0
        assert watch.rebuilder.built == []

    def test_what_grew_while_we_were_away_is_caught_up_once(
        self, watch: Watch, transcript: Any, rig: Any
    ) -> None:
        """RL-13."""
        follow_one_turn(rig, transcript)
        transcript.compacts()

        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            await supervisor.first_look()

        watch.run(story)

        [session] = tuple(watch.roster)
        assert [(cause.trigger, cause.is_catchup) for cause in session.record.delivery.due] == [
            ("marker", True)
        ]
        assert watch.rebuilder.built == ["compact"]

    def test_one_that_begins_while_another_is_caught_up_is_new_whichever_root_it_lies_below(
        self, watch: Watch, transcript: Any, rig: Any
    ) -> None:
        follow_one_turn(rig, transcript)
        transcript.turn(151_000)
        rollout = rig.home / ".codex" / "sessions" / "2026" / "11" / "30" / "rollout-one.jsonl"
        rollout.parent.mkdir(parents=True)
        watch.roots[rig.home / ".codex" / "sessions"] = ("codex",)
        take_up = watch.roster.of_transcript

        def beginning(agent: str, path: str, **fields: Any) -> Any:
            if agent == AGENT and not rollout.exists():
                meta = {"id": "one", "cwd": str(rig.project), "cli_version": "0.155.0"}
                said = {"type": "user_message", "message": "Look at it."}
                lines = [{"type": "session_meta", "payload": meta}, {"type": "event_msg", "payload": said}]
                rollout.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
            return take_up(agent, path, **fields)

        watch.roster.of_transcript = beginning  # a roster of the test's own

        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            running = asyncio.create_task(supervisor.run())
            await ticks(watch)
            running.cancel()

        watch.run(story)

        assert [due(each) for each in watch.roster if each.record.agent == "codex"] == [["session"]]

    def test_one_that_cannot_be_taken_up_leaves_the_others_alone(
        self, watch: Watch, rig: Any, new_session: Callable[..., Any]
    ) -> None:
        sessions = [new_session(rig) for _ in range(3)]
        for session in sessions:
            session.turn(1000)
        broken = str(sessions[1].transcript)
        take_up = watch.roster.of_transcript

        def failing(agent: str, path: str, **fields: Any) -> Any:
            if path == broken:
                raise ValueError("not this one")
            return take_up(agent, path, **fields)

        watch.roster.of_transcript = failing  # a roster of the test's own

        async def story(supervisor: Supervisor) -> None:
            ticking = asyncio.create_task(supervisor.run())
            await ticks(watch)
            ticking.cancel()

        watch.run(story)

        assert {each.record.session_id for each in watch.roster} == {sessions[0].id, sessions[2].id}
        assert watch.complaints == [f"taking up {broken}: not this one"]


class TestMissed:
    """Sessions that began while no daemon ran."""

    @pytest.fixture
    def missed(self, watch: Watch, transcript: Any) -> Any:
        watch.absent_since = watch.rig.now - 60
        transcript.says("Never use tabs in this project.")
        transcript.turn(150_000)
        transcript.compacts()
        return transcript

    def rules(self, watch: Watch) -> str:
        captured = watch.rig.project / ".agent-memory" / "anchors" / "captured.md"
        return captured.read_text(encoding="utf-8") if captured.exists() else ""

    def test_one_that_nobody_goes_on_with_is_heard_and_is_no_cause_for_anything(
        self, watch: Watch, missed: Any
    ) -> None:
        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            assert self.rules(watch) == "", "it may take long, and we are not ready yet"
            await supervisor.missed.hear()

        watch.run(story)

        assert "Never use tabs" in self.rules(watch)
        [session] = tuple(watch.roster)
        assert due(session) == []
        assert watch.rebuilder.built == []
        assert missed.id in session.record.session_ids

    @pytest.mark.usefixtures("missed")
    def test_it_is_heard_once(self, watch: Watch, rig: Any) -> None:
        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            await supervisor.missed.hear()

        watch.run(story)
        captured = rig.project / ".agent-memory" / "anchors" / "captured.md"
        captured.unlink()
        watch.roster = rig.roster()
        watch.run(story)

        assert not captured.exists()

    @pytest.mark.usefixtures("missed")
    def test_who_ends_while_it_hears_goes_on_with_it_at_the_next_start(self, watch: Watch, rig: Any) -> None:
        def ended() -> Any:
            raise asyncio.CancelledError

        watch.roster.missed_on_record = ended  # a roster of the test's own

        async def before(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            with contextlib.suppress(asyncio.CancelledError):
                await supervisor.missed.hear()

        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            await supervisor.missed.hear()

        watch.run(before)
        assert self.rules(watch) == ""
        watch.roster, watch.absent_since = rig.roster(), rig.now + 60
        watch.run(story)

        assert "Never use tabs" in self.rules(watch)
        assert due(*watch.roster) == []

    def test_one_that_goes_on_after_another_start_is_told_everything(
        self, watch: Watch, missed: Any, rig: Any
    ) -> None:
        async def before(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            await supervisor.missed.hear()

        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            ticking = asyncio.create_task(supervisor.run())
            missed.turn(20_000)
            await until(lambda: watch.rebuilder.built)
            ticking.cancel()

        watch.run(before)
        watch.roster = rig.roster()
        watch.run(story)

        assert watch.rebuilder.built == ["session"]

    @pytest.mark.usefixtures("missed")
    def test_what_was_there_before_the_last_daemon_ended_is_not_heard(self, watch: Watch) -> None:
        watch.absent_since = watch.rig.now + 60

        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            await supervisor.missed.hear()

        watch.run(story)

        assert self.rules(watch) == ""
        assert len(watch.roster) == 0


class TestTick:
    def test_while_all_rest_it_sweeps_half_as_often_where_events_tell_of_changes(self) -> None:
        """WAT-1: where none can be had the tick alone finds them."""
        assert sweep_seconds(5.0, [EVENTS, ABSENT], is_active=False) == 10
        assert sweep_seconds(5.0, [EVENTS, "polling (no inotify)"], is_active=False) == 5
        assert sweep_seconds(5.0, [EVENTS], is_active=True) == 5

    def test_a_new_transcript_is_found_by_the_tick_alone(self, watch: Watch, transcript: Any) -> None:
        """WAT-1."""

        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            ticking = asyncio.create_task(supervisor.run())
            transcript.turn(1000)
            await until(lambda: watch.rebuilder.built)
            await ticks(watch)
            ticking.cancel()

        watch.run(story)

        [session] = tuple(watch.roster)
        assert due(session) == ["session"]
        assert watch.rebuilder.built == ["session"]
        assert watch.rebuilder.rests > 0

    def test_after_a_suspend_it_looks_at_everything_at_once(self, watch: Watch, transcript: Any) -> None:
        """CLK-2."""

        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            ticking = asyncio.create_task(supervisor.run())
            transcript.turn(1000)
            await until(lambda: watch.rebuilder.built)
            watch.idle_seconds = 3600.0
            before = watch.rebuilder.rests
            await asyncio.sleep(0.05)
            assert watch.rebuilder.rests <= before + 1, "none is due for an hour"
            before = watch.rebuilder.rests
            # Whoever was active before is no more: the pause that follows must not be the hour.
            watch.idle_seconds = 0.2
            watch.slept_seconds = 7200.0
            await until(lambda: watch.woke and watch.rebuilder.rests > before)
            ticking.cancel()

        watch.run(story)

        assert watch.woke == [pytest.approx(7200, abs=5)]

    def test_one_that_was_moved_compressed_or_touched_says_nothing_new(
        self, watch: Watch, transcript: Any
    ) -> None:
        transcript.turn(100_000)

        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            running = asyncio.create_task(supervisor.run())
            os.utime(transcript.transcript)
            await until(lambda: len(supervisor.roster))
            await ticks(watch)
            assert [due(each) for each in supervisor.roster] == [[]]
            transcript.turn(110_000)
            await until(lambda: due(*supervisor.roster) == ["session"])
            running.cancel()

        watch.run(story)

    def test_one_that_was_put_there_is_followed_from_its_next_change_on(
        self, watch: Watch, transcript: Any
    ) -> None:
        transcript.turn(150_000)
        transcript.compacts()
        copy = transcript.transcript.rename(watch.rig.folder / "copy")
        os.utime(copy, (0, 0))

        async def story(supervisor: Supervisor) -> None:
            await supervisor.first_look()
            running = asyncio.create_task(supervisor.run())
            copy.rename(transcript.transcript)
            await ticks(watch)
            assert len(supervisor.roster) == 0
            transcript.turn(50_000)
            await until(lambda: len(supervisor.roster))
            await until(lambda: due(*supervisor.roster) == ["session"])
            running.cancel()

        watch.run(story)

    def test_an_error_in_one_session_is_seen_and_costs_that_session_alone(
        self, watch: Watch, rig: Any, new_session: Callable[..., Any]
    ) -> None:
        one, other = new_session(rig), new_session(rig)

        async def story(supervisor: Supervisor) -> None:
            ticking = asyncio.create_task(supervisor.run())
            one.turn(1000)
            other.turn(1000)
            await until(lambda: len(watch.rebuilder.built) == 2)
            broken = watch.roster.find(AGENT, one.id)

            async def fail(**_fields: Any) -> None:
                raise ZeroDivisionError("a bug")

            broken.catch_up = fail
            one.turn(2000)
            other.turn(2000)
            await until(lambda: watch.complaints)
            await ticks(watch)
            ticking.cancel()

        watch.run(story)

        assert watch.roster.find(AGENT, one.id).trouble == "ZeroDivisionError: a bug"
        assert watch.roster.find(AGENT, other.id).record.detector.turn == 2
        assert len(watch.complaints) == 1

    def test_a_transcript_of_a_session_known_by_its_id_is_no_other_session(
        self, watch: Watch, transcript: Any, rig: Any
    ) -> None:
        known, _ = watch.roster.of_id(AGENT, transcript.id)

        async def story(supervisor: Supervisor) -> None:
            ticking = asyncio.create_task(supervisor.run())
            transcript.turn(150_000)
            transcript.compacts()
            await until(lambda: watch.rebuilder.built)
            await ticks(watch)
            ticking.cancel()

        watch.run(story)

        assert tuple(watch.roster) == (known,)
        assert due(known) == ["marker"]
        assert [path.stem for path in rig.sessions_dir.iterdir()] == [known.record.key]

    def test_a_session_in_trouble_is_read_no_more_and_asked_no_more(
        self, watch: Watch, transcript: Any
    ) -> None:
        session, _ = watch.roster.of_transcript(AGENT, str(transcript.transcript))
        session.trouble = "a bug"
        transcript.turn(1000)

        async def story(supervisor: Supervisor) -> None:
            await supervisor.read(session)

        watch.run(story)

        assert session.record.detector.turn == 0
        assert watch.complaints == []

    def test_a_rebuild_that_fails_is_tried_again_and_ends_nothing(
        self, watch: Watch, transcript: Any
    ) -> None:
        watch.rebuilder.is_broken = True

        async def story(supervisor: Supervisor) -> None:
            ticking = asyncio.create_task(supervisor.run())
            transcript.turn(1000)
            await until(lambda: watch.complaints)
            watch.rebuilder.is_broken = False
            await until(lambda: watch.rebuilder.built)
            ticking.cancel()

        watch.run(story)

        assert watch.rebuilder.built == ["session"]

    def test_a_session_at_rest_is_not_looked_at_every_second(
        self, watch: Watch, transcript: Any, rig: Any
    ) -> None:
        async def story(supervisor: Supervisor) -> None:
            ticking = asyncio.create_task(supervisor.run())
            transcript.turn(1000)
            await until(lambda: watch.rebuilder.built)
            [session] = tuple(watch.roster)
            rig.now += ACTIVE_SECONDS + 1
            asked = 0

            async def count(**_fields: Any) -> None:
                nonlocal asked
                asked += 1

            session.catch_up = count
            await ticks(watch)
            ticking.cancel()
            assert asked == 0

        watch.run(story)


class TestBuilt:
    @pytest.fixture
    def session(self, watch: Watch, transcript: Any, rig: Any) -> Any:
        """Followed, with its start due."""
        found, _ = watch.roster.of_transcript(AGENT, str(transcript.transcript))
        found.set_place(str(rig.project))
        found.find_running(at=1.0)
        return found

    def test_what_was_built_ahead_is_handed_out_as_it_is(self, watch: Watch, session: Any) -> None:
        async def story(supervisor: Supervisor) -> None:
            first = await supervisor.built(session, "session")
            assert await supervisor.built(session, "session") is first

        watch.run(story)

        assert watch.rebuilder.built == ["session"]

    @pytest.mark.parametrize("change", ["memory", "age", "cause", "runlevel"])
    def test_it_is_built_again_when_anything_is_different(
        self, watch: Watch, session: Any, rig: Any, change: str
    ) -> None:
        async def story(supervisor: Supervisor) -> None:
            await supervisor.built(session, "session")
            if change == "memory":
                watch.rebuilder.memory = "another"
            elif change == "age":
                rig.now += FRESH_SECONDS + 1
            elif change == "cause":
                session.start_session("resume", at=2.0)
            await supervisor.built(session, "manual" if change == "runlevel" else "session")

        watch.run(story)

        assert len(watch.rebuilder.built) == 2

    def test_what_took_long_to_build_is_handed_out_for_longer(
        self, watch: Watch, session: Any, rig: Any
    ) -> None:
        watch.rebuilder.duration_ms = 9_000.0

        async def story(supervisor: Supervisor) -> None:
            first = await supervisor.built(session, "session")
            rig.now += 60
            assert await supervisor.built(session, "session") is first

        watch.run(story)

        assert watch.rebuilder.built == ["session"]

    def test_of_one_that_waited_too_long_only_its_causes_are_kept_and_it_is_not_built_again(
        self, watch: Watch, session: Any, rig: Any
    ) -> None:
        async def story(supervisor: Supervisor) -> None:
            first = await supervisor.built(session, "session")
            ticking = asyncio.create_task(supervisor.run())
            await ticks(watch)
            assert session.built is first
            rig.now += FRESH_SECONDS + 1
            await ticks(watch)
            ticking.cancel()
            assert (session.built.causes, session.built.snippet) == (session.record.delivery.due, None)
            supervisor.build_ahead(session)
            await asyncio.sleep(0)
            assert watch.rebuilder.built == ["session"]
            assert (await supervisor.built(session, "session")).snippet == first.snippet

        watch.run(story)

        assert watch.rebuilder.built == ["session", "session"]

    def test_where_there_was_nothing_to_say_it_is_asked_more_seldom(
        self, watch: Watch, session: Any, rig: Any
    ) -> None:
        watch.rebuilder.snippet = None

        async def story(supervisor: Supervisor) -> None:
            await supervisor.built(session, "session")
            rig.now += FRESH_SECONDS + 1
            await supervisor.built(session, "session")
            assert len(watch.rebuilder.built) == 1
            rig.now += EMPTY_FRESH_SECONDS
            await supervisor.built(session, "session")

        watch.run(story)

        assert len(watch.rebuilder.built) == 2

    def test_two_that_ask_at_once_wait_for_one_rebuild(self, watch: Watch, session: Any) -> None:
        """RL-11."""

        async def story(supervisor: Supervisor) -> None:
            one, other = await asyncio.gather(
                supervisor.built(session, "session"), supervisor.built(session, "session")
            )
            assert one is other

        watch.run(story)

        assert watch.rebuilder.built == ["session"]

    def test_a_compaction_calls_off_a_rebuild_that_is_in_no_hurry(self, watch: Watch, session: Any) -> None:
        """RL-12: `compact` does not wait for a running `periodic` or `slim`; of two in a hurry one waits."""
        begun: list[tuple[str, threading.Event]] = []
        whole = watch.rebuilder.build

        async def build(record: Any, project: Path, runlevel: Any, *, cancel: Any, **more: Any) -> Built:
            begun.append((runlevel, cancel))
            for _ in range(20):
                if cancel.is_set():
                    return replace(await whole(record, project, runlevel), result="aborted", snippet=None)
                await asyncio.sleep(0.005)
            return await whole(record, project, runlevel, **more)

        setattr(watch.rebuilder, "build", build)  # noqa: B010 - a slower one

        async def story(supervisor: Supervisor) -> None:
            weak = asyncio.create_task(supervisor.built(session, "periodic"))
            await until(lambda: begun)
            strong = asyncio.create_task(supervisor.built(session, "compact"))
            assert (await weak).result == "aborted"
            switch = asyncio.create_task(supervisor.built(session, "switch"))
            assert ((await strong).result, (await switch).result) == ("ok", "ok")
            assert session.built.runlevel == "switch"

        watch.run(story)

        assert [(level, cancel.is_set()) for level, cancel in begun] == [
            ("periodic", True),
            ("compact", False),
            ("switch", False),
        ]


class TestTaskState:
    def test_a_state_that_the_agent_was_told_is_no_news(
        self, watch: Watch, transcript: Any, rig: Any
    ) -> None:
        session, _ = watch.roster.of_transcript(AGENT, str(transcript.transcript))
        session.set_place(str(rig.project))

        async def story(supervisor: Supervisor) -> None:
            await supervisor.read(session)
            assert due(session) == []
            session.observe(Delivered(runlevel="session", is_full=True, task_digest="task"))
            await supervisor.read(session)
            assert due(session) == []
            before = session.record
            await supervisor.read(session)
            assert session.record.delivery is before.delivery

        watch.run(story)

    def test_each_change_replaces_the_one_before_and_going_back_takes_it_away(
        self, watch: Watch, transcript: Any, rig: Any
    ) -> None:
        session, _ = watch.roster.of_transcript(AGENT, str(transcript.transcript))
        session.set_place(str(rig.project))
        session.observe(Delivered(runlevel="session", is_full=True, task_digest="a"))

        async def story(supervisor: Supervisor) -> None:
            for digest, waiting in (("b", 1), ("c", 1), ("a", 0), ("b", 1), ("b", 1), ("a", 0)):
                watch.rebuilder.task = digest
                await supervisor.read(session)
                assert len(due(session)) == waiting, digest

        watch.run(story)


class TestSessionOfHook:
    def test_a_transcript_that_only_the_hook_knows_begins_at_its_present_end(
        self, watch: Watch, transcript: Any
    ) -> None:
        transcript.turn(150_000)
        transcript.compacts()

        async def story(supervisor: Supervisor) -> None:
            session, is_new = supervisor.session_of_hook(AGENT, str(transcript.transcript), transcript.id)
            await session.catch_up()
            assert is_new
            assert due(session) == []
            transcript.compacts()
            await session.catch_up()
            assert due(session) == ["marker"]

        watch.run(story)

    def test_a_session_known_by_its_id_takes_up_the_transcript_that_is_named_later(
        self, watch: Watch, transcript: Any
    ) -> None:
        known, _ = watch.roster.of_id(AGENT, transcript.id)

        async def story(supervisor: Supervisor) -> None:
            for _ in range(3):
                found, is_new = supervisor.session_of_hook(AGENT, str(transcript.transcript), transcript.id)
                assert (found, is_new) == (known, False)

        watch.run(story)

        assert len(watch.roster) == 1


def test_a_signal_makes_a_full_snippet_due_for_everybody(
    watch: Watch, rig: Any, new_session: Callable[..., Any]
) -> None:
    sessions = [watch.roster.of_transcript(AGENT, str(new_session(rig).transcript))[0] for _ in range(2)]
    sessions[0].record = replace(sessions[0].record, project=str(rig.project))

    async def story(supervisor: Supervisor) -> None:
        supervisor.build_all()
        await until(lambda: watch.rebuilder.built)

    watch.run(story)

    assert [due(session) for session in sessions] == [["manual"], ["manual"]]
    assert watch.rebuilder.built == ["manual"]
