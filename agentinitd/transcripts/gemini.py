"""Gemini CLI: the module that `agents.AGENTS` lists.

A session is a JSON document (up to 0.36) or JSON Lines (from 0.40 on).  A document that was resumed by a
newer version stays beside the lines that were made of it: the lines are the session then.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any, cast

from agentinitd.transcripts import files, gemini_files
from agentinitd.transcripts.document import DocumentFollower
from agentinitd.transcripts.follower import Follower, Seen, Start
from agentinitd.transcripts.gemini_documents import document_format
from agentinitd.transcripts.gemini_reader import GeminiReader
from agentinitd.transcripts.gemini_records import SHAPE
from agentinitd.transcripts.json_lines import NOT_PLAIN
from agentinitd.transcripts.reader import Checkpoint, LineFormat
from agentinitd.transcripts.tail import Tail

NAME = "gemini"

READS = (
    "JSON documents of versions 0.3 to 0.36 and JSON Lines from 0.40 on: messages, tools, to-do lists, "
    "context sizes, compressions; the version of the program is not in them"
)

_SUFFIXES = frozenset({".json", ".jsonl"})
_OTHER_MODEL = re.compile(rb'"model"\s*:\s*"(?:[^"/]*/)?qwen', re.IGNORECASE)


def roots(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """The second one is used inside of the sandbox of macOS."""
    base = Path(env["GEMINI_CLI_HOME"]) if env.get("GEMINI_CLI_HOME") else home
    return (base / ".gemini" / "tmp", base / ".cache" / ".gemini" / "tmp")


def names_at(path: PurePath) -> tuple[str, ...]:
    return (str(path),) if _is_main(path) else ()


def scan(root: Path) -> dict[str, Seen]:
    found = files.scan(root, _is_main)
    return {name: seen for name, seen in found.items() if name + "l" not in found}


def is_own(path: Path) -> bool:
    if gemini_files.is_folder(path):
        return ".gemini" in path.parts
    if not gemini_files.is_document(path):
        return files.holds_record(path, _is_line)
    head = gemini_files.head_of(path)
    is_other = ".qwen" in path.parts or _OTHER_MODEL.search(head) is not None
    return gemini_files.is_document_head(head) and not is_other


def names_in(path: Path) -> list[str]:
    return gemini_files.names_in(path, scan)


def follow(
    name: str,
    checkpoint: Mapping[str, Any] | None = None,
    *,
    start: Start = "top",
    is_detailed: bool = False,
) -> Follower:
    """What the lines repeat of the document that they were made of is history."""
    path = Path(name)
    if gemini_files.is_document(path):
        form = document_format(gemini_files.origin_of(path), is_detailed=is_detailed)
        return DocumentFollower(path, form, checkpoint, start=start)
    is_new = checkpoint is None and start == "top"
    history_until = gemini_files.copied_until(path) if is_new else 0
    return Tail(path, _THIS, checkpoint, start=start, history_until=history_until, is_detailed=is_detailed)


def new_reader(
    path: PurePath,
    checkpoint: Checkpoint | None = None,
    *,
    history_until: int = 0,
    is_detailed: bool = False,
) -> GeminiReader:
    """A reader that goes on from `checkpoint`; what lies before byte `history_until` is history."""
    return GeminiReader(
        checkpoint,
        history_until=history_until,
        is_detailed=is_detailed,
        is_helper=gemini_files.is_helper_path(path),
        root=gemini_files.project_root(Path(path)),
        projects=gemini_files.projects(Path(path)),
    )


def _is_main(path: PurePath) -> bool:
    return path.suffix in _SUFFIXES and path.name.startswith("session-") and path.parent.name == "chats"


def _is_line(line: bytes) -> bool:
    """Lines that no other agent writes: the first one, patches, rewinds, and the model's answers."""
    try:
        records = [SHAPE.decode(line)]
    except NOT_PLAIN:
        records = SHAPE.salvage(line).records
    return any(
        (record.session_id is not None and record.project_hash is not None)
        or bool(record.patch)
        or record.rewind_to is not None
        or (record.type == "gemini" and record.id is not None)
        for record in records
    )


_THIS = cast(LineFormat, sys.modules[__name__])
