"""A daemon that was forked is told from one that was executed by nothing that its starter sees."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from nursery import can_bear

New = Callable[[], Any]


@pytest.fixture(params=[False, True], ids=["forked", "executed"])
def made(request: pytest.FixtureRequest, new_daemon: New) -> Any:
    """A daemon of each kind, not started yet."""
    daemon = new_daemon()
    daemon.is_executed = request.param
    return daemon


def test_one_that_cannot_start_says_why(made: Any) -> None:
    made.state_dir.parent.mkdir(parents=True)
    made.state_dir.write_text("no folder")

    with pytest.raises(AssertionError, match=rf"agentinitd: .*{made.state_dir}"):
        made.start()
    assert made.process.returncode == 4


def test_one_that_runs_ends_as_it_is_told(made: Any) -> None:
    made.start()
    process = made.process
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=0.01)
    assert process.poll() is None

    process.send_signal(signal.SIGKILL)

    assert process.communicate(timeout=20) == (None, b"")
    assert process.poll() == process.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("more", "is_plain"),
    [
        ({}, True),
        ({"AGENTINITD_NO_AUTOSTART": "1", "XDG_STATE_HOME": "/s"}, True),
        ({"PYTHONPATH": "/p"}, False),
        ({"LANG": "C"}, False),
        ({"MALLOC_MMAP_THRESHOLD_": "9"}, False),
    ],
)
def test_one_whose_interpreter_is_to_begin_differently_is_executed(
    more: dict[str, str], is_plain: bool
) -> None:
    assert can_bear({"HOME": "/h", "PATH": "/bin", "LANG": "C.UTF-8", **more}) is is_plain
