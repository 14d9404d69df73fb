"""What the files around a Gemini transcript tell of it: its project, and the file from which it goes on."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import Any

from agentinitd.transcripts.document_entries import salvage, whole_document
from agentinitd.transcripts.follower import Seen
from agentinitd.transcripts.gemini_documents import Origin
from agentinitd.transcripts.gemini_records import is_message, message_of
from agentinitd.transcripts.json_lines import tokens_of
from agentinitd.transcripts.lines import Lines

HEAD_BYTES = 64 * 1024
TAIL_BYTES = 1024 * 1024
SMALL_BYTES = 1024 * 1024
DOCUMENT_BYTES = 24 * 1024 * 1024
BLOCK_BYTES = 256 * 1024
_HEAD = re.compile(rb'\s*\{\s*"sessionId"\s*:\s*"[^"]+"\s*,\s*"projectHash"\s*:')
_NAME = re.compile(r"session-(\d{4}-\d\d-\d\dT\d\d-\d\d)-(.+)\.json\Z")
_SESSION_ID = re.compile(rb'"sessionId"\s*:\s*"([^"\\]+)"')
_INPUT_TOKENS = re.compile(rb'"tokens"\s*:\s*\{\s*"input"\s*:\s*(\d{1,9})\b')


def is_helper_path(path: PurePath) -> bool:
    """Transcripts of sub-agents lie in a folder of their own, named after the session they belong to."""
    return path.parent.name != "chats" and "chats" in path.parts[-4:-1]


def is_folder(path: Path) -> bool:
    return path.is_dir()


def names_in(path: Path, scan: Callable[[Path], dict[str, Seen]]) -> list[str]:
    """The sessions of a file, or those that `scan` finds in a folder: the latest last."""
    if not is_folder(path):
        return [str(path)]
    found = scan(path)
    return sorted(found, key=lambda name: found[name].mtime_ns)


def is_document(path: Path) -> bool:
    """One JSON document, and not lines: the name says it, and where it is wrong, the first line."""
    head = _read(path, 0, HEAD_BYTES)
    first, newline, rest = head.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")
    if not newline or not rest.strip():
        return path.suffix == ".json"
    try:
        return not isinstance(json.loads(first), dict)
    except ValueError:
        return first.strip() == b"{" or path.suffix == ".json"


def head_of(path: Path) -> bytes:
    """Enough of a document to tell whose it is."""
    return _read(path, 0, SMALL_BYTES)


def is_document_head(head: bytes) -> bool:
    return _HEAD.match(head) is not None


def project_root(path: Path) -> str | None:
    """The project's folder where the program keeps it beside its sessions (since April 2026)."""
    folder = _project_folder(path)
    if folder is None:
        return None
    root = _read(folder / ".project_root", 0, 4096).decode("utf-8", "replace").strip()
    if root:
        return root
    registered = read_json(folder.parent.parent / "projects.json").get("projects")
    paths = registered.items() if isinstance(registered, dict) else ()
    return next((known for known, name in paths if name == folder.name), None)


def projects(path: Path) -> tuple[str, ...]:
    """Folders that this user has used the program in."""
    folder = _project_folder(path)
    if folder is None:
        return ()
    home = folder.parent.parent
    registered = read_json(home / "projects.json").get("projects")
    trusted = read_json(home / "trustedFolders.json")
    return (*(registered if isinstance(registered, dict) else ()), *trusted)


def origin_of(path: Path) -> Origin:
    """For a document."""
    predecessor = _predecessor(path)
    return Origin(
        is_helper=is_helper_path(path),
        root=project_root(path),
        projects=projects(path),
        goes_on=predecessor is not None,
        tokens_before=_last_tokens(predecessor) if predecessor is not None else None,
    )


def copied_until(path: Path) -> int:
    """The byte up to which these lines repeat the old document beside them, out of which they were made."""
    old = path.with_suffix(".json")
    known = _ids_in(old) if path.suffix == ".jsonl" else frozenset()
    until = 0
    for record_id, end in _record_ids(path) if known else ():
        if record_id is not None and record_id not in known:
            break
        until = end
    return until


def _project_folder(path: Path) -> Path | None:
    return next((folder.parent for folder in path.parents[:3] if folder.name == "chats"), None)


def _predecessor(path: Path) -> Path | None:
    """The file of the same session that was written last before this one was begun."""
    named = _NAME.match(path.name)
    if named is None:
        return None
    earlier = []
    try:
        with os.scandir(path.parent) as entries:
            for entry in entries:
                other = _NAME.match(entry.name)
                if other is not None and other[2] == named[2] and other[1] < named[1]:
                    earlier.append(entry.name)
    except OSError:
        return None
    session_id = _session_id(path)
    siblings = [path.with_name(name) for name in sorted(earlier, reverse=True)]
    # A file that does not exist yet is known by its name alone.
    return next((each for each in siblings if session_id in (None, _session_id(each))), None)


def _session_id(path: Path) -> bytes | None:
    found = _SESSION_ID.search(_read(path, 0, HEAD_BYTES))
    return found[1] if found is not None else None


def _last_tokens(path: Path) -> int | None:
    try:
        size = path.stat().st_size
    except OSError:
        return None
    found = _INPUT_TOKENS.findall(_read(path, max(0, size - TAIL_BYTES), TAIL_BYTES))
    sizes = [tokens for text in found if (tokens := tokens_of(int(text))) is not None]
    return sizes[-1] if sizes else None


def _ids_in(path: Path) -> frozenset[str]:
    data = _read(path, 0, DOCUMENT_BYTES)
    document = whole_document(data, "messages") or salvage(data, "messages", is_message)
    records = (message_of(entry.raw) for entry in document.entries)
    return frozenset(record.id for record in records if record.id is not None)


def _record_ids(path: Path) -> Iterator[tuple[str | None, int]]:
    """Of each line the id, if it is a message, and where it ends."""
    lines = Lines()
    at = 0
    while block := _read(path, at, BLOCK_BYTES):
        at += len(block)
        for batch in lines.feed(block):
            end = batch.offset
            for line in batch.text.split(b"\n"):
                end += len(line) + 1
                yield message_of(line).id, end


def read_json(path: Path) -> dict[str, Any]:
    """A small settings file; empty when there is none, or none that can be read."""
    try:
        found = json.loads(_read(path, 0, SMALL_BYTES) or b"{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _read(path: Path, start: int, limit: int) -> bytes:
    """A piece of a regular file; empty when there is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError):
        return b""
    try:
        # A FIFO would wait, and a device never end.
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return os.pread(descriptor, limit, start) if is_file else b""
    except OSError:
        return b""
    finally:
        os.close(descriptor)
