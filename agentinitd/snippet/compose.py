"""Fragments into one snippet within its budget.  Equal input gives equal bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agentinitd.model.facts import Language
from agentinitd.model.snippets import Fragment, Snippet
from agentinitd.snippet.page import Page, id_of, items_in
from agentinitd.snippet.relevance import Relevance, Touch
from agentinitd.snippet.trim import Limits, Piece, by_importance, chars_of, pieces_of

MAX_CHARS = 9500
_MAX_CHARS_PER_TOKEN = 12


@dataclass(frozen=True, slots=True)
class Composition:
    """A snippet, and how it came about."""

    snippet: Snippet
    budget_tokens: int
    page: Page
    order: tuple[Piece, ...]
    """As they were taken in: what matters most first."""
    chosen: frozenset[Piece]
    touches: Mapping[Piece, Touch]
    """How they touch recent work; empty when there was room for all, and so nothing to ask for."""

    @property
    def is_whole(self) -> bool:
        return len(self.chosen) == len(self.order)

    def is_moved_by(self, relevance: Relevance) -> bool:
        """Whether other recent work could have led to another choice."""
        return not self.is_whole and tuple(_ordered(self.page, _touches(self.page, relevance))) != self.order


def compose(
    fragments: Sequence[Fragment],
    *,
    budget_tokens: int,
    language: Language,
    notes: Sequence[str] = (),
    unserved: int = 0,
    count: Callable[[str], int],
    max_chars: int = MAX_CHARS,
    relevance: Relevance | None = None,
) -> Composition:
    """The text for the agent, its frame within the budget; an empty text when there is nothing to say.

    Critical items and essential sections stay even beyond the budget.  Only `max_chars` binds them: agents
    replace a longer text by a stub, and then all of it would be lost.  `unserved` facts, which reached no
    script, are counted with what found no room.  When not all finds room, what touches recent work goes
    first within its section and rank.
    """
    pieces = tuple(pieces_of(fragments))
    page = Page(tuple(fragments), tuple(note for note in notes if note.strip()), language, pieces, unserved)
    if not pieces and not page.notes:
        nothing = Snippet(id="", text="", tokens=0, language=language, kept=0, omitted=0)
        return Composition(nothing, budget_tokens, page, (), frozenset(), {})
    limits = Limits(budget_tokens, max_chars, count)
    touches: dict[Piece, Touch] = {}
    chosen = order = by_importance(pieces)
    if not _is_room_for_all(page, limits):
        touches = _touches(page, relevance) if relevance else {}
        order = _ordered(page, touches)
        chosen = _chosen(page, order, limits)
    snippet = _snippet(page, chosen, budget_tokens, count)
    return Composition(snippet, budget_tokens, page, tuple(order), frozenset(chosen), touches)


def _snippet(page: Page, chosen: list[Piece], budget_tokens: int, count: Callable[[str], int]) -> Snippet:
    text = page.text(chosen)
    tokens = count(text)
    return Snippet(
        id=id_of(text),
        text=text,
        tokens=tokens,
        language=page.language,
        kept=items_in(chosen),
        omitted=items_in(page.pieces) - items_in(chosen) + page.unserved,
        is_over_budget=tokens > budget_tokens,
    )


def _is_room_for_all(page: Page, limits: Limits) -> bool:
    # A cheap look first: it spares counting a text that is far too long.
    is_small = sum(len(piece.text) for piece in page.pieces) <= limits.tokens * _MAX_CHARS_PER_TOKEN
    return is_small and limits.has_room_for(page.text(page.pieces))


def _touches(page: Page, relevance: Relevance) -> dict[Piece, Touch]:
    found = relevance.touches([piece.text for piece in page.pieces])
    return {piece: touch for piece, touch in zip(page.pieces, found, strict=True) if touch.score}


def _ordered(page: Page, touches: Mapping[Piece, Touch]) -> list[Piece]:
    return by_importance(page.pieces, {piece: touch.score for piece, touch in touches.items()})


def _chosen(page: Page, order: list[Piece], limits: Limits) -> list[Piece]:
    chosen = _protected(page, [piece for piece in order if piece.is_protected], limits.chars)
    if len(chosen) < sum(piece.is_protected for piece in order):
        return chosen
    return _filled(page, chosen, [piece for piece in order if not piece.is_protected], limits)


def _protected(page: Page, protected: list[Piece], limit_chars: int) -> list[Piece]:
    """All of them, or else the most important that stay within the characters."""
    room = limit_chars - chars_of(page.text([]))
    chosen: list[Piece] = []
    headed: set[int] = set()
    for piece in protected:
        heading = 0 if piece.section in headed else chars_of(page.heading(piece.section)) + 1
        size = chars_of(piece.text) + 1 + heading
        if size <= room:
            room -= size
            chosen.append(piece)
            headed.add(piece.section)
    return chosen


def _filled(page: Page, protected: list[Piece], rest: list[Piece], limits: Limits) -> list[Piece]:
    """The protected pieces, and of the rest the most important that still find room."""
    taken, waiting = _affordable(page, protected, rest, limits)
    while taken and not limits.has_room_for(page.text([*protected, *taken])):
        waiting.insert(0, taken.pop())
    # The parts were counted one by one, which is a little more than they cost together.
    while waiting and limits.has_room_for(page.text([*protected, *taken, waiting[0]])):
        taken.append(waiting.pop(0))
    return [*protected, *taken]


def _affordable(
    page: Page, protected: list[Piece], rest: list[Piece], limits: Limits
) -> tuple[list[Piece], list[Piece]]:
    """Pieces of the rest that fit by their single costs, and those that wait behind the first that does not.

    A piece that would not fit even as the only one is passed over, so that it does not keep out all others.
    """
    base = page.text(protected)
    tokens, chars = limits.tokens - limits.count(base), limits.chars - chars_of(base)
    taken: list[Piece] = []
    spent_tokens = spent_chars = 0
    headed = {piece.section for piece in protected}
    passed_over: set[tuple[int, int]] = set()
    for index, piece in enumerate(rest if tokens > 0 else []):
        if piece.is_aside and (piece.section, piece.place) in passed_over:
            continue
        block = piece.text if piece.section in headed else f"{page.heading(piece.section)}\n{piece.text}"
        size = chars_of(block) + 1
        cost = limits.count(block + "\n") if size <= chars else 0
        if size > chars or cost > tokens:
            passed_over.add((piece.section, piece.place))
            continue
        if spent_tokens + cost > tokens or spent_chars + size > chars:
            waiting = (each for each in rest[index:] if (each.section, each.place) not in passed_over)
            return taken, list(waiting)
        spent_tokens, spent_chars = spent_tokens + cost, spent_chars + size
        headed.add(piece.section)
        taken.append(piece)
    return taken, []
