"""Kimi CLI 1.x and Kimi Code: the module that `agents.AGENTS` lists.

Both write a `wire.jsonl`, and are told apart by its records.  In which folder the agent works stands beside
it, and is added to what the transcript says.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Any

import msgspec

from agentinitd.model.events import Event, SessionSeen
from agentinitd.transcripts import files, kimi_folders
from agentinitd.transcripts.follower import Seen, Start
from agentinitd.transcripts.kimi_reader import KimiReader
from agentinitd.transcripts.kimi_records import is_record
from agentinitd.transcripts.reader import Checkpoint
from agentinitd.transcripts.tail import BLOCK_BYTES, Tail

NAME = "kimi"
READS = (
    "wire.jsonl of Kimi CLI 1.x and of Kimi Code: messages, tools, to-do lists, context sizes, compactions; "
    "the size of the model's window only from Kimi CLI"
)


def roots(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    cli, code = env.get("KIMI_SHARE_DIR"), env.get("KIMI_CODE_HOME")
    bases = (Path(cli) if cli else home / ".kimi", Path(code) if code else home / ".kimi-code")
    return tuple(base / "sessions" for base in bases)


def names_at(path: PurePath) -> tuple[str, ...]:
    return (str(path),) if _is_main(path) else ()


def scan(root: Path) -> dict[str, Seen]:
    return files.scan(root, _is_main)


def is_own(path: Path) -> bool:
    return files.holds_record(_wire_in(path), is_record)


def names_in(path: Path) -> list[str]:
    wire = _wire_in(path)
    return [str(wire)] if wire.is_file() else []


def follow(
    name: str,
    checkpoint: Mapping[str, Any] | None = None,
    *,
    start: Start = "top",
    is_detailed: bool = False,
) -> KimiFollower:
    return KimiFollower(name, checkpoint, start=start, is_detailed=is_detailed)


def new_reader(
    path: PurePath,
    checkpoint: Checkpoint | None = None,
    *,
    history_until: int = 0,
    is_detailed: bool = False,
) -> KimiReader:
    return KimiReader(
        kimi_folders.session_folder(path).name,
        checkpoint,
        history_until=history_until,
        is_helper=kimi_folders.is_helper(path),
        is_detailed=is_detailed,
    )


class KimiFollower:
    """Satisfies `follower.Follower`."""

    def __init__(
        self,
        name: str,
        checkpoint: Mapping[str, Any] | None = None,
        *,
        start: Start = "top",
        is_detailed: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.has_more = False
        self.flush_at: float | None = None
        self.problem: str | None = None
        self._path = Path(name)
        known = None if checkpoint is None else checkpoint.get("tail")
        is_new = checkpoint is None and start == "top"
        self._tail = Tail(
            self._path,
            _FORMAT,
            known if isinstance(known, Mapping) else None,
            start=start,
            history_until=kimi_folders.copied_until(self._path) if is_new else 0,
            is_detailed=is_detailed,
            now=now,
        )
        self._session = _session_in(checkpoint)

    @property
    def offset(self) -> int:
        return self._tail.offset

    def read(self, max_bytes: int = 8 * BLOCK_BYTES) -> list[Event]:
        events = self._placed(self._tail.read(max_bytes))
        self.has_more, self.problem = self._tail.has_more, self._tail.problem
        self.flush_at = self._tail.flush_at
        return events

    def finish(self) -> list[Event]:
        return self._placed(self._tail.finish())

    def checkpoint(self) -> dict[str, Any]:
        session = None if self._session is None else msgspec.to_builtins(self._session)
        return {"tail": self._tail.checkpoint(), "session": session}

    def _placed(self, events: list[Event]) -> list[Event]:
        """With the work folder among the session's names: at once, or as soon as the agent wrote it down."""
        if not events:
            return events
        for at, event in enumerate(events):
            # By type and not by `isinstance`: this is asked of every event of every session.
            if type(event) is SessionSeen:
                events[at] = self._session = self._with_folder(event)
        if self._session is not None and self._session.cwd is None:
            placed = self._with_folder(self._session)
            if placed.cwd is not None:
                self._session = placed
                events.append(placed)
        return events

    def _with_folder(self, session: SessionSeen) -> SessionSeen:
        if session.cwd is not None:
            return session
        return msgspec.structs.replace(session, cwd=kimi_folders.work_folder(self._path))


class _Format:
    """Satisfies `reader.LineFormat`."""

    new_reader = staticmethod(new_reader)


_FORMAT = _Format()


def _is_main(path: PurePath) -> bool:
    return path.name == kimi_folders.WIRE and not kimi_folders.is_helper(path)


def _wire_in(path: Path) -> Path:
    """The transcript itself, or that of a session's folder."""
    for inside in (kimi_folders.WIRE, f"agents/{kimi_folders.MAIN}/{kimi_folders.WIRE}"):
        if (path / inside).is_file():
            return path / inside
    return path


def _session_in(checkpoint: Mapping[str, Any] | None) -> SessionSeen | None:
    try:
        return msgspec.convert((checkpoint or {}).get("session"), SessionSeen | None)
    except msgspec.ValidationError:
        return None
