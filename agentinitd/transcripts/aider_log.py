"""The log of Aider's requests (`--llm-history-file`) → events: where a summary took its place.

The log holds each request in full and no sizes.  A summary is an exchange that was not there before, while
what was asked before is gone.
"""

from __future__ import annotations

import re
import zlib
from itertools import pairwise

import msgspec

from agentinitd.model.events import CompactionMarker, Event, SessionSeen
from agentinitd.transcripts.aider_text import run_seconds
from agentinitd.transcripts.lines import Lines
from agentinitd.transcripts.reader import Checkpoint

ENTRY = re.compile(rb"(TO LLM|LLM RESPONSE) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\s*")
_REQUEST = b"TO LLM"
_SEPARATOR = b"-------"
_ACCEPTED = b"ASSISTANT Ok."
"""What Aider lets the model answer to a summary, and to a text that a command brought in."""
_USER = b"USER "
KNOWN_ASKS = 64


class Memory(msgspec.Struct):
    session: str | None = None
    at: str | None = None
    """Of the request being read; None outside of one."""
    line: int = 0
    offset: int = 0
    turns: list[int] = []
    """The first line of each turn, in short; what is not the user's counts as 0, "Ok." as 1."""
    is_turn_open: bool = False
    asks: list[int] = []
    """The last turn of each request before."""
    before: list[int] = []
    """The turns of the last one."""
    is_line_open: bool = False


class AiderLogReader:
    """Satisfies `reader.Reader`."""

    def __init__(
        self, cwd: str | None, checkpoint: Checkpoint | None = None, *, history_until: int = 0
    ) -> None:
        checkpoint = checkpoint or Checkpoint()
        self._memory = _remembered(checkpoint)
        self._cwd = cwd
        self._history_until = history_until
        self._lines = Lines(checkpoint.offset)
        self._line = checkpoint.line
        self._events: list[Event] = []

    @property
    def offset(self) -> int:
        return self._lines.offset

    def feed(self, block: bytes) -> list[Event]:
        for batch in self._lines.feed(block):
            at = batch.offset
            for line in batch.text.split(b"\n"):
                self._take(line, at)
                at += len(line) + 1
        return self._told()

    def flush(self) -> list[Event]:
        if rest := self._lines.rest():
            self._take(rest, self._lines.offset)
            self._lines.take_rest()
            self._memory.is_line_open = True
        return self._told()

    def checkpoint(self) -> Checkpoint:
        return Checkpoint(offset=self._lines.offset, line=self._line, state=msgspec.to_builtins(self._memory))

    def _told(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def _take(self, line: bytes, at: int) -> None:
        if self._memory.is_line_open:
            # It was read before its newline came; what comes now is its end, mostly nothing.
            self._memory.is_line_open = False
            return
        self._line += 1
        entry = ENTRY.fullmatch(line) if line.startswith((b"TO LLM ", b"LLM RESPONSE ")) else None
        if entry is not None:
            self._begin(entry[1], entry[2].decode(), at)
        elif self._memory.at is not None:
            self._read_turn(line)

    def _begin(self, kind: bytes, time: str, at: int) -> None:
        memory = self._memory
        if memory.at is not None:
            self._end_request()
        memory.at, memory.line, memory.offset = time if kind == _REQUEST else None, self._line, at
        if memory.session is None:
            memory.session = time
            self._events.append(
                SessionSeen(
                    line=self._line,
                    offset=at,
                    written_at=run_seconds(time),
                    is_history=at < self._history_until,
                    session_id=f"aider-{time}",
                    cwd=self._cwd,
                    agent_version=None,
                )
            )

    def _read_turn(self, line: bytes) -> None:
        memory = self._memory
        if line.startswith(_SEPARATOR):
            memory.is_turn_open = False
        elif not memory.is_turn_open:
            memory.is_turn_open = True
            is_accepted = line.rstrip() == _ACCEPTED
            memory.turns.append(zlib.crc32(line.rstrip()) | 2 if line.startswith(_USER) else int(is_accepted))

    def _end_request(self) -> None:
        memory = self._memory
        turns, memory.turns, memory.is_turn_open = memory.turns, [], False
        if memory.asks and not set(memory.asks) & set(turns) and self._has_summary(turns):
            self._tell_marker()
            memory.asks = []
        asks = [turn for turn in turns if turn > 1]
        memory.asks = [*memory.asks, *asks[-1:]][-KNOWN_ASKS:]
        memory.before = turns[-KNOWN_ASKS:]

    def _has_summary(self, turns: list[int]) -> bool:
        known = set(self._memory.before)
        return any(said > 1 and said not in known and answer == 1 for said, answer in pairwise(turns))

    def _tell_marker(self) -> None:
        memory = self._memory
        self._events.append(
            CompactionMarker(
                line=memory.line,
                offset=memory.offset,
                written_at=run_seconds(memory.at or ""),
                is_history=memory.offset < self._history_until,
                marker_id=f"line:{memory.line}",
                trigger="auto",
                tokens_before=None,
                tokens_after=None,
            )
        )


def _remembered(checkpoint: Checkpoint) -> Memory:
    try:
        return msgspec.convert(dict(checkpoint.state), Memory)
    except msgspec.ValidationError:
        return Memory()
