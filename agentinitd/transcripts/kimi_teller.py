"""What the readers of Kimi CLI and Kimi Code share: a bounded memory, and how things are told."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypedDict

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
    PlanStatus,
    PlanStep,
    PlanUpdate,
    Request,
    SessionSeen,
    SnippetSeen,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts.claude_code_messages import snippet_in
from agentinitd.transcripts.json_lines import RecordLines, plain, tokens_of
from agentinitd.transcripts.kimi_records import Content, Record

KNOWN_MARKERS = 64
PLAN_TOOLS = frozenset({"SetTodoList", "TodoList"})
# What the program puts into a message of the user's role begins with one of its tags.
_INSERTED = re.compile(
    r"\s*<(?:system|system-reminder|notification|task-notification|local-command-stdout|hook_result"
    r"|imported_context|bash-(?:input|stdout|stderr))\b[^>]*>"
)
_STATUSES: dict[object, PlanStatus] = {
    "pending": "pending", "in_progress": "in_progress", "done": "done", "completed": "done",
    "cancelled": "cancelled",
}  # fmt: skip


class Memory(msgspec.Struct):
    """What the reader has to know of the lines before; it goes into the checkpoint as it is."""

    session_id: str
    cwd: str | None = None
    version: str | None = None
    is_told: bool = False
    """The session has named itself."""
    context_tokens: int | None = None
    window: int | None = None
    request_id: str | None = None
    markers: dict[str, int] = {}
    """Those told, newest last, each with its line."""
    snippet: str | None = None
    """The last snippet told, until the conversation goes on."""
    plan: tuple[tuple[str, str], ...] | None = None
    """The last plan told: it is recorded when it is asked for and again when it is kept."""
    command: str | None = None
    """Kimi CLI: this turn is no message but a command of the program, as `compact`."""
    trigger: CompactionTrigger | None = None
    """Kimi Code: why the compaction runs that began last."""
    is_compacting: bool = False
    request_kind: str | None = None
    """Kimi Code: for what the model was last called."""
    prompts: int = 0
    """Kimi Code: messages that were told when they were typed, and are not part of the conversation yet."""
    is_line_open: bool = False

    def begin_file(self) -> None:
        """The first line of a file: what is remembered of the lines before stood elsewhere."""
        self.command = self.trigger = self.request_kind = None
        self.is_compacting, self.prompts = False, 0


class Where(TypedDict):
    line: int
    offset: int
    written_at: float | None
    is_history: bool
    is_helper: bool


class Teller:
    """Turns what was found in the record in hand into events."""

    lines: RecordLines[Record]
    """Where that record stands."""

    def __init__(self, memory: Memory, *, is_helper: bool, history_until: int) -> None:
        self.memory = memory
        self.is_helper = is_helper
        self.record = Record()
        self.events: list[Event] = []
        self._history_until = history_until

    def where(self) -> Where:
        lines = self.lines
        return {
            "line": lines.line,
            "offset": lines.at,
            "written_at": self.record.written_at,
            "is_history": lines.at < self._history_until,
            "is_helper": self.is_helper,
        }

    def session(self) -> None:
        memory = self.memory
        memory.is_told = True
        self.events.append(
            SessionSeen(
                **self.where(), session_id=memory.session_id, cwd=memory.cwd, agent_version=memory.version
            )
        )

    def person(self, text: str) -> None:
        """A helper is told what to do by the agent, not by a person."""
        self.memory.snippet = None
        if not self.is_helper:
            self.events.append(PersonMessage(**self.where(), text=text))

    def agent(self, content: Content) -> None:
        for text in (content,) if isinstance(content, str) else texts_of(content):
            if text and not text.isspace():
                self.events.append(AgentMessage(**self.where(), text=text))

    def request(self, tokens: int, *, model: str = "", request_id: str | None = None) -> None:
        memory = self.memory
        memory.context_tokens, memory.snippet = tokens, None
        self.events.append(
            Request(
                **self.where(),
                request_id=request_id or f"line:{self.lines.line}",
                model=model,
                context_tokens=tokens,
                window_tokens=memory.window,
            )
        )

    def call(self, call_id: str | None, name: str | None, arguments: bytes) -> None:
        if call_id is None or name is None:
            return
        is_object = arguments[:1] == b"{"
        self.events.append(
            ToolCall(**self.where(), call_id=call_id, name=name, input_json=arguments if is_object else b"{}")
        )
        if name in PLAN_TOOLS and is_object:
            found = plain(Raw(arguments))
            self.plan(found.get("todos") if isinstance(found, dict) else None)

    def result(self, call_id: str | None, text: str, *, is_success: bool | None) -> None:
        if call_id is not None:
            self.events.append(
                ToolResult(**self.where(), call_id=call_id, is_success=is_success, text=text[:RESULT_CHARS])
            )

    def plan(self, todos: object) -> None:
        """A list without steps was cleared; no list at all was only looked at."""
        if not isinstance(todos, list):
            return
        steps = tuple(
            PlanStep(text=text, status=_STATUSES.get(todo.get("status"), "pending"))
            for todo in todos
            if isinstance(todo, dict) and isinstance(text := todo.get("title") or todo.get("content"), str)
        )
        told = tuple((step.text, step.status) for step in steps)
        if told != self.memory.plan:
            self.memory.plan = told
            self.events.append(PlanUpdate(**self.where(), steps=steps))

    def compaction(self, trigger: CompactionTrigger | None, before: int | None, after: int | None) -> None:
        memory = self.memory
        at = self.record.written_at
        # A line's number changes when the file is written anew; its time does not.
        marker_id = f"line:{self.lines.line}" if at is None else f"compaction:{at:.3f}"
        if marker_id in memory.markers:
            return
        memory.markers[marker_id] = self.lines.line
        if len(memory.markers) > KNOWN_MARKERS:
            del memory.markers[next(iter(memory.markers))]
        memory.context_tokens = None
        self.events.append(
            CompactionMarker(
                **self.where(),
                marker_id=marker_id,
                trigger=trigger,
                tokens_before=tokens_of(before),
                tokens_after=tokens_of(after),
            )
        )

    def cleared(self, kind: ClearKind) -> None:
        self.memory.context_tokens = None
        self.events.append(ContextCleared(**self.where(), kind=kind))

    def snippet(self, texts: Iterable[str]) -> None:
        for text in texts:
            found = snippet_in(text)
            if found is not None and found != self.memory.snippet:
                self.memory.snippet = found
                self.events.append(SnippetSeen(**self.where(), snippet_id=found))


def texts_of(content: Content) -> list[str]:
    if isinstance(content, str):
        return [content] if content else []
    return [part.text for part in content or () if part.type == "text" and part.text]


def typed_text(content: Content) -> str | None:
    """What the person typed, "" for a picture without words, None when nothing here was typed."""
    texts = [text for text in texts_of(content) if not text.isspace() and not _INSERTED.match(text)]
    if texts:
        return "\n".join(texts)
    parts = content if isinstance(content, list) else ()
    return "" if any(part.type not in ("text", "think", None) for part in parts) else None
