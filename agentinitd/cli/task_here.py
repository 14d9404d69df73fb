"""Which project, worktree, session and task a command is about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentinitd.cli.main import places
from agentinitd.cli.place_here import place_here
from agentinitd.memory.tasks import UNNAMED, default_task, set_default
from agentinitd.model.errors import AgentinitdError, NotRunning, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """The project of the working directory, or of a session."""

    project: Path
    worktree: str | None
    default: str | None
    """The task that it is at."""

    def as_json(self) -> dict[str, Any]:
        return {"project": str(self.project), "worktree": self.worktree, "default": self.default}


def here() -> Here:
    """Raises AgentinitdError where there is no memory."""
    project, worktree = place_here()
    return Here(project=project, worktree=worktree, default=default_task(project, worktree))


def target(task_id: str | None, session: str | None) -> tuple[Here, str | None]:
    """Where, and the task that is meant."""
    if task_id is not None and session is not None:
        raise UsageError("A task and a session were named. Name one of them.")
    if session is not None:
        known = _session(session)
        if not known["project"]:
            raise AgentinitdError(f"Session {session} works where there is no memory.")
        project = Path(known["project"])
        where = Here(project=project, worktree=None, default=default_task(project))
        return where, known["task"]
    where = here()
    if task_id is None:
        return where, where.default
    return where, None if task_id == UNNAMED else task_id


def switch_default(where: Here, task_id: str | None) -> list[str]:
    """By the daemon, which lets sessions follow; without one by the file, which it finds when it starts."""
    body = {"project": str(Path.cwd()), "task": task_id}
    try:
        answer = _client().post("/v1/tasks/switch", body, timeout_seconds=60.0)
        followers = len(answer["sessions"])
    except NotRunning:
        set_default(where.project, task_id, worktree=where.worktree)
        followers = 0
    default = default_task(where.project, where.worktree)
    whose = f"The worktree {where.worktree}" if where.worktree else f"{where.project}"
    lines = [f"{whose} is at {_name(default)} now."]
    if followers:
        lines.append(f"Sessions that get its memory with their next message: {followers}")
    return lines


def switch_session(session: str, task_id: str | None) -> list[str]:
    try:
        answer = _client().post(
            "/v1/tasks/switch", {"session": session, "task": task_id}, timeout_seconds=60.0
        )
    except NotRunning as error:
        raise NotRunning(f"A session is bound to its task by the daemon. {error}") from error
    follows = ", as its project is" if task_id is None else ""
    return [f"Session {answer['session']} is at {_name(answer['task'])} now{follows}."]


def sessions_at(project: Path, task_id: str) -> list[str]:
    """Those that have this task of their own; none where no daemon runs."""
    try:
        sessions = _client().get("/v1/sessions")["sessions"]
    except NotRunning:
        return []
    return [
        each["session"] for each in sessions if (each["project"], each["task"]) == (str(project), task_id)
    ]


def _session(name: str) -> dict[str, Any]:
    sessions = _client().get("/v1/sessions")["sessions"]
    exact = [each for each in sessions if name in (each["session"], each["key"])]
    found = exact or [each for each in sessions if each["session"].startswith(name)]
    if not found:
        raise AgentinitdError(f"No session {name} is followed. `agentinitd status` lists them.")
    return dict(found[0])


def _client() -> Any:
    from agentinitd.client import Client

    return Client(places())


def _name(task_id: str | None) -> str:
    return f"task {task_id}" if task_id else "the task without a name"
