"""Approvals and denials on disk: bound to place and bytes, each a file of its own (TRU-2 to 7)."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Literal

from agentinitd import __version__, disk

RECORD_BYTES = 64 * 1024
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A file of a project with everything that an approval covers, read once."""

    root: str
    relative: str
    """Path relative to the top of the work tree."""
    path: str
    """Absolute path of the file itself, for people."""
    name: str
    data: bytes
    is_executable: bool
    also: tuple[tuple[str, str], ...] = ()
    """Path and hash of further files that are part of it."""

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @property
    def key(self) -> str:
        """Equal only for the same bytes in the same place (TRU-3)."""
        whole = [
            self.root,
            self.relative,
            self.sha256,
            self.is_executable,
            [list(pair) for pair in self.also],
        ]
        return hashlib.sha256(json.dumps(whole).encode()).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One decision of the person."""

    kind: Literal["allow", "deny"]
    key: str
    root: str
    relative: str
    path: str
    name: str = ""
    sha256: str = ""
    size: int = 0
    decided_at: float = 0.0
    version: str = __version__
    summary: str = ""
    displaced: tuple[str, ...] = ()
    """Keys of the person's own scripts that this one may displace (OVR-4)."""
    env: tuple[str, ...] = ()


class Trust:
    """The decisions in one folder, and beside it the private copies that are executed."""

    def __init__(self, folder: Path, exec_folder: Path) -> None:
        self.folder = folder
        self.exec_folder = exec_folder

    def approval(self, candidate: Candidate) -> Record | None:
        """The approval of exactly these bytes in this place; None if there is none, or a denial."""
        if self.is_denied(candidate):
            return None
        record = self._read(self.folder / f"{candidate.key}.json")
        return record if record and record.kind == "allow" and record.key == candidate.key else None

    def is_denied(self, candidate: Candidate) -> bool:
        return self._read(self._denial(candidate.root, candidate.relative)) is not None

    def executable(self, candidate: Candidate) -> str:
        """Path of the private copy, which holds the very bytes that were judged (TRU-6).

        Raises OSError, and PermissionRefused where its folder is not a private one of ours.
        """
        path = self.exec_folder / candidate.sha256 / candidate.name
        if not _holds(path, candidate.data):
            disk.private_folder(self.exec_folder)
            disk.private_folder(path.parent)
            if path.is_symlink():
                # An atomic write keeps links and replaces what they lead to: never through this one.
                path.unlink()
            disk.write_atomically(path, candidate.data, mode=0o500)
        return str(path)

    def allow(
        self,
        candidate: Candidate,
        *,
        now: float,
        displaced: tuple[str, ...],
        env: tuple[str, ...],
        summary: str,
    ) -> Record:
        """Approve these bytes in this place.  A denial of the place is lifted: this is the later word."""
        record = Record(
            kind="allow",
            key=candidate.key,
            root=candidate.root,
            relative=candidate.relative,
            path=candidate.path,
            name=candidate.name,
            sha256=candidate.sha256,
            size=len(candidate.data),
            decided_at=now,
            summary=summary,
            displaced=displaced,
            env=env,
        )
        self.executable(candidate)
        self._write(self.folder / f"{record.key}.json", record)
        with contextlib.suppress(FileNotFoundError):
            self._denial(candidate.root, candidate.relative).unlink()
        return record

    def deny(self, *, root: str, relative: str, path: str, now: float) -> Record:
        """Deny a place, whatever lies there now or later.  Beats every approval."""
        file = self._denial(root, relative)
        record = Record(
            kind="deny",
            key=file.stem,
            root=root,
            relative=relative,
            path=path,
            name=Path(path).name,
            decided_at=now,
        )
        self._write(file, record)
        return record

    def records(self) -> list[Record]:
        """Every decision, the newest first."""
        found = (self._read(path) for path in self._files())
        return sorted((record for record in found if record), key=lambda record: -record.decided_at)

    def last_approved(self, root: str, relative: str) -> tuple[Record, bytes] | None:
        """The newest approval of this place that still has its bytes, to compare with."""
        for record in self.records():
            if record.kind == "allow" and (record.root, record.relative) == (root, relative):
                with contextlib.suppress(OSError):
                    return record, (self.exec_folder / record.sha256 / record.name).read_bytes()
        return None

    def prune(self) -> list[Record]:
        """Forget approvals whose file or project is gone, and copies that no approval needs."""
        gone = [
            record
            for record in self.records()
            if record.kind == "allow" and not (os.path.lexists(record.path) and os.path.lexists(record.root))
        ]
        for record in gone:
            (self.folder / f"{record.key}.json").unlink(missing_ok=True)
        self._prune_copies({record.sha256 for record in self.records()})
        return gone

    def _prune_copies(self, needed: set[str]) -> None:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            for folder in self.exec_folder.iterdir():
                if folder.name not in needed:
                    for copy in folder.iterdir():
                        copy.unlink()
                    folder.rmdir()

    def _files(self) -> Iterator[Path]:
        if self._is_ours():
            yield from (path for path in sorted(self.folder.iterdir()) if path.suffix == ".json")

    def _denial(self, root: str, relative: str) -> Path:
        place = hashlib.sha256(json.dumps([root, relative]).encode()).hexdigest()
        return self.folder / f"deny-{place}.json"

    def _read(self, path: Path) -> Record | None:
        if not self._is_ours():
            return None
        try:
            return _record(json.loads(disk.read_bounded(path, RECORD_BYTES)))
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            # A damaged denial still denies; a damaged approval approves nothing.
            return Record(kind="deny", key=path.stem, root="", relative="", path=str(path))

    def _write(self, path: Path, record: Record) -> None:
        disk.private_folder(self.folder)
        disk.write_atomically(path, (json.dumps({"v": _VERSION, **asdict(record)}) + "\n").encode())

    def _is_ours(self) -> bool:
        """Approvals that anybody else could have written count for nothing."""
        try:
            found = os.lstat(self.folder)
        except OSError:
            return False
        return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o022


def _record(raw: object) -> Record:
    if not isinstance(raw, dict) or raw.pop("v", None) != _VERSION:
        raise ValueError("not a trust record of this version")
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in raw.items()}
    known = {field.name for field in fields(Record)}
    if not {"kind", "key", "root", "relative", "path"} <= values.keys() or not values.keys() <= known:
        raise ValueError("not a trust record")
    return Record(**values)  # type: ignore[arg-type]  # written by ourselves into a folder that only we can write


def _holds(path: Path, data: bytes) -> bool:
    try:
        found = path.lstat()
        is_private = stat.S_ISREG(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o500
        return is_private and found.st_uid == os.geteuid() and path.read_bytes() == data
    except OSError:
        return False
