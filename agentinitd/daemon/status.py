"""What `status` shows: the daemon, its sessions, its scripts, and the cure for the first trouble."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from agentinitd import __version__
from agentinitd.client import PROTOCOL
from agentinitd.daemon import troubles
from agentinitd.daemon.built import run_json
from agentinitd.daemon.following import Followed
from agentinitd.daemon.logs import RebuildLog, timestamp
from agentinitd.daemon.notify import manager_of
from agentinitd.daemon.paths import Places
from agentinitd.daemon.settings import Settings
from agentinitd.daemon.supervisor import Supervisor
from agentinitd.daemon.troubles import Trouble
from agentinitd.disk import read_bounded
from agentinitd.memory.tasks import UNNAMED
from agentinitd.model.scripts import Failing
from agentinitd.rc.backoff import held, retry_at
from agentinitd.sessions.record import SessionRecord

SURVEYED_PROJECTS = 8


class _OnDisk(NamedTuple):
    """What is looked up in files."""

    pending: dict[str, set[str]]
    memory: list[dict[str, Any]]
    ignored: list[str]
    unanswered_hook: dict[str, str] | None


class Status:
    """Asked by the socket; keeps nothing but when the daemon began."""

    def __init__(
        self,
        places: Places,
        settings: Settings,
        supervisor: Supervisor,
        log: RebuildLog,
        *,
        socket: Callable[[], Path],
        now: Callable[[], float],
    ) -> None:
        self._log = log
        self._socket = socket
        self._places = places
        self._settings = settings
        self._supervisor = supervisor
        self._since = now()

    async def as_json(self) -> dict[str, Any]:
        """Stable names: other programs read this."""
        on_disk = await asyncio.to_thread(self._on_disk)
        found = self._troubles(on_disk.pending)
        runs = self._supervisor.rebuilder.runs
        return {
            "state": "degraded" if found else "running",
            "since": timestamp(self._since),
            "version": __version__,
            "protocol": PROTOCOL,
            "pid": os.getpid(),
            "manager": manager_of(os.environ, os.getpid()),
            "socket": str(self._socket()),
            "watch": [
                {"root": str(watcher.root), "state": watcher.state} for watcher in self._supervisor.watchers
            ],
            "sessions": [session_json(each) for each in self._by_activity()],
            "last_run": run_json(runs[-1]) if runs else None,
            "tokens": self._supervisor.rebuilder.counter_mode,
            "memory": on_disk.memory,
            "ignored": on_disk.ignored,
            "unanswered_hook": on_disk.unanswered_hook,
            "reasons": [trouble._asdict() for trouble in found],
            "cure": found[0].cure if found else None,
        }

    def _on_disk(self) -> _OnDisk:
        """In one go: while a thread is busy, going to another one and back takes some milliseconds."""
        pending = self._pending()
        return _OnDisk(
            pending=pending,
            memory=self._memory(),
            ignored=self._ignored(tuple(pending)),
            unanswered_hook=self._unanswered_hook(),
        )

    def _memory(self) -> list[dict[str, Any]]:
        rebuilder = self._supervisor.rebuilder
        return [
            {
                "project": project,
                "problems": [problem.text for problem in built.problems],
                "captured": rebuilder.asking.captured(Path(project), built.task_id),
            }
            for project, built in tuple(rebuilder.latest.items())
        ]

    def _unanswered_hook(self) -> dict[str, str] | None:
        """The latest hook that got no answer, until one is served again: the client leaves a note."""
        path = self._places.state_dir / "hook-fallback.json"
        try:
            noted = msgspec.json.decode(read_bounded(path, 65536), type=dict[str, str])
            if self._last_hook_at() > path.stat().st_mtime:
                return None
            return {**noted, "at": timestamp(path.stat().st_mtime)}
        except (OSError, msgspec.MsgspecError):
            return None

    def _last_hook_at(self) -> float:
        hooks = [each.record.last_hook for each in self._supervisor.roster]
        return max((hook.at for hook in hooks if hook), default=0.0)

    def _ignored(self, projects: tuple[str, ...]) -> list[str]:
        """Files that look like scripts and are none, in the projects that were rebuilt last."""
        ignored = self._supervisor.rebuilder.scripts.ignored
        return sorted({text for each in projects[-SURVEYED_PROJECTS:] for text in ignored(Path(each))})

    def _by_activity(self) -> list[Any]:
        return sorted(self._supervisor.roster, key=lambda each: each.record.seen_at, reverse=True)

    def _pending(self) -> dict[str, set[str]]:
        """Of each project that is still there: its scripts that are not approved now, after the last run."""
        rebuilder = self._supervisor.rebuilder
        found: dict[str, set[str]] = {}
        for project, built in tuple(rebuilder.latest.items()):
            root = Path(project)
            if not os.access(root / ".agent-memory", os.F_OK):
                continue
            was_pending = any(run.result == "pending-trust" for run in built.runs)
            steps = rebuilder.scripts.plan_json(root, built.runlevel) if was_pending else []
            found[project] = {step["script"] for step in steps if step["verdict"].startswith("pending-trust")}
        return found

    def _troubles(self, pending: dict[str, set[str]]) -> list[Trouble]:
        """Why it is degraded: nothing that is wrong is silent, and nothing is told twice."""
        found = (
            *troubles.of_config(self._settings),
            *troubles.of_log(self._log.lost, self._places.log_file),
            *troubles.of_sessions(self._supervisor.roster, self._settings),
            *troubles.of_rebuilds(self._supervisor.rebuilder.latest, pending),
            *troubles.of_watches(self._supervisor.watchers),
        )
        return list(dict.fromkeys(found))


def session_json(followed: Followed) -> dict[str, Any]:
    record = followed.record
    compaction, hook = record.last_compaction, record.last_hook
    return {
        "session": record.session_id,
        "key": record.key,
        "agent": record.agent,
        "agent_version": record.agent_version,
        "project": record.project,
        "task": _task(record),
        "worktree": record.worktree,
        "transcript": record.transcript,
        "turn": record.detector.turn,
        "context_tokens": record.detector.current,
        "due": [{"trigger": cause.trigger, "reason": cause.reason} for cause in record.delivery.due],
        "last_delivery": _last_delivery(record),
        "last_compaction": compaction
        and {"at": timestamp(compaction.at), "trigger": compaction.trigger, "reason": compaction.reason},
        "last_hook": hook
        and {"event": hook.event, "at": timestamp(hook.at), "outcome": hook.outcome, "reason": hook.reason},
        "memory": followed.scribe.as_json(),
        "last_reply": record.last_reply
        and {
            "at": timestamp(record.last_reply.at),
            "verdict": record.last_reply.verdict,
            "broken": list(record.last_reply.broken),
        },
        "backoff": [
            {"script": each.key, "failures": each.times, "again_at": _again(each)}
            for each in held(record.failing)
        ],
        "skipped_lines": record.skipped_lines,
        "first_skip": record.first_skip or None,
    }


def _again(failing: Failing) -> str | None:
    """None: only when it changes, or is asked for."""
    return None if failing.is_final else timestamp(retry_at(failing))


def _task(record: SessionRecord) -> str | None:
    """The one it is at; None: the one without a name."""
    task_id = record.task_id or record.at_task
    return None if task_id == UNNAMED else task_id


def _last_delivery(record: SessionRecord) -> dict[str, Any] | None:
    if not record.delivery.delivered:
        return None
    last = record.delivery.delivered[-1]
    return {
        "at": timestamp(last.handout.handed_at),
        "hook": last.handout.event,
        "runlevel": last.handout.runlevel,
        "snippet": last.handout.snippet_id,
        "is_confirmed": last.is_confirmed,
    }
