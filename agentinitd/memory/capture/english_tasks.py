"""English orders that are one step of the work at hand: beside other steps, and with no word of when else."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_one_off import LASTS
from agentinitd.memory.capture.english_verbs import MANNERS, ORDERS

_LEAD = re.compile(
    r"(?:(?:please|pls|now|then|just|so|and|ok|okay|also|first|next|let'?s|lets|you|maybe|better|rather|but"
    r"|can|could|yes|alright),? )+",
    re.IGNORECASE,
)
_STEPS = re.compile(r"(?:\s*[,;]\s*|\s+-+\s+|\s+)(?:and then|and|then|afterwards|also)\s+|\s*[,;]\s*")
_WORD = re.compile(r"[a-z-]+", re.IGNORECASE)
_NOW = (ORDERS - MANNERS) | {"raise", "shorten", "bring", "bump"}
_HOLDS = re.compile(
    r"\b(?:only|not|no|never|nothing|rather|instead|prefer|always|sure|stay|stays|without|except|max|most"
    r"|least|under|below|tests?|(?<!the )(?<!my )first|after|as (?:they|it) (?:are|is)"
    r"|(?<!go )(?<!walk )(?<!look )(?<!read )(?<!click )(?<!step )through"
    r"|in (?:plain|simple|(?:the )?past|present)|answering|anything|nobody|consistent|style|conventional"
    r"|in english|yourself"
    r"|small|short|separate|own|one [\w-]+ (?:per|at)|for (?:all|any|new)|on (?:all|any|new))\b",
    re.IGNORECASE,
)


_OF_THINGS = re.compile(
    r"[a-z-]+ (?:new )?(?:commits?|branch(?:es)?|prs?|functions?|comments?|variables?|files?|components?"
    r"|docstrings?|code|errors?)\b(?! (?:below|above|there))",
    re.IGNORECASE,
)
""" "Name branches feat/x and open PRs against develop": of what is made again and again."""


def is_step(clause: str, sentence: str) -> bool:
    """ "Keep the latest, and add a test for that": done once, as is what stands beside it."""
    if LASTS.search(sentence) or _HOLDS.search(clause):
        return False
    if _verb(clause) not in ORDERS or _OF_THINGS.match(clause):
        return False
    steps = [_verb(step) for step in _STEPS.split(sentence)]
    return sum(verb in ORDERS for verb in steps) > 1 and any(verb in _NOW for verb in steps)


def _verb(step: str) -> str:
    lead = _LEAD.match(step)
    word = _WORD.match(step, lead.end() if lead else 0)
    return word.group().lower() if word else ""
