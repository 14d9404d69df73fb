"""Whether what a person rejected covers what is said now: the same in other words, or a part of it."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from agentinitd.memory.capture.concepts import ACTIONS, chinese_tokens, english_token, is_action
from agentinitd.memory.capture.contrasts import turned_away
from agentinitd.memory.capture.members import left_out
from agentinitd.memory.capture.statement import Statement, subject_in
from agentinitd.memory.capture.subject import Subject, agree_on_actions, subject_of
from agentinitd.memory.capture.wording import meant_polarity
from agentinitd.model.facts import Anchor

_BANNED = re.compile(
    r"(?:\b(?:never|don'?t|do not|no)(?: ever)?(?: use)?\s+|(?:别|不要|不许|不准|不能|禁止|不)再?[用走]\s*)"
    r"(?P<words>[^,，。;；()（）]{1,60})",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\bonly\b|只[用走能许]", re.IGNORECASE)
_USE = frozenset({"!use", "!run"})
_SLIGHT = frozenset(
    {"~new", "~pr", "task", "indent", "indentation", *chinese_tokens("缩进"), *chinese_tokens("任务")}
)
"""What may be said, or left out, where the rest is the same."""


def is_rejected(said: Statement, item: Anchor) -> bool:
    if item.status != "rejected":
        return False
    if said.is_same_as(item):
        return True
    if said.proposal.kind != "rule" or item.captured != "rule":
        return False
    polarity = meant_polarity(item.what, item.polarity or "do")
    if polarity == said.polarity and _is_part(said, item):
        return True
    is_choice = polarity == "do" or _ONLY.search(item.what) is not None
    return said.polarity == "do_not" and is_choice and _is_what_it_turns_from(said, item.what)


def _is_part(said: Statement, item: Anchor) -> bool:
    """Whether it says nothing more than that, and leaves out no more than what that turns away from, or joins
    with it: without a condition it would say more, though in fewer words."""
    mine, theirs = said.subject, subject_in(item)
    ours, all_ = _things(mine), _things(theirs)
    if not ours or not ours <= all_ or mine.paths != theirs.paths or not agree_on_actions(mine, theirs):
        return False
    if said.polarity == "do" and (ours - _away(said.text)) & _away(item.what):
        return False
    missing = all_ - ours - _away(item.what)
    return not missing or bool(left_out(item.what, (mine,)))


def _is_what_it_turns_from(said: Statement, rejected: str) -> bool:
    """ "Never npm", where "use pnpm, not npm" was rejected."""
    ours = _things(said.subject)
    return bool(ours) and ours <= _away(rejected) and said.subject.actions <= _USE


def _away(text: str) -> frozenset[str]:
    """What a demand turns away from, in whatever words."""
    found = (subject_of(match["words"]).weights for match in _BANNED.finditer(text))
    banned = frozenset(token for words in found for token in words if not is_action(token))
    return turned_away(text) | banned


def _things(subject: Subject) -> AbstractSet[str]:
    """Without what is done; `force-push` by its words."""
    words = (part for token in subject.weights for part in _parts(token))
    return frozenset(words) - ACTIONS - _SLIGHT


def _parts(token: str) -> list[str]:
    if "-" not in token or "/" in token or token.startswith("-"):
        return [token]
    return [word for part in token.split("-") if (word := english_token(part))]
