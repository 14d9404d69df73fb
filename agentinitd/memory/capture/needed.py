"""Which of many patterns a text leaves possible, by the words without which they cannot match.

Hundreds of patterns are tried on every clause a person says.  The words are taken from the patterns
themselves, so there is no list of them that could fall behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from agentinitd.memory.capture.literals import Literals, small

try:
    from re import _constants as op  # type: ignore[attr-defined]
    from re import _parser  # type: ignore[attr-defined]
except ImportError:  # Python does not promise to keep it: without it every pattern is always possible
    op = _parser = None

MOST_SPELLINGS = 8
"""Of one stretch of a pattern, such as `(?:do|does) ?n['’]?t`; one with more is cut in two."""
_ENOUGH_CHARS = 4
_COMMON_WORDS = """
the and for with that this have has had was were you your our not are can will from
"""
_COMMON = frozenset(_COMMON_WORDS.split())
"""Hardly a sentence goes without one of these: they turn away as little as two letters."""
_ODD_LETTERS = "İıſ\N{KELVIN SIGN}"
_ODD_1, _ODD_2, _ODD_3, _ODD_4 = tuple(_ODD_LETTERS)
_PLAIN_LETTERS = str.maketrans(_ODD_LETTERS, "iisk")
"""What Python takes for a letter of ASCII when case does not count."""

Words = frozenset[str]
_NOTHING: Words = frozenset(("",))


class Possible:
    """`patterns`: those that match in any case."""

    def __init__(self, patterns: Sequence[str]) -> None:
        needed = [needed_in(pattern) for pattern in patterns]
        self._always = frozenset(number for number, words in enumerate(needed) if not words)
        of_word: dict[str, list[int]] = {}
        for number, words in enumerate(needed):
            for word in sorted(words):
                of_word.setdefault(word, []).append(number)
        self._words = Literals([word.encode() for word in of_word])
        self._of_word = list(of_word.values())

    def in_text(self, text: str) -> list[int]:
        """The numbers of the patterns of which a word is there, in their order."""
        words = self._words.in_text(small(_plain(text)))
        return sorted(self._always.union(*map(self._of_word.__getitem__, words)))


class AnyOf:
    """Patterns of which one is enough; each is tried only where a word of it is."""

    def __init__(self, patterns: Sequence[re.Pattern[str]]) -> None:
        self._patterns = patterns
        self._possible = Possible([pattern.pattern for pattern in patterns])

    def is_in(self, text: str) -> bool:
        return any(self._patterns[number].search(text) for number in self._possible.in_text(text))

    def begins(self, text: str) -> bool:
        return any(self._patterns[number].match(text) for number in self._possible.in_text(text))


class Hints:
    """The words of which a text has one, if one of these patterns is in it."""

    def __init__(self, *patterns: str) -> None:
        needed = [needed_in(pattern) for pattern in patterns]
        words = sorted(frozenset().union(*needed))
        self._words = Literals([word.encode() for word in words]) if all(needed) else None

    def are_in(self, text: bytes) -> bool:
        """`text`: in small letters.  True also when nothing can be told."""
        return self._words is None or self._words.are_in(text)


class Sought:
    """A pattern, in any case by default, that a text is gone through for only where a word of it is.

    Both are made when they are asked for: many patterns never are.
    """

    def __init__(self, pattern: str, flags: re.RegexFlag = re.IGNORECASE) -> None:
        self._source = pattern
        self._flags = flags

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(self._source, self._flags)

    @cached_property
    def _hints(self) -> Hints:
        return Hints(self._source)

    def search(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text) if self._hints.are_in(small(_plain(text))) else None


def folded_case(text: str) -> str:
    return _plain(text).lower()


def _plain(text: str) -> str:
    if text.isascii():
        return text
    is_odd = _ODD_1 in text or _ODD_2 in text or _ODD_3 in text or _ODD_4 in text
    return text.translate(_PLAIN_LETTERS) if is_odd else text


def needed_in(pattern: str) -> Words:
    """In small letters: one of them is in every text in which the pattern, in any case, is found.

    Empty when nothing can be told.
    """
    if _parser is None:
        return frozenset()
    return _best(_choices(_parser.parse(pattern, re.IGNORECASE)))


def _best(choices: Iterable[Words]) -> Words:
    """Long words turn away most, and few are looked for fastest; what holds another of them is not needed."""
    best = max(choices, key=lambda words: (min(map(_worth, words)), -len(words)), default=None)
    return frozenset(
        word for word in best or () if not any(other in word for other in best or () if other != word)
    )


def _worth(word: str) -> int:
    return 2 if word.strip() in _COMMON else min(_ENOUGH_CHARS, len(word))


def _choices(tree: Any) -> list[Words]:
    """Sets of words; of each at least one is in whatever matches."""
    found: list[Words] = []
    run = _NOTHING
    for code, argument in tree.data:
        spellings = _spellings(code, argument)
        if spellings is not None and len(run) * len(spellings) <= MOST_SPELLINGS:
            run = _joined(run, spellings)
        else:
            found.append(run)
            run = spellings or _NOTHING
        if spellings is None or code is op.ASSERT:
            found += _choices_within(code, argument)
    return [words for words in (*found, run) if "" not in words]


def _choices_within(code: Any, argument: Any) -> list[Words]:
    if code is op.SUBPATTERN:
        return _choices(argument[3])
    if code is op.ASSERT:
        return _choices(argument[1])
    if code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT) and argument[0]:
        return _choices(argument[2])
    if code is op.BRANCH:
        branches = [_best(_choices(branch)) for branch in argument[1]]
        return [frozenset().union(*branches)] if all(branches) else []
    return []


def _spellings(code: Any, argument: Any) -> Words | None:
    """All that this part can match, in small letters; None when that is much, or not known."""
    if code is op.LITERAL:
        return _letter(argument)
    if code in (op.AT, op.ASSERT, op.ASSERT_NOT):
        return _NOTHING
    if code is op.SUBPATTERN:
        return _spellings_of_all(argument[3])
    if code is op.BRANCH:
        return _either(map(_spellings_of_all, argument[1]))
    if code is op.IN:
        return _either(_letter(each) if kind is op.LITERAL else None for kind, each in argument)
    is_optional = code in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT) and argument[:2] == (0, 1)
    return _either((_NOTHING, _spellings_of_all(argument[2]))) if is_optional else None


def _spellings_of_all(tree: Any) -> Words | None:
    words = _NOTHING
    for code, argument in tree.data:
        spellings = _spellings(code, argument)
        if spellings is None or len(words) * len(spellings) > MOST_SPELLINGS:
            return None
        words = _joined(words, spellings)
    return words


def _letter(code: int) -> Words | None:
    """Beyond ASCII only those without capitals: there case is a wide field."""
    letter = chr(code)
    return frozenset((letter.lower(),)) if letter.isascii() or letter.lower() == letter.upper() else None


def _either(each: Iterable[Words | None]) -> Words | None:
    words: set[str] = set()
    for spellings in each:
        if spellings is None or len(words) + len(spellings) > MOST_SPELLINGS:
            return None
        words |= spellings
    return frozenset(words)


def _joined(ones: Words, others: Words) -> Words:
    return frozenset(one + other for one in ones for other in others)
