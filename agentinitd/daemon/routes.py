"""Verb and path → what answers: the whole socket interface in one block (architecture.md section 10)."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from agentinitd.daemon.anchor_routes import AnchorRoutes
from agentinitd.daemon.binding import bound_task
from agentinitd.daemon.built import Built, run_json
from agentinitd.daemon.decision_routes import DecisionRoutes
from agentinitd.daemon.desk import HookDesk
from agentinitd.daemon.following import Followed
from agentinitd.daemon.http import HttpAnswer, HttpError, HttpRequest, Route, json_answer
from agentinitd.daemon.logs import RebuildLog
from agentinitd.daemon.memory_routes import TaskRoutes
from agentinitd.daemon.metrics import Metrics
from agentinitd.daemon.prometheus import CONTENT_TYPE
from agentinitd.daemon.status import Status, session_json
from agentinitd.daemon.supervisor import Supervisor
from agentinitd.memory.project import find_place, find_project
from agentinitd.memory.recall import recall
from agentinitd.memory.recall_answer import answer_json, question_of
from agentinitd.model.errors import UsageError
from agentinitd.model.scripts import RUNLEVELS, Runlevel
from agentinitd.rc import names
from agentinitd.sessions.observations import Asked

STREAM_QUEUE = 1000
KEEP_ALIVE_SECONDS = 15.0

Body = TypeVar("Body", bound=msgspec.Struct)


class _RebuildBody(msgspec.Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/rebuild`: what to run it for; without a session for a project alone."""

    runlevel: str = "manual"
    session: str | None = None
    project: str | None = None
    dry_run: bool = False
    force: bool = False
    """Run scripts with unchanged inputs as well, and those that are left alone because they failed."""


class _ResetBody(msgspec.Struct, frozen=True, kw_only=True):
    """Body of `POST /v1/reset-failed`: the scripts, all when there is none, and of which sessions."""

    scripts: tuple[str, ...] = ()
    session: str | None = None
    project: str | None = None


class Reloaded(msgspec.Struct, frozen=True, kw_only=True):
    """Answer of `POST /v1/reload`."""

    error: str
    """What is wrong with the config; empty when nothing is, and it is in force."""
    warning: str
    """Keys in it that counted for nothing."""
    at_next_start: tuple[str, ...]
    """Settings that changed and that only another start puts in force."""


class Interface:
    """The handlers, and what they need."""

    def __init__(
        self,
        supervisor: Supervisor,
        desk: HookDesk,
        status: Status,
        metrics: Metrics,
        log: RebuildLog,
        *,
        home: Path,
        reload: Callable[[], Reloaded],
        stop: Callable[[], None],
    ) -> None:
        self._supervisor = supervisor
        self._desk = desk
        self._status = status
        self._metrics = metrics
        self._log = log
        self._home = home
        self._reload = reload
        self._stop = stop

    @property
    def routes(self) -> tuple[Route, ...]:
        return (
            Route(
                method="POST", pattern="/v1/hook/{agent}", handler=self._hook, is_slow=True, runs_scripts=True
            ),
            Route(method="GET", pattern="/v1/snippet", handler=self._snippet, runs_scripts=True),
            Route(method="POST", pattern="/v1/rebuild", handler=self._rebuild, runs_scripts=True),
            Route(method="POST", pattern="/v1/reset-failed", handler=self._reset_failed),
            Route(method="GET", pattern="/v1/recall", handler=self._recall),
            Route(method="GET", pattern="/v1/status", handler=self._get_status),
            Route(method="GET", pattern="/v1/sessions", handler=self._sessions),
            Route(method="GET", pattern="/v1/runs", handler=self._runs),
            Route(method="GET", pattern="/v1/runs/{id}", handler=self._run),
            Route(method="GET", pattern="/v1/events", handler=self._events),
            Route(method="GET", pattern="/metrics", handler=self._get_metrics),
            Route(method="POST", pattern="/v1/reload", handler=self._post_reload),
            Route(method="POST", pattern="/v1/stop", handler=self._post_stop),
            *TaskRoutes(self._supervisor, home=self._home).routes,
            *DecisionRoutes(self._session, self._project).routes,
            *AnchorRoutes(self._session, self._project).routes,
        )

    async def _hook(self, request: HttpRequest, parts: Mapping[str, str]) -> HttpAnswer:
        asked_at = time.monotonic()
        answer = await self._desk.serve(parts["agent"], request)
        self._metrics.hook(parts["agent"], time.monotonic() - asked_at)
        return answer

    async def _snippet(self, request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        query = request.query
        followed = self._session(query.get("session"))
        project = self._project(query.get("project"), followed)
        task_id = query.get("task")
        if task_id and not await self._supervisor.rebuilder.asking.has_task(project, task_id):
            raise HttpError(404, f"Nothing is recorded about a task {task_id} in {project}.")
        built = await self._supervisor.rebuilder.build_for(
            project,
            record=followed.record if followed else None,
            worktree=self._worktree(query.get("project")),
            task_id=task_id,
            runlevel=_runlevel(query.get("runlevel", "manual")),
            budget_tokens=_whole_number(query.get("budget")),
        )
        if built.result == "aborted":
            raise HttpError(503, "The daemon is stopping. Ask again when it is back.")
        if query.get("explain", "").lower() in ("1", "true", "yes", "on"):
            return json_answer(await asyncio.to_thread(self._supervisor.rebuilder.explanation, built))
        if built.snippet is None:
            return HttpAnswer(status=204)
        etag = f'"{built.snippet.id}"'
        if request.headers.get("if-none-match") == etag:
            return HttpAnswer(status=304, headers=(("etag", etag),))
        body = built.snippet.text.encode()
        return HttpAnswer(body=body, content_type="text/markdown; charset=utf-8", headers=(("etag", etag),))

    async def _recall(self, request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        words = request.query
        followed = self._session(words.get("session"))
        project = self._project(words.get("project"), followed)
        if followed is not None and not words.keys() & {"task", "all"}:
            at = await asyncio.to_thread(bound_task, followed.record, project)
            words["task"] = at or ""
        try:
            question = question_of(words.get("q", ""), words, now=time.time())
        except UsageError as error:
            raise HttpError(400, str(error)) from error
        return json_answer(answer_json(await asyncio.to_thread(recall, project, question)))

    async def _rebuild(self, request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        body = _decoded(request, _RebuildBody)
        runlevel = _runlevel(body.runlevel)
        followed = self._session(body.session)
        project = self._project(None if followed else body.project, followed)
        if body.dry_run:
            scripts = self._supervisor.rebuilder.scripts
            return json_answer({"steps": await asyncio.to_thread(scripts.plan_json, project, runlevel)})
        if followed is None:
            built = await self._supervisor.rebuilder.build_for(
                project,
                worktree=self._worktree(body.project),
                runlevel=runlevel,
                is_forced=body.force,
            )
        else:
            built = await self._rebuild_session(followed, runlevel, is_forced=body.force)
        return json_answer(run_json(built))

    async def _rebuild_session(self, followed: Followed, runlevel: Runlevel, *, is_forced: bool) -> Built:
        async with followed.lock:
            cause_id = f"asked:{secrets.token_hex(4)}"
            followed.observe(Asked(trigger="manual", cause_id=cause_id, reason="`agentinitd rebuild`"))
            await followed.save()
        return await self._supervisor.built(followed, runlevel, is_forced=is_forced)

    async def _reset_failed(self, request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        body = _decoded(request, _ResetBody)
        followed = self._session(body.session)
        project = self._project(None if followed else body.project, followed)
        sessions = (
            [followed] if followed else [each for each in self._supervisor.roster if each.project == project]
        )
        keys = {parsed.key if (parsed := names.parse(name)) else name for name in body.scripts}
        freed: set[str] = set()
        for each in sessions:
            async with each.lock:
                freed.update(each.forget_failures(keys or None))
                await each.save(is_urgent=each.saving.is_dirty)
        return json_answer({"scripts": sorted(freed)})

    async def _get_status(self, _request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        return json_answer(await self._status.as_json())

    async def _get_metrics(self, _request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        text = self._metrics.text(
            await self._status.as_json(), running=self._supervisor.rebuilder.running, lost=self._log.lost
        )
        return HttpAnswer(body=text.encode(), content_type=CONTENT_TYPE)

    async def _sessions(self, _request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        return json_answer({"sessions": [session_json(each) for each in self._supervisor.roster]})

    async def _runs(self, _request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        return json_answer({"runs": [run_json(built) for built in self._supervisor.rebuilder.runs]})

    async def _run(self, _request: HttpRequest, parts: Mapping[str, str]) -> HttpAnswer:
        for built in self._supervisor.rebuilder.runs:
            if built.run_id == parts["id"]:
                return json_answer(run_json(built))
        raise HttpError(404, f"Run {parts['id']} is not among the last ones. `GET /v1/runs` lists them.")

    async def _events(self, _request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        return HttpAnswer(content_type="text/event-stream", stream=self._stream())

    async def _stream(self) -> AsyncIterator[bytes]:
        queue: asyncio.Queue[bytes] = asyncio.Queue(STREAM_QUEUE)

        def listen(line: bytes) -> None:
            if not queue.full():  # a reader that does not keep up loses records, the daemon loses nothing
                queue.put_nowait(line)

        end = self._log.listen(listen)
        try:
            yield b": agentinitd\n\n"
            while True:
                try:
                    async with asyncio.timeout(KEEP_ALIVE_SECONDS):
                        yield b"data: " + await queue.get() + b"\n\n"
                except TimeoutError:
                    yield b": still here\n\n"
        finally:
            end()

    async def _post_reload(self, _request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        return json_answer(self._reload())

    async def _post_stop(self, _request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        self._stop()
        return json_answer({"stopping": True})

    def _session(self, name: str | None) -> Followed | None:
        if not name:
            return None
        followed = self._supervisor.roster.find(None, name)
        if followed is None:
            raise HttpError(404, f"No session {name} is followed. `agentinitd status` lists them.")
        return followed

    def _worktree(self, name: str | None) -> str | None:
        return find_place(Path(name), home=self._home).worktree if name else None

    def _project(self, name: str | None, followed: Followed | None) -> Path:
        if followed is not None and followed.project is not None:
            return followed.project
        found = find_project(Path(name), home=self._home) if name else None
        if found is None:
            where = name or (followed.record.cwd if followed else None) or "the folder: none was named"
            raise HttpError(404, f"There is no .agent-memory/ in or above {where}. Run `agentinitd init`.")
        return found


def _decoded(request: HttpRequest, kind: type[Body]) -> Body:
    try:
        return msgspec.json.decode(request.body or b"{}", type=kind)
    except msgspec.MsgspecError as error:
        raise HttpError(400, f"The body is not what {request.path} takes: {error}") from error


def _runlevel(name: str) -> Runlevel:
    if name not in RUNLEVELS:
        raise HttpError(400, f"{name} is not a runlevel; known: {', '.join(RUNLEVELS)}.")
    return name


def _whole_number(text: str | None) -> int | None:
    if text is None:
        return None
    if len(text) > 5 or not text.isdecimal() or not 60 <= int(text) <= 20_000:
        raise HttpError(400, f"A budget of {text[:20]} tokens is not possible: 60 to 20000.")
    return int(text)
