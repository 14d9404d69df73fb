"""Lines of a Markdown file without its code fences and comments: what is left can be read line by line."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from agentinitd.model.facts import Problem

_FENCE = re.compile(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)")
_CODE_OR_COMMENT = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)|(<!--)")
_LINE_FEED = re.compile("\n")
_UNCLOSED = "the comment has no end on it: `-->` is missing."


class Span(NamedTuple):
    """A piece of one line of the file."""

    number: int
    column: int
    length: int


class Comment(NamedTuple):
    """A comment: the place and the text of what stands between its two marks."""

    number: int
    column: int
    text: str


class Line(NamedTuple):
    """One line without the comments that begin on it; with what follows the last one, wherever it ends."""

    number: int
    end: int
    """Number of its last line: a comment or a block of code may take several."""
    text: str
    spans: tuple[Span, ...] = ()
    """The pieces of the file that `text` is made of; none: it is the line as it stands there."""
    comments: tuple[Comment, ...] = ()
    is_code: bool = False
    """It stands for a fenced block, whose text is not ours to read."""


class Lines(Sequence[str]):
    """Split at line feeds only: U+2028 and form feeds are part of what somebody wrote.

    Each is made when it is looked at: all of a long file take twice as much as the file.
    """

    def __init__(self, text: str) -> None:
        self._text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self._starts = array("Q", [0])
        self._starts.extend(found.end() for found in _LINE_FEED.finditer(self._text))

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        start, after = self._starts[index], index + 1
        is_last = after in (0, len(self._starts))
        return self._text[start : len(self._text) if is_last else self._starts[after] - 1]


def readable_lines(lines: Sequence[str], start: int, file: str, problems: list[Problem]) -> Iterator[Line]:
    """One after the other.  What is wrong with one is in `problems` when it comes.

    A fence or comment that is never closed hides nothing: it is named, and what follows is read.
    """
    return _Reader(lines, file, problems).read(start)


def _opening(text: str) -> int | None:
    """Where a comment begins; `<!--` in inline code is code."""
    if "<!--" not in text:
        return None
    return next((found.start() for found in _CODE_OR_COMMENT.finditer(text) if found[2]), None)


class _Reader:
    def __init__(self, lines: Sequence[str], file: str, problems: list[Problem]) -> None:
        self.lines = lines
        self.file = file
        self.problems = problems
        self._shortest_unclosed: dict[str, int] = {}
        self._last_closing = max((index for index, line in enumerate(lines) if "-->" in line), default=-1)

    def read(self, index: int) -> Iterator[Line]:
        while index < len(self.lines):
            fence = _FENCE.fullmatch(self.lines[index])
            end = self._fence_end(index, fence[1], fence[2]) if fence else None
            if end is None:
                line, index = self._without_comments(index)
                yield line
            else:
                yield Line(index + 1, end + 1, self.lines[index], is_code=True)
                index = end + 1

    def _fence_end(self, index: int, mark: str, info: str) -> int | None:
        if mark[0] == "`" and "`" in info:
            return None
        # Known from an earlier line that nothing below closes it; without this, many such lines cost n².
        if len(mark) >= self._shortest_unclosed.get(mark[0], len(mark) + 1):
            return None
        closing = re.compile(rf"[ \t]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*")
        for end in range(index + 1, len(self.lines)):
            if closing.fullmatch(self.lines[end]):
                return end
        self._shortest_unclosed[mark[0]] = len(mark)
        self._name(index, f"the code block is not closed. Add a line `{mark[:3]}` after it.")
        return None

    def _without_comments(self, index: int) -> tuple[Line, int]:
        """The line at `index` with its comments taken out, and the index of the next line to read."""
        number, rest = index + 1, self.lines[index]
        if "<!--" not in rest:
            return Line(number, number, rest), number
        comments: list[Comment] = []
        spans: list[Span] = []
        while (opening := _opening(rest)) is not None:
            column = len(self.lines[index]) - len(rest)
            spans.append(Span(index + 1, column, opening))
            end, comment, after = self._comment(index, rest[opening + 4 :])
            if comment is None:
                self._name(index, _UNCLOSED)
                break
            comments.append(Comment(index + 1, column + opening + 4, comment))
            index, rest = end, after
        else:
            spans.append(Span(index + 1, len(self.lines[index]) - len(rest), len(rest)))
        text = "".join(self.lines[span.number - 1][span.column :][: span.length] for span in spans)
        return Line(number, index + 1, text, tuple(spans), tuple(comments)), index + 1

    def _comment(self, index: int, rest: str) -> tuple[int, str | None, str]:
        """Last line of the comment, its text (None: it is never closed), and what follows on that line."""
        parts: list[str] = []
        for end in range(index, len(self.lines)):
            line = rest if end == index else self.lines[end]
            before, closing, after = line.partition("-->")
            if "<!--" in before:
                break
            parts.append(before)
            if closing:
                return end, "\n".join(parts), after
            if end >= self._last_closing:
                break
        return index, None, ""

    def _name(self, index: int, message: str) -> None:
        self.problems.append(Problem(file=self.file, line=index + 1, message=message))
