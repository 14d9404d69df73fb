"""What stands in a message of Gemini CLI: typed by the person, or put there by the program.

Owns the words by which the program's insertions, its summaries and its notices of a compression are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agentinitd.model.events import CompactionTrigger
from agentinitd.transcripts.gemini_records import Part, Record, parts_of, text_in

SNAPSHOT = "<state_snapshot>"
ACKNOWLEDGED = "Got it. Thanks for the additional context!"
# Written so, or with escapes that only another program would use.
_SNAPSHOT_BYTES = b"state_snapshot"
_HOOK_OPENING, _HOOK_CLOSING = "<hook_context>", "</hook_context>"
_FILES_FOLLOW = "\n--- Content from "
_INSERTED = (
    SNAPSHOT,
    "<session_context>",
    "This is the Gemini CLI. We are setting up the context for our chat.",
    "This is the Qwen Code. We are setting up the context for our chat.",
    "Here is the user's editor context",
    "Here is a summary of changes in the user's editor context",
    "System: Please continue.",
    "System: Potential loop detected.",
    "[System: You previously ",
)
_CONTINUE = "Please continue."
# A command of the program, and not a path with which a message begins.
_COMMAND = re.compile(r"\s*(?:/[A-Za-z][\w:-]*(?:\s|\Z)|\?\s*\Z)")
_PERCENT = re.compile(r"\s*Context compressed from \d+% to \d+%")
_COUNTED = re.compile(r"\(compressed from: (\d+|unknown) to (\d+|unknown) tokens\).?\s*\Z")


class Compressed(NamedTuple):
    """What is known of a compression."""

    trigger: CompactionTrigger | None
    tokens_before: int | None = None
    tokens_after: int | None = None


def typed_text(record: Record) -> str | None:
    """What the person typed, "" for a picture without words, None when nothing here was typed."""
    parts = parts_of(record.content)
    shown = parts_of(record.display_content) if record.display_content else []
    for part in (*parts, *shown):
        if part.function_response is not None:
            return None
    if parts and is_inserted(parts[0].text or ""):
        return None
    texts = _typed_texts(shown) or _typed_texts(parts)
    if texts:
        text = "\n".join(texts)
        return None if is_command(text) or is_inserted(text) else text
    return "" if any(part.inline_data or part.file_data for part in parts) else None


def is_inserted(text: str) -> bool:
    """A message that begins so is the program's own."""
    text = text.lstrip()
    return text.startswith(_INSERTED) or text.rstrip() == _CONTINUE


def is_command(text: str) -> bool:
    return text.lstrip()[:1] in ("/", "?") and _COMMAND.match(text) is not None


def _typed_texts(parts: Iterable[Part]) -> list[str]:
    """Up to where the files that the message names follow, and without what hooks added."""
    texts = []
    for part in parts:
        text = part.text
        if not text or part.thought or text.isspace():
            continue
        if text.startswith(_FILES_FOLLOW):
            break
        if not text.lstrip().startswith(_HOOK_OPENING):
            texts.append(text)
    return texts


def hook_texts(record: Record) -> Iterator[str]:
    """What hooks added to this message."""
    for part in parts_of(record.content):
        text = (part.text or "").strip()
        if text.startswith(_HOOK_OPENING):
            yield text.removeprefix(_HOOK_OPENING).removesuffix(_HOOK_CLOSING)


def holds_snapshot(record: Record) -> bool:
    """The message is, or quotes, a summary of what was before."""
    if record.type != "user" or _SNAPSHOT_BYTES not in bytes(record.content):
        return False
    return SNAPSHOT in text_in(record.content)


def is_acknowledged(following: Record | None) -> bool:
    """The program lets the model answer its own summary so."""
    return following is not None and text_in(following.content).startswith(ACKNOWLEDGED)


def compressed_by(record: Record) -> Compressed | None:
    """A notice that the context was compressed.  One without a word is what `/compress` leaves."""
    if record.type != "info" or not record.content:
        return None
    text = text_in(record.content)
    if not text:
        return Compressed("manual")
    if _PERCENT.match(text):
        return Compressed("auto")
    counted = _COUNTED.search(text)
    if counted is None:
        return None
    before, after = (
        int(count) if count.isdigit() and len(count) < 10 else None for count in counted.groups()
    )
    return Compressed("auto", before, after)
