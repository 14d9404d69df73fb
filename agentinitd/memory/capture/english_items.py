"""A few English words without a verb that the words beside them make a rule: "- vitest" among rules."""

from __future__ import annotations

import re
from functools import lru_cache

from agentinitd.memory.capture.english_marks import PHRASE
from agentinitd.memory.capture.english_sense import form_of
from agentinitd.memory.capture.prose import Context, Sentence

_BULLET = re.compile(r"^\s*[-*+•]\s+(.+)$", re.MULTILINE)
_BANS = re.compile(
    r"(?:(?:and|but|please|btw|ok|so|also|absolutely)\b,? )*(?:no|never|not) [a-z]", re.IGNORECASE
)
_NO_THINGS = re.compile(
    r"(?:please )?no (?!(?:errors|news|results|problems|changes|logs|answers|warnings)\b)[a-z]+s\.?",
    re.IGNORECASE,
)
_OF_MEANS = re.compile(
    r"\b(?:through|via|with|using|from|by|as|only|plain|raw|pure|instead)\b", re.IGNORECASE
)
MAX_ITEM_CHARS = 80


def is_beside_others(sentence: Sentence, context: Context) -> bool:
    """Whether it is an item among rules, or what is wanted where something was just banned."""
    is_listed = "- " in context.message or "* " in context.message
    is_behind_ban = _BANS.match(sentence.before) is not None
    if sentence.is_question or not (is_listed or is_behind_ban):
        return False
    if not PHRASE.fullmatch(sentence.plain.rstrip(" .!")):
        return False
    return _is_among_rules(sentence, context) or (is_behind_ban and _is_instead_of_ban(sentence))


def _is_among_rules(sentence: Sentence, context: Context) -> bool:
    items, rules = _listed(context.message)
    return sentence.text.rstrip(" .!") in items and any(rule != sentence.text for rule in rules)


@lru_cache(maxsize=2)
def _listed(message: str) -> tuple[frozenset[str], frozenset[str]]:
    """The items of its lists without their end, and those of them that are rules by themselves."""
    items = frozenset(item.strip() for item in _BULLET.findall(message))
    forms = ((item, form_of(item)) for item in items if len(item) <= MAX_ITEM_CHARS)
    rules = frozenset(item for item, form in forms if form is not None and form.act == "state")
    return frozenset(item.rstrip(" .!") for item in items), rules


def _is_instead_of_ban(sentence: Sentence) -> bool:
    if not _OF_MEANS.search(sentence.plain):
        return False
    form = form_of(sentence.before.rstrip(" .!")) or form_of(sentence.before)
    return (form is not None and form.polarity == "do_not") or _NO_THINGS.fullmatch(
        sentence.before
    ) is not None
