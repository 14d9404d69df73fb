"""Writing entries of an `rc.d/`: a link where the script lies beside it, else a file of one line (RL-2)."""

# Real paths are judged as texts.
# ruff: noqa: PTH118

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from agentinitd import disk
from agentinitd.model.errors import AgentinitdError, PermissionRefused
from agentinitd.rc.entries import is_inside
from agentinitd.rc.placing import Change

FOLDER_MODE, FILE_MODE = 0o755, 0o644


def write(folder: Path, changes: Iterable[Change], *, within: Path | None) -> None:
    """Make the changes in the layer at `folder`; no link may lead them out of `within`.

    Raises PermissionRefused, or AgentinitdError when the disk refuses.
    """
    for change in changes:
        path = folder / "rc.d" / f"{change.level}.d" / change.name
        real = os.path.realpath(path.parent)
        if within is not None and not is_inside(real, os.path.realpath(within)):
            raise PermissionRefused(
                f"{path.parent} leads out of the project, to {real}. Nothing was written."
            )
        try:
            _write_one(path, change)
        except OSError as error:
            raise AgentinitdError(f"{path}: {error.strerror}. Mend its folder and try again.") from error


def _write_one(path: Path, change: Change) -> None:
    if change.says is None:
        path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            path.parent.rmdir()
        return
    for folder in (path.parents[2], path.parents[1], path.parent):
        if not folder.is_dir():
            folder.mkdir(FOLDER_MODE, parents=True)
    if change.says and os.path.lexists(os.path.join(path.parent, change.says)):
        fresh = path.with_name(f".{secrets.token_hex(4)}")
        fresh.symlink_to(change.says)
        fresh.replace(path)
        return
    if path.is_symlink():
        path.unlink()  # to be replaced, not written through
    disk.write_atomically(path, f"{change.says}\n".encode() if change.says else b"", mode=FILE_MODE)
