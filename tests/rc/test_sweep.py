from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from laying import RUN_ID, living, needs_linux, run, run_python, write

from agentinitd.rc import runner, sweep
from agentinitd.rc.launch import Call
from agentinitd.rc.runner import Ended


@pytest.mark.usefixtures("adopting")
class TestStrays:
    """The end of a script is the exit of its process; what it leaves behind is ended."""

    def test_a_child_that_holds_the_pipe_is_not_waited_for(self, call: Call) -> None:
        """KIL-4, EXE-13."""
        began = time.monotonic()
        ended = run(call, "echo hello; sleep 60 & exit 0")
        assert (ended.cause, ended.status, ended.stdout) == ("exit", 0, b"hello\n")
        assert time.monotonic() - began < 30
        assert ended.strays == 1
        assert living(call) == []

    def test_what_a_child_writes_soon_after_the_exit_is_still_read(self, call: Call) -> None:
        """KIL-4."""
        ended = run(call, "(sleep 0.1; echo late) & echo early; exit 0", drain_seconds=5.0)
        assert ended.stdout == b"early\nlate\n"
        assert ended.strays == 0

    def test_a_daemon_with_its_own_session_and_no_pipes_is_ended(self, call: Call) -> None:
        """KIL-6."""
        body = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for n in range(3): os.close(n)
        open('up', 'w').close()
        time.sleep(60)
    os._exit(0)
while not os.path.exists('up'): time.sleep(0.01)
print('started')
"""
        ended = run_python(call, body)
        assert (ended.status, ended.stdout, ended.strays) == (0, b"started\n", 1)
        assert living(call) == []

    def test_children_of_other_parts_of_this_process_are_left_alone(self, call: Call) -> None:
        """KIL-7: nobody waits for all children."""
        pid = os.spawnv(os.P_NOWAIT, "/bin/sleep", ["sleep", "60"])
        try:
            assert run(call, "exit 0").strays == 0
            assert os.waitpid(pid, os.WNOHANG) == (0, 0)
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)

    def test_scripts_of_another_run_are_left_alone(self, call: Call) -> None:
        other = replace(
            call, run_id=f"{RUN_ID}-other", environment={**call.environment, sweep.COOKIE: f"{RUN_ID}-other"}
        )
        ends: list[Ended] = []
        script = write(
            Path(call.folder) / "S60-long", "#!/bin/sh\n(sleep 0.3; echo helper) &\nsleep 0.5; echo main\n"
        )
        thread = threading.Thread(
            target=lambda: ends.append(runner.run(replace(other, executable=str(script)), threading.Event()))
        )
        thread.start()
        for _ in range(5):
            assert run(call, "sleep 30 & exit 0", drain_seconds=0.01).strays == 1
        thread.join()
        assert [(end.status, end.stdout) for end in ends] == [(0, b"helper\nmain\n")]

    def test_no_zombies_are_left(self, call: Call) -> None:
        run(call, "sleep 60 & sleep 0.01 & exit 0")
        zombies = [
            child
            for child in psutil.Process().children()
            if child.status() == psutil.STATUS_ZOMBIE and child.name() in ("sleep", "sh", "S50-x")
        ]
        assert zombies == []

    @needs_linux
    def test_one_that_also_cleared_its_environment_is_found_by_descent(self, call: Call) -> None:
        assert sweep.become_subreaper()
        try:
            body = """
import os, time
if os.fork() == 0:
    os.setsid()
    os.execve('/bin/sleep', ['sleep', '61.75'], {})
time.sleep(0.1)
"""
            assert run_python(call, body).strays == 1
        finally:
            ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)
        assert not [one for one in psutil.process_iter(["cmdline"]) if "61.75" in (one.info["cmdline"] or ())]


def test_what_a_dead_instance_left_is_ended_at_start() -> None:
    """KIL-8."""
    dead = os.spawnve(os.P_NOWAIT, "/bin/sleep", ["sleep", "60"], {sweep.COOKIE: f"{RUN_ID}.dead-17"})
    live = os.spawnve(os.P_NOWAIT, "/bin/sleep", ["sleep", "60"], {sweep.COOKIE: f"{RUN_ID}.live-1"})
    try:
        deadline = time.monotonic() + 5
        while sweep.COOKIE not in psutil.Process(live).environ() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert sweep.end_by_cookie(lambda cookie: cookie.startswith(f"{RUN_ID}.dead-")) == 1
        assert os.waitstatus_to_exitcode(os.waitpid(dead, 0)[1]) == -signal.SIGKILL
        assert os.waitpid(live, os.WNOHANG) == (0, 0)
    finally:
        os.kill(live, signal.SIGKILL)
        os.waitpid(live, 0)
