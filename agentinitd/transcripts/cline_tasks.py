"""`ui_messages.json` of Cline 3.x and of Roo Code → events: what the person saw of a task.

Every message has a time of its own, in milliseconds, and keeps it while it is written on; it is told when it
is complete.  A request is told when its figures are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from agentinitd.model.events import (
    RESULT_CHARS,
    AgentMessage,
    CompactionMarker,
    CompactionTrigger,
    Event,
    PersonMessage,
    PlanUpdate,
    Request,
    SnippetSeen,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts.cline_plan import ROO_TOOL, steps_in_checklist, steps_in_todos
from agentinitd.transcripts.cline_sdk import Where, seconds_of_ts, with_rewind
from agentinitd.transcripts.cline_told import Piece, unread
from agentinitd.transcripts.cline_words import snippet_in, typed_part
from agentinitd.transcripts.document import DocumentFormat, Interpreted
from agentinitd.transcripts.document_entries import Document, Entry
from agentinitd.transcripts.json_lines import TOKENS_LIMIT, clean, plain, tokens_of, typed

Flavour = Literal["cline", "roo"]


class ModelInfo(Struct, gc=False, rename="camel"):
    model_id: str | None = None


class UiMessage(Struct, gc=False, rename="camel"):
    ts: float | None = None
    type: str | None = None
    ask: str | None = None
    say: str | None = None
    text: str | None = None
    partial: bool | None = None
    conversation_history_deleted_range: Raw = Raw()
    context_condense: Raw = Raw()
    context_truncation: Raw = Raw()
    model_info: ModelInfo | None = None


class Usage(Struct, gc=False, rename="camel"):
    """The text of `api_req_started`, which is JSON in a string."""

    tokens_in: float | None = None
    tokens_out: float | None = None
    cache_writes: float | None = None
    cache_reads: float | None = None
    request: str | None = None


_decode = msgspec.json.Decoder(UiMessage).decode
_decode_usage = msgspec.json.Decoder(Usage).decode
_TRIGGERS: dict[object, CompactionTrigger] = {"auto": "auto", "manual": "manual"}


def message_of(raw: bytes) -> UiMessage:
    return typed(Raw(raw), _decode, UiMessage)


def is_message(raw: bytes) -> bool:
    message = message_of(raw)
    return message.type in ("say", "ask") and message.ts is not None


def form(flavour: Flavour, *, is_detailed: bool = False) -> DocumentFormat:
    interpret = interpreter(flavour, is_detailed=is_detailed)
    return DocumentFormat(list_key=None, is_message=is_message, interpret=interpret)


def interpreter(
    flavour: Flavour, *, is_detailed: bool = False
) -> Callable[[Document, Mapping[str, Any]], Interpreted]:
    """What satisfies `DocumentFormat.interpret` for this agent."""

    def interpret(document: Document, memory: Mapping[str, Any]) -> Interpreted:
        task = _Task(flavour, is_detailed=is_detailed)
        pieces = [piece for entry in document.entries for piece in task.pieces_of(entry)]
        new = unread(pieces, memory, is_whole=document.is_whole)
        return Interpreted(with_rewind(new, document), new.memory)

    return interpret


class _Task:
    """Goes through the messages of one task once, from the first."""

    def __init__(self, flavour: Flavour, *, is_detailed: bool) -> None:
        self._flavour = flavour
        self._is_detailed = is_detailed
        self._deleted_until = -1
        self._trigger: CompactionTrigger | None = None
        self._model = ""

    def pieces_of(self, entry: Entry) -> Iterator[Piece]:
        message = message_of(entry.raw)
        if message.model_info is not None:
            self._model = clean(message.model_info.model_id) or self._model
        where: Where = {"line": entry.line, "offset": entry.index, "written_at": seconds_of_ts(message.ts)}
        yield from self._deleted_range(message, where)
        name = message.say if message.type == "say" else message.ask if message.type == "ask" else None
        kind = f"{message.type} {name}"
        # The first text is the task itself, as the person typed it.
        kind = "say task" if kind == "say text" and entry.index == 0 else kind
        read = _READ.get(kind) or _READ_DETAILED.get(kind)
        if message.partial or read is None:
            return
        stamp = f"{message.ts:.0f}" if message.ts is not None else f"index {entry.index}"
        if name == "tool":
            self._note_summary(message)
        if kind in _READ_DETAILED and not self._is_detailed:
            yield Piece(f"{name} {stamp}", None)
            return
        for event in read(self, message, where):
            yield Piece(f"{type(event).__name__[:5]} {stamp}", event)

    def _deleted_range(self, message: UiMessage, where: Where) -> Iterator[Piece]:
        """Cline cuts its history from the front: a longer cut is another compaction."""
        found = plain(message.conversation_history_deleted_range)
        if not (isinstance(found, list) and len(found) == 2 and type(found[1]) is int):
            return
        if found[1] > self._deleted_until:
            marker_id = f"deleted:{found[1]}"
            yield Piece(marker_id, _marker(where, marker_id, self._trigger, None, None))
            self._trigger = None
        # A task that was taken back to an earlier point has a shorter cut again.
        self._deleted_until = found[1]

    def _note_summary(self, message: UiMessage) -> None:
        """Of all tools only one matters: it summarises the history that is cut next."""
        if "summarizeTask" in (message.text or "") and _tool_in(_json(message.text)) == "summarizeTask":
            self._trigger = "auto"

    def said(self, message: UiMessage, where: Where) -> Iterator[Event]:
        if text := (clean(message.text) or "").strip():
            yield AgentMessage(**where, text=text)

    def typed(self, message: UiMessage, where: Where) -> Iterator[Event]:
        if text := typed_part(clean(message.text) or ""):
            yield PersonMessage(**where, text=text)

    def answered(self, message: UiMessage, where: Where) -> Iterator[Event]:
        """A result, or a question; questions are JSON in a string."""
        text = (clean(message.text) or "").removesuffix("HAS_CHANGES").strip()
        value = _json(text)
        if isinstance(value, dict):
            text = clean(value.get("question")) or clean(value.get("response")) or ""
        if text:
            yield AgentMessage(**where, text=text)

    def request(self, message: UiMessage, where: Where) -> Iterator[Event]:
        usage = typed(Raw((message.text or "").encode("utf-8", "replace")), _decode_usage, Usage)
        if usage.request and (snippet_id := snippet_in(usage.request)):
            yield SnippetSeen(**where, snippet_id=snippet_id)
        tokens = _context(usage, self._flavour)
        if 0 < tokens < TOKENS_LIMIT:
            yield Request(
                **where,
                request_id=f"ts:{message.ts:.0f}" if message.ts is not None else f"index:{where['offset']}",
                model=self._model,
                context_tokens=tokens,
            )

    def tool(self, message: UiMessage, where: Where) -> Iterator[Event]:
        arguments = _json(message.text)
        if not isinstance(arguments, dict):
            return
        name = _tool_in(arguments)
        if name == ROO_TOOL:
            yield PlanUpdate(**where, steps=steps_in_todos(arguments))
        yield _call(name, msgspec.json.encode(arguments), where)

    def edited_plan(self, message: UiMessage, where: Where) -> Iterator[Event]:
        yield PlanUpdate(**where, steps=steps_in_todos(_json(message.text)))

    def progress(self, message: UiMessage, where: Where) -> Iterator[Event]:
        if steps := steps_in_checklist(clean(message.text) or ""):
            yield PlanUpdate(**where, steps=steps)

    def command(self, message: UiMessage, where: Where) -> Iterator[Event]:
        text = (clean(message.text) or "").removesuffix("REQ_APP")
        if text.strip():
            yield _call("execute_command", msgspec.json.encode({"command": text}), where)

    def mcp_call(self, message: UiMessage, where: Where) -> Iterator[Event]:
        found = _json(message.text)
        if isinstance(found, dict):
            server, name = clean(found.get("serverName")) or "", clean(found.get("toolName"))
            name = name or clean(found.get("uri")) or ""
            arguments = found.get("arguments")
            encoded = arguments if isinstance(arguments, str) else msgspec.json.encode(arguments or {})
            encoded = encoded.encode("utf-8", "replace") if isinstance(encoded, str) else encoded
            yield _call(f"mcp__{server}__{name}", encoded or b"{}", where)

    def output(self, message: UiMessage, where: Where) -> Iterator[Event]:
        """Of the call before it; these messages name no call."""
        if text := clean(message.text):
            yield ToolResult(**where, call_id="", is_success=None, text=text[:RESULT_CHARS])

    def condense_asked(self, _message: UiMessage, _where: Where) -> Iterator[Event]:
        """Cline's `/compact`: the history that is cut next was summarised on request."""
        self._trigger = "manual"
        return iter(())

    def condensed(self, message: UiMessage, where: Where) -> Iterator[Event]:
        return _sized_marker(plain(message.context_condense), "condenseId", message, where)

    def truncated(self, message: UiMessage, where: Where) -> Iterator[Event]:
        return _sized_marker(plain(message.context_truncation), "truncationId", message, where)

    def compacted(self, message: UiMessage, where: Where) -> Iterator[Event]:
        """The divider that the extension of 4.x shows; it is written on in place until it is complete."""
        found = _json(message.text)
        if isinstance(found, dict) and found.get("status") == "completed":
            mode = found.get("mode")
            yield _marker(
                where,
                f"ts:{message.ts}",
                _TRIGGERS.get(mode) if isinstance(mode, str) else None,
                tokens_of(found.get("tokensBefore")),
                tokens_of(found.get("tokensAfter")),
            )


def _context(usage: Usage, flavour: Flavour) -> int:
    cached = _count(usage.cache_writes) + _count(usage.cache_reads)
    sent = _count(usage.tokens_in)
    # Later releases of Roo Code count what came from the cache as input, whatever the provider says.
    is_total = flavour == "roo" and sent >= cached
    # Before an answer the figures are zeros; what was only written counts for no request.
    return (sent if is_total else sent + cached) + _count(usage.tokens_out) if sent + cached else 0


def _count(value: float | None) -> int:
    return tokens_of(value) or 0


def _sized_marker(found: Any, id_field: str, message: UiMessage, where: Where) -> Iterator[Event]:
    if isinstance(found, dict):
        before, after = tokens_of(found.get("prevContextTokens")), tokens_of(found.get("newContextTokens"))
        yield CompactionMarker(
            **where,
            marker_id=clean(found.get(id_field)) or f"ts:{message.ts}",
            trigger=None,
            tokens_before=before,
            tokens_after=after,
            is_whole=before is not None and after is not None,
        )


def _marker(
    where: Where, marker_id: str, trigger: CompactionTrigger | None, before: int | None, after: int | None
) -> CompactionMarker:
    return CompactionMarker(
        **where, marker_id=marker_id, trigger=trigger, tokens_before=before, tokens_after=after
    )


def _tool_in(arguments: Any) -> str:
    if not isinstance(arguments, dict):
        return ""
    return clean(arguments.get("tool")) or clean(arguments.get("toolName")) or ""


def _call(name: str, input_json: bytes, where: Where) -> ToolCall:
    return ToolCall(**where, call_id="", name=name, input_json=input_json)


def _json(text: str | None) -> Any:
    """JSON in a string; None for any other text."""
    if not text or text[:1] not in "{[":
        return None
    return plain(Raw(text.encode("utf-8", "replace")))


_READ: dict[str, Callable[[_Task, UiMessage, Where], Iterator[Event]]] = {
    "say task": _Task.typed,
    "say user_feedback": _Task.typed,
    "say api_req_started": _Task.request,
    "say api_req_finished": _Task.request,
    "ask condense": _Task.condense_asked,
    "say condense_context": _Task.condensed,
    "say sliding_window_truncation": _Task.truncated,
    "say compaction": _Task.compacted,
}
"""What a message of this type and name says.  Those not listed say nothing that is an event."""
_READ_DETAILED: dict[str, Callable[[_Task, UiMessage, Where], Iterator[Event]]] = {
    "say text": _Task.said,
    "say completion_result": _Task.answered,
    "say plan_completion_result": _Task.answered,
    "ask completion_result": _Task.answered,
    "ask followup": _Task.answered,
    "ask plan_mode_respond": _Task.answered,
    "ask act_mode_respond": _Task.answered,
    "say tool": _Task.tool,
    "ask tool": _Task.tool,
    "say command": _Task.command,
    "ask command": _Task.command,
    "say command_output": _Task.output,
    "ask command_output": _Task.output,
    "say use_mcp_server": _Task.mcp_call,
    "ask use_mcp_server": _Task.mcp_call,
    "say mcp_server_response": _Task.output,
    "say task_progress": _Task.progress,
    "say user_edit_todos": _Task.edited_plan,
}
