"""The rebuild log: whole lines of JSON, whatever the disk, a kill or a log rotator does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentinitd.daemon.logs import LINE_LIMIT_BYTES, LogFile, RebuildLog, timestamp

FULL_DISK = """
import resource, sys
from pathlib import Path
from agentinitd.daemon.logs import LogFile, RebuildLog
file = LogFile(Path(sys.argv[1]), limit_bytes=10**6, files=3)
log = RebuildLog(file, instance="i", wall=lambda: 0.0, monotonic=lambda: 0.0)
def limit(size):
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
limit(4096)
for number in range(60):
    log.info("script.end", number=number)
limit(resource.RLIM_INFINITY)
log.info("script.end", number=60)
log.info("script.end", number=61)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rebuild.log"


def open_log(path: Path, *, limit_bytes: int = 1024 * 1024, files: int = 5) -> RebuildLog:
    file = LogFile(path, limit_bytes=limit_bytes, files=files)
    return RebuildLog(file, instance="i-1", wall=lambda: 1.5, monotonic=lambda: 2.25)


@pytest.fixture
def log(path: Path) -> Iterator[RebuildLog]:
    made = open_log(path)
    yield made
    made.close()


def records(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    assert data.endswith(b"\n") or not data
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


class TestRecords:
    def test_each_has_the_fields_that_readers_rely_on(self, log: RebuildLog, path: Path) -> None:
        log.warning("config.error", file="x.yaml")

        assert records(path) == [
            {
                "ts": "1970-01-01T00:00:01.500000Z",
                "mono": 2.25,
                "level": "warning",
                "event": "config.error",
                "instance": "i-1",
                "pid": os.getpid(),
                "v": 1,
                "file": "x.yaml",
            }
        ]

    def test_the_three_levels_are_all_written(self, log: RebuildLog, path: Path) -> None:
        log.info("a")
        log.warning("b")
        log.error("c")

        assert [(each["level"], each["event"]) for each in records(path)] == [
            ("info", "a"), ("warning", "b"), ("error", "c"),
        ]  # fmt: skip

    def test_a_record_is_one_line_whatever_its_texts_hold(self, log: RebuildLog, path: Path) -> None:
        text = "line\nnext\r\x00\x1b[31m\u2028\x85 约束 \udcff"

        log.info("script.end", err_tail=text, path=Path("/p"), names=("a", "b"))

        found = records(path)[0]
        assert found["err_tail"] == text.replace("\udcff", "?")
        assert (found["path"], found["names"]) == ("/p", ["a", "b"])

    def test_the_file_is_for_its_owner_alone(self, log: RebuildLog, path: Path) -> None:
        log.info("a")

        assert path.stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize("character", ["x", "约", "\U0001f600", '"', "\x01"])
    @pytest.mark.parametrize("length", [2000, 8000, 8192, 100_000])
    def test_a_giant_text_is_cut_and_the_record_stays_whole(
        self, log: RebuildLog, path: Path, character: str, length: int
    ) -> None:
        log.info("script.end", script="S10-constraints", err_tail=character * length, exit=1)

        found = records(path)[0]
        assert path.stat().st_size <= LINE_LIMIT_BYTES
        assert (found["script"], found["exit"]) == ("S10-constraints", 1)
        assert found["err_tail"].startswith(character * 100)

    def test_a_giant_list_is_cut(self, log: RebuildLog, path: Path) -> None:
        log.info("run.end", scripts=[{"name": f"S{n}", "result": "ok"} for n in range(1000)], result="ok")

        assert records(path)[0]["result"] == "ok"
        assert path.stat().st_size <= LINE_LIMIT_BYTES

    def test_of_a_record_with_too_many_fields_the_head_is_kept(self, log: RebuildLog, path: Path) -> None:
        log.info("odd", **{f"field_{number}": number for number in range(2000)})

        found = records(path)[0]
        assert (found["event"], found["instance"], found["shortened"]) == ("odd", "i-1", True)
        assert path.stat().st_size <= LINE_LIMIT_BYTES

    @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(
        fields=st.dictionaries(
            st.from_regex(r"f_[a-z]{1,5}", fullmatch=True),
            st.text(max_size=4000) | st.integers() | st.lists(st.text()),
            max_size=8,
        )
    )
    def test_any_fields_give_one_valid_line_of_bounded_length(
        self, log: RebuildLog, path: Path, fields: dict[str, Any]
    ) -> None:
        before = path.stat().st_size if path.exists() else 0

        log.info("any", **fields)

        line = path.read_bytes()[before:]
        assert line.count(b"\n") == 1
        assert len(line) <= LINE_LIMIT_BYTES
        assert json.loads(line)["event"] == "any"


class TestListeners:
    def test_a_listener_gets_each_line_until_it_ends(self, log: RebuildLog, path: Path) -> None:
        heard: list[bytes] = []
        end = log.listen(heard.append)
        log.info("a")
        end()
        end()
        log.info("b")

        assert heard == [path.read_bytes().split(b"\n")[0]]

    def test_a_listener_may_end_while_it_is_called(self, log: RebuildLog) -> None:
        heard: list[bytes] = []
        ends = [log.listen(lambda _line: ends[0]()), log.listen(heard.append)]

        log.info("a")
        log.info("b")

        assert len(heard) == 2

    def test_listeners_hear_also_what_the_disk_does_not_take(self, log: RebuildLog, path: Path) -> None:
        path.mkdir()
        heard: list[bytes] = []
        log.listen(heard.append)

        log.info("a")

        assert [json.loads(line)["event"] for line in heard] == ["a"]


class TestRotation:
    def test_size_and_number_of_files_stay_bounded_and_the_newest_records_are_kept(self, path: Path) -> None:
        """LOG-1."""
        log = open_log(path, limit_bytes=4096, files=3)
        for number in range(300):
            log.info("n", number=number)
        log.close()

        files = sorted(path.parent.glob("rebuild.log*"))
        assert [file.name for file in files] == ["rebuild.log", "rebuild.log.1", "rebuild.log.2"]
        assert all(0 < file.stat().st_size <= 4096 for file in files)
        kept = [each["number"] for file in reversed(files) for each in records(file)]
        assert kept == list(range(kept[0], 300))

    def test_a_single_file_starts_over(self, path: Path) -> None:
        log = open_log(path, limit_bytes=4096, files=1)
        for number in range(100):
            log.info("n", number=number)
        log.close()

        assert [file.name for file in path.parent.glob("rebuild.log*")] == ["rebuild.log"]
        assert records(path)[-1]["number"] == 99

    def test_a_record_longer_than_a_whole_file_pushes_no_empty_file_ahead(self, path: Path) -> None:
        log = open_log(path, limit_bytes=4096, files=3)
        for _ in range(3):
            log.info("long", text="x" * 2000 + "y", more="z" * 2500)
        log.close()

        assert all(file.stat().st_size for file in path.parent.glob("rebuild.log*"))

    def test_a_gap_among_the_old_files_does_no_harm(self, path: Path) -> None:
        log = open_log(path, limit_bytes=4096, files=4)
        for number in range(200):
            log.info("n", number=number)
        path.with_name("rebuild.log.2").unlink()
        for number in range(200, 400):
            log.info("n", number=number)
        log.close()

        assert records(path)[-1]["number"] == 399

    def test_a_restart_goes_on_in_the_same_file(self, path: Path) -> None:
        for number in range(3):
            log = open_log(path)
            log.info("n", number=number)
            log.close()

        assert [each["number"] for each in records(path)] == [0, 1, 2]


class TestOthersTouchTheFile:
    def test_after_a_rename_the_next_record_goes_into_a_new_file(self, log: RebuildLog, path: Path) -> None:
        log.info("a")
        path.rename(path.with_name("rotated"))
        log.info("b")

        assert [each["event"] for each in records(path.with_name("rotated"))] == ["a"]
        assert [each["event"] for each in records(path)] == ["b"]

    def test_after_a_rename_with_create_the_created_file_is_used(self, log: RebuildLog, path: Path) -> None:
        """LOG-2."""
        log.info("a")
        path.rename(path.with_name("rotated"))
        path.touch(mode=0o600)
        log.info("b")

        assert [each["event"] for each in records(path)] == ["b"]

    def test_after_a_removal_it_is_made_again(self, log: RebuildLog, path: Path) -> None:
        log.info("a")
        path.unlink()
        log.info("b")

        assert [each["event"] for each in records(path)] == ["b"]

    def test_a_truncated_file_is_written_from_its_start(self, log: RebuildLog, path: Path) -> None:
        log.info("a")
        os.truncate(path, 0)
        log.info("b")

        assert [each["event"] for each in records(path)] == ["b"]

    def test_a_link_in_its_place_is_not_written_through(self, log: RebuildLog, path: Path) -> None:
        victim = path.with_name("victim")
        victim.write_text("precious")
        path.symlink_to(victim)

        log.info("a")

        assert victim.read_text() == "precious"

    def test_reopening_loses_nothing(self, log: RebuildLog, path: Path) -> None:
        log.info("a")
        log.reopen()
        log.info("b")

        assert [each["event"] for each in records(path)] == ["a", "b"]


class TestWhatTheDiskRefuses:
    def test_a_piece_that_a_kill_left_is_taken_away_and_told(self, path: Path) -> None:
        path.write_bytes(b'{"event": "whole"}\n{"event": "to')

        log = open_log(path)
        log.info("next")
        log.close()

        assert [each["event"] for each in records(path)] == ["whole", "next", "log.dropped"]
        assert records(path)[-1]["lost"] == 1

    def test_a_first_record_that_was_torn_leaves_an_empty_file(self, path: Path) -> None:
        path.write_bytes(b'{"event": "to')

        log = open_log(path)
        log.info("next")
        log.close()

        assert [each["event"] for each in records(path)] == ["next", "log.dropped"]

    def test_a_long_line_of_somebody_else_is_left_on_a_line_of_its_own(self, path: Path) -> None:
        path.write_bytes(b"#" * 20_000)

        log = open_log(path)
        log.info("next")
        log.close()

        first, second, *_ = path.read_bytes().split(b"\n")
        assert first == b"#" * 20_000
        assert json.loads(second)["event"] == "next"

    def test_records_are_counted_while_they_cannot_be_written_and_the_count_is_told_once(
        self, log: RebuildLog, path: Path
    ) -> None:
        """LOG-3."""
        log.info("before")
        path.unlink()
        path.mkdir()
        for _ in range(10):
            log.info("lost")
        path.rmdir()

        log.info("after")
        log.info("later")

        found = records(path)
        assert [each["event"] for each in found] == ["after", "log.dropped", "later"]
        assert found[1]["lost"] == 10

    def test_a_full_disk_tears_no_line_and_hides_no_loss(self, path: Path) -> None:
        subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], check=True)

        found = records(path)
        numbers = [each["number"] for each in found if each["event"] == "script.end"]
        lost = [each["lost"] for each in found if each["event"] == "log.dropped"]
        kept = len(numbers) - 2
        assert numbers == [*range(kept), 60, 61]
        assert 0 < kept < 60
        assert lost == [60 - kept]

    def test_writing_leaves_one_descriptor_open_and_closing_none(self, path: Path) -> None:
        before = len(list(Path("/dev/fd").iterdir()))
        log = open_log(path, limit_bytes=4096, files=3)
        for number in range(100):
            log.info("n", number=number)
        path.rename(path.with_name("away"))
        path.mkdir()
        log.info("lost")
        path.rmdir()
        log.info("n", number=1)

        assert len(list(Path("/dev/fd").iterdir())) == before + 1
        log.close()
        assert len(list(Path("/dev/fd").iterdir())) == before


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "1970-01-01T00:00:00.000000Z"),
        (1_795_946_400.25, "2026-11-29T10:00:00.250000Z"),
        (-1.0, "1969-12-31T23:59:59.000000Z"),
    ],
)
def test_a_timestamp_is_utc_with_microseconds_always(seconds: float, text: str) -> None:
    assert timestamp(seconds) == text
