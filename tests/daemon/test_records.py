"""What is remembered across restarts: whole or not at all, and what cannot be used is kept aside."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import msgspec
import pytest

from agentinitd.daemon.records import RECORD_LIMIT_BYTES, SessionRecords, record_key
from agentinitd.model.causes import Cause
from agentinitd.sessions.delivery import Delivered, DeliveryState, Handout
from agentinitd.sessions.detector_state import DetectorState, Drop, Measured
from agentinitd.sessions.record import LastCompaction, LastHook, SessionRecord

CAUSE = Cause(id="drop:7", trigger="drop", turn=3, reason="context fell", line=2, offset=7, is_catchup=True)
HANDOUT = Handout(
    token="t",
    causes=(CAUSE,),
    runlevel="compact",
    snippet_id="s",
    event="PostToolUse",
    handed_at=1.5,
    offset=9,
)
FULL = SessionRecord(
    key="full",
    agent="claude-code",
    session_ids=("old", "new"),
    transcript="/home/人/.claude/x.jsonl",
    cwd="/srv",
    project="/srv",
    task_id="t-1",
    checkpoint={"reader": {"offset": 5, "line": 2, "state": {"a": [1, {"b": None}]}}, "newest": 2.5},
    offset=5,
    detector=DetectorState(
        turn=4,
        base=9,
        doubted=Measured(1, 2, 3, "m"),
        put_off=Drop(1, 2, 30, 4),
        announced_by=("marker",),
        fired=("a", "b"),
    ),
    delivery=DeliveryState(
        due=(CAUSE,), handouts=(HANDOUT,), delivered=(Delivered(handout=HANDOUT),), known_ids=("x",)
    ),
    last_compaction=LastCompaction(at=1.0, trigger="marker", reason="said so"),
    last_hook=LastHook(event="Stop", at=2.0, outcome="nothing due"),
    seen_at=3.25,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sessions").mkdir()
    return tmp_path / "sessions"


@pytest.fixture
def records(folder: Path) -> SessionRecords:
    return SessionRecords(folder)


def test_every_field_comes_back_as_it_was(records: SessionRecords) -> None:
    records.save(FULL)

    assert records.load("full") == FULL


def test_what_was_never_saved_is_not_there(records: SessionRecords) -> None:
    assert records.load("absent") is None
    assert records.read_at("absent") is None
    assert records.latest(5) == []


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"\0" * 1000,
        b'{"v": 2, "key": "k", "agent": "claude-code"}',
        b'{"v": 1, "key": "k"}',
        b'{"v": 1, "key": "k", "agent": 7}',
        b"[" * 100_000,
        msgspec.json.encode(FULL)[:-20],
    ],
)
def test_a_record_that_cannot_be_used_is_kept_aside(
    records: SessionRecords, folder: Path, damage: bytes
) -> None:
    """FIL-5."""
    (folder / "k.json").write_bytes(damage)

    assert records.load("k") is None

    [aside] = folder.iterdir()
    assert aside.name.startswith("k.json.bad-")
    assert aside.read_bytes() == damage
    assert records.latest(5) == []


def test_what_is_no_file_or_far_too_large_is_left_alone(records: SessionRecords, folder: Path) -> None:
    (folder / "folder.json").mkdir()
    os.mkfifo(folder / "fifo.json")
    with (folder / "large.json").open("wb") as file:
        file.truncate(RECORD_LIMIT_BYTES + 1)

    assert [records.load(key) for key in ("folder", "fifo", "large")] == [None, None, None]


def test_a_save_that_fails_leaves_the_older_record_whole(records: SessionRecords, folder: Path) -> None:
    """FIL-2."""
    records.save(FULL)
    before = (folder / "full.json").read_bytes()
    folder.rename(folder.with_name("away"))

    with pytest.raises(OSError):
        records.save(FULL)

    folder.with_name("away").rename(folder)
    assert (folder / "full.json").read_bytes() == before


def test_records_are_for_their_owner_alone(records: SessionRecords, folder: Path) -> None:
    records.save(FULL)

    assert stat.S_IMODE((folder / "full.json").stat().st_mode) == 0o600


def test_the_latest_come_first(records: SessionRecords, folder: Path) -> None:
    for number in range(5):
        records.save(SessionRecord(key=f"s{number}", agent="claude-code"))
        os.utime(folder / f"s{number}.json", ns=(number, number))

    assert records.latest(3) == ["s4", "s3", "s2"]


def test_how_far_back_a_session_was_read_is_known_without_all_of_its_record(
    records: SessionRecords, folder: Path
) -> None:
    records.save(SessionRecord(key="read", agent="claude-code", read_at=4.5))
    (folder / "torn.json").write_bytes(b'{"v": 1, "read_at"')

    assert [records.read_at(key) for key in ("read", "torn")] == [4.5, 0.0]


def test_a_key_is_a_file_name_whatever_the_session_is_called() -> None:
    names = ["../../etc/passwd", "", "x" * 10_000, "a\0b", "\udcff", "人"]

    keys = [record_key("claude-code", name) for name in names]

    assert all(len(key) == 20 and key.isalnum() for key in keys)
    assert len(set(keys)) == len(names)
    assert record_key("codex", "人") != record_key("claude-code", "人")
