"""Whether what a person says answers the agent, who spoke of something else than a rule of theirs does."""

from __future__ import annotations

import re
from functools import lru_cache

from agentinitd.memory.capture.chinese_script import simplified
from agentinitd.memory.capture.purposes import LANGUAGE, purposes_of
from agentinitd.memory.capture.slots import Words, new_words, words_of

MAX_CHARS = 400
_USE = frozenset({"!use", "!run"})
_MARK = re.compile(r"[?？]|[吗呢]\s*[。.]?\s*$")
_START = re.compile(r".*(?:[.!。！;；]\s|[。！；?？\n])", re.DOTALL)
_OPEN = re.compile(
    r"\b(?:which|what|whose|who|where|when|how (?:many|much|long|often|big|large|far)|or)\b"
    r"|还是|[哪几谁]|什么|多少|多大|多长|多久",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\binstead\b|\bi (?:meant|mean)\b|换成|改成|改用|改为", re.IGNORECASE)


def is_answer_elsewhere(rule: str, clause: str, agent_before: str) -> bool:
    """Whether the agent asked, or told, of something that the rule does not speak of, and this answers it."""
    if not agent_before:
        return False
    tail = agent_before[-MAX_CHARS:]
    question, told = _told(tail)
    if _is_about(rule, told):
        return False
    if _is_of_its_kind(clause, rule, told):
        return True
    if not question or not _OPEN.search(question) or _INSTEAD.search(clause):
        return False
    return bool(told.told) or not _is_about(rule, words_of(simplified(tail)))


@lru_cache(maxsize=32)
def _told(tail: str) -> tuple[str, Words]:
    """The agent's question, and what that or else its last sentence speaks of."""
    said = simplified(tail.rstrip())
    question = _question_in(said)
    return question, words_of(question or _last_sentence(said))


def _question_in(text: str) -> str:
    """The last one, with the choices that are listed behind it; the empty word when nothing is asked."""
    marks = list(_MARK.finditer(text))
    if not marks:
        return ""
    before = text[: marks[-1].start()]
    start = _START.match(before)
    return text[start.end() if start else 0 :]


def _last_sentence(text: str) -> str:
    body = text.rstrip(" .。!！\n")
    start = _START.match(body)
    return body[start.end() if start else 0 :]


def _is_about(rule: str, told: Words) -> bool:
    ours = words_of(rule)
    is_named = bool(ours.told & told.told) or bool((ours.actions & told.actions) - _USE)
    return is_named or bool((purposes_of(ours.told) & purposes_of(told.told)) - {LANGUAGE})


def _is_of_its_kind(clause: str, rule: str, told: Words) -> bool:
    """Whether the agent named what the person names now, or another of its kind."""
    new = new_words(rule, clause)
    return bool(new & told.told) or bool(purposes_of(new) & purposes_of(told.told))
