"""Keeps sessions followed and their snippets ready: reacts to file events, to ticks and to what hooks ask."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path, PurePath

from agentinitd.daemon.built import Built, worn
from agentinitd.daemon.finding import Found, SessionPlaces, brought, changed_ns
from agentinitd.daemon.following import Followed
from agentinitd.daemon.missed import Missed
from agentinitd.daemon.rebuild import Rebuilder
from agentinitd.daemon.roster import Roster
from agentinitd.daemon.switching import Switching
from agentinitd.daemon.tried import Complain, tried
from agentinitd.daemon.waking import Waking
from agentinitd.daemon.watcher import ABSENT, EVENTS, Told, Watcher
from agentinitd.model.causes import Cause, strongest
from agentinitd.model.scripts import Runlevel
from agentinitd.sessions import delivery
from agentinitd.sessions.observations import Asked, TaskStateChanged
from agentinitd.transcripts.files import look
from agentinitd.transcripts.follower import Seen

ACTIVE_SECONDS = 120.0
"""A session that said something within this time is looked at every second."""
FRESH_SECONDS = 10.0
"""So long a snippet that was built ahead is handed out as it is, if the memory is still the same."""
FRESH_FACTOR = 30.0
"""Or for so many times as long as it took to build, if that is more."""
EMPTY_FRESH_SECONDS = 60.0
"""So long nothing is built again, hook after hook, where there was nothing to say."""


def sweep_seconds(idle_seconds: float, watched: Iterable[str], *, is_active: bool) -> float:
    """How long no sweep is needed.  One through thousands of transcripts costs; while all rest, events do for
    longer, where there are any.
    """
    has_events = all(state in (EVENTS, ABSENT) for state in watched)
    return idle_seconds * (2 if has_events and not is_active else 1)


class Supervisor:
    """One for all sessions.  `run` never ends by itself."""

    def __init__(
        self,
        *,
        places: SessionPlaces,
        roster: Roster,
        rebuilder: Rebuilder,
        switching: Switching,
        tasks: asyncio.TaskGroup,
        tick_seconds: Callable[[], tuple[float, float]],
        complain: Complain,
        watch_told: Told,
        woke: Callable[[float], None],
        now: Callable[[], float],
        monotonic: Callable[[], float],
        absent_since: float,
    ) -> None:
        """`absent_since`: so long no daemon ran before this one."""
        self._places = places
        self.roster = roster
        self.rebuilder = rebuilder
        self.switching = switching
        self._tasks = tasks
        self._tick_seconds = tick_seconds
        self._complain = complain
        self._now = now
        self._monotonic = monotonic
        self._seen: dict[str, Seen] = {}
        """As `scan` gives it."""
        self._at_rest: set[str] = set()
        """Put there, by thousands perhaps, and not looked at so far: events that say so are no news."""
        self._projects: set[str] = set()
        """Those whose own folder was looked into."""
        self.missed = Missed(roster, since=absent_since, read=self.read, complain=complain)
        self.watchers = tuple(
            Watcher(root, changed=self._changed, absent_seconds=tick_seconds()[1], told=watch_told)
            for root in places.roots
        )
        self._woken = asyncio.Event()
        self._woke = woke
        self._waking = Waking(wall=now, monotonic=monotonic)
        self._is_resting = False
        self.ticked_at = monotonic()

    async def run(self) -> None:
        """The stat tick: every second while somebody works, seldom otherwise (supervision.md WAT-1)."""
        scanned_at = self._monotonic()
        while True:
            active_seconds, idle_seconds = self._tick_seconds()
            is_active = any(self._is_active(followed) for followed in self.roster)
            for watcher in self.watchers:
                watcher.set_active(is_active)
                watcher.check()
            self._is_resting = not is_active
            await self._pause(active_seconds if is_active else idle_seconds)
            self.ticked_at = self._monotonic()
            has_slept = self._look_after_sleep()
            try:
                await self._tick_sessions()
                states = [watcher.state for watcher in self.watchers]
                is_due = self._monotonic() - scanned_at >= sweep_seconds(
                    idle_seconds, states, is_active=is_active
                )
                if is_due or has_slept:
                    await self._scan(self._places.roots)
                    await self._scan_projects()
                    await self._save_waiting()
                    self.rebuilder.rest()
                    self._let_go_of_old()
                    scanned_at = self._monotonic()
            except Exception as error:  # the truth must go on being looked for
                self._complain("the tick", error)

    def _look_after_sleep(self) -> bool:
        """A suspend may have cost watches and events: new ones, and a look at everything (CLK-2)."""
        slept_seconds = self._waking.slept_seconds()
        if not slept_seconds:
            return False
        self._woke(slept_seconds)
        for watcher in self.watchers:
            watcher.rearm()
        return True

    async def _pause(self, seconds: float) -> None:
        """Shorter when somebody begins to work: the first compaction is to be seen as soon as the tenth."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._woken.wait()
        self._woken.clear()

    async def first_look(self) -> None:
        """What is there at the start is known, not new; what grew while we were away is caught up."""
        # All before the first is caught up, which may take long: what begins meanwhile is new.
        everything = [(root, await self._looked_through(root)) for root in self._places.roots]
        self.missed.look_through({name: each for _, found in everything for name, each in found.items()})
        for root, found in everything:
            await tried(f"catching up with {root}", self._know(found), self._complain)
        self._projects.update(await asyncio.to_thread(self.roster.projects_on_record))
        for project in self._projects:
            await self._know(await asyncio.to_thread(self._places.scan_project, Path(project)))
        for followed in self.roster.take_up_elsewhere(self._seen):
            await self._read_on(followed, is_catchup=True)

    def undertake(self, doing: str, deed: Awaitable[None]) -> asyncio.Task[None]:
        """Does it while whoever asks goes on."""
        return self._tasks.create_task(tried(doing, deed, self._complain), name=doing)

    async def _looked_through(self, root: Path) -> Mapping[str, Found]:
        try:
            return await asyncio.to_thread(self._places.scan, root)
        except Exception as error:  # the others are looked through all the same
            self._complain(f"looking through {root}", error)
            return {}

    async def _know(self, found: Mapping[str, Found]) -> None:
        self._seen |= {name: each.seen for name, each in found.items()}
        for name, (agent, seen) in found.items():
            if self.roster.is_behind(agent, name, changed_ns(name, seen)):
                await self._look_at(agent, name, seen, is_catchup=True)

    async def _look_at(self, agent: str, name: str, known: Seen | None, *, is_catchup: bool = False) -> None:
        """Something happened to this session on disk: read on, and build what became due."""
        self._at_rest.discard(name)
        try:
            size = known.size if known else None
            followed, is_new = self.roster.of_transcript(agent, name, known_size=size)
        except Exception as error:  # looked at again when it changes; until then the others go on
            self._complain(f"taking up {name}", error)
            return
        if is_new:
            followed.is_unheard = True
            async with followed.lock:
                await self.read(followed, is_catchup=is_catchup)
            followed = self.roster.joined(followed)
        await self._read_on(followed, is_catchup=is_catchup)

    async def _read_on(self, followed: Followed, *, is_catchup: bool = False) -> None:
        async with followed.lock:
            await self.read(followed, is_catchup=is_catchup)
            await followed.save()
        self.build_ahead(followed)

    async def read(self, followed: Followed, *, is_catchup: bool = False) -> None:
        """What is new to it, unless a bug of ours stands before that; hooks are served all the same."""
        if followed.trouble:
            return
        try:
            await followed.catch_up(is_catchup=is_catchup)
            await self.switching.notice(followed)
            await self._check_task_state(followed)
        except Exception as error:  # it must cost this session alone, and be seen in `status`
            followed.trouble = f"{type(error).__name__}: {error}"
            self._complain(f"following {followed.record.transcript}", error)

    def session_of_hook(self, agent: str, transcript: str, session_id: str) -> tuple[Followed, bool]:
        """The session a hook speaks of.  A transcript that only it knows is taken up at its present end."""
        by_id = self.roster.find(agent, session_id) if session_id else None
        path = os.path.realpath(transcript)
        known = self._seen.get(path) or look(path)
        known_size = known.size if known else None
        if by_id is not None and by_id.record.transcript is None:
            self.roster.name_transcript(by_id, path, known_size=known_size)
            return by_id, False
        return self.roster.of_transcript(agent, path, known_size=known_size)

    async def _check_task_state(self, followed: Followed) -> None:
        """The agent was told another task state than the memory holds now: a slim snippet is due."""
        if any(cause.trigger == "switch" for cause in followed.record.delivery.due):
            return  # it will be told all of the new task
        if followed.project is not None and followed.record.detector.told_task is not None:
            digest = await self.rebuilder.task_digest(followed.record, followed.project)
            known = followed.record.detector
            if digest != (known.due_task or known.told_task):
                # What it was in between is of no interest any more.
                followed.change_delivery(delivery.withdraw(followed.record.delivery, "task-state"))
                self.switching.remember(followed)
            followed.observe(TaskStateChanged(digest=digest))

    def build_all(self) -> None:
        """Asked by a signal: every session gets a full snippet at its next hook."""
        for followed in self.roster:
            self._tasks.create_task(self._ask_for(followed), name="build all")

    async def _ask_for(self, followed: Followed) -> None:
        async with followed.lock:
            followed.observe(Asked(trigger="manual", cause_id=f"signal:{self._now():.3f}", reason="SIGUSR1"))
            await followed.save()
        self.build_ahead(followed)

    def build_ahead(self, followed: Followed) -> None:
        """Starts a rebuild, so that the next hook finds its snippet ready."""
        due, ready = followed.record.delivery.due, followed.built
        is_built = ready is not None and ready.causes == due
        if not due or is_built or followed.project is None:
            return
        if not followed.building.is_busy or followed.building.is_overtaken_by(strongest(due)):
            self._tasks.create_task(self._build_ahead(followed), name="build ahead")

    async def _build_ahead(self, followed: Followed) -> None:
        due = followed.record.delivery.due
        try:
            if due:
                await self.built(followed, strongest(due))
        except Exception as error:  # the next hook tries again, and answers for itself
            self._complain(f"building ahead for {followed.record.session_id}", error)

    async def built(self, followed: Followed, runlevel: Runlevel, *, is_forced: bool = False) -> Built:
        """The snippet for what is due now: the one built ahead when nothing changed since, else a new one."""
        project = followed.project
        assert project is not None, "built() without a project"
        followed.building.make_way_for(runlevel)
        asked_at = self._monotonic()
        async with followed.building.lock:
            queue_ms = (self._monotonic() - asked_at) * 1000
            ready = None if is_forced else followed.built
            if ready is not None and await self._is_fresh(ready, followed, runlevel):
                return ready
            with followed.building.under_way(runlevel) as cancel:
                built = await self.rebuilder.build(
                    followed.record,
                    project,
                    runlevel,
                    cancel=cancel,
                    is_forced=is_forced,
                    queue_ms=queue_ms,
                )
            followed.has_run(built)
            followed.built = built if built.result != "aborted" else None
            return built

    def _let_go_of_old(self) -> None:
        """Where no hook came, or none ever comes: the next one gets a new snippet, of the memory of then."""
        for followed in self.roster:
            ready = followed.built
            if ready is not None and self._is_old(ready):
                followed.built = worn(ready)

    def end(self, followed: Followed) -> None:
        """The session is over, as its agent says."""
        self._tasks.create_task(self.shut_down(followed), name="shut down")

    async def shut_down_all(self, *, seconds: float) -> None:
        """We stop: so do the scripts of all sessions, within this time."""
        stopping = [asyncio.create_task(self.shut_down(each), name="shut down") for each in self.roster]
        if stopping:
            _, late = await asyncio.wait(stopping, timeout=seconds)
            if late:
                self.rebuilder.cancel()
                await asyncio.wait(late, timeout=seconds)
            for task in stopping:
                task.cancel()  # of those that are done nothing is left to cancel

    async def shut_down(self, followed: Followed) -> None:
        """Its scripts are asked to stop; they start again when it goes on (supervision.md RL-8, RL-9)."""
        project = followed.project
        if project is None or not followed.record.started:
            return
        turn = followed.record.detector.turn
        cause = Cause(
            id="end", trigger="shutdown", turn=turn, reason="the session is over, or the daemon stops"
        )
        followed.building.make_way_for("shutdown")
        try:
            async with followed.lock, followed.building.lock:
                if await self.rebuilder.stop(followed.record, project, cause) is not None:
                    followed.has_stopped()
                    followed.built = None
                    await followed.save(is_urgent=True)
        except Exception as error:  # the other sessions have scripts as well
            self._complain(f"stopping the scripts of {followed.record.session_id}", error)

    def _is_old(self, built: Built) -> bool:
        """Too old to be handed out, whatever it says.  What took long to build is good for long: who builds
        it anew at each hook would never hand it out.
        """
        fresh_seconds = max(FRESH_SECONDS, FRESH_FACTOR * built.duration_ms / 1000)
        age = self._monotonic() - built.built_at
        return age > (fresh_seconds if built.snippet else EMPTY_FRESH_SECONDS)

    async def _is_fresh(self, built: Built, followed: Followed, runlevel: Runlevel) -> bool:
        if built.runlevel != runlevel or built.causes != followed.record.delivery.due:
            return False
        if self._is_old(built):
            return False
        assert followed.project is not None
        return await self.rebuilder.would_say_the_same(built, followed.record, followed.project, runlevel)

    async def _changed(self, paths: set[str]) -> None:
        """Events are hints: each leads to a look, at these sessions or at everything below a root."""
        if self._is_resting and paths:
            self._woken.set()
        unclear = set() if paths else set(self._places.roots)
        for path in map(PurePath, paths):
            for root in self._places.above(path):
                concerned = self._places.concerned(root, path)
                if concerned is None or not concerned.keys() <= self._seen.keys():
                    unclear.add(root)
                    continue
                for name, agent in concerned.items():
                    seen = look(name)
                    is_at_rest = name in self._at_rest and seen == self._seen[name]
                    if seen is not None and not is_at_rest:
                        await self._look_at(agent, name, self._seen[name])
        await self._scan(unclear)

    async def _scan(self, roots: Iterable[Path]) -> None:
        for found in await asyncio.to_thread(lambda: [self._places.scan(root) for root in roots]):
            await self._compare(found)

    async def _scan_projects(self) -> None:
        """No events there: a project's folder holds too much that is none of our business."""
        known = {each.record.project for each in self.roster if each.record.project}
        for project in self._projects | known | self.rebuilder.latest.keys():
            found = await asyncio.to_thread(self._places.scan_project, Path(project))
            if project in self._projects:
                await self._compare(found)
            else:
                self._projects.add(project)
                await self._know(found)

    async def _compare(self, found: Mapping[str, Found]) -> None:
        fresh = {name: each for name, each in found.items() if name not in self._seen}
        at_rest = brought(fresh, now=self._now())
        self._at_rest |= at_rest
        self._seen |= {name: fresh[name].seen for name in at_rest}
        for name, (agent, seen) in found.items():
            known = self._seen.get(name)
            if known != seen:
                self._seen[name] = seen
                await self._look_at(agent, name, known)

    async def _save_waiting(self) -> None:
        """Also into the memory: it may be whole again, while the session rests."""
        for followed in self.roster:
            if followed.lock.locked():
                continue
            if followed.scribe.is_waiting:
                await self._read_on(followed)
            elif followed.saving.is_dirty:
                async with followed.lock:
                    await followed.save()

    async def _tick_sessions(self) -> None:
        for followed in self.roster:
            if self._is_active(followed) and not followed.lock.locked():
                await self._read_on(followed)

    def _is_active(self, followed: Followed) -> bool:
        return self._now() - followed.record.seen_at < ACTIVE_SECONDS
