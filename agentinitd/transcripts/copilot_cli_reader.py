"""Records of Copilot CLI → events.  Keeps a small, bounded memory of what it has read so far.

The transcript does not say how large the context of a request was: an answer is told as `Answer`, and whoever
knows the agent's database makes a `Request` of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypedDict

import msgspec
from msgspec import Raw

from agentinitd.model.events import (
    RESULT_CHARS,
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
)
from agentinitd.transcripts import copilot_cli_plan
from agentinitd.transcripts.claude_code_messages import snippet_in
from agentinitd.transcripts.copilot_cli_memory import KNOWN_CALLS, KNOWN_MARKERS, remember, remembered
from agentinitd.transcripts.copilot_cli_records import (
    SHAPE,
    AssistantMessage,
    Compaction,
    HookEnd,
    Limit,
    Record,
    Session,
    ToolComplete,
    ToolRequest,
    UserMessage,
    decode_assistant_message,
    decode_compaction,
    decode_hook_end,
    decode_limit,
    decode_session,
    decode_tool_complete,
    decode_tool_request,
    decode_tool_requests,
    decode_user_message,
)
from agentinitd.transcripts.json_lines import (
    NOT_PLAIN,
    RecordLines,
    lenient,
    plain,
    seconds_of,
    text_of,
    tokens_of,
    typed,
)
from agentinitd.transcripts.reader import Checkpoint

_SIGN = b"(agentinitd "
_TRIGGERS: dict[str | None, CompactionTrigger] = {
    "manual": "manual",
    **dict.fromkeys(("auto", "background", "context_limit_retry", "memory_pressure", "threshold"), "auto"),
}  # fmt: skip
_INSERTED = ("<system_notification", "<system-reminder", "<system_reminder")


class Answer(Request, frozen=True, kw_only=True):
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
        self, session_id: str, checkpoint: Checkpoint | None = None, *, history_until: int = 0
    ) -> None:
        checkpoint = checkpoint or Checkpoint()
        self._memory = remembered(checkpoint, session_id)
        self._history_until = history_until
        self._events: list[Event] = []
        self._lines: RecordLines[Record] = RecordLines(
            SHAPE,
            read=self._read,
            skip=self._skip,
            offset=checkpoint.offset,
            line=checkpoint.line,
            is_open=self._memory.is_line_open,
        )
        self._read_kind: dict[str | None, Callable[[Record], None]] = {
            "session.start": self._read_session,
            "session.resume": self._read_session,
            "session.context_changed": self._read_session,
            "user.message": self._read_user_message,
            "assistant.message": self._read_assistant_message,
            "tool.execution_start": self._read_tool_start,
            "tool.execution_complete": self._read_tool_complete,
            "session.compaction_complete": self._read_compaction,
            "session.compaction_start": self._read_limit,
            "session.model_change": self._read_model_change,
            "session.truncation": self._read_truncation,
            "session.context_cleared": lambda record: self._clear(record, "clear"),
            "session.snapshot_rewind": lambda record: self._clear(record, "rewind"),
            "hook.end": self._read_hook_end,
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
        self._events.append(Skipped(**self._where(None), reason=reason))

    def _read(self, record: Record) -> None:
        read = self._read_kind.get(record.type)
        # What a sub-agent does is recorded among the rest, and says nothing of this session.
        if read is None or record.agent_id is not None or record.ephemeral:
            return
        if not self._memory.is_told and record.type != "session.start":
            self._tell_session(record)
        read(record)

    def _read_session(self, record: Record) -> None:
        memory, session = self._memory, typed(record.data, decode_session, Session)
        before = (memory.session_id, memory.cwd, memory.version)
        memory.session_id = session.session_id or memory.session_id
        memory.cwd = (session.context.cwd if session.context is not None else session.cwd) or memory.cwd
        memory.version = session.copilot_version or memory.version
        memory.is_helper = memory.is_helper or session.detached_from_spawning_parent_session_id is not None
        if not memory.is_told or before != (memory.session_id, memory.cwd, memory.version):
            self._tell_session(record)

    def _tell_session(self, record: Record) -> None:
        memory = self._memory
        memory.is_told = True
        self._events.append(
            SessionSeen(
                **self._where(record),
                session_id=memory.session_id,
                cwd=memory.cwd,
                agent_version=memory.version,
            )
        )

    def _read_user_message(self, record: Record) -> None:
        message = typed(record.data, decode_user_message, UserMessage)
        text = text_of(message.content)
        is_typed = not message.source or message.source.lower().startswith("user")
        if not is_typed or message.is_autopilot_continuation or text.lstrip().startswith(_INSERTED):
            return
        self._memory.snippet = None
        self._events.append(PersonMessage(**self._where(record), text=text))

    def _read_assistant_message(self, record: Record) -> None:
        message = typed(record.data, decode_assistant_message, AssistantMessage)
        if message.parent_tool_call_id is not None:
            return
        where = self._where(record)
        self._memory.snippet = None
        if not message.chunk_index:
            is_split = (message.chunk_count or 1) > 1
            answer = Answer(
                **where,
                request_id=message.message_id or record.id or f"line:{where['line']}",
                model=message.model or "",
                context_tokens=0,
                window_tokens=self._memory.window,
                output_tokens=None if is_split else message.output_tokens,
            )
            self._events.append(answer)
        text = text_of(message.content)
        if text.strip():
            self._events.append(AgentMessage(**where, text=text))
        for request in _tool_requests(message.tool_requests):
            self._tell_call(where, request)

    def _read_tool_start(self, record: Record) -> None:
        request = typed(record.data, decode_tool_request, ToolRequest)
        if request.parent_tool_call_id is None:
            self._tell_call(self._where(record), request)

    def _tell_call(self, where: _Where, request: ToolRequest) -> None:
        call_id, name = request.tool_call_id, request.name or request.tool_name
        if call_id is None or name is None or call_id in self._memory.calls:
            return
        remember(self._memory.calls, call_id, where["line"], limit=KNOWN_CALLS)
        arguments = bytes(request.arguments)
        is_object = arguments[:1] == b"{"
        self._events.append(
            ToolCall(**where, call_id=call_id, name=name, input_json=arguments if is_object else b"{}")
        )
        if name == copilot_cli_plan.TOOL:
            steps = copilot_cli_plan.steps_of(plain(request.arguments))
            if steps is not None:
                self._events.append(PlanUpdate(**where, steps=steps))

    def _read_tool_complete(self, record: Record) -> None:
        done = typed(record.data, decode_tool_complete, ToolComplete)
        if done.tool_call_id is None or done.parent_tool_call_id is not None:
            return
        text = text_of(done.result.content) if done.result is not None else ""
        if not text and done.error is not None:
            text = text_of(done.error.message)
        self._events.append(
            ToolResult(
                **self._where(record),
                call_id=done.tool_call_id,
                is_success=done.success,
                text=text[:RESULT_CHARS],
            )
        )

    def _read_limit(self, record: Record) -> None:
        limit = tokens_of(typed(record.data, decode_limit, Limit).token_limit)
        self._memory.window = limit or self._memory.window

    def _read_model_change(self, record: Record) -> None:
        del record
        self._memory.window = None

    def _read_truncation(self, record: Record) -> None:
        """Old messages were left out, and nothing put in their place."""
        self._read_limit(record)
        self._clear(record, "microcompact")

    def _read_compaction(self, record: Record) -> None:
        """One that failed left the context as it was."""
        memory, found = self._memory, typed(record.data, decode_compaction, Compaction)
        marker_id = record.id or f"line:{self._lines.line}"
        if found.success is not True or marker_id in memory.markers:
            return
        remember(memory.markers, marker_id, self._lines.line, limit=KNOWN_MARKERS)
        before, after = tokens_of(found.pre_compaction_tokens), tokens_of(found.post_compaction_tokens)
        removed = tokens_of(found.tokens_removed)
        if after is None and before is not None and removed is not None and removed < before:
            after = before - removed
        self._events.append(
            CompactionMarker(
                **self._where(record),
                marker_id=marker_id,
                trigger=_TRIGGERS.get(found.trigger),
                tokens_before=before,
                tokens_after=after,
            )
        )

    def _clear(self, record: Record, kind: ClearKind) -> None:
        self._events.append(ContextCleared(**self._where(record), kind=kind))

    def _read_hook_end(self, record: Record) -> None:
        if _SIGN not in bytes(record.data):
            return
        output = plain(typed(record.data, decode_hook_end, HookEnd).output)
        for text in _texts_in(output, depth=4):
            snippet_id = snippet_in(text)
            if snippet_id is not None and snippet_id != self._memory.snippet:
                self._memory.snippet = snippet_id
                self._events.append(SnippetSeen(**self._where(record), snippet_id=snippet_id))

    def _where(self, record: Record | None) -> _Where:
        return {
            "line": self._lines.line,
            "offset": self._lines.at,
            "written_at": seconds_of(record.timestamp) if record is not None else None,
            "is_history": self._lines.at < self._history_until,
            "is_helper": self._memory.is_helper,
        }


def _tool_requests(raw: Raw) -> list[ToolRequest]:
    if bytes(raw)[:1] != b"[":
        return []
    try:
        return decode_tool_requests(bytes(raw))
    except NOT_PLAIN:
        values = plain(raw)
    return [lenient(value, ToolRequest) for value in values or () if isinstance(value, dict)]


def _texts_in(value: object, *, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth:
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(part, depth=depth - 1)
