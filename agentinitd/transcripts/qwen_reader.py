"""Records of Qwen Code → events.  Keeps a small, bounded memory of what it has read so far."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import Any, TypedDict

import msgspec

from agentinitd.model.events import (
    AgentMessage,
    ClearKind,
    CompactionMarker,
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
from agentinitd.transcripts import gemini_tools, qwen_messages
from agentinitd.transcripts.claude_code_messages import snippet_in
from agentinitd.transcripts.gemini_records import FunctionResponse
from agentinitd.transcripts.json_lines import RecordLines, clean, plain, seconds_of, tokens_of, typed
from agentinitd.transcripts.qwen_records import (
    SHAPE,
    Compression,
    CompressionInfo,
    FunctionCall,
    Record,
    ToolCallResult,
    Usage,
    decode_compression,
    decode_result,
    parts_of,
    said_text,
    summary_in,
)
from agentinitd.transcripts.reader import Checkpoint

_COMPRESSED = 1
"""The status of a compression that took place."""
# A smaller fall is the noise between two requests.
_FALL_PERCENT = 10
_TOLD_SUBTYPES = frozenset({"chat_compression", "rewind"})
_SIGN = b"(agentinitd "


class Memory(msgspec.Struct):
    """What the reader has to know of the lines before; it goes into the checkpoint as it is."""

    session_id: str | None = None
    cwd: str | None = None
    version: str | None = None
    is_helper: bool | None = None
    """None until the first record tells."""
    summary: int | None = None
    """A checksum of the summary with which the context begins."""
    peak: int | None = None
    """The largest context since it was made smaller for a known reason."""
    snippet: str | None = None
    is_line_open: bool = False


class _Where(TypedDict):
    line: int
    offset: int
    written_at: float | None
    is_history: bool
    is_helper: bool


class QwenReader:
    def __init__(
        self,
        checkpoint: Checkpoint | None = None,
        *,
        history_until: int = 0,
        is_detailed: bool = False,
        is_helper: bool = False,
    ) -> None:
        checkpoint = checkpoint or Checkpoint()
        self._memory = _remembered(checkpoint.state)
        if is_helper:
            self._memory.is_helper = True
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
        self._read_type: dict[str | None, Callable[[Record], None]] = {
            "user": self._read_user,
            "assistant": self._read_answer if is_detailed else self._read_usage,
            "tool_result": self._read_tool_result if is_detailed else _leave_out,
            "system": self._read_system,
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
        state = msgspec.to_builtins(self._memory)
        return Checkpoint(offset=self.offset, line=self._lines.line, state=state)

    def _told(self) -> list[Event]:
        events, self._events = self._events, []
        return events

    def _skip(self, reason: str) -> None:
        self._events.append(Skipped(**self._where(Record()), reason=reason))

    def _read(self, record: Record) -> None:
        kind, memory = record.type, self._memory
        if kind == "system" and record.subtype not in _TOLD_SUBTYPES:
            return
        if (record.is_sidechain or memory.is_helper is None) and self._is_aside(record):
            return
        read = self._read_type.get(kind)
        if read is None:
            return
        if (
            record.session_id != memory.session_id
            or record.cwd != memory.cwd
            or record.version != memory.version
        ):
            self._see_session(record)
        read(record)

    def _is_aside(self, record: Record) -> bool:
        """A helper's record in the main transcript.  The first record tells whose transcript it is."""
        if self._memory.is_helper is None:
            self._memory.is_helper = record.is_sidechain is True
        return record.is_sidechain is True and not self._memory.is_helper

    def _see_session(self, record: Record) -> None:
        memory = self._memory
        old = (memory.session_id, memory.cwd, memory.version)
        new = (record.session_id or old[0], record.cwd or old[1], record.version or old[2])
        if new == old or new[0] is None:
            return
        memory.session_id, memory.cwd, memory.version = new
        self._events.append(
            SessionSeen(**self._where(record), session_id=new[0], cwd=new[1], agent_version=new[2])
        )

    def _read_user(self, record: Record) -> None:
        message = record.message
        if message is not None and (_SIGN in bytes(message.parts) or _SIGN in bytes(record.system_payload)):
            self._look_for_snippet(record)
        text = qwen_messages.typed_text(record)
        if text is not None and not self._memory.is_helper:
            self._memory.snippet = None
            self._events.append(PersonMessage(**self._where(record), text=text))

    def _look_for_snippet(self, record: Record) -> None:
        for text in qwen_messages.hook_texts(record):
            snippet_id = snippet_in(text)
            if snippet_id is not None and snippet_id != self._memory.snippet:
                self._memory.snippet = snippet_id
                self._events.append(SnippetSeen(**self._where(record), snippet_id=snippet_id))

    def _read_answer(self, record: Record) -> None:
        self._read_usage(record)
        where = self._where(record)
        parts = parts_of(record.message)
        text = said_text(parts)
        if text and not text.isspace():
            self._events.append(AgentMessage(**where, text=text))
        for index, part in enumerate(parts):
            if part.function_call is not None:
                self._read_call(part.function_call, part.function_call.id or f"{record.uuid}:{index}", where)

    def _read_usage(self, record: Record) -> None:
        usage = record.usage_metadata or Usage()
        # Exactly as the program itself finds out when it resumes a session.
        tokens = tokens_of(usage.prompt_token_count) or tokens_of(usage.total_token_count)
        if tokens is None:
            return
        memory = self._memory
        if memory.peak is not None and (memory.peak - tokens) * 100 > _FALL_PERCENT * memory.peak:
            # A compression is always recorded: this is another model's count, or old output left out.
            self._clear(record, "microcompact")
        memory.peak = max(tokens, memory.peak or 0)
        memory.snippet = None
        self._events.append(
            Request(
                **self._where(record),
                request_id=record.uuid or f"line:{self._lines.line}",
                model=record.model or "",
                context_tokens=tokens,
                window_tokens=tokens_of(record.context_window_size),
            )
        )

    def _read_call(self, call: FunctionCall, call_id: str, where: _Where) -> None:
        name = call.name or ""
        args = gemini_tools.input_of(call.args)
        self._events.append(ToolCall(**where, call_id=call_id, name=name, input_json=args))
        steps = gemini_tools.plan_in(name, call.args)
        if steps is not None:
            self._events.append(PlanUpdate(**where, steps=steps))

    def _read_tool_result(self, record: Record) -> None:
        responses = (part.function_response for part in parts_of(record.message))
        found = next((each for each in responses if each is not None), None) or FunctionResponse()
        result = typed(record.tool_call_result, decode_result, ToolCallResult)
        call_id = result.call_id or found.id
        if not call_id:
            return
        is_success = gemini_tools.IS_SUCCESS.get(result.status or "")
        if is_success is None and gemini_tools.has_failed(found):
            is_success = False
        text = gemini_tools.response_text(found) or (clean(plain(result.result_display)) or "")
        self._events.append(
            ToolResult(**self._where(record), call_id=call_id, is_success=is_success, text=shortened(text))
        )

    def _read_system(self, record: Record) -> None:
        if record.subtype == "chat_compression":
            self._read_compression(record, typed(record.system_payload, decode_compression, Compression))
        elif record.subtype == "rewind":
            self._clear(record, "rewind")

    def _read_compression(self, record: Record, found: Compression) -> None:
        info = found.info or CompressionInfo()
        if info.compression_status not in (None, _COMPRESSED):
            return
        if self._is_fast(found):
            self._clear(record, "microcompact")
            return
        self._memory.peak = None
        self._events.append(
            CompactionMarker(
                **self._where(record),
                marker_id=record.uuid or f"line:{self._lines.line}",
                trigger=found.trigger,
                tokens_before=tokens_of(info.original_token_count),
                tokens_after=tokens_of(info.new_token_count),
            )
        )

    def _is_fast(self, found: Compression) -> bool:
        """`/compress-fast` only empties old results: its history begins with no new summary."""
        if not found.compressed_history:
            return False
        summary = summary_in(found.compressed_history)
        known = self._memory.summary
        if summary is not None:
            self._memory.summary = zlib.crc32(summary.encode("utf-8", "surrogatepass"))
        return found.trigger == "manual" and (summary is None or self._memory.summary == known)

    def _clear(self, record: Record, kind: ClearKind) -> None:
        self._memory.peak = None
        self._events.append(ContextCleared(**self._where(record), kind=kind))

    def _where(self, record: Record) -> _Where:
        lines = self._lines
        return {
            "line": lines.line,
            "offset": lines.at,
            "written_at": seconds_of(record.timestamp),
            # A fork repeats records of another session, and says so in each.
            "is_history": lines.at < self._history_until or bool(record.forked_from),
            "is_helper": self._memory.is_helper is True,
        }


def _leave_out(_record: Record) -> None:
    """It says nothing but what a tool answered; that it is there may name the session all the same."""


def _remembered(state: Mapping[str, Any]) -> Memory:
    try:
        return msgspec.convert(dict(state), Memory)
    except msgspec.ValidationError:
        # Written by another version: reading goes on, only what repeats across this place is told again.
        return Memory()
