"""A name said alone that takes the place of the one in the rule before: "no, kustomize instead"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentinitd.memory.capture.contrasts import turned_away
from agentinitd.memory.capture.english_traps import REMARK
from agentinitd.memory.capture.english_verbs import ORDERS
from agentinitd.memory.capture.proposals import Proposal

MAX_CLAUSE_CHARS = 80
_SIGN = (
    r"(?:no+|nope|nah|hm+|wait|sorry|oops|whoops|actually|correction|rather|better|i (?:meant|mean)|my bad"
    r"|make (?:that|it|this)|let'?s (?:do|use|take|go with|go for)|go with|use|scratch that|strike that|ok"
    r"|so|ah|oh|and|then|just|but|please|pls)"
)
_ENDS = r"(?:instead|please|pls|actually|sorry|then|after|rather|thanks|thx|my|i|for|of|there|everywhere)"
_NAME = rf"(?P<name>[@\w][\w@./+#-]*(?: (?!{_ENDS}\b)[\w@.+#-]+)?)"
_ALONE = re.compile(
    rf"(?P<before>(?:{_SIGN}\b[ ,.:!-]*)*){_NAME}(?P<after>(?:[ ,]+(?:instead|please|pls|actually|sorry|then"
    r"|after all|rather|thanks|thx|my bad|i (?:meant|mean)|for (?:that|it|this|them)|there|everywhere))*)$",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\b(?:no+|nope|nah|wait|sorry|oops|whoops|actually|correction|rather|meant|mean|make (?:that|it)|scratch"
    r"|strike|instead|after all|bad)\b",
    re.IGNORECASE,
)
_INSTEAD = re.compile(r"\b(?:instead|meant|correction|make (?:that|it))\b", re.IGNORECASE)
_NO_NAME = re.compile(
    r"(?:it|this|that|these|those|them|the|an?|my|your|our|his|her|its|i|you|we|he|she|they|one|both|neither"
    r"|none|some|all|any|each|every|other|others|another|same|everything|something|anything|nothing|nobody"
    r"|somebody|what|why|who|when|where|how|which|if|because|as|at|in|on|to|for|from|of|by|with|not|never"
    r"|yes|yeah|no|ok|okay|sure|right|wrong|true|false|correct|fine|good|great|nice|cool|bad|worse|best|perfect"
    r"|awesome|funny|weird|odd|strange|interesting|impressive|done|ready|later|now|today|tomorrow|soon"
    r"|again|here|there|is|are|was|were|has|have|had|do|does|did|can|could|will|would|should|works?|worked"
    r"|looks?|looked|failed|fails|thanks|thank|thx|idea|problem|worries|need|way|clue|luck|point|yet|too|also"
    r"|only|quite|pretty|very|much|more|less|most|really|maybe|perhaps|probably|still|already|first|last"
    r"|next|second|please|sorry|lol|haha|hm+|[a-z]+ly|[a-z]+n't|[a-z]+'[a-z]+)$",
    re.IGNORECASE,
)
_SLOT = re.compile(
    r"\b(?:use|using|with|via|through|in|to|on|as|by|from|against)\s+(?P<name>[@\w][\w@./+#-]*?)"
    r"(?=[.,;]?(?:$|\s(?:for|to|in|on|when|from|now|please|pls|everywhere|always|only|as|at|format|style"
    r"|mode)\b|[,;]))",
    re.IGNORECASE,
)


def renamed_by(clause: str, rules: Sequence[Proposal], *, is_led: bool) -> Proposal | None:
    """The last of the rules, if the clause gives another name for what that names; `is_led`: behind "no"."""
    alone = _ALONE.match(clause.strip(" .!…")) if len(clause) <= MAX_CLAUSE_CHARS else None
    if alone is None or not (is_led or _CORRECTS.search(f"{alone['before']} {alone['after']}")):
        return None
    is_clear = bool(_INSTEAD.search(f"{alone['before']} {alone['after']}"))
    return _named_before(rules) if _is_name(alone["name"], is_clear=is_clear) else None


def turned_from(text: str, rules: Sequence[Proposal]) -> Proposal | None:
    """The last of the rules, if "vite, not webpack" turns away from what it names."""
    away = turned_away(text)
    found = _named_before(rules) if away else None
    if found is None:
        return None
    name = _SLOT.search(found.text)
    return found if name and name["name"].casefold() in away else None


def _named_before(rules: Sequence[Proposal]) -> Proposal | None:
    """The last that was asked for, if it is done with, in, to … one thing that has a name."""
    rule = next((rule for rule in reversed(rules) if rule.polarity == "do"), None)
    slot = _SLOT.search(rule.text) if rule else None
    return rule if slot and not _NO_NAME.match(slot["name"]) else None


def _is_name(name: str, *, is_clear: bool) -> bool:
    words = name.split()
    if any(_NO_NAME.match(word) for word in words) or REMARK.search(name):
        return False
    return is_clear or words[0].lower() not in ORDERS
