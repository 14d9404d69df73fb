"""The tasks of a project: listed, begun, put away; what is done to one stands in the modules named below."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agentinitd.disk import write_atomically
from agentinitd.memory.folder import memory_file
from agentinitd.memory.project import MEMORY_FOLDER, is_safe_task_id
from agentinitd.memory.task_binding import (
    UNNAMED,
    bound_worktrees,
    default_task,
    own_task,
    set_default,
)
from agentinitd.memory.task_change import (
    Change,
    Edit,
    change_state,
    note_state,
    restore_state,
    save_state,
    write_state,
)
from agentinitd.memory.task_edit import new_state
from agentinitd.memory.task_files import (
    ARCHIVE,
    TaskPlace,
    archived_place,
    check_task_id,
    has_folder,
    place_of,
    read_history,
    read_state,
    unnamed_id,
)
from agentinitd.memory.task_state import State
from agentinitd.memory.writer import locked
from agentinitd.model.errors import MemoryRefused
from agentinitd.model.facts import Problem

__all__ = [
    "UNNAMED", "Change", "Edit", "Task", "archive", "change_state", "default_task", "new_task", "note_state",
    "own_task", "place_of", "read_history", "restore_state", "save_state", "set_default", "task_named",
    "tasks", "unarchive",
]  # fmt: skip

MOST_TASKS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task, as its file has it now."""

    task_id: str | None
    """None: the unnamed one."""
    place: TaskPlace
    state: State | None
    problems: tuple[Problem, ...]
    written_at: float | None
    """Seconds since the epoch."""
    is_archived: bool = False


def tasks(project: Path, *, with_archived: bool = False) -> list[Task]:
    """The unnamed task where there is one, then the named ones, those that were changed last first."""
    named = [_task(place) for place in _named(project, "tasks", place_of)]
    if with_archived:
        named += [_task(place) for place in _named(project, ARCHIVE, archived_place)]
    unnamed = [_task(place_of(project, None))] if _has_unnamed(project) else []
    return [*unnamed, *sorted(named, key=lambda task: (task.is_archived, -(task.written_at or 0.0)))]


def task_named(project: Path, task_id: str | None) -> Task:
    """One of them, archived or not.  Raises UsageError, and MemoryRefused when there is none."""
    if task_id is not None:
        check_task_id(task_id)
        if not has_folder(project, f"tasks/{task_id}") and has_folder(project, f"{ARCHIVE}/{task_id}"):
            return _task(archived_place(project, task_id))
    return _task(place_of(project, task_id))


def _named(project: Path, folder: str, place: Callable[[Path, str], TaskPlace]) -> Iterator[TaskPlace]:
    if not has_folder(project, folder):
        return
    try:
        names = sorted(os.listdir(project / MEMORY_FOLDER / folder))[:MOST_TASKS]  # noqa: PTH208
    except OSError:
        return
    for name in names:
        if is_safe_task_id(name) and has_folder(project, f"{folder}/{name}"):
            yield place(project, name)


def _has_unnamed(project: Path) -> bool:
    """Not where a named task is said to lie there, and is listed."""
    task_id = unnamed_id(project)
    is_listed = task_id is not None and has_folder(project, f"tasks/{task_id}")
    place = place_of(project, None)
    if is_listed and place_of(project, task_id).folder == place.folder:
        return False
    return memory_file(project, place.state_file) is not None


def _task(place: TaskPlace) -> Task:
    state, problems = read_state(place)
    file = memory_file(place.project, place.state_file)
    return Task(
        task_id=place.task_id,
        place=place,
        state=state,
        problems=tuple(problems),
        written_at=file.stamp[3] / 1e9 if file and file.stamp else None,
        is_archived=place.folder.startswith(f"{ARCHIVE}/"),
    )


def new_task(
    project: Path, task_id: str, *, goal: str = "", pending: Iterable[str] = (), by: str, now: float
) -> Change:
    """Makes the task with its folders.  Raises UsageError, MemoryRefused."""
    check_task_id(task_id)
    with locked(project):
        if has_folder(project, f"tasks/{task_id}") or unnamed_id(project) == task_id:
            raise MemoryRefused(
                f"There is a task {task_id} already. `agentinitd task switch {task_id}` goes to it."
            )
        _make_folder(project, f"tasks/{task_id}/anchors")
        place = TaskPlace(project=project, task_id=task_id, folder=f"tasks/{task_id}/state")
        steps = list(dict.fromkeys(pending))
        return write_state(
            place, lambda _: new_state(task_id, goal, steps), by=by, reason="a new task", now=now
        )


def _make_folder(project: Path, name: str) -> None:
    path = project / MEMORY_FOLDER / name
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(project)):
        raise MemoryRefused(f"{path} is behind a link that leaves the project. Nothing was made there.")
    try:
        for folder in reversed([path, *path.parents[: len(Path(name).parts) - 1]]):
            folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise MemoryRefused(f"{path} cannot be made: {error.strerror}. Mend what is in the way.") from error


def archive(project: Path, task_id: str, *, now: float) -> str:
    """Puts the task away, with its anchors and history: `recall --all` still finds it.  Gives the new folder.

    Raises UsageError, and MemoryRefused also while the project or a worktree of it is at this task.
    """
    with locked(project):
        place = place_of(project, task_id)
        _refuse_while_bound(project, task_id)
        save_state(project, task_id, by="user", reason="archived", now=now)
        target = _free_name(project, task_id)
        try:
            _put_away(place, project / MEMORY_FOLDER, target)
        except OSError as error:
            raise MemoryRefused(f"Task {task_id} cannot be put away: {error}. Mend what is named.") from error
        return target


def _put_away(place: TaskPlace, memory: Path, target: str) -> None:
    _make_folder(place.project, ARCHIVE)
    # States are nobody else's affair, also where git keeps the rest of the memory.
    write_atomically(memory / ARCHIVE / ".gitignore", b"*/state/\n", is_synced=False)
    own = memory / "tasks" / str(place.task_id)
    if own.is_dir():
        own.rename(memory / target)
    if place.folder == "state":
        (memory / target / "state").mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in ("task_state.json", "history.jsonl"):
            with contextlib.suppress(FileNotFoundError):
                (memory / "state" / name).rename(memory / target / "state" / name)


def _refuse_while_bound(project: Path, task_id: str) -> None:
    at = default_task(project)
    if at == task_id or (at is None and unnamed_id(project) == task_id):
        raise MemoryRefused(
            f"The project is at task {task_id}. Switch to another first: `agentinitd task switch ID`."
        )
    for worktree in bound_worktrees(project, task_id):
        raise MemoryRefused(
            f"The worktree {worktree} is at task {task_id}. Switch there first: `agentinitd task switch ID`."
        )


def _free_name(project: Path, task_id: str) -> str:
    """`.2` and so on behind it where a task of this name was put away before."""
    names = (f"{ARCHIVE}/{task_id}" + (f".{number}" if number > 1 else "") for number in range(1, 10_000))
    return next(name for name in names if not os.path.lexists(project / MEMORY_FOLDER / name))


def unarchive(project: Path, task_id: str) -> None:
    """Opens it again.  Raises UsageError, MemoryRefused."""
    check_task_id(task_id)
    with locked(project):
        if not has_folder(project, f"{ARCHIVE}/{task_id}"):
            raise MemoryRefused(f"No task {task_id} is archived. `agentinitd task list --all` lists them.")
        target = project / MEMORY_FOLDER / "tasks" / task_id
        if os.path.lexists(target) or unnamed_id(project) == task_id:
            raise MemoryRefused(f"There is another task {task_id} now. Rename {target} first.")
        try:
            (project / MEMORY_FOLDER / ARCHIVE / task_id).rename(target)
        except OSError as error:
            raise MemoryRefused(f"Task {task_id} cannot be opened: {error}. Mend what is named.") from error
