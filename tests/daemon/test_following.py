"""One session: what its transcript says is remembered in one step, and survives disks and restarts."""

from __future__ import annotations

import asyncio
from typing import Any

from agentinitd.daemon.built import Built
from agentinitd.daemon.following import KEPT_SESSION_IDS, Followed
from agentinitd.sessions.delivery import Handout, hand_out


def due(followed: Followed) -> list[str]:
    return [cause.trigger for cause in followed.record.delivery.due]


class TestReading:
    def test_rows_name_the_session_its_place_and_its_turns(
        self, rig: Any, followed: Followed, transcript: Any
    ) -> None:
        transcript.turn(1000)
        transcript.turn(2000)

        rig.read(followed)

        record = followed.record
        assert (record.session_id, record.agent_version) == (transcript.id, "2.1.0")
        assert (record.cwd, record.project) == (str(rig.project), str(rig.project))
        assert (record.detector.turn, record.detector.current) == (2, 2000)
        assert record.seen_at == rig.now

    def test_a_marker_is_due_and_on_disk_when_reading_ends(
        self, rig: Any, followed: Followed, transcript: Any
    ) -> None:
        transcript.turn(150_000)
        transcript.compacts()

        rig.read(followed)

        assert due(followed) == ["marker"]
        assert rig.saved(followed) == followed.record
        assert followed.record.last_compaction is not None
        [told] = rig.told("trigger")
        assert (told["trigger"], told["catchup"]) == ("marker", False)

    def test_what_is_read_twice_is_due_once(self, rig: Any, followed: Followed, transcript: Any) -> None:
        transcript.turn(150_000)
        transcript.compacts()
        rig.read(followed)
        rig.read(followed)

        again, _ = rig.roster().of_transcript("claude-code", str(transcript.transcript))
        rig.read(again)

        assert due(again) == ["marker"]
        assert len(rig.told("trigger")) == 1

    def test_what_is_caught_up_is_flagged(self, rig: Any, followed: Followed, transcript: Any) -> None:
        transcript.turn(150_000)
        rig.read(followed)
        transcript.compacts()

        rig.read(followed, is_catchup=True)

        assert [cause.is_catchup for cause in followed.record.delivery.due] == [True]
        assert rig.told("trigger")[0]["catchup"] is True

    def test_damaged_lines_are_counted_and_the_first_is_named(
        self, rig: Any, followed: Followed, transcript: Any
    ) -> None:
        transcript.write(b'{"torn\n[1]\n')
        transcript.turn(1000)

        rig.read(followed)

        assert followed.record.skipped_lines == 2
        assert followed.record.first_skip.startswith("byte 0: ")
        assert followed.record.detector.turn == 1

    def test_a_long_backlog_lets_others_in_between(self, followed: Followed, transcript: Any) -> None:
        transcript.turn(1000)
        row = transcript.transcript.read_bytes()
        transcript.write(row * (5_000_000 // len(row)))
        turns = 0

        async def meanwhile() -> None:
            nonlocal turns
            reading = asyncio.create_task(followed.catch_up())
            while not reading.done():
                turns += 1
                await asyncio.sleep(0)

        asyncio.run(meanwhile())

        assert turns >= 4
        assert followed.offset == transcript.transcript.stat().st_size


class TestNaming:
    def test_only_the_latest_ids_are_kept_each_once(self, followed: Followed) -> None:
        for number in (*range(20), 15):
            followed.add_session_id(f"s-{number}")
        followed.add_session_id("")
        followed.add_session_id(None)

        assert followed.record.session_ids == ("s-12", "s-13", "s-14", "s-16", "s-17", "s-18", "s-19", "s-15")
        assert len(followed.record.session_ids) == KEPT_SESSION_IDS


class TestDelivering:
    def test_a_session_that_nobody_told_of_is_due_once(self, followed: Followed) -> None:
        followed.find_running(at=1.0)
        followed.find_running(at=2.0)

        assert due(followed) == ["session"]

    def test_each_start_is_a_cause_of_its_own(self, followed: Followed) -> None:
        followed.start_session("startup", at=1.0)
        followed.start_session("resume", at=2.0)

        assert due(followed) == ["session", "session"]

    def test_what_came_of_a_hand_out_is_told_once(self, rig: Any, followed: Followed) -> None:
        followed.find_running(at=1.0)
        state = followed.record.delivery
        handout = Handout(
            token="t", causes=state.due, runlevel="session", snippet_id="s", event="Stop", handed_at=1.0
        )
        followed.change_delivery(hand_out(state, handout))
        assert followed.is_busy

        followed.change_delivery(state)
        followed.change_delivery(state)

        [told] = rig.told("delivery")
        assert (told["result"], told["token"]) == ("put back", "t")
        assert not followed.is_busy

    def test_what_a_snippet_told_is_known_from_then_on(self, followed: Followed) -> None:
        followed.told(_built("slim"))

        assert followed.record.detector.told_task == "digest"
        assert followed.record.detector.full_turn is None
        assert followed.record.previous_runlevel == "slim"
        followed.told(_built("compact"))
        assert followed.record.detector.full_turn == 0

    def test_what_was_handed_out_is_not_kept(self, followed: Followed) -> None:
        followed.built = _built("compact")

        followed.told(followed.built)

        assert followed.built is None


def _built(runlevel: Any) -> Built:
    return Built(
        run_id="r-1",
        runlevel=runlevel,
        trigger="manual",
        session_id="s",
        project="/p",
        causes=(),
        result="ok",
        reason="",
        snippet=None,
        runs=(),
        problems=(),
        digest="d",
        task_digest="digest",
        duration_ms=1.0,
        built_at=0.0,
        finished_at=0.0,
    )
