"""Sessions of older OpenCode releases: a tree of JSON files, each rewritten in place."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import Any

from agentinitd.transcripts.database import LONG_VALUE_BYTES, Stamp, stamp
from agentinitd.transcripts.files import open_regular
from agentinitd.transcripts.follower import Seen
from agentinitd.transcripts.long_line import LongLine
from agentinitd.transcripts.opencode_records import Part, message_v1, milliseconds, object_of, part_v1
from agentinitd.transcripts.opencode_rows import Found, Place, Session

_BLOCK_BYTES = 256 * 1024


def is_session_path(path: PurePath) -> bool:
    """`storage/session/<project>/<session>.json`"""
    return (
        path.suffix == ".json"
        and path.name.startswith("ses_")
        and path.parts[-4:-2] == ("storage", "session")
    )


def scan(storage: Path) -> dict[str, Seen]:
    """Every main session of the tree.  Its messages are files of their own, in a folder named after it."""
    found: dict[str, Seen] = {}
    for project in _entries(storage / "session"):
        for file in _entries(Path(project.path)):
            path = Path(file.path)
            if is_session_path(path) and not _is_helper(path):
                times = [_mtime_ns(path), _mtime_ns(_messages_of(path))]
                found[str(path)] = Seen(max(times) // 1_000_000, max(times), _inode(path))
    return found


def looked(path: Path) -> Stamp:
    """The files below change without a trace here: only whether there is anything is seen."""
    return stamp(path)._replace(is_racy=True)


@contextmanager
def opened(path: Path) -> Iterator[Path]:
    yield path


def store_of(path: Path) -> TreeStore | None:
    data = object_of(_text_of(path))
    return None if data is None else TreeStore(path, data)


class TreeStore:
    """Satisfies `opencode_rows.Store`: places are ordered by id, and ids by time."""

    layout = "json"

    def __init__(self, path: Path, data: dict[str, Any]) -> None:
        self._messages = _messages_of(path)
        self._parts = path.parents[2] / "part"
        cwd, version, time = data.get("directory"), data.get("version"), data.get("time")
        created = time.get("created") if isinstance(time, dict) else None
        self.session = Session(
            path.stem,
            cwd=cwd if isinstance(cwd, str) and cwd else None,
            version=version if isinstance(version, str) and version else None,
            is_helper=bool(data.get("parentID")),
            created_ms=milliseconds(created) or 0,
        )

    def after(self, place: Place | None, limit: int) -> list[Found]:
        ids = [each for each in _ids(self._messages) if place is None or each > place[1]]
        return list(self.by_id(ids[:limit]))

    def by_id(self, ids: Iterable[str]) -> list[Found]:
        found = [self._found(each) for each in sorted(ids)]
        return [each for each in found if each is not None]

    def recent(self, limit: int) -> list[Place]:
        return [(0, each) for each in reversed(_ids(self._messages)[-limit:])]

    def count_before(self, place: Place) -> int:
        return sum(each < place[1] for each in _ids(self._messages))

    def parts(self, message_id: str) -> list[tuple[str, Part | None]]:
        folder = self._parts / message_id
        return [(each, _part(each, object_of(_text_of(folder / f"{each}.json")))) for each in _ids(folder)]

    def _found(self, message_id: str) -> Found | None:
        path = self._messages / f"{message_id}.json"
        text, touched_ms = _text_of(path), _mtime_ns(path) // 1_000_000
        data = object_of(text)
        if text is None:
            return None
        if data is None:
            problem = f"message {message_id}: not a JSON object"
            return Found(message_id, (0, message_id), touched_ms, len(text), None, problem, is_torn=True)
        message = message_v1(message_id, data, touched_ms)
        return Found(message_id, (0, message_id), touched_ms, len(text), message)


def _part(part_id: str, data: dict[str, Any] | None) -> Part | None:
    return None if data is None else part_v1(part_id, data)


def _messages_of(path: Path) -> Path:
    return path.parents[2] / "message" / path.stem


def _is_helper(path: Path) -> bool:
    return bool((object_of(_text_of(path)) or {}).get("parentID"))


def _ids(folder: Path) -> list[str]:
    return sorted(
        entry.name.removesuffix(".json") for entry in _entries(folder) if entry.name.endswith(".json")
    )


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (OSError, ValueError):
        return []


def _text_of(path: Path) -> str | None:
    """The text of this file, its long strings cut when it is long; None when there is none to be read."""
    line = LongLine()
    try:
        with open_regular(path) as file:
            text = file.read(LONG_VALUE_BYTES)
            if len(text) < LONG_VALUE_BYTES:
                return text.decode("utf-8", "replace")
            while text:
                line.feed(text)
                text = file.read(_BLOCK_BYTES)
    except (OSError, ValueError):
        return None
    return bytes(line.kept).decode("utf-8", "replace")


def _mtime_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except (OSError, ValueError):
        return 0


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except (OSError, ValueError):
        return 0
