"""Messages and requests of Goose → events, and what has to be remembered of them between two reads."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple, TypedDict

from msgspec import Struct

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
from agentinitd.transcripts.claude_code_messages import snippet_in
from agentinitd.transcripts.goose_records import (
    Message,
    is_command,
    is_compaction_command,
    plan_steps,
    tool_of,
)

KNOWN_MESSAGES = 128
_SIGN = "(agentinitd "


class Usage(NamedTuple):
    """One request of the model, as Goose keeps account of it."""

    id: str
    written_at: float | None
    model: str
    context_tokens: int | None
    output_tokens: int | None
    is_compaction: bool = False


class Memory(Struct):
    """What has to be known of the records before; it goes into the checkpoint as it is."""

    is_begun: bool = False
    session: tuple[str, str | None] | None = None
    line: int = 0
    """Messages so far."""
    records: int = 0
    """Messages and requests so far."""
    message_id: int = 0
    """The newest row taken; all behind it are new."""
    usage_id: int = 0
    kept: int = 0
    """How many rows there are up to `message_id`."""
    known: dict[str, float] = {}
    """Fingerprints of the last messages, and when they were written."""
    is_line_open: bool = False
    """Of a file: its last line was read before its newline came."""
    is_rereading: bool = False
    """The messages were put in anew: those that are known are passed over."""
    is_last_sent: bool = True
    """The message before is still sent to the model."""
    summary: tuple[int, int, float] | None = None
    """What may be the summary of a compaction: its line, its record, its time; the next message tells."""
    announced: dict[str, bool] = {}
    """By what the compaction since the last request is known."""
    is_manual: bool = False
    last_tokens: int | None = None
    totals: tuple[int | None, int | None] | None = None
    """The session's own figures, where there is no account of requests: of the last one, and of all."""


class _Where(TypedDict):
    line: int
    offset: int
    written_at: float | None
    is_history: bool
    is_helper: bool


class Teller:
    """Tells the records of one session in order; `events` grows."""

    def __init__(
        self,
        memory: Memory,
        *,
        is_helper: bool,
        copied_until: float,
        window_tokens: int | None,
        is_detailed: bool = False,
    ) -> None:
        self.events: list[Event] = []
        self.is_known = False
        """What is told now was there before."""
        self.place: tuple[int, int] | None = None
        """Line and offset of what is told now, where the records have them themselves."""
        self._memory = memory
        self._last: deque[Message] = deque(maxlen=KNOWN_MESSAGES)
        self._is_helper = is_helper
        self._copied_until = copied_until
        self._window_tokens = window_tokens
        self._is_detailed = is_detailed

    def session(self, session_id: str, cwd: str | None) -> None:
        if self._memory.session != (session_id, cwd):
            self._memory.session = (session_id, cwd)
            self.events.append(
                SessionSeen(**self._where(None), session_id=session_id, cwd=cwd, agent_version=None)
            )

    def cleared(self, kind: ClearKind) -> None:
        self.events.append(ContextCleared(**self._where(None), kind=kind))

    def unreadable(self, what: str) -> None:
        self._memory.line += 1
        self._memory.records += 1
        self.events.append(Skipped(**self._where(None), reason=f"{what} cannot be read"))

    def message(self, message: Message) -> None:
        memory = self._memory
        if memory.is_rereading and self.was_told(message):
            memory.is_last_sent, memory.summary = message.is_sent, None
            return
        memory.line += 1
        memory.records += 1
        self._last.append(message)
        if memory.summary is not None or not message.is_shown:
            self._look_for_compaction(message)
        if not message.is_shown:
            self._snippet(message, message.text)
        elif message.tools or message.role == "assistant":
            if self._is_detailed:
                self._detail(message)
        elif not self._is_helper:
            self._person(message)
        memory.is_last_sent = message.is_sent

    def settle(self) -> None:
        """Puts into the memory by what the last messages are known; before that is kept."""
        known = self._memory.known
        for message in self._last:
            known[message.fingerprint] = message.created_at
        self._last.clear()
        for fingerprint in list(known)[:-KNOWN_MESSAGES]:
            del known[fingerprint]

    def was_told(self, message: Message) -> bool:
        known = self._memory.known
        if message.fingerprint in known or len(known) < KNOWN_MESSAGES:
            return message.fingerprint in known
        return message.created_at < min(known.values())

    def usage(self, usage: Usage) -> None:
        self._memory.records += 1
        if usage.is_compaction:
            self._compaction(usage)
        elif usage.context_tokens:
            self._memory.announced, self._memory.is_manual = {}, False
            self._memory.last_tokens = usage.context_tokens
            self.events.append(
                Request(
                    **self._where(usage.written_at),
                    request_id=usage.id,
                    model=usage.model,
                    context_tokens=usage.context_tokens,
                    window_tokens=self._window_tokens,
                )
            )

    def _compaction(self, usage: Usage) -> None:
        if self._is_announced("usage"):
            return
        self.events.append(
            CompactionMarker(
                **self._where(usage.written_at),
                marker_id=usage.id,
                trigger="manual" if self._memory.is_manual else None,
                tokens_before=self._memory.last_tokens,
                tokens_after=usage.output_tokens,
            )
        )

    def _look_for_compaction(self, message: Message) -> None:
        """The summary is a message from the person that only the model sees, behind one that it sees no more.

        What follows is the model's own word, put there, that it goes on.
        """
        memory = self._memory
        summary, memory.summary = memory.summary, None
        if summary is not None and message.role == "assistant" and not message.is_shown:
            self._inferred(*summary)
        elif message.role == "user" and not message.is_shown and not memory.is_last_sent:
            memory.summary = (memory.line, memory.records, message.created_at)

    def _inferred(self, line: int, record: int, written_at: float) -> None:
        if self._is_announced("messages"):
            return
        where = self._where(written_at)
        where["line"], where["offset"] = line, record
        self.events.append(
            CompactionMarker(
                **where,
                marker_id=f"message:{line}",
                trigger="manual" if self._memory.is_manual else None,
                tokens_before=self._memory.last_tokens,
                tokens_after=None,
            )
        )

    def _is_announced(self, by: str) -> bool:
        """The messages and the account tell of the same compaction, in any order, until the next request."""
        memory = self._memory
        is_same = bool(memory.announced) and by not in memory.announced
        memory.announced = {**memory.announced, by: True} if is_same else {by: True}
        return is_same

    def _detail(self, message: Message) -> None:
        """What was said and done."""
        where = self._where(message.created_at)
        if message.role == "assistant" and (said := message.text):
            self.events.append(AgentMessage(**where, text=said))
        for tool in map(tool_of, message.tools):
            if tool is None:
                continue
            if tool.is_answer:
                text = shortened(tool.text)
                result = ToolResult(**where, call_id=tool.call_id, is_success=tool.is_success, text=text)
                self.events.append(result)
                continue
            call = ToolCall(**where, call_id=tool.call_id, name=tool.name, input_json=tool.input_json)
            self.events.append(call)
            steps = plan_steps(tool)
            if steps is not None:
                self.events.append(PlanUpdate(**where, steps=steps))

    def _person(self, message: Message) -> None:
        text = message.text
        if is_command(text):
            self._memory.is_manual = self._memory.is_manual or is_compaction_command(text)
        elif not self._snippet(message, text) and (text or message.has_picture):
            self.events.append(PersonMessage(**self._where(message.created_at), text=text))

    def _snippet(self, message: Message, text: str) -> bool:
        snippet_id = snippet_in(text) if _SIGN in text else None
        if snippet_id is not None:
            self.events.append(SnippetSeen(**self._where(message.created_at), snippet_id=snippet_id))
        return snippet_id is not None

    def _where(self, written_at: float | None) -> _Where:
        is_copied = written_at is not None and written_at < self._copied_until
        line, offset = self.place or (max(1, self._memory.line), self._memory.records)
        return {
            "line": line,
            "offset": offset,
            "written_at": written_at,
            "is_history": self.is_known or is_copied,
            "is_helper": self._is_helper,
        }
