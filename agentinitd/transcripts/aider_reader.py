"""An Aider chat history → events.

The history has one time for each run and none for what happens in it: each byte counts as a millionth of a
second here, so that what was told before is known again when the file was cut or begun anew.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypedDict

import msgspec

from agentinitd.model.events import (
    AgentMessage,
    ClearKind,
    CompactionMarker,
    ContextCleared,
    Event,
    PersonMessage,
    Request,
    SessionSeen,
    Skipped,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts.aider_memory import Memory, Said, crc_of, remembered, session_id_of
from agentinitd.transcripts.aider_text import (
    LINE_END,
    RUN,
    SUMMARISED,
    TOOL,
    USER,
    clearing_command,
    edited_in,
    estimate_tokens,
    is_certain,
    is_whole,
    model_in,
    run_seconds,
    sent_tokens,
    text_of,
    typed,
    version_in,
)
from agentinitd.transcripts.json_lines import TOKENS_LIMIT
from agentinitd.transcripts.lines import Lines
from agentinitd.transcripts.reader import Checkpoint


class Where(TypedDict):
    line: int
    offset: int
    written_at: float | None
    is_history: bool


class AiderReader:
    """Satisfies `reader.Reader`."""

    def __init__(
        self,
        cwd: str | None,
        checkpoint: Checkpoint | None = None,
        *,
        history_until: int = 0,
        is_detailed: bool = False,
        count: Callable[[str], int] = estimate_tokens,
    ) -> None:
        checkpoint = checkpoint or Checkpoint()
        self.memory = remembered(checkpoint)
        self._cwd = cwd
        self._history_until = history_until
        self._is_detailed = is_detailed
        self._count = count
        self._lines = Lines(checkpoint.offset)
        self._line = checkpoint.line
        self._at = checkpoint.offset
        self._events: list[Event] = []

    @property
    def offset(self) -> int:
        return self._lines.offset

    def feed(self, block: bytes) -> list[Event]:
        for batch in self._lines.feed(block):
            self._at = batch.offset
            if batch.is_too_long:
                self._skip(batch.offset)
                continue
            for line in batch.text.split(b"\n"):
                if self.memory.is_line_open:
                    # It was read before its newline came; what comes now is its end, mostly nothing.
                    self.memory.is_line_open = False
                else:
                    self._line += 1
                    self._read(line)
                self._at += len(line) + 1
        return self._told()

    def flush(self) -> list[Event]:
        """A last line without its newline is read if it is whole.  With it, what is open ends here."""
        rest = self._lines.rest()
        if not rest:
            self._end_reply()
            self._end_input()
            self._pay_estimate()
        elif is_whole(rest):
            if not self.memory.is_line_open:
                self._line += 1
            self._at = self._lines.offset
            self._read(rest)
            self._lines.take_rest()
            self.memory.is_line_open = True
        return self._told()

    def checkpoint(self) -> Checkpoint:
        return Checkpoint(offset=self._lines.offset, line=self._line, state=msgspec.to_builtins(self.memory))

    def _told(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def _skip(self, offset: int) -> None:
        if not self.memory.is_line_open:
            self._line += 1
        self.memory.is_line_open = False
        where = self._where(self._line, offset)
        self._events.append(Skipped(**where, reason="too long: more than 4 MiB in one line"))

    def _read(self, line: bytes) -> None:
        memory = self.memory
        if memory.run != memory.told_run:
            self._tell_run()
        if line.startswith(USER) and self._is_own(line):
            self._read_input(text_of(line[len(USER) :]))
        elif line.startswith(TOOL) and self._is_own(line):
            self._read_tool(text_of(line[len(TOOL) :]))
        elif started := RUN.fullmatch(line):
            self._start_run(started[1].decode())
        else:
            self._read_reply(line)

    def _is_own(self, line: bytes) -> bool:
        """Not the model's, which may quote and put headings as well."""
        has_end = line.endswith(LINE_END)
        if self.memory.is_trimmed is None and (has_end or is_certain(text_of(line[len(TOOL) :]))):
            self.memory.is_trimmed = not has_end
        return has_end or self.memory.is_trimmed is True

    def _start_run(self, time: str) -> None:
        self._end_reply()
        self._end_input()
        self._pay_estimate()
        memory = self.memory
        is_first = memory.run is None
        self.memory = Memory(
            run=time, run_at=run_seconds(time), run_offset=self._at, told_run=memory.told_run
        )
        if not is_first:
            self._events.append(ContextCleared(**self._here(), kind="clear"))
        self._tell_run()

    def _tell_run(self) -> None:
        memory = self.memory
        memory.told_run = memory.run
        if memory.run is not None:
            self._events.append(
                SessionSeen(
                    **self._here(),
                    session_id=session_id_of(memory.run),
                    cwd=self._cwd,
                    agent_version=memory.version,
                )
            )

    def _read_input(self, text: str) -> None:
        self._end_reply()
        memory = self.memory
        if memory.asked is None:
            self._pay_estimate()
            memory.asked = Said(self._line, self._at)
        memory.asked.add(text)

    def _end_input(self) -> None:
        memory = self.memory
        asked, memory.asked = memory.asked, None
        if asked is None:
            return
        command = clearing_command(asked.text)
        if command is not None:
            memory.estimate = 0
            # Without the files the context is smaller; what was said is still there.
            kind: ClearKind = "microcompact" if command == "/drop" else "clear"
            self._events.append(ContextCleared(**self._where(asked.line, asked.offset), kind=kind))
            return
        said = typed(asked.text)
        if not said.text or asked.crc in memory.echoes:
            return
        if said.is_command:
            memory.echoes = [*memory.echoes, crc_of(said.text)]
        memory.estimate += self._count(said.text)
        self._events.append(PersonMessage(**self._where(asked.line, asked.offset), text=said.text))

    def _read_reply(self, line: bytes) -> None:
        self._end_input()
        memory = self.memory
        if memory.replied is None:
            if not line or line.isspace():
                return
            memory.replied = Said(self._line, self._at)
        memory.replied.add(text_of(line))

    def _end_reply(self) -> None:
        memory = self.memory
        replied, memory.replied = memory.replied, None
        if replied is None:
            return
        memory.echoes = [replied.crc]
        text = replied.text.rstrip()
        memory.estimate += self._count(text)
        memory.owes_estimate = not memory.has_figures
        if self._is_detailed:
            self._events.append(AgentMessage(**self._where(replied.line, replied.offset), text=text))

    def _pay_estimate(self) -> None:
        """A request that no figures came for."""
        memory = self.memory
        if memory.owes_estimate and memory.estimate:
            memory.has_estimates = True
            self._tell_request(memory.estimate, is_estimate=True)
        memory.owes_estimate = False

    def _read_tool(self, text: str) -> None:
        self._end_reply()
        self._end_input()
        tokens = sent_tokens(text)
        if tokens is not None:
            self._read_figures(tokens)
        elif version := version_in(text):
            self.memory.version = version
            self._tell_run()
        elif model := model_in(text):
            self.memory.model = model
        elif text == SUMMARISED:
            self._tell_marker()
        elif self._is_detailed and (path := edited_in(text)):
            self._tell_edit(path)

    def _read_figures(self, tokens: int) -> None:
        memory = self.memory
        if memory.has_estimates:
            # What we counted does not compare with what Aider counts.
            self._events.append(ContextCleared(**self._here(), kind="microcompact"))
        memory.has_figures, memory.owes_estimate, memory.has_estimates = True, False, False
        if 0 < tokens < TOKENS_LIMIT:
            self._tell_request(tokens, is_estimate=False)

    def _tell_request(self, tokens: int, *, is_estimate: bool) -> None:
        self._events.append(
            Request(
                **self._here(),
                request_id=f"line:{self._line}",
                model=self.memory.model,
                context_tokens=tokens,
                is_estimate=is_estimate,
            )
        )

    def _tell_marker(self) -> None:
        self._events.append(
            CompactionMarker(
                **self._here(),
                marker_id=f"line:{self._line}",
                trigger="auto",
                tokens_before=None,
                tokens_after=None,
            )
        )

    def _tell_edit(self, path: str) -> None:
        call_id = f"line:{self._line}"
        arguments = json.dumps({"path": path}).encode()
        self._events.append(ToolCall(**self._here(), call_id=call_id, name="edit", input_json=arguments))
        self._events.append(
            ToolResult(**self._here(), call_id=call_id, is_success=True, text=f"Applied edit to {path}")
        )

    def _here(self) -> Where:
        return self._where(self._line, self._at)

    def _where(self, line: int, offset: int) -> Where:
        run_at = self.memory.run_at
        return {
            "line": line,
            "offset": offset,
            "written_at": None if run_at is None else run_at + max(0, offset - self.memory.run_offset) / 1e6,
            "is_history": offset < self._history_until,
        }
