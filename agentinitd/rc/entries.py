"""One file of a folder, judged and read through its opened descriptor: no swap slips between (NAM-6 to 8)."""

# Real paths are judged as texts, and files opened relative to descriptors.
# ruff: noqa: PTH114, PTH118, PTH119, PTH120, PTH208

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from agentinitd.rc.ownership import Ownership

LARGEST_SCRIPT = 1024 * 1024
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


@dataclass(frozen=True, slots=True)
class Folder:
    """An opened folder and its real path."""

    descriptor: int
    path: str

    def names(self) -> list[str]:
        """One snapshot, in byte order whatever the locale (NAM-4, NAM-9)."""
        return sorted(os.listdir(self.descriptor), key=os.fsencode)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What lies under one name.  `fault` says why it must not be used; `data` is then empty."""

    real: str = ""
    """Real path of the file itself, behind any link."""
    link: str | None = None
    """What the link says, if the name is one."""
    data: bytes = b""
    """All bytes; of a file above the limit only the first part, when that was allowed."""
    sha256: str = ""
    is_executable: bool = False
    is_folder: bool = False
    is_mask: bool = False
    fault: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a folder's files have to satisfy."""

    ownership: Ownership
    within: str | None = None
    """Real path of the folder that no link may leave."""
    is_root_allowed: bool = True
    is_large_allowed: bool = False


@contextlib.contextmanager
def opened(path: str) -> Iterator[Folder]:
    """The folder at `path`.  Raises OSError when there is none."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield Folder(descriptor, os.path.realpath(path))
    finally:
        os.close(descriptor)


def read(folder: Folder, name: str, rules: Rules) -> Found:
    """The file called `name` in `folder`.  Never raises OSError, never blocks, follows no unjudged link."""
    try:
        mode = os.lstat(name, dir_fd=folder.descriptor).st_mode
        if stat.S_ISLNK(mode):
            return _read_link(folder, name, rules)
        return _read_plain(folder, name, mode, rules, link=None)
    except OSError as error:
        return Found(fault=f"cannot be read: {error.strerror or error}")


def _read_link(folder: Folder, name: str, rules: Rules) -> Found:
    link = os.readlink(name, dir_fd=folder.descriptor)
    if link == os.devnull:
        return Found(link=link, is_mask=True)
    real = os.path.realpath(os.path.join(folder.path, name))
    if not os.path.lexists(real) or os.path.islink(real):
        return Found(link=link, fault=f"dangling link to {link}")
    if rules.within is not None and not is_inside(real, rules.within):
        return Found(link=link, fault=f"link leads out of the project, to {real}")
    with opened(os.path.dirname(real)) as behind:
        base = os.path.basename(real)
        mode = os.lstat(base, dir_fd=behind.descriptor).st_mode
        return _read_plain(behind, base, mode, rules, link=link)


def _read_plain(folder: Folder, name: str, mode: int, rules: Rules, *, link: str | None) -> Found:
    if stat.S_ISDIR(mode):
        return Found(link=link, is_folder=True)
    # Looked at before opening, too: opening a device can do things.
    if not stat.S_ISREG(mode):
        return Found(link=link, fault="not a regular file")
    descriptor = os.open(name, _OPEN, dir_fd=folder.descriptor)
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        found = os.fstat(descriptor)
        real = os.path.join(folder.path, name)
        if not stat.S_ISREG(found.st_mode):
            return Found(link=link, fault="not a regular file")
        fault = rules.ownership.fault(real, found, is_root_allowed=rules.is_root_allowed)
        if fault:
            return Found(real=real, link=link, fault=fault)
        return _read_bytes(file.fileno(), found, real, rules, link=link)


def _read_bytes(
    descriptor: int, found: os.stat_result, real: str, rules: Rules, *, link: str | None
) -> Found:
    data = _up_to(descriptor, LARGEST_SCRIPT + 1)
    is_large = len(data) > LARGEST_SCRIPT
    if is_large and not rules.is_large_allowed:
        return Found(real=real, link=link, fault=f"larger than {LARGEST_SCRIPT:,} bytes")
    return Found(
        real=real,
        link=link,
        data=data,
        sha256=_identity(found) if is_large else hashlib.sha256(data).hexdigest(),
        is_executable=_is_executable(found, rules.ownership.uid),
        is_mask=not data,
    )


def _up_to(descriptor: int, limit: int) -> bytes:
    parts: list[bytes] = []
    while limit > 0 and (part := os.read(descriptor, limit)):
        parts.append(part)
        limit -= len(part)
    return b"".join(parts)


def _identity(found: os.stat_result) -> str:
    # A big program of the user's own is not read through at every rebuild: its identity stands for its bytes.
    told = f"{found.st_dev}:{found.st_ino}:{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"
    return hashlib.sha256(told.encode()).hexdigest()


def _is_executable(found: os.stat_result, uid: int) -> bool:
    bits = stat.S_IXUSR if found.st_uid == uid and uid != 0 else stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH
    return bool(found.st_mode & bits)


def is_inside(path: str, folder: str) -> bool:
    """Both are real paths."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")
