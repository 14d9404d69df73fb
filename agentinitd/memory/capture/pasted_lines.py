"""Which lines of a message the person typed, judged with their neighbours.

In doubt a line counts as pasted: a rule that was missed can be said again, a wrong one misleads every session
until somebody finds it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise, takewhile

from agentinitd.memory.capture.literals import Literals, small
from agentinitd.memory.capture.machine_lines import LineKind, is_hint, kind_of
from agentinitd.memory.capture.paste_words import (
    ASIDE,
    FOREIGN,
    INTRODUCES_LIST,
    INTRODUCES_TEXT,
    OWN_LIST,
    RULE_HEADING,
    TYPED,
    asks_about,
    points_up,
)
from agentinitd.memory.capture.pasted_chats import lines_of_chats
from agentinitd.memory.capture.pasted_letters import lines_of_letters
from agentinitd.memory.capture.pasted_pairs import are_pair
from agentinitd.memory.capture.speakers import speaks

_QUOTE = re.compile(r"\s*+(?:>(?!>> )|》|｜\s)")
_LIST_ITEM = re.compile(r"\s*+(?:[-*+•·–]|\(?\d{1,2}[.)、）]|[①-⑳]|[a-z]\))\s*\S")
_WROTE = re.compile(
    r"\s*+(?:On\s.{5,160}\swrote:|(?!(?:i|we|you|he|she|they"
    r"|it)\b)(?:@?[\w-]+(?:\[bot\])? ){1,3}(?:commented|left a comment"
    r"|requested changes|reviewed)(?: on .{1,40}| .{1,20} ago)?[:：]?|在.{4,60}写道[:：]"
    r"|-----* ?(?:Original Message|Forwarded message|原始邮件).*"
    r"|This session is being continued from a previous.*)\s*$",
    re.IGNORECASE,
)
# Without one of them in all the lines there is no quote, no diff and no letter.
_QUOTE_SIGNS = (">", "》", "｜")
_DIFF_SIGNS = ("diff --git", "@@ ", "---", "+++")
_LETTER_SIGNS = (
    "wrote:", "comment", "requested changes", "reviewed", "写道", "original message", "forwarded message",
    "原始邮件", "this session is being continued",
)  # fmt: skip
_SIGNS = Literals([sign.encode() for sign in (*_QUOTE_SIGNS, *_DIFF_SIGNS, *_LETTER_SIGNS)])
_OF_QUOTES, _OF_DIFFS, _OF_LETTERS = frozenset(range(3)), frozenset(range(3, 7)), frozenset(range(7, 16))
MIN_DOCUMENT_HEADINGS = 3
MIN_DOCUMENT_CHARS = 1500
_MARKDOWN_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
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


def own_lines(shown: str, message: str) -> list[tuple[str, bool]]:
    """Each line of what is left, and whether the person typed it; `message` tells what was taken already."""
    lines = _lines_of(shown, message)
    for judge in (
        _judge_runs,
        _judge_correspondence,
        _judge_document,
        _judge_blocks,
        _judge_introduced,
        _judge_pointed_at,
        _judge_asked_about,
    ):
        judge(lines)
    return [(line.text, line.is_own) for line in lines]


def _lines_of(shown: str, message: str) -> list[_Line]:
    lines: list[_Line] = []
    at = 0
    is_list = False
    for text in shown.splitlines(keepends=True):
        is_blank = not text.strip()
        if is_blank:
            lines.append(_Line(text, "typed", is_blank, bool(message[at : at + len(text)].strip())))
        elif not text.startswith(("    ", "\t")):
            is_list = bool(_LIST_ITEM.match(text)) or (is_list and text[0].isspace())
            lines.append(_Line(text, kind_of(text), is_blank))
        else:
            # Indented code, but not what goes on from a list item.
            lines.append(_Line(text, kind_of(text) if is_list else "closed", is_blank))
        at += len(text)
    return lines


def _judge_runs(lines: list[_Line]) -> None:
    """Lines that only their neighbours betray."""
    signs = _SIGNS.in_text(small("".join(line.text for line in lines)))
    if signs & _OF_QUOTES:
        for line in lines:
            line.is_own = line.is_blank or not _QUOTE.match(line.text)
    if signs & _OF_DIFFS:
        _judge_diffs(lines)
    for first, second in pairwise(lines):
        if first.is_blank or second.is_blank:
            continue
        if first.kind in ("open", "closed") and is_hint(second.text):
            second.kind = "closed"
        elif are_pair(first.text, second.text):
            first.kind = second.kind = "open"
    for line in lines:
        if speaks(line.text):
            line.kind = "open"
    if signs & _OF_LETTERS:
        _judge_letters(lines)


def _judge_correspondence(lines: list[_Line]) -> None:
    """Letters and chats: what stands under the head was said to others."""
    texts = [line.text for line in lines]
    message = "".join(texts)
    for number in lines_of_letters(texts, message) | lines_of_chats(texts, message):
        lines[number].is_own = False


def _judge_diffs(lines: list[_Line]) -> None:
    is_within = False
    for line in lines:
        if _DIFF_HEAD.match(line.text):
            is_within = True
        elif is_within and _DIFF_LINE.match(line.text):
            line.kind = "closed"
        else:
            is_within = False


def _judge_letters(lines: list[_Line]) -> None:
    """`On … wrote:`, and what follows: the quoted lines where they are marked, otherwise all the rest."""
    for number, line in enumerate(lines):
        if line.is_blank or not _WROTE.match(line.text):
            continue
        line.is_own = False
        rest = [later for later in lines[number + 1 :] if not later.is_blank]
        if not rest or rest[0].is_own:
            for later in rest:
                later.is_own = False


def _judge_tail(lines: list[_Line], last: int) -> None:
    """Under the last pasted line, in the same block: the output of a command has no marks of its own."""
    above = takewhile(lambda line: not line.is_blank, reversed(lines[: last + 1]))
    is_open = any(line.kind == "open" for line in above)
    for line in takewhile(lambda line: not line.is_blank, lines[last + 1 :]):
        if TYPED.match(line.text) or not (is_open or line.text[0].isspace()):
            break
        line.is_own = False


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
        _judge_between(lines[before + 1 : after])
    if pasted:
        _judge_head(lines[: pasted[0]])
        _judge_tail(lines, pasted[-1])


def _judge_between(lines: list[_Line]) -> None:
    """Between two pasted lines; what stands apart from both by blank lines may sound less like speech."""
    blanks = [number for number, line in enumerate(lines) if line.is_blank]
    for number, line in enumerate(lines):
        is_apart = bool(blanks) and blanks[0] < number < blanks[-1]
        line.is_own &= bool((TYPED if is_apart else ASIDE).match(line.text))


def _judge_head(lines: list[_Line]) -> None:
    """Over the first pasted line, in the same block: one line introduces, more must sound typed."""
    block = list(takewhile(lambda line: not line.is_blank, reversed(lines)))
    for line in block[:-1]:
        line.is_own &= bool(
            TYPED.match(line.text) or _LIST_ITEM.match(line.text) or line.text.rstrip().endswith((":", "："))
        )


def _judge_introduced(lines: list[_Line]) -> None:
    """What stands under "the README says:" is the README's, unless a paste that shows itself came next."""
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.is_own and line.text.rstrip().endswith((":", "：")):
            following = next((later.text for later in lines[number : number + 3] if not later.is_blank), "")
            if _is_introduction(line.text, following):
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


def _judge_pointed_at(lines: list[_Line]) -> None:
    """Over "^ found this in the wiki, still valid?": the block, or all the blocks of a list.

    If there is none, what stands under it.
    """
    for number, line in reversed(list(enumerate(lines)) if len(lines) > 1 else []):
        if line.is_blank or not line.is_own or not points_up(line.text):
            continue
        above = list(reversed(lines[:number]))
        _disown_block(above if any(not each.is_blank for each in above) else lines[number + 1 :])


def _disown_block(lines: list[_Line]) -> None:
    """The nearest block, and with a list also what stands beyond its blank lines."""
    is_list = True
    for line in lines:
        if line.is_blank and not is_list:
            return
        if not line.is_blank:
            line.is_own = False
            is_list = bool(_LIST_ITEM.match(line.text))


def _judge_asked_about(lines: list[_Line]) -> None:
    """Under or over "what does this mean?" stands what is asked about."""
    own = [line for line in lines if line.is_own and not line.is_blank]
    if len(own) < 2:
        return
    asking = [line for line in own if asks_about(line.text)]
    if not asking:
        return
    for line in own:
        is_typed = TYPED.match(line.text) and not _LIST_ITEM.match(line.text)
        line.is_own = line in asking or bool(is_typed)
