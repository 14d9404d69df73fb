"""A Codex thread is found and followed wherever its rollout lies, and nothing old fires when it moves."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any

import pytest

from agentinitd.model.events import CompactionMarker, Event, PersonMessage, Request, SessionSeen
from agentinitd.transcripts import codex
from agentinitd.transcripts.codex_follower import RolloutFollower
from agentinitd.transcripts.codex_store import ALL_BYTES
from agentinitd.transcripts.follower import Agent, Seen

sys.path.insert(0, str(Path(__file__).parent))

from codex_lines import SAMPLES, compacted, data_of, event, kinds, meta, of, record, tokens, typed

UUID = "0199a1b2-c3d4-7e5f-8a6b-000000000001"
FILE = f"rollout-2026-11-29T10-00-00-{UUID}.jsonl"
BEFORE = [meta(), typed("first", 1), tokens(200_000, 2), compacted(3), event("context_compacted", 3)]
AFTER = [typed("second", 60), tokens(40_000, 61), compacted(62), tokens(9_000, 63)]


class CodexHome:
    """Writes, archives and resumes one thread as Codex does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.plain = folder / "sessions" / "2026" / "11" / "29" / FILE
        self.archived = folder / "archived_sessions" / FILE
        self.plain.parent.mkdir(parents=True)
        self.archived.parent.mkdir()

    def write(self, *records: object) -> None:
        with self.plain.open("ab") as file:
            file.write(data_of(records))

    def archive(self) -> None:
        self.plain.rename(self.archived)

    def resume(self) -> None:
        """Into a new file: the inode changes, the bytes do not."""
        data = self.archived.read_bytes()
        self.archived.unlink()
        self.plain.write_bytes(data)

    def name(self) -> str:
        return str(self.plain)


@pytest.fixture
def house(tmp_path: Path) -> CodexHome:
    return CodexHome(tmp_path / "codex")


def read_all(follower: RolloutFollower) -> list[Event]:
    events = follower.read()
    while follower.has_more:
        events += follower.read()
    return events


def new(events: list[Event]) -> list[Any]:
    return [each for each in events if not each.is_history]


# What lies where


def test_it_is_an_agent_as_the_daemon_knows_them() -> None:
    agents: dict[str, Agent] = {codex.NAME: codex}

    assert list(agents) == ["codex"]
    assert "\n" not in codex.READS


def test_roots_are_below_the_home_of_codex() -> None:
    home = Path("/home/user")

    assert codex.roots(home, {}) == (home / ".codex/sessions", home / ".codex/archived_sessions")
    assert codex.roots(home, {"CODEX_HOME": ""}) == codex.roots(home, {})
    assert codex.roots(home, {"CODEX_HOME": "/x"}) == (Path("/x/sessions"), Path("/x/archived_sessions"))


@pytest.mark.parametrize(
    "place",
    [
        f"/c/sessions/2026/11/29/{FILE}",
        f"/c/sessions/2026/11/29/{FILE}.zst",
        f"/c/archived_sessions/{FILE}",
        f"/c/archived_sessions/{FILE}.zst",
    ],
)
def test_a_thread_has_one_name_wherever_it_lies(place: str) -> None:
    assert codex.names_at(PurePath(place)) == (f"/c/sessions/2026/11/29/{FILE}",)


@pytest.mark.parametrize(
    "place",
    [
        "/c/history.jsonl",
        "/c/session_index.jsonl",
        "/c/sessions/2026/11/29/rollout-compress-x.tmp",
        "/c/sessions/2026/11/29/notes.md",
        "/c/sessions/2026/11/29",
        "/c/log/codex-tui.log",
        "/",
    ],
)
def test_side_files_are_no_threads(place: str) -> None:
    assert codex.names_at(PurePath(place)) == ()


def test_a_scan_finds_plain_and_archived_threads_by_name(house: CodexHome) -> None:
    house.write(*BEFORE)
    other = house.archived.with_name(FILE.replace("000001", "000002") + ".zst")
    other.write_bytes(b"x")
    (house.plain.parent / "notes.jsonl").write_bytes(b"{}\n")

    sessions, archived = (codex.scan(house.folder / name) for name in ("sessions", "archived_sessions"))

    assert sessions == {house.name(): seen(house.plain)}
    assert archived == {house.name().replace("000001", "000002"): seen(other)._replace(size=ALL_BYTES)}


def test_of_a_thread_that_lies_twice_the_plain_one_counts(house: CodexHome) -> None:
    house.write(*BEFORE)
    for place in (house.archived, Path(f"{house.archived}.zst"), Path(f"{house.plain}.zst")):
        place.write_bytes(b"other")

    assert codex.scan(house.folder / "sessions") == {house.name(): seen(house.plain)}
    assert codex.scan(house.folder / "archived_sessions") == {}


def seen(path: Path) -> Seen:
    status = path.stat()
    return Seen(status.st_size, status.st_mtime_ns, status.st_ino)


def test_names_in_a_home_are_its_threads_the_latest_last(house: CodexHome) -> None:
    house.write(*BEFORE)
    older = house.archived.with_name(FILE.replace("000001", "000002"))
    older.write_bytes(data_of(BEFORE))
    os.utime(older, (1, 1))

    assert codex.names_in(house.folder) == [house.name().replace("000001", "000002"), house.name()]
    assert codex.names_in(house.plain) == [str(house.plain)]
    assert codex.names_in(house.archived) == [str(house.archived)]


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_rollout_is_known_by_its_records(path: Path) -> None:
    assert codex.is_own(path)


@pytest.mark.parametrize(
    ("data", "is_own"),
    [
        (b'{"id":"x","timestamp":"2025-07-01T10:00:00Z","instructions":null,"git":{}}\n', True),
        (b'{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}\n', True),
        (b"not json\n" + data_of([meta()]), True),
        (b'{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":"hi"}}\n', False),
        (b'{"type":"message","role":"user","content":"hi"}\n', False),
        (b'{"sessionId":"s","projectHash":"h","messages":[]}\n', False),
        (b"", False),
    ],
)
def test_a_file_is_told_from_those_of_other_agents(tmp_path: Path, data: bytes, is_own: bool) -> None:
    path = tmp_path / "some.jsonl"
    path.write_bytes(data)

    assert codex.is_own(path) is is_own


def test_no_other_agents_sample_is_taken_for_codex(shared: Path) -> None:
    files = json.loads((shared / "transcripts" / "MANIFEST.json").read_text())["files"]
    others = [shared / "transcripts" / entry["file"] for entry in files if entry["agent"] != "codex"]

    assert others
    assert [path.name for path in others if codex.is_own(path)] == []


def test_a_folder_is_known_by_the_threads_in_it(house: CodexHome, tmp_path: Path) -> None:
    assert not codex.is_own(house.folder)
    house.write(*BEFORE)
    assert codex.is_own(house.folder)
    assert not codex.is_own(tmp_path / "absent")


# A thread that lives


def test_a_thread_is_followed_while_it_is_written(house: CodexHome) -> None:
    follower = codex.follow(house.name(), is_detailed=True)
    assert follower.read() == []

    house.write(*BEFORE)
    first = follower.read()
    house.write(*AFTER[:2])
    second = follower.read()
    torn = data_of(AFTER[2:3])
    with house.plain.open("ab") as file:
        file.write(torn[:40])
    assert follower.read() == []
    with house.plain.open("ab") as file:
        file.write(torn[40:])

    assert kinds(first) == ["SessionSeen", "PersonMessage", "Request", "CompactionMarker"]
    assert kinds(second) == ["PersonMessage", "Request"]
    assert kinds(follower.read()) == ["CompactionMarker"]
    assert follower.read() == []
    assert follower.problem is None


@pytest.mark.parametrize("is_restarted", [False, True])
def test_archiving_and_resuming_fires_nothing_and_loses_nothing(house: CodexHome, is_restarted: bool) -> None:
    house.write(*BEFORE)
    follower = codex.follow(house.name(), is_detailed=True)
    told = read_all(follower)

    for move in (house.archive, house.resume):
        move()
        follower = again(follower) if is_restarted else follower
        assert read_all(follower) == []
    house.write(*AFTER)
    told += read_all(follower)

    assert len(of(CompactionMarker, told)) == 2
    assert kinds(new(told)) == [
        *("SessionSeen", "PersonMessage", "Request", "CompactionMarker"),
        *("PersonMessage", "Request", "CompactionMarker", "Request"),
    ]


def again(follower: RolloutFollower) -> RolloutFollower:
    """As after a restart of the daemon."""
    return codex.follow(follower.name, json.loads(json.dumps(follower.checkpoint())), is_detailed=True)


def test_a_thread_that_lies_archived_when_it_is_first_seen_is_read_there(house: CodexHome) -> None:
    house.write(*BEFORE)
    house.archive()

    assert kinds(read_all(codex.follow(house.name(), is_detailed=True))) == [
        "SessionSeen",
        "PersonMessage",
        "Request",
        "CompactionMarker",
    ]


def test_a_thread_that_was_there_before_is_history_also_when_it_moves(house: CodexHome) -> None:
    house.write(*BEFORE)
    follower = codex.follow(house.name(), start=house.plain.stat().st_size, is_detailed=True)
    house.archive()
    told = read_all(follower)
    house.resume()
    house.write(*AFTER)

    assert new(told) == []
    assert kinds(new(read_all(follower))) == ["PersonMessage", "Request", "CompactionMarker", "Request"]


def test_a_file_that_is_cut_half_way_is_read_again_as_history(house: CodexHome) -> None:
    house.write(*BEFORE, *AFTER)
    follower = codex.follow(house.name(), is_detailed=True)
    whole = read_all(follower)
    house.plain.write_bytes(data_of([*BEFORE, *AFTER])[: len(data_of(BEFORE)) + 40])
    cut = read_all(follower)
    house.write()
    house.plain.write_bytes(data_of([*BEFORE, typed("anew", 100)]))

    assert len(of(CompactionMarker, whole)) == 2
    assert new(cut) == []
    assert [each.text for each in new(read_all(follower))] == ["anew"]


def test_what_cannot_be_read_is_a_problem_and_no_error(house: CodexHome) -> None:
    house.plain.mkdir()
    follower = codex.follow(house.name(), is_detailed=True)

    assert follower.read() == []
    assert follower.problem is not None


# Giant lines


def giant(kind: str, make: Callable[[str], object]) -> bytes:
    return data_of([record(kind, make("QUJD" * 750_000))])


def picture(data: str) -> object:
    output = [{"type": "input_image", "image_url": data}]
    return {"type": "function_call_output", "call_id": "c", "output": output}


def replacement(data: str) -> object:
    return {"message": "", "replacement_history": [{"type": "input_image", "image_url": data}]}


def write_giant(house: CodexHome, *tail: bytes) -> RolloutFollower:
    house.write(meta(), typed("first", 1), tokens(200_000, 2))
    with house.plain.open("ab") as file:
        for piece in tail:
            file.write(piece)
    return codex.follow(house.name(), start="end", is_detailed=True)


def test_a_rollout_is_taken_up_at_its_end_behind_lines_of_megabytes(house: CodexHome) -> None:
    pictures = [giant("response_item", picture)] * 4

    told = read_all(write_giant(house, *pictures))

    assert kinds(told) == ["SessionSeen", "Request"]
    assert all(each.is_history for each in told)
    assert of(Request, told)[0].context_tokens == 200_000


def test_no_size_from_before_a_compaction_is_taken_up(house: CodexHome) -> None:
    tail = [giant("compacted", replacement), *[giant("response_item", picture)] * 4]

    told = read_all(write_giant(house, *tail))

    assert of(Request, told) == []
    assert new(told) == []


def test_a_giant_compaction_that_comes_later_is_told(house: CodexHome) -> None:
    follower = write_giant(house)
    assert new(read_all(follower)) == []
    line = giant("compacted", replacement)
    told: list[Event] = []
    for start in range(0, len(line), 1_000_000):
        with house.plain.open("ab") as file:
            file.write(line[start : start + 1_000_000])
        told += read_all(follower)

    assert kinds(told) == ["CompactionMarker"]
    assert follower.offset == house.plain.stat().st_size


def test_a_sample_follows_as_it_reads(house: CodexHome) -> None:
    data = (SAMPLES / "cx-0.155-windows-token-records.jsonl").read_bytes()
    follower = codex.follow(house.name(), is_detailed=True)
    told: list[Event] = []
    for start in range(0, len(data), 1500):
        with house.plain.open("ab") as file:
            file.write(data[start : start + 1500])
        told += read_all(follower)

    [marker] = of(CompactionMarker, told)
    assert marker.line == 22
    assert len(of(SessionSeen, told)) == len(of(PersonMessage, told)) == 1
    assert told == read_all(codex.follow(house.name(), is_detailed=True))
