"""Daemons of tests by `fork`, out of one process that has imported all they need: a third of the price.

What is forked is the program itself, which goes on as `agentinitd start` does and ends as it does.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import BinaryIO

IMPORTED = (
    "agentinitd.cli.start",
    "agentinitd.daemon.launched",
    "agentinitd.memory.capture.chinese",
    "agentinitd.memory.capture.listener",
    "agentinitd.memory.capture.mixed",
    "agentinitd.memory.capture.readers",
    "regex",
)
KNOWN = ("AGENTINITD_", "XDG_", "CLAUDE_", "NOTIFY_SOCKET", "WATCHDOG_USEC", "INVOCATION_ID")
PLAIN = {"HOME", "PATH", "TMPDIR"}
LANGUAGE = "C.UTF-8"
_MOST_BYTES = 1 << 16


def can_bear(environment: Mapping[str, str]) -> bool:
    """No variable is set that the interpreter or the C library reads when a program begins."""
    return all(
        name in PLAIN or name.startswith(KNOWN) or (name, value) == ("LANG", LANGUAGE)
        for name, value in environment.items()
    )


class Born:
    """A daemon that was forked, with what tests ask of a `Popen`."""

    def __init__(self, pid: int, stderr: BinaryIO, ended: int) -> None:
        self.pid = pid
        self.stderr = stderr
        self.returncode: int | None = None
        self._ended = ended

    def poll(self) -> int | None:
        return self._look(0.0)

    def wait(self, timeout: float | None = None) -> int:
        if self._look(timeout) is None:
            raise subprocess.TimeoutExpired("a daemon", timeout or 0.0)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def communicate(self, timeout: float | None = None) -> tuple[None, bytes]:
        deadline = None if timeout is None else time.monotonic() + timeout
        said = b""
        while not self.stderr.closed:
            if not _is_readable(self.stderr.fileno(), deadline):
                raise subprocess.TimeoutExpired("a daemon", timeout or 0.0)
            part = os.read(self.stderr.fileno(), _MOST_BYTES)
            said += part
            if not part:
                self.stderr.close()
        self.wait(None if deadline is None else max(0.0, deadline - time.monotonic()))
        return None, said

    def _look(self, timeout: float | None) -> int | None:
        deadline = None if timeout is None else time.monotonic() + timeout
        if self.returncode is None and _is_readable(self._ended, deadline):
            told = os.read(self._ended, 16)
            os.close(self._ended)
            assert told, "the nursery ended before its daemon"
            self.returncode = int(told)
        return self.returncode


def _is_readable(descriptor: int, deadline: float | None) -> bool:
    left = None if deadline is None else max(0.0, deadline - time.monotonic()) * 1000
    poll = select.poll()  # select() knows only the first thousand descriptors
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(left))


class Nursery:
    """The process that forks them; it is started when the first is wanted."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._asking: socket.socket | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def bear(self, arguments: list[str], environment: Mapping[str, str], *, ready: int) -> Born:
        """`agentinitd ARGUMENTS --ready-fd …`, which says that it is ready by the descriptor `ready`."""
        asking = self._asking or self._begin()
        heard, stderr = os.pipe()
        ended, ends = os.pipe()
        try:
            asked = json.dumps({"arguments": arguments, "environment": dict(environment)}).encode()
            socket.send_fds(asking, [asked], [ready, stderr, ends])
        finally:
            os.close(stderr)
            os.close(ends)
        return Born(int(asking.recv(16)), os.fdopen(heard, "rb", buffering=0), ended)

    def close(self) -> None:
        if self._process is not None and self._asking is not None:
            self._asking.close()
            self._process.wait(timeout=20)

    def _begin(self) -> socket.socket:
        self._asking, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, str(theirs.fileno())],
                env={"PATH": os.environ["PATH"], "LANG": LANGUAGE},
                cwd="/",
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
            )
        return self._asking


def serve(asking: socket.socket) -> None:
    """Forks as often as asked.  Only in a newborn does this return."""
    for name in IMPORTED:
        importlib.import_module(name)
    _make_patterns()
    ends: dict[int, int] = {}
    died, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(tell)
    while True:
        readable, _, _ = select.select([asking, died], [], [])
        if died in readable:
            os.read(died, _MOST_BYTES)
            _tell_of_the_dead(ends)
        if asking in readable:
            asked, descriptors, _, _ = socket.recv_fds(asking, _MOST_BYTES, 3)
            if not asked:
                os._exit(0)
            ready, stderr, end = descriptors
            pid = os.fork()
            if not pid:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for descriptor in (asking.detach(), died, tell, end, *ends.values()):
                    os.close(descriptor)
                _become(json.loads(asked), ready=ready, stderr=stderr)
                return
            asking.send(str(pid).encode())
            ends[pid] = end
            os.close(ready)
            os.close(stderr)


def _make_patterns() -> None:
    """Each daemon makes those for a language when it hears its first message, which takes half a second."""
    listener = importlib.import_module("agentinitd.memory.capture.listener")
    readers = importlib.import_module("agentinitd.memory.capture.readers")
    events = importlib.import_module("agentinitd.model.events")
    said = (
        events.PersonMessage(line=1, offset=0, text=text) for text in ("Never push to main.", "不要改 a.py")
    )
    listener.Listener("s", readers=readers.built_in()).hear(said)


def _tell_of_the_dead(ends: dict[int, int]) -> None:
    with contextlib.suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            pid, status = found
            with contextlib.suppress(BrokenPipeError):  # nobody asks any more
                os.write(ends[pid], str(os.waitstatus_to_exitcode(status)).encode())
            os.close(ends.pop(pid))


def _become(asked: Mapping[str, object], *, ready: int, stderr: int) -> None:
    arguments, environment = asked["arguments"], asked["environment"]
    assert isinstance(arguments, list)
    assert isinstance(environment, dict)
    os.dup2(stderr, 2)
    os.close(stderr)
    os.set_inheritable(ready, True)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["agentinitd", *arguments, "--ready-fd", str(ready)]


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
    from agentinitd.cli.main import main

    main()
