"""A session of Claude Code at work: its hooks speak to the socket themselves, or by the installed client."""

from __future__ import annotations

import contextlib
import json
import random
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from playing import ANNOUNCED_BY, HOOK_SECONDS, Call, Session

BLOCK_BYTES = 65536
BY_CLIENT = 0.03
"""So many of the hooks start our client, as an agent does; a process for each would need all of a machine."""
BROKEN_OFF = 0.01
RULES_SECTION = "House rule"
"""Stands in every full snippet, and in no other."""


class Gate:
    """Hooks pass it; whoever shuts it waits until none is under way.

    A hook that speaks to the socket itself leaves no receipt: killed right behind its answer, the daemon
    could not know that it arrived, and says it again.  The client leaves one, and passes by.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._passing = 0
        self._is_shut = False

    @contextlib.contextmanager
    def passing(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_shut)
            self._passing += 1
        try:
            yield
        finally:
            with self._changed:
                self._passing -= 1
                self._changed.notify_all()

    @contextlib.contextmanager
    def shut(self) -> Iterator[None]:
        with self._changed:
            self._is_shut = True
            self._changed.wait_for(lambda: not self._passing)
        try:
            yield
        finally:
            with self._changed:
                self._is_shut = False
                self._changed.notify_all()


class Worker(Session):
    """Says what it is told to say, in records like those of a real session."""

    def __init__(
        self,
        folder: Path,
        project: Path,
        environment: dict[str, str],
        rng: random.Random,
        *,
        is_written_down: bool,
        gate: Gate,
    ) -> None:
        super().__init__(folder, project, environment, rng, is_written_down=is_written_down)
        self.broken_off = 0
        self._asked = 0
        self._gate = gate
        self._socket = Path(environment["AGENTINITD_RUNTIME_DIR"]) / "agentinitd.sock"

    def say(self, record: dict[str, Any]) -> None:
        self.write(self._records.renamed(record))

    def announce_compaction(self) -> None:
        """By its hooks before or after the records, or by the records alone."""
        self._enter("compaction")
        for announcer in self._rng.choice(ANNOUNCED_BY):
            if announcer == "records":
                self.write_compaction()
            else:
                self.hook(announcer, source="compact" if announcer == "SessionStart" else None)

    def was_told_all(self) -> bool:
        """Since this was asked last."""
        new, self._asked = self.calls[self._asked :], len(self.calls)
        return any(call.is_delivery and RULES_SECTION in call.text for call in new)

    def hook(self, event: str, *, source: str | None = None) -> Call:
        chance = self._rng.random()
        if chance < BY_CLIENT:
            call, process = self.start_hook(event, source=source, stdout=subprocess.PIPE)
            return self.end_hook(call, process)
        with self._gate.passing():
            if chance < BY_CLIENT + BROKEN_OFF and event == "PostToolUse":
                self._break_off(event)
            return self._ask(event, source)

    def _ask(self, event: str, source: str | None) -> Call:
        call = Call(session=self.id, event=event, started=time.time())
        status, body = 0, b""
        with contextlib.suppress(ConnectionError, FileNotFoundError):
            status, body = post(self._socket, "/v1/hook/claude-code", self._payload(event, source))
        if status not in (0, 200, 204, 503):
            call.faults.append(f"status {status}: {body!r}")
        return self._heard(call, body if status == 200 else b"")

    def _break_off(self, event: str) -> None:
        """In the middle of the request, or right behind it: nobody reads the answer."""
        self.broken_off += 1
        request = request_of("/v1/hook/claude-code", self._payload(event, None))
        sent = request if self._rng.random() < 0.5 else request[: self._rng.randrange(len(request))]
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as channel:
            channel.connect(str(self._socket))
            channel.sendall(sent)


def request_of(path: str, value: object) -> bytes:
    body = json.dumps(value).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def post(address: Path, path: str, value: object) -> tuple[int, bytes]:
    """Status and body; 0 for an answer that breaks off.  Leaves as soon as it has all: that settles it."""
    with socket.socket(socket.AF_UNIX) as channel:
        channel.settimeout(HOOK_SECONDS)
        channel.connect(str(address))
        channel.sendall(request_of(path, value))
        with channel.makefile("rb") as stream:
            status, body = 100, b""
            while 100 <= status < 200:  # interim answers keep a slow one alive
                status, body = _answer(stream)
    return status, body


def _answer(stream: BinaryIO) -> tuple[int, bytes]:
    first = stream.readline()
    length = 0
    while (line := stream.readline()) not in (b"\r\n", b""):
        name, _, text = line.partition(b":")
        length = int(text) if name.lower() == b"content-length" else length
    body = stream.read(length)
    is_whole = line == b"\r\n" and len(body) == length
    return (int(first.split(b" ", 2)[1]), body) if is_whole else (0, b"")
