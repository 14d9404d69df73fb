"""Whether a clause gives another value for what a rule speaks of: `8081` → `take 8091`, jest → vitest.

What tells the value is that nothing else is new: all other words are the rule's, or there are none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from agentinitd.memory.capture.concepts import ALTERNATIVES, LANGUAGES, is_action
from agentinitd.memory.capture.contrasts import without_empty_contrast
from agentinitd.memory.capture.needed import Sought
from agentinitd.memory.capture.purposes import purposes_of
from agentinitd.memory.capture.subject import shared
from agentinitd.memory.capture.subject_words import tokens_of

MAX_CHARS = 400
MAX_VALUE_TOKENS = 5
_HAN_TOKEN = re.compile(r"[\u3400-\u9fff]")
_NUMBER = re.compile(r":?v?\d+(?:\.\d+)*(?:[a-z%]{0,3}|\.x)")
_COUNTS = "two three four five six seven eight nine ten twelve twenty thirty fifty hundred thousand dozen"
_NUMERALS = frozenset(_COUNTS.split())
_CASES = re.compile(r"(?:snake|camel|kebab|pascal|upper|lower|screaming)[_ -]?case|pascalcase|camelcase")
_EXCEPTION = Sought(
    r"[,(]?\s*\b(?:except|apart from|other than|aside from|besides|excluding|save for"
    r"|with the exception of|but not)\b[^,;.]*"
    r"|除了?(?!非)[^，。]*?(?:以外|之外|外|，|(?=[都全也其一]))|不包括[^，。]*|[^，。]{1,20}(?:除外|例外)",
)
_TAKE = re.compile(r"换 ?(?=[A-Za-z`])")
_SINGLE = frozenset({"!use", "!name", "!call", "!mock", "!format", "!answer", "!write"})
_LEADS_TO_VALUE = re.compile(
    r"\b(?:with|as|via|through|using|called|named) [\w./`'\"-]+(?: please| now)?$", re.IGNORECASE
)
_CHOICES = frozenset({"!use", "!run", "!write", "!put", "!format", "!call", "!name", "!answer"})
# What only says that something changes, or carries its sentence.
_CHANGE_WORDS = """
actually correction sorry scrap scratch strike plan plans thought thoughts mind hmm hm continue
continuing proceed carry work working decide decided settle settled revert turn back pick choose set try
everyone everybody people folk folks guys fine enough go going goes it's that's let's let lets then max
maximum min minimum most tell default please pls thank thanks sure well oh ah no one thing prefer i'd
i'll we'll we're per would like want find give bit little cap stick target listen
raise lower reduce increase adjust shift roll convert stay move limit today tomorrow take as-is anyway
hereafter meant mean
按 今天 今后 升到 降到 调到 提到 加到 减到 减少 放宽 宽到 收紧 紧到 缩到 切回 切到 切成 切换 换个 一个 了想
目前
改 定 换 好 行 想 算 最后 等等 不对 改一 一下 主意 更正 调 切 够 成 写 几个 那几 为 回 调整 固定 默认 就行
升 降 提 加 减 放 收 缩 还是
"""
_OF_CHANGE = frozenset(_CHANGE_WORDS.split())
_ARTICLES = frozenset({"a", "an", "the", "our", "my", "new", "of", "plain"})

Fit = Literal["", "typed", "named", "framed"]
"""`typed`: it names nothing but a number, a language …, as the rule does.  `named`: nothing but a name.
`framed`: it names what the rule speaks of as well."""


@dataclass(frozen=True, slots=True)
class Words:
    """The telling words of a clause in their order."""

    order: tuple[str, ...]
    """With "" for what parts two of them: a word that says nothing."""
    told: frozenset[str]
    actions: frozenset[str]
    kinds: frozenset[int]
    """Of values that it names."""


@lru_cache(maxsize=256)
def words_of(text: str) -> Words:
    order: list[str] = []
    for word, tokens in tokens_of(text[:MAX_CHARS]):
        order += [token.rstrip("从") or token for token in tokens if token not in _OF_CHANGE]
        if not tokens and word.casefold() not in _ARTICLES:
            order.append("")
    told = frozenset(token for token in order if token and not is_action(token))
    kinds = frozenset(number for number, is_of_kind in enumerate(_KINDS) if any(map(is_of_kind, told)))
    return Words(tuple(order), shared(told), shared(frozenset(filter(is_action, order))), shared(kinds))


def fit(rule: str, clause: str) -> Fit:
    """How the clause takes the place of the rule; the empty word when it does not."""
    old, new = words_of(rule), words_of(_TAKE.sub("换成 ", clause))
    if new.told.isdisjoint(old.told) and new.kinds.isdisjoint(old.kinds) and not _is_choice(old, new):
        return ""
    extra, missing = new.told - old.told, old.told - new.told
    if not extra or not missing:
        return ""
    typed = frozenset() if new.kinds.isdisjoint(old.kinds) else _typed(extra, missing)
    rest = extra - typed
    if typed and not rest:
        return "framed" if old.told & new.told else "typed"
    if typed or _has_typed(missing) or not _is_one_phrase(extra, new):
        return ""
    shared, deeds = new.told & old.told, new.actions & old.actions
    if shared and (deeds or not old.actions or not new.actions):
        return "framed"
    return (
        "named" if _is_choice(old, new) and not shared and not _has_typed(extra) and _is_name(extra) else ""
    )


def _is_choice(old: Words, new: Words) -> bool:
    return new.actions <= old.actions and bool(new.actions or old.actions & _CHOICES)


def new_words(rule: str, clause: str) -> frozenset[str]:
    return shared(words_of(clause).told - words_of(rule).told)


def is_of_other_purpose(rule: str, clause: str) -> bool:
    """Whether what it names anew is known to be for something else: Redis, where a language is named."""
    was, now = purposes_of(new_words(clause, rule)), purposes_of(new_words(rule, clause))
    return bool(was and now) and was.isdisjoint(now)


def is_of_one_purpose(rule: str, clause: str) -> bool:
    was, now = purposes_of(new_words(clause, rule)), purposes_of(new_words(rule, clause))
    return bool(was) and was == now


def is_done_to_another(rule: str, clause: str) -> bool:
    """Whether the same is done as before, to, in, with … another: push to origin, push to upstream."""
    old, new = words_of(rule), words_of(clause)
    deeds = (old.actions & new.actions) - {"!use"}
    at = next((place for place, token in enumerate(new.order) if token in new.told - old.told), 0)
    return at > 1 and new.order[at - 2] in deeds and not new.order[at - 1]


def keeps_value(rule: str, clause: str) -> bool:
    """Whether the value is the same, and what it is for is another: comments in English, docs in English."""
    old, new = words_of(rule), words_of(clause)
    extra, missing = new.told - old.told, old.told - new.told
    if not extra or not missing or _names_value(extra) or _names_value(missing):
        return False
    kept = old.told & new.told
    is_of_things = all(token.startswith("~") for token in extra | missing)
    return _names_value(kept) or (is_of_things and _has_typed(kept))


def is_for_other(rule: str, clause: str) -> bool:
    """Whether each names a thing that the other does not, beside their values: functions, files."""
    old, new = words_of(rule).told, words_of(clause).told
    extra, missing = new - old, old - new
    return bool(extra - _typed(extra, missing)) and bool(missing - _typed(missing, extra))


def _names_value(tokens: AbstractSet[str]) -> bool:
    return any(is_of_kind(token) for token in tokens for is_of_kind in (*_KINDS[1:3], *_KINDS[4:]))


def is_typed(rule: str, clause: str) -> bool:
    """Whether both name a number, a language, a path … each: one can be told to stand for the other."""
    old, new = words_of(rule), words_of(clause)
    return bool(_typed(new.told - old.told, old.told - new.told))


def frame_of(rule: str, clause: str) -> str:
    """What the clause leaves out: the rule without the value that is replaced.

    Empty when nothing else is left out, and when no kind of value tells which of its words is the old one, or
    that cannot be taken out of them.
    """
    old, new = words_of(rule), words_of(clause)
    values = _typed(old.told - new.told, new.told - old.told)
    is_told = old.told - values <= new.told and (new.actions or not old.actions)
    if not values or is_told:
        return ""
    kept = [
        word for word, tokens in tokens_of(rule[:MAX_CHARS]) if not values & set(tokens) or len(tokens) > 2
    ]
    frame = without_empty_contrast(" ".join(kept))
    return "" if words_of(frame).told & values else frame


def is_bare(rule: str, clause: str) -> bool:
    """Whether it names a value only, and neither what it is of nor what is done with it: "sorry, clang"."""
    old, new = words_of(rule), words_of(clause)
    return not new.actions and new.told.isdisjoint(old.told)


def shares_thing(rule: str, clause: str, *, of_any_deed: bool = False) -> bool:
    """Whether both speak of one thing, and not of doing different things with it."""
    old, new = words_of(rule), words_of(clause)
    is_other_deed = bool(old.actions and new.actions) and not old.actions & new.actions
    return (bool(old.told & new.told) or _lies_in(new, old)) and (of_any_deed or not is_other_deed)


def _lies_in(new: Words, old: Words) -> bool:
    """`legacy/util` in `legacy`."""
    return any(token.startswith(f"{place}/") for token in new.told for place in old.told)


def names_old_value(rule: str, clause: str, around: str) -> bool:
    """Whether what is said around the clause speaks of the value that it replaces."""
    return bool((words_of(rule).told - words_of(clause).told) & words_of(around).told)


def is_choice_anew(rule: str, clause: str) -> bool:
    """Whether the value is one of which a thing has a single one: what it is done with, called, kept as."""
    old, new = words_of(rule), words_of(clause)
    if not old.actions | new.actions <= _SINGLE or fit(rule, clause) != "framed":
        return False
    at = min(place for place, token in enumerate(new.order) if token and token not in old.told | new.actions)
    before = new.order[at - 1] if at else ""
    return before in _SINGLE or _LEADS_TO_VALUE.search(clause) is not None


def is_for_part(rule: str, clause: str) -> bool:
    """Whether it names two new things: a value, and what it is for (`playwright for the e2e tests`)."""
    old, new = words_of(rule), words_of(clause)
    extra, missing = new.told - old.told, old.told - new.told
    return len(extra) > 1 and not _typed(extra, missing) and not _is_one_phrase(extra, new)


def has_exception(clause: str) -> bool:
    return _EXCEPTION.search(clause) is not None


def excepts_from(rule: str, clause: str) -> bool:
    """Whether it is the rule once more, but for an exception that the rule did not make."""
    found = _EXCEPTION.search(clause)
    if found is None or _EXCEPTION.search(rule):
        return False
    old, new = words_of(rule), words_of(_EXCEPTION.pattern.sub(" ", clause))
    is_one = old.told <= new.told or new.told <= old.told
    return (
        is_one
        and bool(old.told & new.told)
        and (not old.actions or not new.actions or bool(old.actions & new.actions))
    )


def is_named_in(rule: str, name: str) -> bool:
    """Whether the name is made of the rule's words, or of how they begin: `IE` for `IE11`."""
    old, new = words_of(rule), words_of(name)
    said = new.told or new.actions - {"!use"}
    words = old.told | old.actions
    return bool(said) and all(
        token in words or any(word.startswith(token) for word in words if len(token) > 1) for token in said
    )


def shares_deed(rule: str, clause: str) -> bool:
    return bool(words_of(rule).actions & words_of(clause).actions - {"!use"})


def _typed(ours: AbstractSet[str], theirs: AbstractSet[str]) -> frozenset[str]:
    """Of our words the values, of whose kind theirs has one as well."""
    found: frozenset[str] = frozenset()
    for is_of_kind in _KINDS:
        mine = frozenset(filter(is_of_kind, ours))
        if mine and any(map(is_of_kind, theirs)):
            found |= mine
    return found


def _is_name(tokens: AbstractSet[str]) -> bool:
    """Chinese words by themselves name no choice."""
    return not any(_HAN_TOKEN.match(token) for token in tokens)


def _has_typed(tokens: AbstractSet[str]) -> bool:
    """A value that only another of its kind can replace."""
    return any(is_of_kind(token) for token in tokens for is_of_kind in _KINDS[:3])


def _is_path(token: str) -> bool:
    return "/" in token and len(token) > 2


def _among(family: frozenset[str]) -> Callable[[str], bool]:
    return family.__contains__


_KINDS: tuple[Callable[[str], bool], ...] = (
    lambda token: bool(_NUMBER.fullmatch(token)) or token in _NUMERALS,
    _among(LANGUAGES),
    lambda token: bool(_CASES.fullmatch(token)),
    _is_path,
    *map(_among, ALTERNATIVES),
)


def _is_one_phrase(extra: frozenset[str], words: Words) -> bool:
    """Whether what is new stands together, as the name of one value does."""
    places = [at for at, token in enumerate(words.order) if token in extra]
    if len(extra) > MAX_VALUE_TOKENS:
        return False
    return places[-1] - places[0] == len(places) - 1
