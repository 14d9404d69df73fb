"""The lock is waited for as long as it goes round; only one that never lets go makes others give up."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agentinitd.memory.locking import LOCK_NAME, locked
from agentinitd.model.errors import MemoryRefused

WAIT_SECONDS = 0.05


@pytest.fixture
def held(new_project: Callable[..., Path]) -> Callable[[Callable[[int, Path], bool]], None]:
    """Waits for a lock that somebody else holds; `tell(number, lock)` is asked at each pause: let go now?"""
    project = new_project("shop")

    def wait(tell: Callable[[int, Path], bool]) -> None:
        is_held, is_let_go = threading.Event(), threading.Event()

        def hold() -> None:
            with locked(project):
                is_held.set()
                is_let_go.wait(20)

        holder = threading.Thread(target=hold)
        holder.start()
        is_held.wait(20)
        pauses = 0

        def pause(_seconds: float) -> None:
            nonlocal pauses
            pauses += 1
            time.sleep(WAIT_SECONDS / 2)
            if tell(pauses, project / ".agent-memory" / LOCK_NAME):
                is_let_go.set()

        try:
            with locked(project, wait_seconds=WAIT_SECONDS, pause=pause):
                pass
        finally:
            is_let_go.set()
            holder.join()

    return wait


def test_that_many_others_come_first_is_no_reason_to_give_up(held: Callable[..., None]) -> None:
    def another_comes_first(number: int, lock: Path) -> bool:
        os.utime(lock, ns=(number, number))  # as taking it does
        return number == 10

    held(another_comes_first)


def test_one_who_never_lets_go_is_named(held: Callable[..., None]) -> None:
    with pytest.raises(MemoryRefused, match=f"pid {os.getpid()}"):
        held(lambda _number, _lock: False)
