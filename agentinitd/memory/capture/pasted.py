"""What of a message the person did not type: it is made blank, so that every place keeps its offset.

The safety floor of capture: what was pasted, quoted, or put in by a program must never become a rule.
"""

from __future__ import annotations

import re
from itertools import islice

from agentinitd.memory.capture.given_texts import without_given
from agentinitd.memory.capture.pasted_lines import own_lines

MAX_MESSAGE_CHARS = 20_000
"""Of a longer message the head and the tail are read: nobody types so much."""

_FENCE = re.compile(r"```|~~~")
_SNIPPET = re.compile(r"[^\n]*\(agentinitd [0-9a-f]{12}\)")
_SNIPPET_END = re.compile(
    r"When unsure, check these first; do not assume\.|不确定时先核对以上内容，不要假设。"
)
# Words of the agent's own programs, which some of them file under the person's name.
_WHOLLY_FOREIGN = re.compile(
    r"\s*+(?:This session is being continued from a previous|Caveat: The messages below were generated"
    r"|# AGENTS\.md instructions for|Base directory for this skill:|Conversation summary:"
    r"|\[Request interrupted)"
)
_TAG = re.compile(r"<(/?)([A-Za-z][\w:.-]*)(?:\s[^<>]{0,500})?>")
_WRAPPER_TAG = re.compile(r"[\w:.]+-[\w:.-]+|[a-z]+_[a-z_]+|INSTRUCTIONS|context|document|file|stdout|stderr")
MAX_TAGS = 400


def without_pasted(message: str) -> str:
    """The message, as long as before, with blanks for everything that the person did not type."""
    if _WHOLLY_FOREIGN.match(message):
        return _blank(message)
    shown = _without_middle(_without_tags(_without_snippet(_without_fences(message))))
    typed = "".join([line if is_own else _blank_line(line) for line, is_own in own_lines(shown, message)])
    return without_given(typed)


def _blank(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))


def _blank_line(line: str) -> str:
    return " " * (len(line) - 1) + "\n" if line.endswith("\n") else " " * len(line)


def _without(message: str, start: int, end: int) -> str:
    return message[:start] + _blank(message[start:end]) + message[end:]


def _without_fences(message: str) -> str:
    """Fenced code, also within a line; what an unclosed fence opens goes to the end."""
    parts: list[str] = []
    at = 0
    while (opened := _FENCE.search(message, at)) is not None:
        closed = message.find(opened.group(), opened.end())
        end = len(message) if closed < 0 else closed + len(opened.group())
        parts += (message[at : opened.start()], _blank(message[opened.start() : end]))
        at = end
    return "".join((*parts, message[at:]))


def _without_snippet(message: str) -> str:
    began = _SNIPPET.search(message) if "(agentinitd " in message else None
    if began is None:
        return message
    ended = _SNIPPET_END.search(message, began.end())
    return _without(message, began.start(), ended.end() if ended else len(message))


def _without_tags(message: str) -> str:
    """Blocks between a tag and its end, nested or not; a torn block of an agent's own goes to the end."""
    tags = list(islice(_TAG.finditer(message), MAX_TAGS)) if "<" in message else []
    parts: list[str] = []
    at = 0
    for number, tag in enumerate(tags):
        end = _tag_end(tags, number, len(message)) if tag.start() >= at and not tag[1] else None
        if end is not None:
            parts += (message[at : tag.start()], _blank(message[tag.start() : end]))
            at = end
    return "".join((*parts, message[at:])) if parts else message


def _tag_end(tags: list[re.Match[str]], number: int, length: int) -> int | None:
    name = tags[number][2]
    depth = 0
    for tag in tags[number:]:
        if tag[2] == name:
            depth += -1 if tag[1] else 1
            if depth == 0:
                return tag.end()
    return length if _WRAPPER_TAG.fullmatch(name) else None


def _without_middle(message: str) -> str:
    if len(message) <= MAX_MESSAGE_CHARS:
        return message
    half = MAX_MESSAGE_CHARS // 2
    head = message.rfind("\n", half - 2000, half)
    tail = message.find("\n", len(message) - half, len(message) - half + 2000)
    return _without(message, head if head > 0 else half, tail if tail > 0 else len(message) - half)
