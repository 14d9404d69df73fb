"""Where sessions lie, and whose they are: the roots of each agent, those of the config, and the projects."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path, PurePath
from typing import NamedTuple

from agentinitd.transcripts.database import SEPARATOR, split_name
from agentinitd.transcripts.files import look
from agentinitd.transcripts.follower import Agent, Seen

IN_PROJECTS = ("aider",)
"""These keep their sessions in the project itself, and no list of projects anywhere."""
OLD_SECONDS = 24 * 3600.0
"""What has rested for so long when it is first seen was put there, not begun."""


class Found(NamedTuple):
    agent: str
    seen: Seen


class SessionPlaces:
    """Looks for sessions.  Where a folder may hold those of several agents, a file's own text decides."""

    def __init__(
        self,
        agents: Mapping[str, Agent],
        roots: Mapping[Path, tuple[str, ...]],
        *,
        guess: Callable[[Path], Agent | None],
    ) -> None:
        self._agents = agents
        self._roots = roots
        self._guess = guess
        self._owners: dict[str, str] = {}
        """Of sessions in folders of several agents."""
        self._unknown: dict[str, Seen] = {}
        """Of these nothing tells so far, as they are."""

    @property
    def roots(self) -> tuple[Path, ...]:
        return tuple(self._roots)

    def above(self, path: PurePath) -> list[Path]:
        return [root for root in self._roots if path.is_relative_to(root)]

    def scan(self, root: Path) -> dict[str, Found]:
        """Every main session below `root`, by name."""
        return self._found(root, self._roots[root])

    def scan_project(self, project: Path) -> dict[str, Found]:
        """Sessions that lie in the project itself."""
        return self._found(project, tuple(name for name in IN_PROJECTS if name in self._agents))

    def concerned(self, root: Path, path: PurePath) -> dict[str, str] | None:
        """The sessions that a change of this file concerns, with their agents; None: only `scan` tells."""
        names: dict[str, str] = {}
        candidates = self._roots[root]
        for agent in candidates:
            at = self._agents[agent].names_at(path)
            if at is None:
                return None
            for name in at:
                owner = agent if len(candidates) == 1 else self._owners.get(name)
                if owner is None:
                    return None
                names[name] = owner
        if not names and os.path.isdir(path):  # noqa: PTH112 - one look for every event
            return None  # a folder appeared: events of files in it may be missing
        return names

    def _found(self, root: Path, candidates: tuple[str, ...]) -> dict[str, Found]:
        claims: dict[str, dict[str, Seen]] = {}
        for agent in candidates:
            for name, seen in self._agents[agent].scan(root).items():
                claims.setdefault(name, {})[agent] = seen
        if len(candidates) > 1:
            claims = {
                name: owned for name, claimed in claims.items() if (owned := self._owned(name, claimed))
            }
        return {name: Found(*next(iter(owned.items()))) for name, owned in claims.items()}

    def _owned(self, name: str, claims: dict[str, Seen]) -> dict[str, Seen]:
        """The claim of the agent that wrote it; empty while nothing in it tells."""
        seen = next(iter(claims.values()))
        if self._owners.get(name) not in claims and self._unknown.get(name) != seen:
            owner = self._owner(name, claims)
            if owner is None:
                self._unknown[name] = seen
            else:
                self._owners[name] = owner
        return {agent: claims[agent] for agent in claims if agent == self._owners.get(name)}

    def _owner(self, name: str, claims: Iterable[str]) -> str | None:
        path = database_of(name) or Path(name)
        if not path.exists():
            return next(iter(claims))  # it lies where only its own agent looks
        found = self._guess(path)
        return found.NAME if found is not None and found.NAME in claims else None


def roots_of(
    agents: Mapping[str, Agent], home: Path, env: Mapping[str, str], further: Iterable[str]
) -> dict[Path, tuple[str, ...]]:
    """Real paths: events name those, whatever link leads there.  `further` may hold sessions of any agent."""
    found: dict[Path, tuple[str, ...]] = {}
    for name, agent in agents.items():
        for root in agent.roots(home, env):
            real = Path(os.path.realpath(root))
            found[real] = (*(other for other in found.get(real, ()) if other != name), name)
    return {Path(os.path.realpath(root)): tuple(agents) for root in further} | found


def brought(fresh: Mapping[str, Found], *, now: float) -> set[str]:
    """Of sessions seen for the first time, those that nobody works in: restored, archived, or converted.

    A file tells by its time.  Of a database only its sessions' own times tell, and an agent that converts its
    old store brings many at once; a single one is taken for new.
    """
    old = {name for name, found in fresh.items() if found.seen.mtime_ns < (now - OLD_SECONDS) * 1e9}
    in_databases = {name for name in old if database_of(name) is not None}
    return old if len(in_databases) != 1 else old - in_databases


def changed_ns(name: str, seen: Seen) -> int:
    """When it may have changed last: the times in a database are coarse, and older than their commit."""
    path = database_of(name)
    files = [] if path is None else [look(f"{path}{suffix}") for suffix in ("", "-wal")]
    return max([seen.mtime_ns, *(file.mtime_ns for file in files if file is not None)])


def database_of(name: str) -> Path | None:
    """Where it is one of many sessions in a database."""
    return split_name(name)[0] if SEPARATOR in name and look(name) is None else None
