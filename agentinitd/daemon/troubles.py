"""What is wrong with the daemon and with what it serves: each trouble once, with its own cure."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from agentinitd.daemon.built import Built
from agentinitd.daemon.following import Followed
from agentinitd.daemon.settings import RELOAD, Settings
from agentinitd.daemon.watcher import Watcher
from agentinitd.model.facts import Problem
from agentinitd.model.scripts import ScriptRun
from agentinitd.rc.sequence import is_trouble

LOGS = "agentinitd logs -n 50"
ROOM = "make room, or mend what is in the way"
KINDS = ("config", "disk", "session", "transcript", "memory", "capture", "trust", "script", "watch")


class Trouble(NamedTuple):
    """`kind` is one of KINDS."""

    kind: str
    text: str
    cure: str


def of_config(settings: Settings) -> Iterator[Trouble]:
    errors, warnings = settings.project_errors(), settings.project_warnings()
    for text in filter(None, (settings.error, *errors, settings.warning, *warnings)):
        is_projects = text in errors or text in warnings
        yield Trouble("config", text, "mend the file; it is read again by itself" if is_projects else RELOAD)


def of_log(lost: int, log_file: Path) -> Iterator[Trouble]:
    if lost:
        yield Trouble("disk", f"{lost} records found no room in {log_file}", ROOM)


def of_sessions(sessions: Iterable[Followed], settings: Settings) -> Iterator[Trouble]:
    for each in sessions:
        name = each.record.session_id
        if each.saving.unsaved:
            yield Trouble("disk", f"{name} cannot be saved: {each.saving.unsaved}", ROOM)
        if each.trouble:
            yield Trouble("session", each.trouble, f"{LOGS}, and report the bug")
        if each.unreadable:
            yield Trouble("transcript", each.unreadable, "make it readable again")
        if each.scribe.trouble:
            yield Trouble("memory", f"{name}: {each.scribe.trouble}", f"agentinitd doctor, in {each.project}")
        if each.scribe.own_trouble and settings.of(each.project).capture_command:
            cure = "mend the program that capture_command names, or take the setting out"
            yield Trouble("capture", f"{name}: {each.scribe.own_trouble}", cure)


def of_rebuilds(latest: Mapping[str, Built], pending: Mapping[str, set[str]]) -> Iterator[Trouble]:
    """`pending`: of each project that is still there, its scripts that are not approved now."""
    for project, built in latest.items():
        if project not in pending:
            continue
        for run in built.runs:
            if run.script.name in pending[project]:
                text = f"{run.script.name} of {project} awaits approval"
                yield Trouble("trust", text, f"agentinitd trust {shlex.quote(run.script.path)}")
        for problem in built.problems:
            if not (problem.is_absence or problem.is_mild):
                yield _of_memory(project, problem)
        yield from (_of_script(project, run) for run in built.runs if _is_trouble(run))


def of_watches(watchers: Iterable[Watcher]) -> Iterator[Trouble]:
    for watcher in watchers:
        if watcher.state.startswith("polling"):
            cure = "agentinitd doctor names the limits; until then it is looked at every second or so"
            yield Trouble("watch", f"{watcher.root}: {watcher.state}", cure)


def _of_memory(project: str, problem: Problem) -> Trouble:
    file = f"{project}/.agent-memory/{problem.file}"
    cure = f"agentinitd anchors verify --all, in {project}" if problem.is_check else f"mend {file}"
    return Trouble("memory", f"{project}/.agent-memory/{problem.text}", cure)


def _of_script(project: str, run: ScriptRun) -> Trouble:
    reason, _, cure = run.reason.partition(". Cure: ")
    said = run.err_tail.strip().splitlines()
    text = f"{run.script.name} of {project}: {run.result}: {reason}" + (f" ({said[0]})" if said else "")
    is_static = run.result in ("exec-error", "refused", "ignored")
    return Trouble(
        "script", text, cure or (f"agentinitd verify {shlex.quote(run.script.path)}" if is_static else LOGS)
    )


def _is_trouble(run: ScriptRun) -> bool:
    return is_trouble(run) or run.result in ("ignored", "aborted")
