"""What an English sentence says of what was said before: what it rejects, and what "that" stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from agentinitd.memory.capture.answers import is_answer_elsewhere
from agentinitd.memory.capture.contrasts import without_empty_contrast
from agentinitd.memory.capture.english_form import LANGUAGE
from agentinitd.memory.capture.english_verbs import ORDER
from agentinitd.memory.capture.needed import Possible
from agentinitd.memory.capture.prose import Context, Found, Sentence
from agentinitd.memory.capture.slots import is_for_other

MAX_TOPIC_CHARS = 160
MAX_CORRECTION_WORDS = 9
REJECTED_CONFIDENCE = 0.75
_NAME = r"(?!(?:it|this|that|them|those|these|one|ones|the other)\b)[\w./`@+#-]+(?: [\w./`@+#-]+){0,3}?"
_END = (
    r"(?=\s*(?:[,;:.!?]|$)|\s+(?:to|with|by|for|in|on|and|but|any ?more|from now|here|now|please|so|again)\b)"
)
_REJECTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:replac(?:e|ed|es|ing)|swap(?:ped|ping)?) (?:the )?(?P<thing>{_NAME}){_END}",
        rf"\b(?:mov(?:e|ed|ing)|switch(?:ed|ing)?|migrat(?:e|ed|ing)|chang(?:e|ed|ing)|went)(?: over| away)? "
        rf"(?:from|off) (?P<thing>{_NAME}){_END}",
        rf"(?:^|[,;] ?)(?:please |so |ok |let'?s |we |i )*(?:drop(?:ped)?|ditch(?:ed)?|dump(?:ed)?"
        rf"|scrap(?:ped)?"
        rf"|got rid of|abandon(?:ed)?|no more|no longer) (?!the\b|a\b|an\b)(?P<thing>{_NAME}){_END}",
        rf"\b(?:(?:don'?t|do not|dont|never|not) (?:use |run |need |write )?(?P<thing>{_NAME}) (?:any ?more"
        rf"|from now on)|(?:skip|stop) (?P<other>(?:\w+ing )?{_NAME}) (?:any ?more|from now on|altogether))",
        r"(?:^|[,;] ?)(?:the |that |our )?(?!(?:it|this|that|everything"
        r"|all)\b)(?P<thing>[\w./-]+(?: [\w./-]+)?) "
        r"(?:is|are|was|were|has been|have been)(?: now)? (?:gone|retired|history|decommissioned|obsolete"
        r"|shut"
        r" down for good|deprecated|no more|no longer (?:there|in use|used|supported|a thing|needed))\b",
        r"\b(?:changed my mind (?:about|on)|(?:i|we) (?:was|were) wrong (?:about|on|with)"
        r"|(?<!don't )(?<!not )(?<!never )(?<!dont )(?<!always )(?<!\bi )(?:never ?mind"
        r" (?:about )?|forget (?:about )?))(?:the |that |my )?(?P<thing>(?!(?:it|that|this)\b)[^,;.:]{2,50})",
        r"\b(?:the |our )?(?P<thing>(?!(?:it|this|that)\b)[\w./-]+(?: [\w./-]+)?) (?:doesn'?t|does not"
        r"|no longer"
        r"|don'?t) (?:matters?|counts?(?! as\b)|appl(?:y|ies))\b",
    )
)
"""What was wanted before and is so no longer."""
_THE_SAID = re.compile(
    r"\b(?:that|this|the same|said) (?P<thing>port|branch|version|command|folder|directory|path|url|host"
    r"|database"
    r"|db|name|file|flag|endpoint|region|account|seed|profile|tag)\b(?! (?:is|was)\b)",
    re.IGNORECASE,
)
_VALUE_OF = {
    "port": re.compile(r"(?<![\d.])\d{2,5}(?!\d|\.\d)"),
    "version": re.compile(r"\bv?\d+(?:\.\d+)+\b|\b[a-z]+ \d+\b", re.IGNORECASE),
    "": re.compile(r"`[^`\s]{2,60}`|(?<![\w/])~?/?[\w.-]+/[\w./-]*\w|\b\w+[-_.]\w[\w.-]*\w"),
}
_REVERSES = re.compile(
    rf"\b(?:i was wrong|changed my mind|on second thoughts?|on reflection|after all"
    rf"|ok(?:ay)? go ahead)[,:;]? "
    rf"(?:you can |please |do |and |so )*(?P<thing>{ORDER} (?!(?:it|that|this|them)\b)[^,;.]{{3,60}})",
    re.IGNORECASE,
)
"""What was not to be done is to be done."""
_PUT_BACK = re.compile(
    r"(?:^|[,;:] ?|\bactually |\bhm+,? )(?:the |those |some )?(?P<thing>(?!(?:it|that|this|they|actually"
    r"|hm+)\b)[\w-]+(?: [\w-]+)?)"
    r" (?:would be|are|is|were|was) (?:nice|good|great|useful|fine|ok|okay|needed)(?: after all| again|"
    r" actually)?,"
    r" (?:so |please |and |can you )*(?:put|bring|add|turn|switch) (?:it|them|those|that) back\b"
    r"|\b(?:put|bring|turn|switch) (?:the |those )?(?P<other>(?!(?:it|that|this|them)\b)[\w-]+(?:"
    r" [\w-]+)?) back"
    r" (?:in|on)\b",
    re.IGNORECASE,
)
"""What was banned is wanted again."""
_POSSIBLE = Possible([pattern.pattern for pattern in (_REVERSES, *_REJECTS)])
_TAKES_BACK = re.compile(r"\b(?:mind|wrong|forget)\b", re.IGNORECASE)
"""Whatever was said of it, be it a ban."""
_THAT = re.compile(
    r"\b(?:take (?:that|it|this) back|scratch that|strike that|forget (?:that|it|what i said)|ignore that"
    r"|cancel that|never ?mind that|(?:that|this|the) (?:rule|restriction|ban|limit|constraint) is (?:gone"
    r"|off"
    r"|lifted|over|void)|that no longer (?:applies|holds|counts)|drop that|i was wrong(?: there)?$)",
    re.IGNORECASE,
)
"""Takes back what was said last, without naming it."""
_CORRECTS = re.compile(
    r"^(?:make (?:that|it)|actually|no\b|nope|sorry|correction|wait|rather|on second thoughts?"
    r"|changed my mind"
    r"|hm+|better|ok (?:then )?(?:make|use))\b|\b(?:now|again|instead|any ?more|after all|correction|taken"
    r"|in use"
    r"|moved|switched|changed)\b",
    re.IGNORECASE,
)
_VALUES = (
    re.compile(r"\bv?\d[\d.]*\w*"),
    re.compile(rf"\b{LANGUAGE}\b", re.IGNORECASE),
    re.compile(r"\b(?:snake|camel|kebab|pascal|upper|lower)[_ -]?case\b", re.IGNORECASE),
    re.compile(r"\b(?:tabs?|spaces?|single quotes|double quotes)\b", re.IGNORECASE),
)
_WORD = re.compile(r"[a-z]{4,}", re.IGNORECASE)
_FILLING = """
that make please actually instead again with from this use then sorry should must
"""
_EMPTY = frozenset(_FILLING.split())


def wanted_again(plain: str) -> Iterator[Found]:
    """ "Screenshots would be nice, put them back in"."""
    wanted = _PUT_BACK.search(plain) if "back" in plain.lower() else None
    if wanted:
        yield Found(
            text=wanted.group().strip(" ,;:"),
            act="withdraw",
            is_permission=True,
            confidence=REJECTED_CONFIDENCE,
            topic=wanted["thing"] or wanted["other"],
        )


def rejections(plain: str, typed: str) -> Iterator[Found]:
    """Demands for these are over; a ban on one of them stays."""
    possible = _POSSIBLE.in_text(plain)
    reversed_ = _REVERSES.search(plain) if 0 in possible else None
    if reversed_:
        yield Found(
            text=reversed_["thing"], act="withdraw", is_permission=True, confidence=REJECTED_CONFIDENCE
        )
    for number in possible:
        found = _REJECTS[number - 1].search(plain) if number else None
        if found:
            groups = found.groupdict()
            topic = groups["thing"] or groups["other"] if "other" in groups else groups["thing"]
            yield Found(
                text=typed[found.start() : found.end()].strip(" ,;:")
                if len(typed) == len(plain)
                else found.group(),
                act="withdraw",
                polarity="do" if _TAKES_BACK.search(found.group()) else "do_not",
                confidence=REJECTED_CONFIDENCE,
                topic=topic.strip(),
            )
            return


def with_values(found: list[Found], sentence: Sentence, context: Context) -> list[Found]:
    """ "Always use that port" says which only together with what was said before."""
    return [_with_value(item, sentence, context) for item in found]


def _with_value(item: Found, sentence: Sentence, context: Context) -> Found:
    named = _THE_SAID.search(item.text) if item.act == "state" else None
    if named is None:
        return item
    values = _VALUE_OF.get(named["thing"].lower(), _VALUE_OF[""])
    if values.search(item.text):
        return item
    said = (sentence.before, *reversed(context.person_before[-2:]), context.agent_before)
    for words in said:
        value = values.search(words[-MAX_TOPIC_CHARS:])
        if value:
            return replace(item, text=f"{item.text} ({value.group().strip('`')})")
    return item


def with_topics(found: list[Found], sentence: str, context: Context) -> list[Found]:
    """ "Make that 6543" and "scratch that" are about what the person said last."""
    if not context.person_before:
        return found
    before = context.person_before[-1].strip()[:MAX_TOPIC_CHARS]
    return [
        replace(item, topic=topic)
        if not item.topic
        and (topic := _topic(item, sentence, before))
        and not is_answer_elsewhere(before, item.text, context.agent_before)
        else item
        for item in found
    ]


def _topic(item: Found, sentence: str, before: str) -> str:
    if item.act == "withdraw":
        return before if _THAT.search(item.text) else ""
    if not _CORRECTS.search(sentence) or len(sentence.split()) > 2 * MAX_CORRECTION_WORDS:
        return ""
    for values in _VALUES:
        old, new = set(values.findall(before.lower())), set(values.findall(item.text.lower()))
        if old and new and not old & new and _is_about(item.text, before):
            return without_empty_contrast(" ".join(values.sub(" ", before).split()))
    return ""


def _is_about(text: str, before: str) -> bool:
    """It names hardly anything, or something of what was said before."""
    names = {word.lower() for word in _WORD.findall(text)} - _EMPTY
    for values in _VALUES:
        names -= {word.lower() for value in values.findall(text) for word in _WORD.findall(value)}
    known = {word.lower() for word in _WORD.findall(before)}
    return not names or (bool(names & known) and not is_for_other(before, text))
