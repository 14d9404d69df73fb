"""What is remembered of each session across restarts: one small file a session, replaced as a whole."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from agentinitd.disk import read_bounded, write_atomically
from agentinitd.sessions.record import RECORD_VERSION, SessionRecord

RECORD_LIMIT_BYTES = 4 * 1024 * 1024


class _Version(msgspec.Struct):
    v: int = 0


class _ReadAt(msgspec.Struct):
    read_at: float = 0.0


def record_key(agent: str, name: str) -> str:
    """A file name for a session: `name` is its transcript's path, or its id while no transcript is known."""
    return hashlib.sha256(f"{agent}\0{name}".encode("utf-8", "surrogateescape")).hexdigest()[:20]


class SessionRecords:
    """The folder of session records.  A file that cannot be used is kept aside, never overwritten."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # One thread: of two saves the later one stays, also when nobody waits for the first any more.
        self._writer = ThreadPoolExecutor(1, "records")

    def load(self, key: str) -> SessionRecord | None:
        path = self._path(key)
        try:
            data = read_bounded(path, RECORD_LIMIT_BYTES)
        except OSError:
            return None
        try:
            if msgspec.json.decode(data, type=_Version).v != RECORD_VERSION:
                raise msgspec.ValidationError("another version")
            return msgspec.json.decode(data, type=SessionRecord)
        except msgspec.MsgspecError:
            self._keep_aside(path)
            return None

    async def write(self, record: SessionRecord) -> None:
        """`save`, after all that were asked for before."""
        await asyncio.get_running_loop().run_in_executor(self._writer, self.save, record)

    def save(self, record: SessionRecord) -> None:
        """Raises OSError on a full disk; the record on disk is then the older one, whole."""
        write_atomically(self._path(record.key), msgspec.json.encode(record))

    def forget(self, key: str) -> None:
        with contextlib.suppress(OSError):
            self._path(key).unlink()

    def read_at(self, key: str) -> float | None:
        """The `read_at` of its record; None when there is none, 0 when that cannot be used."""
        try:
            data = read_bounded(self._path(key), RECORD_LIMIT_BYTES)
        except OSError:
            return None
        try:
            return msgspec.json.decode(data, type=_ReadAt).read_at
        except msgspec.MsgspecError:
            return 0.0

    def latest(self, count: int) -> list[str]:
        """The keys of the records that were saved last."""
        saved: list[tuple[int, str]] = []
        for path in self._folder.glob("*.json"):
            with contextlib.suppress(OSError):
                saved.append((path.stat().st_mtime_ns, path.stem))
        return [key for _, key in sorted(saved, reverse=True)[:count]]

    def _path(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _keep_aside(self, path: Path) -> None:
        with contextlib.suppress(OSError):
            path.replace(path.with_name(f"{path.name}.bad-{int(time.time())}"))
