"""An agent's settings file on disk: read with care, changed only while nobody else does, with a copy kept.

A small record beside our state says which containers were made for us, so that leaving takes those along.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import shlex
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from agentinitd.disk import private_folder, read_bounded, write_atomically
from agentinitd.integrations.agents import Integration
from agentinitd.integrations.settings_json import NotJson
from agentinitd.model.errors import AgentinitdError, NotConfigured, PermissionRefused

Result = TypeVar("Result")

LIMIT_BYTES = 8 * 1024 * 1024
BACKUP_SUFFIX = ".agentinitd-backup"
FOLDER = "folder"
"""In the record: the folder of the settings file was made for us, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change of the settings that is not made yet.  None stands for no file."""

    path: Path
    before: str | None
    after: str | None
    created: frozenset[str] = frozenset()
    """What has to be made for us, or was made for us."""

    @property
    def is_needed(self) -> bool:
        return self.before != self.after

    @property
    def diff(self) -> str:
        """For people, in the form of `diff -u`."""
        before, after = ((text or "").splitlines() for text in (self.before, self.after))
        old, new = ("/dev/null" if text is None else str(self.path) for text in (self.before, self.after))
        return "\n".join(difflib.unified_diff(before, after, old, new, lineterm=""))


class SettingsFile:
    """The settings of one agent, and what we have to remember about them."""

    def __init__(self, integration: Integration, path: Path, state_dir: Path) -> None:
        self.path = path
        self.backup = path.with_name(path.name + BACKUP_SUFFIX)
        self._integration = integration
        self._state_dir = state_dir
        self._record_file = state_dir / "integrations" / f"{integration.NAME}.json"

    def planned_install(self, command: str) -> Change:
        """Raises NotConfigured when the file is no settings file, PermissionRefused when it is not ours."""
        before = self._read()

        def edit() -> tuple[str, frozenset[str]]:
            created = self._integration.missing(before)
            if before is None and not self.path.parent.exists():
                created |= {FOLDER}
            elif before is not None and self._integration.is_installed(before):
                created |= self._records().get(str(self.path), frozenset())
            return self._integration.install(before, command), created

        after, created = self._edited(edit)
        return Change(path=self.path, before=before, after=after, created=created)

    def planned_uninstall(self) -> Change:
        """Raises as `planned_install` does."""
        before = self._read()
        if before is None:
            return Change(path=self.path, before=None, after=None)
        text, created = before, self._created()
        after = self._edited(lambda: self._integration.uninstall(text, created))
        return Change(path=self.path, before=before, after=after, created=created or frozenset())

    def is_installed(self) -> bool:
        """Raises as `planned_install` does."""
        text = self._read()
        return text is not None and self._edited(lambda: self._integration.is_installed(text))

    def commands(self) -> tuple[str, ...]:
        """Our command lines in them.  Raises as `planned_install` does."""
        text = self._read()
        return () if text is None else self._edited(lambda: self._integration.commands(text))

    def warnings(self) -> tuple[str, ...]:
        text = self._read()
        return () if text is None else self._edited(lambda: self._integration.warnings(text))

    def install(self, change: Change) -> None:
        """The file is left as it is, and this raises, when it must not be changed or just was.

        NotConfigured: somebody else changed it meanwhile.  PermissionRefused: it is write-protected.
        """
        self._see_that_nothing_changed(change)
        self._see_that_it_may_change()
        with self._explained():
            self._record(change.created)
            if change.before is not None and not self.is_installed():
                write_atomically(self.backup, change.before.encode(), mode=self._mode())
            self._write(change)

    def uninstall(self, change: Change) -> None:
        """Raises as `install` does.  The copy goes as well, once the file is again what it was."""
        self._see_that_nothing_changed(change)
        self._see_that_it_may_change()
        with self._explained():
            self._write(change)
            with contextlib.suppress(OSError):
                if (
                    change.after is not None
                    and read_bounded(self.backup, LIMIT_BYTES) == change.after.encode()
                ):
                    self.backup.unlink()
            self._record(None)

    def _write(self, change: Change) -> None:
        if change.after is not None:
            mode = self._mode()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self.path, change.after.encode(), mode=mode)
            return
        Path(os.path.realpath(self.path)).unlink(missing_ok=True)
        if FOLDER in change.created:
            with contextlib.suppress(OSError):
                self.path.parent.rmdir()

    def _mode(self) -> int:
        with contextlib.suppress(OSError):
            return stat.S_IMODE(self.path.stat().st_mode)
        return 0o600

    def _read(self) -> str | None:
        try:
            owner = self.path.stat().st_uid
            data = read_bounded(self.path, LIMIT_BYTES)
        except FileNotFoundError:
            return None
        except PermissionError as error:
            raise PermissionRefused(f"{self.path} cannot be read. Give yourself the right to.") from error
        except OSError as error:
            raise NotConfigured(f"{self.path} cannot be read: {error}. It was left as it is.") from error
        if owner != os.geteuid():
            raise PermissionRefused(f"{self.path} belongs to uid {owner}, not to you. Run this as its owner.")
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            column = error.start - data.rfind(b"\n", 0, error.start)
            raise self._unusable(line, column, "not UTF-8") from error

    def _edited(self, edit: Callable[[], Result]) -> Result:
        try:
            return edit()
        except NotJson as error:
            raise self._unusable(error.line, error.column, str(error)) from error

    def _unusable(self, line: int, column: int, why: str) -> NotConfigured:
        return NotConfigured(
            f"{self.path}:{line}:{column}: {why} (line {line}, column {column}). "
            "The file was left as it is; correct it and try again."
        )

    def _see_that_nothing_changed(self, change: Change) -> None:
        if self._read() != change.before:
            raise NotConfigured(
                f"{self.path} was changed by somebody else just now and was left as it is. Try again."
            )

    def _see_that_it_may_change(self) -> None:
        """A file put in the place of another needs no right to write that one; its owner's wish counts."""
        if not self._mode() & stat.S_IWUSR:
            raise PermissionRefused(
                f"{self.path} is write-protected and was left as it is. "
                f"To have it changed: chmod u+w {shlex.quote(str(self.path))}"
            )

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except PermissionError as error:
            raise PermissionRefused(
                f"{error.filename or self.path} cannot be written. {self.path} was left as it is."
            ) from error
        except OSError as error:
            raise AgentinitdError(f"{error.strerror or error}: {self.path} was left as it is.") from error

    def _created(self) -> frozenset[str] | None:
        """What was made for us, as the record says, else as the copy shows; None when neither is there."""
        with contextlib.suppress(KeyError):
            return self._records()[str(self.path)]
        try:
            return self._integration.missing(read_bounded(self.backup, LIMIT_BYTES).decode())
        except (OSError, ValueError):
            return None

    def _records(self) -> dict[str, frozenset[str]]:
        try:
            data = read_bounded(self._record_file, LIMIT_BYTES)
            return msgspec.json.decode(data, type=dict[str, frozenset[str]])
        except (OSError, msgspec.MsgspecError):
            return {}

    def _record(self, created: frozenset[str] | None) -> None:
        records = {path: sorted(names) for path, names in self._records().items() if path != str(self.path)}
        if created is not None:
            records[str(self.path)] = sorted(created)
        if not records:
            self._record_file.unlink(missing_ok=True)
            return
        private_folder(self._state_dir)
        private_folder(self._record_file.parent)
        write_atomically(self._record_file, msgspec.json.encode(records))
