"""Many words sought in a text in one go, several times as fast as one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import partial

try:
    import ahocorasick_rs as native
except ImportError:  # some systems have no wheel of it: there the words are sought one by one
    native = None  # type: ignore[assignment]


MOST_AT_ONCE = 64
"""So many words are sought by sixteen bytes of the text and more at a time."""


_NONE: frozenset[int] = frozenset()


class Literals:
    """`words`: as they are in the text, in UTF-8."""

    def __init__(self, words: Sequence[bytes]) -> None:
        self._words = words
        self._are_few = len(words) <= MOST_AT_ONCE
        self._hidden = [_hidden_by(word, words) for word in words] if self._are_few else []
        self._find: Callable[[bytes], list[tuple[int, int, int]]] | None = None
        if native is not None and self._are_few:
            sought = native.BytesAhoCorasick(words, matchkind=native.MatchKind.LeftmostFirst)
            self._find = sought.find_matches_as_indexes
        elif native is not None:
            sought = native.BytesAhoCorasick(words, matchkind=native.MatchKind.Standard)
            self._find = partial(sought.find_matches_as_indexes, overlapping=True)

    def are_in(self, text: bytes) -> bool:
        """Whether any of them is there."""
        if self._find is None:
            return any(word in text for word in self._words)
        return bool(self._find(text))

    def in_text(self, text: bytes) -> Set[int]:
        """The numbers of the words that are there."""
        if self._find is None:
            return {number for number, word in enumerate(self._words) if word in text}
        found = self._find(text)
        if not found:
            return _NONE
        numbers = {number for number, _, _ in found}
        if self._are_few:
            hidden = {other for number in numbers for other in self._hidden[number]}
            numbers.update(other for other in hidden if self._words[other] in text)
        return numbers


def small(text: str) -> bytes:
    """As words are sought in it: in small letters, of ASCII at least."""
    return text.encode("utf-8", "surrogatepass").lower()


def _hidden_by(word: bytes, others: Sequence[bytes]) -> list[int]:
    """Those that may begin within the word: they are not told where it is found."""
    ends = [word[at:] for at in range(len(word))]
    return [
        number
        for number, other in enumerate(others)
        if other != word and any(end.startswith(other) or other.startswith(end) for end in ends)
    ]
