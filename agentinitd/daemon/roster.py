"""The sessions that are followed: found by transcript or by id, taken up once, let go when they rest."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

from agentinitd.daemon.following import Followed
from agentinitd.daemon.records import SessionRecords, record_key
from agentinitd.model.errors import UsageError
from agentinitd.sessions.record import SessionRecord
from agentinitd.transcripts.files import look
from agentinitd.transcripts.follower import Agent, Follower, Start

MAX_SESSIONS = 24
"""In memory; each costs a quarter of a megabyte, and others come back from disk in a few milliseconds."""
CLOCK_STEP_SECONDS = 0.1
"""The times of files are those of a clock that goes in steps."""
LOOKED_AT = 64
"""So many of the latest records may tell of something to do when a daemon begins."""

NewFollowed = Callable[[SessionRecord], Followed]


class Roster:
    """Sessions in memory by key; those on disk are taken up again when they are asked for."""

    def __init__(
        self, agents: Mapping[str, Agent], records: SessionRecords, *, new_followed: NewFollowed
    ) -> None:
        self._agents = agents
        self._records = records
        self._new_followed = new_followed
        self._sessions: dict[str, Followed] = {}
        self._taken_up: Callable[[Followed], None] | None = None

    def when_taken_up(self, tell: Callable[[Followed], None]) -> None:
        """`tell` is called with each session that comes back from disk."""
        self._taken_up = tell

    def __iter__(self) -> Iterator[Followed]:
        """Those in memory; whoever waits in between meets none that was let go meanwhile."""
        for followed in tuple(self._sessions.values()):
            if self._sessions.get(followed.record.key) is followed:
                yield followed

    def __len__(self) -> int:
        return len(self._sessions)

    def of_transcript(self, agent: str, path: str, *, known_size: int | None = None) -> tuple[Followed, bool]:
        """The session of this transcript, and whether it was never seen before.

        `known_size`: what stood in a file of `known_size` bytes before is history, None: look for yourself.
        Raises UsageError for an agent that is not known.
        """
        real = os.path.realpath(path)
        key = record_key(agent, real)
        followed = self._sessions.get(key) or self._that_follows(agent, real)
        if followed is not None:
            return followed, False
        self.agent(agent)
        record = self._records.load(key)
        followed = self._admit(record or SessionRecord(key=key, agent=agent))
        self.name_transcript(followed, real, known_size=known_size)
        return followed, record is None

    def _that_follows(self, agent: str, path: str) -> Followed | None:
        """One whose key tells nothing of this path.

        Its hooks named its id first and its transcript later, or its folder was moved and a link left there.
        """
        return next(
            (
                each
                for each in self
                if each.record.agent == agent
                and each.record.transcript
                and os.path.realpath(each.record.transcript) == path
            ),
            None,
        )

    def name_transcript(self, followed: Followed, name: str, *, known_size: int | None = None) -> None:
        """Goes on where the record says; where it says nothing, what stood in it before is history."""
        record = followed.record
        start: Start = "top" if known_size is None else known_size
        agent = self.agent(record.agent)

        def opened(checkpoint: Mapping[str, Any] | None, is_detailed: bool) -> Follower:
            return agent.follow(name, checkpoint, start=start, is_detailed=is_detailed)

        def opened_at_top(_: object, is_detailed: bool) -> Follower:
            return agent.follow(name, is_detailed=is_detailed)

        followed.follow(name, opened, opened_at_top, earlier=known_size or 0)

    def of_id(self, agent: str, session_id: str) -> tuple[Followed, bool]:
        """The session with this id; one without a transcript when none is known."""
        found = self.find(agent, session_id)
        if found is not None:
            return found, False
        self.agent(agent)
        key = record_key(agent, session_id)
        record = self._records.load(key)
        followed = self._admit(record or SessionRecord(key=key, agent=agent, session_ids=(session_id,)))
        if record is not None and record.transcript:
            self.name_transcript(followed, record.transcript)
        return followed, record is None

    def find(self, agent: str | None, session_id: str) -> Followed | None:
        """Latest first: an id, the beginning of an id, or a key."""
        by_activity = sorted(self._sessions.values(), key=lambda each: each.record.seen_at, reverse=True)
        for followed in by_activity:
            record = followed.record
            if agent in (None, record.agent) and session_id in (record.key, *record.session_ids):
                return followed
        if agent is None and session_id:
            return next((each for each in by_activity if each.record.session_id.startswith(session_id)), None)
        return None

    def is_behind(self, agent: str, path: str, mtime_ns: int) -> bool:
        """This transcript was followed before, and may have grown since it was read to its end.

        When the record was saved tells nothing: who reads a long backlog saves in between.
        """
        read_at = self._records.read_at(record_key(agent, os.path.realpath(path)))
        return read_at is not None and read_at - CLOCK_STEP_SECONDS <= mtime_ns / 1e9

    def is_on_record(self, agent: str, path: str) -> bool:
        """This transcript was followed before."""
        return self._records.read_at(record_key(agent, os.path.realpath(path))) is not None

    def missed_on_record(self) -> list[tuple[str, str, int]]:
        """Sessions that are to be heard though nobody goes on with them: agent, transcript, and its size."""
        records = [self._records.load(key) for key in self._records.latest(2 * LOOKED_AT)]
        return [
            (record.agent, record.transcript, record.earlier)
            for record in records
            if record is not None and record.is_missed and record.transcript
        ]

    def take_up_elsewhere(self, seen: Container[str]) -> list[Followed]:
        """The latest sessions of which only their record knows that there is something to do.

        Their transcript lies outside of every root, or what they said is not in the memory yet.
        """
        found: list[Followed] = []
        for key in self._records.latest(LOOKED_AT):
            record = None if key in self._sessions else self._records.load(key)
            name = record.transcript if record else None
            if record is None or name is None or (name in seen and not record.unwritten):
                continue
            # A record may name an agent of a later version, and a path that can name no file.
            if record.agent in self._agents and (name in seen or look(name)):
                followed = self._admit(record)
                self.name_transcript(followed, name)
                found.append(followed)
        return found

    def joined(self, followed: Followed) -> Followed:
        """A transcript that was just found may be that of a session of which a hook told only the id."""
        record = followed.record
        for session_id in record.session_ids:
            key = record_key(record.agent, session_id)
            twin = self._sessions.get(key) or self._from_disk(key)
            if twin is None or twin is followed or twin.record.transcript or record.transcript is None:
                continue
            self._sessions.pop(record.key, None)
            self._records.forget(record.key)
            self.name_transcript(twin, record.transcript)
            return twin
        return followed

    def _from_disk(self, key: str) -> Followed | None:
        record = self._records.load(key)
        return self._admit(record) if record else None

    def projects_on_record(self) -> set[str]:
        """Where the latest sessions worked."""
        records = (self._records.load(key) for key in self._records.latest(LOOKED_AT))
        return {record.project for record in records if record is not None and record.project}

    def agent(self, agent: str) -> Agent:
        try:
            return self._agents[agent]
        except KeyError:
            known = ", ".join(self._agents)
            raise UsageError(f"{agent} is not an agent whose transcripts are read; known: {known}.") from None

    def _admit(self, record: SessionRecord) -> Followed:
        self._let_go()
        followed = self._new_followed(record)
        # A daemon before us knew it, and nobody worked there since.
        is_known = record.is_missed or record.checkpoint is not None
        followed.is_unheard = is_known and not (record.detector.turn or record.detector.fired)
        self._sessions[record.key] = followed
        if self._taken_up is not None:
            self._taken_up(followed)
        return followed

    def _let_go(self) -> None:
        """The longest at rest leaves when there are too many; its record stays on disk.

        One that was just taken up has not said anything yet.
        """
        resting = sorted(
            (each for each in self._sessions.values() if not each.is_busy),
            key=lambda each: (each.scribe.is_waiting, max(each.record.seen_at, each.taken_up_at)),
        )
        for followed in resting[: max(0, len(self._sessions) - MAX_SESSIONS + 1)]:
            followed.save_now()
            del self._sessions[followed.record.key]
