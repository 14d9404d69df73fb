"""Records of Kimi CLI and Kimi Code → events: the record itself tells which of the two wrote it."""

from __future__ import annotations

from typing import Any

import msgspec

from agentinitd.model.events import Event, Skipped
from agentinitd.transcripts import kimi_cli, kimi_code
from agentinitd.transcripts.json_lines import RecordLines
from agentinitd.transcripts.kimi_records import SHAPE, Message, Payload, Record
from agentinitd.transcripts.kimi_teller import Memory, Teller
from agentinitd.transcripts.reader import Checkpoint


class KimiReader:
    def __init__(
        self,
        session_id: str,
        checkpoint: Checkpoint | None = None,
        *,
        history_until: int = 0,
        is_helper: bool = False,
        is_detailed: bool = False,
    ) -> None:
        checkpoint = checkpoint or Checkpoint()
        self._teller = Teller(
            _remembered(checkpoint, session_id), is_helper=is_helper, history_until=history_until
        )
        self._lines: RecordLines[Record] = RecordLines(
            SHAPE,
            read=self._read,
            skip=self._skip,
            offset=checkpoint.offset,
            line=checkpoint.line,
            is_open=self._teller.memory.is_line_open,
        )
        self._teller.lines = self._lines
        self._read_of_cli = kimi_cli.READ_DETAILED if is_detailed else kimi_cli.READ
        self._read_of_code = kimi_code.READ_DETAILED if is_detailed else kimi_code.READ

    @property
    def offset(self) -> int:
        """First byte that was not read as part of a whole line."""
        return self._lines.offset

    def feed(self, block: bytes) -> list[Event]:
        """What the whole lines up to the end of `block` say; a torn last line is kept for later."""
        self._lines.feed(block)
        return self._told()

    def flush(self) -> list[Event]:
        """After silence: read a last line that lacks its newline, if it is a whole record.  Else keep it."""
        self._lines.flush()
        return self._told()

    def checkpoint(self) -> Checkpoint:
        memory = self._teller.memory
        memory.is_line_open = self._lines.is_open
        state: dict[str, Any] = msgspec.to_builtins(memory)
        return Checkpoint(offset=self._lines.offset, line=self._lines.line, state=state)

    def _told(self) -> list[Event]:
        events, self._teller.events = self._teller.events, []
        return events

    def _skip(self, reason: str) -> None:
        teller = self._teller
        teller.record = Record()
        teller.events.append(Skipped(**teller.where(), reason=reason))

    def _read(self, record: Record) -> None:
        teller, message = self._teller, record.message
        teller.record = record
        if record.type == "metadata":
            self._read_head(record)
        elif not teller.memory.is_told:
            teller.session()
        if record.timestamp is not None and isinstance(message, Message):
            read_message = self._read_of_cli.get(message.type or "")
            if read_message is not None and isinstance(message.payload, Payload):
                read_message(teller, message.payload)
        elif record.type is not None:
            read_record = self._read_of_code.get(record.type)
            if read_record is not None:
                read_record(teller, record)

    def _read_head(self, record: Record) -> None:
        memory = self._teller.memory
        memory.begin_file()
        version = record.protocol_version
        version = f"wire {version}" if version else memory.version
        if not memory.is_told or version != memory.version:
            memory.version = version
            self._teller.session()


def _remembered(checkpoint: Checkpoint, session_id: str) -> Memory:
    if not checkpoint.state:
        return Memory(session_id=session_id)
    try:
        return msgspec.convert(dict(checkpoint.state), Memory)
    except msgspec.ValidationError:
        # Written by another version: reading goes on, only what repeats across this place is told again.
        return Memory(session_id=session_id)
