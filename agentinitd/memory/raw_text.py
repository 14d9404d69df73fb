"""A file as it is, to the byte, addressed by the lines and columns that its reader names."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from agentinitd.memory.markdown import Line, Span

_END = re.compile(r"(\r\n|\r|\n)")
_BOM = "\ufeff"


class Edit(NamedTuple):
    """In place of the characters from `start` to `end`: `text`."""

    start: int
    end: int
    text: str = ""


class RawText:
    """Lines are counted from 1, columns from 0 and without a byte order mark."""

    def __init__(self, text: str) -> None:
        self.text = text
        parts = _END.split(text)
        self._lines = parts[::2]
        self._ends = [*parts[1::2], ""]
        self._starts = [0]
        for line, end in zip(self._lines, self._ends, strict=True):
            self._starts.append(self._starts[-1] + len(line) + len(end))

    def newline(self, number: int | None = None) -> str:
        """How this line ends, else how most do."""
        own = self._ends[number - 1] if number else ""
        counted = Counter(end for end in self._ends if end).most_common(1)
        return own or (counted[0][0] if counted else "\n")

    def offset(self, number: int, column: int) -> int:
        has_mark = number == 1 and self.text.startswith(_BOM)
        return self._starts[number - 1] + column + has_mark

    def end(self, number: int) -> int:
        """Behind the last character of this line."""
        return self._starts[number - 1] + len(self._lines[number - 1])

    def indent(self, number: int) -> str:
        line = self._lines[number - 1].removeprefix(_BOM)
        return line[: len(line) - len(line.lstrip(" \t"))]

    def whole(self, first: int, last: int) -> Edit:
        """Without these lines."""
        return Edit(self.offset(first, 0), self._starts[last])

    def cut(self, edit: Edit) -> str:
        return self.text[edit.start : edit.end]

    def pieces(self, line: Line, start: int) -> list[Edit]:
        """Where the text of a line stands from `start` on, without blanks around it; one place or several."""
        found = []
        position = 0
        for span in _spans(line):
            piece = self._piece(span, max(0, start - position))
            position += span.length
            if piece.start < piece.end:
                found.append(piece)
        return found

    def _piece(self, span: Span, skipped: int) -> Edit:
        begin, end = (
            self.offset(span.number, span.column),
            self.offset(span.number, span.column + span.length),
        )
        text = self.text[min(begin + skipped, end) : end]
        return Edit(end - len(text.lstrip()), end - (len(text) - len(text.rstrip())))

    def is_all(self, line: Line) -> bool:
        """Whether nothing but its text stands on these lines."""
        first, last = self.offset(line.number, 0), self.end(line.end)
        return last - first == sum(span.length for span in _spans(line)) and not line.comments


def _spans(line: Line) -> tuple[Span, ...]:
    return line.spans or (Span(line.number, 0, len(line.text)),)


def applied(text: str, edits: list[Edit]) -> str:
    """All of them at once; of two at one place the first comes first."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        pieces += [text[position : max(edit.start, position)], edit.text]
        position = max(position, edit.end)
    return "".join([*pieces, text[position:]])
