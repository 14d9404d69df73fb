"""Which sessions are followed: one for each transcript, taken up where it was, let go when it rests."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agentinitd.daemon.records import record_key
from agentinitd.daemon.roster import MAX_SESSIONS
from agentinitd.model.errors import UsageError
from agentinitd.sessions.record import SessionRecord

AGENT = "claude-code"


def save(rig: Any, key: str, **fields: Any) -> None:
    rig.records.save(SessionRecord(**{"key": key, "agent": AGENT, **fields}))


class TestByTranscript:
    def test_a_transcript_is_new_once(self, rig: Any, tmp_path: Path) -> None:
        roster = rig.roster()

        first, is_new = roster.of_transcript(AGENT, str(tmp_path / "a.jsonl"))
        again, is_new_again = roster.of_transcript(AGENT, str(tmp_path / "a.jsonl"))

        assert (is_new, is_new_again) == (True, False)
        assert first is again
        assert len(roster) == 1

    def test_by_whatever_path_it_is_the_same_session(self, rig: Any, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "real")
        roster = rig.roster()

        one, _ = roster.of_transcript(AGENT, str(tmp_path / "real" / "a.jsonl"))
        other, is_new = roster.of_transcript(AGENT, str(tmp_path / "link" / ".." / "link" / "a.jsonl"))

        assert (other, is_new) == (one, False)

    def test_a_session_known_by_its_id_keeps_its_place_when_its_transcript_is_named(
        self, rig: Any, tmp_path: Path
    ) -> None:
        roster = rig.roster()
        known, _ = roster.of_id(AGENT, "s-1")
        path = os.path.realpath(tmp_path / "a.jsonl")
        roster.name_transcript(known, path)

        found, is_new = roster.of_transcript(AGENT, path)

        assert (found, is_new) == (known, False)

    def test_after_a_restart_it_goes_on_where_it_was(self, rig: Any, transcript: Any) -> None:
        followed, _ = rig.roster().of_transcript(AGENT, str(transcript.transcript))
        transcript.turn(1000)
        asyncio.run(followed.catch_up())
        followed.save_now()
        transcript.turn(2000)

        later, is_new = rig.roster().of_transcript(AGENT, str(transcript.transcript))
        asyncio.run(later.catch_up())

        assert not is_new
        assert (later.record.detector.turn, later.record.detector.current) == (2, 2000)

    def test_an_agent_that_is_not_known_is_refused_with_the_known_ones(self, rig: Any) -> None:
        for ask in (rig.roster().of_transcript, rig.roster().of_id):
            with pytest.raises(UsageError, match=r"emacs is not an agent .* known: claude-code"):
                ask("emacs", "/a.jsonl")


class TestFinding:
    def test_by_id_by_its_beginning_and_by_key_the_latest_first(self, rig: Any) -> None:
        roster = rig.roster()
        for number, name in enumerate(("abc-1", "abc-2")):
            followed, _ = roster.of_id(AGENT, name)
            followed.record = replace(followed.record, seen_at=float(number))

        assert roster.find(AGENT, "abc-1").record.session_id == "abc-1"
        assert roster.find(None, "abc").record.session_id == "abc-2"
        assert roster.find(None, record_key(AGENT, "abc-1")).record.session_id == "abc-1"
        assert roster.find(AGENT, "abc") is None
        assert roster.find("codex", "abc-1") is None
        assert roster.find(None, "") is None

    def test_an_older_id_of_the_same_session_still_finds_it(self, rig: Any) -> None:
        roster = rig.roster()
        followed, _ = roster.of_id(AGENT, "first")
        followed.add_session_id("second")

        assert roster.find(AGENT, "first") is followed
        assert roster.of_id(AGENT, "first") == (followed, False)


class TestLettingGo:
    def test_no_more_than_a_bound_are_in_memory_and_the_oldest_leave(self, rig: Any, tmp_path: Path) -> None:
        roster = rig.roster()
        for number in range(MAX_SESSIONS + 6):
            followed, _ = roster.of_transcript(AGENT, str(tmp_path / f"{number}.jsonl"))
            followed.record = replace(followed.record, seen_at=float(number))

        assert len(roster) == MAX_SESSIONS
        left = {Path(each.record.transcript or "").stem for each in roster}
        assert left == {str(number) for number in range(6, MAX_SESSIONS + 6)}

    def test_one_that_is_let_go_is_taken_up_as_it_was(self, rig: Any, tmp_path: Path) -> None:
        roster = rig.roster()
        first, _ = roster.of_transcript(AGENT, str(tmp_path / "first.jsonl"))
        first.find_running(at=1.0)
        for number in range(MAX_SESSIONS):
            other, _ = roster.of_transcript(AGENT, str(tmp_path / f"{number}.jsonl"))
            other.record = replace(other.record, seen_at=9.0)
        assert first not in tuple(roster)

        again, is_new = roster.of_transcript(AGENT, str(tmp_path / "first.jsonl"))

        assert not is_new
        assert again is not first
        assert again.record.delivery.due == first.record.delivery.due != ()

    def test_one_that_is_at_work_stays(self, rig: Any, tmp_path: Path) -> None:
        roster = rig.roster()
        busy, _ = roster.of_transcript(AGENT, str(tmp_path / "busy.jsonl"))

        async def meanwhile() -> None:
            async with busy.building.lock:
                for number in range(MAX_SESSIONS + 2):
                    roster.of_transcript(AGENT, str(tmp_path / f"{number}.jsonl"))

        asyncio.run(meanwhile())

        assert busy in tuple(roster)

    def test_one_that_somebody_waits_for_stays(self, rig: Any, tmp_path: Path) -> None:
        roster = rig.roster()
        wanted, _ = roster.of_transcript(AGENT, str(tmp_path / "wanted.jsonl"))

        async def meanwhile() -> None:
            await wanted.lock.acquire()
            waiting = asyncio.create_task(wanted.lock.acquire())
            await asyncio.sleep(0)
            wanted.lock.release()
            for number in range(MAX_SESSIONS + 2):
                roster.of_transcript(AGENT, str(tmp_path / f"{number}.jsonl"))
            await waiting

        asyncio.run(meanwhile())

        assert wanted in tuple(roster)

    def test_one_that_was_just_taken_up_stays_though_it_has_said_nothing(
        self, rig: Any, tmp_path: Path
    ) -> None:
        roster = rig.roster()
        for number in range(MAX_SESSIONS):
            older, _ = roster.of_transcript(AGENT, str(tmp_path / f"{number}.jsonl"))
            older.record = replace(older.record, seen_at=rig.now)
        rig.now += 1.0
        silent, _ = roster.of_id(AGENT, "silent")

        roster.of_transcript(AGENT, str(tmp_path / "another.jsonl"))

        assert silent in tuple(roster)

    def test_whoever_looks_at_all_meets_none_that_left_meanwhile(self, rig: Any, tmp_path: Path) -> None:
        roster = rig.roster()
        for number in range(MAX_SESSIONS):
            roster.of_transcript(AGENT, str(tmp_path / f"{number}.jsonl"))
        before = tuple(roster)
        look = iter(roster)
        next(look)

        for number in range(3):
            roster.of_transcript(AGENT, str(tmp_path / f"new-{number}.jsonl"))

        assert tuple(look) == before[3:]


class TestAfterARestart:
    def test_what_grew_after_it_was_read_to_its_end_is_behind(self, rig: Any, tmp_path: Path) -> None:
        path = str(tmp_path / "a.jsonl")
        key = record_key(AGENT, os.path.realpath(path))
        second = 1_000_000_000
        assert not rig.roster().is_behind(AGENT, path, 10 * second)
        save(rig, key, read_at=10.0)

        behind = [rig.roster().is_behind(AGENT, path, at * second) for at in (9, 10, 11)]
        assert behind == [False, True, True]

    def test_what_was_saved_in_the_middle_of_a_backlog_is_behind(self, rig: Any, transcript: Any) -> None:
        """Its record is younger than the transcript then, and knows only a part of it."""
        followed, _ = rig.roster().of_transcript(AGENT, str(transcript.transcript))

        def read_at(now: float) -> None:
            rig.now = now
            rig.read(followed)

        def is_behind(*, written_at: float) -> bool:
            asyncio.run(followed.save(is_urgent=True))
            return rig.roster().is_behind(AGENT, str(transcript.transcript), int(written_at * 1e9))

        transcript.turn(150_000)
        read_at(2_000.0)
        assert not is_behind(written_at=1_999.0)

        rig.now = 2_009.0
        assert is_behind(written_at=2_005.0)
        read_at(2_010.0)
        assert not is_behind(written_at=2_005.0)

    def test_sessions_whose_transcript_lies_elsewhere_are_known_by_their_record(
        self, rig: Any, tmp_path: Path
    ) -> None:
        (tmp_path / "a.jsonl").touch()
        save(rig, "here", transcript=str(tmp_path / "a.jsonl"))
        save(rig, "gone", transcript=str(tmp_path / "gone.jsonl"))
        save(rig, "none")

        found = rig.roster().take_up_elsewhere([])

        assert [each.record.key for each in found] == ["here"]

    def test_records_that_name_what_cannot_be_stop_nothing(self, rig: Any, tmp_path: Path) -> None:
        (tmp_path / "a.jsonl").touch()
        save(rig, "later-version", agent="agent-of-tomorrow", transcript=str(tmp_path / "a.jsonl"))
        save(rig, "too-long", transcript="/" + "x" * 100_000)
        save(rig, "no-path", transcript="\0")
        save(rig, "good", transcript=str(tmp_path / "a.jsonl"))

        found = rig.roster().take_up_elsewhere([])

        assert [each.record.key for each in found] == ["good"]

    def test_whoever_wants_to_know_is_told_of_each_session_that_comes_back(
        self, rig: Any, tmp_path: Path
    ) -> None:
        told: list[str] = []
        roster = rig.roster()
        roster.when_taken_up(lambda followed: told.append(followed.record.key))

        followed, _ = roster.of_transcript(AGENT, str(tmp_path / "a.jsonl"))

        assert told == [followed.record.key]
