"""Changes files of a project's memory: one writer at a time, whole or not at all.

Editors know nothing of our lock: a file is looked at again right before it is replaced and right after it,
and what an editor saved in between is edited again.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from agentinitd.memory.edit import changed_items
from agentinitd.memory.locking import locked
from agentinitd.memory.writable import Overtaken, Seen, WritableFile
from agentinitd.model.errors import AgentinitdError, MemoryConflict, MemoryRefused

__all__ = ["Edit", "append_line", "keep_beside", "locked", "update"]

Edit = Callable[[str | None], str | None]
"""Text of a file (None: there is none) to its new text (None: nothing to change)."""

MOST_TRIES = 20
# An editor that saves in place empties the file first and then writes.
_SAVING_SECONDS = 0.02


def update(
    path: Path,
    edit: Edit,
    *,
    project: Path,
    is_synced: bool = True,
    now: Callable[[], float] = time.time,
    pause: Callable[[float], None] = time.sleep,
) -> str | None:
    """Change one file of the memory, and give its text as it is then.  `path` may be relative to the memory.

    `edit` may be called several times, each time with what the file says by then.  When an editor saved
    another version of the same item meanwhile, or one on which `edit` raises, ours is kept beside the file,
    and MemoryConflict names both.  Raises MemoryRefused, and whatever `edit` raises at first.

    Without `is_synced` a power cut may cost this change, on some file systems the file; a kill costs neither.
    """
    with locked(project):
        file = WritableFile(project, path)
        with file.told(), contextlib.ExitStack() as open_files:
            return _Change(file, edit, open_files, is_synced=is_synced, now=now, pause=pause).make()


def append_line(path: Path, line: str, *, max_bytes: int, project: Path) -> None:
    """Add a line to a file of lines; when it would exceed `max_bytes`, the older half is dropped with it.

    It is not synced: a power cut may cost the last lines.  A kill costs none, and never tears another line.
    Raises MemoryRefused; the file is as it was then.
    """
    data = line.encode() + b"\n"
    if b"\n" in data[:-1] or len(data) > max_bytes:
        raise MemoryRefused(
            f"{path}: one line of at most {max_bytes:,} bytes is expected, not {line[:60]!r}."
        )
    with locked(project):
        file = WritableFile(project, path)
        with file.told(), contextlib.ExitStack() as open_files:
            seen = file.look(open_files)
            lines = seen.data or b""
            # A newline first where a full disk or a kill cut the line before.
            added = data if lines.endswith(b"\n") or not lines else b"\n" + data
            if len(lines) + len(added) <= max_bytes:
                file.append(added, size=len(lines))
            else:
                file.replace(seen, _newer_half(lines, max_bytes // 2) + added, is_synced=False)


def _newer_half(lines: bytes, most_bytes: int) -> bytes:
    """Whole lines from the end."""
    start = max(0, len(lines) - most_bytes)
    return lines[lines.find(b"\n", start - 1) + 1 :] if start else lines


def keep_beside(path: Path, text: str, *, project: Path, now: Callable[[], float] = time.time) -> Path:
    """Keep a text that could not be brought into this file, as `<file>.conflict-<UTC time>`."""
    with locked(project):
        file = WritableFile(project, path)
        with file.told():
            return file.keep_beside(text, now())


class _Change:
    """One change of one file, made again for as long as an editor comes in between."""

    def __init__(
        self,
        file: WritableFile,
        edit: Edit,
        open_files: contextlib.ExitStack,
        *,
        is_synced: bool,
        now: Callable[[], float],
        pause: Callable[[float], None],
    ) -> None:
        self._file = file
        self._edit = edit
        self._open_files = open_files
        self._is_synced = is_synced
        self._now = now
        self._pause = pause

    def make(self) -> str | None:
        there = self._look()
        if there.data == b"":
            there = self._look_again()
        base, ours = there.data, self._edited(there.data)
        for _ in range(MOST_TRIES):
            if ours == there.data:
                return self._text(ours)
            there, theirs = self._replaced(there, base, ours or b"")
            if theirs is base:
                return self._text(ours)
            base, ours = theirs, self._edited_again(base, ours, theirs)
        raise self._conflict(ours, "it is saved again and again.")

    def _look(self) -> Seen:
        return self._file.look(self._open_files)

    def _look_again(self) -> Seen:
        self._pause(_SAVING_SECONDS)
        return self._look()

    def _replaced(self, there: Seen, base: bytes | None, ours: bytes) -> tuple[Seen, bytes | None]:
        """What is in place now, and what our change must be made on: `base` itself when all is done."""
        try:
            self._file.replace(there, ours, is_synced=self._is_synced)
        except Overtaken:
            there = self._look_again()
            return there, there.data
        if there.late() is not None:
            # Saved into the file that we just took away: it is nowhere but in our hands.
            now_there = self._look_again()
            if (late := there.late()) is not None:
                return now_there, late
        return there, base

    def _edited(self, base: bytes | None) -> bytes | None:
        new = self._edit(self._text(base))
        if new is None:
            return base
        try:
            return new.encode()
        except UnicodeEncodeError as error:
            reason = f"the new text cannot be written as UTF-8 (character {error.start + 1})"
            raise MemoryRefused(f"{self._file.path} was not changed: {reason}. Remove it.") from None

    def _edited_again(self, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> bytes | None:
        try:
            new = self._edited(theirs)
        except AgentinitdError as error:
            raise self._conflict(ours, str(error)) from error
        both = self._changed(base, ours) & self._changed(base, theirs)
        if both and new != theirs:
            raise self._conflict(ours, f"both changed {', '.join(sorted(both))}.")
        return new

    def _changed(self, before: bytes | None, after: bytes | None) -> frozenset[str]:
        """Items of an anchor file; of other files a change is what it does, whatever was there."""
        if self._file.path.suffix.lower() != ".md":
            return frozenset()
        return changed_items(self._text(before), self._text(after), file=self._file.name)

    def _conflict(self, ours: bytes | None, reason: str) -> MemoryConflict:
        kept = self._file.keep_beside((ours or b"").decode(), self._now())
        path = self._file.path
        return MemoryConflict(
            f"{path} was saved by another program at the same time, and the two do not fit: {reason}"
            f" What was saved there stands; our version is kept in {kept}. Take over from it what is missing."
        )

    def _text(self, data: bytes | None) -> str | None:
        if data is None:
            return None
        try:
            if b"\0" in data:
                raise MemoryRefused(f"{self._file.path} is not a text. Save it as UTF-8, or restore it.")
            return data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise MemoryRefused(f"{self._file.path}:{line}: is not UTF-8. Save it as UTF-8.") from None
