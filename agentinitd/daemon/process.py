"""What the daemon makes of its process before it does anything else."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import resource
import signal
import sys
from collections.abc import Iterator
from importlib import import_module

OPEN_FILES = 4096
LARGE_BYTES = 32 * 1024
"""What is larger goes back to the system as soon as it is freed."""
# Of glibc's malloc.h.
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
SWITCH_SECONDS = 0.0005
"""So long the loop waits for a thread that reads a backlog, each time it wants to go on."""


def import_asyncio() -> None:
    """Without TLS, which nothing here speaks and which takes 2 MiB.  Before anything else imports it."""
    if sys.modules.keys() & {"asyncio", "ssl"}:
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]  # as where Python was built without it
    try:
        import_module("asyncio")
    finally:
        del sys.modules["ssl"]


def prepare() -> None:
    os.umask(0o077)
    os.chdir("/")
    _default_signals()
    _raise_open_files()
    _keep_one_heap()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.freeze()


@contextlib.contextmanager
def lasting() -> Iterator[None]:
    """What is made in here, or was before, stays to the end, and collections of garbage pass over it.

    Each would look at all modules and patterns, fifty thousand objects, and hold up every thread for 40 ms.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _default_signals() -> None:
    """What a starter blocked or ignored is inherited, and by scripts after us (supervision.md EXE-9)."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (signal.SIGHUP, signal.SIGCHLD, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)


def _raise_open_files() -> None:
    """launchd gives 256 (supervision.md FIL-4)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _keep_one_heap() -> None:
    """Before the first thread.  Where the C library is not glibc there is nothing to call.

    Each thread would have a heap of its own, and glibc takes the largest that was ever freed for the usual
    size: a dozen threads that each met one long line would keep 5 MB each for ever.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(_ARENA_MAX, 1)
            library.mallopt(_MMAP_THRESHOLD, LARGE_BYTES)
