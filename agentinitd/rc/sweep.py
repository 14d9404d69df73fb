"""Processes that outlive their script: found by descent or by cookie, and killed (KIL-6)."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

COOKIE = "AGENTINITD_RUN_ID"
SCRIPT_NAME = "AGENTINITD_SCRIPT_NAME"
_SET_SUBREAPER, _GET_SUBREAPER = 36, 37
_ROUNDS = 50
_PAUSE_SECONDS = 0.004
_TASKS = Path("/proc/self/task")

# What a process has for children is one truth for all its threads, and so are these.  The lock is held while
# a script is spawned, so that no sweep sees a child that is not yet known as a leader.
children_lock = threading.Lock()
_leaders: set[int] = set()


def become_subreaper() -> bool:
    """Make orphans of scripts children of this process, so that none escapes.  Only on Linux."""
    return _prctl(_SET_SUBREAPER, ctypes.c_ulong(1)) == 0


def is_subreaper() -> bool:
    answer = ctypes.c_int(0)
    return _prctl(_GET_SUBREAPER, ctypes.byref(answer)) == 0 and answer.value == 1


def _prctl(option: int, argument: object) -> int:
    if not sys.platform.startswith("linux"):
        return -1
    try:
        zero = ctypes.c_ulong(0)
        return int(_libc().prctl(option, argument, zero, zero, zero))
    except (OSError, AttributeError):
        return -1


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def add_leader(pid: int) -> None:
    """A script's first process; to be called with `children_lock` held since before it was spawned."""
    _leaders.add(pid)


def forget_leader(pid: int) -> None:
    with children_lock:
        _leaders.discard(pid)


class Sweep:
    """What one script may leave behind.  To be made before it starts.

    Of scripts that run side by side in one rebuild `script` names the one that is meant.
    """

    def __init__(self, run_id: str, script: str = "") -> None:
        self._run_id = run_id
        self._script = script
        self._is_adopting = is_subreaper() and (_TASKS / str(os.getpid()) / "children").exists()
        # Where orphans are not given to us, every process has to be asked: only those that are new, then.
        self._before = frozenset() if self._is_adopting else frozenset(_pids())

    def end_strays(self, leader: int) -> int:
        """Kill and reap what is left but for the leader.  Returns how many were still alive."""
        killed: set[int] = set()
        if self._has_none(leader):
            return 0
        # What is just ending closes its pipes a moment before it is gone.
        time.sleep(_PAUSE_SECONDS)
        for _ in range(_ROUNDS):
            with children_lock:
                alive = set(self._alive(leader))
                for pid in alive:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)
            if not alive:
                break
            killed |= alive
            time.sleep(_PAUSE_SECONDS)
        return len(killed)

    def _has_none(self, leader: int) -> bool:
        with children_lock:
            return next(self._alive(leader), None) is None

    def _alive(self, leader: int) -> Iterator[int]:
        if self._is_adopting:
            yield from _by_descent(self._is_ours, leader)
            return
        for pid, run_id, script in _cookies(frozenset(_pids()) - self._before - _leaders - {leader}):
            if self._is_ours(run_id, script):
                yield pid

    def _is_ours(self, run_id: str, script: str) -> bool:
        return run_id == self._run_id and self._script in ("", script)


def end_by_cookie(is_meant: Callable[[str], bool]) -> int:
    """Kill each process of this user whose cookie is meant: at start, those of a dead instance (KIL-8)."""
    found = [pid for pid, run_id, _ in _cookies(_pids()) if is_meant(run_id)]
    for pid in found:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    return len(found)


def run_of(pid: int) -> str:
    """The rebuild that this process belongs to, as a script or what a script started; empty when to none."""
    if _TASKS.exists():
        return _cookie_of(pid)[0]
    return next((run_id for _, run_id, _ in _cookies([pid])), "")


def _pids() -> list[int]:
    import psutil

    return psutil.pids()


def _cookies(pids: Iterable[int]) -> Iterator[tuple[int, str, str]]:
    """Those of these that live, belong to this user, are not this one, and carry a cookie: run and script."""
    import psutil

    own, uid = os.getpid(), os.geteuid()
    for pid in pids:
        # A zombie, a process that just ended, one of another user: psutil raises in the middle of the scan.
        with contextlib.suppress(psutil.Error, OSError):
            process = psutil.Process(pid)
            if pid == own or process.uids().real != uid or process.status() == psutil.STATUS_ZOMBIE:
                continue
            variables = process.environ()
            if variables.get(COOKIE):
                yield pid, variables[COOKIE], variables.get(SCRIPT_NAME, "")


@dataclass(frozen=True, slots=True)
class _Child:
    pid: int
    state: str
    session: int


def _by_descent(is_ours: Callable[[str, str], bool], leader: int) -> Iterator[int]:
    """Adopted processes of this script, with all below them.  Orphans that ended by themselves are reaped."""
    own_session = os.getsid(0)
    for child in _children(_TASKS):
        # What shares our session was started by other parts of the daemon, which wait for it themselves.
        if child.pid in _leaders or child.pid == leader or child.session == own_session:
            continue
        if child.state == "Z":
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child.pid, os.WNOHANG)
        elif _belongs(child, is_ours, leader):
            yield child.pid
            yield from _below(child.pid)


def _belongs(child: _Child, is_ours: Callable[[str, str], bool], leader: int) -> bool:
    if child.session == leader:
        return True
    if child.session in _leaders:
        return False
    run_id, script = _cookie_of(child.pid)
    if run_id:
        return is_ours(run_id, script)
    # It cleared its environment: it is ours if no other script runs that it could belong to.  As the first
    # process of a container we also inherit orphans that never were a script's.
    return not _leaders - {leader} and os.getpid() != 1


def _cookie_of(pid: int) -> tuple[str, str]:
    try:
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return "", ""
    named = dict(each.partition(b"=")[::2] for each in reversed(variables))
    return os.fsdecode(named.get(COOKIE.encode(), b"")), os.fsdecode(named.get(SCRIPT_NAME.encode(), b""))


def _below(pid: int) -> Iterator[int]:
    for child in _children(Path(f"/proc/{pid}/task")):
        yield child.pid
        yield from _below(child.pid)


def _children(tasks: Path) -> Iterator[_Child]:
    with contextlib.suppress(OSError):
        for task in tasks.iterdir():
            with contextlib.suppress(OSError):
                for pid in (task / "children").read_bytes().split():
                    yield _child(int(pid))


def _child(pid: int) -> _Child:
    # The name in parentheses may hold anything: fields count from the last one.
    fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    return _Child(pid, fields[0].decode(), int(fields[3]))
