"""Sessions of Goose before it had a database: JSON Lines, the whole file written anew after each message."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import msgspec

from agentinitd.model.events import Event, Skipped
from agentinitd.transcripts.goose_events import Memory, Teller, Usage
from agentinitd.transcripts.goose_records import decoded, message_of, tokens_of
from agentinitd.transcripts.lines import Lines
from agentinitd.transcripts.reader import Checkpoint


def is_record(line: bytes) -> bool:
    """The first line, as no other agent writes it."""
    value = decoded(line.decode("utf-8", "replace"))
    return isinstance(value, dict) and "working_dir" in value and "message_count" in value


def new_reader(
    path: PurePath, checkpoint: Checkpoint | None = None, *, history_until: int = 0
) -> LegacyReader:
    return LegacyReader(path.stem, checkpoint, history_until=history_until)


class LegacyReader:
    """Satisfies `reader.Reader`.  A file that is read again from its top tells only what is new in it."""

    def __init__(self, session_id: str, checkpoint: Checkpoint | None, *, history_until: int) -> None:
        checkpoint = checkpoint or Checkpoint()
        self._session_id = session_id
        self._history_until = history_until
        self._lines = Lines(checkpoint.offset)
        self._line = checkpoint.line
        self._is_line_open = False
        self._events: list[Event] = []
        self._memory = _remembered(checkpoint.state)
        self._memory.is_rereading = self._memory.is_begun

    @property
    def offset(self) -> int:
        return self._lines.offset

    def feed(self, block: bytes) -> list[Event]:
        for batch in self._lines.feed(block):
            offset = batch.offset
            for line in batch.text.split(b"\n"):
                self._next_line(line, offset, is_too_long=batch.is_too_long)
                offset += len(line) + 1
        return self._told()

    def flush(self) -> list[Event]:
        rest = self._lines.rest()
        if isinstance(decoded(rest.decode("utf-8", "replace")), dict):
            self._next_line(rest, self._lines.offset, is_too_long=False)
            self._lines.take_rest()
            self._is_line_open = True
        return self._told()

    def checkpoint(self) -> Checkpoint:
        return Checkpoint(offset=self._lines.offset, line=self._line, state=msgspec.to_builtins(self._memory))

    def _told(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def _next_line(self, line: bytes, offset: int, *, is_too_long: bool) -> None:
        if self._is_line_open:
            # It was read before its newline came.
            self._is_line_open = False
            if not line.strip():
                return
        self._line += 1
        if not line.strip(b" \t\r\0") and not is_too_long:
            return
        value = decoded(line.decode("utf-8", "replace"))
        if not isinstance(value, dict):
            self._events.append(Skipped(line=self._line, offset=offset, reason="not a JSON object"))
            return
        teller = Teller(self._memory, is_helper=False, copied_until=0.0, window_tokens=None)
        teller.is_known = offset < self._history_until
        self._read_value(value, teller)
        self._events += [
            msgspec.structs.replace(event, line=self._line, offset=offset) for event in teller.events
        ]

    def _read_value(self, value: dict[str, Any], teller: Teller) -> None:
        if "working_dir" in value and "role" not in value:
            self._read_head(value, teller)
            return
        message = message_of(
            value.get("role"), value.get("created"), value.get("content"), value.get("metadata")
        )
        if message is not None:
            teller.message(message)

    def _read_head(self, value: dict[str, Any], teller: Teller) -> None:
        memory = self._memory
        memory.is_begun = True
        cwd = value.get("working_dir")
        teller.session(self._session_id, cwd if isinstance(cwd, str) and cwd else None)
        totals = (tokens_of(value.get("total_tokens")), tokens_of(value.get("accumulated_total_tokens")))
        if totals == memory.totals:
            return
        memory.totals = totals
        answered = tokens_of(value.get("output_tokens"))
        usage_id = f"{self._session_id}:{totals[1] or value.get('message_count')}"
        teller.usage(Usage(usage_id, None, "", totals[0], answered))


def _remembered(state: Mapping[str, Any]) -> Memory:
    try:
        return msgspec.convert(dict(state), Memory)
    except msgspec.ValidationError:
        return Memory()
