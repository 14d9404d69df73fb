"""The log's records once more, for systemd's journal: one line each, with its priority (LOG-4)."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Mapping
from typing import Any

import msgspec

DEBUG, INFO = 7, 6
PRIORITIES = {"error": 3, "warning": 4, "info": INFO}
DETAILS = frozenset({"script.end", "script.skip", "run.start"})
"""Of these there are many; `journalctl -p info` is to stay readable."""
LEFT_OUT = frozenset({"ts", "mono", "level", "event", "instance", "pid", "v", "err_tail"})
LINE_BYTES = 2048


class Journal:
    """Takes the lines of the log.  What the journal does not take at once is only in the file."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel

    def see(self, line: bytes) -> None:
        try:
            record = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return
        with contextlib.suppress(OSError):
            self._channel.send(journal_line(record), socket.MSG_DONTWAIT)


def journal_of(env: Mapping[str, str], descriptor: int = 2) -> Journal | None:
    """None unless this descriptor really is the journal's: a child of a service inherits the variable."""
    try:
        found = os.fstat(descriptor)
        if env.get("JOURNAL_STREAM") != f"{found.st_dev}:{found.st_ino}":
            return None
        return Journal(socket.socket(fileno=os.dup(descriptor)))
    except OSError:
        return None


def journal_line(record: Mapping[str, Any]) -> bytes:
    event, level = str(record.get("event", "")), str(record.get("level", ""))
    priority = DEBUG if level == "info" and event in DETAILS else PRIORITIES.get(level, INFO)
    told = " ".join(
        f"{name}={_shown(value)}"
        for name, value in record.items()
        if name not in LEFT_OUT and value not in (None, "", [])
    )
    text = f"<{priority}>{event} {told}".rstrip()
    return text.encode("utf-8", "replace")[:LINE_BYTES].decode("utf-8", "ignore").encode() + b"\n"


def _shown(value: object) -> str:
    """On one line, whatever it is."""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    is_plain = text.isprintable() and not any(char in text for char in ' "=')
    return text if is_plain else msgspec.json.encode(text).decode()
