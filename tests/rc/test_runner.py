from __future__ import annotations

import os
import resource
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from laying import living, needs_linux, run, run_python, write

from agentinitd.rc import runner
from agentinitd.rc.launch import Call, ExecError


def test_output_errors_and_exit_code_are_told_apart(call: Call) -> None:
    ended = run(call, "echo out; echo err >&2; exit 7")
    assert (ended.cause, ended.status, ended.stdout, ended.stderr, ended.strays) == (
        "exit",
        7,
        b"out\n",
        b"err\n",
        0,
    )


@needs_linux
def test_a_script_that_is_open_for_writing_is_tried_again(call: Call) -> None:
    """TRU-6."""
    script = write(Path(call.folder) / "S50-x", "#!/bin/sh\necho hello\n")
    with script.open("ab") as writer:
        with pytest.raises(ExecError, match="text file busy"):
            runner.run(replace(call, executable=str(script)), threading.Event())
        threading.Timer(0.015, writer.close).start()
        ended = runner.run(replace(call, executable=str(script)), threading.Event())
    assert ended.stdout == b"hello\n"


def test_a_signal_is_told_as_one(call: Call) -> None:
    assert run(call, "kill -SEGV $$").status == -signal.SIGSEGV


def test_more_output_than_kept_is_counted_to_the_end(call: Call) -> None:
    ended = run_python(call, "print('x' * 99_999)", max_output_bytes=1024)
    assert (len(ended.stdout), ended.stdout_bytes, ended.status) == (1024, 100_000, 0)


def test_of_errors_the_last_part_is_kept(call: Call) -> None:
    """OUT-1."""
    ended = run_python(call, "import sys; sys.stderr.write('x' * 100_000 + 'the end')")
    assert len(ended.stderr) == runner.STDERR_TAIL
    assert ended.stderr.endswith(b"the end")
    assert ended.stderr_bytes == 100_007


@pytest.mark.parametrize("stream", ["1", "2"])
def test_a_flood_on_either_stream_is_ended(call: Call, stream: str) -> None:
    """OUT-5."""
    ended = run(call, f"yes >&{stream}")
    assert ended.cause == "flood"
    assert living(call) == []


def test_time_used_is_told(call: Call) -> None:
    ended = run_python(call, "sum(range(300_000))")
    assert ended.user_seconds + ended.sys_seconds > 0
    assert ended.duration_seconds > 0


@needs_linux
def test_memory_is_the_scripts_own_and_not_that_of_whoever_started_it(call: Call) -> None:
    ours_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    small = run_python(call, "print('x', flush=True); import time; time.sleep(0.1)")
    large = run_python(call, f"x = bytearray({ours_kb + 50_000} * 1024)")
    assert 1000 < small.maxrss_kb < min(ours_kb, 40_000)
    assert large.maxrss_kb > ours_kb + 50_000


def test_the_end_is_known_without_pidfd_too(call: Call) -> None:
    """KIL-3."""
    script = write(Path(call.folder) / "S50-x", "#!/bin/sh\necho hello; exit 3\n")
    ended = runner.run(replace(call, executable=str(script)), threading.Event(), watch_exit=lambda _: None)
    assert (ended.cause, ended.status, ended.stdout) == ("exit", 3, b"hello\n")


def test_what_cannot_be_watched_does_not_run_on(call: Call) -> None:
    def fail(_: int) -> None:
        raise OSError("Too many open files")

    script = write(Path(call.folder) / "S50-x", "#!/bin/sh\nsleep 60\n")
    with pytest.raises(OSError, match="Too many open files"):
        runner.run(replace(call, executable=str(script)), threading.Event(), watch_exit=fail)
    assert living(call) == []


@pytest.mark.usefixtures("adopting")
class TestEnding:
    """At its deadline a script ends, and nothing of it is left, whatever it does."""

    def test_one_that_sleeps_is_terminated(self, call: Call) -> None:
        """KIL-1, KIL-2."""
        ended = run(call, "sleep 60", timeout_seconds=0.1)
        assert (ended.cause, ended.status) == ("timeout", -signal.SIGTERM)
        assert living(call) == []

    def test_one_that_cleans_up_on_term_may_do_so(self, call: Call) -> None:
        body = "trap 'echo bye > bye; exit 0' TERM; sleep 60 & wait"
        ended = run(call, body, timeout_seconds=0.15, kill_grace_seconds=5.0)
        assert (ended.cause, ended.status) == ("timeout", 0)
        assert (Path(call.folder) / "bye").read_text() == "bye\n"
        assert living(call) == []

    def test_one_that_ignores_term_is_killed(self, call: Call) -> None:
        """KIL-2."""
        ended = run(call, "trap '' TERM INT HUP; while :; do sleep 1; done", timeout_seconds=0.5)
        assert (ended.cause, ended.status) == ("timeout", -signal.SIGKILL)
        assert living(call) == []

    def test_one_that_is_stopped_still_gets_its_term(self, call: Call) -> None:
        """KIL-2."""
        ended = run(call, "kill -STOP $$", timeout_seconds=0.1, kill_grace_seconds=5.0)
        assert (ended.cause, ended.status) == ("timeout", -signal.SIGTERM)

    def test_where_signals_are_refused_it_is_gone_when_its_leader_has_exited_and_not_before(
        self, call: Call, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """KIL-5: Darwin refuses to signal a group of zombies."""

        def refuse(*_: object) -> None:
            raise PermissionError

        monkeypatch.setattr(os, "killpg", refuse)
        over = run(call, "exit 3")
        late = run(call, "sleep 0.4; exit 4", timeout_seconds=0.1)

        assert (over.cause, over.status) == ("exit", 3)
        assert (late.cause, late.status) == ("timeout", 4)

    def test_a_tree_of_children_ends_with_it(self, call: Call) -> None:
        body = "trap '' TERM; (sleep 60; echo) & (trap '' TERM; sleep 60; echo) & sleep 60; echo"
        assert run(call, body, timeout_seconds=0.15).cause == "timeout"
        assert living(call) == []

    def test_no_longer_wanted_it_ends_by_the_same_sequence(self, call: Call) -> None:
        script = write(
            Path(call.folder) / "S50-x", "#!/bin/sh\ntrap '' TERM\nsleep 60 & sleep 60; sleep 60\n"
        )
        cancel = threading.Event()
        threading.Timer(0.1, cancel.set).start()
        ended = runner.run(replace(call, executable=str(script)), cancel)
        assert (ended.cause, ended.status) == ("cancelled", -signal.SIGKILL)
        assert living(call) == []
