"""The rebuild log: JSON Lines in one file that rotates itself, never blocks a run and never tears a line."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, MutableMapping
from datetime import UTC, datetime
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
        renderer = structlog.processors.JSONRenderer(ensure_ascii=False, default=str)
        self._logger = structlog.wrap_logger(
            _Sink(self._emit),
            processors=[structlog.processors.add_log_level, self._stamp, renderer],
            wrapper_class=structlog.make_filtering_bound_logger(0),
        ).bind(instance=instance, pid=os.getpid(), v=1)

    def info(self, event: str, **fields: object) -> None:
        self._tell_dropped()
        self._logger.info(event, **fields)

    def warning(self, event: str, **fields: object) -> None:
        self._tell_dropped()
        self._logger.warning(event, **fields)

    def error(self, event: str, **fields: object) -> None:
        self._tell_dropped()
        self._logger.error(event, **fields)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Calls `listener` with each line from now on; the answer ends that."""
        self._listeners.add(listener)
        return lambda: self._listeners.discard(listener)

    def reopen(self) -> None:
        self._file.close()

    close = reopen

    def _tell_dropped(self) -> None:
        lost = self._file.dropped - self._told_dropped
        if lost > 0:
            self._told_dropped = self._file.dropped
            self._logger.warning("log.dropped", lost=lost)

    def _stamp(
        self, _logger: object, _name: str, record: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        head = {"ts": timestamp(self._wall()), "mono": round(self._monotonic(), 6)}
        return head | {"level": record.pop("level"), "event": record.pop("event")} | dict(record)

    def _emit(self, line: str) -> None:
        data = line.encode("utf-8", "replace")
        if len(data) >= LINE_LIMIT_BYTES:
            data = _shortened(data)
        self._file.write(data + b"\n")
        for listener in tuple(self._listeners):
            listener(data)


class _Sink:
    """What structlog calls with the finished line, whatever its level."""

    def __init__(self, emit: Callable[[str], None]) -> None:
        self.info = self.warning = self.error = emit


def _shortened(data: bytes) -> bytes:
    """A record that stays valid JSON: the longest texts are cut until it fits."""
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
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
