"""A person's message → proposals of rules: each sentence by the reader of its language."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

import msgspec

from agentinitd.memory.capture import english
from agentinitd.memory.capture.changes import with_changes
from agentinitd.memory.capture.exceptions import (
    frees_part,
    is_behind_exception,
    is_exception,
    rule_before,
    with_exception,
)
from agentinitd.memory.capture.proposals import MAX_QUOTE_CHARS, MAX_TEXT_CHARS, Proposal
from agentinitd.memory.capture.prose import Context, Found, Sentence, sentences
from agentinitd.memory.capture.retractions import with_retractions
from agentinitd.memory.capture.surroundings import in_surroundings
from agentinitd.model.events import PersonMessage

MAX_RULES = 24
"""Of one message: nobody lays down more, and a paste that got through does less harm."""

_HAN = re.compile(r"[\u3400-\u9fff]")
_DECIDES = re.compile(r"[别不禁勿甭必只]|统一|一律|尽量|最好|固定|全部")
_REST = re.compile(r"(?:but |just )?not (?!only\b)\S+(?: \S+)?$", re.IGNORECASE)
_SIGNS = re.compile(r"[\W_]+")


def rules_of(message: PersonMessage, context: Context) -> list[Proposal]:
    """What the message lays down or takes back, in its order; the same words only once."""
    found: dict[str, Proposal] = {}
    context = context if context.message == message.text else replace(context, message=message.text)
    rule: Proposal | None = rule_before(context)
    is_here = False
    """Whether the message itself laid that down, in the sentence before."""
    for sentence in sentences(message.text):
        items = _items(sentence, context)
        is_part = is_exception(sentence) or (is_here and rule and frees_part(rule, items, sentence))
        whole = with_exception(rule, sentence) if rule and is_part else None
        if rule and whole:
            found.pop(_key(rule), None)
            rule = whole if is_here else _corrected(whole, rule, message)
            found[_key(rule)] = rule
        else:
            proposals = [_proposal(item, sentence, message) for item in items]
            for proposal in proposals:
                found.setdefault(_key(proposal), proposal)
            rule = next((each for each in reversed(proposals) if each.act == "state"), None)
        is_here = True
    return list(found.values())[:MAX_RULES]


def _items(sentence: Sentence, context: Context) -> list[Found]:
    found = with_changes(_read(sentence, context), sentence, context)
    return in_surroundings(with_retractions(found, sentence, context), sentence)


def _corrected(whole: Proposal, rule: Proposal, message: PersonMessage) -> Proposal:
    """What was said in an earlier message, with what this one adds."""
    return msgspec.structs.replace(whole, line=message.line, at=message.written_at, corrects=rule.text)


def _read(sentence: Sentence, context: Context) -> list[Found]:
    """By the reader of its language; where both are mixed, Chinese words tell what the English ones are for.

    English within a Chinese sentence is mostly quoted.
    """
    if not _HAN.search(sentence.text):
        return english.read(sentence, context)
    # Its patterns take a third of a second to make, which nobody shall wait for who writes English alone.
    from agentinitd.memory.capture import chinese
    from agentinitd.memory.capture.mixed import told, with_english

    if sentence.language == "zh":
        found = chinese.read(sentence, context)
    elif _DECIDES.search(sentence.text):
        found = chinese.read(sentence, context) or english.read(sentence, context)
    else:
        found = english.read(sentence, context) or chinese.read(sentence, context)
    return told(with_english(found, sentence, context, english.read), sentence)


def _proposal(found: Found, sentence: Sentence, message: PersonMessage) -> Proposal:
    return Proposal(
        kind="rule",
        act=found.act,
        text=_whole(found, sentence)[:MAX_TEXT_CHARS],
        why=found.why[:MAX_TEXT_CHARS],
        quote=sentence.text[:MAX_QUOTE_CHARS],
        speaker="person",
        line=message.line,
        at=message.written_at,
        polarity=found.polarity,
        force=found.force,
        scope=found.scope,
        confidence=found.confidence,
        topic=found.topic,
        corrects=found.corrects,
        is_permission=found.is_permission,
    )


def _whole(found: Found, sentence: Sentence) -> str:
    """`not legacy/billing` says nothing without the words before it, and "use tabs" too much without "except
    for legacy/": then the whole sentence does."""
    is_short = found.act == "state" and len(sentence.text) <= MAX_TEXT_CHARS
    if is_short and is_behind_exception(found.text, sentence):
        return sentence.text.rstrip(" .。!！")
    return sentence.text if is_short and _REST.match(found.text) else found.text


def _key(proposal: Proposal) -> str:
    words = _SIGNS.sub(" ", unicodedata.normalize("NFKC", proposal.text).casefold()).strip()
    return f"{proposal.act} {proposal.polarity} {words}"
