"""One script from its start to the last of its processes: pipes, limit, kill sequence, sweep (KIL-1 to 9)."""

from __future__ import annotations

import contextlib
import os
import select
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from resource import struct_rusage
from typing import IO, Literal

from agentinitd.rc import launch, sweep
from agentinitd.rc.launch import Call
from agentinitd.rc.peak import Peak

Cause = Literal["exit", "timeout", "flood", "cancelled"]

STDERR_TAIL = 4 * 1024
UNKILLABLE_SECONDS = 2.0
_READ_BYTES = 64 * 1024
_CANCEL_SECONDS = 0.05
_POLL_SECONDS = 0.01
_BUSY_PAUSES = (0.01, 0.02, 0.04)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How it ended, and what it left."""

    cause: Cause
    """Why the end began: by itself, or what made us end it."""
    status: int | None
    """Exit code, or minus the signal; None when not even KILL ended it."""
    stdout: bytes
    """The first part; `stdout_bytes` counts all."""
    stdout_bytes: int
    stderr: bytes
    """The last part."""
    stderr_bytes: int
    strays: int
    duration_seconds: float
    user_seconds: float = 0.0
    sys_seconds: float = 0.0
    maxrss_kb: int = 0
    """0: not known."""


@dataclass(frozen=True, slots=True)
class ExitWatch:
    """A descriptor that becomes readable when the process ends, without reaping it."""

    descriptor: int
    close: Callable[[], None]


def exit_watch(pid: int) -> ExitWatch | None:
    """A watch by pidfd or kqueue; None where there is neither, and the process has to be asked."""
    if sys.platform == "darwin":
        queue = select.kqueue()
        event = select.kevent(pid, select.KQ_FILTER_PROC, select.KQ_EV_ADD, select.KQ_NOTE_EXIT)
        try:
            queue.control([event], 0)
        except ProcessLookupError:
            queue.close()
            return _over_already()
        return ExitWatch(queue.fileno(), queue.close)
    try:
        descriptor = os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
    return ExitWatch(descriptor, lambda: os.close(descriptor))


def _over_already() -> ExitWatch:
    """Readable at once: Darwin refuses to watch what has ended, reaped or not."""
    reading, writing = os.pipe()
    os.close(writing)
    return ExitWatch(reading, lambda: os.close(reading))


def run(
    call: Call, cancel: threading.Event, watch_exit: Callable[[int], ExitWatch | None] = exit_watch
) -> Ended:
    """Run it to its end or ours.  When this returns, nothing of it is left.  Raises launch.ExecError."""
    for pause in _BUSY_PAUSES:
        try:
            ended = _run_once(call, cancel, watch_exit)
        except launch.ExecError as error:
            if str(error) != launch.BUSY:
                raise
        else:
            if not _is_busy(ended):
                return ended
        time.sleep(pause)
    ended = _run_once(call, cancel, watch_exit)
    if _is_busy(ended):
        raise launch.ExecError(launch.BUSY)
    return ended


def _is_busy(ended: Ended) -> bool:
    # The shell that sets the limits could not execute it: somebody still has the file open for writing,
    # perhaps a child that another thread forked meanwhile.
    return ended.status == 126 and not ended.stdout_bytes and b"text file busy" in ended.stderr.lower()


def _run_once(call: Call, cancel: threading.Event, watch_exit: Callable[[int], ExitWatch | None]) -> Ended:
    began = time.monotonic()
    swept = sweep.Sweep(call.run_id, call.sweep_as)
    process = launch.spawn(call)
    try:
        with _Watched(process, call, watch_exit(process.pid)) as watched:
            cause = watched.follow(began + call.timeout_seconds, cancel)
            if cause == "exit":
                watched.drain()
            else:
                watched.end_group()
            strays = swept.end_strays(process.pid)
        status, used = _reap(process) if watched.has_exited else (None, None)
    except BaseException:
        # No descriptor left to watch it with, for instance: it must not run on unwatched.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    finally:
        # Not before it is reaped: a sweep of another script would take it for an orphan.
        sweep.forget_leader(process.pid)
    return Ended(
        cause=cause,
        status=status,
        stdout=bytes(watched.stdout.data),
        stdout_bytes=watched.stdout.total,
        stderr=bytes(watched.stderr.data),
        stderr_bytes=watched.stderr.total,
        strays=strays,
        duration_seconds=time.monotonic() - began,
        user_seconds=used.ru_utime if used else 0.0,
        sys_seconds=used.ru_stime if used else 0.0,
        maxrss_kb=watched.peak.of(used) if used else 0,
    )


class _Stream:
    """What came through one pipe: the first or the last part of it, and how much it was."""

    def __init__(self, file: IO[bytes], limit: int, *, is_tail: bool) -> None:
        self.file = file
        self.data = bytearray()
        self.total = 0
        self._limit = limit
        self._is_tail = is_tail

    def read(self) -> bool:
        """Take what is there.  False at the end."""
        try:
            part = os.read(self.file.fileno(), _READ_BYTES)
        except BlockingIOError:
            return True
        self.total += len(part)
        if self._is_tail:
            self.data += part
            del self.data[: -self._limit]
        else:
            self.data += part[: self._limit - len(self.data)]
        return bool(part)


class _Watched:
    """A running script and everything that may happen to it.  Leaving the context ends its whole group."""

    def __init__(self, process: subprocess.Popen[bytes], call: Call, watch: ExitWatch | None) -> None:
        assert process.stdout and process.stderr
        self.stdout = _Stream(process.stdout, call.max_output_bytes, is_tail=False)
        self.stderr = _Stream(process.stderr, STDERR_TAIL, is_tail=True)
        self.has_exited = False
        self.peak = Peak(process.pid)
        self._pid = process.pid
        self._call = call
        self._watch = watch
        self._selector = selectors.DefaultSelector()
        self._open = 0
        for stream in (self.stdout, self.stderr):
            os.set_blocking(stream.file.fileno(), False)
            self._selector.register(stream.file, selectors.EVENT_READ, stream)
            self._open += 1
        if watch is not None:
            self._selector.register(watch.descriptor, selectors.EVENT_READ, None)

    def __enter__(self) -> _Watched:
        return self

    def __exit__(self, *_: object) -> None:
        # The leader is not reaped yet, so its number cannot have been given to another group.
        self._signal(signal.SIGKILL)
        self._selector.close()
        self.stdout.file.close()
        self.stderr.file.close()
        if self._watch is not None:
            self._watch.close()

    def follow(self, deadline: float, cancel: threading.Event) -> Cause:
        """Read until it exits, writes too much, is no longer wanted, or its time is up."""
        while True:
            if max(self.stdout.total, self.stderr.total) > self._call.flood_bytes:
                return "flood"
            if self.has_exited:
                return "exit"
            if cancel.is_set():
                return "cancelled"
            left = deadline - time.monotonic()
            if left <= 0:
                return "timeout"
            self._wait(min(left, _CANCEL_SECONDS))

    def drain(self) -> None:
        """Read what is left in the pipes, but do not wait for a child that keeps them open (KIL-4)."""
        end = time.monotonic() + self._call.drain_seconds
        while self._open and (left := end - time.monotonic()) > 0:
            self._wait(left)

    def end_group(self) -> None:
        """TERM, CONT for one that is stopped, a while of grace, KILL (KIL-2)."""
        self._signal(signal.SIGTERM)
        self._signal(signal.SIGCONT)
        self._wait_for_exit(self._call.kill_grace_seconds)
        self._signal(signal.SIGKILL)
        self._wait_for_exit(UNKILLABLE_SECONDS)

    def _wait_for_exit(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self.has_exited and (left := end - time.monotonic()) > 0:
            self._wait(left)

    def _wait(self, seconds: float) -> None:
        if self._watch is None:
            seconds = min(seconds, _POLL_SECONDS)
        ready = self._selector.select(seconds)
        self.peak.look()
        for key, _ in ready:
            if key.data is None:
                self.has_exited = True
                self._selector.unregister(key.fileobj)
            elif not key.data.read():
                self._selector.unregister(key.fileobj)
                self._open -= 1
        if self._watch is None and not self.has_exited:
            self.has_exited = _is_zombie(self._pid)

    def _signal(self, number: signal.Signals) -> None:
        # Darwin answers EPERM for a group of zombies only (KIL-5); a group that changed its user is swept.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, number)


def _is_zombie(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _reap(process: subprocess.Popen[bytes]) -> tuple[int, struct_rusage]:
    """Exit code or minus the signal, and what it used.  By number only, never `waitpid(-1)` (KIL-7)."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, used
