"""Claude Code: the module that `agents.AGENTS` lists."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any, cast

from agentinitd.transcripts import claude_code_copies, claude_code_paths, files
from agentinitd.transcripts.claude_code_reader import ClaudeCodeReader
from agentinitd.transcripts.claude_code_records import CONVERSATION, NOT_PLAIN, decode, recover
from agentinitd.transcripts.follower import Seen, Start
from agentinitd.transcripts.reader import Checkpoint, LineFormat
from agentinitd.transcripts.tail import Tail

NAME = "claude-code"

READS = (
    "JSON Lines of versions 1.0 to 2.1: messages, tools, to-do lists, context sizes, compactions; "
    "the size of the model's window is not in them"
)

roots = claude_code_paths.roots

_UNCHAINED = frozenset({"summary", "file-history-snapshot", "queue-operation", "last-prompt", "progress"})


def names_at(path: PurePath) -> tuple[str, ...]:
    return (str(path),) if _is_main(path) else ()


def scan(root: Path) -> dict[str, Seen]:
    return files.scan(root, _is_main)


def is_own(path: Path) -> bool:
    return files.holds_record(path, is_record)


def names_in(path: Path) -> list[str]:
    return [str(path)]


def follow(
    name: str,
    checkpoint: Mapping[str, Any] | None = None,
    *,
    start: Start = "top",
    is_detailed: bool = False,
) -> Tail:
    """What a fork or an old-style resume copied from a neighbour is history."""
    path = Path(name)
    is_new = checkpoint is None and start == "top"
    history_until = claude_code_copies.copied_until(path) if is_new else 0
    return Tail(path, _THIS, checkpoint, start=start, history_until=history_until, is_detailed=is_detailed)


def _is_main(path: PurePath) -> bool:
    return claude_code_paths.is_transcript(path) and not claude_code_paths.is_helper_path(path)


def is_record(line: bytes) -> bool:
    """Only Claude Code writes records of these types that name their place in the conversation so."""
    try:
        records = [decode(line)]
    except NOT_PLAIN:
        records = recover(line).records
    return any(
        (record.type in CONVERSATION and record.uuid is not None and record.session_id is not None)
        or (
            record.type in _UNCHAINED
            and (b'"leafUuid"' in line or b'"messageId"' in line or record.session_id)
        )
        for record in records
    )


def new_reader(
    path: PurePath,
    checkpoint: Checkpoint | None = None,
    *,
    history_until: int = 0,
    is_detailed: bool = False,
) -> ClaudeCodeReader:
    """A reader that goes on from `checkpoint`; what lies before byte `history_until` is history."""
    return ClaudeCodeReader(
        checkpoint,
        history_until=history_until,
        is_helper=True if claude_code_paths.is_helper_path(path) else None,
        is_detailed=is_detailed,
        # The summarizer's own transcript: a copy of the conversation it is asked to shorten.
        has_markers=not path.name.startswith("agent-acompact-"),
    )


_THIS = cast(LineFormat, sys.modules[__name__])
