"""A picture as a list of shapes, the same for SVG and PNG: colours by role, texts cut to their room."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agentinitd.cli.terminal import plain

Anchor = Literal["start", "middle", "end"]
Key = Literal["field", "tick", "strip", "line", "dashes"]
"""What stands before the text of a legend."""

# Role → how it looks on light and on dark ground.
COLOURS: dict[str, tuple[str, str]] = {
    "ground": ("#ffffff", "#0d1117"),
    "text": ("#1f2328", "#e6edf3"),
    "muted": ("#59636e", "#9198a1"),
    "grid": ("#d9dee3", "#2a313c"),
    "axis": ("#818b98", "#656c76"),
    "stripe": ("#f3f5f7", "#151b23"),
    "pause": ("#e8ebef", "#21262d"),
    "daemon": ("#8c959f", "#6e7681"),
    "wait": ("#c8cfd6", "#3d444d"),
    "ok": ("#2da44e", "#3fb950"),
    "empty": ("#94d3a2", "#2b6a3b"),
    "cached": ("#54aeff", "#388bfd"),
    "skipped": ("#afb8c1", "#565e68"),
    "failed": ("#cf222e", "#f85149"),
    "timeout": ("#e16f24", "#f0883e"),
    "processor": ("#0a3d1a", "#d2ffd9"),
    "context": ("#0969da", "#58a6ff"),
    "area": ("#ddecfd", "#10243d"),
    "window": ("#8250df", "#bc8cff"),
    "marker": ("#cf222e", "#ff7b72"),
    "drop": ("#bc4c00", "#ffa657"),
    "rebuild": ("#6639ba", "#d2a8ff"),
    "delivery": ("#1a7f37", "#56d364"),
}
CHARACTER_WIDTHS = {
    **dict.fromkeys("iljI.,:;'|!`·", 0.32),
    **dict.fromkeys('ftr()[]{}-"/\\ ', 0.42),
    **dict.fromkeys("mwMW@%", 0.95),
    "…": 1.0,
}
"""Of a sans-serif font, as parts of its size; a little more than most need."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rect:
    x: float
    y: float
    width: float
    height: float
    role: str
    rounded: float = 0.0
    hint: str = ""
    """What is shown when a mouse rests on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    role: str
    width: float = 1.0
    is_dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A line through these points, or the face within them."""

    points: tuple[tuple[float, float], ...]
    role: str
    is_filled: bool
    width: float = 1.5
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    x: float
    y: float
    """Of its base line."""
    text: str
    role: str = "text"
    size: float = 12.0
    anchor: Anchor = "start"
    is_bold: bool = False
    is_upright: bool = False
    """Read from bottom to top."""


Part = Rect | Line | Shape | Text


@dataclass(slots=True)
class Scene:
    width: float
    height: float
    title: str
    description: str = ""
    parts: list[Part] = field(default_factory=list)

    def add(self, *parts: Part) -> None:
        self.parts.extend(parts)


def text_width(text: str, size: float) -> float:
    """Rather too wide than too narrow: fonts differ."""
    return size * sum(_width(character) for character in text)


def _width(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if unicodedata.combining(character):
        return 0.0
    return CHARACTER_WIDTHS.get(character, 0.72 if character.isupper() else 0.64)


def fitted(text: str, size: float, room: float) -> str:
    """As one line without control characters, cut with `…` where it is wider than the room."""
    shown = plain(text, most_chars=2000)
    if text_width(shown, size) <= room:
        return shown
    left = room - text_width("…", size)
    end = 0
    for character in shown:
        left -= size * _width(character)
        if left < 0:
            break
        end += 1
    return shown[:end].rstrip() + "…"


LEGEND_LINE = 18.0
LEGEND_SIZE = 11.0
KEY = 18.0
"""Room for what stands before the text of a legend."""


def legend(
    entries: Sequence[tuple[str, str]],
    *,
    x: float,
    y: float,
    room: float,
    keys: Mapping[str, Key] | None = None,
) -> Iterator[Part]:
    """`(role, text)` in lines of this width, each behind its colour in the form it has in the picture."""
    for (role, text), left, line in _laid(entries, x=x, room=room):
        base = y + line * LEGEND_LINE
        yield _key((keys or {}).get(role, "field"), role, left, base)
        yield Text(x=left + KEY, y=base, text=text, role="muted", size=LEGEND_SIZE)


def legend_height(entries: Sequence[tuple[str, str]], *, room: float) -> float:
    """Of all but its first line."""
    return LEGEND_LINE * max((line for _, _, line in _laid(entries, x=0.0, room=room)), default=0)


def _laid(
    entries: Sequence[tuple[str, str]], *, x: float, room: float
) -> Iterator[tuple[tuple[str, str], float, int]]:
    """Each with its place: how far from the left, in which line."""
    left, line = x, 0
    for role, text in entries:
        width = KEY + text_width(text, LEGEND_SIZE) + 16
        if left > x and left + width > x + room:
            left, line = x, line + 1
        yield (role, text), left, line
        left += width


def _key(form: Key, role: str, left: float, base: float) -> Part:
    middle = base - 4
    if form == "tick":
        return Rect(x=left + 4, y=base - 10, width=3, height=12, role=role, rounded=1)
    if form == "strip":
        return Rect(x=left, y=middle - 1, width=12, height=3, role=role)
    if form in ("line", "dashes"):
        is_dashed = form == "dashes"
        return Line(x1=left, y1=middle, x2=left + 12, y2=middle, role=role, width=2, is_dashed=is_dashed)
    return Rect(x=left, y=base - 9, width=10, height=10, role=role, rounded=2)


def round_step(span: float, most: int) -> float:
    """1, 2 or 5 times a power of ten, so that `span` has at most so many steps."""
    step = 10.0**-3
    while True:
        for factor in (1, 2, 5):
            if span <= step * factor * most:
                return step * factor
        step *= 10
