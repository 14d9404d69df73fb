"""Why each item of a snippet is in it, is left out, or stands where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from agentinitd.snippet.compose import Composition
from agentinitd.snippet.frame import section_title
from agentinitd.snippet.relevance import UNTOUCHED
from agentinitd.snippet.trim import Piece, Rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One item."""

    section: str
    text: str
    rank: str
    """`critical`, `essential`, `normal` or `low`."""
    place: int
    """In the order of importance, from 1: who has the highest leaves first."""
    tokens: int
    score: float
    """How much it has to do with recent work."""
    reasons: tuple[str, ...]
    """Through what it has."""
    is_in: bool
    why: str


def explain(composition: Composition, count: Callable[[str], int]) -> list[Explained]:
    """Every item, the most important first."""
    heads = _heads(composition)
    found: list[Explained] = []
    for piece in (piece for piece in composition.order if piece.is_item):
        touch = composition.touches.get(piece, UNTOUCHED)
        is_in = piece in composition.chosen
        tokens = count(piece.text + "\n")
        why = _why_in(piece, composition, heads) if is_in else _why_out(piece, tokens)
        found.append(
            Explained(
                section=_title(piece, composition),
                text=piece.text,
                rank=piece.rank.name.lower(),
                place=len(found) + 1,
                tokens=tokens,
                score=touch.score,
                reasons=touch.reasons,
                is_in=is_in,
                why=why,
            )
        )
    return found


def _heads(composition: Composition) -> set[Piece]:
    """Of each section the normal one that comes before the second of any."""
    heads: dict[int, Piece] = {}
    for piece in composition.order:
        if piece.rank == Rank.NORMAL:
            heads.setdefault(piece.section, piece)
    return set(heads.values())


def _title(piece: Piece, composition: Composition) -> str:
    fragment = composition.page.fragments[piece.section]
    language = composition.page.language
    return section_title(fragment.key, fragment.section, language, is_project=fragment.is_project)


def _why_in(piece: Piece, composition: Composition, heads: set[Piece]) -> str:
    if piece.rank == Rank.CRITICAL:
        return "critical: always kept"
    if piece.rank == Rank.ESSENTIAL:
        return "of an essential section: always kept"
    if composition.is_whole:
        return "there is room for all"
    if piece in composition.touches:
        return "touches recent work, and there was room"
    return "the first of its section" if piece in heads else "there was room"


def _why_out(piece: Piece, tokens: int) -> str:
    if piece.is_protected:
        return "longer than what agents show at all"
    first = "low priority leaves first; " if piece.rank == Rank.LOW else ""
    return f"{first}no room was left for its {tokens} tokens"


def explanation_json(composition: Composition, count: Callable[[str], int]) -> dict[str, Any]:
    """With stable names."""
    snippet = composition.snippet
    return {
        "snippet": snippet.id or None,
        "tokens": snippet.tokens,
        "budget_tokens": composition.budget_tokens,
        "over_budget": snippet.is_over_budget,
        "kept": snippet.kept,
        "left_out": snippet.omitted,
        "unserved": composition.page.unserved,
        "items": list(_items_json(explain(composition, count))),
    }


def _items_json(items: list[Explained]) -> Iterator[dict[str, Any]]:
    for item in items:
        yield {
            "place": item.place,
            "in": item.is_in,
            "why": item.why,
            "section": item.section,
            "rank": item.rank,
            "tokens": item.tokens,
            "relevance": item.score,
            "touches": list(item.reasons),
            "text": item.text,
        }
