"""What the daemon makes of its process before it does anything else."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys

OPEN_FILES = 4096
SWITCH_SECONDS = 0.001
"""So long the loop waits for a thread that reads a backlog, each time it wants to go on."""


def prepare() -> None:
    os.umask(0o077)
    os.chdir("/")
    _default_signals()
    _raise_open_files()
    sys.setswitchinterval(SWITCH_SECONDS)


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
