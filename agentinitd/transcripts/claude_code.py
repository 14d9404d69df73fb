"""Claude Code, as a reader of transcripts: the module that `agents.READERS` lists."""

from __future__ import annotations

from pathlib import PurePath

from agentinitd.transcripts import claude_code_copies, claude_code_paths
from agentinitd.transcripts.claude_code_reader import ClaudeCodeReader
from agentinitd.transcripts.claude_code_records import CONVERSATION, NOT_PLAIN, decode, recover
from agentinitd.transcripts.reader import Checkpoint

NAME = "claude-code"

roots = claude_code_paths.roots
is_transcript = claude_code_paths.is_transcript
is_helper_path = claude_code_paths.is_helper_path
copied_until = claude_code_copies.copied_until

_UNCHAINED = frozenset({"summary", "file-history-snapshot", "queue-operation", "last-prompt", "progress"})


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
    path: PurePath, checkpoint: Checkpoint | None = None, *, history_until: int = 0
) -> ClaudeCodeReader:
    """A reader that goes on from `checkpoint`; what lies before byte `history_until` is history."""
    return ClaudeCodeReader(
        checkpoint,
        history_until=history_until,
        is_helper=True if is_helper_path(path) else None,
        # The summarizer's own transcript: a copy of the conversation it is asked to shorten.
        has_markers=not path.name.startswith("agent-acompact-"),
    )
