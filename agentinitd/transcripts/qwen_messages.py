"""What stands under the user role in Qwen Code: typed by the person, or put there by the program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agentinitd.transcripts.gemini_messages import is_command, is_inserted
from agentinitd.transcripts.json_lines import typed
from agentinitd.transcripts.qwen_records import Part, PromptPayload, Record, decode_prompt, parts_of

_HOOK_OPENING = "<qwen:user-prompt-submit-context>"
_HOOK_CLOSING = "</qwen:user-prompt-submit-context>"
_REMINDER = re.compile(r"\s*<(system-reminder|task-notification|background-tasks)>.*</\1>\s*\Z", re.DOTALL)
_FILES_FOLLOW = "\n--- Content from "


def typed_text(record: Record) -> str | None:
    """What the person typed, "" for a picture without words, None when nothing here was typed."""
    if record.subtype is not None or record.provenance not in (None, "real_user"):
        return None
    parts = parts_of(record.message)
    if any(part.function_response is not None for part in parts):
        return None
    shown = payload_of(record).display_text if record.system_payload else None
    if shown and not shown.isspace():
        return shown
    text = "\n".join(_typed_texts(parts))
    if text and not text.isspace():
        return None if is_command(text) or is_inserted(text) else text
    return "" if any(part.inline_data or part.file_data for part in parts) else None


def payload_of(record: Record) -> PromptPayload:
    return typed(record.system_payload, decode_prompt, PromptPayload)


def _typed_texts(parts: Iterable[Part]) -> Iterator[str]:
    """Up to where the files that the message names follow, and without what hooks and the program added."""
    for part in parts:
        text = part.text
        if not text or part.thought:
            continue
        if text.startswith(_FILES_FOLLOW):
            return
        if "<" not in text or not (text.lstrip().startswith(_HOOK_OPENING) or _REMINDER.match(text)):
            yield text


def hook_texts(record: Record) -> Iterator[str]:
    """What hooks added to this message."""
    context = payload_of(record).hook_context if record.system_payload else None
    if context:
        yield context
    for part in parts_of(record.message):
        text = (part.text or "").strip()
        if text.startswith(_HOOK_OPENING):
            yield text.removeprefix(_HOOK_OPENING).removesuffix(_HOOK_CLOSING)
