"""What two pieces of an English sentence have in common: a verb, a predicate, or nothing."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_clauses import REASON
from agentinitd.memory.capture.english_traps import HEARSAY, HYPOTHETICAL, PAST, PEOPLE, PRONOUN
from agentinitd.memory.capture.english_verbs import MANNERS, ORDERS

_BEGINS = re.compile(
    r"(?:please|pls|plz|don'?t|dont|do not|never|always|only|no|not|nothing|nobody|make|let'?s|i|i'm|i'd|we"
    r"|you|u|it|it's|this|that|that's|there|they|he|she|who|which|what|then|also|if|when|whenever|because"
    r"|so|but|can|could|would|should)\b",
    re.IGNORECASE,
)
_FIRST_WORD = re.compile(r"[\w'-]+")
_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|do|does|did|will|would|can|could|may|must|shall|should|needs?|goes"
    r"|go|gets?|isn'?t|aren'?t|don'?t|doesn'?t|stays?|remains?|comes?)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:(?:the|our|all|your|my|any|new|both) )*[\w./+-]+(?: [\w./+-]+){0,2}\s*", re.IGNORECASE
)
_NO_NAME = re.compile(
    r"(?:it|this|that|there|i|we|you|they|he|she|yes|no|ok|okay|thanks|good|nice|great|cool|fine|done|also|so"
    r"|well|right|perfect|please|now|then|here)\b",
    re.IGNORECASE,
)
_OCCASION = re.compile(
    r"(?:before|after|whenever|every time|each time|any time|(?:in|on|at|for|with|to) (?:every|each|all"
    r"|any|new"
    r"|both)|at the (?:end|start|top|bottom)|from now on|when|if|once|as soon as|always|everywhere)\b",
    re.IGNORECASE,
)
_AT_TIMES = re.compile(
    r"\b(?:before|after|whenever|every time|each time|(?:on|with|in) (?:every|each))\b", re.IGNORECASE
)
_BACK = re.compile(
    r"(?:so |please |try to |always |just |and )*(?:lean towards|go (?:with|for)|stick (?:to|with)|use"
    r"|prefer|do|follow"
    r"|keep to|write|make|name|format|call|treat|handle)(?: (?:it|them))? (?:that|those|these|this|it"
    r"|them|like that"
    r"|that way|accordingly)\b(?! (?:file|folder|branch|one))",
    re.IGNORECASE,
)
_INSTEAD = re.compile(
    r"(?:please |just |rather |always )*(?:use|write|prefer|take|call|put|go|do|make|keep|let|only|instead"
    r"|always)\b",
    re.IGNORECASE,
)
_NO_ITEM = re.compile(
    r"(?:i|i'm|i'll|we|we're|you|and i|the (?:rest|problem|bug|error|last|first|issue)|yes"
    r"|no\b(?! [a-z]+)|ok|okay|thanks|thx|good"
    r"|nice|great|cool|fine|done|what|why|how|when|who|where|if|because|since|is|are|does|do you|can"
    r"|could|then"
    r"|that'?s|it'?s|there'?s|etc|and so on|e\.g\.|for example|first|second|third|next|today|tomorrow|now)\b",
    re.IGNORECASE,
)
_ONE_PLACE = re.compile(
    r"\bthe [\w-]+ (?:in|into|to|from|of|on) (?:the )?[\w./-]*[./_(][\w./-]*", re.IGNORECASE
)
_VERBLESS = re.compile(
    r"(?:all |new |our |one |no )?(?:[\w./+-]+ ){0,2}[\w./+-]+ (?:for|in|on|at|with|via|as|next to|under"
    r"|behind|per|over"
    r"|before|after|without|above|below|through) (?!(?:it|this|that|the (?:way|moment"
    r"|end))\b)[\w./+` -]{2,40}",
    re.IGNORECASE,
)
_THING_MUST = re.compile(
    r"\b(?:the|an?|this|that) (?:[\w-]+ ){1,3}?(?:should|must|can|will|may|has to|needs to|cannot|can't"
    r"|won't)"
    r" [a-z]+",
    re.IGNORECASE,
)
MIN_ITEM_CHARS = 5
MAX_ITEM_CHARS = 90
MAX_SHARED_CHARS = 60


def begins_anew(piece: str) -> bool:
    """With an order, a ban, or a subject of its own that no noun before "and" can share."""
    first = _FIRST_WORD.match(piece)
    is_order = first is not None and first.group().lower() in ORDERS and not _is_noun_of_subject(piece)
    return bool(_BEGINS.match(piece)) or is_order


def _is_noun_of_subject(piece: str) -> bool:
    """ "test names are …": the first word is no verb, for what it begins is a subject."""
    words = piece.split(maxsplit=3)
    return len(words) > 2 and (
        words[1].endswith("s") and bool(_FINITE.match(words[2]) or words[2] in ("in", "with", "as"))
    )


def shares_verb(piece: str) -> bool:
    """ "3001 for the web": what the verb before "and" is also about."""
    return len(piece) <= MAX_SHARED_CHARS and not (begins_anew(piece) or _FINITE.search(piece))


def is_joint_order(lead: str, piece: str) -> bool:
    """ "Run tests and lint before you push": the time is that of both."""
    is_short = len(lead) <= MAX_SHARED_CHARS // 2
    return is_short and begins_with_order(lead) and begins_with_order(piece) and bool(_AT_TIMES.search(piece))


def shares_modal(told: str, piece: str) -> bool:
    """ "The robot has to drive home and refuse new jobs": no order, but what the robot has to do."""
    return begins_with_order(piece) and bool(_THING_MUST.search(told))


def refers_back(piece: str) -> bool:
    """ "So lean towards that": what the clause before says, once more."""
    return bool(_BACK.match(piece))


def tells_what_instead(piece: str) -> bool:
    return bool(_INSTEAD.match(piece))


def is_item(piece: str, *, is_labelled: bool) -> bool:
    """Of a list of rules, though it has no form of a rule: under a label nearly all that is no talk."""
    if not MIN_ITEM_CHARS <= len(piece) <= MAX_ITEM_CHARS or REASON.match(piece) or PRONOUN.match(piece):
        return False
    is_other = any(trap.search(piece) for trap in (HEARSAY, HYPOTHETICAL)) or PAST.search(piece)
    if _NO_ITEM.match(piece) or is_other or PEOPLE.search(piece):
        return False
    first = _FIRST_WORD.match(piece)
    word = first.group().lower() if first else ""
    if word in ORDERS and not _is_noun_of_subject(piece):
        return word in MANNERS and not _ONE_PLACE.search(piece)
    return is_labelled or bool(_VERBLESS.fullmatch(piece) and not _FINITE.search(piece))


def begins_with_order(piece: str) -> bool:
    first = _FIRST_WORD.match(piece)
    return first is not None and first.group().lower() in ORDERS


def is_occasion(piece: str) -> bool:
    """ "Before each commit", behind an order that it is the time of."""
    return bool(_OCCASION.match(piece))


def is_name(lead: str) -> bool:
    """A few words that name something and tell nothing of it."""
    return bool(_NAME.fullmatch(lead)) and not _NO_NAME.match(lead) and not _FINITE.search(lead)
