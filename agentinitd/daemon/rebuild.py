"""One rebuild: the memory is read, the scripts of the runlevel run in order, their fragments are composed."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from agentinitd.daemon import snippet_log
from agentinitd.daemon.binding import bound_task
from agentinitd.daemon.built import Built, script_json
from agentinitd.daemon.logs import RebuildLog
from agentinitd.daemon.paths import Places
from agentinitd.daemon.place_note import place_note
from agentinitd.daemon.publish import publish
from agentinitd.daemon.question import Question, ask, task_digest
from agentinitd.daemon.settings import Settings
from agentinitd.daemon.snippet_log import PastSnippet
from agentinitd.memory.checks import Checks
from agentinitd.memory.project import is_safe_task_id
from agentinitd.memory.redact import redact
from agentinitd.memory.store import MemoryStore
from agentinitd.model.causes import Cause
from agentinitd.model.config import Config
from agentinitd.model.facts import Language, Memory
from agentinitd.model.scripts import Action, Runlevel, ScriptRun
from agentinitd.model.snippets import Snippet
from agentinitd.rc import layers, sweep
from agentinitd.rc.request import RunRequest, RunSettings
from agentinitd.rc.runlevels import Step
from agentinitd.rc.sequence import RunResult, result_of, run_sequence
from agentinitd.rc.survey import Survey, survey
from agentinitd.rc.trust import Trust
from agentinitd.rc.vendor import vendor_folder
from agentinitd.sessions.delivery import FULL_RUNLEVELS, DeliveryState
from agentinitd.sessions.record import SessionRecord
from agentinitd.snippet import frame
from agentinitd.snippet.compose import Composition, compose
from agentinitd.snippet.explain import explanation_json
from agentinitd.snippet.fragments import fragment_of
from agentinitd.snippet.tokens import TokenCounter

KEPT_RUNS = 200
KEPT_PROJECTS = 64

# What a whole run may take (supervision.md section 4).
RUN_SECONDS: dict[Runlevel, float] = {
    "session": 20.0, "compact": 10.0, "periodic": 20.0, "manual": 20.0,
    "slim": 5.0, "switch": 15.0, "shutdown": 10.0,
}  # fmt: skip


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
        self._places = places
        self._settings = settings
        self._log = log
        self._instance = instance
        self._now = now
        self._monotonic = monotonic
        self._store = MemoryStore(now=now)
        self._checks = Checks()
        self._counter = TokenCounter(now=monotonic)
        self._trust = Trust(places.trust_dir, places.exec_dir)
        self._room = asyncio.Semaphore(settings.config.max_concurrent_runs)
        self._under_way: set[threading.Event] = set()
        """Each ends the scripts of one rebuild."""
        self._is_stopping = False
        self._number = 0
        sweep.become_subreaper()

    @property
    def counter_mode(self) -> str:
        return self._counter.mode

    def cancel(self) -> None:
        """Ends every script that runs, by the same steps as a time-out; stopping scripts is still possible."""
        self._is_stopping = True
        for cancel in self._under_way:
            cancel.set()

    def rest(self) -> None:
        """Called while nothing happens: gives back what is large and was not used for long."""
        self._counter.drop_if_idle(self._monotonic())

    async def build(
        self,
        record: SessionRecord,
        project: Path,
        runlevel: Runlevel,
        *,
        cancel: threading.Event | None = None,
        is_forced: bool = False,
    ) -> Built:
        """For a session: serves what is due to it, and leaves the text for readers without a socket.

        `cancel` calls it off; then it leaves nothing (supervision.md FAIL-7).
        """
        question = await self._question(record, project, runlevel)
        built = await self._run(replace(question, is_forced=is_forced), cancel=cancel)
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
        question = await self._question(asked, project, cause.runlevel)
        if not await asyncio.to_thread(self._steps, question, "stop"):
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
        asked = record or SessionRecord(key="no-session", agent="", worktree=worktree)
        if task_id is not None:
            asked = replace(asked, task_id=task_id)
        question = await self._question(asked, project, runlevel, budget_tokens=budget_tokens)
        return await self._run(replace(question, is_forced=is_forced))

    async def would_say_the_same(
        self, built: Built, record: SessionRecord, project: Path, runlevel: Runlevel
    ) -> bool:
        """Whether a rebuild now would be told what this one was, and find the same things to matter most."""
        question = await self._question(record, project, runlevel)
        if (built.digest, built.place) != (question.digest, question.place):
            return False
        composition, relevance = built.composition, question.relevance
        if composition is None or relevance is None:
            return True
        return not await asyncio.to_thread(composition.is_moved_by, relevance)

    async def task_digest(self, record: SessionRecord, project: Path) -> str:
        return task_digest((await self._memory(record, project))[1])

    async def has_task(self, project: Path, task_id: str) -> bool:
        memory = await asyncio.to_thread(self._store.load, project, task_id)
        has_folder = is_safe_task_id(task_id) and (project / ".agent-memory" / "tasks" / task_id).is_dir()
        return has_folder or bool(memory.task_state)

    def captured(self, project: Path, task_id: str | None) -> int:
        """How much was captured for it and waits for a person."""
        return len(self._store.load(project, task_id).captured)

    def plan_json(self, project: Path, runlevel: Runlevel) -> list[dict[str, str]]:
        """The sequence with every verdict; nothing is run (supervision.md RL-14)."""
        return [
            {
                "action": step.action,
                "script": step.name,
                "layer": step.script.layer,
                "verdict": ": ".join(step.script.refusal) if step.script.refusal else "runs",
            }
            for step in self._survey(project, self._settings.of(project)).steps(runlevel)
        ]

    def ignored(self, project: Path) -> list[str]:
        """Files in an `init.d/` that no runlevel ever calls, each with its reason: never silent (NAM-3)."""
        scripts = self._survey(project, self._settings.of(project)).scripts
        return [
            f"{script.path}: {script.refusal[1]}"
            for script in scripts
            if script.refusal and script.refusal[0] == "ignored"
        ]

    async def _memory(self, record: SessionRecord, project: Path) -> tuple[str | None, Memory]:
        """Of the task it is at, and that.  In a thread: a large file that changed takes seconds to read."""

        def load() -> tuple[str | None, Memory]:
            task_id = bound_task(record, project)
            return task_id, self._store.load(project, task_id)

        return await asyncio.to_thread(load)

    async def _question(
        self, record: SessionRecord, project: Path, runlevel: Runlevel, *, budget_tokens: int | None = None
    ) -> Question:
        config = self._settings.of(project)
        task_id, memory = await self._memory(record, project)
        record = replace(record, task_id=task_id)
        question = ask(
            record,
            project,
            runlevel,
            memory,
            config,
            now=self._now(),
            budget_tokens=budget_tokens,
            disproved=await asyncio.to_thread(self._checks.disproved, memory.anchors, project),
        )
        if runlevel not in FULL_RUNLEVELS or not (memory.task_state and record.cwd):
            return question
        place = await asyncio.to_thread(place_note, memory.task_state, record.cwd, question.language)
        return replace(question, place=place or "")

    def explanation(self, built: Built) -> dict[str, Any]:
        """Why each item is in the snippet or not.  In a thread: texts are counted."""
        count = self._counter.count_cautiously
        told = explanation_json(built.composition, count) if built.composition else {}
        resting = [{"id": each.id, "text": each.what, "phases": list(each.phases)} for each in built.resting]
        return {**told, "place": built.place or None, "resting": resting}

    async def _run(
        self, question: Question, *, action: Action = "start", cancel: threading.Event | None = None
    ) -> Built:
        cancel = cancel or threading.Event()
        async with self._room:
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
        remembered = replace(built, composition=None, rules=())
        self.runs.append(remembered)
        if action == "start":
            self._remember(remembered)
        self._tell(built, question)
        return built

    def _remember(self, built: Built) -> None:
        self.latest.pop(built.project, None)
        self.latest[built.project] = built
        while len(self.latest) > KEPT_PROJECTS:
            del self.latest[next(iter(self.latest))]

    def _build(self, question: Question, run_id: str, action: Action, cancel: threading.Event) -> Built:
        """In a thread: scripts, composer and files all may block."""
        began = self._monotonic()
        steps = [] if question.is_line_only else self._steps(question, action)
        request = self._request(question, run_id)
        settings = self._run_settings(question.config)
        runs = run_sequence(steps, request, settings, now=self._now, cancel=cancel)
        result = result_of(runs, is_cancelled=cancel.is_set())
        # Half a rebuild is handed to nobody (supervision.md FAIL-7), and of what stops nothing is shown.
        is_shown = action == "start" and result != "aborted"
        composition = self._compose(question, runs) if is_shown else None
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

    def _steps(self, question: Question, action: Action) -> list[Step]:
        """Of a switch either what stops, with the old task, or what starts, with the new one (RL-8, RL-9)."""
        found = self._survey(question.project, question.config)
        if action == "stop":
            steps = found.steps(question.runlevel, started=frozenset(question.record.started))
            return [step for step in steps if step.action == "stop"]
        steps = found.steps(question.runlevel)
        return [step for step in steps if question.runlevel != "switch" or step.action == "start"]

    def _survey(self, project: Path, config: Config) -> Survey:
        """The four layers are read anew for each run: a change takes effect in the next one (NAM-9)."""
        found = layers.standard(
            vendor=vendor_folder(),
            system=self._places.system_dir,
            user=self._places.config_dir,
            project_root=project,
        )
        by = layers.judge(
            found,
            trust=self._trust,
            uid=os.geteuid(),
            project_root=project,
            timeout_seconds=config.script_timeout_seconds,
        )
        return survey(found, by, project_override=config.project_override)

    def _request(self, question: Question, run_id: str) -> RunRequest:
        record = question.record
        return RunRequest(
            run_id=run_id,
            session_id=record.session_id,
            session_dir=self._places.script_state_dir / record.key,
            project_root=question.project,
            task_id=question.task_id,
            trigger=question.trigger,
            runlevel=question.runlevel,
            previous_runlevel=None
            if record.previous_runlevel == "N"
            else cast(Runlevel, record.previous_runlevel),
            transcript=record.transcript or "",
            stdin=question.stdin(),
            digest=question.digest,
            budget_tokens=question.budget_tokens,
            budget_seconds=RUN_SECONDS[question.runlevel],
            is_forced=question.is_forced,
            failing=record.failing,
        )

    def _reason(self, result: RunResult, snippet: Snippet | None) -> str:
        if result == "aborted":
            return "the daemon is stopping" if self._is_stopping else "a more urgent rebuild took its place"
        return "" if snippet else "no script had anything to say"

    def _run_settings(self, config: Config) -> RunSettings:
        return RunSettings(
            scratch_dir=self._places.scratch_dir,
            last_good_dir=self._places.last_good_dir,
            environment=os.environ,
            interpreter_folder=str(Path(sys.executable).parent),
            uid=os.geteuid(),
            env_pass=config.env_pass,
            kill_grace_seconds=config.kill_grace_seconds,
            drain_seconds=config.drain_seconds,
            last_good_max_age_seconds=config.last_good_max_age_hours * 3600,
        )

    def _compose(self, question: Question, runs: tuple[ScriptRun, ...]) -> Composition:
        language = question.language
        safe = [replace(run, output=redact(run.output).text) for run in runs]
        said = [redact(line).text for line in question.lines]
        fragments = [part for run in safe if (part := fragment_of(run, language=language)) is not None]
        return compose(
            fragments,
            budget_tokens=question.budget_tokens,
            language=language,
            notes=(*_notes(runs, language), *filter(None, [question.place]), *said),
            unserved=0 if question.is_line_only else question.unserved,
            count=self._counter.count_cautiously,
            max_chars=question.max_chars,
            relevance=question.relevance,
        )

    def _tell(self, built: Built, question: Question) -> None:
        for run in built.runs:
            self._tell_script(built, run)
        level = self._log.info if built.result in ("ok", "empty") else self._log.warning
        level(
            "run.end",
            run=built.run_id,
            **question.names(),
            result=built.result,
            reason=built.reason,
            duration_ms=round(built.duration_ms, 1),
            scripts=len(built.runs),
            failed=[run.script.name for run in built.runs if run.is_failure],
            pending=[run.script.name for run in built.runs if run.result == "pending-trust"],
            tokens=built.snippet.tokens if built.snippet else 0,
            snippet=built.snippet.id if built.snippet else None,
        )

    def _tell_script(self, built: Built, run: ScriptRun) -> None:
        event = "script.skip" if run.script.refusal else "script.end"
        told: dict[str, Any] = {"run": built.run_id, "session": built.session_id, **script_json(run)}
        (self._log.warning if run.is_failure else self._log.info)(event, **told)


def _leave_as_files(project: Path, past: PastSnippet, *, is_shared: bool) -> None:
    is_full = past.runlevel in FULL_RUNLEVELS
    run = publish(project, past.session, past.text, is_full=is_full, is_shared=is_shared)
    if is_full:
        snippet_log.append(run, past)


def _notes(runs: tuple[ScriptRun, ...], language: Language) -> tuple[str, ...]:
    """What the snippet begins with when not all is well: never silent, in our own words (TRU-7, FAIL-3)."""
    failed = [run.script.name for run in runs if run.is_failure]
    pending = [run.script.name for run in runs if run.result == "pending-trust"]
    notes: list[str] = []
    if failed:
        line = frame.failed_line if result_of(runs) == "failed" else frame.degraded_line
        notes.append(line(failed, language))
    if pending:
        notes.append(frame.pending_trust_line(pending, language))
    return tuple(notes)
