"""The part of a long text that shows why it was found."""

from __future__ import annotations

import re

from agentinitd.memory.search_tokens import Term

MAX_CHARS = 300
_BEFORE_CHARS = 60
_LONG_WORD = 6
_ENDING_CHARS = 3


def excerpt(text: str, terms: tuple[Term, ...], *, most_chars: int = MAX_CHARS) -> str:
    """The text, or of a longer one the stretch with the most of the terms, cut between words."""
    if len(text) <= most_chars:
        return text
    start = _best_start(text, terms, most_chars)
    end = min(len(text), start + most_chars)
    piece = text[start:end]
    if start and (gap := piece.find(" ", 0, 30)) >= 0:
        piece = piece[gap + 1 :]
    if end < len(text) and (gap := piece.rfind(" ", len(piece) - 30)) >= 0:
        piece = piece[:gap]
    return f"{'…' if start else ''}{piece.strip()}{'…' if end < len(text) else ''}"


def _best_start(text: str, terms: tuple[Term, ...], most_chars: int) -> int:
    words = {word for term in terms for word in (term.whole, *term.parts)}
    if not words:
        return 0
    stems = sorted(map(_stem, words), key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, stems)), re.IGNORECASE)
    found = [(match.start(), match.group().lower()) for match in pattern.finditer(text)]
    last_start = len(text) - most_chars
    best, most = 0, 0
    for place, (start, _) in enumerate(found):
        inside = {
            word for other, word in found[place : place + 200] if other < start + most_chars - _BEFORE_CHARS
        }
        if len(inside) > most:
            best, most = start, len(inside)
    return min(max(0, best - _BEFORE_CHARS), last_start)


def _stem(word: str) -> str:
    """The index knows stems: the end of a long word may differ."""
    return word[:-_ENDING_CHARS] if len(word) >= _LONG_WORD and word.isascii() else word
