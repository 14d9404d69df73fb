"""What all that is told of a Gemini conversation shares: where it stands, and what was told before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import TypedDict

from agentinitd.model.events import ClearKind, ContextCleared, Event, SessionSeen
from agentinitd.transcripts.gemini_memory import KNOWN_MESSAGES, Memory, forget, note
from agentinitd.transcripts.gemini_records import Record, directories_of
from agentinitd.transcripts.json_lines import seconds_of

_DIRECTORY_LIMIT = 64
_TRIES_LIMIT = 512


class Where(TypedDict):
    line: int
    offset: int
    written_at: float | None
    is_history: bool
    is_helper: bool


class Telling:
    """Events in the making.  Whoever reads sets `line`, `offset` and `is_history`, and takes `events`."""

    def __init__(self, memory: Memory, *, root: str | None = None, projects: Iterable[str] = ()) -> None:
        """`root`: the project's folder where the program says it; `projects`: folders that may be it."""
        self.memory = memory
        self.events: list[Event] = []
        self.line = 0
        self.offset = 0
        self.is_history = False
        self._root = root
        self._projects = tuple(projects)
        self._tried: set[str] = set()

    def take(self) -> list[Event]:
        events, self.events = self.events, []
        return events

    def where(self, record: Record) -> Where:
        return {
            "line": self.line,
            "offset": self.offset,
            "written_at": seconds_of(record.timestamp or record.start_time or record.last_updated),
            "is_history": self.is_history,
            "is_helper": self.memory.is_helper,
        }

    def is_new(self, record: Record, letter: str) -> bool:
        """This kind of thing was not told of this message before."""
        return note(self.memory.messages, record.id or f"line:{self.line}", letter, limit=KNOWN_MESSAGES)

    def note_message(self, record: Record, letters: str) -> None:
        """All that was told of this message by now."""
        known = self.memory.messages
        known[record.id or f"line:{self.line}"] = letters
        if len(known) > 2 * KNOWN_MESSAGES:
            forget(known, limit=KNOWN_MESSAGES)

    def clear(self, record: Record, kind: ClearKind) -> None:
        self.memory.peak = None
        self.events.append(ContextCleared(**self.where(record), kind=kind))

    def read_head(self, record: Record) -> None:
        """The session's names: in the first line, at the head of a document, or in a patch."""
        memory = self.memory
        memory.project_hash = record.project_hash or memory.project_hash
        if record.kind is not None:
            memory.is_helper = memory.is_helper or record.kind == "subagent"
        session_id = record.session_id or memory.session_id
        cwd = self._cwd(directories_of(record.directories))
        if session_id is not None and (session_id, cwd) != (memory.session_id, memory.cwd):
            memory.session_id = session_id
            self._see_session(record, cwd)

    def find_project(self, paths: list[str], record: Record) -> None:
        """The project is a folder above one of these paths when its hash says so."""
        if self.memory.cwd is not None or self.memory.session_id is None:
            return
        folders = [folder for path in paths for folder in _folders_of(path) if folder not in self._tried]
        if not folders or len(self._tried) > _TRIES_LIMIT:
            return
        self._tried.update(folders)
        cwd = self._hashed_in(folders)
        if cwd is not None:
            self._see_session(record, cwd)

    def _cwd(self, directories: list[str]) -> str | None:
        """The project's folder: as the program says it, else the one that its hash is of."""
        known = self._root or self.memory.cwd
        if known is not None:
            return known
        candidates = (*self._projects, *directories[:_DIRECTORY_LIMIT])
        return self._hashed_in(candidates) or next(iter(directories), None)

    def _hashed_in(self, folders: Iterable[str]) -> str | None:
        wanted = self.memory.project_hash
        return next((folder for folder in folders if wanted is not None and hash_of(folder) == wanted), None)

    def _see_session(self, record: Record, cwd: str | None) -> None:
        self.memory.cwd = cwd
        self.events.append(
            SessionSeen(
                **self.where(record),
                session_id=self.memory.session_id or "",
                cwd=cwd,
                agent_version=None,
            )
        )


def hash_of(folder: str) -> str:
    """What the program calls a project's hash."""
    return hashlib.sha256(folder.encode("utf-8", "surrogatepass")).hexdigest()


def _folders_of(path: str) -> Iterator[str]:
    """Those above it, the nearest first; on Windows as well."""
    while (cut := max(path.rfind("/"), path.rfind("\\"))) > 0:
        path = path[:cut]
        yield path
