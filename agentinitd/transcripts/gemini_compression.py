"""When a Gemini conversation was compressed.

It may be told twice, by a checkpoint of the messages and by a notice: that is one event, and the notice says
who asked for it.
"""

from __future__ import annotations

from agentinitd.model.events import CompactionMarker
from agentinitd.transcripts import gemini_messages
from agentinitd.transcripts.gemini_memory import (
    KNOWN_CALLS,
    KNOWN_MESSAGES,
    KNOWN_SNAPSHOTS,
    Pending,
    note,
    remember,
)
from agentinitd.transcripts.gemini_messages import Compressed
from agentinitd.transcripts.gemini_records import Record, tools_of
from agentinitd.transcripts.gemini_telling import Telling


class Compressions:
    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._memory = telling.memory

    def read_checkpoint(self, patch: Record, messages: list[Record]) -> None:
        """The list of messages was replaced: by a summary and a tail, or by the same with less in it."""
        memory = self._memory
        memory.has_checkpoints = True
        snapshot = self._new_snapshot(messages)
        last = next(reversed(memory.messages), None)
        if snapshot is not None:
            where = self._telling.where(snapshot)
            memory.pending = Pending(
                marker_id=snapshot.id or "",
                line=where["line"],
                offset=where["offset"],
                written_at=where["written_at"],
                is_history=where["is_history"],
            )
        elif last is not None:
            is_kept = any(message.id == last for message in messages)
            self._telling.clear(patch, "microcompact" if is_kept else "rewind")
        for message in messages[-KNOWN_MESSAGES:]:
            self._learn(message)

    def read_notice(self, record: Record, notice: Compressed) -> None:
        """A notice without a checkpoint before it."""
        memory = self._memory
        if memory.is_marked:
            return
        # Where every compression writes a checkpoint, an empty notice alone is an attempt that failed.
        if notice.trigger == "auto" or not memory.has_checkpoints:
            self.mark(record, record.id or "", notice)

    def settle(self, notice: Compressed | None = None) -> None:
        """The checkpoint's notice came, or something else, and then there is none."""
        pending, self._memory.pending = self._memory.pending, None
        if pending is not None:
            self._tell(pending, notice or Compressed(None))

    def mark(self, record: Record, marker_id: str, compressed: Compressed) -> None:
        """A compression that is announced where the conversation stands."""
        where = self._telling.where(record)
        pending = Pending(
            marker_id=marker_id,
            line=where["line"],
            offset=where["offset"],
            written_at=where["written_at"],
            is_history=where["is_history"],
        )
        self._tell(pending, compressed)

    def _tell(self, pending: Pending, compressed: Compressed) -> None:
        self._memory.is_marked = True
        self._memory.peak = None
        self._telling.events.append(
            CompactionMarker(
                line=pending.line,
                offset=pending.offset,
                written_at=pending.written_at,
                is_history=pending.is_history,
                is_helper=self._memory.is_helper,
                marker_id=pending.marker_id,
                trigger=compressed.trigger,
                tokens_before=compressed.tokens_before,
                tokens_after=compressed.tokens_after,
            )
        )

    def _new_snapshot(self, messages: list[Record]) -> Record | None:
        """The summary that this list has and the one before had not."""
        found: Record | None = None
        for message, following in zip(messages, [*messages[1:], None], strict=False):
            if message.id is None or not gemini_messages.holds_snapshot(message):
                continue
            if self._is_new_snapshot(message, following):
                found = message
            remember(self._memory.snapshots, message.id, limit=KNOWN_SNAPSHOTS)
        return found

    def _is_new_snapshot(self, message: Record, following: Record | None) -> bool:
        memory = self._memory
        if message.id in memory.snapshots:
            return False
        if memory.is_partial and message.timestamp is not None and message.timestamp < memory.newest:
            return False
        # The person may quote a summary; only the program's own is acknowledged.
        return gemini_messages.is_acknowledged(following) or message.id not in memory.messages

    def _learn(self, message: Record) -> None:
        """What a list brings that is not known stands for something that was told: it is not told again."""
        known = self._memory.messages
        if message.id is None or message.id in known:
            return
        note(known, message.id, "tpnr" if message.tokens is not None else "tpn", limit=KNOWN_MESSAGES)
        for tool in tools_of(message.tool_calls):
            note(self._memory.calls, tool.id or "", "cr", limit=KNOWN_CALLS)
