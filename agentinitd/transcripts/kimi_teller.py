"""What the readers of Kimi CLI and Kimi Code share: a bounded memory, and how things are told."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypedDict

import msgspec
from msgspec import Raw

from agentinitd.model.events import (
    RESULT_CHARS,
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
from agentinitd.transcripts.json_lines import NOT_PLAIN, lenient, plain, text_of, tokens_of
from agentinitd.transcripts.kimi_records import Part, decode_parts

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
    """Turns what was found into events; `line`, `offset` and `written_at` are those of the record in hand."""

    def __init__(self, memory: Memory, *, is_helper: bool, history_until: int) -> None:
        self.memory = memory
        self.is_helper = is_helper
        self.line = 0
        self.offset = 0
        self.written_at: float | None = None
        self.events: list[Event] = []
        self._history_until = history_until

    @property
    def where(self) -> Where:
        return {
            "line": self.line,
            "offset": self.offset,
            "written_at": self.written_at,
            "is_history": self.offset < self._history_until,
            "is_helper": self.is_helper,
        }

    def session(self) -> None:
        memory = self.memory
        memory.is_told = True
        self.events.append(
            SessionSeen(
                **self.where, session_id=memory.session_id, cwd=memory.cwd, agent_version=memory.version
            )
        )

    def person(self, text: str) -> None:
        """A helper is told what to do by the agent, not by a person."""
        self.memory.snippet = None
        if not self.is_helper:
            self.events.append(PersonMessage(**self.where, text=text))

    def request(self, tokens: int, *, model: str = "", request_id: str | None = None) -> None:
        memory = self.memory
        memory.context_tokens, memory.snippet = tokens, None
        self.events.append(
            Request(
                **self.where,
                request_id=request_id or f"line:{self.line}",
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
            ToolCall(**self.where, call_id=call_id, name=name, input_json=arguments if is_object else b"{}")
        )
        if name in PLAN_TOOLS and is_object:
            found = plain(Raw(arguments))
            self.plan(found.get("todos") if isinstance(found, dict) else None)

    def result(self, call_id: str | None, text: str, *, is_success: bool | None) -> None:
        if call_id is not None:
            self.events.append(
                ToolResult(**self.where, call_id=call_id, is_success=is_success, text=text[:RESULT_CHARS])
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
            self.events.append(PlanUpdate(**self.where, steps=steps))

    def compaction(self, trigger: CompactionTrigger | None, before: int | None, after: int | None) -> None:
        memory = self.memory
        # A line's number changes when the file is written anew; its time does not.
        marker_id = f"line:{self.line}" if self.written_at is None else f"compaction:{self.written_at:.3f}"
        if marker_id in memory.markers:
            return
        memory.markers[marker_id] = self.line
        if len(memory.markers) > KNOWN_MARKERS:
            del memory.markers[next(iter(memory.markers))]
        memory.context_tokens = None
        self.events.append(
            CompactionMarker(
                **self.where,
                marker_id=marker_id,
                trigger=trigger,
                tokens_before=tokens_of(before),
                tokens_after=tokens_of(after),
            )
        )

    def cleared(self, kind: ClearKind) -> None:
        self.memory.context_tokens = None
        self.events.append(ContextCleared(**self.where, kind=kind))

    def snippet(self, texts: Iterable[str]) -> None:
        for text in texts:
            found = snippet_in(text)
            if found is not None and found != self.memory.snippet:
                self.memory.snippet = found
                self.events.append(SnippetSeen(**self.where, snippet_id=found))


def parts_of(raw: Raw) -> list[Part]:
    """The content of a message; a plain text counts as one part."""
    content = bytes(raw)
    if content[:1] == b'"':
        return [Part(type="text", text=text_of(raw))]
    if content[:1] != b"[":
        return []
    try:
        return decode_parts(content)
    except NOT_PLAIN:
        values: Any = plain(raw)
    return [lenient(value, Part) for value in values or () if isinstance(value, dict)]


def texts_of(parts: Iterable[Part]) -> list[str]:
    return [part.text for part in parts if part.type == "text" and part.text]


def typed_text(parts: Iterable[Part]) -> str | None:
    """What the person typed, "" for a picture without words, None when nothing here was typed."""
    parts = list(parts)
    texts = [text for text in texts_of(parts) if text.strip() and not _INSERTED.match(text)]
    if texts:
        return "\n".join(texts)
    return "" if any(part.type not in ("text", "think", None) for part in parts) else None
