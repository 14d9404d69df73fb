"""The parts of the daemon below its socket, with a clock that stands still and a log that can be read."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentinitd.daemon.capturing import Capture
from agentinitd.daemon.following import Followed
from agentinitd.daemon.logs import LogFile, RebuildLog
from agentinitd.daemon.paths import Places
from agentinitd.daemon.rebuild import Rebuilder
from agentinitd.daemon.records import SessionRecords
from agentinitd.daemon.roster import Roster
from agentinitd.daemon.scribe import Progress, Scribe
from agentinitd.daemon.settings import Settings
from agentinitd.memory.store import MemoryStore
from agentinitd.model.config import Config
from agentinitd.sessions.record import SessionRecord
from agentinitd.transcripts.agents import AGENTS


class Rig:
    """Roster, records and log in one folder.  It has what `new_session` needs to play an agent."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.projects_dir = self.home / ".claude" / "projects"
        self.project = folder / "project"
        self.now = time.time()
        self.config = Config()
        self.sessions_dir = folder / "sessions"
        self.sessions_dir.mkdir()
        (self.project / ".agent-memory").mkdir(parents=True)
        self.records = SessionRecords(self.sessions_dir)
        self.memories = MemoryStore()
        self.log = RebuildLog(
            LogFile(folder / "rebuild.log", limit_bytes=1 << 20, files=1),
            instance="rig",
            wall=lambda: self.now,
            monotonic=lambda: self.now,
        )

    def roster(self) -> Roster:
        """A new one, as after a restart: it knows what is on disk."""
        return Roster(AGENTS, self.records, new_followed=self.followed)

    def followed(self, record: SessionRecord) -> Followed:
        return Followed(
            record,
            home=self.home,
            config=lambda _project: self.config,
            records=self.records,
            log=self.log,
            scribe=Scribe(
                Progress(), Capture(self.memories.load, environment=os.environ), now=lambda: self.now
            ),
            now=lambda: self.now,
        )

    def read(self, followed: Followed, *, is_catchup: bool = False) -> None:
        asyncio.run(followed.catch_up(is_catchup=is_catchup))

    def saved(self, followed: Followed) -> SessionRecord | None:
        """As it is on disk."""
        return self.records.load(followed.record.key)

    def told(self, event: str) -> list[dict[str, Any]]:
        path = self.folder / "rebuild.log"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [record for line in lines if (record := json.loads(line))["event"] == event]


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    return Rig(tmp_path)


@pytest.fixture
def transcript(rig: Rig, new_session: Callable[..., Any]) -> Any:
    """A transcript that can be written to."""
    return new_session(rig)


@pytest.fixture
def followed(rig: Rig, transcript: Any) -> Followed:
    """The session of `transcript`, which is empty yet."""
    found, _ = rig.roster().of_transcript("claude-code", str(transcript.transcript))
    return found


@pytest.fixture
def places(home: Path) -> Places:
    made = Places.from_environment({"HOME": str(home)})
    made.state_dir.mkdir(parents=True, mode=0o700)
    return made


@pytest.fixture
def rebuilder(rig: Rig, places: Places) -> Rebuilder:
    return Rebuilder(
        places, Settings(places), rig.log, instance="i", now=lambda: rig.now, monotonic=lambda: rig.now
    )
