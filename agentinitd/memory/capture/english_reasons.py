"""English clauses that tell why, or how it is against what one might think: no rules beside the rule."""

from __future__ import annotations

import re

from agentinitd.memory.capture.english_form import VALUE
from agentinitd.memory.capture.english_verbs import ORDERS
from agentinitd.memory.capture.english_work import HEADED_BY_WORK

_GIVES_CAUSE = re.compile(r"(?:because|since|cause|cuz|bc|as (?:it|they|that|those)) ", re.IGNORECASE)
_ADDS = re.compile(r"\b(?:and|but|also|plus|so|please|pls|then)\b|[.?!]", re.IGNORECASE)
""" "…, and the build must pass": a rule of its own."""
_NORM = re.compile(
    r"\b(?:must|should|shall|ought|(?:has|have|is|are|need|needs) to|may|can|cannot|can't|could|please|pls"
    r"|we|you|i|don'?t|do not|keeps?|leave|only|never|no|nothing|nobody|stays?|remains?|goes|go|belongs?"
    r"|lives?|comes? first|off|frozen|forbidden|allowed|unless|until|except|required|needed|mandatory"
    r"|wants?|prefers?|expects?)\b",
    re.IGNORECASE,
)
"""With these something is asked for, although a thing is the subject."""
_STARTS = re.compile(
    r"(?:please|always|never|only|no|not|if|when|whenever|before|after|use|let|make|every|each|any|all|new"
    r"|everything|anything|whatever)\b(?! one\b| of (?:them|those|these)\b)",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"[^,;]{2,60}?[a-z] (?:[a-z]+ )?(?:it|them|(?:on|to|in|from|of|with|by) (?:it|them|that|there|those))\b",
    re.IGNORECASE,
)
_OF_THEM = re.compile(r"(?:every|each|any) (?:single )?(?:one )?of (?:them|those|these)\b", re.IGNORECASE)
_IS_DOING = re.compile(
    r"[^,;]{2,40}?(?:\b(?:is|are)|'s|'re) (?:always|constantly) [a-z]+ing\b", re.IGNORECASE
)
_DEFINITE = re.compile(
    r"(?:the|this|that|these|those|its|their)\s(?:[\w'./-]+ ){1,6}?(?:is|are|has|have|does|gets?|[a-z]+s)\b",
    re.IGNORECASE,
)
_VALUE_TOLD = re.compile(rf"{VALUE}|\d|\b(?:is|are)(?: called| named)? [\w./-]+$", re.IGNORECASE)
_AGAINST = re.compile(
    r"(?:(?:so|and|but|also|now|actually|ok|well|because|since) )*"
    r"(?P<subject>(?:the|that|this|these|those|its|their)\s(?:(?!goes\b|go\b"
    r"|belongs?\b)[\w'/.-]+ ){1,5}?)(?!goes\b|go\b|belongs?\b)(?:only |just |now |always )?"
    r"(?:is|are|gets?|lives?|comes?|happens?|runs?|applies|apply|sits|[a-z]+s) (?:[a-z]+ ){0,3}?"
    r"(?:in|on|at|by|from|per|to|for|with|via|through|before|after|during|inside|under|once)\b[^;]*?"
    r"(?:,? (?:and |but )?(?:not|never)|,? rather than|,? instead of) ",
    re.IGNORECASE,
)
_LAID_DOWN = re.compile(
    rf"{VALUE}|\b(?:must|should|shall|has to|have to|needs? to|please|pls)\b", re.IGNORECASE
)


def is_reason(piece: str, joint: str) -> bool:
    """Whether a clause behind a rule, parted from it by `joint`, only says why: "the build rewrites it"."""
    if _ADDS.search(joint):
        return False
    if _GIVES_CAUSE.match(piece) or _GIVES_CAUSE.match(joint.lstrip(" ,;-")) or _OF_THEM.match(piece):
        return True
    if _IS_DOING.match(piece):
        return True
    if _STARTS.match(piece) or _NORM.search(piece):
        return False
    return bool(_REFERS.match(piece) or (_DEFINITE.match(piece) and not _VALUE_TOLD.search(piece)))


_AT_RUN_TIME = re.compile(
    r"(?:is|gets?) (?:only |always |just )?(?:called|invoked|triggered|reached|hit|loaded|evaluated"
    r"|instantiated|rendered"
    r"|mounted|emitted|fired|executed|scheduled|awaited|cached|compiled|computed)\b",
    re.IGNORECASE,
)
_REMINDS_OF = re.compile(
    r"(?:please )?(?:remember|note|keep in mind|bear in mind|mind you|be aware|don'?t forget"
    r"|of course)(?:,|:)? (?:that )?"
    r"(?:the|this|that|these|those|its|their)\s(?:[\w'./-]+ ){1,5}?(?:is|are|has|have|gets?|comes?|runs?"
    r"|uses?|[a-z]+s)"
    r" (?!allowed|forbidden|off|sacred|frozen|read-?only|mandatory|required)",
    re.IGNORECASE,
)
_MACHINE = re.compile(
    r"(?:when(?:ever)?|if|once|as soon as|after) (?:the|an?) (?:[\w-]+ ){1,3}?[a-z]+s\b[^,;]*?,? (?:the|an?) "
    r"(?P<what>[\w-]+(?: [\w-]+)?) (?:needs (?=\d|about|over|around|almost)|(?!needs|must|has|gets|comes"
    r"|changes|moves|should|goes|stays"
    r"|remains)[a-z]+s"
    r"|goes (?:to sleep|into|dark|off|idle|offline|blank|red|green))\b(?! to\b)",
    re.IGNORECASE,
)
_SHOWS = re.compile(
    r"(?:the|this|that|my) (?:[\w-]+ ){1,2}?(?:shows?|displays?|prints?|lists|renders|contains|looks"
    r"|complains|reports|says)\b",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"(?!(?:all|every|each|new|our|no|any|only|please|never"
    r"|always)\b)[\w.-]+ (?P<does>[a-z]+s) (?:[\w-]+ )?[\w-]+s"
    r" (?:without|with no|over|older|longer|bigger|if|unless|after|above|below) ",
    re.IGNORECASE,
)
_NOT_FOR_ME = re.compile(
    r"(?:the|this|that) (?:[\w-]+ ){1,3}?(?:is|are) (?:read[- ]only for (?:me|us)\b"
    r"|at the (?:very )?(?:end|start|top|bottom)$)",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:must|should|shall|needs?(?! (?:\d|about|over|around|almost))|has to|have to|please|pls|you|we"
    r"|too|as well|along|never"
    r"|always)\b",
    re.IGNORECASE,
)


def is_shown(clause: str) -> bool:
    """ "The report shows numbers without separators": what is to be seen, and by nobody's wish."""
    if _NOT_FOR_ME.match(clause):
        return True
    refuses = _REFUSES.match(clause)
    if refuses and {refuses["does"][:-1].lower(), refuses["does"][:-2].lower()} & ORDERS:
        return True  # "Apple rejects builds without a manifest."
    return _SHOWS.match(clause) is not None and not (_ASKED.search(clause) or " only " in clause.lower())


def is_machine(clause: str) -> bool:
    """ "When the battery runs low the device goes to sleep": what happens by itself."""
    told = _MACHINE.match(clause)
    return bool(told and not _ASKED.search(clause) and not HEADED_BY_WORK.search(told["what"]))


def is_reminder_of_fact(clause: str) -> bool:
    """ "Remember that the fixtures are shared": nothing that anybody could heed."""
    if _REMINDS_OF.match(clause) is None:
        return False
    return not (_VALUE_TOLD.search(clause) or _NORM.search(clause))


def is_against(clause: str) -> bool:
    """ "The state lives in redis, not in the process": how it is with one thing, whatever one thought."""
    told = _AGAINST.match(clause)
    if told is None or _LAID_DOWN.search(clause):
        return False
    return bool(_AT_RUN_TIME.search(clause)) or not HEADED_BY_WORK.search(told["subject"].strip())
