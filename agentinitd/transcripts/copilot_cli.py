"""GitHub Copilot CLI: the module that `agents.AGENTS` lists.

A session is the `events.jsonl` of its folder; the sizes of its contexts come from the agent's database beside
all sessions.  For `replay` a session can also be named in that database alone: `<path>#<session id>`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import Any

from agentinitd.model.events import Event
from agentinitd.transcripts import files
from agentinitd.transcripts.copilot_cli_reader import CopilotReader
from agentinitd.transcripts.copilot_cli_records import is_record
from agentinitd.transcripts.copilot_cli_sizes import TABLE, Sizes
from agentinitd.transcripts.copilot_cli_store import StoreReader, session_ids
from agentinitd.transcripts.database import UNREADABLE, columns, is_database, name_of, opened, split_name
from agentinitd.transcripts.database_follower import follow_database
from agentinitd.transcripts.follower import Follower, Seen, Start
from agentinitd.transcripts.reader import Checkpoint
from agentinitd.transcripts.tail import BLOCK_BYTES, Tail

NAME = "copilot-cli"
READS = (
    "events.jsonl up to version 1.0.80: messages, tools, compactions, the to-do list of early versions; "
    "context sizes from session-store.db; the size of the model's window is in neither"
)

_STATE = "session-state"
_EVENTS = "events.jsonl"
_STORE = "session-store.db"


def roots(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    configured = env.get("COPILOT_HOME")
    base = Path(configured) if configured else home / ".copilot"
    return (base / _STATE,)


def names_at(path: PurePath) -> tuple[str, ...]:
    return (str(path),) if _is_main(path) else ()


def scan(root: Path) -> dict[str, Seen]:
    return files.scan(root, _is_main)


def is_own(path: Path) -> bool:
    if is_database(path):
        return _is_store(path)
    return files.holds_record(_events_in(path), is_record)


def names_in(path: Path) -> list[str]:
    if is_database(path):
        return [name_of(path, session_id) for session_id in session_ids(path)]
    events = _events_in(path)
    return [str(events)] if events.is_file() else []


def follow(
    name: str,
    checkpoint: Mapping[str, Any] | None = None,
    *,
    start: Start = "top",
    is_detailed: bool = False,
) -> Follower:
    database, session_id = split_name(name)
    if is_database(database) and not Path(name).exists():
        return follow_database(name, StoreReader(session_id, checkpoint, start=start))
    return CopilotFollower(name, checkpoint, start=start, is_detailed=is_detailed)


def new_reader(
    path: PurePath,
    checkpoint: Checkpoint | None = None,
    *,
    history_until: int = 0,
    is_detailed: bool = False,
) -> CopilotReader:
    return CopilotReader(_session_id(path), checkpoint, history_until=history_until, is_detailed=is_detailed)


class CopilotFollower:
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
        known = _part(checkpoint, "tail") if checkpoint is not None else None
        path = Path(name)
        self._tail = Tail(path, _FORMAT, known, start=start, is_detailed=is_detailed, now=now)
        self._sizes = Sizes(_store_of(path), _session_id(path), _part(checkpoint, "sizes"), now=now)

    @property
    def offset(self) -> int:
        return self._tail.offset

    def read(self, max_bytes: int = 8 * BLOCK_BYTES) -> list[Event]:
        events = self._sizes.filled(self._tail.read(max_bytes))
        self.has_more, self.problem = self._tail.has_more, self._tail.problem
        times = [at for at in (self._tail.flush_at, self._sizes.retry_at) if at is not None]
        self.flush_at = min(times, default=None)
        return events

    def finish(self) -> list[Event]:
        return self._sizes.filled(self._tail.finish(), is_last=True)

    def checkpoint(self) -> dict[str, Any]:
        return {"tail": self._tail.checkpoint(), "sizes": self._sizes.checkpoint()}


class _Format:
    """Satisfies `reader.LineFormat`."""

    new_reader = staticmethod(new_reader)


_FORMAT = _Format()


def _is_main(path: PurePath) -> bool:
    """One folder a session; early versions kept one file a session."""
    if path.name == _EVENTS:
        return path.parent.parent.name == _STATE
    return path.suffix == ".jsonl" and path.parent.name == _STATE


def _events_in(path: Path) -> Path:
    """The transcript itself, or that of a session's folder."""
    return path / _EVENTS if path.is_dir() else path


def _session_id(path: PurePath) -> str:
    return path.parent.name if path.name == _EVENTS else path.stem


def _store_of(path: Path) -> Path:
    state = path.parent.parent if path.name == _EVENTS else path.parent
    return state.parent / _STORE


def _is_store(path: Path) -> bool:
    try:
        with opened(path) as connection:
            return {"session_id", "input_tokens"} <= columns(connection, TABLE)
    except UNREADABLE:
        return False


def _part(checkpoint: Mapping[str, Any] | None, key: str) -> Mapping[str, Any]:
    part = (checkpoint or {}).get(key)
    return part if isinstance(part, Mapping) else {}
