"""The daemon from outside: whether it runs, and that no signal ever reaches another program."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from agentinitd.daemon import launch
from agentinitd.daemon.lock import Lock, this_process
from agentinitd.daemon.paths import Places
from agentinitd.model.errors import AgentinitdError, AlreadyRunning, PermissionRefused


@pytest.fixture
def places(home: Path) -> Places:
    made = Places.from_environment({"HOME": str(home), "AGENTINITD_RUNTIME_DIR": str(home / "run")})
    made.state_dir.mkdir(parents=True, mode=0o700)
    return made


# A process that holds the lock as a daemon does, and ends as it likes.
HOLDER = """
import fcntl, json, os, sys, time
file = open(sys.argv[1], "w")
fcntl.flock(file, fcntl.LOCK_EX)
import psutil
file.write(json.dumps({"pid": os.getpid(), "started": psutil.Process().create_time()}))
file.flush()
print("ready", flush=True)
time.sleep(60)
"""


@pytest.fixture
def holder(places: Places) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(places.lock_file)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    yield process
    process.kill()
    process.communicate()


class TestRunning:
    def test_nothing_runs_where_nothing_ever_did(self, home: Path) -> None:
        assert launch.running(Places.from_environment({"HOME": str(home / "nobody")})) is None

    def test_a_file_that_nobody_holds_means_nothing(self, places: Places) -> None:
        places.lock_file.write_text(
            json.dumps({"pid": os.getpid(), "started": psutil.Process().create_time()})
        )

        assert launch.running(places) is None

    def test_who_holds_the_lock_runs(self, places: Places, holder: subprocess.Popen[str]) -> None:
        found = launch.running(places)

        assert found is not None
        assert found.pid == holder.pid


class TestStop:
    def test_one_that_does_not_listen_is_signalled(
        self, places: Places, holder: subprocess.Popen[str]
    ) -> None:
        assert launch.stop(places) is True

        assert holder.wait(timeout=5) == -signal.SIGTERM

    def test_a_lock_that_says_the_pid_of_somebody_else_costs_him_nothing(
        self, places: Places, holder: subprocess.Popen[str]
    ) -> None:
        bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
        places.lock_file.write_text(json.dumps({"pid": bystander.pid, "started": 1.0}))

        with pytest.raises(AgentinitdError, match=rf"pid {bystander.pid}\) does not end"):
            launch.stop(places, patience_seconds=0.1)

        assert bystander.poll() is None
        assert holder.poll() is None
        bystander.communicate(b"\n")

    def test_where_nothing_runs_there_is_nothing_to_stop(self, places: Places) -> None:
        assert launch.stop(places) is False


class TestStart:
    def test_while_another_holds_the_lock_it_says_who(
        self, places: Places, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("AGENTINITD_RUNTIME_DIR", str(places.runtime_dir))
        lock = Lock(places.lock_file)
        lock.take()
        lock.describe(this_process(version="x", socket=""))
        try:
            with pytest.raises(AlreadyRunning, match=f"pid {os.getpid()}"):
                launch.start_in_background(places)
        finally:
            lock.release()

    def test_a_state_that_cannot_be_written_is_named(self, home: Path) -> None:
        (home / ".local").write_text("a file")

        with pytest.raises(AgentinitdError, match=r"cannot be written: .*XDG_STATE_HOME"):
            launch.start_in_background(Places.from_environment({"HOME": str(home)}))

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
    def test_a_home_that_is_not_ours_to_write_is_told_by_its_own_exit_code(self, home: Path) -> None:
        home.chmod(0o500)

        with pytest.raises(PermissionRefused, match="cannot be written"):
            launch.start_in_background(Places.from_environment({"HOME": str(home)}))

    def test_something_in_place_of_its_error_file_is_named(self, places: Places) -> None:
        (places.state_dir / "start.err").mkdir()

        with pytest.raises(AgentinitdError, match=r"start\.err"):
            launch.start_in_background(places)


def test_a_starter_that_came_second_failed_at_nothing(places: Places) -> None:
    said = places.state_dir / "start.err"
    said.write_text("agentinitd: agentinitd is already running (pid 7 holds /x). Use `agentinitd restart`.\n")
    assert launch.said_at_start(places) == ""

    said.write_text("noise\nagentinitd: The daemon cannot run: no room.\n")
    assert launch.said_at_start(places) == "The daemon cannot run: no room."
