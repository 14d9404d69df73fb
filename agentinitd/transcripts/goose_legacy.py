"""Sessions of Goose before it had a database: JSON Lines, the whole file written anew after each message."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import msgspec

from agentinitd.model.events import Event, Skipped
from agentinitd.transcripts.goose_events import Memory, Teller, Usage
from agentinitd.transcripts.goose_records import Line, message_of
from agentinitd.transcripts.json_lines import RecordLines, Shape, tokens_of
from agentinitd.transcripts.reader import Checkpoint

_SHAPE = Shape(
    Line,
    start=r'\{\s*"(?:id|role|working_dir|description)"\s*:',
    is_record=lambda value: "role" in value or "working_dir" in value,
)


def is_record(line: bytes) -> bool:
    """The first line, as no other agent writes it."""
    records = _SHAPE.salvage(line).records
    return any(record.working_dir is not None and record.message_count is not None for record in records)


def new_reader(
    path: PurePath,
    checkpoint: Checkpoint | None = None,
    *,
    history_until: int = 0,
    is_detailed: bool = False,
) -> LegacyReader:
    return LegacyReader(
        path.stem, checkpoint or Checkpoint(), history_until=history_until, is_detailed=is_detailed
    )


class LegacyReader:
    """Satisfies `reader.Reader`.  A file that is read again from its top tells only what is new in it."""

    def __init__(
        self, session_id: str, checkpoint: Checkpoint, *, history_until: int, is_detailed: bool
    ) -> None:
        self._session_id = session_id
        self._history_until = history_until
        self._memory = _remembered(checkpoint.state)
        self._memory.is_rereading = self._memory.is_begun
        self._teller = Teller(
            self._memory, is_helper=False, copied_until=0.0, window_tokens=None, is_detailed=is_detailed
        )
        self._lines = RecordLines(
            _SHAPE,
            read=self._read,
            skip=self._skip,
            offset=checkpoint.offset,
            line=checkpoint.line,
            is_open=self._memory.is_line_open and checkpoint.offset > 0,
        )

    @property
    def offset(self) -> int:
        return self._lines.offset

    def feed(self, block: bytes) -> list[Event]:
        self._lines.feed(block)
        return self._told()

    def flush(self) -> list[Event]:
        self._lines.flush()
        return self._told()

    def checkpoint(self) -> Checkpoint:
        self._teller.settle()
        self._memory.is_line_open = self._lines.is_open
        state: dict[str, Any] = msgspec.to_builtins(self._memory)
        return Checkpoint(offset=self._lines.offset, line=self._lines.line, state=state)

    def _told(self) -> list[Event]:
        events, self._teller.events = self._teller.events, []
        return events

    def _skip(self, reason: str) -> None:
        skipped = Skipped(line=self._lines.line, offset=self._lines.at, reason=reason)
        self._teller.events.append(skipped)

    def _read(self, record: Line) -> None:
        teller, at = self._teller, self._lines.at
        teller.place = (self._lines.line, at)
        teller.is_known = at < self._history_until
        if record.content is None:
            self._read_head(record)
            return
        message = message_of(record.role, record.created, record.content, record.metadata)
        if message is not None:
            teller.message(message)

    def _read_head(self, record: Line) -> None:
        if record.working_dir is None:
            return
        memory = self._memory
        memory.is_begun = True
        self._teller.session(self._session_id, record.working_dir or None)
        totals = (tokens_of(record.total_tokens), tokens_of(record.accumulated_total_tokens))
        if totals == memory.totals:
            return
        memory.totals = totals
        usage_id = f"{self._session_id}:{totals[1] or record.message_count}"
        self._teller.usage(Usage(usage_id, None, "", totals[0], tokens_of(record.output_tokens)))


def _remembered(state: Mapping[str, Any]) -> Memory:
    try:
        return msgspec.convert(dict(state), Memory)
    except msgspec.ValidationError:
        return Memory()
