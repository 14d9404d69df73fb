"""What USR2 asks for: the stacks of all threads, and the daemon's state, also while it hangs (DMN-6)."""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import os
import signal
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import psutil

LIMIT_BYTES = 1024 * 1024


class Stacks:
    """Listens as long as it is open.  Where the file cannot be had, the stacks go to stderr."""

    def __init__(self, path: Path) -> None:
        """Before it the loop's own handler is set: ours passes the signal on to it."""
        self._descriptor = _opened(path)
        file = sys.stderr.fileno() if self._descriptor is None else self._descriptor
        faulthandler.register(signal.SIGUSR2, file=file, all_threads=True, chain=True)

    def close(self) -> None:
        faulthandler.unregister(signal.SIGUSR2)
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
