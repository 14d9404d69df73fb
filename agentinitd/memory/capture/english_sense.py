"""Which form a piece of a sentence has, and whether it is meant: no idiom, guess, memory or report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from agentinitd.memory.capture.english_asks import ALONE, WANTS
from agentinitd.memory.capture.english_beside import BESIDE
from agentinitd.memory.capture.english_clauses import ADVERBIAL_WORD, BEGINS_ADVERBIAL, CONDITION
from agentinitd.memory.capture.english_customs import CUSTOMS, TASTES
from agentinitd.memory.capture.english_deeds import DEEDS
from agentinitd.memory.capture.english_form import Form
from agentinitd.memory.capture.english_forms import forms_for
from agentinitd.memory.capture.english_general import GENERAL, LOOKS
from agentinitd.memory.capture.english_likes import LIKES
from agentinitd.memory.capture.english_offhand import OFFHAND
from agentinitd.memory.capture.english_open import OPEN, ORDERED
from agentinitd.memory.capture.english_passing import PASSING
from agentinitd.memory.capture.english_specs import SPECS
from agentinitd.memory.capture.english_standing import CONDITIONS, SKIPS, STANDING, STYLED
from agentinitd.memory.capture.english_traps import FEELS, HYPOTHETICAL, IDIOM, PAST, PEOPLE, PRONOUN, REMARK
from agentinitd.memory.capture.english_turns import TURNS
from agentinitd.memory.capture.english_verbs import MANNERS, ORDERS
from agentinitd.memory.capture.english_verdicts import VERDICTS
from agentinitd.memory.capture.english_wishes import LAST

MAX_ADVERBIAL_WORDS = 7
_BEFORE_CLEAR = re.compile(
    r"(?<!\bi)(?<!\bwe)(?<!\bthey)(?<!\bhad)(?<!\bhave)(?<!\bhas)(?<!\bis)(?<!\bwas)"
    r"(?<!'ll)(?<!\bwill)(?<!\bwould)(?<!'d)\s(?=(?:don'?t|do not|never|always"
    r"|please|ask me|i(?:'d| would)? (?:rather|prefer|like|want|love))\s)",
    re.IGNORECASE,
)
_CODE_SIGN = re.compile(r"[`/_]|\w\.\w|xx")
_FAILS = re.compile(
    r"\b(?:fails?|failing|crash(?:es|ed|ing)?|errors? out|errored|broken|breaks|hangs?|throws|bug"
    r"|doesn'?t work|not working|weird|strange|turns out|flaky|stuck|garbled|mangled|corrupted|truncated"
    r"|scrambled|messed up|cut off|swallowed|blurry|unreadable)\b",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"(?:when|whenever|if|once|as soon as|after|before|each time|every time) (?:(?:the|an?|any|every|each)"
    r" (?:[a-z]+ )?(?:user|player|customer|visitor|guest|shopper|buyer|patient|passenger|enemy)s?|users"
    r"|players|customers)\b|(?:if|when|whenever|once|as soon as|every time|each time|after) (?:you|i|we"
    r"|someone|"
    r"somebody) (?:double[- ]?|right[- ]?|long[- ]?)?(?:click|press|tap|scroll|hover|drag|swipe|resize|reload"
    r"|refresh|rotate|unplug|plug|zoom|log in|log out|sign in|sign out|type|hit)\b.*?\b(?:it|the [\w-]+|you"
    r"|nothing|they|both|two|i) (?:always |never |only |just |still |then )?(?!must|should|has|have|need"
    r"|please|do\b|will need)(?:[a-z]+s|get|see|can|can't|cannot|lose)\b",
    re.IGNORECASE,
)
"""What happens to the thing that is built: what is then to be done it does itself."""
_UNREAL = re.compile(r"\b(?:would|could|might)(?:n't| not)? have (?:been|[a-z]+ed)\b(?! to\b)", re.IGNORECASE)
_SOMEBODYS = re.compile(r"(?:my|his|her|their) ", re.IGNORECASE)
_ORDERS_PEOPLE = re.compile(r"\b(?:must|should|may|shall|has to|have to|cannot|can)\b", re.IGNORECASE)
_PERSON = re.compile(r"(?:we|i|you|u)\b", re.IGNORECASE)
_TENSELESS = frozenset(
    {
        "wished-away",
        "beside-feel-better-if",
        "wished-if",
        "welcome-more",
        "would-welcome",
        "moved-over",
        "swap-for",
        "never-liked",
        "moved-to",
        "no-more-needed",
        "love-if",
        "rather-not",
        "deed-what-you-did",
        "offhand-i-said",
        "deed-what-is-left",
    }
)
_THIRD_PERSON = re.compile(r"never \w*[^s\s]s\b", re.IGNORECASE)
_NO_SUBJECT = re.compile(
    r"\bbecause\b|^(?:since|cause|cuz)\b"
    r"|\b(?:can|could|might|would|will|what|how|why|that|which|who|because|if|n't|not|i|to|or|and)\s*$"
    r"|\b(?:i|whether|what|how|why|but|don't|doesn't|there's|(?<!in )there|something|someone)\b",
    re.IGNORECASE,
)
_ASKS_FOR = re.compile(
    r"(?![^,;]*\bwhat (?:you(?:'re|'ll| are| will| plan| intend| want)|will happen)\b[^,;]* before )"
    r"(?![^,;]*\bwhat you (?:left out|skipped|assumed|guessed|(?:did|could|were)(?:n'?t| not)))"
    r"(?![^,;]*\bwhat you (?:did|changed|do|have done|touched)\b[^,;]*(?:\bat the end|\bwhen|\bin (?:one"
    r"|two|three|a few|\d)"
    r"|\bbriefly|\bafter (?:each|every)|(?:each|every) time))"
    r"(?:please |and |then )*(?:tell|show|explain|summari[sz]e|check|find out|describe|list|look up"
    r"|figure out|see|know)(?: (?:me|us|to me))?(?: (?:like|as if) [^,;]{2,25}?)? "
    r"(?:what|why|how|whether|which|who|where|when|if)\b",
    re.IGNORECASE,
)
_STUTTERS = re.compile(
    r"\b(only|over|under|about|that|this|for|the|and|also|more|less|most|very|before|after|is|be) \1\b",
    re.IGNORECASE,
)
"""No sentence, but a list of words."""
_IS_STATE = re.compile(r"\b(?:right now|currently|so far|at present)\b", re.IGNORECASE)
# Forms with a "not" that does not turn them round.
_MAY_DENY = frozenset(
    {
        "said-do-this-not-that",
        "said-as-long-as",
        "forget",
        "instead",
        "we-use",
        "sure",
        "condition",
        "only-prep",
        "use-for",
        "before",
        "from-now-on",
        "value",
        "want",
        "language",
        "language-of",
        "ask",
        "this-time",
        "order-whenever",
        "is-now",
        "the-only",
        "nothing-more",
        "rule-holds",
        "like-when",
        "when-order",
        "when-unsure",
        "would-be",
        "settled-value",
        "value-it",
        "limit",
        "x-not-y",
        "are-not",
        "per",
        "policy",
        "careful",
        "important",
    }
)
_STAYING = frozenset({"stays", "stays-what", "stay-constant", "stays-put", "stays-until", "keeps-own"})
_IS_STUCK = re.compile(
    r"\b(?:page|ui|screen|app|process|build|window|terminal|browser|cursor|game|server|pod|room|machine"
    r"|laptop|thread"
    r"|loop|tab|editor|ide|dialog|gui|system|job|step|container) (?:is|are) (?:frozen|dead|out|gone)\b"
    r"|\b(?:cpu|memory|load|heap|ram|usage|latency|temperature|traffic|ping|progress"
    r"|disk)(?: usage)? (?:stays?"
    r"|remains?|is|keeps)\b",
    re.IGNORECASE,
)
_ASKS = (*WANTS, *ALONE, *STANDING, *STYLED, *SKIPS, *CONDITIONS)
_NEW_WAYS = frozenset(
    each.name
    for each in (
        *CUSTOMS,
        *TASTES,
        *TURNS,
        *VERDICTS,
        *SPECS,
        *OPEN,
        *ORDERED,
        *LIKES,
        *GENERAL,
        *OFFHAND,
        *PASSING,
        *DEEDS,
        *BESIDE,
        *LOOKS,
        *_ASKS,
    )
)
_OPEN = frozenset(each.name for each in (*OPEN, *ORDERED, *GENERAL, *ALONE, *STANDING))
DENIES = re.compile(r"n't\b|\b(?:not|never|no|dont)\b", re.IGNORECASE)
SURE = 0.8


@lru_cache(maxsize=64)  # a piece is asked about more than once while it is joined with its neighbours
def form_of(piece: str) -> Form | None:
    """The first form that the piece has, at its beginning or behind its place, time or condition."""
    if _ASKS_FOR.match(piece):
        return None
    starts = tuple(_starts(piece))
    for group in (tuple(forms_for(piece)), LAST):
        for start in starts:
            for form in group:
                found = form.pattern.match(piece, start)
                if found and _is_meant(form, found, piece):
                    return form if _is_plain_speech(piece) else None
    return None


def _is_plain_speech(piece: str) -> bool:
    """No idiom, no remark about anything but the work, and no list of words."""
    is_remark = REMARK.search(piece) and not _CODE_SIGN.search(piece)
    return not (IDIOM.search(piece) or is_remark or _STUTTERS.search(piece))


def _starts(piece: str) -> Iterator[int]:
    """Where the verb may stand: at once, behind an adverbial, or behind a condition a clear "don't"."""
    yield 0
    if BEGINS_ADVERBIAL.match(piece):
        end = 0
        for _ in range(MAX_ADVERBIAL_WORDS):
            word = ADVERBIAL_WORD.match(piece, end)
            if word is None:
                break
            end = word.end()
            yield end
    if CONDITION.match(piece):
        yield from (word.end() for word in _BEFORE_CLEAR.finditer(piece))


def _is_meant(form: Form, found: re.Match[str], piece: str) -> bool:
    """No guess, remark about somebody, memory of the past, or report of what goes wrong."""
    if _EVENT.match(piece) or _UNREAL.search(piece) or (HYPOTHETICAL.search(piece) and form.force == "hard"):
        return False
    groups = found.groupdict()
    subject = groups.get("subject")
    if _is_about_people(form, subject, found.group()):
        return False
    if form.name in _TENSELESS:
        return True
    if _PERSON.match(piece, found.start()) and (PAST.search(piece) or _IS_STATE.search(piece)):
        return False
    if form.name in _NEW_WAYS and form.force == "hard" and PAST.search(piece):
        return False
    if not _is_ordered(groups):
        return False
    if form.name in _OPEN and (_FAILS.search(piece) or PRONOUN.match(subject or "")):
        return False
    if form.name == "ban" and _THIRD_PERSON.match(piece, found.start()):
        return False
    if (
        form.polarity == "do"
        and form.act == "state"
        and form.name not in _MAY_DENY
        and form.name not in _NEW_WAYS
        and DENIES.search(found.group())
    ):
        return False
    if subject is None:
        return groups.get("generic") is None or not PAST.search(piece)
    return not (
        (PRONOUN.match(subject) and not (form.name in _STAYING and " " in subject.strip()))
        or (_IS_STUCK.search(found.group()) is not None)
        or _NO_SUBJECT.search(subject)
        or PAST.search(piece)
        or _IS_STATE.search(piece)
        or (form.confidence < SURE and _FAILS.search(piece))
    )


def _is_ordered(groups: Mapping[str, str | None]) -> bool:
    """Whether the word in the place of a verb is one that an order may begin with."""
    return all(
        word is None or word.lower() in (MANNERS if name == "manner" else ORDERS)
        for name, word in groups.items()
        if name == "manner" or "order" in name
    )


def _is_about_people(form: Form, subject: str | None, words: str) -> bool:
    """ "My mentor always reviews so late", "I hate waiting on Fridays": talk about life."""
    if subject is not None and PEOPLE.search(subject):
        return bool(_SOMEBODYS.match(subject)) or not _ORDERS_PEOPLE.search(words[len(subject) :])
    is_felt = form.force == "soft" and form.act == "state"
    return is_felt and bool(FEELS.search(words) or (subject is None and PEOPLE.search(words)))
