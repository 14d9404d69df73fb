"""What of a message the person did not type: it is made blank, so that every place keeps its offset.

The safety floor of capture.  In doubt a line counts as pasted: a rule that was missed can be said again, a
wrong one misleads every session until somebody finds it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from agentinitd.memory.capture.machine_lines import LineKind, is_hint, kind_of
from agentinitd.memory.capture.paste_words import (
    ASIDE,
    ASKS_ABOUT,
    FOREIGN,
    INTRODUCES_LIST,
    INTRODUCES_TEXT,
    OWN_LIST,
    RULE_HEADING,
    TYPED,
)
from agentinitd.memory.capture.speakers import is_talk, speaks

MAX_MESSAGE_CHARS = 20_000
"""Of a longer message the head and the tail are read: nobody types so much."""

_NOT_NEWLINE = re.compile(r"[^\n]")
_FENCE = re.compile(r"```|~~~")
_SNIPPET = re.compile(r"[^\n]*\(agentinitd [0-9a-f]{12}\)")
_SNIPPET_END = re.compile(
    r"When unsure, check these first; do not assume\.|不确定时先核对以上内容，不要假设。"
)
# Words of the agent's own programs, which some of them file under the person's name.
_WHOLLY_FOREIGN = re.compile(
    r"\s*(?:This session is being continued from a previous|Caveat: The messages below were generated"
    r"|# AGENTS\.md instructions for|Base directory for this skill:|Conversation summary:|\[Request interrupted)"
)
_TAG = re.compile(r"<([A-Za-z][\w:.-]*)(?:\s[^<>]{0,500})?>")
_WRAPPER_TAG = re.compile(r"[\w:.]+-[\w:.-]+|[a-z]+_[a-z_]+|INSTRUCTIONS|context|document|file|stdout|stderr")
MAX_TAGS = 200

_QUOTE = re.compile(r"\s*(?:>(?!>> )|》|｜\s)")
_LIST_ITEM = re.compile(r"\s*(?:[-*+•·–]|\(?\d{1,2}[.)、）]|[①-⑳]|[a-z]\))\s*\S")
_RULER = re.compile(r"\s*(?:-{3,}|={3,}|\*{3,}|_{3,}|\"{3}|'{3})\s*$")
_KEY = re.compile(r"(\s*)(?:- )?([\w./-]+):(?:\s+(\S.*))?$")
_WROTE = re.compile(
    r"\s*(?:On\s.{5,160}\swrote:|.{0,60}\b(?:commented|left a comment|requested changes)\b.{0,40}[:：]?"
    r"|在.{4,60}写道[:：]|-----* ?(?:Original Message|Forwarded message|原始邮件).*)\s*$"
)
MIN_DOCUMENT_HEADINGS = 3
MIN_DOCUMENT_CHARS = 1500
_MARKDOWN_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_SETTING = re.compile(r"\s*[\w.-]+\s?=\s?\S+\s*$")
_SCALAR = re.compile(r"\S+\s*$|[\"'\[{].*[\"'\]}]\s*$")
_MARK = re.compile(r"\s*\[[^\]\s]{2,30}\]\s")
_DIFF_HEAD = re.compile(r"diff --git|@@ .* @@|(?:---|\+\+\+) (?:[ab]/|/dev/)")
_DIFF_LINE = re.compile(r"[-+ \\@]|index |new file|deleted file|similarity|rename ")


@dataclass(slots=True)
class _Line:
    text: str
    kind: LineKind
    is_blank: bool
    was_taken: bool = False
    """Something stood here that was pasted in a way that shows itself, such as a fence."""
    is_own: bool = True


def without_pasted(message: str) -> str:
    """The message, as long as before, with blanks for everything that the person did not type."""
    if _WHOLLY_FOREIGN.match(message):
        return _blank(message)
    shown = _without_middle(_without_tags(_without_snippet(_without_fences(message))))
    lines = _lines_of(shown, message)
    for judge in (_judge_runs, _judge_document, _judge_blocks, _judge_introduced, _judge_asked_about):
        judge(lines)
    return "".join(line.text if line.is_own else _blank(line.text) for line in lines)


def _blank(text: str) -> str:
    return _NOT_NEWLINE.sub(" ", text)


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
    at = 0
    for _ in range(MAX_TAGS):
        opened = _TAG.search(message, at)
        if opened is None:
            break
        end = _tag_end(message, opened)
        if end is None:
            at = opened.end()
            continue
        message = _without(message, opened.start(), end)
        at = end
    return message


def _tag_end(message: str, opened: re.Match[str]) -> int | None:
    name = opened[1]
    depth = 0
    for tag in re.finditer(rf"<(/?){re.escape(name)}(?:\s[^<>]{{0,500}})?>", message[opened.start() :]):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return opened.start() + tag.end()
    return len(message) if _WRAPPER_TAG.fullmatch(name) else None


def _without_middle(message: str) -> str:
    if len(message) <= MAX_MESSAGE_CHARS:
        return message
    half = MAX_MESSAGE_CHARS // 2
    head = message.rfind("\n", half - 2000, half)
    tail = message.find("\n", len(message) - half, len(message) - half + 2000)
    return _without(message, head if head > 0 else half, tail if tail > 0 else len(message) - half)


def _lines_of(shown: str, message: str) -> list[_Line]:
    lines: list[_Line] = []
    at = 0
    for text in shown.splitlines(keepends=True):
        is_blank = not text.strip()
        was_taken = is_blank and bool(message[at : at + len(text)].strip())
        lines.append(_Line(text, "typed" if is_blank else kind_of(text), is_blank, was_taken))
        at += len(text)
    return lines


def _judge_runs(lines: list[_Line]) -> None:
    """Lines that only their neighbours betray."""
    for line in lines:
        line.is_own = not _QUOTE.match(line.text)
    _judge_diffs(lines)
    _judge_indented(lines)
    for first, second in pairwise(lines):
        if first.is_blank or second.is_blank:
            continue
        if is_hint(second.text) and first.kind in ("open", "closed"):
            second.kind = "closed"
        elif any(is_pair(first.text, second.text) for is_pair in _PAIRS):
            first.kind = second.kind = "open"
    for line in lines:
        if speaks(line.text):
            line.kind = "open"
    _judge_letters(lines)


def _judge_diffs(lines: list[_Line]) -> None:
    is_within = False
    for line in lines:
        if _DIFF_HEAD.match(line.text):
            is_within = True
        elif is_within and _DIFF_LINE.match(line.text):
            line.kind = "closed"
        else:
            is_within = False


def _judge_indented(lines: list[_Line]) -> None:
    """Indented code, but not what goes on from a list item."""
    is_list = False
    for line in lines:
        is_indented = line.text.startswith(("    ", "\t"))
        if _LIST_ITEM.match(line.text) and not is_indented:
            is_list = True
        elif not line.is_blank and not line.text[0].isspace():
            is_list = False
        if is_indented and not is_list and not line.is_blank:
            line.kind = "closed"


def _judge_letters(lines: list[_Line]) -> None:
    """`On … wrote:`, and what follows: the quoted lines where they are marked, otherwise all the rest."""
    for number, line in enumerate(lines):
        if not _WROTE.match(line.text):
            continue
        line.is_own = False
        rest = [later for later in lines[number + 1 :] if not later.is_blank]
        if not rest or rest[0].is_own:
            for later in rest:
                later.is_own = False


def _is_table(first: str, second: str) -> bool:
    commas = first.count(",")
    return (commas >= 2 and commas == second.count(",") and ", " not in first and ", " not in second) or (
        first.strip().count("\t") >= 2 and second.strip().count("\t") >= 2
    )


def _is_settings(first: str, second: str) -> bool:
    return bool(_SETTING.match(first) and _SETTING.match(second))


def _is_yaml(first: str, second: str) -> bool:
    """A key and its first child, or two keys at the same depth with a bare value each."""
    parent, child = _KEY.match(first), _KEY.match(second)
    if not parent or not child:
        return False
    is_nested = len(child[1]) > len(parent[1])
    if not parent[3]:
        return is_nested and bool(child[3] is None or _SCALAR.match(child[3]))
    return not is_nested and len(parent[1]) > 1 and bool(child[3] and _SCALAR.match(parent[3]))


def _is_replaced(first: str, second: str) -> bool:
    return first[:1] == "-" and second[:1] == "+" and first[1:2] not in "- " and second[1:2] not in "+ "


def _is_tagged(first: str, second: str) -> bool:
    """Both begin with the same mark: `[branch-guard] …`."""
    one, two = _MARK.match(first), _MARK.match(second)
    return bool(one and two and one[0] == two[0])


_PAIRS = (_is_tagged, _is_table, _is_settings, _is_yaml, _is_replaced, is_talk)


def _judge_document(lines: list[_Line]) -> None:
    """A plan or a page with headings: nobody types one into a session, but people do put their rules there.

    What stands over the first heading is typed, and so are sections whose heading announces rules.
    """
    headings = [line for line in lines if line.kind == "heading" and _MARKDOWN_HEADING.match(line.text)]
    length = sum(len(line.text) for line in lines)
    if len(headings) < MIN_DOCUMENT_HEADINGS and not (headings and length > MIN_DOCUMENT_CHARS):
        return
    is_rules = is_begun = False
    for line in lines:
        if line.kind == "heading" and _MARKDOWN_HEADING.match(line.text):
            is_begun = True
            is_rules = bool(RULE_HEADING.search(line.text))
        elif is_begun and not is_rules:
            line.is_own = False


def _judge_blocks(lines: list[_Line]) -> None:
    """Plain lines that stand with pasted ones: before the first, between two, under the last."""
    pasted = [number for number, line in enumerate(lines) if line.kind in ("closed", "open")]
    for number in pasted:
        lines[number].is_own = False
    for before, after in pairwise(pasted):
        for line in lines[before + 1 : after]:
            line.is_own &= bool(ASIDE.match(line.text))
    if pasted:
        _judge_head(lines[: pasted[0]])
        last = lines[pasted[-1]]
        for line in lines[pasted[-1] + 1 :]:
            if line.is_blank:
                break
            if TYPED.match(line.text) or (last.kind == "closed" and not line.text[0].isspace()):
                break
            line.is_own = False


def _judge_head(lines: list[_Line]) -> None:
    """Over the first pasted line, in the same block: one line introduces, more must sound typed."""
    block: list[_Line] = []
    for line in reversed(lines):
        if line.is_blank:
            break
        block.insert(0, line)
    for line in block[1:]:
        line.is_own &= bool(
            TYPED.match(line.text) or _LIST_ITEM.match(line.text) or line.text.rstrip().endswith((":", "："))
        )


def _judge_introduced(lines: list[_Line]) -> None:
    """What stands under "the README says:" is the README's, unless a paste that shows itself came next."""
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        following = next((later.text for later in lines[number : number + 3] if not later.is_blank), "")
        if line.is_own and _is_introduction(line.text, following):
            number = _skip_introduced(lines, number)


def _is_introduction(text: str, next_text: str) -> bool:
    introduces = INTRODUCES_LIST if _LIST_ITEM.match(next_text) else INTRODUCES_TEXT
    return bool(introduces.search(text)) and not (OWN_LIST.search(text) and not FOREIGN.search(text))


def _skip_introduced(lines: list[_Line], number: int) -> int:
    """Marks the lines from here on until the person speaks again, and tells where that is."""
    began = number
    while number < len(lines):
        line = lines[number]
        if not line.is_own or line.was_taken:
            return number  # the paste itself, known already
        if not line.is_blank and number > began and ASIDE.match(line.text):
            return number
        if not line.is_blank:
            line.is_own = False
            began = min(began, number - 1)
        number += 1
    return number


def _judge_asked_about(lines: list[_Line]) -> None:
    """Under or over "what does this mean?" stands what is asked about."""
    own = [line for line in lines if line.is_own and not line.is_blank]
    asking = [line for line in own if ASKS_ABOUT.search(line.text)]
    if len(own) < 2 or not asking:
        return
    for line in own:
        line.is_own = line in asking or bool(TYPED.match(line.text))
