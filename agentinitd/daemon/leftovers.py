"""What a daemon that was killed left on disk, and what nobody came back to: removed at the start.

To be called with the lock held and before anything runs: whatever seems to be under way then is of the dead.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from agentinitd.daemon.paths import Places
from agentinitd.disk import TEMPORARY

KEPT_SECONDS = 90 * 24 * 3600.0
"""So long a session may rest and be taken up again where it was."""


def clean(places: Places, *, now: float) -> None:
    """What cannot be removed stays, and is tried again at the next start."""
    for path in _below(places.scratch_dir):
        _remove(path)
    for folder in (places.state_dir, places.sessions_dir, *_below(places.last_good_dir)):
        for path in _below(folder):
            if TEMPORARY.fullmatch(path.name):
                _remove(path)
    for path in (*_below(places.sessions_dir), *_below(places.last_good_dir)):
        if _is_older(path, now - KEPT_SECONDS):
            _remove(path)
    for path in _below(places.script_state_dir):
        if not (places.sessions_dir / f"{path.name}.json").exists() and _is_older(path, now - KEPT_SECONDS):
            _remove(path)


def _below(folder: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError):
        yield from tuple(folder.iterdir())


def _is_older(path: Path, limit: float) -> bool:
    try:
        return path.lstat().st_mtime < limit
    except OSError:
        return False


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        if path.is_symlink() or not path.is_dir():
            path.unlink()
        else:
            shutil.rmtree(path, ignore_errors=True)
