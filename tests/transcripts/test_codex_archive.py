"""A compressed rollout says what the plain one said, in bounded steps; without the package, what lacks."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agentinitd.model.events import CompactionMarker, Event, Skipped
from agentinitd.transcripts import codex
from agentinitd.transcripts.codex_archive import NO_PACKAGE, Archive, open_archive
from agentinitd.transcripts.codex_follower import RolloutFollower
from agentinitd.transcripts.codex_reader import CodexReader

sys.path.insert(0, str(Path(__file__).parent))

from codex_lines import SAMPLES, compacted, data_of, event, kinds, meta, of, record, tokens, typed

FILE = "rollout-2026-11-29T10-00-00-0199a1b2-c3d4-7e5f-8a6b-000000000001.jsonl"
BEFORE = [meta(), typed("first", 1), tokens(200_000, 2), compacted(3), event("context_compacted", 3)]
AFTER = [typed("second", 60), tokens(40_000, 61), compacted(62), tokens(9_000, 63)]

Compress = Callable[[bytes], bytes]


@pytest.fixture
def compress() -> Compress:
    """As Codex does: level 3, the size not written down."""
    if sys.version_info >= (3, 14):
        module = importlib.import_module("compression.zstd")
        return lambda data: bytes(module.compress(data, 3))
    package = pytest.importorskip("zstandard", reason="needs `pip install zstandard`")

    def pack(data: bytes) -> bytes:
        packer = package.ZstdCompressor(level=3).compressobj()
        return bytes(packer.compress(data) + packer.flush())

    return pack


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """Where the thread is written, and its archive."""
    plain = tmp_path / "codex" / "sessions" / "2026" / "11" / "29" / FILE
    archive = tmp_path / "codex" / "archived_sessions" / f"{FILE}.zst"
    plain.parent.mkdir(parents=True)
    archive.parent.mkdir()
    return plain, archive


def read_all(follower: RolloutFollower | Archive, max_bytes: int = 1 << 20) -> list[Event]:
    events = follower.read(max_bytes)
    while follower.has_more:
        events += follower.read(max_bytes)
    return events


def again(follower: RolloutFollower) -> RolloutFollower:
    return codex.follow(follower.name, json.loads(json.dumps(follower.checkpoint())), is_detailed=True)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_an_archive_says_what_the_plain_rollout_said(tmp_path: Path, compress: Compress, path: Path) -> None:
    archive = tmp_path / f"{path.name}.zst"
    archive.write_bytes(compress(path.read_bytes()))
    plain = CodexReader(is_detailed=True)
    whole = plain.feed(path.read_bytes())

    assert codex.is_own(archive)
    assert codex.names_in(archive) == [str(archive)]
    for max_bytes in (1 << 20, 1000, 77):
        assert read_all(codex.follow(str(archive), is_detailed=True), max_bytes) == whole


def test_several_frames_are_one_text(tmp_path: Path, compress: Compress) -> None:
    archive = tmp_path / f"{FILE}.zst"
    data = data_of([*BEFORE, *AFTER])
    archive.write_bytes(compress(data[:300]) + compress(data[300:]))

    assert len(of(CompactionMarker, read_all(codex.follow(str(archive), is_detailed=True)))) == 2


def test_a_giant_archive_is_read_in_steps(tmp_path: Path, compress: Compress) -> None:
    archive = tmp_path / f"{FILE}.zst"
    giant = record("compacted", {"message": "", "replacement_history": ["QUJD" * 5_000_000]}, 5)
    archive.write_bytes(compress(data_of([meta(), giant, typed()])))
    follower = codex.follow(str(archive), is_detailed=True)

    first = follower.read(1 << 20)

    assert kinds(first) == ["SessionSeen"]
    assert follower.has_more
    assert kinds(read_all(follower)) == ["CompactionMarker", "PersonMessage"]


@pytest.mark.parametrize("is_restarted", [False, True])
def test_a_followed_thread_goes_on_after_it_was_compressed_and_resumed(
    places: tuple[Path, Path], compress: Compress, is_restarted: bool
) -> None:
    plain, archive = places
    plain.write_bytes(data_of(BEFORE))
    follower = codex.follow(str(plain), is_detailed=True)
    told = read_all(follower)
    archive.write_bytes(compress(plain.read_bytes()))
    plain.unlink()
    follower = again(follower) if is_restarted else follower
    compressed = read_all(follower)
    plain.write_bytes(data_of([*BEFORE, *AFTER]))
    archive.unlink()
    follower = again(follower) if is_restarted else follower
    resumed = read_all(follower)

    assert len(of(CompactionMarker, told)) == 1
    assert compressed == []
    assert kinds(resumed) == ["PersonMessage", "Request", "CompactionMarker", "Request"]
    assert not any(each.is_history for each in resumed)


def test_what_was_not_read_before_it_was_compressed_is_read_then(
    places: tuple[Path, Path], compress: Compress
) -> None:
    plain, archive = places
    plain.write_bytes(data_of(BEFORE))
    follower = codex.follow(str(plain), is_detailed=True)
    read_all(follower)
    archive.write_bytes(compress(data_of([*BEFORE, *AFTER])))
    plain.unlink()

    for max_bytes in (1 << 20, 100):
        assert kinds(read_all(again(follower), max_bytes)) == [
            "PersonMessage",
            "Request",
            "CompactionMarker",
            "Request",
        ]


@pytest.mark.parametrize("max_bytes", [1 << 20, 200])
@pytest.mark.parametrize("is_restarted", [False, True])
def test_an_archive_that_was_there_before_is_history_and_so_is_what_is_made_of_it(
    places: tuple[Path, Path], compress: Compress, max_bytes: int, is_restarted: bool
) -> None:
    plain, archive = places
    archive.write_bytes(compress(data_of(BEFORE)))
    follower = codex.follow(str(plain), start=archive.stat().st_size, is_detailed=True)
    told = follower.read(max_bytes)
    plain.write_bytes(data_of(BEFORE))
    archive.unlink()
    follower = again(follower) if is_restarted else follower
    told += read_all(follower)
    with plain.open("ab") as file:
        file.write(data_of(AFTER))
    after = read_all(follower)

    assert all(each.is_history for each in told)
    assert kinds(after) == ["PersonMessage", "Request", "CompactionMarker", "Request"]
    assert not any(each.is_history for each in after)


def test_a_damaged_archive_tells_what_is_before_the_damage(tmp_path: Path, compress: Compress) -> None:
    archive = tmp_path / f"{FILE}.zst"
    archive.write_bytes(compress(data_of(BEFORE)) + b"no frame at all")
    follower = codex.follow(str(archive), is_detailed=True)

    assert kinds(read_all(follower))[:1] == ["SessionSeen"]
    assert follower.problem is not None
    assert archive.name in follower.problem


def test_a_torn_archive_is_an_end_and_no_error(tmp_path: Path, compress: Compress) -> None:
    archive = tmp_path / f"{FILE}.zst"
    data = b"".join(data_of([typed(os.urandom(400).hex(), n)]) for n in range(2000))
    packed = compress(data_of(BEFORE) + data)
    archive.write_bytes(packed[: len(packed) // 2])
    follower = codex.follow(str(archive), is_detailed=True)
    told = read_all(follower)

    assert len(of(CompactionMarker, told)) == 1
    assert all(isinstance(each, Skipped) for each in follower.finish())


def test_a_frame_that_wants_much_memory_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / f"{FILE}.zst"
    # Magic number, descriptor, and a window of 2 GiB.
    archive.write_bytes(b"\x28\xb5\x2f\xfd\x00\xa8" + b"\x01\x00\x00")
    if (opened := open_archive(archive)) is None:
        pytest.skip("needs `pip install zstandard`")
    opened.stream.close()
    follower = codex.follow(str(archive), is_detailed=True)

    assert read_all(follower) == []
    assert follower.problem is not None


# Without the package


def test_without_the_package_it_says_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / f"{FILE}.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd")
    archive = Archive(path, opener=lambda _path: None, is_detailed=True)

    assert archive.read() == []
    assert archive.problem == f"{path}: {NO_PACKAGE}"
    assert "pip install zstandard" in NO_PACKAGE


def test_without_the_package_a_thread_that_was_read_while_plain_is_no_problem(
    places: tuple[Path, Path],
) -> None:
    plain, path = places
    plain.write_bytes(data_of(BEFORE))
    follower = codex.follow(str(plain), is_detailed=True)
    read_all(follower)
    path.write_bytes(b"\x28\xb5\x2f\xfd")
    archive = Archive(path, follower.checkpoint(), opener=lambda _path: None, is_detailed=True)

    assert archive.read() == []
    assert archive.problem is None
    assert archive.checkpoint() == follower.checkpoint()


def test_an_archive_that_is_no_file_is_a_problem_and_an_absent_one_is_none(tmp_path: Path) -> None:
    folder = tmp_path / f"{FILE}.zst"
    folder.mkdir()
    archive, absent = (
        Archive(folder, is_detailed=True),
        Archive(tmp_path / "absent.jsonl.zst", is_detailed=True),
    )

    assert archive.read() == absent.read() == []
    assert archive.problem == f"{folder}: not a regular file"
    assert absent.problem is None


def test_a_thread_that_was_only_seen_compressed_begins_at_its_end_when_it_is_resumed(
    compress: Compress, places: tuple[Path, Path]
) -> None:
    plain, archive = places
    archive.write_bytes(compress(data_of(BEFORE)))
    [(name, seen)] = codex.scan(archive.parent).items()
    plain.write_bytes(data_of(BEFORE))
    archive.unlink()

    follower = codex.follow(name, start=seen.size)
    assert all(each.is_history for each in read_all(follower))
    with plain.open("ab") as file:
        file.write(data_of(AFTER))

    assert len(of(CompactionMarker, [each for each in read_all(follower) if not each.is_history])) == 1
