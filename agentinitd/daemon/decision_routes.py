"""`/v1/decisions`: the decision log of a project, read and appended to."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from agentinitd.daemon.following import Followed
from agentinitd.daemon.http import HttpAnswer, HttpError, HttpRequest, Route, json_answer
from agentinitd.memory.decision_chains import added_json, chain_json
from agentinitd.memory.decision_log import NewDecision, add_decision, chains, time_of
from agentinitd.memory.decisions import BY_PROGRAM
from agentinitd.memory.task_files import has_folder
from agentinitd.model.errors import AgentinitdError, PermissionRefused


class _Body(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of `POST /v1/decisions`."""

    text: str
    because: str = ""
    instead_of: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    restores: str | None = None
    topic: str = ""
    failed: bool = False
    decided: str | None = None
    task: str | None = None
    id: str | None = None
    project: str | None = None
    session: str | None = None

    def decision(self) -> NewDecision:
        return NewDecision(
            text=self.text,
            because=self.because,
            instead_of=self.instead_of,
            supersedes=self.supersedes,
            restores=self.restores,
            topic=self.topic,
            is_failed=self.failed,
            decided_at=time_of(self.decided) if self.decided else None,
            task=self.task,
            id=self.id,
            source=BY_PROGRAM,
        )


class DecisionRoutes:
    """`session` and `project` find what a request names, or raise HttpError."""

    def __init__(
        self,
        session: Callable[[str | None], Followed | None],
        project: Callable[[str | None, Followed | None], Path],
    ) -> None:
        self._session = session
        self._project = project

    @property
    def routes(self) -> tuple[Route, ...]:
        return (
            Route(method="GET", pattern="/v1/decisions", handler=self._list),
            Route(method="POST", pattern="/v1/decisions", handler=self._add),
        )

    async def _list(self, request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        query = request.query
        followed = self._session(query.get("session"))
        project = self._project(query.get("project"), followed)
        task = query.get("task") or _own_task(followed, project)
        is_all = query.get("all", "").lower() in ("1", "true", "yes", "on")
        topic = query.get("topic", "")
        try:
            found = await asyncio.to_thread(lambda: chains(project, task=task, topic=topic))
        except AgentinitdError as error:
            raise HttpError(400, str(error)) from error
        return json_answer({"chains": [chain_json(chain) for chain in found if is_all or not chain.is_over]})

    async def _add(self, request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        try:
            body = msgspec.json.decode(request.body or b"{}", type=_Body)
        except msgspec.MsgspecError as error:
            raise HttpError(400, f"The body is not what /v1/decisions takes: {error}") from error
        followed = self._session(body.session)
        project = self._project(None if followed else body.project, followed)
        try:
            added = await asyncio.to_thread(add_decision, project, body.decision(), now=time.time())
        except AgentinitdError as error:
            raise HttpError(403 if isinstance(error, PermissionRefused) else 400, str(error)) from error
        return json_answer(added_json(added.decision, added.conflicts))


def _own_task(followed: Followed | None, project: Path) -> str | None:
    """That of the session, as long as there is one."""
    task = followed.record.task_id if followed is not None else None
    return task if task is not None and has_folder(project, f"tasks/{task}") else None
