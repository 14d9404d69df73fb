"""English sentences that tell how things are: of things at work, amid a story, or as a cause."""

from __future__ import annotations

import re
from functools import lru_cache

from agentinitd.memory.capture.english_reasons import is_against, is_machine, is_reminder_of_fact, is_shown
from agentinitd.memory.capture.english_verbs import ORDERS
from agentinitd.memory.capture.english_work import HEADED_BY_WORK

MIN_STORY_SENTENCES = 4
"""In a message of so many sentences what things do is told, and what to do is asked for."""

_SENTENCE_END = re.compile(r"[.!?](?=\s+\S)|\n+(?=\s*\S)")
_LAYS_DOWN = re.compile(
    r"\b(?:rules?|conventions?|constraints?|guidelines?|principles?|requirements?|house style|keep in mind"
    r"|how we (?:work|do|write)|the way we (?:work|do|write)|keep (?:it|them) (?:that way|like (?:that"
    r"|this)|so)"
    r"|stick to (?:that|this|it|them)|please (?:respect|follow)|as follows)\b",
    re.IGNORECASE,
)
_NORM = re.compile(
    r"\b(?:must|should|shall|ought|(?:has|have|is|are) to|needs?|may|can|cannot|can't|could|please|pls|i"
    r"|we|us|you"
    r"|your|don'?t|do not|from (?:now|here) on|from today|starting today|as of today|keep|keeps (?:to|its)"
    r"|without exceptions?"
    r"|everywhere|everything else|nothing else|nowhere else|only|off limits|forbidden|banned|allowed"
    r"|stays?|remains?"
    r"|frozen|sacred|evil|out of bounds|hands off|no-?go|unchanged|untouched|read-?only|rather|instead"
    r"|better|prefer"
    r"|(?:is|are) out$|fine|ok|okay"
    r"|unless|until|except|apart from|ideally|no longer|any ?more|nothing|nobody|no one)\b"
    r"|,? always$|\bhere$|\bfirst$",
    re.IGNORECASE,
)
"""With these something is asked for, although a thing is the subject."""
_ASKS = re.compile(
    r"\b(?:must|should|shall|ought|(?:has|have|is|are) to|needs?|please|pls|from (?:now|here) on|only"
    r"|stays?|own)\b",
    re.IGNORECASE,
)
_ADVERB = r"(?:always |usually |normally |typically |never |also |all |now |currently |still )*"
_INDICATIVE = re.compile(
    r"(?:(?:and|but|so|also|then) )?(?:(?:in|on|for|at|with|during|inside) [^,;]{2,30}?,? )?"
    r"(?!(?:please|always|never|only|no|not|if|when|whenever|before|after|use|as|let|keep|make)\b)"
    rf"(?P<subject>(?:[\w'./-]+ ){{1,7}}?){_ADVERB}(?P<verb>is|are|has|have|does|gets?|goes|[a-z]+s)(?= )",
    re.IGNORECASE,
)
_NAME_DOES = re.compile(
    r"[a-z-]+ (?P<does>[a-z]+s) (?:an?|the|all|every|each|about|around|one|two|it|its|no)\b", re.IGNORECASE
)
_SOMEWHERE = re.compile(r"(?:on|in (?:each|every|the)) \w", re.IGNORECASE)
_DEFINITE = re.compile(r"(?:the|this|that|these|those|both|its|their|his|her)\b", re.IGNORECASE)
_IS_MADE = re.compile(
    r"(?:everything|anything|all|each|every|the|what(?:ever)?)\b[^,;]{0,60}? (?:is|are|gets?"
    r"|get) (?:all )?(?:auto-?"
    r"|automatically )?(?:generated|compiled|produced|emitted|bundled|minified|served|mirrored|synced|spawned"
    r"|vendored|inherited|downloaded|hosted|allocated|rebuilt|recreated|overwritten"
    r"|[a-z]+ed by (?:an?|some))\b",
    re.IGNORECASE,
)
_ORIGIN = re.compile(
    r"(?:everything|anything|all|most|the)\b[^,;]{0,50}? (?:comes?|stems?|dates?|is"
    r"|are) (?:back )?from (?:the|an? "
    r"|\d{4}|before|when|[A-Z])(?!oken)",
    re.IGNORECASE,
)
_AT_WORK = re.compile(
    r"(?:each|every|any|all(?: (?:of )?(?:the|our))?|no|none of the)(?: [\w-]+)?? (?:requests?|workers?"
    r"|shards?|tenants?|rows?"
    r"|sensors?|jobs?|sessions?|connections?|threads?|process(?:es)?|events?|packets?|writes?|reads?"
    r"|calls?|clicks?"
    r"|nodes?|pods?|instances?|replicas?|devices?|records?|transactions?|uploads?|downloads?|tokens?"
    r"|lambdas?|jo[iy]nts?"
    r"|consumers?|producers?|servers?|machines?|hosts?|clusters?|regions?|runs?|pages?|blobs?|orders?"
    r"|invoices?"
    r"|messages?|buffers?|partitions?|sockets?|frames?|plugins?|agents?|batch(?:es)?|chunks?"
    r"|cells?)(?! names?\b)(?! (?:gets|needs) (?:an?|its|at least)\b) "
    rf"{_ADVERB}(?P<does>[a-z]+s|is|are|has|have|run|sit|live|share|write|read|hold|go|pass|come"
    rf"|end)\b(?! to\b)",
    re.IGNORECASE,
)
"""What exists while the thing runs: nobody but the thing itself does anything about it."""
_NONE_DOES = re.compile(
    r"no (?:[\w-]+ )?(?!(?:in|of|from|with|for|on|to|at|by|than|via|as|after|before)\b)[\w-]*[^s\W] "
    r"(?:ever |even |currently )?(?:returns|has|covers|contains|sends|gives|shows|knows|sees|reads|checks"
    r"|tests"
    r"|handles|supports|needs|uses|calls it|cares|exists)\b"
    r"|no [\w-]+s(?: (?:in|of|on|for) [^,;]{2,30}?)? (?:explain|cover|tell|mention|document|say|show|exist"
    r"|describe"
    r"|help|match|test)\b",
    re.IGNORECASE,
)
_TAKES_SO_MUCH = re.compile(
    r"(?!(?:i|we|you|the moment|as soon|once|if|when(?:ever)?|each time|every time)\b)"
    r"(?:(?:[\w'-]+ ){1,5}?(?:needs?|takes?|uses?|costs?|has|have) (?:about|around|roughly"
    r"|almost|nearly"
    r"|over|more than|up to) (?:\d+|an? |half|one|two|three|ten)"
    r"|(?:[\w'-]+ ){1,5}?(?:stays?|remains?|is kept|are kept|lives?) (?:in|on|at) [^,;]{2,30} for \d)[^,;]*$",
    re.IGNORECASE,
)
_IS_THERE = re.compile(
    r"(?:and |but )?the (?:[\w-]+ ){1,5}?(?:is|are) (?:all |also |still )?(?:in|under|inside|at) "
    r"(?:[\w.-]*/[\w./-]*|[\w-]+\.[a-z]{1,5})$",
    re.IGNORECASE,
)
_THEREFORE = re.compile(
    r" so (?!that|please)[a-z]+ (?:is|are|can'?t|cannot) (?:not |im|in|un|slow|hard|always)|"
    r"[,;] (?:so|and so|which means|meaning|therefore|hence|thus) (?:that )?(?:the|it|they|every|all|an?"
    r"|no|there|its|"
    r"[a-z]+ (?:[a-z]+ ){0,3}?(?:is|are|gets?|takes?|runs?|goes))\b|\b(?:which|that)(?:'s| is) why\b"
    r"|\bit'?s (?:a |just )?(?:legacy|historical|history|leftovers?)\b",
    re.IGNORECASE,
)


def is_fact(clause: str, sentence: str, message: str) -> bool:
    """How things are: told to explain something, of what runs by itself, or in a story of many sentences."""
    if _IS_THERE.match(clause):
        return not _NORM.search(sentence)
    if _TAKES_SO_MUCH.match(clause) or is_against(clause) or is_machine(clause) or is_shown(clause):
        return True
    if is_reminder_of_fact(clause):
        return True
    cause = _THEREFORE.search(clause)
    if _LAYS_DOWN.search(sentence) or not _tells(clause[: cause.start()] if cause else clause):
        return False
    if any(sign.match(clause) for sign in (_IS_MADE, _ORIGIN, _AT_WORK, _NONE_DOES)):
        return True
    return bool(_THEREFORE.search(sentence)) or (_is_story(message) and not _is_own_work(clause))


def _tells(clause: str) -> bool:
    """Whether it is in the indicative, of a thing, and nothing in it asks for anything."""
    if _NONE_DOES.match(clause) or (_AT_WORK.match(clause) and not _ASKS.search(clause)):
        return True
    if _NORM.search(clause):
        return False
    first = clause.split(" ", 1)[0].lower()
    if first in ORDERS:
        return bool(_NAME_DOES.match(clause))
    return bool(_INDICATIVE.match(clause))


def _is_own_work(clause: str) -> bool:
    """Of what the agent writes, in general: a custom wherever it stands."""
    told = _INDICATIVE.match(clause)
    if told and _SOMEWHERE.match(clause):
        return False
    return bool(told and HEADED_BY_WORK.search(told["subject"]) and not _DEFINITE.match(told["subject"]))


@lru_cache(maxsize=8)
def _is_story(message: str) -> bool:
    """Many sentences, none of which says that rules follow."""
    if _LAYS_DOWN.search(message):
        return False
    return len(_SENTENCE_END.findall(message)) + 1 >= MIN_STORY_SENTENCES
