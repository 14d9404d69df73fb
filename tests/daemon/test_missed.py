"""Which sessions began while no daemon ran."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from agentinitd.daemon.finding import Found
from agentinitd.daemon.lock import Lock, this_process
from agentinitd.daemon.missed import MOST_MISSED, Missed, absent_since, missed
from agentinitd.daemon.paths import Places
from agentinitd.transcripts.follower import Seen


def found(times: dict[str, float]) -> dict[str, Found]:
    return {
        name: Found("codex", Seen(inode=1, size=10, mtime_ns=int(at * 1e9))) for name, at in times.items()
    }


def test_those_that_changed_since_and_are_on_no_record_the_latest_first() -> None:
    everything = found({"/old": 50, "/late": 101, "/known": 150, "/later": 200})

    assert list(missed(everything, since=100, is_known=lambda _, name: name == "/known")) == [
        "/later",
        "/late",
    ]


def test_of_very_many_the_latest() -> None:
    everything = found({f"/{number}": 1000 + number for number in range(MOST_MISSED + 5)})

    chosen = missed(everything, since=100, is_known=lambda _agent, _name: False)

    assert len(chosen) == MOST_MISSED
    assert "/4" not in chosen and f"/{MOST_MISSED + 4}" in chosen


class TestAbsentSince:
    def test_a_daemon_that_ended_leaves_the_time_of_its_end(self, places: Places) -> None:
        lock = Lock(places.lock_file)
        lock.take()
        lock.describe(this_process(version="1", socket="/s"))
        os.utime(places.lock_file, (100, 100))
        lock.release()

        assert absent_since(places, now=0.0) == places.lock_file.stat().st_mtime > 100

    def test_before_the_first_one_it_is_the_time_of_our_hooks(self, places: Places) -> None:
        record = places.state_dir / "integrations" / "claude-code.json"
        record.parent.mkdir()
        record.write_text("{}")
        os.utime(record, (100, 100))

        assert absent_since(places, now=200.0) == 100

    def test_where_nothing_of_ours_was_ever_put_all_is_from_before_our_time(self, places: Places) -> None:
        assert absent_since(places, now=200.0) == 200

    def test_it_leaves_the_lock_to_others(self, places: Places) -> None:
        absent_since(places, now=0.0)

        assert not Path(places.lock_file).exists()


class ShortOfDescriptors:
    """A roster at the limit of open files."""

    def missed_on_record(self) -> list[tuple[str, str, int]]:
        raise OSError(24, "Too many open files")


def test_trouble_with_the_records_is_told_and_ends_nothing() -> None:
    told: list[str] = []

    read: Any = None  # there is nothing to read
    roster: Any = ShortOfDescriptors()
    late = Missed(
        roster, since=0.0, read=read, complain=lambda doing, error: told.append(f"{doing}: {error}")
    )

    asyncio.run(late.hear())

    assert told == ["hearing what was missed: [Errno 24] Too many open files"]
