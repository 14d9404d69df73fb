"""Which rule is over, or has another value, because the person tells how it is to be now."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from agentinitd.memory.capture.change_words import is_told_now
from agentinitd.memory.capture.chinese_script import simplified
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.slots import fit, is_bare, is_of_one_purpose, shares_deed, words_of

NEAR_MESSAGES = 2
"""An untyped name alone ("vitest instead") can only correct what was said this many messages ago."""
_STOPS = re.compile(
    r"(?:please |pls |just |ok |so )*(?:(?:don'?t|do not|dont) [^,;]+ any ?more\b|stop [a-z]+ing\b"
    r"|no more [a-z]+ing\b"
    r"|only [a-z]+ (?:when|if|once|after) i\b)",
    re.IGNORECASE,
)
_THEM_INSTEAD = re.compile(r"\W*[a-z]+ (?:it|them|those) [^,;]+ instead$", re.IGNORECASE)
_NAME_PLEASE = re.compile(r"\W*[\w.+#-]+ (?:please|pls)\W*", re.IGNORECASE)


def whole(rule: Proposal) -> str:
    """Its words, and what they leave out."""
    is_bare_value = rule.corrects and not rule.topic and is_bare(rule.corrects, rule.text)
    return _whole(rule.corrects if is_bare_value else rule.topic, rule.text)


@lru_cache(maxsize=512)
def _whole(topic: str, text: str) -> str:
    return simplified(f"{topic} {text}" if topic not in text else text)


def is_near(rule: Proposal, context: Context) -> bool:
    """Whether it was said in one of the last messages."""
    return any(rule.text in message for message in context.person_before[-NEAR_MESSAGES:])


def stopped(text: str, rules: Sequence[Proposal]) -> Proposal | None:
    """What was to be done, where it says no more of it: "don't commit any more"."""
    if not _STOPS.match(text.strip()):
        return None
    said = words_of(text)

    def is_meant(old: str) -> bool:
        return shares_deed(old, text) and said.told <= words_of(old).told

    demands = (rule for rule in reversed(rules) if rule.polarity == "do")
    return next((rule for rule in demands if is_meant(whole(rule))), None)


def moved(text: str, rules: Sequence[Proposal]) -> Proposal | None:
    """Of whose thing it is told where, or at what value, it is now: "the API is on 5050 now"."""
    if not is_told_now(text):
        return None
    demands = (rule for rule in reversed(rules) if rule.polarity == "do")
    return next((rule for rule in demands if fit(whole(rule), text) == "framed"), None)


def named_please(text: str, rules: Sequence[Proposal], context: Context) -> Proposal | None:
    """For whose name another of one purpose is asked for: "pnpm please"."""
    if not _NAME_PLEASE.fullmatch(text):
        return None
    near = (rule for rule in reversed(rules) if rule.polarity == "do" and is_near(rule, context))
    return next((rule for rule in near if is_of_one_purpose(whole(rule), text)), None)


def is_done_otherwise(rule: Proposal, text: str) -> bool:
    """ "Put them next to the code instead"."""
    return _THEM_INSTEAD.match(text) is not None and shares_deed(whole(rule), text)
