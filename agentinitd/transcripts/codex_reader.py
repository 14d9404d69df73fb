"""Bytes of a Codex rollout → events: lines are cut here, what they mean `codex_thread` knows."""

from __future__ import annotations

import msgspec

from agentinitd.model.events import Event
from agentinitd.model.facts import JsonValue
from agentinitd.transcripts.codex_memory import remembered
from agentinitd.transcripts.codex_records import HEAD_BYTES, SHAPE, head_of
from agentinitd.transcripts.codex_thread import Thread
from agentinitd.transcripts.json_lines import RecordLines
from agentinitd.transcripts.reader import Checkpoint


class CodexReader:
    def __init__(
        self, checkpoint: Checkpoint | None = None, *, history_until: int = 0, is_detailed: bool = False
    ) -> None:
        checkpoint = checkpoint or Checkpoint()
        memory = remembered(checkpoint.state, is_top=not checkpoint.offset)
        self._thread = Thread(memory, history_until=history_until, is_detailed=is_detailed)
        self._lines = RecordLines(
            SHAPE,
            read=self._thread.read,
            skip=self._skip,
            offset=checkpoint.offset,
            line=checkpoint.line,
            is_open=memory.is_line_open,
        )
        self._thread.place = self._lines
        self._block = b""
        self._block_at = checkpoint.offset
        # How the unfinished line begins: all that may be known of one that is too long.
        self._head = b""

    @property
    def offset(self) -> int:
        """First byte that was not read as part of a whole line."""
        return self._lines.offset

    def feed(self, block: bytes) -> list[Event]:
        """What the whole lines up to the end of `block` say; a torn last line is kept for later."""
        self._block = block
        self._lines.feed(block)
        self._head = self._head_of(self._lines.offset)
        self._block_at += len(block)
        self._block = b""
        return self._told()

    def flush(self) -> list[Event]:
        """After silence: read a last line that lacks its newline, if it is a whole record.  Else keep it."""
        self._lines.flush()
        return self._told()

    def checkpoint(self) -> Checkpoint:
        memory = self._thread.memory
        memory.is_line_open = self._lines.is_open
        state: dict[str, JsonValue] = msgspec.to_builtins(memory)
        return Checkpoint(offset=self._lines.offset, line=self._lines.line, state=state)

    def _told(self) -> list[Event]:
        events = self._thread.events
        self._thread.events = []
        return events

    def _skip(self, reason: str) -> None:
        """A line that is too long may be a compaction: that must not be lost, and its head tells it."""
        if "too long" in reason:
            record = head_of(self._head_of(self._lines.at))
            if record.type == "compacted":
                self._thread.read(record)
                return
        self._thread.skip(reason)

    def _head_of(self, offset: int) -> bytes:
        """The first bytes of the line that begins at `offset`, in this block or in one before."""
        start = offset - self._block_at
        if start >= 0:
            return self._block[start : start + HEAD_BYTES]
        return (self._head + self._block[:HEAD_BYTES])[:HEAD_BYTES]
