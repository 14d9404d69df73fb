"""One file of a project's memory that may be written: where it lies, what it said, how it is replaced."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agentinitd.disk import TEMPORARY, write_atomically
from agentinitd.memory.folder import MAX_FILE_BYTES
from agentinitd.memory.locking import memory_of
from agentinitd.model.errors import MemoryForbidden, MemoryRefused

_SPACE = "Free some space and try again"
_CURES = {
    errno.ENOSPC: _SPACE,
    errno.EDQUOT: _SPACE,
    errno.EFBIG: "Allow larger files (`ulimit -f`) and try again",
    errno.EIO: "Look after the disk",
    errno.ENOTDIR: "Remove the file that stands in the place of a folder",
    errno.EMFILE: "Try again",
    errno.ENFILE: "Try again",
}
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


class Overtaken(Exception):
    """The file is no longer what was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A file as it was read; without a descriptor there was none."""

    data: bytes | None = None
    descriptor: int | None = None
    mode: int = 0o600

    def late(self) -> bytes | None:
        """What an editor has written since into the very file that was read, if it did."""
        if self.descriptor is None:
            return None
        data = os.pread(self.descriptor, os.fstat(self.descriptor).st_size, 0)
        return None if data == self.data else data


class WritableFile:
    """A path of the memory that was judged: inside the project, its folder there.  Raises MemoryRefused."""

    def __init__(self, project: Path, path: Path) -> None:
        memory = memory_of(project)
        self.path = memory / path
        """As it was named: it may be a link."""
        self.name = os.path.relpath(os.path.realpath(self.path.parent) + "/" + self.path.name, memory)
        """Relative to the memory folder."""
        self._real = Path(os.path.realpath(self.path))
        if not self._real.is_relative_to(os.path.realpath(project)):
            raise MemoryRefused(f"{self.path} leaves the project. Nothing is written there.")
        if self.path.is_symlink() and not self._real.exists():
            raise MemoryRefused(f"{self.path} is a link to nowhere. Remove it.")

    @contextlib.contextmanager
    def told(self) -> Iterator[None]:
        """What the system refuses inside, as a sentence."""
        try:
            yield
        except OSError as error:
            right = f"Give yourself the right to write in {self._real.parent}"
            cure = _CURES.get(error.errno or 0, right)
            reason = error.strerror or str(error)
            kind = MemoryForbidden if isinstance(error, PermissionError) else MemoryRefused
            raise kind(f"{self.path} was not changed: {reason}. {cure}.") from error

    def look(self, open_files: contextlib.ExitStack) -> Seen:
        """The file as it is now; its descriptor stays open with `open_files`."""
        try:
            descriptor = os.open(self._real, _READ)
        except FileNotFoundError:
            return Seen()
        open_files.callback(os.close, descriptor)
        found = os.fstat(descriptor)
        self._judge(found)
        data = os.pread(descriptor, found.st_size, 0)
        return Seen(data=data, descriptor=descriptor, mode=stat.S_IMODE(found.st_mode) & 0o777)

    def _judge(self, found: os.stat_result) -> None:
        if not stat.S_ISREG(found.st_mode):
            raise MemoryRefused(f"{self.path} is not a regular file. Remove it.")
        if found.st_uid != os.geteuid():
            cure = "Take it over with `chown`."
            raise MemoryRefused(f"{self.path} belongs to uid {found.st_uid}, not to you. {cure}")
        if found.st_size > MAX_FILE_BYTES:
            size = f"{found.st_size:,} bytes, more than {MAX_FILE_BYTES:,}"
            raise MemoryRefused(f"{self.path} has {size}. Shorten it.")

    def replace(self, seen: Seen, data: bytes, *, is_synced: bool) -> None:
        """Raises Overtaken when the file is no longer what was seen, and OSError."""
        if len(data) > MAX_FILE_BYTES:
            size = f"{len(data):,} bytes, more than {MAX_FILE_BYTES:,}"
            raise MemoryRefused(f"{self.path} was not changed: it would have {size}. Shorten it first.")

        def last_look() -> None:
            with contextlib.ExitStack() as open_files:
                if self.look(open_files).data != seen.data:
                    raise Overtaken

        self._make_folders()
        self._sweep()
        write_atomically(self._real, data, mode=seen.mode, is_synced=is_synced, last_look=last_look)

    def append(self, data: bytes, *, size: int) -> None:
        """Behind the `size` bytes that are there; what is only partly written is taken back."""
        self._make_folders()
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(self._real, flags, 0o600)
        try:
            while data:
                data = data[os.write(descriptor, data) :]
        except OSError:
            os.ftruncate(descriptor, size)
            raise
        finally:
            os.close(descriptor)

    def keep_beside(self, text: str, at: float) -> Path:
        """A new file `<name>.conflict-<UTC time>` with this text."""
        self._make_folders()
        name = f"{self._real.name}.conflict-{datetime.fromtimestamp(at, UTC):%Y%m%dT%H%M%SZ}"
        path, number = self._real.with_name(name), 1
        while os.path.lexists(path):
            number += 1
            path = self._real.with_name(f"{name}-{number}")
        write_atomically(path, text.encode("utf-8", "replace"))
        return path

    def _sweep(self) -> None:
        """Beginnings of this file that a killed writer left: we hold the lock, nobody is at work on them."""
        for path in self._real.parent.iterdir():
            if TEMPORARY.fullmatch(path.name) and path.name.startswith(f".{self._real.name}."):
                path.unlink(missing_ok=True)

    def _make_folders(self) -> None:
        """For their owner alone; one that is there is left as it is."""
        parent = self._real.parent
        missing = [folder for folder in (parent, *parent.parents) if not folder.exists()]
        for folder in reversed(missing):
            folder.mkdir(mode=0o700, exist_ok=True)
