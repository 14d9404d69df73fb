"""One followed session: what its transcript says is read, judged, and remembered in one step."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentinitd.daemon.built import Built
from agentinitd.daemon.logs import RebuildLog
from agentinitd.daemon.records import SessionRecords
from agentinitd.daemon.reply_watch import ReplyWatch, reminder
from agentinitd.daemon.scribe import Desk, Scribe
from agentinitd.memory.project import find_place
from agentinitd.model.causes import Cause, overtakes
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
from agentinitd.model.scripts import Runlevel
from agentinitd.rc import backoff
from agentinitd.sessions import confirmation, delivery
from agentinitd.sessions.detector import step
from agentinitd.sessions.limits import Limits
from agentinitd.sessions.observations import Delivered, Observation, SessionStarted
from agentinitd.sessions.recent_work import heard
from agentinitd.sessions.record import LastCompaction, SessionRecord
from agentinitd.transcripts.follower import Follower

DETAILS = frozenset({AgentMessage, ToolCall, ToolResult, PlanUpdate})
"""What the detector has no use for; a session of a project is read with them."""
Opened = Callable[[Mapping[str, Any] | None, bool], Follower]
"""Opens a transcript: where to go on, and whether with its details."""
SLICE_BYTES = 256 * 1024
"""What a slice says is judged on the loop, in one go."""
KEPT_SESSION_IDS = 8
SAVE_SECONDS = 5.0


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
        self.lock = asyncio.Lock()
        self.build_lock = asyncio.Lock()
        self.built: Built | None = None
        self._under_way: tuple[Runlevel, threading.Event] | None = None
        self._open: Opened | None = None
        self._tail: Follower | None = None
        self._is_detailed = False
        """The transcript is read with its details."""
        self._reached: tuple[dict[str, Any], int] | None = None
        """The checkpoint and the offset behind what was judged; a slice may be under way behind it."""
        self._before: Sequence[Event] = ()
        """The last slice of a backlog that is not read to its end."""
        self.trouble = ""
        """Why it is not followed any more: a bug of ours, which must not cost the other sessions."""
        self.is_unheard = False
        """Nobody told us of it: it runs as soon as it says something new."""
        self.unsaved = ""
        """Why its record could not be written the last time."""
        self._told_trouble = ""
        """Of the memory, as the log has it."""
        self._home = home
        self._config = config
        self._records = records
        self._log = log
        self._now = now
        self._replies = ReplyWatch()
        self._is_dirty = False
        self._is_urgent = False
        """What is due, handed out or delivered is another than on disk: a kill must not make us forget it."""
        self._saved_at = now()

    @property
    def project(self) -> Path | None:
        return Path(self.record.project) if self.record.project else None

    @property
    def offset(self) -> int:
        """How far the transcript was read."""
        return self._tail.offset if self._tail is not None else self.record.offset

    @property
    def is_dirty(self) -> bool:
        return self._is_dirty

    @property
    def is_building(self) -> bool:
        return self.build_lock.locked()

    @property
    def is_busy(self) -> bool:
        return self.lock.locked() or self.is_building or bool(self.record.delivery.handouts)

    @contextlib.contextmanager
    def building(self, runlevel: Runlevel) -> Iterator[threading.Event]:
        """While it is built; what is yielded calls it off.  The caller holds `build_lock`."""
        cancel = threading.Event()
        self._under_way = (runlevel, cancel)
        try:
            yield cancel
        finally:
            self._under_way = None

    def is_overtaken_by(self, runlevel: Runlevel) -> bool:
        """What is built now is in no hurry, and this is (supervision.md RL-12)."""
        under_way = self._under_way
        return under_way is not None and not under_way[1].is_set() and overtakes(runlevel, under_way[0])

    def make_way_for(self, runlevel: Runlevel) -> None:
        """Ends the rebuild that is under way, by the same steps as a time-out, if this one overtakes it."""
        if self._under_way is not None and self.is_overtaken_by(runlevel):
            self._under_way[1].set()

    def told(self, built: Built) -> None:
        """The agent knows what `built` says."""
        is_full = built.runlevel in delivery.FULL_RUNLEVELS
        self.observe(Delivered(runlevel=built.runlevel, is_full=is_full, task_digest=built.task_digest))
        self.record = replace(self.record, previous_runlevel=built.runlevel)
        self._replies.told(built)

    def follow(self, name: str, opened: Opened) -> None:
        """Its transcript has this name; `opened` is called in a thread when it is first read."""
        self._open, self._tail, self._reached = opened, None, None
        self.record = replace(self.record, transcript=name)

    async def catch_up(self, *, is_catchup: bool = False) -> None:
        """Reads all that is new."""
        has_more = self._open is not None
        while has_more:
            # Not on the loop: neighbours may have to be searched, a database may be locked.
            events, has_more = await asyncio.to_thread(self._read)
            for event in events:
                self._judge(event)
                if type(event) not in DETAILS:
                    self._take(event, is_catchup=is_catchup)
            if events:
                self._touch()
            assert self._tail is not None, "nothing was read"
            self._reached = self._tail.checkpoint(), self._tail.offset
            await self._note(events, has_more=has_more)
        await self.save()

    def _read(self) -> tuple[list[Event], bool]:
        wants_details = self._wants_details
        if self._tail is None:
            self._tail = self._opened(self.record.checkpoint, is_detailed=wants_details)
        elif self._is_detailed != wants_details:
            self._tail = self._opened(self._tail.checkpoint(), is_detailed=wants_details)
        events = self._tail.read(SLICE_BYTES)
        return events, self._tail.has_more

    @property
    def _wants_details(self) -> bool:
        """Whose place is not known yet may be a project's."""
        return self.project is not None or self.record.cwd is None

    def _opened(self, checkpoint: Mapping[str, Any] | None, *, is_detailed: bool) -> Follower:
        assert self._open is not None, "nothing to open before follow()"
        self._is_detailed = is_detailed
        return self._open(checkpoint, is_detailed)

    async def _note(self, events: Sequence[Event], *, has_more: bool) -> None:
        """What of this is to be remembered goes into the memory; trouble there is told once."""
        project = self.project
        if project is None or not (events or self.scribe.is_waiting):
            return
        desk = Desk(project=project, record=self.record, config=self._config(project))
        await asyncio.to_thread(self.scribe.hear, events, desk, has_more=has_more)
        await self._note_work(events, has_more=has_more)
        trouble = self.scribe.trouble
        if trouble and trouble != self._told_trouble:
            self._log.warning(
                "memory.refused", session=self.record.session_id, project=str(project), error=trouble
            )
        self._told_trouble = trouble

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
        """The project of the session: found from its recorded working directory, kept once it was found."""
        if cwd and cwd != self.record.cwd:
            self.record = replace(self.record, cwd=cwd)
        if self.record.cwd and (self.project is None or not _is_folder(self.project / ".agent-memory")):
            place = find_place(Path(self.record.cwd), home=self._home)
            project = str(place.project) if place.project else None
            self.record = replace(self.record, project=project, worktree=place.worktree)

    def bind(self, task_id: str | None) -> None:
        """To a task of its own; None: to that of its project."""
        self.record = replace(self.record, task_id=task_id)
        self._is_dirty = self._is_urgent = True

    def go_to(self, task_id: str) -> None:
        """This is the task that it is at."""
        self.record = replace(self.record, at_task=task_id)
        self._is_dirty = True

    def has_started(self, built: Built) -> None:
        """Its scripts may be asked to stop when the session leaves the task."""
        started = [run.script.key for run in built.runs if run.result in ("ok", "empty")]
        known = tuple(dict.fromkeys([*self.record.started, *started]))
        if known != self.record.started:
            self.record = replace(self.record, started=known)
            self._is_dirty = True

    def has_run(self, built: Built) -> None:
        """What failed is known, so that it is not tried at every rebuild (supervision.md FAIL-4)."""
        self.has_started(built)
        failing = backoff.after(self.record.failing, built.runs, self._now())
        if failing != self.record.failing:
            self.record = replace(self.record, failing=failing)
            self._is_dirty = True

    def forget_failures(self, keys: Container[str] | None) -> list[str]:
        """Of these scripts, None: of all.  Gives those that are tried again now."""
        freed = [each.key for each in self.record.failing if keys is None or each.key in keys]
        if freed:
            kept = tuple(each for each in self.record.failing if each.key not in freed)
            self.record = replace(self.record, failing=kept)
            self._is_dirty, self.built = True, None
        return freed

    def has_stopped(self) -> None:
        self.record = replace(self.record, started=())
        self._is_dirty = True

    def add_session_id(self, session_id: str | None) -> None:
        if session_id and session_id != self.record.session_id:
            others = tuple(known for known in self.record.session_ids if known != session_id)
            self.record = replace(self.record, session_ids=(*others, session_id)[-KEPT_SESSION_IDS:])

    def change_delivery(self, state: delivery.DeliveryState) -> None:
        before, self.record = self.record.delivery, replace(self.record, delivery=state)
        self._is_dirty = self._is_urgent = True
        for handout, has_arrived in delivery.settled(before, state):
            self._tell_settled(handout, has_arrived=has_arrived)

    async def save(self, *, is_urgent: bool = False) -> None:
        """Writes the record: at once when its delivery changed, else now and then."""
        has_waited = self._is_dirty and self._now() - self._saved_at > SAVE_SECONDS
        if not (is_urgent or self._is_urgent or has_waited):
            return
        if self.scribe.is_held:
            await self._note((), has_more=False)  # before the record says that it was read
        self._place_checkpoint()
        self._is_dirty = self._is_urgent = False
        self._saved_at = self._now()
        try:
            await self._records.write(self.record)
            self.unsaved = ""
        except OSError as error:
            self._is_dirty = True  # served from memory; tried again at the next turn (supervision.md FIL-2)
            self.unsaved = str(error)
            self._log.error("disk.full", session=self.record.session_id, error=str(error))

    def save_now(self) -> None:
        """For one that leaves memory: what is not on disk yet is written, if the disk takes it."""
        if self._is_dirty:
            self._place_checkpoint()
            with contextlib.suppress(OSError):
                self._records.save(self.record)

    def _place_checkpoint(self) -> None:
        if self._reached is not None:
            checkpoint, offset = self._reached
            self.record = replace(self.record, checkpoint=checkpoint, offset=offset)

    def _touch(self) -> None:
        self._is_dirty = True
        self.record = replace(self.record, seen_at=self._now())

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
            self._log.info(
                "reply",
                session=self.record.session_id,
                project=self.record.project,
                verdict=verdict.verdict,
                broken=verdict.broken,
            )

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
        self._log.info(
            "delivery",
            session=self.record.session_id,
            project=self.record.project,
            result="arrived" if has_arrived else "put back",
            runlevel=handout.runlevel,
            hook=handout.event,
            token=handout.token,
            snippet=handout.snippet_id,
            causes=[cause.id for cause in handout.causes],
        )

    def _add(self, cause: Cause, *, written_at: float | None = None) -> None:
        after = delivery.add(self.record.delivery, cause)
        if after is self.record.delivery:
            return
        self.change_delivery(after)
        self._log.info(
            "trigger",
            session=self.record.session_id,
            project=self.record.project,
            trigger=cause.trigger,
            cause=cause.id,
            runlevel=cause.runlevel,
            reason=cause.reason,
            turn=cause.turn,
            offset=cause.offset,
            catchup=cause.is_catchup,
            detect_lag_ms=None if written_at is None else round(max(0.0, self._now() - written_at) * 1000, 1),
        )
        if cause.trigger in ("marker", "drop"):
            told = LastCompaction(at=self._now(), trigger=cause.trigger, reason=cause.reason)
            self.record = replace(self.record, last_compaction=told)


def _is_folder(path: Path) -> bool:
    """Also where we may not look: `Path.is_dir` raises then."""
    try:
        return path.is_dir()
    except OSError:
        return False
