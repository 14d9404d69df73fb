"""Which form a piece of a sentence has, and whether it is meant: no idiom, guess, memory or report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agentinitd.memory.capture.english_clauses import ADVERBIAL_WORD, BEGINS_ADVERBIAL, CONDITION
from agentinitd.memory.capture.english_form import Form
from agentinitd.memory.capture.english_forms import forms_for
from agentinitd.memory.capture.english_traps import HYPOTHETICAL, IDIOM, PAST, PRONOUN, REMARK
from agentinitd.memory.capture.english_wishes import LAST

MAX_ADVERBIAL_WORDS = 6
_BEFORE_CLEAR = re.compile(
    r"(?<!\bi)(?<!\bwe)(?<!\bthey)\s(?=(?:don'?t|do not|never|always|please|ask me)\s)", re.IGNORECASE
)
_CODE_SIGN = re.compile(r"[`/_]|\w\.\w|xx")
_FAILS = re.compile(
    r"\b(?:fails?|failing|crash(?:es|ed|ing)?|errors? out|errored|broken|breaks|hangs?|throws|bug"
    r"|doesn'?t work|not working|weird|strange|turns out|flaky|stuck)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(r"(?:we|i|you|u)\b", re.IGNORECASE)
_TENSELESS = frozenset({"never-liked", "moved-to", "no-more-needed", "love-if", "rather-not"})
_THIRD_PERSON = re.compile(r"never \w*[^s\s]s\b", re.IGNORECASE)
_NO_SUBJECT = re.compile(
    r"\b(?:can|could|might|would|will|what|how|why|that|which|who|because|if|n't|not|i|to|or|and)\s*$"
    r"|\b(?:i|what|how|why|but|don't|doesn't|there's|there|something|someone)\b",
    re.IGNORECASE,
)
_STUTTERS = re.compile(r"\b(only|over|under|about|that|this|for|the|and|also|more|less) \1\b", re.IGNORECASE)
"""No sentence, but a list of words."""
_IS_STATE = re.compile(r"\b(?:right now|currently|so far|at present)\b", re.IGNORECASE)
# Forms with a "not" that does not turn them round.
_MAY_DENY = frozenset(
    {
        "forget",
        "instead",
        "we-use",
        "sure",
        "condition",
        "use-for",
        "before",
        "from-now-on",
        "value",
        "want",
        "language",
        "language-of",
        "ask",
        "this-time",
        "order-whenever",
        "is-now",
        "the-only",
        "nothing-more",
        "rule-holds",
        "like-when",
        "when-order",
        "when-unsure",
        "would-be",
        "settled-value",
        "value-it",
        "limit",
        "x-not-y",
        "are-not",
        "per",
        "policy",
        "careful",
        "important",
    }
)
DENIES = re.compile(r"n't\b|\b(?:not|never|no|dont)\b", re.IGNORECASE)
SURE = 0.8


@lru_cache(maxsize=256)  # a piece is asked about more than once while it is joined with its neighbours
def form_of(piece: str) -> Form | None:
    """The first form that the piece has, at its beginning or behind its place, time or condition."""
    starts = tuple(_starts(piece))
    for group in (tuple(forms_for(piece)), LAST):
        for start in starts:
            for form in group:
                found = form.pattern.match(piece, start)
                if found and _is_meant(form, found, piece):
                    return form if _is_plain_speech(piece) else None
    return None


def _is_plain_speech(piece: str) -> bool:
    """No idiom, no remark about anything but the work, and no list of words."""
    is_remark = REMARK.search(piece) and not _CODE_SIGN.search(piece)
    return not (IDIOM.search(piece) or is_remark or _STUTTERS.search(piece))


def _starts(piece: str) -> Iterator[int]:
    """Where the verb may stand: at once, behind an adverbial, or behind a condition a clear "don't"."""
    yield 0
    if BEGINS_ADVERBIAL.match(piece):
        end = 0
        for _ in range(MAX_ADVERBIAL_WORDS):
            word = ADVERBIAL_WORD.match(piece, end)
            if word is None:
                break
            end = word.end()
            yield end
    if CONDITION.match(piece):
        yield from (word.end() for word in _BEFORE_CLEAR.finditer(piece))


def _is_meant(form: Form, found: re.Match[str], piece: str) -> bool:
    """No guess, remark about somebody, memory of the past, or report of what goes wrong."""
    if HYPOTHETICAL.search(piece) and form.force == "hard":
        return False
    groups = found.groupdict()
    subject = groups.get("subject")
    if form.name in _TENSELESS:
        return True
    if _PERSON.match(piece, found.start()) and (PAST.search(piece) or _IS_STATE.search(piece)):
        return False
    if form.name == "ban" and _THIRD_PERSON.match(piece, found.start()):
        return False
    if (
        form.polarity == "do"
        and form.act == "state"
        and form.name not in _MAY_DENY
        and DENIES.search(found.group())
    ):
        return False
    if subject is None:
        return groups.get("generic") is None or not PAST.search(piece)
    return not (
        PRONOUN.match(subject)
        or _NO_SUBJECT.search(subject)
        or PAST.search(piece)
        or _IS_STATE.search(piece)
        or (form.confidence < SURE and _FAILS.search(piece))
    )
