"""The log for people and for programs: the last lines, and what is added from now on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentinitd.cli.logs import Follower, last_lines, logs


def record(number: int, **fields: object) -> bytes:
    head = {"ts": "2026-11-29T10:00:00.000000Z", "mono": 1.0, "level": "info", "event": "trigger", "v": 1}
    return json.dumps({**head, "reason": f"n{number}", **fields}).encode() + b"\n"


def rotate(path: Path) -> None:
    for number in range(8, 0, -1):
        older = path.with_name(f"{path.name}.{number}")
        newer = path.with_name(f"{path.name}.{number - 1}") if number > 1 else path
        if newer.exists():
            newer.replace(older)


class TestLastLines:
    def test_it_reaches_back_into_rotated_files_in_their_order(self, tmp_path: Path) -> None:
        path = tmp_path / "rebuild.log"
        for name, numbers in (("rebuild.log.2", (1, 2)), ("rebuild.log.1", (3,)), ("rebuild.log", (4, 5))):
            (tmp_path / name).write_bytes(b"".join(f"{number}\n".encode() for number in numbers))
        (tmp_path / "rebuild.log.old").write_bytes(b"9\n")

        assert last_lines(path, 4) == [b"2", b"3", b"4", b"5"]
        assert last_lines(path, 0) == []
        assert last_lines(path, 100) == [b"1", b"2", b"3", b"4", b"5"]

    def test_ten_come_after_nine(self, tmp_path: Path) -> None:
        for number in range(1, 12):
            (tmp_path / f"l.{number}").write_bytes(f"{number}\n".encode())

        assert last_lines(tmp_path / "l", 100)[0] == b"11"

    def test_an_absent_log_has_none(self, tmp_path: Path) -> None:
        assert last_lines(tmp_path / "absent", 5) == []


class TestFollower:
    def read(self, follower: Follower) -> list[bytes]:
        return list(follower.read())

    def test_only_what_is_added_and_only_whole_lines(self, tmp_path: Path) -> None:
        path = tmp_path / "l"
        path.write_bytes(b"old\n")
        follower = Follower(path)
        with path.open("ab", buffering=0) as file:
            file.write(b"one\ntw")
            assert self.read(follower) == [b"one"]
            file.write(b"o\n")

            assert self.read(follower) == [b"two"]

    def test_it_goes_over_to_the_new_file_when_the_log_is_rotated(self, tmp_path: Path) -> None:
        """LOG-6."""
        path = tmp_path / "l"
        path.write_bytes(b"old\n")
        follower = Follower(path)
        with path.open("ab") as file:
            file.write(b"last of the old\n")
        path.rename(tmp_path / "l.1")
        path.write_bytes(b"first of the new\n")

        assert self.read(follower) == [b"last of the old", b"first of the new"]

    def test_two_rotations_between_two_looks_lose_nothing(self, tmp_path: Path) -> None:
        path = tmp_path / "l"
        path.write_bytes(b"old\n")
        follower = Follower(path)
        (tmp_path / "l.1").write_bytes(b"long ago\n")
        for number in range(3):
            with path.open("ab") as file:
                file.write(f"{number}\n".encode())
            rotate(path)
        path.write_bytes(b"3\n")

        assert self.read(follower) == [b"0", b"1", b"2", b"3"]
        assert self.read(follower) == []

    def test_when_the_followed_file_itself_was_rotated_away_it_goes_on_with_the_oldest_that_is_left(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "l"
        path.write_bytes(b"old\n")
        os.utime(path, ns=(1, 1))
        follower = Follower(path)
        for number in range(3):
            rotate(path)
            path.write_bytes(f"{number}\n".encode())
        (tmp_path / "l.3").unlink()

        assert self.read(follower) == [b"0", b"1", b"2"]

    def test_a_log_that_was_replaced_by_hand_brings_no_older_records_back(self, tmp_path: Path) -> None:
        path = tmp_path / "l"
        (tmp_path / "l.1").write_bytes(b"long ago\n")
        os.utime(tmp_path / "l.1", ns=(1, 1))
        path.write_bytes(b"old\n")
        follower = Follower(path)
        path.unlink()
        path.write_bytes(b"new\n")

        assert self.read(follower) == [b"new"]

    def test_it_waits_for_a_log_that_is_not_there_yet(self, tmp_path: Path) -> None:
        follower = Follower(tmp_path / "l")
        assert self.read(follower) == []
        (tmp_path / "l").write_bytes(b"one\n")

        assert self.read(follower) == [b"one"]

    def test_a_log_that_was_cut_is_read_from_its_top(self, tmp_path: Path) -> None:
        path = tmp_path / "l"
        path.write_bytes(b"a long line of old\n")
        follower = Follower(path)
        path.write_bytes(b"new\n")

        assert self.read(follower) == [b"new"]

    def test_a_log_that_is_removed_for_a_while(self, tmp_path: Path) -> None:
        path = tmp_path / "l"
        path.touch()
        follower = Follower(path)
        path.unlink()
        assert self.read(follower) == []
        path.write_bytes(b"back\n")

        assert self.read(follower) == [b"back"]


class TestCommand:
    @pytest.fixture
    def written(self, new_daemon: Callable[[], Any]) -> Any:
        """A log, and no daemon."""
        daemon = new_daemon()
        daemon.state_dir.mkdir(parents=True)
        log = daemon.state_dir / "rebuild.log"
        log.write_bytes(
            b"".join(record(number) for number in range(30))
            + record(30, error="a\nb\x1b[31m", level="error")
            + b'{"torn\n[1]\n{"event": "no more"}\n\xff\xfe\n'
        )
        return daemon

    def test_each_record_is_one_line_for_people(self, written: Any) -> None:
        done = written.command("logs", "-n", "8")

        assert done.returncode == 0
        shown = done.stdout.splitlines()
        assert len(shown) == 8
        assert "trigger  n29" in shown[2]
        assert "ERROR trigger" in shown[3]
        assert "a b" in shown[3]
        assert "\x1b" not in done.stdout

    def test_as_json_they_are_as_they_were_written(self, written: Any) -> None:
        done = written.command("logs", "--json", "-n", "6")

        assert json.loads(done.stdout.splitlines()[0])["reason"] == "n29"

    def test_no_value_is_shown_as_python_holds_it(self, home: Path) -> None:
        log = home / ".local" / "state" / "agentinitd" / "rebuild.log"
        log.parent.mkdir(parents=True)
        fields = {
            "catchup": True,
            "flags": ["cached", "last-good"],
            "causes": [{"trigger": "drop", "turn": None}],
        }
        log.write_bytes(record(1, **fields, result=["one", "two"]))

        shown = CliRunner().invoke(logs).output

        assert shown.rstrip().endswith(
            "one,two  n1  catchup=yes flags=cached,last-good causes=trigger:drop,turn:-"
        )

    def test_without_a_log_it_says_so(self, new_daemon: Callable[[], Any]) -> None:
        done = new_daemon().command("logs")

        assert done.returncode == 0
        assert done.stdout == ""
        assert "has not run" in done.stderr

    def test_following_prints_what_is_added_and_ends_quietly(self, written: Any) -> None:
        log = written.state_dir / "rebuild.log"
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "agentinitd", "logs", "-f", "-n", "1", "--json"],
            env=written.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stdout.readline().strip()
        with log.open("ab") as file:
            file.write(record(99))
        assert json.loads(process.stdout.readline())["reason"] == "n99"

        process.send_signal(signal.SIGINT)

        assert process.communicate(timeout=10) == (b"", b"")
        assert process.returncode in (0, 130)

    def test_a_reader_that_leaves_is_no_error(self, written: Any) -> None:
        """LOG-6."""
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as closed:
            done = subprocess.run(
                [sys.executable, "-P", "-m", "agentinitd", "logs", "-n", "1000"],
                env=written.environment,
                stdout=closed,
                stderr=subprocess.PIPE,
                check=False,
            )

        assert (done.returncode, done.stderr) == (0, b"")
