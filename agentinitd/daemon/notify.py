"""Readiness and watchdog messages to the service manager, and to whoever waits on a descriptor."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from datetime import datetime

import msgspec

from agentinitd.integrations.launchd import LABEL

SEND_SECONDS = 0.25
"""How long a manager that does not read its messages may hold us up."""


class Notifier:
    """sd_notify(3) without a library; quiet where no manager listens."""

    def __init__(self, env: Mapping[str, str], *, pid: int) -> None:
        self._address = _address(env.get("NOTIFY_SOCKET", ""))
        self._watchdog_seconds = _watchdog_seconds(env, pid)

    @property
    def watchdog_seconds(self) -> float | None:
        """How often to call `watchdog()`: a third of what the manager allows, None when it does not ask."""
        return self._watchdog_seconds / 3 if self._watchdog_seconds else None

    @property
    def is_heard(self) -> bool:
        return bool(self._address)

    def starting(self, step: str, *, seconds: float) -> None:
        """Not ready yet: what is being done, and so much longer it may take (supervision.md ACT-3, ACT-4)."""
        self._send(f"EXTEND_TIMEOUT_USEC={round(seconds * 1e6)}\n{_status(step)}")

    def ready(self, status: str) -> None:
        self._send("READY=1\n" + _status(status))

    def status(self, text: str) -> None:
        self._send(_status(text))

    def reloading(self, monotonic_microseconds: int) -> None:
        self._send(f"RELOADING=1\nMONOTONIC_USEC={monotonic_microseconds}")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def watchdog(self) -> None:
        self._send("WATCHDOG=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # The manager's absence must not hurt us.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
            channel.settimeout(SEND_SECONDS)
            channel.sendto(message.encode("utf-8", "replace"), self._address)


def last_run(line: bytes) -> str:
    """Of a record of the log, what a person wants to know of a rebuild that ended; empty for all others."""
    if b"run.end" not in line:
        return ""
    try:
        run = msgspec.json.decode(line, type=_Run)
        at = datetime.fromisoformat(run.ts).astimezone()
    except (msgspec.MsgspecError, ValueError):
        return ""
    if run.event != "run.end":
        return ""
    told = f"last rebuild: {run.runlevel}, {run.result}, {run.duration_ms:.0f} ms, {at:%H:%M:%S}"
    return told + (f"; {len(run.pending)} awaiting approval" if run.pending else "")


class _Run(msgspec.Struct, frozen=True):
    event: str
    ts: str
    runlevel: str = ""
    result: str = ""
    duration_ms: float = 0.0
    pending: tuple[str, ...] = ()


def _status(text: str) -> str:
    # Each line is an assignment of its own: a text of two lines could say anything, READY=1 for instance.
    return f"STATUS={' '.join(text.split())}"


def _address(value: str) -> str:
    if value.startswith("@"):
        return "\0" + value[1:]
    return value if value.startswith("/") else ""


def _watchdog_seconds(env: Mapping[str, str], pid: int) -> float | None:
    if env.get("WATCHDOG_PID", str(pid)) != str(pid):
        return None
    try:
        microseconds = int(env.get("WATCHDOG_USEC", "0"))
    except ValueError:
        return None
    return microseconds / 1e6 if microseconds > 0 else None


def manager_of(env: Mapping[str, str], pid: int) -> str:
    """Who started this very process.  A terminal that is itself a unit hands its INVOCATION_ID down."""
    if env.get("XPC_SERVICE_NAME") == LABEL:
        return "launchd"
    is_unit = env.get("SYSTEMD_EXEC_PID", str(pid)) == str(pid) and "NOTIFY_SOCKET" in env
    return "systemd" if is_unit and "INVOCATION_ID" in env else "none"


def tell_ready(descriptor: int) -> None:
    """One newline, then close: the protocol of s6's notification-fd."""
    with contextlib.suppress(OSError):
        os.write(descriptor, b"\n")
    with contextlib.suppress(OSError):
        os.close(descriptor)
