"""The rebuild log: JSON Lines in one file that rotates itself, never blocks a run and never tears a line."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any

import structlog

LINE_LIMIT_BYTES = 8192


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
            if os.fstat(descriptor).st_size + len(line) > self._limit_bytes:
                self._rotate()
                descriptor = self._current()
            os.write(descriptor, self._mended(descriptor) + line)
        except OSError:
            self.dropped += 1
            self.close()

    def _mended(self, descriptor: int) -> bytes:
        """A newline when the last record of a full disk was cut, so that ours stays whole."""
        size = os.fstat(descriptor).st_size
        if not size or os.pread(descriptor, 1, size - 1) == b"\n":
            return b""
        return b"\n"

    def _current(self) -> int:
        """The open file, opened again when something moved or removed it (supervision.md LOG-2)."""
        if self._descriptor is not None and not self._is_moved(self._descriptor):
            return self._descriptor
        self.close()
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        self._descriptor = os.open(self._path, flags, 0o600)
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
        self._logger = structlog.wrap_logger(
            None,
            processors=[self._stamp, structlog.processors.JSONRenderer(ensure_ascii=False), self._emit],
            wrapper_class=structlog.BoundLogger,
        ).bind(instance=instance, pid=os.getpid(), v=1)

    def info(self, event: str, **fields: object) -> None:
        self._record(event, "info", fields)

    def warning(self, event: str, **fields: object) -> None:
        self._record(event, "warning", fields)

    def error(self, event: str, **fields: object) -> None:
        self._record(event, "error", fields)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls `listener` with each line from now on; the answer ends that."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def reopen(self) -> None:
        self._file.close()

    close = reopen

    def _record(self, event: str, level: str, fields: Mapping[str, object]) -> None:
        if self._file.dropped > self._told_dropped:
            lost, self._told_dropped = self._file.dropped - self._told_dropped, self._file.dropped
            self._render("log.dropped", "warning", {"lost": lost})
        self._render(event, level, fields)

    def _render(self, event: str, level: str, fields: Mapping[str, object]) -> None:
        with contextlib.suppress(structlog.DropEvent):
            self._logger._proxy_to_logger("msg", event, level=level, **fields)

    def _stamp(
        self, _logger: object, _name: str, record: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        stamped: dict[str, Any] = {"ts": timestamp(self._wall()), "mono": round(self._monotonic(), 6)}
        stamped["level"] = record.pop("level")
        stamped["event"] = record.pop("event")
        stamped.update(record)
        return stamped

    def _emit(self, _logger: object, _name: str, line: Any) -> str:
        data = str(line).encode("utf-8", "replace")
        if len(data) >= LINE_LIMIT_BYTES:
            data = _shortened(data)
        self._file.write(data + b"\n")
        for listener in tuple(self._listeners):
            listener(data)
        raise structlog.DropEvent


def _shortened(data: bytes) -> bytes:
    """A record that stays valid JSON: the longest texts are cut until it fits."""
    import json

    record: dict[str, Any] = json.loads(data)
    allowed = 2048
    while len(data) >= LINE_LIMIT_BYTES and allowed > 8:
        record = {key: _cut(value, allowed) for key, value in record.items()}
        data = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")
        allowed //= 2
    return data


def _cut(value: Any, allowed: int) -> Any:
    if isinstance(value, str) and len(value) > allowed:
        return value[:allowed] + "…"
    if isinstance(value, list | dict) and len(str(value)) > allowed:
        return f"{str(value)[:allowed]}…"
    return value


def timestamp(seconds: float) -> str:
    """RFC 3339 in UTC with microseconds."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
