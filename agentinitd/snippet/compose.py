"""Fragments into one snippet within its budget.  Equal input gives equal bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agentinitd.model.facts import Language
from agentinitd.model.snippets import Fragment, Snippet
from agentinitd.snippet.page import Page, id_of, items_in
from agentinitd.snippet.trim import Limits, Piece, by_importance, chars_of, pieces_of

MAX_CHARS = 9500
_MAX_CHARS_PER_TOKEN = 12


def compose(
    fragments: Sequence[Fragment],
    *,
    budget_tokens: int,
    language: Language,
    notes: Sequence[str] = (),
    unserved: int = 0,
    count: Callable[[str], int],
    max_chars: int = MAX_CHARS,
) -> Snippet:
    """The text for the agent, its frame within the budget; an empty text when there is nothing to say.

    Critical items and essential sections stay even beyond the budget.  Only `max_chars` binds them: agents
    replace a longer text by a stub, and then all of it would be lost.  `unserved` facts, which reached no
    script, are counted with what found no room.
    """
    pieces = tuple(pieces_of(fragments))
    page = Page(tuple(fragments), tuple(note for note in notes if note.strip()), language, pieces, unserved)
    if not pieces and not page.notes:
        return Snippet(id="", text="", tokens=0, language=language, kept=0, omitted=0)
    chosen = _chosen(page, Limits(budget_tokens, max_chars, count))
    text = page.text(chosen)
    tokens = count(text)
    return Snippet(
        id=id_of(text),
        text=text,
        tokens=tokens,
        language=language,
        kept=items_in(chosen),
        omitted=items_in(pieces) - items_in(chosen) + unserved,
        is_over_budget=tokens > budget_tokens,
    )


def _chosen(page: Page, limits: Limits) -> list[Piece]:
    order = by_importance(page.pieces)
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
    everything = [*protected, *rest]
    # A cheap look first: it spares counting a text that is far too long.
    is_small = sum(len(piece.text) for piece in everything) <= limits.tokens * _MAX_CHARS_PER_TOKEN
    if is_small and limits.has_room_for(page.text(everything)):
        return everything
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
    for index, piece in enumerate(rest if tokens > 0 else []):
        block = piece.text if piece.section in headed else f"{page.heading(piece.section)}\n{piece.text}"
        size = chars_of(block) + 1
        cost = limits.count(block + "\n") if size <= chars else 0
        if size > chars or cost > tokens:
            continue
        if spent_tokens + cost > tokens or spent_chars + size > chars:
            return taken, rest[index:]
        spent_tokens, spent_chars = spent_tokens + cost, spent_chars + size
        headed.add(piece.section)
        taken.append(piece)
    return taken, []
