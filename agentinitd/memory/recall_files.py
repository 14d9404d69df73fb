"""Which files of a memory folder can be searched: the project's, and those of every task."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from agentinitd.memory.folder import MAX_FILE_BYTES, Stamp
from agentinitd.memory.project import MEMORY_FOLDER, is_safe_task_id, is_trusted_owner
from agentinitd.memory.recall_rows import ARCHIVE

MAX_FILES = 20_000
_MAX_LOG_BYTES = 4 * MAX_FILE_BYTES

SourceKind = Literal["anchors", "state", "history", "snippets"]


class Source(NamedTuple):
    """A file with things to be found.  Its name is relative to the memory folder, with `/`."""

    name: str
    path: str
    kind: SourceKind
    task: str | None
    """None: of the project, or of the task that the file itself names."""
    stamp: Stamp


def recall_sources(project: Path) -> list[Source]:
    """Costs a few calls a task and reads nothing.  Never raises: what may not be read is not there."""
    return [source for source, _ in zip(_Lister(project).sources(), range(MAX_FILES), strict=False)]


def tasks_with_anchors(project: Path) -> list[str]:
    """Names of the tasks that have anchors of their own."""
    return sorted({each.task for each in recall_sources(project) if each.kind == "anchors" and each.task})


class _Lister:
    def __init__(self, project: Path) -> None:
        self._root = os.path.realpath(project)
        self._memory = os.path.join(project, MEMORY_FOLDER)  # noqa: PTH118  # paths as texts: thrice as quick

    def sources(self) -> Iterator[Source]:
        if not self._is_inside(self._memory):
            return
        yield from self._of("", None)
        yield from self._file("run/snippets.jsonl", "snippets", None)
        for task in self._names("tasks"):
            if is_safe_task_id(task) and self._is_folder(f"tasks/{task}"):
                yield from self._of(f"tasks/{task}/", task)
        for task in self._names(f"tasks/{ARCHIVE}"):
            if is_safe_task_id(task) and self._is_folder(f"tasks/{ARCHIVE}{task}"):
                yield from self._of(f"tasks/{ARCHIVE}{task}/", f"{ARCHIVE}{task}")

    def _of(self, prefix: str, task: str | None) -> Iterator[Source]:
        for name in self._names(f"{prefix}anchors"):
            if name.lower().endswith(".md") and not name.startswith("."):
                yield from self._file(f"{prefix}anchors/{name}", "anchors", task)
        if self._is_folder(f"{prefix}state"):
            yield from self._file(f"{prefix}state/task_state.json", "state", task)
            yield from self._file(f"{prefix}state/history.jsonl", "history", task)

    def _names(self, folder: str) -> list[str]:
        if not self._is_folder(folder):
            return []
        try:
            return sorted(os.listdir(f"{self._memory}/{folder}"))  # noqa: PTH208
        except OSError:
            return []

    def _is_folder(self, name: str) -> bool:
        path = f"{self._memory}/{name}"
        try:
            found = os.lstat(path)
        except OSError:
            return False
        return stat.S_ISDIR(found.st_mode) or (stat.S_ISLNK(found.st_mode) and self._is_inside(path))

    def _file(self, name: str, kind: SourceKind, task: str | None) -> Iterator[Source]:
        path = f"{self._memory}/{name}"
        try:
            found = os.lstat(path)
            if stat.S_ISLNK(found.st_mode):
                if not self._is_inside(path):
                    return
                path = os.path.realpath(path)
                found = os.stat(path)  # noqa: PTH116
        except (OSError, ValueError):
            return
        limit = MAX_FILE_BYTES if kind in ("anchors", "state") else _MAX_LOG_BYTES
        if stat.S_ISREG(found.st_mode) and is_trusted_owner(found.st_uid) and found.st_size <= limit:
            stamp = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
            yield Source(name=name, path=path, kind=kind, task=task, stamp=stamp)

    def _is_inside(self, path: str) -> bool:
        """Links count: reading through one that leaves the project is refused."""
        real = os.path.realpath(path)
        return real == self._root or real.startswith(self._root.rstrip("/") + "/")
