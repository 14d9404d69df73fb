"""`stop`: asks, signals, and in the end kills; and never anybody else."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

New = Callable[..., Any]


def test_where_nothing_runs_it_is_a_success(new_daemon: New) -> None:
    done = new_daemon().command("stop")

    assert (done.returncode, done.stdout) == (0, "agentinitd was not running.\n")


def test_it_returns_when_the_daemon_is_gone(daemon: Any) -> None:
    done = daemon.command("stop")

    assert (done.returncode, done.stdout) == (0, "agentinitd has stopped.\n")
    assert daemon.process.wait(timeout=1) == 0
    assert daemon.command("status").returncode == 3


def test_one_whose_socket_is_gone_is_stopped_by_a_signal(daemon: Any) -> None:
    (daemon.runtime / "agentinitd.sock").unlink()

    assert daemon.command("stop").returncode == 0
    assert daemon.process.wait(timeout=1) == 0


def test_a_program_that_has_the_pid_of_a_dead_daemon_is_left_alone(daemon: Any) -> None:
    daemon.kill()
    bystander = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    lock = daemon.state_dir / "agentinitd.lock"
    lock.write_text(json.dumps({**json.loads(lock.read_text()), "pid": bystander.pid}))

    assert daemon.command("stop").returncode == 0

    assert bystander.poll() is None
    bystander.communicate(b"\n")


def test_one_that_sleeps_is_woken_up_to_its_end(daemon: Any) -> None:
    daemon.process.send_signal(signal.SIGSTOP)
    stopping = subprocess.Popen(
        [sys.executable, "-P", "-m", "agentinitd", "stop"], env=daemon.environment, stdout=subprocess.PIPE
    )
    try:
        # It has been asked, or is: what it does when it wakes up is stop.
        daemon.process.send_signal(signal.SIGCONT)

        assert stopping.communicate(timeout=20)[0] == b"agentinitd has stopped.\n"
        assert daemon.process.wait(timeout=1) == 0
    finally:
        stopping.kill()
