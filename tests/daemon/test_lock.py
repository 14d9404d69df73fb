"""One daemon per user: the flock decides, the text in the file only informs."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentinitd.daemon.lock import TRIES, Holder, Lock, held, read_holder, this_process
from agentinitd.model.errors import AgentinitdError, AlreadyRunning

TAKE_AND_WAIT = """
import sys
from pathlib import Path
from agentinitd.daemon.lock import Lock, this_process
from agentinitd.model.errors import AlreadyRunning
lock = Lock(Path(sys.argv[1]))
try:
    lock.take()
except AlreadyRunning as error:
    print("refused", error, flush=True)
    sys.exit(error.exit_code)
lock.describe(this_process(version="9", socket="/s"))
print("taken", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agentinitd.lock"


@contextmanager
def other_daemon(path: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", TAKE_AND_WAIT, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "taken\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


class TestTaking:
    def test_the_second_of_two_is_told_who_holds_it(self, path: Path) -> None:
        with other_daemon(path) as other, pytest.raises(AlreadyRunning, match=f"pid {other.pid} holds"):
            Lock(path).take()

    def test_two_in_one_process_are_two_as_well(self, path: Path) -> None:
        first = Lock(path)
        first.take()

        with pytest.raises(AlreadyRunning, match="another process"):
            Lock(path).take()

    def test_of_many_that_start_at_once_exactly_one_gets_it(self, path: Path) -> None:
        started = [
            subprocess.Popen(
                [sys.executable, "-c", TAKE_AND_WAIT, str(path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(4)
        ]
        try:
            said = [process.stdout.readline().split()[0] for process in started if process.stdout]
        finally:
            for process in started:
                process.kill()
                process.communicate()

        assert sorted(said) == ["refused", "refused", "refused", "taken"]

    def test_it_is_free_again_after_kill_9_although_the_file_still_names_the_dead(self, path: Path) -> None:
        """LCK-1, LCK-3."""
        with other_daemon(path) as other:
            pass

        holder = read_holder(path)
        assert holder is not None and holder.pid == other.pid
        assert not holder.is_alive()
        assert held(path) == "free"
        Lock(path).take()

    @pytest.mark.parametrize("is_freed", [True, False])
    def test_a_child_of_the_dead_that_is_not_executed_yet_is_waited_for(
        self, path: Path, is_freed: bool
    ) -> None:
        """LCK-1: `kill -9` while a script begins."""
        path.write_bytes(b'{"pid":999999999,"started":1.0}\n')
        child = os.open(path, os.O_RDWR)
        fcntl.flock(child, fcntl.LOCK_EX)
        pauses: list[float] = []

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            if is_freed and len(pauses) == 3:
                os.close(child)

        lock = Lock(path, pause=pause)
        if is_freed:
            lock.take()
            lock.release()
        else:
            with pytest.raises(AlreadyRunning):
                lock.take()
            os.close(child)
        assert len(pauses) == (3 if is_freed else TRIES)

    def test_a_file_removed_while_it_was_being_locked_is_not_taken_for_the_lock(self, path: Path) -> None:
        """LCK-1: two holders would be possible, one of the removed file and one of the new."""
        asker = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(asker, fcntl.LOCK_SH)

        def remove_and_let_go(_seconds: float) -> None:
            path.unlink(missing_ok=True)
            fcntl.flock(asker, fcntl.LOCK_UN)

        first = Lock(path, pause=remove_and_let_go)
        first.take()
        os.close(asker)

        with pytest.raises(AlreadyRunning):
            Lock(path).take()

    def test_the_lock_of_a_removed_file_does_not_stand_for_the_new_one(self, path: Path) -> None:
        first = Lock(path)
        first.take()
        path.unlink()

        second = Lock(path)
        second.take()

        assert held(path) == "held"

    def test_somebody_who_only_asks_does_not_keep_a_daemon_from_starting(self, path: Path) -> None:
        asker = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(asker, fcntl.LOCK_SH)
        pauses: list[float] = []

        def answered(seconds: float) -> None:
            pauses.append(seconds)
            fcntl.flock(asker, fcntl.LOCK_UN)

        Lock(path, pause=answered).take()

        assert len(pauses) == 1
        assert held(path) == "held"
        os.close(asker)

    def test_somebody_who_never_stops_asking_is_reported_in_the_end(self, path: Path) -> None:
        asker = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(asker, fcntl.LOCK_SH)
        before = open_descriptors()

        with pytest.raises(AlreadyRunning):
            Lock(path, pause=lambda _seconds: None).take()

        assert open_descriptors() == before
        os.close(asker)

    def test_a_link_in_its_place_is_not_followed(self, path: Path, tmp_path: Path) -> None:
        (tmp_path / "victim").write_text("precious")
        path.symlink_to(tmp_path / "victim")

        with pytest.raises(OSError):
            Lock(path).take()

        assert (tmp_path / "victim").read_text() == "precious"

    def test_the_file_is_for_its_owner_alone_and_closed_to_children(self, path: Path) -> None:
        """LCK-2."""
        lock = Lock(path)
        lock.take()
        inode = path.stat().st_ino
        find = (
            "import os, sys\n"
            "for number in range(3, 256):\n"
            "    try: found = os.fstat(number).st_ino\n"
            "    except OSError: continue\n"
            "    if found == int(sys.argv[1]): print(number)\n"
        )

        child = subprocess.run(
            [sys.executable, "-c", find, str(inode)], close_fds=False, stdout=subprocess.PIPE, check=True
        )

        assert path.stat().st_mode & 0o777 == 0o600
        assert child.stdout == b""


class TestDescribing:
    def test_the_holder_describes_itself_for_everybody_to_read(self, path: Path) -> None:
        lock = Lock(path)
        lock.take()
        own = this_process(version="1.2", socket="/run/s")

        lock.describe(own)

        assert read_holder(path) == own
        assert own.pid == os.getpid()
        assert own.is_alive()

    def test_a_shorter_description_leaves_nothing_of_a_longer_one(self, path: Path) -> None:
        lock = Lock(path)
        lock.take()
        lock.describe(Holder(pid=1, started=1.0, version="x" * 1000))
        lock.describe(Holder(pid=2, started=1.0))

        assert read_holder(path) == Holder(pid=2, started=1.0)

    def test_a_clean_end_empties_the_file_and_keeps_it(self, path: Path) -> None:
        lock = Lock(path)
        lock.take()
        lock.describe(this_process(version="1", socket=""))

        lock.release()
        lock.release()

        assert path.read_bytes() == b""
        assert read_holder(path) is None
        assert held(path) == "free"

    def test_taking_and_releasing_leaves_no_descriptor_open(self, path: Path) -> None:
        before = open_descriptors()
        for _ in range(3):
            lock = Lock(path)
            lock.take()
            with pytest.raises(AlreadyRunning):
                Lock(path).take()
            assert held(path) == "held"
            lock.release()

        assert open_descriptors() == before


class TestHolder:
    def test_a_pid_that_belongs_to_somebody_else_by_now_is_not_the_holder(self) -> None:
        """LCK-3."""
        assert not Holder(pid=os.getpid(), started=psutil.Process().create_time() - 1000).is_alive()

    @pytest.mark.parametrize("pid", [-1, 0, 2**22 + 1, 2**31, 2**63, 2**70])
    def test_a_pid_that_nobody_can_have_is_dead(self, pid: int) -> None:
        assert not Holder(pid=pid, started=1.0).is_alive()

    @pytest.mark.parametrize(
        "data", [b"", b"123\n", b"{}", b'{"pid": "1", "started": 1}', b'{"pid": 1', b"\xff\x00", b"[]"]
    )
    def test_a_file_without_a_description_names_nobody(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)

        assert read_holder(path) is None

    @settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    @given(data=st.binary(max_size=200))
    def test_no_bytes_in_the_file_keep_a_daemon_from_starting(self, path: Path, data: bytes) -> None:
        path.write_bytes(data)
        lock = Lock(path)

        lock.take()
        lock.describe(this_process(version="1", socket=""))
        lock.release()

        assert read_holder(path) is None

    def test_a_description_from_a_newer_version_is_understood(self, path: Path) -> None:
        path.write_bytes(b'{"pid": 7, "started": 2.5, "boot": "x", "version": "99"}')

        assert read_holder(path) == Holder(pid=7, started=2.5, version="99")


class TestAsking:
    def test_an_absent_file_is_free_and_is_not_made(self, path: Path) -> None:
        assert held(path) == "free"
        assert not path.exists()

    def test_what_cannot_be_asked_is_unknown(self, path: Path) -> None:
        path.symlink_to("/nowhere")

        assert held(path) == "unknown"

    def test_two_who_ask_do_not_take_each_other_for_the_daemon(self, path: Path) -> None:
        asker = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(asker, fcntl.LOCK_SH)

        assert held(path) == "free"
        os.close(asker)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_named_with_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """LCK-1."""

    def refuse(_descriptor: int, _operation: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)
    with pytest.raises(AgentinitdError, match="its file system has no locks") as refused:
        Lock(tmp_path / "lock").take()

    assert "Set XDG_STATE_HOME" in str(refused.value)
    assert held(tmp_path / "lock") == "unknown"
