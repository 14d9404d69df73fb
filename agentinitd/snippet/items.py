"""Markdown that a script printed, as items: list items, paragraphs and code blocks, none of them ever cut."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from agentinitd.model.facts import Priority
from agentinitd.model.snippets import Item
from agentinitd.snippet.frame import without_ids

# None of these may look again and again at what it has seen: a line has up to 64 KiB, and anybody writes it.
_BULLET = re.compile(r"([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+(\S.*)")
_EMPTY_BULLET = re.compile(r"[ \t]*[-*+][ \t]*")
_FENCE = re.compile(r"[ \t]*(?:[-*+][ \t]+)?(`{3,}+(?!.*`)|~{3,}).*")
_HEADING = re.compile(r"[ \t]*#{1,6}(?:[ \t]+(.*)|#*[ \t]*)")
_RULE = re.compile(r"[ \t]*(?:(?:[-*_][ \t]*){3,}|=+[ \t]*)")
_CODE_OR_COMMENT = re.compile(r"(?<!`)(`++).*?(?<!`)\1(?!`)|<!--((?:(?!<!--).)*?)-->|(<!--)")
_PRIORITY = re.compile(r"\s*priority\s*:\s*(critical|normal|low)\s*", re.IGNORECASE)
_OPTIONAL = re.compile(r"\s*optional\s*", re.IGNORECASE)
_PRIORITIES: dict[str, Priority] = {"critical": "critical", "normal": "normal", "low": "low"}
_SURROGATE = re.compile(r"[\ud800-\udfff]")


# Scripts print the same again and again: of a large memory, parsing it would be half of a rebuild.
@lru_cache(maxsize=16)
def items_of(markdown: str) -> tuple[str | None, tuple[Item, ...]]:
    """Title (a heading before everything else) and items; a later heading goes with the item behind it.

    A comment `<!-- priority: critical -->` or `low` ranks the item it stands on; `<!-- optional -->` makes
    its line, if that goes on with an item, an aside of it.  Other comments are dropped.
    """
    reader = _Reader(_SURROGATE.sub("\ufffd", markdown).replace("\r\n", "\n").removesuffix("\n").split("\n"))
    items = reader.read()
    return reader.title, tuple(items)


@dataclass(slots=True)
class _Draft:
    """An item while its lines are collected."""

    lines: list[str]
    indent: int | None
    """Of its bullet; None for a paragraph or a code block."""
    priority: Priority = "normal"
    asides: list[str] = field(default_factory=list)


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.title: str | None = None
        self._lines = lines
        self._drafts: list[_Draft] = []
        self._current: _Draft | None = None
        self._heading: str | None = None
        self._fence: re.Pattern[str] | None = None
        self._fence_mark = ""
        self._comment: list[str] | None = None
        self._is_after_blank = False
        self._last_closing = max((number for number, line in enumerate(lines) if "-->" in line), default=-1)

    def read(self) -> list[Item]:
        for number, line in enumerate(self._lines):
            self._read_line(number, line)
        if self._fence and self._current:
            # Left open it would turn the rest of the snippet into code.
            self._current.lines.append(self._fence_mark)
        return [
            Item(text=text, aside=_text(draft, draft.asides), priority=draft.priority)
            for draft in self._drafts
            if (text := _text(draft, draft.lines))
        ]

    def _read_line(self, number: int, line: str) -> None:
        if self._fence and self._current:
            self._current.lines.append(line)
            self._fence = None if self._fence.fullmatch(line) else self._fence
            return
        text, comments = self._without_comments(number, line)
        begun = self._current
        if text.strip() or not comments:
            self._take(text.rstrip())
        for comment in comments:
            ranked = _PRIORITY.fullmatch(comment)
            if ranked and self._current:
                self._current.priority = _PRIORITIES[ranked[1].lower()]
            elif text.strip() and begun and begun is self._current and _OPTIONAL.fullmatch(comment):
                begun.asides.append(begun.lines.pop())

    def _without_comments(self, number: int, line: str) -> tuple[str, list[str]]:
        """The line without its comments, and those that end on it."""
        ended: list[str] = []
        if self._comment is not None:
            before, closing, line = line.partition("-->")
            self._comment.append(before)
            if not closing:
                return "", [""]
            ended, self._comment = ["\n".join(self._comment)], None
        kept, position = "", 0
        for found in _CODE_OR_COMMENT.finditer(line):
            if found[2] is not None:
                ended.append(found[2])
                kept, position = kept + line[position : found.start()], found.end()
            elif found[3] and self._is_closed(number, line[found.end() :]):
                self._comment = [line[found.end() :]]
                return kept + line[position : found.start()], [*ended, ""]
        return kept + line[position:], ended

    def _is_closed(self, number: int, rest: str) -> bool:
        """Whether the comment ends before the next one begins; if not, `<!--` is just what somebody wrote."""
        if "<!--" in rest or number >= self._last_closing:
            return False
        following = (self._lines[index] for index in range(number + 1, self._last_closing + 1))
        marked = next((line for line in following if "<!--" in line or "-->" in line), "")
        return "-->" in marked and "<!--" not in marked.partition("-->")[0]

    def _take(self, line: str) -> None:
        """One line without comments: it begins an item, goes on with one, or ends one."""
        indent = _indent(line)
        is_inside = (
            self._current is not None and self._current.indent is not None and indent > self._current.indent
        )
        fence = _FENCE.fullmatch(line)
        if not line or _EMPTY_BULLET.fullmatch(line):
            self._is_after_blank = True
            return
        if fence:
            self._open_fence(line, fence[1], is_inside=is_inside)
        elif heading := _HEADING.fullmatch(line):
            self._take_heading(_without_closing_marks(heading[1] or ""), line, is_inside=is_inside)
        elif _RULE.fullmatch(line):
            self._current = None
        else:
            self._take_text(line, indent, is_inside=is_inside)
        self._is_after_blank = False

    def _open_fence(self, line: str, mark: str, *, is_inside: bool) -> None:
        if is_inside and self._current:
            self._current.lines.append(line)
        else:
            self._begin(line, indent=None)
        self._fence_mark = " " * _indent(line) + mark
        self._fence = re.compile(rf"[ \t]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")

    def _take_heading(self, text: str, line: str, *, is_inside: bool) -> None:
        if is_inside and self._current and text:
            self._current.lines.append(" " * _indent(line) + text)
        elif not is_inside:
            is_title = self.title is None and self._heading is None and not self._drafts
            self.title, self._heading = (text or None, None) if is_title else (self.title, text or None)
            self._current = None

    def _take_text(self, line: str, indent: int, *, is_inside: bool) -> None:
        bullet = _BULLET.fullmatch(line)
        if self._current and (is_inside or not (bullet or self._is_after_blank)):
            self._current.lines.append(line)
        elif bullet:
            sign = bullet[2] if bullet[2][0].isdigit() else "-"
            self._begin(f"{bullet[1]}{sign} {bullet[3]}", indent=indent)
        else:
            self._begin(line, indent=None)

    def _begin(self, line: str, *, indent: int | None) -> None:
        self._current = _Draft([line], indent)
        if self._heading:
            # So that the heading is left out together with what it announces.
            self._current.lines.insert(0, " " * _indent(line) + f"{self._heading}:")
            self._heading = None
        self._drafts.append(self._current)


def _without_closing_marks(heading: str) -> str:
    """`Title ##` is `Title`."""
    text = heading.strip(" \t")
    bare = text.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else text


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def _text(draft: _Draft, lines: list[str]) -> str:
    """These lines of an item, moved with it to the left margin."""
    margin = draft.lines[0][: len(draft.lines[0]) - len(draft.lines[0].lstrip())]
    return without_ids("\n".join(line.removeprefix(margin) for line in lines)).rstrip()
