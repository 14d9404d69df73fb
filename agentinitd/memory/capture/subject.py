"""What a rule is about, so that two can be told to be one in other words, or to stand in each other's way."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agentinitd.memory.capture.concepts import (
    ALTERNATIVES,
    LANGUAGES,
    english_token,
    is_action,
)
from agentinitd.memory.capture.subject_words import (
    NUMBER,
    NUMBER_WEIGHT,
    STRONG,
    WORD_WEIGHT,
    parts_in,
    weighted_words,
)

MAX_CHARS = 500
_SAME = 0.7
"""So much of the smaller subject must be in the larger one."""
_SAME_OF_LARGER = 0.3
_OPPOSITE = 0.6
_COVERED = 0.5
_STEM_CHARS = 5
_OF_VALUES = frozenset({"!use", "!run"})
_OF_INDENTING = frozenset({"indent", "indentation", "缩进"})
_FRAME = 2.0
"""So much must be the same around two names, for the one to take the place of the other."""

_NUMERALS = "〇一二三四五六七八九"
_DIGIT_OF = {numeral: str(value) for value, numeral in enumerate(_NUMERALS)} | {"两": "2", "十": "10"}
_COUNTED = re.compile(r"[一二两三四五六七八九十](?=个|行|秒|次|天|遍|条|分钟|小时|倍|层|位|空格|句|页|张)")
_STEM_END = re.compile(r"[_.-]")


@dataclass(frozen=True, slots=True)
class Subject:
    """The telling words of a rule, each with its weight; paths also by themselves."""

    weights: Mapping[str, float]
    paths: frozenset[str] = frozenset()
    numbers: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()
    """Of the thing named, where only a part of it is meant."""
    digits: frozenset[str] = frozenset()
    """`2` in "two spaces": a value as well, though no name for anything."""
    weight: float = 0.0
    actions: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()
    """What it is about, in words that both languages have, and not as a reason."""
    keys: frozenset[str] = frozenset()
    """Two without a common one have nothing in common."""


def _subject(
    weights: Mapping[str, float], paths: frozenset[str], numbers: frozenset[str], parts: frozenset[str]
) -> Subject:
    # Counted once: one rule is compared with hundreds.
    words = frozenset(token for token in weights if not is_action(token))
    names = frozenset(token for token, weight in weights.items() if weight >= STRONG)
    return Subject(
        weights=weights,
        paths=shared(paths),
        numbers=shared(numbers),
        parts=shared(parts),
        digits=shared(frozenset(token for token in weights if len(token) == 1 and token.isdecimal())),
        weight=sum(weights.values()),
        actions=shared(frozenset(weights.keys() - words)),
        names=shared(names),
        things=shared(frozenset(token for token, weight in weights.items() if _is_thing(token, weight))),
        keys=shared(frozenset(map(_key, words | paths))),
    )


@lru_cache(maxsize=128)
def shared(words: frozenset[Any]) -> frozenset[Any]:
    """One for all that are equal: most rules name no number, no part and no thing, and do one of few things.

    What a thousand rules speak of takes half the memory so.
    """
    return words


def _is_thing(token: str, weight: float) -> bool:
    return token.startswith("~") and weight >= WORD_WEIGHT


def _key(word: str) -> str:
    """Equal for paths that may be the same: the beginning of the last part."""
    last = word.rstrip("/").rpartition("/")[2]
    return _STEM_END.split(last.lstrip("._-"), maxsplit=1)[0] or last


@lru_cache(maxsize=2048)
def subject_of(text: str, topic: str = "") -> Subject:
    """Of a rule's own words, and of what it is known to be about."""
    weights: dict[str, float] = {}
    paths: set[str] = set()
    numbers: set[str] = set()
    given = unicodedata.normalize("NFKC", f"{topic} {text}"[:MAX_CHARS])
    given = _COUNTED.sub(lambda found: _DIGIT_OF[found.group()], given)
    for token, weight in weighted_words(given, len(topic)):
        if token.startswith("/"):
            paths.add(token[1:])
        else:
            weights[token] = max(weight, weights.get(token, 0.0))
            if weight == NUMBER_WEIGHT and NUMBER.fullmatch(token):
                numbers.add(token)
    return _subject(weights, frozenset(paths), frozenset(numbers), parts_in(given))


def is_same(one: Subject, other: Subject) -> bool:
    """Whether both are about the same, in whatever words and language."""
    if one.keys.isdisjoint(other.keys) or not _is_comparable(one, other) or _have_own_words(one, other):
        return False
    shared, ours, theirs = _compared(one, other)
    smaller, larger = sorted((ours, theirs))
    return shared >= 1 and shared >= _SAME * smaller and shared >= _SAME_OF_LARGER * larger


def _have_own_words(one: Subject, other: Subject) -> bool:
    """Whether each says a word that the other lacks.  In two languages words cannot be compared."""
    if _is_chinese(one) != _is_chinese(other):
        return False
    return bool(_own_words(one, other)) and bool(_own_words(other, one))


def _is_chinese(subject: Subject) -> bool:
    return any("\u3400" <= token[0] <= "\u9fff" for token in subject.weights)


def _own_words(one: Subject, other: Subject) -> list[str]:
    telling = (token for token, weight in one.weights.items() if weight >= WORD_WEIGHT)
    return [token for token in telling if not is_action(token) and not _is_said_in(other, token)]


def _is_said_in(subject: Subject, word: str) -> bool:
    """Also in another form: `indent`, `indentation`."""
    if _has(subject, word) or _path_like(word, subject):
        return True
    is_word = len(word) > _STEM_CHARS and word.isalpha() and word.isascii()
    return is_word and any(each.startswith(word[:_STEM_CHARS]) for each in subject.weights)


def is_opposite(one: Subject, other: Subject) -> bool:
    """Whether a demand about the one and a ban on the other cannot both hold.

    Stricter than `is_same`: what is merged by mistake can be read again in the words that stay, what is ended
    by mistake is gone.
    """
    if one.keys.isdisjoint(other.keys) or one.actions != other.actions or not _is_comparable(one, other):
        return False
    return all(_has(other, name) for name in one.names) and _likeness(one, other) >= _OPPOSITE


def likeness(one: Subject, other: Subject) -> float:
    """From 0 to 1; to choose among several that are the same."""
    return _likeness(one, other)


def _likeness(one: Subject, other: Subject) -> float:
    shared, ours, theirs = _compared(one, other)
    return shared / (ours + theirs - shared) if shared else 0.0


def _is_comparable(one: Subject, other: Subject) -> bool:
    """False when a number, a path, a name or what is done tells them apart."""
    if one.numbers and other.numbers and not one.numbers & other.numbers:
        return False
    if one.digits and other.digits and not one.digits & other.digits:
        return False
    if one.actions and other.actions and not one.actions & other.actions:
        return False
    if one.parts != other.parts or (one.things - other.things and other.things - one.things):
        return False
    if one.paths and other.paths and not _are_paths_within(one.paths, other.paths):
        return False
    return not (_missing(one, other) and _missing(other, one))


def _missing(one: Subject, other: Subject) -> bool:
    """Whether a name of the one is nowhere in the other."""
    return any(not _has(other, name) for name in one.names)


def _are_paths_within(one: frozenset[str], other: frozenset[str]) -> bool:
    fewer, more = sorted((one, other), key=len)
    return all(any(is_same_path(path, each) for each in more) for path in fewer)


def is_same_path(one: str, other: str) -> bool:
    """`0007` and `migrations/0007_add_index.py`, `prod.toml` and `config/prod.toml`: the shorter is vague."""
    short, long = sorted((one.split("/"), other.split("/")), key=len)
    tail = long[-len(short) :]
    return short[:-1] == tail[:-1] and (short[-1] == tail[-1] or _is_stem(short[-1], tail[-1]))


def _is_stem(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return bool(short) and long.startswith(short) and long[len(short)] in "_-."


def _has(subject: Subject, name: str) -> bool:
    return name in subject.weights or any(is_same_path(name, path) for path in subject.paths)


def _compared(one: Subject, other: Subject) -> tuple[float, float, float]:
    """Weight of what is in both, and of either; a name counts as one wherever it was recognised as such."""
    shared, ours, theirs = 0.0, one.weight, other.weight
    for token, weight in one.weights.items():
        match = token if token in other.weights else _path_like(token, other) if weight >= STRONG else None
        if match is not None:
            found = other.weights.get(match, weight)
            common = max(weight, found)
            shared, ours, theirs = shared + common, ours + common - weight, theirs + common - found
    return shared, ours, theirs


def _path_like(token: str, subject: Subject) -> str | None:
    candidates: Iterable[str] = (path for path in (*subject.paths, *subject.names) if path != token)
    return next((path for path in candidates if is_same_path(token, path)), None)


def is_covered(subject: Subject, wide: Subject) -> bool:
    """Whether what was said about `wide` concerns this too: its path lies there, or its words are these."""
    places = [name for name in wide.names if not NUMBER.fullmatch(name)]
    under = any(_is_under(path, place) for path in subject.paths for place in places)
    if under:
        return _agree_on_actions(subject, wide)
    if wide.names and not any(_has(subject, name) for name in wide.names):
        return False
    if wide.numbers and subject.numbers and not wide.numbers & subject.numbers:
        return False
    return _agree_on_actions(subject, wide) and _compared(subject, wide)[0] >= max(
        1.0, _COVERED * wide.weight
    )


def _is_under(path: str, place: str) -> bool:
    """`fonts/` is meant by `fonts` as well, which as a word has lost its ending."""
    first = path.partition("/")[0]
    is_word = first.isalpha() and first.isascii() and english_token(first) == place
    return path == place or path.startswith(place + "/") or is_word


def _agree_on_actions(one: Subject, other: Subject) -> bool:
    return not one.actions or not other.actions or bool(one.actions & other.actions)


def agree_on_actions(one: Subject, other: Subject) -> bool:
    """Whether to free the one may say something of the other: to delete a thing is not to edit it."""
    return _agree_on_actions(one, other)


def concerns(subject: Subject, name: str) -> bool:
    """Whether it speaks of that name, or of a place in which it lies."""
    return _has(subject, name) or any(_is_under(name, place) for place in subject.names | subject.paths)


def is_narrower(subject: Subject, wide: Subject) -> bool:
    """Whether each of its paths lies strictly within one of the wide subject's."""
    if not subject.paths:
        return False
    places = wide.paths | wide.names
    return all(any(path.startswith(place + "/") for place in places) for path in subject.paths)


def is_replaced(old: Subject, new: Subject) -> bool:
    """Whether both demand a value for the same thing, and the values differ: 5433 then 5434, comments in
    Chinese then in English, test data in one folder then in another."""
    if _is_other_language(old, new) or _is_alternative(old, new):
        return True
    if old.keys.isdisjoint(new.keys):
        return False
    for kind_of in (lambda each: each.numbers, lambda each: each.digits, _languages, _other_names):
        ours, theirs = kind_of(old), kind_of(new)
        if ours and theirs and not ours & theirs:
            return _have_one_frame(old, new, ours | theirs) and not _is_for_other_name(ours, theirs)
    return _differs_in_one_word(old, new)


def _languages(subject: Subject) -> frozenset[str]:
    return LANGUAGES & subject.weights.keys()


def _other_names(subject: Subject) -> frozenset[str]:
    return subject.names - subject.numbers


def _have_one_frame(old: Subject, new: Subject, values: frozenset[str]) -> bool:
    """Whether the rest, without the values, is the same, and says more than what is done."""
    common = (old.weights.keys() & new.weights.keys()) - values
    # "It runs on port 3000", "use port 4000 for it": what a value is for is not what is done with it.
    is_number = not values.isdisjoint(old.numbers)
    is_agreed = _agree_on_actions(old, new) or (is_number and old.actions | new.actions <= _OF_VALUES)
    if all(map(is_action, common)) or not is_agreed:
        return False
    shared = sum(max(old.weights[token], new.weights[token]) for token in common)
    said = values | common
    alone = [
        sum(weight for token, weight in each.weights.items() if not (token in said or is_action(token)))
        for each in (old, new)
    ]
    return shared >= _SAME * (shared + sum(alone)) or (shared >= 1 and not min(alone))


def _is_for_other_name(ours: AbstractSet[str], theirs: AbstractSet[str]) -> bool:
    """ "`web` with yarn", "`docs` with pnpm": of the names one is what the other is for."""
    paths = frozenset(name for name in ours | theirs if "/" in name)
    families = [family for family in (*ALTERNATIVES, paths) if ours & family and theirs & family]
    return any(bool(ours - family) or bool(theirs - family) for family in families)


def _is_other_language(old: Subject, new: Subject) -> bool:
    """`answer in Chinese`, `answer in English`: the rest is only what is done."""
    ours, theirs = _languages(old), _languages(new)
    if not ours or not theirs or ours & theirs or not old.actions & new.actions:
        return False
    return not _telling(old.weights.keys() - ours) and not _telling(new.weights.keys() - theirs)


def _is_alternative(old: Subject, new: Subject) -> bool:
    """`tabs`, `2 spaces`: who takes the one leaves the other, unless it is for a part of it only."""
    ours, theirs = old.weights.keys() - new.weights.keys(), new.weights.keys() - old.weights.keys()
    for family in ALTERNATIVES:
        was, now = ours & family, theirs & family
        if was and now and _agree_on_actions(old, new):
            return not [word for word in _telling(theirs - now) if word not in _OF_INDENTING]
    return False


def _is_value(word: str) -> bool:
    return word in LANGUAGES or any(word in family for family in ALTERNATIVES)


def _telling(words: AbstractSet[str]) -> list[str]:
    return [word for word in words if not is_action(word) and not (len(word) == 1 and word.isdecimal())]


def _differs_in_one_word(old: Subject, new: Subject) -> bool:
    """`use jest for the tests`, `use vitest for the tests`: names that look like any word."""
    ours, theirs = old.weights.keys() - new.weights.keys(), new.weights.keys() - old.weights.keys()
    if len(ours) != 1 or len(theirs) != 1:
        return False
    [was], [now] = ours, theirs
    if {was[0], now[0]} == {"~"} and not _is_value(was) and any(map(_is_value, old.weights)):
        return False
    is_name = max(old.weights[was], new.weights[now]) >= STRONG and old.weight - old.weights[was] >= _FRAME
    if "!use" not in old.actions & new.actions and not is_name:
        return False
    is_plain = all(token.isascii() and token.lstrip("~").isalpha() for token in ours | theirs)
    return is_plain and not all(map(is_action, old.weights.keys() & new.weights.keys()))
