"""Where the state and the history of a task lie, and what they say; written by `tasks`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agentinitd.disk import read_bounded
from agentinitd.memory.folder import MemoryFile, memory_file
from agentinitd.memory.project import MEMORY_FOLDER, is_safe_task_id
from agentinitd.memory.task_history import Recorded, recorded_in, recorded_of
from agentinitd.memory.task_state import State, parse_task_state
from agentinitd.model.errors import MemoryRefused, UsageError
from agentinitd.model.facts import Problem

HISTORY_BYTES = 4 * 1024 * 1024
"""Beyond this the older half of a history is dropped."""
ARCHIVE = "tasks/.archive"
_LARGEST_LINE_BYTES = 2 * HISTORY_BYTES
_BLOCK_BYTES = 64 * 1024
_NOT_A_NAME = "is no name for a task. Use letters, digits, `-`, `_` and `.`, at most 64."


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPlace:
    """The folder of one task's state.  Names are relative to the memory folder."""

    project: Path
    task_id: str | None
    """None: the unnamed task."""
    folder: str

    @property
    def state_file(self) -> str:
        return f"{self.folder}/task_state.json"

    @property
    def history_file(self) -> str:
        return f"{self.folder}/history.jsonl"

    @property
    def name(self) -> str:
        """For people."""
        return self.task_id or "the unnamed task"


def place_of(project: Path, task_id: str | None) -> TaskPlace:
    """Where the state of this task is, or is to be.  Raises UsageError and MemoryRefused.

    As the memory is served: a task's own state, else the one in `state/` when that is of this task.
    """
    if task_id is None:
        return TaskPlace(project=project, task_id=None, folder="state")
    check_task_id(task_id)
    own = TaskPlace(project=project, task_id=task_id, folder=f"tasks/{task_id}/state")
    if memory_file(project, own.state_file) is not None:
        return own
    if unnamed_id(project) == task_id:
        return TaskPlace(project=project, task_id=task_id, folder="state")
    if has_folder(project, f"tasks/{task_id}"):
        return own
    if has_folder(project, f"{ARCHIVE}/{task_id}"):
        raise MemoryRefused(
            f"Task {task_id} is archived. `agentinitd task archive --back {task_id}` opens it."
        )
    raise MemoryRefused(
        f"There is no task {task_id} in {project}. `agentinitd task list` lists them, "
        f"`agentinitd task new {task_id}` begins it."
    )


def archived_place(project: Path, task_id: str) -> TaskPlace:
    check_task_id(task_id)
    return TaskPlace(project=project, task_id=task_id, folder=f"{ARCHIVE}/{task_id}/state")


def check_task_id(task_id: str) -> None:
    if not is_safe_task_id(task_id):
        shown = "".join(character if character.isprintable() else "?" for character in task_id[:80])
        raise UsageError(f"`{shown}` {_NOT_A_NAME}")


def has_folder(project: Path, name: str) -> bool:
    """Whether it is a folder of the memory.  Links that leave the project lead to none."""
    path = project / MEMORY_FOLDER / name
    real = Path(os.path.realpath(path))
    return real.is_dir() and real.is_relative_to(os.path.realpath(project))


def unnamed_id(project: Path) -> str | None:
    """What the state in `state/` says whose it is."""
    state, _ = read_state(place_of(project, None))
    task_id = state.get("task_id") if state else None
    return task_id if isinstance(task_id, str) and is_safe_task_id(task_id) else None


def read_state(place: TaskPlace) -> tuple[State | None, list[Problem]]:
    """None without a problem: there is no file.  Never raises."""
    file = memory_file(place.project, place.state_file)
    if file is None:
        return None, []
    data, problem = _data(file, limit_bytes=HISTORY_BYTES)
    return (None, [problem]) if problem else parse_task_state(data, file=place.state_file)


def _data(file: MemoryFile, *, limit_bytes: int) -> tuple[bytes, Problem | None]:
    if file.stamp is None:
        return b"", file.problem
    try:
        return read_bounded(file.path, limit_bytes), None
    except OSError as error:
        return b"", Problem(file=file.name, line=0, message=f"cannot be read: {error.strerror or error}.")


def read_history(place: TaskPlace) -> list[Recorded]:
    """Oldest first.  What cannot be read is passed over."""
    file = memory_file(place.project, place.history_file, limit_bytes=4 * HISTORY_BYTES)
    data = _data(file, limit_bytes=4 * HISTORY_BYTES)[0] if file else b""
    return list(recorded_in(data.split(b"\n")))


def last_recorded(place: TaskPlace) -> Recorded | None:
    """The newest line that can be read; costs no more than its length, however long the history is."""
    file = memory_file(place.project, place.history_file, limit_bytes=4 * HISTORY_BYTES)
    if file is None or file.stamp is None:
        return None
    try:
        found = (recorded_of(line) for line in _lines_backward(file.path))
        return next(filter(None, found), None)
    except OSError:
        return None


def _lines_backward(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        place = file.seek(0, os.SEEK_END)
        rest = b""
        while place > 0 and len(rest) <= _LARGEST_LINE_BYTES:
            size = min(_BLOCK_BYTES, place)
            place -= size
            file.seek(place)
            rest, *lines = (file.read(size) + rest).split(b"\n")
            yield from reversed(lines)
        yield rest
