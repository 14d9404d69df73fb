"""What stands beside a `wire.jsonl`: in which folder the agent works, and how much of the file is a copy.

The transcript itself says neither.  Kimi Code keeps both in the session's `state.json`; Kimi CLI names the
folder of a session's group after the hash of the work folder, and lists the work folders in `kimi.json`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import Any

import msgspec

from agentinitd.disk import read_bounded
from agentinitd.transcripts.files import open_regular
from agentinitd.transcripts.json_lines import NOT_PLAIN, clean
from agentinitd.transcripts.kimi_records import SHAPE, Record
from agentinitd.transcripts.lines import Lines

WIRE = "wire.jsonl"
MAIN = "main"
STATE_LIMIT = 4 * 1024 * 1024
INDEX_LIMIT = 64 * 1024 * 1024
_BLOCK_BYTES = 256 * 1024
_FORK_TITLES = ("Fork: ", "Undo: ")
"""Kimi CLI names a copy so, and keeps the time at which it was made."""


def is_helper(path: PurePath) -> bool:
    """`subagents/<id>/wire.jsonl` (Kimi CLI), or `agents/<id>/wire.jsonl` but for the main agent's."""
    room = path.parent.parent.name
    return room == "subagents" or (room == "agents" and path.parent.name != MAIN)


def session_folder(path: PurePath) -> PurePath:
    return path.parents[2] if path.parent.parent.name in ("agents", "subagents") else path.parent


def work_folder(path: Path) -> str | None:
    """Where the agent works, as it recorded it; None while nothing says so."""
    session = Path(session_folder(path))
    state = _object_in(session / "state.json")
    custom = state.get("custom")
    places = (state.get("cwd"), state.get("workDir"), custom.get("cwd") if isinstance(custom, dict) else None)
    for place in places:
        if found := _folder(place):
            return found
    return _hashed_folder(session) or _indexed_folder(session)


def copied_until(path: Path) -> int:
    """The byte up to which this file is a copy of another session's, or of another program's; 0 if none."""
    state = _object_in(Path(session_folder(path)) / "state.json")
    custom = state.get("custom")
    try:
        if isinstance(state.get("forkedFrom"), str) or _is_being_copied(path, state):
            return _forked_until(path)
        if isinstance(custom, dict) and custom.get("imported_from_kimi_cli") is True:
            return _first(path, lambda record: record.time is not None)
        title, at = state.get("custom_title"), state.get("wire_mtime")
        if isinstance(title, str) and title.startswith(_FORK_TITLES) and isinstance(at, int | float):
            return _first(path, lambda record: record.timestamp is not None and record.timestamp > at)
    except OSError:
        return 0
    return 0


def _is_being_copied(path: Path, state: dict[str, Any]) -> bool:
    """The state is still that of the other session, which lies beside this one."""
    agents = state.get("agents")
    main = agents.get(MAIN) if isinstance(agents, dict) else None
    home = _folder(main.get("homedir")) if isinstance(main, dict) else None
    if home is None or path.parent.parent.name != "agents":
        return False
    other = session_folder(Path(home) / WIRE)
    own = session_folder(path)
    return other.name != own.name and (Path(own.parent) / other.name).is_dir()


def _forked_until(path: Path) -> int:
    """Behind the last record that says so; all of a file in which it does not stand yet."""
    until = size = 0
    for line, offset in _lines(path):
        size = offset + len(line) + 1
        if b'"forked"' in line:
            record = _record_in(line)
            until = size if record is not None and record.type == "forked" else until
    return until or size


def _first(path: Path, is_own: Callable[[Record], bool]) -> int:
    """Where the first record stands that the session wrote itself; the size of a file without one."""
    size = 0
    for line, offset in _lines(path):
        size = offset + len(line) + 1
        record = _record_in(line)
        if record is not None and record.type != "metadata" and is_own(record):
            return offset
    return size


def _record_in(line: bytes) -> Record | None:
    try:
        return SHAPE.decode(line)
    except NOT_PLAIN:
        return None


def _lines(path: Path) -> Iterator[tuple[bytes, int]]:
    lines = Lines()
    with open_regular(path) as file:
        while block := file.read(_BLOCK_BYTES):
            for batch in lines.feed(block):
                offset = batch.offset
                for line in batch.text.split(b"\n"):
                    yield line, offset
                    offset += len(line) + 1


def _object_in(path: Path) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(read_bounded(path, STATE_LIMIT))
    except (OSError, *NOT_PLAIN):
        return {}
    return value if isinstance(value, dict) else {}


def _folder(value: object) -> str | None:
    return clean(value) if isinstance(value, str) and PurePath(value).is_absolute() else None


def _hashed_folder(session: Path) -> str | None:
    """Kimi CLI: the one whose hash is the name of the group's folder."""
    group = session.parent.name
    found = _object_in(session.parent.parent.parent / "kimi.json").get("work_dirs")
    for each in found if isinstance(found, list) else ():
        place = _folder(each.get("path")) if isinstance(each, dict) else None
        if place is not None:
            # For a work folder on another machine the name of that machine stands before the hash.
            digest = hashlib.md5(place.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()
            if group == digest or group.endswith(f"_{digest}"):
                return place
    return None


def _indexed_folder(session: Path) -> str | None:
    """Kimi Code, for a session that came from elsewhere: what the list of all sessions says last."""
    try:
        text = read_bounded(session.parent.parent.parent / "session_index.jsonl", INDEX_LIMIT)
    except OSError:
        return None
    name = session.name.encode("utf-8", "surrogateescape")
    found = None
    for line in text.split(b"\n"):
        if name not in line:
            continue
        try:
            value = msgspec.json.decode(line)
        except NOT_PLAIN:
            continue
        if isinstance(value, dict) and value.get("sessionId") == session.name:
            found = _folder(value.get("workDir")) or found
    return found
