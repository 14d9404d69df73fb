"""The private folder of one run, and what its scripts may have done to it (EXE-6)."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from agentinitd import disk
from agentinitd.model.errors import AgentinitdError


@contextlib.contextmanager
def run_folder(scratch_dir: Path, session_dir: Path) -> Iterator[Path]:
    """A folder for one run, gone afterwards, and the one in which scripts of the session may keep something.

    A disk that takes nothing keeps no script from running (supervision.md FIL-2).  Raises AgentinitdError
    when no folder can be made.
    """
    try:
        folder = _made(scratch_dir, session_dir)
    except OSError as error:
        raise AgentinitdError(
            f"{scratch_dir}: no folder for the run: {error.strerror}. Make room or check its owner."
        ) from error
    try:
        yield folder
    finally:
        _remove(folder)


def _made(scratch_dir: Path, session_dir: Path) -> Path:
    try:
        disk.private_folder(scratch_dir)
        disk.private_folder(session_dir)
        return Path(tempfile.mkdtemp(prefix="run-", dir=scratch_dir))
    except OSError as error:
        if error.errno not in disk.TAKES_NOTHING:
            raise
        return Path(tempfile.mkdtemp(prefix="agentinitd-run-"))


def renew(folder: Path) -> None:
    """For the next script, when one before removed it, locked it, or laid something else in its place."""
    with contextlib.suppress(OSError):
        if folder.is_symlink() or not folder.is_dir():
            folder.unlink(missing_ok=True)
            folder.mkdir(mode=0o700)
        elif stat.S_IMODE(folder.stat().st_mode) != 0o700:
            folder.chmod(0o700)


def _remove(folder: Path) -> None:
    if folder.is_symlink() or not folder.is_dir():
        # What was laid in its place goes, and nothing behind it.
        with contextlib.suppress(OSError):
            folder.unlink()
        return
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        # A script took away its own right to write somewhere below.
        for path, _, _ in os.walk(folder):
            with contextlib.suppress(OSError):
                Path(path).chmod(0o700)
        shutil.rmtree(folder, ignore_errors=True)
