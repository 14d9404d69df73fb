"""The sessions that were followed on this machine, from what the daemon left on disk about each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from agentinitd.disk import read_bounded
from agentinitd.model.errors import AgentinitdError, UsageError

if TYPE_CHECKING:
    from agentinitd.daemon.paths import Places

RECORD_LIMIT_BYTES = 4 * 1024 * 1024
SHOWN = 8


class KnownSession(msgspec.Struct, frozen=True):
    """What of a session's record is of interest without its daemon."""

    key: str
    agent: str
    session_ids: tuple[str, ...] = ()
    transcript: str | None = None
    project: str | None = None
    seen_at: float = 0.0

    @property
    def id(self) -> str:
        return self.session_ids[-1] if self.session_ids else self.key


def known_sessions(where: Places, *, most: int | None = None) -> Iterator[KnownSession]:
    """The one that was saved last comes first.  Records that cannot be read are left out, and left alone."""
    saved: list[tuple[int, Path]] = []
    for path in where.sessions_dir.glob("*.json"):
        try:
            saved.append((path.stat().st_mtime_ns, path))
        except OSError:
            continue
    for _, path in sorted(saved, reverse=True)[:most]:
        try:
            yield msgspec.json.decode(read_bounded(path, RECORD_LIMIT_BYTES), type=KnownSession)
        except (OSError, msgspec.MsgspecError):
            continue


def found_session(where: Places, name: str) -> KnownSession:
    """The session of this id or the beginning of it.

    Raises AgentinitdError when none is known, UsageError when several are.
    """
    sessions = list(known_sessions(where))
    exact = [each for each in sessions if name == each.key or name in each.session_ids]
    near = [each for each in sessions if any(known.startswith(name) for known in each.session_ids)]
    fitting = exact or near
    if len(fitting) == 1 or exact:
        return fitting[0]
    if fitting:
        raise UsageError(f"{name} may be {', '.join(each.id for each in fitting[:SHOWN])}. Name one of them.")
    latest = ", ".join(each.id for each in sessions[:SHOWN]) or "none"
    raise AgentinitdError(
        f"No session {name} was followed here. The latest: {latest}. A transcript's path does as well."
    )
