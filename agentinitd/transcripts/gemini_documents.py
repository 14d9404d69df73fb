"""Documents of Gemini CLI (up to 0.36) and of the Qwen Code of that time → events.

A document is written anew after each change.  Messages are known again by their ids; the last of them are
looked at once more, as a message is written before its tokens and its tool calls are there.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from agentinitd.transcripts.document import DocumentFormat, Interpreted
from agentinitd.transcripts.document_entries import Document, Entry
from agentinitd.transcripts.gemini_conversation import Conversation
from agentinitd.transcripts.gemini_memory import Memory
from agentinitd.transcripts.gemini_messages import Compressed
from agentinitd.transcripts.gemini_records import Record, id_of, is_message, message_of

OPEN_MESSAGES = 32
"""So many at the end may still get their tokens and their tools."""
KNOWN_IDS = 16384


class DocumentMemory(msgspec.Struct):
    conversation: Memory
    ids: list[int] = []
    """Checksums of the ids of all messages of the form read last, in their order."""
    start_time: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What only the files around a document tell of it."""

    is_helper: bool = False
    root: str | None = None
    """The project's folder, as the program says it."""
    projects: Sequence[str] = ()
    """Folders that may be it."""
    goes_on: bool = False
    """The session began in another file: up to 0.20 a compression starts a new one."""
    tokens_before: int | None = None
    """The context with which that file ended."""


def document_format(origin: Origin, *, is_detailed: bool = False) -> DocumentFormat:
    return DocumentFormat(
        list_key="messages",
        is_message=is_message,
        interpret=lambda document, memory: _interpret(document, memory, origin, is_detailed=is_detailed),
    )


def _interpret(
    document: Document, state: Mapping[str, Any], origin: Origin, *, is_detailed: bool
) -> Interpreted:
    memory = _remembered(state)
    conversation = Conversation(
        memory.conversation, is_detailed=is_detailed, root=origin.root, projects=origin.projects
    )
    ids = [_known_as(entry) for entry in document.entries]
    head = message_of(msgspec.json.encode(dict(document.head)))
    memory.conversation.is_helper = memory.conversation.is_helper or origin.is_helper
    conversation.line = 1
    is_other = memory.conversation.session_id not in (None, head.session_id)
    conversation.read_head(head)
    if is_other:
        memory.ids = []
    elif not memory.ids and ids and origin.goes_on:
        _mark(conversation, head, origin.tokens_before)
    elif document.is_whole and memory.ids and ids:
        _look_for_break(conversation, memory, head, ids)
    _read_new(conversation, memory, document.entries, ids)
    # A torn document lacks messages that are known.
    memory.ids = ids[-KNOWN_IDS:] if document.is_whole else [*memory.ids, *_without(ids, memory.ids)]
    memory.start_time = head.start_time or memory.start_time
    return Interpreted(conversation.take(), msgspec.to_builtins(memory))


def _remembered(state: Mapping[str, Any]) -> DocumentMemory:
    try:
        if state:
            return msgspec.convert(dict(state), DocumentMemory)
    except msgspec.ValidationError:
        pass  # written by another version: all is told again
    return DocumentMemory(conversation=Memory())


def _known_as(entry: Entry) -> int:
    return zlib.crc32((id_of(entry.raw) or f"message:{entry.index}").encode("utf-8", "surrogatepass"))


def _without(ids: list[int], known: list[int]) -> list[int]:
    seen = set(known)
    return [each for each in ids if each not in seen]


def _look_for_break(conversation: Conversation, memory: DocumentMemory, head: Record, ids: list[int]) -> None:
    """What became of the messages that were there: taken back, or left behind by a compression."""
    known = set(memory.ids)
    if memory.ids[-1] in set(ids):
        return
    kept = [index for index, each in enumerate(ids) if each in known]
    if not kept and head.start_time != memory.start_time:
        # In the minute in which the session began a compression writes its new file over the old one.
        _mark(conversation, head, None)
    else:
        conversation.offset = kept[-1] if kept else 0
        conversation.clear(head, "rewind")


def _mark(conversation: Conversation, head: Record, tokens_before: int | None) -> None:
    marker_id = f"{head.session_id}:{head.start_time}"
    conversation.compressions.mark(head, marker_id, Compressed(None, tokens_before))


def _read_new(
    conversation: Conversation, memory: DocumentMemory, entries: list[Entry], ids: list[int]
) -> None:
    known = set(memory.ids)
    # Beyond what is remembered nothing is new: there messages are only ever added at the end.
    forgotten = len(entries) - KNOWN_IDS if len(memory.ids) == KNOWN_IDS else 0
    open_from = len(entries) - OPEN_MESSAGES
    for at, (entry, known_as) in enumerate(zip(entries, ids, strict=True)):
        if at < forgotten or (known_as in known and at < open_from):
            continue
        conversation.line, conversation.offset = entry.line, entry.index
        conversation.read_message(message_of(entry.raw))
