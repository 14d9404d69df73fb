"""Files that survive a kill and a full disk: atomic writes, private folders, bounded reads."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

from agentinitd.model.errors import PermissionRefused

TEMPORARY = re.compile(r"\..+\.([0-9]+)\.[0-9a-f]{8}")
"""How `write_atomically` names a file that it has not finished; the number is its process."""

TAKES_NOTHING = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})
"""The errors of a disk that is full or closed, where nothing is wrong with the path."""


def write_atomically(
    path: Path,
    data: bytes,
    *,
    mode: int = 0o600,
    is_synced: bool = True,
    last_look: Callable[[], None] = lambda: None,
) -> None:
    """Old bytes or new bytes, never a mix, whatever kills us (supervision.md FIL-1 and 3).

    A path that is a link stays one: the file behind it is replaced.  After an OSError the old file is whole.
    What is derived and wanted quickly need not be synced: then only the power may cost it, no kill.
    `last_look` is called when all is ready and only the rename is left; what it raises leaves the old file.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        _write_whole(temporary, data, mode, is_synced=is_synced)
        last_look()
        temporary.replace(target)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename in (None, str(temporary)):
            error.filename = str(target)  # the name that means something to people
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    if is_synced:
        _sync_folder(target.parent)


def _write_whole(path: Path, data: bytes, mode: int, *, is_synced: bool) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        os.fchmod(descriptor, mode)
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        if is_synced:
            os.fsync(descriptor)
        # A short write without an error has been seen to be followed by the rename (supervision.md FIL-1).
        if os.fstat(descriptor).st_size != len(data):
            raise OSError(f"{path}: only part of the bytes reached the disk")
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def private_folder(path: Path) -> Path:
    """`path` as a real folder of ours with mode 0700, made if absent (supervision.md LCK-5).

    Raises PermissionRefused when it is a link, a file, somebody else's or open to everybody, and OSError.
    """
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o700, parents=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode):
        raise PermissionRefused(f"{path} must be a folder, not a link or a file. Remove it and start again.")
    if found.st_uid != os.geteuid():
        raise PermissionRefused(f"{path} belongs to uid {found.st_uid}, not to you. Choose another folder.")
    if found.st_mode & (stat.S_IWOTH | stat.S_ISVTX):
        raise PermissionRefused(f"{path} is shared with others. Choose a folder that is yours alone.")
    if found.st_mode & 0o077:
        path.chmod(0o700)
    return path


def read_bounded(path: Path, limit_bytes: int) -> bytes:
    """The bytes of a regular file.  Never blocks on a FIFO.  Raises OSError, also when there are more."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    # `fdopen` would leave the descriptor of a folder open when it refuses it: look first.
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path}: not a regular file")
    with os.fdopen(descriptor, "rb") as file:
        data = file.read(limit_bytes + 1)
    if len(data) > limit_bytes:
        raise OSError(f"{path}: larger than {limit_bytes:,} bytes")
    return data
