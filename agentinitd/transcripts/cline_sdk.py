"""Messages of Cline's own store (4.x, CLI 3.x), in the shape of Anthropic's API → events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, TypedDict

import msgspec
from msgspec import Raw, Struct

from agentinitd.model.events import (
    RESULT_CHARS,
    AgentMessage,
    ContextCleared,
    Event,
    PersonMessage,
    Request,
    SnippetSeen,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts.cline_told import Piece, Unread, key_of, unread
from agentinitd.transcripts.cline_words import snippet_in, typed_part
from agentinitd.transcripts.document import DocumentFormat, Interpreted
from agentinitd.transcripts.document_entries import Document, Entry
from agentinitd.transcripts.json_lines import (
    NOT_PLAIN,
    TOKENS_LIMIT,
    clean,
    lenient,
    plain,
    seconds_of,
    text_of,
    typed,
)


class Metrics(Struct, gc=False, rename="camel"):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None


class ModelInfo(Struct, gc=False):
    id: str | None = None


class Metadata(Struct, gc=False, rename="camel"):
    kind: str | None = None
    reason: str | None = None
    display_role: str | None = None
    tokens_before: int | None = None
    generated_at: float | None = None


class Message(Struct, gc=False, rename="camel"):
    role: str | None = None
    content: Raw = Raw()
    ts: float | None = None
    model_info: ModelInfo | None = None
    metrics: Metrics | None = None
    metadata: Metadata | None = None


class Block(Struct, gc=False):
    type: str | None = None
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = Raw()
    tool_use_id: str | None = None
    content: Raw = Raw()
    is_error: bool | None = None


class Where(TypedDict):
    line: int
    offset: int
    written_at: float | None


_decode_message = msgspec.json.Decoder(Message).decode
_decode_blocks = msgspec.json.Decoder(list[Block]).decode
_ROLES = frozenset({"user", "assistant"})
_PROGRAM = frozenset({"system", "status"})


def message_of(raw: bytes) -> Message:
    return typed(Raw(raw), _decode_message, Message)


def is_message(raw: bytes) -> bool:
    return message_of(raw).role in _ROLES


def form(*, is_detailed: bool = False) -> DocumentFormat:
    return DocumentFormat(
        list_key="messages",
        is_message=is_message,
        interpret=lambda document, memory: interpret(document, memory, is_detailed=is_detailed),
    )


def interpret(document: Document, memory: Mapping[str, Any], *, is_detailed: bool = False) -> Interpreted:
    """Satisfies `DocumentFormat.interpret`."""
    pieces = [piece for entry in document.entries for piece in pieces_of(entry, is_detailed=is_detailed)]
    new = unread(pieces, memory, is_whole=document.is_whole)
    memory = {**new.memory, "messages": len(document.entries), "updated_at": updated_at(document)}
    return Interpreted(with_rewind(new, document), memory)


def updated_at(document: Document) -> float | None:
    """When the document says that it was written."""
    return seconds_of(text_of(document.head.get("updated_at", Raw())) or None)


def with_rewind(new: Unread, document: Document) -> list[Event]:
    return [rewound(new.events, document), *new.events] if new.is_rewound else new.events


def rewound(events: list[Event], document: Document) -> ContextCleared:
    """Where the conversation goes on after a part of it was taken back."""
    if events:
        return ContextCleared(line=events[0].line, offset=events[0].offset, kind="rewind")
    last = document.entries[-1] if document.entries else None
    line, offset = (last.line, last.index) if last is not None else (1, 0)
    return ContextCleared(line=line, offset=offset, kind="clear" if last is None else "rewind")


def pieces_of(entry: Entry, *, is_detailed: bool) -> Iterator[Piece]:
    message = message_of(entry.raw)
    where: Where = {"line": entry.line, "offset": entry.index, "written_at": seconds_of_ts(message.ts)}
    if message.role == "assistant":
        yield from _request(message, where)
        for block in blocks_of(message.content):
            yield from _of_assistant(block, where, is_detailed=is_detailed)
    elif message.role == "user":
        is_inserted = message.metadata is not None and (
            message.metadata.display_role in _PROGRAM or message.metadata.kind is not None
        )
        for block in blocks_of(message.content):
            if block.type == "tool_result":
                yield _result(block, where, is_detailed=is_detailed)
            elif block.type == "text" and not is_inserted:
                yield from _of_user(block.text or "", where)


def seconds_of_ts(milliseconds: float | None) -> float | None:
    """Seconds since the epoch; None for a number that is no time."""
    if milliseconds is None or not 0 < milliseconds < 1e14:
        return None
    return milliseconds / 1000


def _request(message: Message, where: Where) -> Iterator[Piece]:
    metrics = message.metrics
    if metrics is None:
        return
    cached = (metrics.cache_read_tokens or 0) + (metrics.cache_write_tokens or 0)
    sent, received = metrics.input_tokens or 0, metrics.output_tokens or 0
    # The store counts what came from the cache as input; where a provider does not, the input is the smaller.
    tokens = (sent if sent >= cached else sent + cached) + received
    if not 0 < tokens < TOKENS_LIMIT or sent + cached <= 0:
        return
    key = key_of("q", str(sent), str(cached), str(received), str(where["written_at"]))
    model = message.model_info.id if message.model_info is not None else None
    yield Piece(
        key,
        Request(**where, request_id=f"message:{key[1:]}", model=clean(model) or "", context_tokens=tokens),
    )


def _of_assistant(block: Block, where: Where, *, is_detailed: bool) -> Iterator[Piece]:
    if block.type == "text" and (text := (block.text or "").strip()):
        yield Piece(key_of("a", text), AgentMessage(**where, text=text) if is_detailed else None)
    elif block.type == "tool_use":
        call_id, name = clean(block.id) or "", clean(block.name) or ""
        key = f"c{call_id}" if call_id else key_of("c", name, str(where["written_at"]))
        given = bytes(block.input) or b"{}"
        call = ToolCall(**where, call_id=call_id, name=name, input_json=given) if is_detailed else None
        yield Piece(key, call)


def _of_user(text: str, where: Where) -> Iterator[Piece]:
    if snippet_id := snippet_in(text):
        yield Piece(f"s{snippet_id}", SnippetSeen(**where, snippet_id=snippet_id))
    if said := typed_part(text):
        yield Piece(key_of("p", said), PersonMessage(**where, text=said))


def _result(block: Block, where: Where, *, is_detailed: bool) -> Piece:
    call_id = clean(block.tool_use_id) or ""
    if call_id and not is_detailed:
        return Piece(f"r{call_id}", None)
    content = plain(block.content)
    text = _result_text(content)
    key = f"r{call_id}" if call_id else key_of("r", text)
    if not is_detailed:
        return Piece(key, None)
    is_success = not (block.is_error or _has_failed(content))
    return Piece(key, ToolResult(**where, call_id=call_id, is_success=is_success, text=text[:RESULT_CHARS]))


def _has_failed(content: Any) -> bool:
    """The store's own tools tell success for each of their queries."""
    if isinstance(content, str) and content[:1] == "{":
        try:
            content = json.loads(content)
        except NOT_PLAIN:
            return False
    entries = content if isinstance(content, list) else [content]
    return any(isinstance(entry, dict) and entry.get("success") is False for entry in entries)


def _result_text(content: Any) -> str:
    if isinstance(content, str):
        return clean(content) or ""
    entries = content if isinstance(content, list) else []
    texts = [
        entry.get(field)
        for entry in entries
        if isinstance(entry, dict)
        for field in ("text", "result", "error")
    ]
    return "\n".join(text for text in (clean(text) for text in texts) if text)


def blocks_of(content: Raw) -> list[Block]:
    """The content of a message; a plain string counts as one block of text."""
    if bytes(content)[:1] == b'"':
        return [Block(type="text", text=text_of(content))]
    try:
        return _decode_blocks(content)
    except NOT_PLAIN:
        value = plain(content)
    if not isinstance(value, list):
        return []
    return [lenient(block, Block) for block in value if isinstance(block, dict)]
