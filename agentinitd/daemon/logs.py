"""The rebuild log: JSON Lines in one file that rotates itself, never blocks a run and never tears a line."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

LINE_LIMIT_BYTES = 8192
HEAD = ("ts", "mono", "level", "event", "instance", "pid", "v")


class LogFile:
    """One `write` per record into a file opened for append (supervision.md LOG-1 to LOG-3)."""

    def __init__(self, path: Path, *, limit_bytes: int, files: int) -> None:
        self._path = path
        self._limit_bytes = limit_bytes
        self._files = files
        self._descriptor: int | None = None
        self.dropped = 0

    def write(self, line: bytes) -> None:
        try:
            descriptor = self._current()
            size = os.fstat(descriptor).st_size
            if size and size + len(line) > self._limit_bytes:
                self._rotate()
                descriptor = self._current()
            if os.write(descriptor, line) < len(line):
                self._mend(descriptor)
                raise OSError("only a part of the record reached the disk")
        except OSError:
            self.dropped += 1
            self.close()

    def _mend(self, descriptor: int) -> bool:
        """Takes away the piece of a record that a full disk or a kill left at the end, if there is one."""
        size = os.fstat(descriptor).st_size
        tail = os.pread(descriptor, LINE_LIMIT_BYTES, max(0, size - LINE_LIMIT_BYTES))
        torn = len(tail) - (tail.rfind(b"\n") + 1)
        if torn == LINE_LIMIT_BYTES:  # none of ours is so long: leave it, on a line of its own
            os.write(descriptor, b"\n")
        elif torn:
            os.ftruncate(descriptor, size - torn)
        return bool(torn)

    def _current(self) -> int:
        """The open file, opened again when something moved or removed it (supervision.md LOG-2)."""
        if self._descriptor is not None and not self._is_moved(self._descriptor):
            return self._descriptor
        self.close()
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._descriptor = os.open(self._path, flags, 0o600)
        if self._mend(self._descriptor):
            self.dropped += 1
        return self._descriptor

    def _is_moved(self, descriptor: int) -> bool:
        here = os.fstat(descriptor)
        try:
            there = self._path.stat()
        except OSError:
            return True
        return (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino)

    def _rotate(self) -> None:
        self.close()
        for number in range(self._files - 1, 0, -1):
            older = self._numbered(number)
            newer = self._numbered(number - 1)
            with contextlib.suppress(FileNotFoundError):
                newer.replace(older)
        with contextlib.suppress(FileNotFoundError):
            self._path.unlink()  # only left where a single file is kept

    def _numbered(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}") if number else self._path

    @property
    def is_open(self) -> bool:
        """False after a record was lost, until one is written again."""
        return self._descriptor is not None

    def close(self) -> None:
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None


Listener = Callable[[bytes], None]


class RebuildLog:
    """Takes records by event name; the file and every listener get the same line."""

    def __init__(
        self, file: LogFile, *, instance: str, wall: Callable[[], float], monotonic: Callable[[], float]
    ) -> None:
        self._file = file
        self._wall = wall
        self._monotonic = monotonic
        self._listeners: set[Listener] = set()
        self._told_dropped = 0
        self._origin = {"instance": instance, "pid": os.getpid(), "v": 1}

    def info(self, event: str, **fields: object) -> None:
        self._record("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        self._record("warning", event, fields)

    def error(self, event: str, **fields: object) -> None:
        self._record("error", event, fields)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls `listener` with each line from now on; the answer ends that."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def reopen(self) -> None:
        self._file.close()

    close = reopen

    @property
    def lost(self) -> int:
        """Records that are in no file, and of which no later record tells yet."""
        return self._file.dropped - self._told_dropped

    def _record(self, level: str, event: str, fields: dict[str, object]) -> None:
        self._write(level, event, fields)
        lost = self.lost
        # The file takes records again, or the notice would be lost as well (supervision.md LOG-3).
        if lost and self._file.is_open:
            self._write("warning", "log.dropped", {"lost": lost})
            if self._file.is_open:
                self._told_dropped += lost

    def _write(self, level: str, event: str, fields: dict[str, object]) -> None:
        head = {"ts": timestamp(self._wall()), "mono": round(self._monotonic(), 6)}
        data = _json({**head, "level": level, "event": event, **self._origin, **fields})
        if len(data) >= LINE_LIMIT_BYTES:
            data = _shortened(data)
        self._file.write(data + b"\n")
        for listener in tuple(self._listeners):
            listener(data)


def _shortened(data: bytes) -> bytes:
    """A record that stays valid JSON: the longest texts are cut until it fits, else only its head is kept."""
    record: dict[str, Any] = json.loads(data)
    for allowed in (2048, 1024, 512, 256, 128, 64, 32):
        record = {key: _cut(value, allowed) for key, value in record.items()}
        data = _json(record)
        if len(data) < LINE_LIMIT_BYTES:
            return data
    return _json({key: record[key] for key in HEAD} | {"shortened": True})


def _json(record: dict[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False, default=str).encode("utf-8", "replace")


def _cut(value: Any, allowed: int) -> Any:
    if isinstance(value, str) and len(value) > allowed:
        return value[:allowed] + "…"
    if isinstance(value, list | dict) and len(str(value)) > allowed:
        return f"{str(value)[:allowed]}…"
    return value


def timestamp(seconds: float) -> str:
    """RFC 3339 in UTC with microseconds."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
