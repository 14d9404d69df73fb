"""The lock of a project's memory: who holds it is alone among agentinitd's own writers."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import random
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from agentinitd.memory.project import MEMORY_FOLDER
from agentinitd.model.errors import MemoryForbidden, MemoryRefused

LOCK_NAME = ".lock"
WAIT_SECONDS = 20.0
_SHORTEST_PAUSE = 0.001
_LONGEST_PAUSE = 0.02

_held = threading.local()
"""`depths`: how often this thread took each lock, by process and memory folder."""


def memory_of(project: Path) -> Path:
    """The real path of the project's memory.  Raises MemoryRefused when there is none that may be written."""
    memory = Path(os.path.realpath(project / MEMORY_FOLDER))
    if not memory.is_dir():
        raise MemoryRefused(f"There is no {MEMORY_FOLDER}/ in {project}. Run `agentinitd init` there.")
    if not memory.is_relative_to(os.path.realpath(project)):
        shown = project / MEMORY_FOLDER
        raise MemoryRefused(f"{shown} is a link that leaves the project. Replace it by a folder.")
    return memory


@contextlib.contextmanager
def locked(
    project: Path, *, wait_seconds: float = WAIT_SECONDS, pause: Callable[[float], None] = time.sleep
) -> Iterator[None]:
    """Alone with the memory of this project.  A thread that has the lock may take it again.

    Nothing may be awaited inside: other tasks of the same thread would be let in.  Raises MemoryRefused.
    """
    memory = memory_of(project)
    depths: dict[tuple[int, Path], int] = _held.__dict__.setdefault("depths", {})
    key = (os.getpid(), memory)  # a forked child does not hold what its parent does
    if key in depths:
        depths[key] += 1
        try:
            yield
        finally:
            depths[key] -= 1
        return
    descriptor = _taken(memory / LOCK_NAME, wait_seconds, pause)
    depths[key] = 1
    try:
        yield
    finally:
        del depths[key]
        _release(descriptor)


def _taken(path: Path, wait_seconds: float, pause: Callable[[float], None]) -> int:
    while True:
        descriptor = _opened(path)
        is_ours = False
        try:
            _wait(descriptor, path, wait_seconds, pause)
            # A cleaner may have removed the file between open and flock: two holders would be possible.
            is_ours = _is_same(descriptor, path)
        finally:
            if not is_ours:
                os.close(descriptor)
        if is_ours:
            with contextlib.suppress(OSError):  # information only; a full disk must not lock anybody out
                os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
            return descriptor


def _opened(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as error:
        kind = MemoryForbidden if isinstance(error, PermissionError) else MemoryRefused
        raise kind(_cannot_open(path, error)) from error
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid():
        return descriptor
    os.close(descriptor)
    reason = (
        f"belongs to uid {found.st_uid}, not to you. Take it over with `chown`"
        if stat.S_ISREG(found.st_mode)
        else "is not a regular file. Remove it"
    )
    raise MemoryRefused(f"{path} {reason}.")


def _cannot_open(path: Path, error: OSError) -> str:
    if path.is_symlink():
        return f"{path} is a link. Remove it."
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{path} cannot be made: {error.strerror}. Free some space and try again."
    return f"{path} cannot be opened: {error.strerror}. Give yourself the right to write in {path.parent}."


def _wait(descriptor: int, path: Path, wait_seconds: float, pause: Callable[[float], None]) -> None:
    """So long for one holder; that many others come first is no reason to give up."""
    longest = _SHORTEST_PAUSE
    taken_at, deadline = _taken_at(descriptor), time.monotonic() + wait_seconds
    while not _flock(descriptor, path):
        if (now_taken_at := _taken_at(descriptor)) != taken_at:
            taken_at, deadline = now_taken_at, time.monotonic() + wait_seconds
        if time.monotonic() >= deadline:
            raise MemoryRefused(
                f"Another program is writing to {path.parent} and does not end"
                f" ({_holder(descriptor)} holds {path.name}). Try again, or end that process."
            )
        # At random, so that many who wait do not wake in step.
        pause(longest * random.uniform(0.5, 1.0))
        longest = min(longest * 2, _LONGEST_PAUSE)


def _taken_at(descriptor: int) -> int:
    """Whoever takes the lock writes its number into the file."""
    return os.fstat(descriptor).st_mtime_ns


def _flock(descriptor: int, path: Path) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        reason = f"{path} cannot be locked: {error.strerror}. Move the project to a disk that knows locks."
        raise MemoryRefused(reason) from error
    return True


def _holder(descriptor: int) -> str:
    with contextlib.suppress(OSError, ValueError):
        return f"pid {int(os.pread(descriptor, 32, 0))}"
    return "it is unknown who"


def _is_same(descriptor: int, path: Path) -> bool:
    try:
        there = path.lstat()
    except OSError:
        return False
    here = os.fstat(descriptor)
    return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)


def _release(descriptor: int) -> None:
    try:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
        # Not by closing alone: a child that was forked meanwhile would keep it.
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    finally:
        os.close(descriptor)
