"""`/v1/anchors`: the anchors of a project, listed, added, changed, proved and removed by programs.

A program's word is no person's: see `memory/anchor_book.py`.  No body can name a source or a verification.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

import msgspec

from agentinitd.daemon.binding import bound_task, named
from agentinitd.daemon.following import Followed
from agentinitd.daemon.http import HttpAnswer, HttpError, HttpRequest, Route, json_answer
from agentinitd.memory.anchor_answer import anchor_json, entry_json, removed_json
from agentinitd.memory.anchor_book import SOCKET, AnchorBook, NewAnchor
from agentinitd.memory.anchor_terms import UnknownAnchor
from agentinitd.memory.tasks import default_task
from agentinitd.model.errors import AgentinitdError, PermissionRefused, UsageError
from agentinitd.model.facts import AnchorKind, Priority, Scope

_Session = Callable[[str | None], Followed | None]
_Project = Callable[[str | None, Followed | None], Path]
_Body = TypeVar("_Body", bound="_Place")
_Value = TypeVar("_Value")


class _Place(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where: any path in the project, or a session; and the task whose anchors are meant as well."""

    project: str | None = None
    session: str | None = None
    task: str | None = None


class _New(_Place, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /v1/anchors`."""

    what: str
    why: str = ""
    kind: AnchorKind = "constraint"
    priority: Priority = "normal"
    scope: Scope | None = None
    applies: tuple[str, ...] = ()
    forbid: str | None = None
    check: str | None = None
    phases: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    topic: str = ""

    def anchor(self) -> NewAnchor:
        return NewAnchor(**_without_place(self))


class _Change(_Place, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /v1/anchors/{id}`: what is named is changed, an empty value takes it out."""

    what: str | msgspec.UnsetType = msgspec.UNSET
    why: str | msgspec.UnsetType = msgspec.UNSET
    kind: AnchorKind | msgspec.UnsetType = msgspec.UNSET
    priority: Priority | msgspec.UnsetType = msgspec.UNSET
    scope: Scope | msgspec.UnsetType = msgspec.UNSET
    applies: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    forbid: str | msgspec.UnsetType = msgspec.UNSET
    check: str | msgspec.UnsetType = msgspec.UNSET
    phases: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    supersedes: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET
    topic: str | msgspec.UnsetType = msgspec.UNSET


class _Removal(_Place, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Body of `POST /v1/anchors/{id}/remove`."""

    keep: bool = False
    restore: bool = False


class AnchorRoutes:
    """`session` and `project` find what a request names, or raise HttpError."""

    def __init__(self, session: _Session, project: _Project) -> None:
        self._session = session
        self._project = project

    @property
    def routes(self) -> tuple[Route, ...]:
        return (
            Route(method="GET", pattern="/v1/anchors", handler=self._list),
            Route(method="POST", pattern="/v1/anchors", handler=self._add),
            Route(method="POST", pattern="/v1/anchors/{id}", handler=self._change),
            Route(method="POST", pattern="/v1/anchors/{id}/verify", handler=self._prove),
            Route(method="POST", pattern="/v1/anchors/{id}/remove", handler=self._remove),
        )

    async def _list(self, request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        query = request.query
        place = _Place(**{key: query.get(key) for key in ("project", "session", "task")})
        kind = query.get("kind")
        if kind is not None and kind not in get_args(AnchorKind):
            raise HttpError(
                400, f"{kind[:40]} is no kind of anchor; known: {', '.join(get_args(AnchorKind))}."
            )
        is_all = query.get("all", "").lower() in ("1", "true", "yes", "on")
        entries = await self._with_book(place, AnchorBook.entries)
        shown = [
            entry
            for entry in entries
            if kind in (None, entry.anchor.kind) and (is_all or not entry.is_withdrawn)
        ]
        return json_answer({"anchors": [entry_json(entry) for entry in shown]})

    async def _add(self, request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        body = _decoded(request, _New)
        # Of the project, unless a task is named: that a session is at one hides no rule from the others.
        added = await self._with_book(
            body, lambda book: book.add(body.anchor(), now=time.time()), task=named(body.task)
        )
        return json_answer(anchor_json(added))

    async def _change(self, request: HttpRequest, parts: Mapping[str, str]) -> HttpAnswer:
        body = _decoded(request, _Change)
        fields = {key: value for key, value in _without_place(body).items() if value is not msgspec.UNSET}
        changed = await self._with_book(body, lambda book: book.change(parts["id"], fields, now=time.time()))
        return json_answer(anchor_json(changed))

    async def _prove(self, request: HttpRequest, parts: Mapping[str, str]) -> HttpAnswer:
        """By its check; nothing is written: `verified` is a person's word."""
        body = _decoded(request, _Place)
        proof = await self._with_book(body, lambda book: book.prove(parts["id"]))
        if proof is None:
            reason = "It has no check: a person has to look, and says so by `agentinitd anchors verify`."
            return json_answer({"held": None, "reason": reason})
        return json_answer({"held": proof.is_held, "reason": proof.reason})

    async def _remove(self, request: HttpRequest, parts: Mapping[str, str]) -> HttpAnswer:
        body = _decoded(request, _Removal)
        [removed] = await self._with_book(
            body,
            lambda book: book.remove(
                [parts["id"]], now=time.time(), is_kept=body.keep, is_restoring=body.restore
            ),
        )
        return json_answer(removed_json(removed))

    async def _with_book(
        self, place: _Place, work: Callable[[AnchorBook], _Value], **given: str | None
    ) -> _Value:
        """Files are read and written in a thread.  Raises HttpError with what the memory says."""
        followed = self._session(place.session)
        project = self._project(None if followed else place.project, followed)

        def worked() -> _Value:
            task = given["task"] if given else _task(place, followed, project)
            return work(AnchorBook(project, task, source=SOCKET))

        try:
            return await asyncio.to_thread(worked)
        except AgentinitdError as error:
            raise HttpError(_status(error), str(error)) from error


def _task(place: _Place, followed: Followed | None, project: Path) -> str | None:
    if place.task:
        return named(place.task)
    return bound_task(followed.record, project) if followed else default_task(project)


def _status(error: AgentinitdError) -> int:
    statuses = ((UsageError, 400), (PermissionRefused, 403), (UnknownAnchor, 404))
    return next((status for kind, status in statuses if isinstance(error, kind)), 409)


def _without_place(body: _Place) -> dict[str, Any]:
    fields = msgspec.structs.asdict(body)
    return {name: value for name, value in fields.items() if name not in ("project", "session", "task")}


def _decoded(request: HttpRequest, kind: type[_Body]) -> _Body:
    try:
        return msgspec.json.decode(request.body or b"{}", type=kind)
    except msgspec.MsgspecError as error:
        raise HttpError(400, f"The body is not what {request.path} takes: {error}") from error
