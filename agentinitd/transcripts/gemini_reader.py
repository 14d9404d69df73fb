"""JSON Lines of Gemini CLI (0.40 and later) → events."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from agentinitd.model.events import Event, Skipped
from agentinitd.transcripts.gemini_conversation import Conversation
from agentinitd.transcripts.gemini_memory import remembered
from agentinitd.transcripts.gemini_records import SHAPE, Record, is_idle
from agentinitd.transcripts.json_lines import RecordLines
from agentinitd.transcripts.reader import Checkpoint


class GeminiReader:
    def __init__(
        self,
        checkpoint: Checkpoint | None = None,
        *,
        history_until: int = 0,
        is_detailed: bool = False,
        is_helper: bool = False,
        root: str | None = None,
        projects: Iterable[str] = (),
    ) -> None:
        checkpoint = checkpoint or Checkpoint()
        memory = remembered(checkpoint.state)
        memory.is_helper = memory.is_helper or is_helper
        memory.is_partial = memory.is_partial or (checkpoint.offset > 0 and checkpoint.line == 0)
        self._conversation = Conversation(memory, is_detailed=is_detailed, root=root, projects=projects)
        self._history_until = history_until
        self._lines: RecordLines[Record] = RecordLines(
            SHAPE,
            read=self._read,
            skip=self._skip,
            offset=checkpoint.offset,
            line=checkpoint.line,
            is_open=memory.is_line_open,
        )

    @property
    def offset(self) -> int:
        """First byte that was not read as part of a whole line."""
        return self._lines.offset

    def feed(self, block: bytes) -> list[Event]:
        """What the whole lines up to the end of `block` say; a torn last line is kept for later.

        A compression at the very end is kept back until its notice, the next line, tells who asked for it.
        """
        self._lines.feed(block)
        return self._conversation.take()

    def flush(self) -> list[Event]:
        """After silence: read a last line that lacks its newline, if it is a whole record.  Else keep it."""
        self._lines.flush()
        self._conversation.compressions.settle()
        return self._conversation.take()

    def checkpoint(self) -> Checkpoint:
        memory = self._conversation.memory
        memory.is_line_open = self._lines.is_open
        return Checkpoint(offset=self.offset, line=self._lines.line, state=msgspec.to_builtins(memory))

    def _read(self, record: Record) -> None:
        if record.patch is not None and is_idle(record.patch):
            return
        self._stand()
        self._conversation.read(record)

    def _skip(self, reason: str) -> None:
        self._stand()
        conversation = self._conversation
        conversation.events.append(Skipped(**conversation.where(Record()), reason=reason))

    def _stand(self) -> None:
        conversation, lines = self._conversation, self._lines
        conversation.line, conversation.offset = lines.line, lines.at
        conversation.is_history = lines.at < self._history_until
