"""The last good output of every script, by project, task and runlevel, and what it was made from (OUT-9)."""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from agentinitd import disk
from agentinitd.model.errors import PermissionRefused
from agentinitd.model.scripts import RUNLEVELS, Result, Runlevel, Script
from agentinitd.rc.request import RunRequest

RECORD_BYTES = 2 * 1024 * 1024
REFRESH_SECONDS = 300.0
"""An unchanged output is not written again before this: its age may be told too high by that much."""
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A good output: of a script that ended `ok`, or `empty`."""

    script_sha256: str
    fingerprint: str | None
    made_at: float
    result: Result
    output: str

    def age_seconds(self, now: float) -> float:
        # A clock that was set back makes nothing younger than new (CLK-3).
        return max(0.0, now - self.made_at)


class LastGood:
    """The outputs of one project and task."""

    def __init__(self, folder: Path, request: RunRequest) -> None:
        place = json.dumps([str(request.project_root), request.task_id])
        self._root = folder
        self._folder = folder / hashlib.sha256(place.encode()).hexdigest()[:32]

    def get(self, script: Script, runlevel: Runlevel) -> Kept | None:
        """What exactly this script printed last in this runlevel."""
        found = _read(self._path(script, runlevel))
        return found if found and found.script_sha256 == script.sha256 else None

    def newest(self, script: Script, runlevel: Runlevel) -> Kept | None:
        """The same, else what it printed last in any other runlevel."""
        own = self.get(script, runlevel)
        others = (self.get(script, level) for level in RUNLEVELS) if own is None else ()
        return own or max((kept for kept in others if kept), key=lambda kept: kept.made_at, default=None)

    def put(self, script: Script, runlevel: Runlevel, kept: Kept) -> None:
        """Keep it.  A full disk keeps the old one: never worth failing a rebuild for."""
        old = self.get(script, runlevel)
        if old is not None and _is_same(old, kept):
            return
        with contextlib.suppress(OSError, PermissionRefused):
            disk.private_folder(self._root)
            disk.private_folder(self._folder)
            text = json.dumps({"v": _VERSION, **asdict(kept)})
            disk.write_atomically(self._path(script, runlevel), text.encode())

    def _path(self, script: Script, runlevel: Runlevel) -> Path:
        return self._folder / f"{script.key}.{runlevel}.json"


def _is_same(old: Kept, new: Kept) -> bool:
    is_recent = 0 <= new.made_at - old.made_at < REFRESH_SECONDS
    return is_recent and (old.output, old.fingerprint, old.result) == (
        new.output,
        new.fingerprint,
        new.result,
    )


def _read(path: Path) -> Kept | None:
    try:
        raw = json.loads(disk.read_bounded(path, RECORD_BYTES))
        if raw.pop("v") != _VERSION:
            return None
        kept = Kept(**raw)
        is_sound = isinstance(kept.output, str) and isinstance(kept.made_at, float | int)
        return kept if is_sound and kept.result in ("ok", "empty") else None
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        # Derived data: what is damaged is made again by the next good run.
        return None
