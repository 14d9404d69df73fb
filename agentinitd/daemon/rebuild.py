"""One rebuild: the memory is read, the scripts of the runlevel run in order, their fragments are composed."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentinitd.daemon import snippet_log
from agentinitd.daemon.asking import Asking
from agentinitd.daemon.built import Built, log_built, remembered
from agentinitd.daemon.composing import composed
from agentinitd.daemon.logs import RebuildLog
from agentinitd.daemon.paths import Places
from agentinitd.daemon.publish import publish
from agentinitd.daemon.question import Question, task_digest
from agentinitd.daemon.running import Scripts
from agentinitd.daemon.settings import Settings
from agentinitd.daemon.snippet_log import PastSnippet
from agentinitd.memory.redact import redact
from agentinitd.model.causes import Cause
from agentinitd.model.scripts import Action, Runlevel, Script, ScriptRun
from agentinitd.model.snippets import Snippet
from agentinitd.rc import sweep
from agentinitd.rc.sequence import RunResult, result_of
from agentinitd.sessions.delivery import FULL_RUNLEVELS, DeliveryState
from agentinitd.sessions.record import SessionRecord
from agentinitd.sessions.timeline import NO_SESSION
from agentinitd.snippet.explain import explanation_json
from agentinitd.snippet.tokens import TokenCounter, give_back_memory

KEPT_RUNS = 200
KEPT_PROJECTS = 64
KEPT_SCRIPTS = 256


class Rebuilder:
    """Runs rebuilds, at most a few at once, and remembers the last ones."""

    def __init__(
        self,
        places: Places,
        settings: Settings,
        log: RebuildLog,
        *,
        instance: str,
        now: Callable[[], float],
        monotonic: Callable[[], float],
    ) -> None:
        self.runs: deque[Built] = deque(maxlen=KEPT_RUNS)
        self.latest: dict[str, Built] = {}
        """The last rebuild of each project."""
        self._known_scripts: dict[Script, Script] = {}
        self.asking = Asking(settings, now=now)
        self.scripts = Scripts(places, settings, now=now)
        self._log = log
        self._instance = instance
        self._now = now
        self._monotonic = monotonic
        self._counter = TokenCounter(now=monotonic)
        self._room = asyncio.Semaphore(settings.config.max_concurrent_runs)
        self._under_way: set[threading.Event] = set()
        """Each ends the scripts of one rebuild."""
        self._is_stopping = False
        self._number = 0
        sweep.become_subreaper()

    @property
    def counter_mode(self) -> str:
        return self._counter.mode

    @property
    def running(self) -> int:
        return len(self._under_way)

    def cancel(self) -> None:
        """Ends every script that runs, by the steps of a time-out; stopping scripts is still possible."""
        self._is_stopping = True
        for cancel in self._under_way:
            cancel.set()

    def rest(self) -> None:
        """Called every few seconds: gives back what is large and was not used for long."""
        if not self._counter.drop_if_idle(self._monotonic()):
            give_back_memory()

    async def build(
        self,
        record: SessionRecord,
        project: Path,
        runlevel: Runlevel,
        *,
        cancel: threading.Event | None = None,
        is_forced: bool = False,
        queue_ms: float = 0.0,
    ) -> Built:
        """For a session: serves what is due to it, and leaves the text for readers without a socket.

        `cancel` calls it off; then it leaves nothing (supervision.md FAIL-7).  `queue_ms` is how long it
        waited for the one before it.
        """
        question = await self.asking.question(record, project, runlevel)
        asked = replace(question, is_forced=is_forced)
        built = await self._run(asked, cancel=cancel, queue_ms=queue_ms)
        if built.composition is not None and built.composition.is_whole:
            # There was nothing to choose: recent work may go on.
            built = replace(built, composition=None)
        if built.snippet is not None:
            is_shared = record.task_id is None and record.worktree is None
            await self._publish(built, built.snippet, is_shared=is_shared)
        return built

    async def stop(self, record: SessionRecord, project: Path, cause: Cause) -> Built | None:
        """Asks the scripts that were started in this session to stop, while its record names the old task."""
        if not record.started:
            return None
        asked = replace(record, delivery=DeliveryState(due=(cause,)))
        question = await self.asking.question(asked, project, cause.runlevel)
        if not await asyncio.to_thread(self.scripts.steps, question, "stop"):
            return None
        return await self._run(question, action="stop")

    async def _publish(self, built: Built, snippet: Snippet, *, is_shared: bool) -> None:
        past = PastSnippet(
            at=built.finished_at,
            session=built.session_id,
            task=built.task_id,
            runlevel=built.runlevel,
            id=snippet.id,
            text=snippet.text,
        )
        try:
            await asyncio.to_thread(_leave_as_files, Path(built.project), past, is_shared=is_shared)
        except OSError as error:
            self._log.warning("disk.full", run=built.run_id, project=built.project, error=str(error))

    async def build_for(
        self,
        project: Path,
        *,
        record: SessionRecord | None = None,
        worktree: str | None = None,
        task_id: str | None = None,
        runlevel: Runlevel,
        budget_tokens: int | None = None,
        is_forced: bool = False,
    ) -> Built:
        """For whoever asks: nothing is delivered by it."""
        asked = record or SessionRecord(key=NO_SESSION, agent="", worktree=worktree)
        if task_id is not None:
            asked = replace(asked, task_id=task_id)
        question = await self.asking.question(asked, project, runlevel, budget_tokens=budget_tokens)
        return await self._run(replace(question, is_forced=is_forced))

    async def would_say_the_same(
        self, built: Built, record: SessionRecord, project: Path, runlevel: Runlevel
    ) -> bool:
        """Whether a rebuild now would be told what this one was, and find the same things to matter most."""
        question = await self.asking.question(record, project, runlevel)
        if (built.digest, built.place) != (question.digest, question.place):
            return False
        composition, relevance = built.composition, question.relevance
        if composition is None or relevance is None:
            return True
        return not await asyncio.to_thread(composition.is_moved_by, relevance)

    async def task_digest(self, record: SessionRecord, project: Path) -> str:
        return task_digest((await self.asking.memory(record, project))[1])

    def explanation(self, built: Built) -> dict[str, Any]:
        """Why each item is in the snippet or not.  In a thread: texts are counted."""
        count = self._counter.count_cautiously
        told = explanation_json(built.composition, count) if built.composition else {}
        resting = [{"id": each.id, "text": each.what, "phases": list(each.phases)} for each in built.resting]
        return {**told, "place": built.place or None, "resting": resting}

    async def _run(
        self,
        question: Question,
        *,
        action: Action = "start",
        cancel: threading.Event | None = None,
        queue_ms: float = 0.0,
    ) -> Built:
        cancel = cancel or threading.Event()
        asked_at = self._monotonic()
        async with self._room:
            queue_ms += (self._monotonic() - asked_at) * 1000
            self._number += 1
            run_id = f"{self._instance}-{self._number}"
            self._log.info("run.start", run=run_id, **question.names())
            if self._is_stopping and action == "start":
                cancel.set()
            self._under_way.add(cancel)
            try:
                built = await asyncio.to_thread(self._build, question, run_id, action, cancel)
            finally:
                self._under_way.discard(cancel)
        built = replace(built, queue_ms=queue_ms)
        kept = remembered(replace(built, runs=tuple(map(self._with_known_script, built.runs))))
        self.runs.append(kept)
        if action == "start":
            self._remember(kept)
        log_built(self._log, built, question.names())
        return built

    def _with_known_script(self, run: ScriptRun) -> ScriptRun:
        """Hundreds of runs tell of the same few scripts, which each rebuild reads anew."""
        if len(self._known_scripts) >= KEPT_SCRIPTS:
            self._known_scripts.clear()
        return replace(run, script=self._known_scripts.setdefault(run.script, run.script))

    def _remember(self, built: Built) -> None:
        self.latest.pop(built.project, None)
        self.latest[built.project] = built
        while len(self.latest) > KEPT_PROJECTS:
            del self.latest[next(iter(self.latest))]

    def _build(self, question: Question, run_id: str, action: Action, cancel: threading.Event) -> Built:
        """In a thread: scripts, composer and files all may block."""
        began = self._monotonic()
        steps = [] if question.is_line_only else self.scripts.steps(question, action)
        runs = self.scripts.run(question, steps, run_id=run_id, cancel=cancel)
        result = result_of(runs, is_cancelled=cancel.is_set())
        # Half a rebuild is handed to nobody (supervision.md FAIL-7), and of what stops nothing is shown.
        is_shown = action == "start" and result != "aborted"
        count = self._counter.count_cautiously
        composition = composed(question, runs, count=count) if is_shown else None
        snippet = composition.snippet if composition and composition.snippet.text else None
        ended = self._monotonic()
        return Built(
            run_id=run_id,
            runlevel=question.runlevel,
            trigger=question.trigger,
            session_id=question.record.session_id,
            project=str(question.project),
            task_id=question.task_id,
            causes=question.causes,
            result=result if snippet or not is_shown else "empty",
            reason=self._reason(result, snippet) if action == "start" else "",
            snippet=snippet,
            composition=composition,
            # What they printed is in the snippet; two hundred runs of it are not to be kept.
            runs=tuple(replace(run, output="", err_tail=redact(run.err_tail).text) for run in runs),
            place=question.place,
            resting=question.memory.resting,
            is_echo=question.is_echo,
            rules=question.rules,
            problems=question.memory.problems,
            digest=question.digest,
            task_digest=None if question.is_line_only else task_digest(question.memory),
            duration_ms=(ended - began) * 1000,
            built_at=ended,
            finished_at=self._now(),
        )

    def _reason(self, result: RunResult, snippet: Snippet | None) -> str:
        if result == "aborted":
            return "the daemon is stopping" if self._is_stopping else "a more urgent rebuild took its place"
        return "" if snippet else "no script had anything to say"


def _leave_as_files(project: Path, past: PastSnippet, *, is_shared: bool) -> None:
    is_full = past.runlevel in FULL_RUNLEVELS
    run = publish(project, past.session, past.text, is_full=is_full, is_shared=is_shared)
    if is_full:
        snippet_log.append(run, past)
