"""English sentences → rules, by grammar: what is said of doing, and how firmly; never by a list of topics."""

from __future__ import annotations

import re
from dataclasses import replace

from agentinitd.memory.capture.english_asides import is_aside, is_choice_offered
from agentinitd.memory.capture.english_clauses import polite_start, without_filler, without_tag
from agentinitd.memory.capture.english_corrections import (
    rejections,
    wanted_again,
    with_topics,
    with_values,
)
from agentinitd.memory.capture.english_facts import is_fact
from agentinitd.memory.capture.english_happens import is_happening
from agentinitd.memory.capture.english_items import is_beside_others
from agentinitd.memory.capture.english_joining import Clause, Clauses
from agentinitd.memory.capture.english_marks import ADOPTS
from agentinitd.memory.capture.english_one_off import is_one_off
from agentinitd.memory.capture.english_places import PERMISSIONS
from agentinitd.memory.capture.english_product import is_product
from agentinitd.memory.capture.english_scope import force_of, polarity_of, scope_of, topic_of
from agentinitd.memory.capture.english_sense import DENIES
from agentinitd.memory.capture.english_spelling import Respelled, respelled
from agentinitd.memory.capture.english_talk import (
    describes_feature,
    is_attributed,
    is_build_order,
    is_description,
    is_errand,
    is_joke,
    is_report,
)
from agentinitd.memory.capture.english_tasks import is_step
from agentinitd.memory.capture.english_told import is_told
from agentinitd.memory.capture.english_traps import HEARSAY, HYPOTHETICAL, IDIOM, PAST, REMARK
from agentinitd.memory.capture.proposals import MAX_TEXT_CHARS
from agentinitd.memory.capture.prose import QUESTION_START, Context, Found, Sentence

_RULE_HEADING = re.compile(
    r"\b(?:rules?|constraints?|conventions?|principles?|guidelines?|preferences?|reminders?|boundaries|dos"
    r"|keep in mind|(?:coding|code|house) style)\b|\b(?:must(?:s|-haves)?|always|please|style)[:：]?\s*$",
    re.IGNORECASE,
)
_BAN_HEADING = re.compile(
    r"(?:.*\b)?(?:don'?ts?|do not|never|avoid|forbidden|not allowed|off[ -]limits|no-?go'?s?|must not"
    r"|hands off|banned|prohibited|what not to do|stay away from)\b[^a-z]*(?:do|use|touch|change"
    r"|edit)?[^a-z]*$",
    re.IGNORECASE,
)
_REMINDS = re.compile(
    r"(?:(?:ok|and|also|just|btw|please|pls|one|a|friendly|quick|small|little|last),? )*"
    r"(?:reminder|remember|note|don'?t (?:let me )?forget)[:,] (?!there (?:is|are)\b)(?!.*\b(?:i|i'm|we're"
    r"|is (?:on"
    r"|off|down|up|out)|still)\b)",
    re.IGNORECASE,
)
_THERE_IS = re.compile(r"\s*(?:there|it|that|this)(?:'s| is| are)\b", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:first|second|third|fourth|finally|lastly|and)(?:ly)?[,:] ", re.IGNORECASE)
_ANNOUNCES = re.compile(
    r"\b(?:one|two|three|four|five|\d|few|some|couple of|house|ground|the|my|our) (?:[a-z]+ )?(?:rules?"
    r"|asks|requests"
    r"|wishes|conventions|constraints|reminders|requirements)\s*[.:!]",
    re.IGNORECASE,
)
_APPOINTMENT = re.compile(
    r"\b(?:tomorrow|today|tonight|(?:mon|tues|wednes|thurs|fri)day|next week|at \d|demo|deadline|call)\b",
    re.IGNORECASE,
)
_TASK_HEADING = re.compile(
    r"\b(?:to-?dos?|tasks?|steps?|plan|bugs?|issues?|problems?|questions?|observed|expected|actual"
    r"|remaining|next|done|changes|notes from|findings|features?|acceptance)\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"(?:you|we|i) (?:don'?t|dont|do not|never) (?:either|neither|too)$"
    r"|(?:(?:you |we )?don'?t need to (?:do|check|worry about)? ?(?:it|that|this)?$)"
    r"|(?:please )?(?:just )?use (?:mine|yours|his|hers|theirs|ours)$"
    r"|(?:please )?leave (?:that|it|this|those) to (?:me|us)$"
    r"|(?:please )?(?:just )?(?:don'?t|do not|never|always|only|keep|stop|avoid)? ?(?:\w+ )?(?:it|that"
    r"|this|them|those|so|like (?:that|this)|the same)?(?: (?:again|now|please|anymore|any more|yet))?$",
    re.IGNORECASE,
)
_TAKEN_BACK = frozenset({"lift-back"})
_LEADING = re.compile(r"\A(?:but|and|so)\s+", re.IGNORECASE)
_TRAILING = re.compile(
    r"[\s,;:.!?–—-]+$|,?\s+(?:and|or|but)(?: (?:no|not|never|the|an?|also|please))?[\s,.…]*$|\s*,\s*(?:pls"
    r"|plz|ok|okay|thanks|thx|haha|lol)[\s.!]*$|\s+(?:though|haha|lol|thx"
    r"|pls|plz)[\s.!]*$",
    re.IGNORECASE,
)
_THAT_RULE = re.compile(
    r"(?:that|the|this|my) (?:rule|restriction|ban|constraint|limit|limitation|freeze)\b", re.IGNORECASE
)
_STILL_BANNED = re.compile(
    r"(?:but |and )?(?:still )?(?:except|(?P<all_but>(?<=thing )but(?= (?:the|our|my|what|\S*[./])\b))"
    r"|apart from|(?<=, )other than|not|but not|excluding|just not)\b\s*(?P<what>.{2,})",
    re.IGNORECASE,
)
_IN_CASE = re.compile(
    r"(?:should|where|were)\b[^?]{5,90}?(?:, [a-z']+ |\bthere (?:has|needs|must|should)\b|\b(?:use|ask|prefer"
    r"|add) )",
    re.IGNORECASE,
)
""" "Should it fail again, stop": no question, for all that it begins like one."""
_THEN_ASKS = re.compile(
    r"(?:,|;| -+| –| —) (?=(?:so |and |but |then )?(?:can|could|would|will) (?:you|we|u)\b)", re.IGNORECASE
)
_ASKS_THEN = re.compile(
    r"(?:(?:can|could) you (?:see|tell me|check|look) )?(?:why|how come|who|what)\b[^,;?]{3,80}[,;?]"
    r" (?:and |so |but )?"
    r"(?=(?:please )?(?:no [a-z]+|not (?:one|a single)|don'?t|do not|never|please|use|write|answer|speak"
    r"|stop|always"
    r"|only|keep|leave)\b)",
    re.IGNORECASE,
)
""" "Why are you writing English, write Chinese": what comes behind the question is none."""
_TO_MEND = re.compile(
    r"(?:so |and |but |then )?(?:can|could|would|will) (?:you|we|u) (?:please |pls |maybe |also |just"
    r" )*(?:fix|check"
    r"|look|see|find|debug|investigate|explain|add|implement|build|code|make|write|do|tell|show|handle|help"
    r"|reproduce)\b",
    re.IGNORECASE,
)
"""What a sentence that asks for this says before it is what is wrong, or what is to be built."""
_OR_ASKS = re.compile(
    r"\bor (?:also|only|even|just|is|are|do|does|should|shall|can|could|would|will|not|rather not)\b",
    re.IGNORECASE,
)
_SAYS_HOW = re.compile(
    r"\b(?:never(?! mind)|no|not|n'?t|always|must|should|only|have to|has to|instead|prefers?|wants?|\d+"
    r"|two|four"
    r"|tabs|spaces)\b",
    re.IGNORECASE,
)
MIN_CHARS = 5
MAX_SENTENCE_CHARS = 1200
"""Nobody lays down a rule in a longer one; text without marks is most often pasted."""
LISTED_CONFIDENCE = 0.75
MAX_WRITTEN_CHARS = 160
NEAR_CHARS = 60


def read(sentence: Sentence, context: Context) -> list[Found]:
    """What it lays down or takes back; nothing for questions, hearsay, musing, the past, remarks.

    "Not a fan of ternaries, can you unroll that one?" says something before it asks.
    """
    behind = _ASKS_THEN.match(sentence.plain)
    if behind and len(sentence.plain) == len(sentence.text) and not sentence.plain.endswith("?"):
        rest = slice(behind.end(), None)
        alone = replace(sentence, text=sentence.text[rest], plain=sentence.plain[rest], is_question=False)
        return _rules_in(alone, context)
    asked = _THEN_ASKS.search(sentence.plain) if sentence.plain.endswith("?") else None
    if asked is None or len(sentence.plain) != len(sentence.text):
        return _rules_in(sentence, context)
    said, request = (
        replace(sentence, text=sentence.text[part], plain=sentence.plain[part], is_question=is_question)
        for part, is_question in ((slice(asked.start()), False), (slice(asked.end(), None), True))
    )
    found = _rules_in(said, context)
    if _TO_MEND.match(request.plain):
        found = [item for item in found if item.force == "soft"]
    return [*found, *_rules_in(replace(request, before=said.text), context)]


def _rules_in(sentence: Sentence, context: Context) -> list[Found]:
    if not MIN_CHARS <= len(sentence.plain) <= MAX_SENTENCE_CHARS:
        return []
    plain = sentence.plain.rstrip(" .!…")
    found = _stated(plain, sentence, context)
    # Nearly every sentence lays nothing down: what it may be else is asked only of the others.
    if found and (is_joke(plain, context.message) or is_build_order(plain) or is_attributed(plain)):
        return []
    return found


def _stated(plain: str, sentence: Sentence, context: Context) -> list[Found]:
    bare = without_tag(plain)
    # "…, ok?" hides a statement; but in "answers in bullet points please" the last word is what makes it one.
    is_announced = bool(_ORDINAL.match(plain) and _ANNOUNCES.search(context.message))
    found = _read(sentence, respelled(bare), is_announced=is_announced) or (
        _read(sentence, respelled(plain), is_announced=is_announced) if bare != plain else []
    )
    if not found and is_beside_others(sentence, context):
        found = [Found(text=_tidied(sentence.text), confidence=LISTED_CONFIDENCE)]
    found = _once([item for item in found if not _is_told(item, sentence, context.message)])
    found = _adopted(sentence, plain) or found
    if found and is_choice_offered(plain, context.agent_before):
        return []
    found = with_values(with_topics(found, sentence.plain, context), sentence, context)
    again = list(wanted_again(plain))
    if again:
        return again
    rejected = list(rejections(plain, sentence.text[: len(plain)]))
    if not rejected or sentence.is_question or any(trap.search(plain) for trap in (HEARSAY, HYPOTHETICAL)):
        return found
    is_taken_back = any(item.act == "withdraw" and not item.is_permission for item in found)
    return found if is_taken_back else [*found, *rejected]


def _adopted(sentence: Sentence, plain: str) -> list[Found]:
    """What somebody else says, where the person wants it so: "Bob says never mock it, do that"."""
    if sentence.is_question or not HEARSAY.search(plain):
        return []
    adopts = ADOPTS.search(plain)
    said = plain[: adopts.start()] if adopts else ""
    if not (said and HEARSAY.search(said) and _SAYS_HOW.search(said)):
        return []
    return [
        Found(
            text=_tidied(sentence.text[: len(plain)])[:MAX_TEXT_CHARS],
            polarity="do_not" if DENIES.search(said) else "do",
            scope=scope_of(plain, plain),
            confidence=LISTED_CONFIDENCE,
        )
    ]


def _once(found: list[Found]) -> list[Found]:
    """ "Don't touch it, it's frozen" is one rule, though its end says it again."""
    kept: list[Found] = []
    for item in found:
        if not any(item.polarity == each.polarity and item.text.startswith(each.text) for each in kept):
            kept.append(item)
    return kept


def _is_told(item: Found, sentence: Sentence, message: str) -> bool:
    """How things are, or how what is to be built shall be."""
    if item.act != "state":
        return False
    plain = _near(sentence.plain, item.text)
    if item.force == "hard" and is_report(item.text, plain):
        return True
    if sentence.heading:
        return False
    if is_told(item.text, plain) or is_one_off(item.text, plain):
        return True
    if is_errand(item.text, plain) or is_product(item.text, plain):
        return True
    if item.polarity == "do" and is_step(item.text, plain):
        return True
    if is_happening(item.text, plain, sentence.before) or is_aside(item.text, plain, sentence.before):
        return True
    if item.force == "hard" and is_fact(item.text, plain, message):
        return True
    return describes_feature(message) and is_description(item.text)


def _near(plain: str, clause: str) -> str:
    """Of a long sentence, which somebody spoke, what is beside the clause: the rest is about other things."""
    at = plain.find(clause) if len(plain) > MAX_WRITTEN_CHARS else 0
    if at <= 0:
        return plain
    start = plain.find(" ", max(0, at - NEAR_CHARS)) + 1
    return plain[min(start, at) : at + len(clause) + NEAR_CHARS]


def _read(sentence: Sentence, spelled: Respelled, *, is_announced: bool) -> list[Found]:
    plain = spelled.text
    start = _statement_start(plain)
    if start is None:
        return []
    clauses = Clauses(plain, start, sentence.before)
    found = _with_lifted([item for clause in clauses.read() for item in _found(clause, sentence, spelled)])
    is_rule_list = bool(is_announced or clauses.label_end or _REMINDS.match(plain)) or (
        bool(_RULE_HEADING.search(sentence.heading)) and not _TASK_HEADING.search(sentence.heading)
    )
    return found or _under_heading(
        sentence, spelled, max(start, clauses.label_end), is_rule_list=is_rule_list
    )


def _with_lifted(found: list[Found]) -> list[Found]:
    """ "You can edit others again, that restriction is gone": what is allowed names the rule that is gone."""
    allowed = [item for item in found if item.is_permission]
    lifted = [item for item in found if item.act == "withdraw" and _THAT_RULE.match(item.text)]
    if not allowed or not lifted:
        return found
    return [replace(item, is_permission=False) for item in found if item not in lifted]


def _statement_start(plain: str) -> int | None:
    """Where the statement begins behind filler and politeness; None for a question that is no request."""
    start = without_filler(plain)
    asked = polite_start(plain[start:])
    is_marked = plain.rstrip().endswith(("?", "？"))
    is_question = is_marked or (QUESTION_START.match(plain, start) and not _IN_CASE.match(plain, start))
    if not asked and is_question:
        return None
    if is_marked and _OR_ASKS.search(plain):
        return None
    return start + asked


def _found(clause: Clause, sentence: Sentence, spelled: Respelled) -> list[Found]:
    """One thing, or two when a permission keeps a ban: "you can edit all of it, except …"."""
    form = clause.form
    plain = spelled.text
    words = plain[clause.start : clause.end]
    text = _tidied(sentence.text[spelled.typed(clause.start) : spelled.typed(clause.end)])
    if clause.leans:
        text = f"{sentence.before} {text}"[-MAX_TEXT_CHARS:]
    is_vague = form.name not in _TAKEN_BACK and not clause.leans and bool(_VAGUE.fullmatch(_tidied(words)))
    if is_vague or len(text) < MIN_CHARS:
        return []
    found = Found(
        text=text,
        act=form.act,
        polarity=form.polarity if form.act == "withdraw" else polarity_of(form, words),
        force=force_of(form, words, sentence.plain),
        scope=scope_of(f"{sentence.heading} {plain}", words),
        why=clause.why[:MAX_TEXT_CHARS],
        is_permission=form.is_permission,
        confidence=form.confidence,
        topic=topic_of(text, form),
    )
    banned = _STILL_BANNED.search(text) if form.name in PERMISSIONS else None
    if banned is None or banned.start() == 0:
        return [found]
    kept = text if banned["all_but"] else _tidied(banned.group())
    return [
        replace(found, text=_tidied(text[: banned.start()]), topic=""),
        replace(found, text=kept, act="state", polarity="do_not", is_permission=False),
    ]


def _tidied(text: str) -> str:
    """Without what hangs over at the end; at most `MAX_TEXT_CHARS`, cut at a word."""
    text = _LEADING.sub("", text.strip())
    while (tidied := _TRAILING.sub("", text)) != text:
        text = tidied
    if len(text) > MAX_TEXT_CHARS:
        text = text[: MAX_TEXT_CHARS - 1].rsplit(" ", 1)[0] + "…"
    return text


def _under_heading(sentence: Sentence, spelled: Respelled, start: int, *, is_rule_list: bool) -> list[Found]:
    """An item that is a rule by what stands over its list: "Don'ts:", "Conventions:"."""
    plain = spelled.text
    is_ban = bool(_BAN_HEADING.match(sentence.heading))
    if not (is_ban or is_rule_list) or len(plain) - start > MAX_TEXT_CHARS:
        return []
    is_other = any(trap.search(plain) for trap in (PAST, REMARK, IDIOM, _APPOINTMENT))
    if _THERE_IS.match(plain, start) or is_other or HEARSAY.search(plain):
        return []
    item = _tidied(sentence.text[spelled.typed(start) :])
    text = f"{sentence.heading.rstrip(':： ')}: {item}" if is_ban else item
    return [
        Found(
            text=text[:MAX_TEXT_CHARS],
            polarity="do_not" if is_ban else "do",
            scope=scope_of(f"{sentence.heading} {plain}", plain),
            confidence=LISTED_CONFIDENCE,
        )
    ]
