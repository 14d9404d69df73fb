"""One followed session: what its transcript says is read, judged, and remembered in one step."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from pathlib import Path

from agentinitd.daemon.building import Building
from agentinitd.daemon.built import Built
from agentinitd.daemon.logs import RebuildLog
from agentinitd.daemon.reading import Opened, Reading
from agentinitd.daemon.records import SessionRecords
from agentinitd.daemon.reply_watch import ReplyWatch, reminder
from agentinitd.daemon.saving import Saving
from agentinitd.daemon.scribe import Desk, Scribe
from agentinitd.daemon.session_log import MemoryTrouble, log_delivery, log_reply, log_trigger
from agentinitd.daemon.session_place import placed
from agentinitd.daemon.turns import Turns
from agentinitd.daemon.writing import Writing
from agentinitd.model.causes import Cause
from agentinitd.model.config import Config
from agentinitd.model.events import (
    AgentMessage,
    Event,
    PlanUpdate,
    Request,
    SessionSeen,
    Skipped,
    SnippetSeen,
    ToolCall,
    ToolResult,
)
from agentinitd.model.hooks import SessionSource
from agentinitd.rc import backoff
from agentinitd.sessions import confirmation, delivery
from agentinitd.sessions.detector import step
from agentinitd.sessions.limits import Limits
from agentinitd.sessions.observations import Delivered, Observation, SessionStarted
from agentinitd.sessions.recent_work import heard
from agentinitd.sessions.record import LastCompaction, SessionRecord
from agentinitd.transcripts.take_up import COUNTED_BYTES

DETAILS = frozenset({AgentMessage, ToolCall, ToolResult, PlanUpdate})
"""What the detector has no use for; a session of a project is read with them."""
KEPT_SESSION_IDS = 8
MOST_EARLIER_BYTES = COUNTED_BYTES
"""A transcript that is larger when it is first listened to is not read from its top: the lines of what it
says later would not be those of the file, and so not behind those of what it said earlier."""


class Followed:
    """Owns the record of one session.  Whoever changes it holds `lock`."""

    def __init__(
        self,
        record: SessionRecord,
        *,
        home: Path,
        config: Callable[[Path | None], Config],
        records: SessionRecords,
        log: RebuildLog,
        scribe: Scribe,
        now: Callable[[], float],
    ) -> None:
        self.record = record
        self.scribe = scribe
        self.scribe.take_up(record.unwritten)
        self._writing = Writing(scribe, desk=self._desk, written=self._has_written)
        self.lock = Turns()
        self.building = Building()
        self.saving = Saving(records, log, now=now)
        self.built: Built | None = None
        self._reading: Reading | None = None
        self._opened_at_top: Opened | None = None
        self._before: Sequence[Event] = ()
        """The last slice of a backlog that is not read to its end."""
        self.trouble = ""
        """Why it is not followed any more: a bug of ours, which must not cost the other sessions."""
        self.taken_up_at = now()
        self.is_unheard = False
        """Nobody told us of it: it runs as soon as it says something new."""
        self._memory_trouble = MemoryTrouble(log)
        self._home = home
        self._config = config
        self._log = log
        self._now = now
        self._replies = ReplyWatch()

    @property
    def project(self) -> Path | None:
        return Path(self.record.project) if self.record.project else None

    @property
    def offset(self) -> int:
        """How far the transcript was read."""
        read_to = self._reading.offset if self._reading is not None else None
        return self.record.offset if read_to is None else read_to

    @property
    def unreadable(self) -> str:
        """Why its transcript cannot be read now."""
        return self._reading.problem if self._reading is not None else ""

    @property
    def is_busy(self) -> bool:
        """Somebody is about to go on with it: it must not leave memory."""
        is_wanted = self.lock.is_wanted or self.building.lock.is_wanted
        return is_wanted or bool(self.record.delivery.handouts)

    def told(self, built: Built) -> None:
        """The agent knows what `built` says."""
        is_full = built.runlevel in delivery.FULL_RUNLEVELS
        self.observe(Delivered(runlevel=built.runlevel, is_full=is_full, task_digest=built.task_digest))
        self.record = replace(self.record, previous_runlevel=built.runlevel)
        self._replies.told(built)
        self.built = None  # it has served; the memory that it was built of may be gone tomorrow

    def follow(self, name: str, opened: Opened, opened_at_top: Opened, *, earlier: int) -> None:
        """Its transcript has this name; `opened` is called in a thread when it is first read.

        `earlier`: its size when it was first seen, if that is now.
        """
        self._reading = Reading(opened)
        self._opened_at_top = opened_at_top
        is_known = self.record.checkpoint is not None
        self.record = replace(
            self.record, transcript=name, earlier=self.record.earlier if is_known else earlier
        )

    async def catch_up(self, *, is_catchup: bool = False) -> None:
        """Reads all that is new."""
        reading, has_more = self._reading, True
        while reading is not None and has_more:
            begin, is_detailed, looked_at = self.record.checkpoint, self._wants_details, self._now()
            events, has_more = await asyncio.to_thread(reading.read, begin, is_detailed=is_detailed)
            for event in events:
                self._judge(event)
                if type(event) not in DETAILS:
                    self._take(event, is_catchup=is_catchup)
            if events:
                self.saving.touch()
                self.record = replace(self.record, seen_at=self._now())
            reading.judged()
            await self._note(events, has_more=has_more)
            if not has_more:
                self.record = replace(self.record, read_at=looked_at)
        await self.save()

    @property
    def _wants_details(self) -> bool:
        """Whose place is not known yet may be a project's."""
        return self.project is not None or self.record.cwd is None

    async def _note(self, events: Sequence[Event], *, has_more: bool) -> None:
        """What of this is to be remembered goes into the memory; trouble there is told once."""
        desk = self._desk()
        if desk is None:
            # A memory that is made later is to have it all the same.
            if self.record.earlier != self.offset:
                self.record = replace(self.record, earlier=self.offset)
            return
        await self._hear_earlier(desk)
        if not (events or self.scribe.is_waiting):
            return
        await asyncio.to_thread(self.scribe.hear, events, desk)
        await self._note_work(events, has_more=has_more)
        await self._writing.write(has_more=has_more)

    async def _hear_earlier(self, desk: Desk) -> None:
        """What it said before anybody listened is remembered, and no cause for anything.

        Not before somebody works there: until then it is no more than a file.
        """
        until = self.record.earlier
        if self.is_unheard or not until:
            return
        if until <= MOST_EARLIER_BYTES and self._opened_at_top is not None:
            reading, has_more = Reading(self._opened_at_top), True
            while has_more:
                events, has_more = await asyncio.to_thread(reading.read, None, is_detailed=True)
                has_more = has_more and (reading.offset or 0) < until
                before = [event for event in events if event.offset < until]
                await asyncio.to_thread(self.scribe.hear_earlier, before, desk)
                await self._writing.write(has_more=has_more)
        self.record = replace(self.record, earlier=0)
        self.saving.touch()

    def _desk(self) -> Desk | None:
        project = self.project
        return Desk(project=project, record=self.record, config=self._config(project)) if project else None

    def _has_written(self) -> None:
        self.saving.touch()  # the record kept what waited
        trouble, left_out = self.scribe.trouble, self.scribe.left_out
        self._memory_trouble.tell(self.record, trouble=trouble, left_out=left_out)

    async def settle(self, *, seconds: float) -> None:
        """We stop: what waits is written, if the memory takes it within this time."""
        await self._writing.write(seconds=seconds)

    async def _note_work(self, events: Sequence[Event], *, has_more: bool) -> None:
        """Of a backlog only the last counts."""
        if not has_more:
            events = [*self._before, *events]
            work = await asyncio.to_thread(heard, self.record.recent_work, events)
            self.record = replace(self.record, recent_work=work)
        self._before = events if has_more else ()

    def observe(self, observation: Observation, *, is_catchup: bool = False) -> None:
        """Lets the detector judge; what it finds is due.  The caller saves."""
        state, causes = step(self.record.detector, observation, Limits.of(self._config(self.project)))
        self.record = replace(self.record, detector=state)
        written_at = observation.written_at if isinstance(observation, Event) and not is_catchup else None
        for cause in causes:
            self._add(replace(cause, is_catchup=is_catchup), written_at=written_at)

    def start_session(self, source: SessionSource, *, at: float) -> None:
        """A hook says so.  Each start is a cause of its own: the agent begins with an empty context."""
        self.observe(SessionStarted(source=source, cause_id=f"{source}:{secrets.token_hex(4)}", at=at))

    def find_running(self, *, at: float) -> None:
        """A session that nobody told us of: it has never been told anything."""
        self.observe(SessionStarted(source="startup", cause_id=f"found:{self.record.key}", at=at))

    def set_place(self, cwd: str | None) -> None:
        self.record = placed(self.record, cwd, home=self._home)

    def bind(self, task_id: str | None) -> None:
        """To a task of its own; None: to that of its project."""
        self.record = replace(self.record, task_id=task_id)
        self.saving.touch(is_urgent=True)

    def go_to(self, task_id: str) -> None:
        """This is the task that it is at."""
        self.record = replace(self.record, at_task=task_id)
        self.saving.touch()

    def has_run(self, built: Built) -> None:
        """What started may be asked to stop; what failed is not tried at every rebuild (FAIL-4)."""
        ran = [run.script.key for run in built.runs if run.result in ("ok", "empty")]
        started = tuple(dict.fromkeys([*self.record.started, *ran]))
        failing = backoff.after(self.record.failing, built.runs, self._now())
        if (started, failing) != (self.record.started, self.record.failing):
            self.record = replace(self.record, started=started, failing=failing)
            self.saving.touch()

    def forget_failures(self, keys: Container[str] | None) -> list[str]:
        """Of these scripts, None: of all.  Gives those that are tried again now."""
        freed = [each.key for each in self.record.failing if keys is None or each.key in keys]
        if freed:
            kept = tuple(each for each in self.record.failing if each.key not in freed)
            self.record = replace(self.record, failing=kept)
            self.saving.touch()
            self.built = None
        return freed

    def has_stopped(self) -> None:
        self.record = replace(self.record, started=())
        self.saving.touch()

    def add_session_id(self, session_id: str | None) -> None:
        if session_id and session_id != self.record.session_id:
            others = tuple(known for known in self.record.session_ids if known != session_id)
            self.record = replace(self.record, session_ids=(*others, session_id)[-KEPT_SESSION_IDS:])

    def change_delivery(self, state: delivery.DeliveryState) -> None:
        before, self.record = self.record.delivery, replace(self.record, delivery=state)
        self.saving.touch(is_urgent=True)
        for handout, has_arrived in delivery.settled(before, state):
            self._tell_settled(handout, has_arrived=has_arrived)

    async def save(self, *, is_urgent: bool = False) -> None:
        """Writes the record: at once when its delivery changed, else now and then."""
        if not (is_urgent or self.saving.is_due):
            return
        self._place_checkpoint()
        await self.saving.write(self.record)

    def save_now(self) -> None:
        """For one that leaves memory: what is not on disk yet is written, if the disk takes it."""
        if self.saving.is_dirty:
            self._place_checkpoint()
            self.saving.write_now(self.record)

    def _place_checkpoint(self) -> None:
        """As far as it was read, with what of that is not in the memory yet."""
        unwritten = self.scribe.keep()
        if unwritten != self.record.unwritten:
            self.record = replace(self.record, unwritten=unwritten)
        if self._reading is not None:
            self.record = self._reading.with_checkpoint(self.record)

    def _take(self, event: Event, *, is_catchup: bool) -> None:
        if isinstance(event, Skipped):
            first = self.record.first_skip or f"byte {event.offset:,}: {event.reason}"
            self.record = replace(self.record, skipped_lines=self.record.skipped_lines + 1, first_skip=first)
        elif isinstance(event, SessionSeen):
            self._name(event)
        elif isinstance(event, SnippetSeen) and not event.is_history:
            seen = confirmation.seen(self.record.delivery, event.snippet_id, offset=event.offset)
            self.change_delivery(seen)
        elif isinstance(event, Request) and not event.is_history:
            self._hear_answer(event)
        self._hear(event)
        self.observe(event, is_catchup=is_catchup)

    def _judge(self, event: Event) -> None:
        """What breaks a rule that the agent was just told puts the rule before it again."""
        for broken in self._replies.hear(event):
            self._add(reminder(broken, event, turn=self.record.detector.turn))
        verdict = self._replies.verdict(at=self._now())
        if verdict is not None:
            self.record = replace(self.record, last_reply=verdict)
            log_reply(self._log, self.record, verdict)

    def _hear(self, event: Event) -> None:
        """A file that was moved, compressed or touched says nothing new: nobody works there."""
        if self.is_unheard and not event.is_history and not isinstance(event, Skipped):
            self.is_unheard = False
            self.find_running(at=self._now())

    def _name(self, event: SessionSeen) -> None:
        self.add_session_id(event.session_id)
        self.record = replace(self.record, agent_version=event.agent_version, is_helper=event.is_helper)
        self.set_place(event.cwd)

    def _hear_answer(self, event: Request) -> None:
        before = self.record.delivery
        turn = self.record.detector.turn
        after = confirmation.agent_answered(before, offset=event.offset, turn=turn)
        if after is not before:
            self.change_delivery(after)

    def _tell_settled(self, handout: delivery.Handout, *, has_arrived: bool) -> None:
        if has_arrived:
            self._replies.arrived(handout.snippet_id, project=self.record.project or "")
        log_delivery(self._log, self.record, handout, has_arrived=has_arrived)

    def _add(self, cause: Cause, *, written_at: float | None = None) -> None:
        after = delivery.add(self.record.delivery, cause)
        if after is self.record.delivery:
            return
        self.change_delivery(after)
        lag_seconds = None if written_at is None else self._now() - written_at
        log_trigger(self._log, self.record, cause, lag_seconds=lag_seconds)
        if cause.trigger in ("marker", "drop"):
            told = LastCompaction(at=self._now(), trigger=cause.trigger, reason=cause.reason)
            self.record = replace(self.record, last_compaction=told)
