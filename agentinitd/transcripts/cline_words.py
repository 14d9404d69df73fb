"""What stands under the user role in Cline and Roo Code: typed by the person, or put there by the program."""

from __future__ import annotations

import re

_ATTACHED = re.compile(
    r"<(mode_notice|file_content|folder_content|url_content|hook_context|environment_details|SYSTEM_NOTICE"
    r"|explicit_instructions|conditional_rules|diagnostics|git_working_state|workspace_diagnostics"
    r"|terminal_output)\b[^>]*>"
)
_WRAPPED = re.compile(r"<(user_input|user_command|task|user_message|feedback|answer)\b([^>]*)>")
_SLASH = re.compile(r'slash="([^"]+)"')
_NOTICES = (
    # What the program says in the person's place, word for word as it does.
    "The user approved switching to act mode.",
    "Detected ",
    "Stopped after ",
    "[ERROR]",
    "[TASK RESUMPTION]",
    "Context summary:",
)
_NOTICE_SIGNS = {"Detected ": "identical calls to", "Stopped after ": "consecutive mistakes"}
_SNIPPET = re.compile(r"\(agentinitd ([0-9a-f]{8,16})\)")
_SNIPPET_CHARS = 2000


def typed_part(text: str) -> str:
    """What the person typed in this text; "" when that is nothing."""
    if "<" in text:
        text = _unwrapped(_without_attached(text))
    text = text.strip()
    return "" if _is_notice(text) else text


def _without_attached(text: str) -> str:
    at = 0
    while opening := _ATTACHED.search(text, at):
        closing = f"</{opening[1]}>"
        end = text.find(closing, opening.end())
        if end < 0:
            # An opening without its end is somebody's text.
            at = opening.end()
            continue
        text = text[: opening.start()] + text[end + len(closing) :]
        at = opening.start()
    return text


def _unwrapped(text: str) -> str:
    stripped = text.strip()
    opening = _WRAPPED.match(stripped)
    closing = f"</{opening[1]}>" if opening is not None else ""
    if opening is None or not stripped.endswith(closing):
        return text
    inner = stripped[opening.end() : len(stripped) - len(closing)]
    slash = _SLASH.search(opening[2])
    return f"/{slash[1]} {inner.strip()}" if slash is not None else inner


def _is_notice(text: str) -> bool:
    start = next((notice for notice in _NOTICES if text.startswith(notice)), None)
    return start is not None and _NOTICE_SIGNS.get(start, "") in text[:400]


def snippet_in(text: str) -> str | None:
    """The id of a snippet of ours that a hook put into this text."""
    start = text.find("<hook_context")
    if start < 0:
        return None
    body = text.find(">", start)
    found = _SNIPPET.search(text, body, body + _SNIPPET_CHARS) if body >= 0 else None
    return found[1] if found is not None else None
