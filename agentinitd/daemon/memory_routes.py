"""The tasks of a project over the socket: listed, begun, changed, switched."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from agentinitd.daemon.binding import bound_task, named
from agentinitd.daemon.following import Followed
from agentinitd.daemon.http import HttpAnswer, HttpError, HttpRequest, Route, json_answer
from agentinitd.daemon.supervisor import Supervisor
from agentinitd.memory.project import Place, find_place
from agentinitd.memory.task_answer import change_json, history_json, task_json
from agentinitd.memory.task_request import TaskRequest
from agentinitd.memory.tasks import (
    change_state,
    default_task,
    new_task,
    note_state,
    read_history,
    task_named,
    tasks,
)
from agentinitd.model.errors import AgentinitdError, UsageError

BY = "socket"
PRESENT = "@"
"""In place of a task's id: the one that the session or the project is at."""
_Body = TypeVar("_Body", bound=msgspec.Struct)
_Value = TypeVar("_Value")


class _NewTask(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /v1/tasks`."""

    project: str
    task: str
    goal: str = ""
    pending: tuple[str, ...] = ()


class _TaskChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /v1/tasks/{id}`: what is to change, all of it or nothing."""

    project: str | None = None
    session: str | None = None
    reason: str = ""
    add: str | None = None
    start: str | None = None
    complete: str | None = None
    block: str | None = None
    unblock: str | None = None
    goal: str | None = None
    next_action: str | None = None
    status: str | None = None
    phase: str | None = None
    done: bool = False


class _Switch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /v1/tasks/switch`: of a session, or of the project or worktree that the path lies in."""

    task: str | None
    """None: as the project is, or the worktree's main one; `-`: the task without a name."""
    project: str | None = None
    session: str | None = None


class TaskRoutes:
    """The handlers, and what they need."""

    def __init__(self, supervisor: Supervisor, *, home: Path) -> None:
        self._supervisor = supervisor
        self._home = home

    @property
    def routes(self) -> tuple[Route, ...]:
        return (
            Route(method="GET", pattern="/v1/tasks", handler=self._list),
            Route(method="POST", pattern="/v1/tasks", handler=self._new),
            Route(method="POST", pattern="/v1/tasks/switch", handler=self._switch),
            Route(method="GET", pattern="/v1/tasks/{id}", handler=self._show),
            Route(method="POST", pattern="/v1/tasks/{id}", handler=self._change),
        )

    async def _list(self, request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        place, default = await self._at(request.query.get("project"), request.query.get("session"))
        is_all = request.query.get("all") not in (None, "", "0")
        found = await _in_thread(lambda: tasks(_project(place), with_archived=is_all))
        answer: dict[str, Any] = {
            "project": str(place.project),
            "worktree": place.worktree,
            "default": default,
            "tasks": [task_json(each, default=default) for each in found],
        }
        return json_answer(answer)

    async def _show(self, request: HttpRequest, parts: Mapping[str, str]) -> HttpAnswer:
        place, default = await self._at(request.query.get("project"), request.query.get("session"))
        task_id = default if parts["id"] == PRESENT else named(parts["id"])

        def found() -> dict[str, Any]:
            task = task_named(_project(place), task_id)
            answer = task_json(task, default=default, with_state=True)
            if request.query.get("history") not in (None, "", "0"):
                if not task.is_archived and task.state is not None:
                    note_state(_project(place), task_id, now=time.time())
                answer["history"] = history_json(read_history(task.place))
            return answer

        return json_answer(await _in_thread(found, unknown=404))

    async def _new(self, request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        body = _decoded(request, _NewTask)
        place, _ = await self._at(body.project, None)
        made = await _in_thread(
            lambda: new_task(
                _project(place), body.task, goal=body.goal, pending=body.pending, by=BY, now=time.time()
            )
        )
        return json_answer(change_json(made))

    async def _change(self, request: HttpRequest, parts: Mapping[str, str]) -> HttpAnswer:
        body = _decoded(request, _TaskChange)
        asked = TaskRequest(**{field.name: getattr(body, field.name) for field in fields(TaskRequest)})
        place, default = await self._at(body.project, body.session)
        task_id = default if parts["id"] == PRESENT else named(parts["id"])

        def change() -> dict[str, Any]:
            asked.check()
            reason = body.reason or asked.reason
            made = change_state(
                _project(place), task_id, asked.applied, by=BY, reason=reason, now=time.time()
            )
            return change_json(made)

        return json_answer(await _in_thread(change))

    async def _switch(self, request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        body = _decoded(request, _Switch)
        switching = self._supervisor.switching
        try:
            if body.session is not None:
                followed = self._session(body.session)
                at = await switching.bind(followed, body.task)
                went = [followed]
            else:
                place, _ = await self._at(body.project, None)
                went = await switching.set_default(_project(place), body.task, worktree=place.worktree)
                at = await asyncio.to_thread(default_task, _project(place), place.worktree)
        except UsageError as error:
            raise HttpError(400, str(error)) from error
        except AgentinitdError as error:
            raise HttpError(409, str(error)) from error
        for each in went:
            self._supervisor.build_ahead(each)
        ids = [each.record.session_id for each in went]
        return json_answer({"task": at, "session": ids[0] if body.session else None, "sessions": ids})

    async def _at(self, project: str | None, session: str | None) -> tuple[Place, str | None]:
        """Where, and the task that is worked on there.  Raises HttpError."""
        if session:
            record, found = self._session(session).record, self._session(session).project
            if found is None:
                raise HttpError(404, f"Session {session} works where there is no memory.")
            place = Place(found, record.worktree)
            return place, await asyncio.to_thread(bound_task, record, found)
        place = await asyncio.to_thread(find_place, Path(project or ""), home=self._home)
        if place.project is None:
            where = project or "the folder: none was named"
            raise HttpError(404, f"There is no .agent-memory/ in or above {where}. Run `agentinitd init`.")
        return place, await asyncio.to_thread(default_task, place.project, place.worktree)

    def _session(self, name: str) -> Followed:
        followed = self._supervisor.roster.find(None, name)
        if followed is None:
            raise HttpError(404, f"No session {name} is followed. `agentinitd status` lists them.")
        return followed


def _project(place: Place) -> Path:
    assert place.project is not None, "a place without a project"
    return place.project


def _decoded(request: HttpRequest, kind: type[_Body]) -> _Body:
    try:
        return msgspec.json.decode(request.body or b"{}", type=kind)
    except msgspec.MsgspecError as error:
        raise HttpError(400, f"The body is not what {request.path} takes: {error}") from error


async def _in_thread(work: Callable[[], _Value], *, unknown: int = 409) -> _Value:
    """Files are read and written there.  Raises HttpError with what the memory says."""
    try:
        return await asyncio.to_thread(work)
    except UsageError as error:
        raise HttpError(400, str(error)) from error
    except AgentinitdError as error:
        raise HttpError(unknown, str(error)) from error
