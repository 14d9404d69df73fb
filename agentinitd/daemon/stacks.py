"""What USR2 asks for: the stacks of all threads, and the daemon's state, also while it hangs (DMN-6).

Between two steps of the interpreter the main thread tells the stacks of all, also while the loop hangs.
At once, also while nothing of ours can run, it tells its own alone: to look at those of other threads while
they go on ends the process with a segmentation fault now and then.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import os
import signal
import sys
import threading
import traceback
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import psutil

LIMIT_BYTES = 1024 * 1024


class Stacks:
    """Listens as long as it is open.  Where the file cannot be had, the stacks go to stderr."""

    def __init__(self, path: Path) -> None:
        """In the main thread, after the loop's own handler is set, which hears of the signal all the same."""
        self._descriptor = _opened(path)
        self._file = sys.stderr.fileno() if self._descriptor is None else self._descriptor
        signal.signal(signal.SIGUSR2, self._tell)
        signal.siginterrupt(signal.SIGUSR2, False)
        faulthandler.register(signal.SIGUSR2, file=self._file, all_threads=False, chain=True)

    def _tell(self, _number: int, own: FrameType | None) -> None:
        names = {thread.ident: thread.name for thread in threading.enumerate()}
        frames = sys._current_frames() | ({threading.get_ident(): own} if own is not None else {})
        texts = [_told(names.get(ident, "of no name"), frame) for ident, frame in frames.items()]
        with contextlib.suppress(OSError):
            os.write(self._file, "\n".join([*texts, ""]).encode("utf-8", "replace"))

    def close(self) -> None:
        faulthandler.unregister(signal.SIGUSR2)
        signal.signal(signal.SIGUSR2, signal.SIG_IGN)
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)


def _opened(path: Path) -> int | None:
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        descriptor = os.open(path, flags, 0o600)
        if os.fstat(descriptor).st_size > LIMIT_BYTES:
            os.ftruncate(descriptor, 0)
    except OSError:
        return None
    return descriptor


def _told(name: str, frame: FrameType) -> str:
    """In the form of faulthandler: what runs now comes first."""
    calls = traceback.walk_stack(frame)
    lines = (f'  File "{at.f_code.co_filename}", line {line} in {at.f_code.co_name}' for at, line in calls)
    return "\n".join([f"Thread {name} (most recent call first):", *lines, ""])


def state() -> dict[str, Any]:
    """What is under way in this process, for one record of the log."""
    own = psutil.Process()
    names = Counter(task.get_name().split(" /")[0] for task in asyncio.all_tasks())
    return {
        "threads": sorted(thread.name for thread in threading.enumerate()),
        "tasks": dict(sorted(names.items())),
        "open_files": own.num_fds(),
        "rss_mb": round(own.memory_info().rss / 1024 / 1024, 1),
    }
