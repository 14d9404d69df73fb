"""What tests left behind: the processes that they started and did not end."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

import psutil


def processes_of(base: Path, *, short: str, known: Sequence[int | None]) -> list[psutil.Process]:
    """Started by a test of this process and alive: a child of ours, or one that names one of our folders."""
    own = psutil.Process()
    children = set(own.children(recursive=True))
    return [
        process
        for process in psutil.process_iter()
        if process.pid not in (own.pid, *known)
        and (process in children or _names(process, (f"{base}/", short)))
        and not _is_dead(process)
    ]


def _names(process: psutil.Process, folders: Sequence[str]) -> bool:
    """In its command or its environment, which also holds its home."""
    with contextlib.suppress(psutil.Error, OSError):
        words = [*process.cmdline(), *process.environ().values()]
        return any(folder in word for word in words for folder in folders)
    return False


def _is_dead(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    return True


def story_of(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error):
        return f"{process.pid}: {' '.join(process.cmdline())}"
    return str(process.pid)
