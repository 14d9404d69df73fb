"""Words of a text as the search index holds them: Chinese in pairs, identifiers whole and in their parts.

SQLite's own tokenizers find no Chinese and split no `camelCase`.  They are given what is made here: words of
lower-case letters and digits, parted by blanks, which they may only stem.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

MAX_TEXT_CHARS = 20_000
MAX_WORD_CHARS = 64
MAX_TERMS = 64
"""Of one query; what a person or an agent asks has fewer."""

_WIDE = (
    r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    r"\U00020000-\U0003ffff"
)
_WIDE_RUN = re.compile(f"([{_WIDE}]+)")
# `idempotency_key`, `rate-limit`, `api.v2`, `don't`: words that belong together.
_COMPOUND = re.compile(r"[^\W_]+(?:[_.'’-]{1,3}[^\W_]+)*")
_SEGMENT = re.compile(r"[^\W_]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# Names that are nothing without their signs.
_SIGNED = re.compile(r"(?<![^\W_])([A-Za-z])(\+\+|#)")
_SIGNS = {"++": "plusplus", "#": "sharp"}

# Words of a question that say nothing about what is looked for.
_QUESTION_WORDS = """
a about again an and any are as at be been by can could did do does for from had has have how i if in into is
it its may me might my of on or our shall should so that the their them then there these they this those to us
was we were what when where which who why will with would you your
"""
_STOP_WORDS = frozenset(_QUESTION_WORDS.split())
_STOP_RUNS = re.compile(
    "为什么|怎么样|怎么|什么|哪一个|哪个|哪些|哪里|如何|是否|是不是|有没有|能不能|要不要|多少|当时|来着|我们|咱们|的|吗|呢"
)


class Term(NamedTuple):
    """One thing asked for: a word, or an identifier, which is found whole as well as by all its parts."""

    whole: str
    parts: tuple[str, ...] = ()


def index_text(text: str) -> str:
    """Everything under which the text shall be found."""
    words: list[str] = []
    for piece, is_wide in _pieces(text[:MAX_TEXT_CHARS]):
        if is_wide:
            words += piece
            words += _pairs(piece)
        else:
            words += map(_compound_words, _COMPOUND.findall(piece))
    return " ".join(words)


# The same words come again and again; an index of 100,000 texts is built in half the time.
@lru_cache(maxsize=4096)
def _compound_words(compound: str) -> str:
    if compound.isalpha() and compound.islower():
        return _word(compound)
    segments = _SEGMENT.findall(compound)
    words = [_word("".join(segments))] if len(segments) > 1 else []
    for segment in segments:
        parts = _parts(segment)
        words += parts if len(parts) == 1 else [*parts, _word(segment)]
    return " ".join(words)


def query_terms(text: str) -> tuple[Term, ...]:
    """What is asked for, each once; empty when there is no word in it."""
    pieces = list(_pieces(text[:MAX_TEXT_CHARS]))
    terms = [term for piece, is_wide in pieces for term in _terms(piece, is_wide=is_wide)]
    telling = [term for term in terms if term.whole not in _STOP_WORDS]
    chosen = telling or terms or [Term(word) for piece, is_wide in pieces if is_wide for word in _wide(piece)]
    return tuple(dict.fromkeys(chosen))[:MAX_TERMS]


def _terms(piece: str, *, is_wide: bool) -> Iterator[Term]:
    if is_wide:
        for run in _STOP_RUNS.split(piece):
            yield from (Term(word) for word in _wide(run))
        return
    for compound in _COMPOUND.findall(piece):
        segments = _SEGMENT.findall(compound)
        parts = tuple(part for segment in segments for part in _parts(segment))
        yield Term(_word("".join(segments)), parts if len(parts) > 1 else ())


def _wide(run: str) -> list[str]:
    return [run] if len(run) == 1 else list(_pairs(run))


def match_all(terms: tuple[Term, ...]) -> str:
    """The query, in the language of FTS5, for texts that have every term."""
    return " AND ".join(_expression(term) for term in terms)


def match_any(terms: tuple[Term, ...]) -> str:
    """The same for texts that have at least one word of them.

    A part that is nearly everywhere, `x` of `x7_retry` or `of` of `out-of-date`, says nothing by itself.
    """
    parts = (part for term in terms for part in term.parts)
    telling = [part for part in parts if len(part) > 1 and part not in _STOP_WORDS]
    return " OR ".join(dict.fromkeys([*map(_expression, terms), *(f'"{part}"' for part in telling)]))


def _expression(term: Term) -> str:
    if not term.parts:
        return f'"{term.whole}"'
    together = " AND ".join(f'"{part}"' for part in term.parts)
    return f'("{term.whole}" OR ({together}))'


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The text in turns of wide script, whose words have no gaps, and of any other."""
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text)
    if "+" in plain or "#" in plain:
        plain = _SIGNED.sub(lambda found: found[1] + _SIGNS[found[2]], plain)
    if plain.isascii():
        yield plain, False
        return
    for place, piece in enumerate(_WIDE_RUN.split(plain)):
        if piece:
            yield piece, place % 2 == 1


def _pairs(run: str) -> Iterator[str]:
    return map(str.__add__, run, run[1:])


def _parts(segment: str) -> list[str]:
    if segment.isascii() and not (segment.islower() and segment.isalpha()):
        return [part.lower()[:MAX_WORD_CHARS] for part in _PART.findall(segment)]
    return [_word(segment)]


def _word(text: str) -> str:
    return text.casefold()[:MAX_WORD_CHARS]
