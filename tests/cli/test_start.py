"""`start` in the background: once, ready when it returns, and with the daemon's own words when it cannot."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import psutil
import pytest

New = Callable[..., Any]


@pytest.fixture
def stopped(new_daemon: New) -> Iterator[Any]:
    """A home whose daemon, if a test starts one, is stopped in the end."""
    daemon = new_daemon()
    yield daemon
    daemon.command("stop")


def pid_of(daemon: Any) -> int:
    return int(json.loads((daemon.state_dir / "agentinitd.lock").read_text())["pid"])


def test_it_is_ready_when_the_command_returns(stopped: Any) -> None:
    """DMN-2."""
    done = stopped.command("start")

    assert (done.returncode, done.stderr) == (0, "")
    assert f"is running (pid {pid_of(stopped)})" in done.stdout
    assert stopped.ask("GET", "/v1/status")[0] == 200


def test_a_second_start_is_a_success_that_starts_nothing(stopped: Any) -> None:
    """DMN-2."""
    stopped.command("start")
    first = pid_of(stopped)

    again = stopped.command("start")

    assert again.returncode == 0
    assert f"already running (pid {first})" in again.stdout
    assert pid_of(stopped) == first


def test_the_daemon_holds_nothing_of_its_starter(stopped: Any) -> None:
    stopped.project.joinpath("agentinitd.py").write_text("raise SystemExit('the project was imported')")
    # Whoever waits for the end of our output must not wait for the daemon (supervision.md DMN-3).
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "agentinitd", "start"],
        env=stopped.environment,
        cwd=stopped.project,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    assert select.select([process.stdout], [], [], 20)[0]
    assert b"is running" in process.communicate(timeout=5)[0]

    daemon = psutil.Process(pid_of(stopped))
    assert daemon.cwd() == "/"
    assert os.getsid(daemon.pid) == daemon.pid
    assert {file.path for file in daemon.open_files()} <= {
        str(stopped.state_dir / name)
        for name in ("agentinitd.lock", "start.err", "rebuild.log", "stacks.log")
    }


def test_what_the_daemon_says_when_it_cannot_start_is_what_the_command_says(stopped: Any) -> None:
    (stopped.runtime / "agentinitd.sock").write_text("mine")

    done = stopped.command("start")

    assert done.returncode == 1
    assert str(stopped.runtime / "agentinitd.sock") in done.stderr
    assert stopped.command("status").returncode == 3


def test_a_full_life(stopped: Any) -> None:
    for _ in range(2):
        assert stopped.command("start").returncode == 0
        assert stopped.command("stop").returncode == 0
    assert stopped.command("status").returncode == 3
