"""The stacks of all threads, told while they go on."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

from agentinitd.daemon.stacks import Stacks


def _dig(depth: int) -> int:
    return 0 if depth == 0 else 1 + _dig(depth - 1)


def test_threads_that_go_on_are_told_again_and_again(tmp_path: Path) -> None:
    """DMN-6: a look at them from outside of the interpreter ended the process now and then."""
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            _dig(20)

    before = signal.getsignal(signal.SIGUSR2)
    stacks = Stacks(tmp_path / "stacks.log")
    threads = [threading.Thread(target=work, name=f"digs {number}") for number in range(2)]
    try:
        for thread in threads:
            thread.start()
        for _ in range(20):
            os.kill(os.getpid(), signal.SIGUSR2)
    finally:
        over.set()
        for thread in threads:
            thread.join()
        stacks.close()
        signal.signal(signal.SIGUSR2, before)

    told = (tmp_path / "stacks.log").read_text()
    assert all(f"Thread {thread.name} (most recent call first):" in told for thread in threads)
    assert " in _dig\n" in told
    assert "Thread MainThread (most recent call first):\n" in told
    assert " in test_threads_that_go_on_are_told_again_and_again\n" in told
