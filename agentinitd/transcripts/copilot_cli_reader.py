"""Records of Copilot CLI → events.  Keeps a small, bounded memory of what it has read so far.

The transcript does not say how large the context of a request was: an answer is told as `Unsized`, and who
knows the agent's database makes a `Request` of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypedDict

import msgspec
from msgspec import Raw

from agentinitd.model.events import (
    AgentMessage,
    ClearKind,
    CompactionMarker,
    CompactionTrigger,
    ContextCleared,
    Event,
    PersonMessage,
    PlanUpdate,
    Request,
    SessionSeen,
    Skipped,
    SnippetSeen,
    ToolCall,
    ToolResult,
    shortened,
)
from agentinitd.transcripts import copilot_cli_plan
from agentinitd.transcripts.claude_code_messages import snippet_in
from agentinitd.transcripts.copilot_cli_memory import KNOWN_CALLS, KNOWN_MARKERS, remember, remembered
from agentinitd.transcripts.copilot_cli_records import SHAPE, Data, Place, Record, answer_in, tool_requests_of
from agentinitd.transcripts.json_lines import RecordLines, plain, seconds_of, text_of, tokens_of
from agentinitd.transcripts.reader import Checkpoint

_SIGN = b"(agentinitd "
_TRIGGERS: dict[str | None, CompactionTrigger] = {
    "manual": "manual",
    **dict.fromkeys(("auto", "background", "context_limit_retry", "memory_pressure", "threshold"), "auto"),
}  # fmt: skip
_INSERTED = ("<system_notification", "<system-reminder", "<system_reminder")


class Unsized(Request, frozen=True, kw_only=True):
    """One call of the model whose context is not known yet: `context_tokens` is 0."""

    output_tokens: int | None = None


class _Where(TypedDict):
    line: int
    offset: int
    written_at: float | None
    is_history: bool
    is_helper: bool


class CopilotReader:
    def __init__(
        self,
        session_id: str,
        checkpoint: Checkpoint | None = None,
        *,
        history_until: int = 0,
        is_detailed: bool = False,
    ) -> None:
        checkpoint = checkpoint or Checkpoint()
        self._memory = remembered(checkpoint, session_id)
        self._history_until = history_until
        self._events: list[Event] = []
        self._record = Record()
        self._lines: RecordLines[Record] = RecordLines(
            SHAPE,
            read=self._read,
            skip=self._skip,
            offset=checkpoint.offset,
            line=checkpoint.line,
            is_open=self._memory.is_line_open,
        )
        self._read_kind: dict[str | None, Callable[[Data], None]] = {
            "session.start": self._read_session,
            "session.resume": self._read_session,
            "session.context_changed": self._read_session,
            "user.message": self._read_user_message,
            "assistant.message": self._read_answer,
            "session.compaction_complete": self._read_compaction,
            "session.compaction_start": self._read_limit,
            "session.model_change": self._read_model_change,
            "session.truncation": self._read_truncation,
            "session.context_cleared": lambda _data: self._clear("clear"),
            "session.snapshot_rewind": lambda _data: self._clear("rewind"),
            "hook.end": self._read_hook_end,
        }
        if is_detailed:
            self._read_kind |= {
                "assistant.message": self._read_detailed_answer,
                "tool.execution_start": self._read_tool_start,
                "tool.execution_complete": self._read_tool_complete,
            }

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
        self._memory.is_line_open = self._lines.is_open
        state: dict[str, Any] = msgspec.to_builtins(self._memory)
        return Checkpoint(offset=self._lines.offset, line=self._lines.line, state=state)

    def _told(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def _skip(self, reason: str) -> None:
        self._record = Record()
        self._events.append(Skipped(**self._where(), reason=reason))

    def _read(self, record: Record) -> None:
        read = self._read_kind.get(record.type)
        # What a sub-agent does is recorded among the rest, and says nothing of this session.
        if read is None or record.agent_id is not None or record.ephemeral:
            return
        data = record.data or Data()
        if data.parent_tool_call_id is not None:
            return
        self._record = record
        if not self._memory.is_told and record.type != "session.start":
            self._tell_session()
        read(data)

    def _read_session(self, data: Data) -> None:
        memory, place = self._memory, data.context
        before = (memory.session_id, memory.cwd, memory.version)
        memory.session_id = data.session_id or memory.session_id
        memory.cwd = (place.cwd if isinstance(place, Place) else data.cwd) or memory.cwd
        memory.version = data.copilot_version or memory.version
        memory.is_helper = memory.is_helper or data.detached_from_spawning_parent_session_id is not None
        if not memory.is_told or before != (memory.session_id, memory.cwd, memory.version):
            self._tell_session()

    def _tell_session(self) -> None:
        memory = self._memory
        memory.is_told = True
        self._events.append(
            SessionSeen(
                **self._where(), session_id=memory.session_id, cwd=memory.cwd, agent_version=memory.version
            )
        )

    def _read_user_message(self, data: Data) -> None:
        text = text_of(data.content)
        is_typed = not data.source or data.source.lower().startswith("user")
        if not is_typed or data.is_autopilot_continuation or text.lstrip().startswith(_INSERTED):
            return
        self._memory.snippet = None
        self._events.append(PersonMessage(**self._where(), text=text))

    def _read_answer(self, data: Data) -> None:
        self._memory.snippet = None
        if not data.chunk_index:
            is_split = (data.chunk_count or 1) > 1
            lines, record = self._lines, self._record
            self._events.append(
                # Written out, and not by `_where`: nothing else is told as often.
                Unsized(
                    line=lines.line,
                    offset=lines.at,
                    written_at=seconds_of(record.timestamp),
                    is_history=lines.at < self._history_until,
                    is_helper=self._memory.is_helper,
                    request_id=data.message_id or record.id or f"line:{lines.line}",
                    model=data.model or "",
                    context_tokens=0,
                    window_tokens=self._memory.window,
                    output_tokens=None if is_split else data.output_tokens,
                )
            )

    def _read_detailed_answer(self, data: Data) -> None:
        self._read_answer(data)
        text = text_of(data.content)
        if text and not text.isspace():
            self._events.append(AgentMessage(**self._where(), text=text))
        for request in tool_requests_of(data):
            self._tell_call(request.tool_call_id, request.name or request.tool_name, request.arguments)

    def _read_tool_start(self, data: Data) -> None:
        self._tell_call(data.tool_call_id, data.tool_name, data.arguments)

    def _tell_call(self, call_id: str | None, name: str | None, raw: Raw) -> None:
        if call_id is None or name is None or call_id in self._memory.calls:
            return
        where = self._where()
        remember(self._memory.calls, call_id, where["line"], limit=KNOWN_CALLS)
        arguments = bytes(raw)
        input_json = arguments if arguments[:1] == b"{" else b"{}"
        self._events.append(ToolCall(**where, call_id=call_id, name=name, input_json=input_json))
        if name == copilot_cli_plan.TOOL:
            steps = copilot_cli_plan.steps_of(plain(raw))
            if steps is not None:
                self._events.append(PlanUpdate(**where, steps=steps))

    def _read_tool_complete(self, data: Data) -> None:
        if data.tool_call_id is None:
            return
        text = answer_in(data.result) or answer_in(data.error)
        self._events.append(
            ToolResult(
                **self._where(),
                call_id=data.tool_call_id,
                is_success=data.success,
                text=shortened(text),
            )
        )

    def _read_limit(self, data: Data) -> None:
        self._memory.window = tokens_of(data.token_limit) or self._memory.window

    def _read_model_change(self, data: Data) -> None:
        del data
        self._memory.window = None

    def _read_truncation(self, data: Data) -> None:
        """Old messages were left out, and nothing put in their place."""
        self._read_limit(data)
        self._clear("microcompact")

    def _read_compaction(self, data: Data) -> None:
        """One that failed left the context as it was."""
        self._read_limit(data)
        memory, where = self._memory, self._where()
        marker_id = self._record.id or f"line:{where['line']}"
        if data.success is not True or marker_id in memory.markers:
            return
        remember(memory.markers, marker_id, where["line"], limit=KNOWN_MARKERS)
        before, after = tokens_of(data.pre_compaction_tokens), tokens_of(data.post_compaction_tokens)
        removed = tokens_of(data.tokens_removed)
        if after is None and before is not None and removed is not None and removed < before:
            after = before - removed
        self._events.append(
            CompactionMarker(
                **where,
                marker_id=marker_id,
                trigger=_TRIGGERS.get(data.trigger),
                tokens_before=before,
                tokens_after=after,
            )
        )

    def _clear(self, kind: ClearKind) -> None:
        self._events.append(ContextCleared(**self._where(), kind=kind))

    def _read_hook_end(self, data: Data) -> None:
        if _SIGN not in bytes(data.output):
            return
        for text in _texts_in(plain(data.output), depth=4):
            snippet_id = snippet_in(text)
            if snippet_id is not None and snippet_id != self._memory.snippet:
                self._memory.snippet = snippet_id
                self._events.append(SnippetSeen(**self._where(), snippet_id=snippet_id))

    def _where(self) -> _Where:
        """Of the record in hand."""
        lines = self._lines
        return {
            "line": lines.line,
            "offset": lines.at,
            "written_at": self._record.written_at,
            "is_history": lines.at < self._history_until,
            "is_helper": self._memory.is_helper,
        }


def _texts_in(value: object, *, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth:
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(part, depth=depth - 1)
