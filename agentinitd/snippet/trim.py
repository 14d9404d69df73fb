"""What to leave out when the budget is too small: low priority and late sections first, whole items only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from agentinitd.model.facts import Priority
from agentinitd.model.snippets import Fragment


class Rank(IntEnum):
    """How firmly a piece is kept; the smallest leaves last."""

    CRITICAL = 0
    ESSENTIAL = 1
    """Of a section that must not be missing; also a section's note."""
    NORMAL = 2
    LOW = 3
    ASIDE = 4
    """What is said of an item besides, once all items are there."""


class Piece(NamedTuple):
    """An item at its place, its aside, or a section's note, which is no item and stands at -1."""

    section: int
    place: int
    is_aside: bool
    """Of the item at the same place, and nothing without it."""
    text: str
    rank: Rank
    is_project: bool = False
    """Of a script that came with the project."""

    @property
    def is_item(self) -> bool:
        return self.place >= 0 and not self.is_aside

    @property
    def is_protected(self) -> bool:
        """Kept whatever the budget says."""
        return self.rank <= Rank.ESSENTIAL


class Limits(NamedTuple):
    """The two measures of a text: tokens bind all but what is protected, characters bind everything."""

    tokens: int
    chars: int
    count: Callable[[str], int]

    def has_room_for(self, text: str) -> bool:
        return chars_of(text) <= self.chars and self.count(text) <= self.tokens


def pieces_of(fragments: Sequence[Fragment]) -> Iterator[Piece]:
    """Every piece, in the order of the snippet."""
    for section, fragment in enumerate(fragments):
        if fragment.note:
            note = f"({fragment.note})"
            yield Piece(section, -1, False, note, Rank.ESSENTIAL, fragment.is_project)
        for place, item in enumerate(fragment.items):
            rank = _rank(item.priority, is_essential=fragment.is_essential)
            yield Piece(section, place, False, _encodable(item.text), rank, fragment.is_project)
            if item.aside:
                yield Piece(section, place, True, _encodable(item.aside), Rank.ASIDE, fragment.is_project)


def _rank(priority: Priority, *, is_essential: bool) -> Rank:
    """What its own script calls low may go, even from an essential section."""
    if priority == "critical":
        return Rank.CRITICAL
    if priority == "low":
        return Rank.LOW
    return Rank.ESSENTIAL if is_essential else Rank.NORMAL


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def by_importance(pieces: Sequence[Piece], scores: Mapping[Piece, float] | None = None) -> list[Piece]:
    """The order in which pieces are taken in; from its end, the order in which they are left out.

    Within a section and a rank, what scores higher comes first: it has more to do with the work at hand.  Of
    the normal ones each section's first comes before the second of any: a long decision log must not push out
    a script of one line.  A project's script cannot push out what the owner calls critical by doing the same.
    """
    known = scores or {}

    def place(piece: Piece) -> tuple[Rank, int, float, int]:
        return piece.rank, piece.section, -known.get(piece, 0.0), piece.place

    firsts: dict[int, Piece] = {}
    for piece in sorted(pieces, key=place):
        if piece.rank == Rank.NORMAL:
            firsts.setdefault(piece.section, piece)
    heads = set(firsts.values())

    def order(piece: Piece) -> tuple[bool, bool, Rank, bool, int, float, int]:
        comes_after = piece.is_protected and piece.is_project
        return not piece.is_protected, comes_after, piece.rank, piece not in heads, *place(piece)[1:]

    return sorted(pieces, key=order)


def chars_of(text: str) -> int:
    """As agents written in JavaScript count: a character beyond the basic plane is two."""
    return len(text) + sum(character > "\uffff" for character in text) if not text.isascii() else len(text)
