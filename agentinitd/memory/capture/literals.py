"""Many words sought in a text in one go, several times as fast as one after the other."""

from __future__ import annotations

from collections.abc import Collection, Sequence

try:
    from ahocorasick_rs import BytesAhoCorasick, MatchKind
except ImportError:  # some systems have no wheel of it: there the words are sought one by one
    BytesAhoCorasick = None  # type: ignore[assignment,misc]


class Literals:
    """`words`: as they are in the text, in UTF-8."""

    def __init__(self, words: Sequence[bytes]) -> None:
        self._words = words
        # Seeking the leftmost it goes through a text by sixteen bytes and more at a time.
        self._sought = (
            BytesAhoCorasick(words, matchkind=MatchKind.LeftmostFirst)
            if BytesAhoCorasick is not None
            else None
        )
        self._within = [_within(word, words) for word in words]

    def in_text(self, text: bytes) -> Collection[int]:
        """The numbers of the words that are there, and perhaps of some that may be hidden by one of them."""
        if self._sought is None:
            return [number for number, word in enumerate(self._words) if word in text]
        found = self._sought.find_matches_as_indexes(text)
        return {number for word, _, _ in found for number in self._within[word]} if found else ()


def _within(word: bytes, others: Sequence[bytes]) -> list[int]:
    """Those that may begin within the word, itself among them: they are not told where it is found."""
    ends = [word[at:] for at in range(len(word))]
    return [
        number
        for number, other in enumerate(others)
        if any(end.startswith(other) or other.startswith(end) for end in ends)
    ]
