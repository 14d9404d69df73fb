"""Qwen Code: the module that `agents.AGENTS` lists.  Up to 0.0.14 it wrote documents as Gemini CLI did."""

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
from agentinitd.transcripts.qwen_reader import QwenReader
from agentinitd.transcripts.qwen_records import is_own_line
from agentinitd.transcripts.reader import Checkpoint, LineFormat
from agentinitd.transcripts.tail import Tail

NAME = "qwen"

READS = (
    "JSON Lines of versions 0.1 to 0.24 and documents of 0.0: messages, tools, to-do lists, context sizes, "
    "windows, compressions"
)

_MODEL = re.compile(rb'"model"\s*:\s*"(?:[^"/]*/)?qwen', re.IGNORECASE)
_LEGACY = "session-"


def roots(home: Path, env: Mapping[str, str]) -> tuple[Path, ...]:
    """Sessions, and the documents of old versions."""
    base = _base(home, env)
    return (base / "projects", base / "tmp")


def _base(home: Path, env: Mapping[str, str]) -> Path:
    own = _resolved(env.get("QWEN_HOME", ""), home) or home / ".qwen"
    configured = gemini_files.read_json(own / "settings.json").get("advanced")
    moved = configured.get("runtimeOutputDir") if isinstance(configured, dict) else None
    return (
        _resolved(env.get("QWEN_RUNTIME_DIR", ""), home)
        or _resolved(moved if isinstance(moved, str) else "", home)
        or own
    )


def _resolved(named: str, home: Path) -> Path | None:
    """A folder that stands for itself; one that is relative to wherever the program runs cannot be found."""
    if named == "~" or named.startswith("~/"):
        return home / named[2:]
    return Path(named) if named.startswith("/") else None


def names_at(path: PurePath) -> tuple[str, ...]:
    return (str(path),) if _is_main(path) else ()


def scan(root: Path) -> dict[str, Seen]:
    return files.scan(root, _is_main)


def is_own(path: Path) -> bool:
    if gemini_files.is_folder(path):
        return ".qwen" in path.parts
    if not gemini_files.is_document(path):
        return files.holds_record(path, is_own_line)
    head = gemini_files.head_of(path)
    return gemini_files.is_document_head(head) and (".qwen" in path.parts or _MODEL.search(head) is not None)


def names_in(path: Path) -> list[str]:
    return gemini_files.names_in(path, scan)


def follow(
    name: str,
    checkpoint: Mapping[str, Any] | None = None,
    *,
    start: Start = "top",
    is_detailed: bool = False,
) -> Follower:
    """Records that a fork repeats say so themselves."""
    path = Path(name)
    if gemini_files.is_document(path):
        form = document_format(gemini_files.origin_of(path), is_detailed=is_detailed)
        return DocumentFollower(path, form, checkpoint, start=start)
    return Tail(path, _THIS, checkpoint, start=start, is_detailed=is_detailed)


def new_reader(
    path: PurePath,
    checkpoint: Checkpoint | None = None,
    *,
    history_until: int = 0,
    is_detailed: bool = False,
) -> QwenReader:
    """A reader that goes on from `checkpoint`; what lies before byte `history_until` is history."""
    return QwenReader(
        checkpoint, history_until=history_until, is_detailed=is_detailed, is_helper=_is_helper_path(path)
    )


def _is_main(path: PurePath) -> bool:
    if path.parent.name != "chats":
        return False
    return path.suffix == ".jsonl" or (path.suffix == ".json" and path.name.startswith(_LEGACY))


def _is_helper_path(path: PurePath) -> bool:
    return path.name.startswith("agent-") and "subagents" in path.parts[-4:-1]


_THIS = cast(LineFormat, sys.modules[__name__])
