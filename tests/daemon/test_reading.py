"""A transcript read on from where the record says; what was read but not judged is read again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agentinitd.daemon.reading import SLICE_BYTES, Reading
from agentinitd.sessions.record import SessionRecord
from agentinitd.transcripts.agents import AGENTS
from agentinitd.transcripts.follower import Follower

RECORD = SessionRecord(key="k", agent="claude-code")


class Transcript:
    """Rows of a person, and how they were opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.opened: list[bool] = []
        self._rows = 0

    def says(self, text: str) -> None:
        self._rows += 1
        message = f'{{"role":"user","content":"{text}"}}'
        with self.path.open("a") as file:
            file.write(f'{{"type":"user","uuid":"u{self._rows}","sessionId":"s","message":{message}}}\n')

    def open(self, checkpoint: Mapping[str, Any] | None, is_detailed: bool) -> Follower:
        self.opened.append(is_detailed)
        follow = AGENTS["claude-code"].follow
        return follow(str(self.path), checkpoint, start="top", is_detailed=is_detailed)


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    return Transcript(tmp_path / "s.jsonl")


def words(reading: Reading, *, record: SessionRecord = RECORD, is_detailed: bool = True) -> list[str]:
    events, _ = reading.read(record.checkpoint, is_detailed=is_detailed)
    return [text for event in events if (text := getattr(event, "text", ""))]


def test_the_next_daemon_goes_on_behind_what_was_judged(transcript: Transcript) -> None:
    reading = Reading(transcript.open)
    transcript.says("one")
    assert words(reading) == ["one"]
    reading.judged()
    transcript.says("two")
    assert words(reading) == ["two"]  # and we are killed here

    record = reading.with_checkpoint(RECORD)

    assert record.offset < (reading.offset or 0)
    assert words(Reading(transcript.open), record=record) == ["two"]


def test_of_what_was_never_judged_the_record_knows_nothing(transcript: Transcript) -> None:
    reading = Reading(transcript.open)
    transcript.says("one")
    assert reading.offset is None
    words(reading)

    assert reading.with_checkpoint(RECORD) == RECORD


def test_when_the_details_are_wanted_it_is_opened_again_at_the_same_place(transcript: Transcript) -> None:
    reading = Reading(transcript.open)
    transcript.says("one")
    words(reading, is_detailed=False)
    transcript.says("two")

    assert words(reading, is_detailed=True) == ["two"]
    assert transcript.opened == [False, True]


def test_more_than_a_slice_is_told_to_be_there(transcript: Transcript) -> None:
    reading = Reading(transcript.open)
    for _ in range(4):
        transcript.says("x" * (SLICE_BYTES // 2))

    _, has_more = reading.read(None, is_detailed=True)

    assert has_more
