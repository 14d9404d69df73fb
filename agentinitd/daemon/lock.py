"""One daemon per user: a flock decides, and what the lock file says is only information."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec
import psutil

from agentinitd.disk import read_bounded
from agentinitd.model.errors import AgentinitdError, AlreadyRunning

TRIES = 100
PAUSE_SECONDS = 0.01
WITHOUT_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS})

Held = Literal["free", "held", "unknown"]


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """What the holder of the lock wrote about itself."""

    pid: int
    started: float
    """Process start time as psutil gives it: a pid alone may belong to somebody else by now."""
    version: str = ""
    socket: str = ""
    instance: str = ""
    """What the ids of its runs begin with."""

    def is_alive(self) -> bool:
        try:
            return abs(psutil.Process(self.pid).create_time() - self.started) < 1.0
        except (psutil.Error, ValueError, OverflowError):  # also what no pid can be, from a damaged file
            return False


class Lock:
    """The lock of this process, kept open for life and never unlinked (supervision.md LCK-1)."""

    def __init__(self, path: Path, *, pause: Callable[[float], None] = time.sleep) -> None:
        self._path = path
        self._pause = pause
        self._descriptor: int | None = None

    def take(self) -> None:
        """Raises AlreadyRunning naming the holder, AgentinitdError without locks, and OSError."""
        for _ in range(TRIES):
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            is_ours = False
            try:
                is_ours = self._try(descriptor)
            except OSError as error:
                if error.errno not in WITHOUT_LOCKS:
                    raise
                raise AgentinitdError(
                    f"{self._path}: its file system has no locks ({error.strerror}), and two daemons could "
                    "not tell of each other. Set XDG_STATE_HOME to a folder on a local disk."
                ) from error
            finally:
                if not is_ours:
                    os.close(descriptor)
            if is_ours:
                self._descriptor = descriptor
                return
        raise AlreadyRunning(_taken(self._path))

    def _try(self, descriptor: int) -> bool:
        """False: not now, but nobody holds it for life."""
        if _flock(descriptor, fcntl.LOCK_EX):
            # A cleaner may have removed the file between open and flock: two holders would be possible.
            return _is_same(descriptor, self._path)
        # `held` asks with a shared lock for a moment; who holds it for life lets no other share it.
        if _flock(descriptor, fcntl.LOCK_SH):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        elif not _is_left_by_the_dead(self._path):
            raise AlreadyRunning(_taken(self._path))
        self._pause(PAUSE_SECONDS)
        return False

    def describe(self, holder: Holder) -> None:
        assert self._descriptor is not None, "describe() before take()"
        data = msgspec.json.encode(holder) + b"\n"
        try:
            # Over what stands there: a full disk has room for that.
            os.pwrite(self._descriptor, data, 0)
            os.ftruncate(self._descriptor, len(data))
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._path)) from error

    def release(self) -> None:
        """An emptied file tells a clean stop from a death (supervision.md section 18)."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None


def _flock(descriptor: int, kind: int) -> bool:
    """False when another process is in the way.  Raises OSError."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        raise
    return True


def _is_left_by_the_dead(path: Path) -> bool:
    """A process that it was just starting, and is not executed yet, keeps the lock open for a moment."""
    holder = read_holder(path)
    return holder is not None and not holder.is_alive()


def _taken(path: Path) -> str:
    holder = read_holder(path)
    who = f"pid {holder.pid}" if holder else "another process"
    return f"agentinitd is already running ({who} holds {path}). Use `agentinitd restart` to replace it."


def _is_same(descriptor: int, path: Path) -> bool:
    try:
        there = path.stat()
    except OSError:
        return False
    here = os.fstat(descriptor)
    return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)


def this_process(*, version: str, socket: str, instance: str = "") -> Holder:
    own = psutil.Process()
    return Holder(pid=own.pid, started=own.create_time(), version=version, socket=socket, instance=instance)


def read_holder(path: Path) -> Holder | None:
    """None when there is no lock file or nothing sensible in it."""
    try:
        return msgspec.json.decode(read_bounded(path, 65536), type=Holder)
    except (OSError, msgspec.MsgspecError):
        return None


def held(path: Path) -> Held:
    """Whether some process holds the lock now; asking does not take it for longer than the question."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        return "free"
    except OSError:
        return "unknown"
    try:
        # A shared request fails only against the daemon's exclusive lock, not against another asker.
        return "free" if _flock(descriptor, fcntl.LOCK_SH) else "held"
    except OSError:
        return "unknown"
    finally:
        os.close(descriptor)
