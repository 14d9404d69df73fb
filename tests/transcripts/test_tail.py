"""A tail tells each thing once, whatever happens to the file under it."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from agentinitd.model.events import CompactionMarker, Event, PersonMessage, Request, SessionSeen
from agentinitd.transcripts import claude_code, take_up
from agentinitd.transcripts.reader import LineFormat
from agentinitd.transcripts.tail import BLOCK_BYTES, SILENCE_SECONDS, Tail

AGENT = cast(LineFormat, claude_code)
SAMPLE = Path(__file__).parents[1] / "data" / "claude-code" / "cc-1.0.89-tiny-with-compaction.jsonl"


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Transcript:
    """A transcript that grows; each record has a time of its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0

    def record(self, kind: str, *, pad: int = 0, **more: Any) -> bytes:
        self.count += 1
        record = {
            "type": kind,
            "sessionId": "s",
            "uuid": f"u{self.count}",
            "timestamp": f"2026-11-29T10:{self.count // 60:02}:{self.count % 60:02}.000Z",
            "pad": "x" * pad,
        }
        return json.dumps(record | more).encode() + b"\n"

    def says(self, text: str = "go on", **more: Any) -> bytes:
        return self.record("user", message={"content": text}, **more)

    def answers(self, tokens: int, **more: Any) -> bytes:
        message = {"id": f"m{self.count}", "model": "m", "usage": {"input_tokens": tokens}}
        return self.record("assistant", message=message, **more)

    def marks(self) -> bytes:
        return self.record("system", subtype="compact_boundary")

    def add(self, *records: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(b"".join(records))


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    return Transcript(tmp_path / "session.jsonl")


@pytest.fixture
def clock() -> Clock:
    return Clock()


def names(events: Iterable[Event]) -> list[str]:
    """`Request`, or `Request*` when it is history; without the session's names."""
    return [
        type(event).__name__ + "*" * event.is_history
        for event in events
        if not isinstance(event, SessionSeen)
    ]


def reopened(tail: Tail, clock: Clock) -> Tail:
    """What a daemon does after a restart: only the checkpoint is left, as JSON."""
    kept = msgspec.json.encode(tail.checkpoint())
    return Tail(tail.path, AGENT, msgspec.json.decode(kept), now=clock)


def read_all(tail: Tail, **more: Any) -> list[Event]:
    events = tail.read(**more)
    while tail.has_more:
        events += tail.read(**more)
    return events


def test_what_is_appended_is_told_once(transcript: Transcript, clock: Clock) -> None:
    tail = Tail(transcript.path, AGENT, now=clock)
    transcript.add(transcript.says(), transcript.answers(50))

    assert names(tail.read()) == ["PersonMessage", "Request"]
    assert tail.read() == []
    transcript.add(transcript.marks())
    assert names(tail.read()) == ["CompactionMarker"]


def test_a_file_that_does_not_exist_yet_is_read_when_it_does(transcript: Transcript, clock: Clock) -> None:
    for start in ("top", "end", 5000):
        transcript.path.unlink(missing_ok=True)
        tail = Tail(transcript.path, AGENT, start=start, now=clock)  # type: ignore[arg-type]
        assert tail.read() == []
        assert tail.problem is None
        transcript.add(transcript.says())

        assert names(tail.read()) == ["PersonMessage"]


def test_reading_is_bounded_and_says_that_there_is_more(transcript: Transcript, clock: Clock) -> None:
    transcript.add(*[transcript.says(pad=1000) for _ in range(100)])
    tail = Tail(transcript.path, AGENT, now=clock)

    first = tail.read(10_000)

    assert 5 <= len(names(first)) <= 10
    assert tail.has_more
    assert len(names(first + read_all(tail, max_bytes=10_000))) == 100
    assert not tail.has_more


def test_after_a_restart_reading_goes_on_where_it_was(transcript: Transcript, clock: Clock) -> None:
    tail = Tail(transcript.path, AGENT, now=clock)
    transcript.add(transcript.says(), transcript.answers(50), b'{"type":"user","tor')
    told = read_all(tail)
    transcript.add(b'n":1}\n', transcript.marks())

    again = reopened(tail, clock)

    assert names(told) == ["PersonMessage", "Request"]
    assert names(again.read()) == ["CompactionMarker"]
    assert names(reopened(again, clock).read()) == []


@pytest.mark.parametrize("step", [1, 7, 300, 4096])
def test_played_byte_for_byte_the_sample_tells_the_same(tmp_path: Path, clock: Clock, step: int) -> None:
    data = SAMPLE.read_bytes()
    expected = AGENT.new_reader(SAMPLE).feed(data)
    path = tmp_path / "copy.jsonl"
    path.touch()
    tail = Tail(path, AGENT, now=clock)
    told: list[Event] = []
    cut = len(data) // 3 if step == 1 else 0

    with path.open("ab", buffering=0) as file:
        file.write(data[:-cut] if cut else b"")
        told += read_all(tail)
        for at in range(len(data) - cut if cut else 0, len(data), step):
            file.write(data[at : at + step])
            told += read_all(tail)
            if at % (step * 50) == 0:
                tail = reopened(tail, clock)

    assert told == expected


def test_a_last_line_without_its_newline_is_read_after_two_seconds(
    transcript: Transcript, clock: Clock
) -> None:
    """WAT-8."""
    tail = Tail(transcript.path, AGENT, now=clock)
    transcript.add(transcript.says().rstrip())

    assert tail.read() == []
    assert tail.flush_at == clock.now + SILENCE_SECONDS
    clock.now += SILENCE_SECONDS
    assert names(tail.read()) == ["PersonMessage"]
    assert tail.read() == []
    assert tail.flush_at is None
    transcript.add(b"\n", transcript.answers(5))
    [event] = tail.read()
    assert (type(event), event.line) == (Request, 2)


def test_half_a_line_waits_however_long_it_takes(transcript: Transcript, clock: Clock) -> None:
    tail = Tail(transcript.path, AGENT, now=clock)
    record = transcript.says()
    transcript.add(record[:40])
    tail.read()
    clock.now += 3600

    assert tail.read() == []
    transcript.add(record[40:])
    assert names(tail.read()) == ["PersonMessage"]


@pytest.mark.parametrize("has_restart", [False, True])
def test_a_file_cut_short_tells_nothing_again_and_what_is_new_once(
    transcript: Transcript, clock: Clock, has_restart: bool
) -> None:
    tail = Tail(transcript.path, AGENT, now=clock)
    transcript.add(transcript.says(), transcript.answers(50), transcript.marks())
    kept = transcript.path.stat().st_size
    transcript.add(transcript.says("an error"))
    read_all(tail)

    os.truncate(transcript.path, kept)
    tail = reopened(tail, clock) if has_restart else tail
    transcript.add(transcript.says("after"), transcript.marks())
    told = read_all(tail)

    assert [name for name in names(told) if not name.endswith("*")] == ["PersonMessage", "CompactionMarker"]
    assert [event.text for event in told if isinstance(event, PersonMessage) and not event.is_history] == [
        "after"
    ]


def test_truncated_and_grown_again_beyond_the_old_size_is_noticed(
    transcript: Transcript, clock: Clock
) -> None:
    """WAT-7."""
    tail = Tail(transcript.path, AGENT, now=clock)
    transcript.add(transcript.says(), transcript.marks())
    read_all(tail)

    transcript.path.write_bytes(b"")
    transcript.add(*[transcript.answers(1000 + index) for index in range(20)])

    assert names(read_all(tail)) == ["Request"] * 20


def test_the_same_bytes_in_a_new_file_are_not_read_again(transcript: Transcript, clock: Clock) -> None:
    tail = Tail(transcript.path, AGENT, now=clock)
    transcript.add(transcript.says(), transcript.marks())
    read_all(tail)

    new = transcript.path.with_name("new")
    shutil.copyfile(transcript.path, new)
    new.replace(transcript.path)
    transcript.add(transcript.answers(7))

    assert names(read_all(tail)) == ["Request"]


def test_a_path_that_changes_between_two_contents_never_fires_for_what_is_old(
    transcript: Transcript, clock: Clock
) -> None:
    one = transcript.says("one") + transcript.marks() + transcript.answers(50)
    other = transcript.says("other") + transcript.marks() + transcript.answers(60)
    tail = Tail(transcript.path, AGENT, now=clock)
    transcript.path.write_bytes(other)
    read_all(tail)

    transcript.path.write_bytes(one)
    assert [name for name in names(read_all(tail)) if not name.endswith("*")] == []
    transcript.path.write_bytes(other)
    transcript.add(transcript.marks())
    assert [name for name in names(read_all(tail)) if not name.endswith("*")] == ["CompactionMarker"]


def test_a_deleted_file_is_quiet_and_goes_on_when_it_is_back(transcript: Transcript, clock: Clock) -> None:
    tail = Tail(transcript.path, AGENT, now=clock)
    transcript.add(transcript.says(), transcript.marks())
    read_all(tail)
    aside = transcript.path.with_name("aside")
    transcript.path.rename(aside)

    assert tail.read() == []
    assert tail.problem is None
    aside.rename(transcript.path)
    transcript.add(transcript.answers(8))
    assert names(tail.read()) == ["Request"]


def test_zeros_at_the_end_are_waited_for(transcript: Transcript, clock: Clock) -> None:
    tail = Tail(transcript.path, AGENT, now=clock)
    transcript.add(transcript.says())
    read_all(tail)
    record, at = transcript.marks(), transcript.path.stat().st_size
    transcript.add(b"\0" * len(record))

    assert tail.read() == []
    with transcript.path.open("r+b") as file:
        file.seek(at)
        file.write(record)
    os.utime(transcript.path, ns=(1, 1))
    assert names(tail.read()) == ["CompactionMarker"]


def test_zeros_that_stay_are_damage_and_what_follows_is_read(transcript: Transcript, clock: Clock) -> None:
    tail = Tail(transcript.path, AGENT, now=clock)
    transcript.add(transcript.says(), b"\0" * 5000)
    read_all(tail)
    clock.now += SILENCE_SECONDS
    read_all(tail)

    transcript.add(transcript.marks())

    assert names(read_all(tail)) == ["Skipped", "CompactionMarker"]


def test_what_cannot_be_read_is_a_problem_and_not_an_exception(tmp_path: Path, clock: Clock) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", tmp_path):
        tail = Tail(path, AGENT, now=clock)

        assert tail.read() == []
        assert tail.problem == f"{path}: not a regular file"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_a_problem_until_it_has_it(transcript: Transcript, clock: Clock) -> None:
    transcript.add(transcript.says())
    transcript.path.chmod(0)
    tail = Tail(transcript.path, AGENT, now=clock)

    assert tail.read() == []
    assert "Permission denied" in (tail.problem or "")
    transcript.path.chmod(0o600)
    assert names(tail.read()) == ["PersonMessage"]
    assert tail.problem is None


# Taken up at the end


def test_taken_up_at_the_end_the_last_request_is_known_and_what_comes_is_new(
    transcript: Transcript, clock: Clock
) -> None:
    transcript.add(*[transcript.answers(1000 + index, pad=2000) for index in range(400)])
    tail = Tail(transcript.path, AGENT, start="end", now=clock)

    session, last = tail.read()

    assert isinstance(session, SessionSeen)
    assert isinstance(last, Request)
    assert (last.context_tokens, last.is_history) == (1399, True)
    assert tail.offset == transcript.path.stat().st_size
    transcript.add(transcript.marks())
    assert names(reopened(tail, clock).read()) == ["CompactionMarker"]


def test_a_marker_after_the_last_request_is_known_as_history(transcript: Transcript, clock: Clock) -> None:
    transcript.add(transcript.answers(100), transcript.marks(), transcript.answers(30), transcript.marks())
    tail = Tail(transcript.path, AGENT, start="end", now=clock)

    assert names(tail.read()) == ["Request*", "CompactionMarker*"]


def test_a_line_that_was_half_written_when_taken_up_is_new(transcript: Transcript, clock: Clock) -> None:
    transcript.add(transcript.answers(100))
    marker = transcript.marks()
    transcript.add(marker[:50])
    tail = Tail(transcript.path, AGENT, start="end", now=clock)

    assert names(tail.read()) == ["Request*"]
    transcript.add(marker[50:])
    assert names(tail.read()) == ["CompactionMarker"]


def test_taken_up_at_a_known_size_all_behind_it_is_new(transcript: Transcript, clock: Clock) -> None:
    transcript.add(transcript.says(), transcript.answers(100))
    size = transcript.path.stat().st_size
    transcript.add(transcript.marks(), transcript.answers(40))

    for known in (size, size - 5, size + 5):
        tail = Tail(transcript.path, AGENT, start=known, now=clock)
        told = names(read_all(tail))

        assert told[-2:] == ["CompactionMarker", "Request"], "the line begun at that size is not lost either"
        assert "PersonMessage" not in told


def test_lines_are_those_of_the_file_wherever_it_was_taken_up(
    transcript: Transcript, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    transcript.add(transcript.answers(100), *[transcript.says(pad=100_000) for _ in range(20)])
    tail = Tail(transcript.path, AGENT, start="end", now=clock)
    assert [event.line for event in tail.read() if isinstance(event, Request)] == [1]

    transcript.add(transcript.answers(200))
    assert [event.line for event in tail.read() if isinstance(event, Request)] == [22]

    monkeypatch.setattr(take_up, "COUNTED_BYTES", 0)  # as in a file that is too large
    tail = Tail(transcript.path, AGENT, start=transcript.path.stat().st_size, now=clock)
    tail.read()
    transcript.add(transcript.answers(300))
    assert [event.line for event in tail.read() if isinstance(event, Request)] == [2]


def test_a_request_far_before_the_end_is_found(transcript: Transcript, clock: Clock) -> None:
    transcript.add(transcript.answers(777))
    transcript.add(*[transcript.says(pad=100_000) for _ in range(20)])
    tail = Tail(transcript.path, AGENT, start="end", now=clock)

    assert [event.context_tokens for event in tail.read() if isinstance(event, Request)] == [777]


def test_a_helpers_row_at_the_end_does_not_make_the_session_a_helper(
    transcript: Transcript, clock: Clock
) -> None:
    transcript.add(*[transcript.answers(100, pad=BLOCK_BYTES) for _ in range(3)])
    transcript.add(*[transcript.answers(5, isSidechain=True, pad=BLOCK_BYTES // 2) for _ in range(3)])
    tail = Tail(transcript.path, AGENT, start="end", now=clock)

    told = tail.read()
    transcript.add(transcript.answers(6, isSidechain=True), transcript.answers(101))
    told += tail.read()

    assert [event.is_helper for event in told] == [False] * len(told)
    assert [event.context_tokens for event in told if isinstance(event, Request)][-1] == 101


def test_an_end_that_is_one_giant_line_is_taken_up_without_reading_it_all(
    transcript: Transcript, clock: Clock
) -> None:
    transcript.add(transcript.answers(100), transcript.says(pad=9 * 1024 * 1024))
    tail = Tail(transcript.path, AGENT, start="end", now=clock)

    assert names(tail.read()) == []
    transcript.add(transcript.marks())
    [marker] = tail.read()
    assert isinstance(marker, CompactionMarker)
