"""Sessions that were begun, and perhaps ended, while no daemon ran: they are heard at the next start."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from agentinitd.daemon.finding import Found, changed_ns
from agentinitd.daemon.following import Followed
from agentinitd.daemon.paths import Places
from agentinitd.daemon.roster import Roster
from agentinitd.daemon.tried import Complain, tried
from agentinitd.transcripts.follower import Seen

MOST_MISSED = 64
"""Of the latest ones; each is read from its top."""


def absent_since(places: Places, *, now: float) -> float:
    """When the daemon before us ended, or began if it was killed; if none ever ran, when hooks were put in.

    To be asked before the lock is ours: whoever holds it writes into it as it begins and as it ends.  `now`
    is for a machine on which nothing of the kind happened: what lies there is from before our time.
    """
    installed = sorted((places.state_dir / "integrations").glob("*.json"), key=_changed_at)
    for path in (places.lock_file, *installed):
        with contextlib.suppress(OSError):
            return path.stat().st_mtime
    return now


def missed(
    found: Mapping[str, Found], *, since: float, is_known: Callable[[str, str], bool]
) -> dict[str, Found]:
    """Those that nobody followed, the latest first.  `is_known` is asked for agent and name."""
    changed = {name: changed_ns(name, each.seen) for name, each in found.items()}
    late = [name for name in found if changed[name] > since * 1e9 and not is_known(found[name].agent, name)]
    return {name: found[name] for name in sorted(late, key=changed.__getitem__, reverse=True)[:MOST_MISSED]}


class Read(Protocol):
    """`Supervisor.read`."""

    def __call__(self, followed: Followed, *, is_catchup: bool) -> Awaitable[None]: ...


class Missed:
    """What is remembered of them is no cause for anything: nobody works there, as far as we know."""

    def __init__(self, roster: Roster, *, since: float, read: Read, complain: Complain) -> None:
        """`since`: so long no daemon ran before this one."""
        self._roster = roster
        self._since = since
        self._read = read
        self._complain = complain
        self._found: Mapping[str, Found] = {}

    def look_through(self, everything: Mapping[str, Found]) -> None:
        self._found = missed(everything, since=self._since, is_known=self._roster.is_on_record)

    async def hear(self) -> None:
        """Not before the daemon is ready: it may take long."""
        for name, (agent, seen) in self._found.items():
            await tried(f"taking up {name}", self._put_by(agent, name, seen), self._complain)
        self._found = {}
        await tried("hearing what was missed", self._hear_all(), self._complain)

    async def _hear_all(self) -> None:
        for agent, name, size in await asyncio.to_thread(self._roster.missed_on_record):
            await tried(f"hearing {name}", self._hear(agent, name, size), self._complain)

    async def _put_by(self, agent: str, name: str, seen: Seen) -> None:
        """On record first: who is killed while it hears goes on with it at the next start."""
        followed, is_new = self._roster.of_transcript(agent, name, known_size=seen.size)
        if is_new:
            async with followed.lock:
                followed.is_unheard = True
                followed.record = replace(followed.record, is_missed=True, seen_at=seen.mtime_ns / 1e9)
                await followed.save(is_urgent=True)

    async def _hear(self, agent: str, name: str, size: int) -> None:
        followed, _ = self._roster.of_transcript(agent, name, known_size=size)
        async with followed.lock:
            is_unheard, seen_at = followed.is_unheard, followed.record.seen_at
            followed.is_unheard = False
            await self._read(followed, is_catchup=True)
            followed.is_unheard = is_unheard
            followed.record = replace(followed.record, is_missed=False, seen_at=seen_at)
            await followed.save(is_urgent=True)


def _changed_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
