"""Which files of a memory folder make up the memory of one task, and whether each may be read."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agentinitd.memory.anchors import KIND_OF_FILE
from agentinitd.memory.project import MEMORY_FOLDER, is_safe_task_id, is_trusted_owner
from agentinitd.model.facts import Problem

MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_TOTAL_BYTES = 16 * 1024 * 1024
MAX_FILES = 200
CAPTURED = "captured.md"
DEFAULT_STATE = "state/task_state.json"
_HIDDEN = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")

Stamp = tuple[int, int, int, int, int]
"""Device, inode, size, and the times of the last change of content and of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFile:
    """A file of the memory.  Without a stamp it cannot be used, and `problem` says why."""

    name: str
    """Relative to the memory folder, with `/`, fit to be shown."""
    path: Path = Path()
    """Real path."""
    stamp: Stamp | None = None
    problem: Problem | None = None


def memory_files(project: Path, task_id: str | None) -> list[MemoryFile]:
    """The project's anchors, those of the task, and the task's state last.  Never raises."""
    found = list(_bounded(_Folder(project).files(task_id)))
    if len(found) > MAX_FILES:
        surplus = f"holds {len(found):,} files; only the first {MAX_FILES} are read. Merge some of them."
        found = [*found[: MAX_FILES - 1], found[-1], _refused("anchors", surplus)]
    return found


def memory_file(project: Path, name: str, *, limit_bytes: int = MAX_FILE_BYTES) -> MemoryFile | None:
    """The file of this name below the memory folder, judged; None when there is none.  Never raises."""
    return _Folder(project, limit_bytes).file(name)


def _bounded(files: Iterator[MemoryFile]) -> Iterator[MemoryFile]:
    total = 0
    for file in files:
        total += file.stamp[2] if file.stamp else 0
        if file.stamp and total > MAX_TOTAL_BYTES:
            yield _refused(file.name, f"is not read: all files together exceed {MAX_TOTAL_BYTES:,} bytes.")
        else:
            yield file


def _refused(name: str, reason: str) -> MemoryFile:
    return MemoryFile(name=name, problem=Problem(file=name, line=0, message=reason))


class _Folder:
    def __init__(self, project: Path, limit_bytes: int = MAX_FILE_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self.root = Path(os.path.realpath(project))
        self.path = project / MEMORY_FOLDER

    def files(self, task_id: str | None) -> Iterator[MemoryFile]:
        if not os.path.lexists(self.path):
            yield _refused(MEMORY_FOLDER, "is missing. Run `agentinitd init` in the project.")
            return
        yield from self._anchors("anchors", expected=tuple(KIND_OF_FILE))
        if task_id is None:
            yield self.file(DEFAULT_STATE) or _refused(DEFAULT_STATE, "is missing: there is no task yet.")
        elif not is_safe_task_id(task_id):
            shown = _HIDDEN.sub("?", task_id[:80])
            yield _refused(
                "tasks", f"`{shown}` is no name for a task. Use letters, digits, `-`, `_` and `.`."
            )
        else:
            yield from self._anchors(f"tasks/{task_id}/anchors")
            yield self._state_of(task_id)

    def _state_of(self, task_id: str) -> MemoryFile:
        """The task's own state, else the default one, which the store uses only when it is of this task."""
        own = f"tasks/{task_id}/state/task_state.json"
        missing = _refused(own, "is missing: nothing is recorded about this task yet.")
        return self.file(own) or self.file(DEFAULT_STATE) or missing

    def _anchors(self, folder: str, expected: tuple[str, ...] = ()) -> Iterator[MemoryFile]:
        try:
            if not self._is_inside(self.path / folder):
                yield _refused(folder, "is a link that leaves the project. It is not followed.")
                return
            names = [path.name for path in (self.path / folder).iterdir()]
        except FileNotFoundError:
            names = []
        except OSError as error:
            yield _refused(folder, f"cannot be listed: {error.strerror}. Make it a folder that you can read.")
            return
        for name in (name for name in expected if name not in names):
            yield _refused(f"{folder}/{name}", "is missing. `agentinitd init` makes an empty one.")
        for name in sorted(filter(_is_anchor_file, names), key=_place):
            file = self.file(f"{folder}/{name}")
            if file:
                yield file

    def file(self, name: str) -> MemoryFile | None:
        """The file of that name, judged; None when there is none."""
        path, shown = self.path / name, _HIDDEN.sub("?", name)
        try:
            path.lstat()
            real = Path(os.path.realpath(path))
            if not self._is_inside(real):
                return _refused(shown, "is a link that leaves the project. It is not followed.")
            return _judged(shown, real, real.stat(), self._limit_bytes)
        except (FileNotFoundError, NotADirectoryError) as error:
            is_link = path.is_symlink()
            return _refused(shown, f"is a link to nowhere: {error.strerror}.") if is_link else None
        except OSError as error:
            return _refused(shown, f"cannot be read: {error.strerror}. Give yourself the right to read it.")

    def _is_inside(self, path: Path) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self.root)


def _is_anchor_file(name: str) -> bool:
    return name.lower().endswith(".md") and not name.startswith(".")


def _place(name: str) -> tuple[int, str]:
    """The files people know first; what capture found and nobody confirmed last."""
    known = [*KIND_OF_FILE]
    return (known.index(name) if name in known else len(known) + (name == CAPTURED), name)


def _judged(name: str, real: Path, found: os.stat_result, limit_bytes: int) -> MemoryFile:
    if not stat.S_ISREG(found.st_mode):
        return _refused(name, "is not a regular file. Remove it.")
    if not is_trusted_owner(found.st_uid):
        return _refused(name, f"belongs to uid {found.st_uid}, not to you. Take it over with `chown`.")
    if found.st_size > limit_bytes:
        return _refused(name, f"has {found.st_size:,} bytes, more than {limit_bytes:,}. Shorten it.")
    stamp = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    return MemoryFile(name=name, path=real, stamp=stamp)
