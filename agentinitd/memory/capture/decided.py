"""Decisions and dead ends in what somebody says: chosen, rejected, tried in vain, with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agentinitd.memory.capture.literals import Literals, small
from agentinitd.memory.capture.needed import Sought

MIN_CHARS = 6
MAX_CHARS = 240

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
# Each begins with a sign: a text is gone through for one of them at once.
_END = re.compile(r"[。！？；]|[.!?;]\s+(?=[A-Z`*_(\u4e00-\u9fff]|$)|\n+")
_LEAD = re.compile(
    r"^(?:[\s>*_#-]+|\d{1,2}[.)、]\s*|(?:ok(?:ay)?|alright|right|好的?|嗯|行|那么?|所以|so|then|and)[,，、\s]+)+",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"[?？]\s*$|^(?:should|shall|could|can|would|do|does|is|are|why|what|which|how)\b|[吗呢]\s*$", re.I
)
# Not decided, or not by the one who speaks.
_UNCERTAIN = Sought(
    r"\b(?:might|maybe|perhaps|could|would|if|whether|suggest(?:s|ed)?|recommend(?:s|ed)?|says|said"
    r"|according to|the (?:docs?|page|article|readme|issue|comment|log|summary))\b"
    r"|可能|也许|或许|如果|要不要|是否|建议|推荐|据说|它说|他说|她说|文档(?:里)?(?:说|写)|资料|页面|文章|README",
)
_REASON = re.compile(r"\b(?:because|since|as it|so that|due to)\b|因为|由于|原因|以免|这样", re.IGNORECASE)
_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|over)\b|, not\b|而不是|不用|代替|弃用|放弃", re.IGNORECASE
)
_DECLARED = Sought(
    r"(?:final |design |architecture )?decision\s*[:：—-]|decided\s*[:：]"
    r"|(?:we|i)(?:'ve| have)? (?:decided|settled|agreed)\b"
    r"|(?:最终|设计|架构)?决定\s*[:：]|决策\s*[:：]|(?:我们?|最终|最后)决定|定了\s*[:：]|敲定",
)
_CHOSEN = Sought(
    r"\b(?:(?:i|we)(?:'ll| will|'re|'m| am| are)?|let'?s|let us) (?:go(?:ing)? with|settl(?:e|ing) on"
    r"|stick(?:ing)? (?:with|to)|pick(?:ing)?|cho?ose|us(?:e|ing)|keep(?:ing)?|switch(?:ing)? to)\b"
    r"|(?:我们?)?(?:选择|选用|采用|改用|选了|选定|继续用|保留)",
)
_PERSON_CHOSEN = re.compile(
    r"\b(?:let'?s|let us|(?:we|i)(?:'ll| will)?) (?:go|stay|stick|settle) (?:with|on|to)\b|^go with\b"
    r"|(?:那?就|还是)(?:用|选|按|采用|走|定).{1,60}?(?:吧|了|定了|方案)",
    re.IGNORECASE,
)
_TRIED = Sought(
    r"\b(?:tried|attempted|the attempt to|my attempt at|approach(?:es)?|workaround)\b"
    r"|试过|尝试过?|试了|方案|这条路|这个办法",
)
_IN_VAIN = Sought(
    r"\b(?:fail(?:s|ed)?|no effect|no help|made (?:it|things) worse|breaks?|broke|dead end|in vain"
    r"|(?:does|did|do|is|was|can)(?:n['’]?t| not) (?:work|help|fix|change|possible|enough|matter)"
    r"|to no avail|gives? wrong|too slow|ruled out)\b"
    r"|不行|失败|没用|无效|不管用|行不通|不起作用|没有效果|没效果|走不通|更慢|不可行|放弃|白试|无济于事",
)
_BECAUSE = Sought(
    r"\s*[,，;；]?\s*(?:\b(?:because(?: of)?|since|due to|thanks to)\b|因为|由于|原因是?\s*[:：]?)\s*",
)


_CHOICE = re.compile(
    r"\b(?:let'?s|let us|we(?:'ll| will|'re| are)?(?: going to)?) (?:just |rather )?"
    r"(?:use|using|pick|choose|take|keep|switch(?:ing)? to|go(?:ing)? (?:with|for)|stay(?:ing)? with"
    r"|stick(?:ing)? (?:with|to)|settl(?:e|ing) (?:on|for))\b|\b(?:decided|decision)\b"
    r"|(?:那?就|还是|我们|咱们?)(?:决定|选择|选|采用|改用|用|走|定)|决定",
    re.IGNORECASE,
)


def is_choice(demand: str) -> bool:
    """Whether what a person demands is told as what was chosen: "let's use Postgres"."""
    return _CHOICE.search(demand) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A decision or a dead end as it was said."""

    kind: Literal["decision", "dead_end"]
    text: str
    why: str
    sentence: str
    """As it was said."""
    rejected: str = ""


# Nothing is told without one of these; to look for them costs a hundredth of reading every sentence.
_HINTS = (
    "deci", "settled", "agreed", "instead of", "rather than", " over ", ", not ", "tried", "attempt",
    "approach", "workaround",
)  # fmt: skip
_WIDE_HINTS = (
    "决定", "决策", "定了", "敲定", "而不是", "不用", "代替", "弃用", "放弃", "试过", "尝试", "试了", "方案",
    "这条路", "办法",
)  # fmt: skip
AGENTS_HINTS = (*_HINTS, *_WIDE_HINTS)
_PERSONS_HINTS = (
    *AGENTS_HINTS, "go with", "go on", "stay ", "stick ", "settle ", "就用", "就选", "就按", "就采用",
    "就走", "就定", "还是",
)  # fmt: skip

# The same for one sentence, where the spaces around a word may be missing.
_CUES = (*(hint.strip() for hint in _HINTS), *_WIDE_HINTS)
_PERSONS_CUES = (*_CUES, "go ", "stay", "stick", "settle", "就", "还是")


def _sought(words: Sequence[str]) -> Literals:
    return Literals([word.encode() for word in words])


_IN_TEXT = {False: _sought(AGENTS_HINTS), True: _sought(_PERSONS_HINTS)}
_IN_SENTENCE = {False: _sought(_CUES), True: _sought(_PERSONS_CUES)}
"""For the agent, and for the person."""


def may_tell(text: bytes, *, is_person: bool) -> bool:
    """Whether it is worth reading.  `text`: in small letters."""
    return _IN_TEXT[is_person].are_in(text)


def told_in(text: str, *, is_person: bool) -> Iterator[Told]:
    """The agent explains all day long: of its words only what it calls a decision, or gives a reason for."""
    if not may_tell(small(text), is_person=is_person):
        return
    for sentence in _sentences(_FENCE.sub("\n", text) if "```" in text or "~~~" in text else text):
        # Most sentences of a text that may tell something do not.
        if len(sentence) < MIN_CHARS or not _IN_SENTENCE[is_person].are_in(small(sentence)):
            continue
        plain = _LEAD.sub("", sentence.strip()).strip()
        kind = _kind(plain, is_person=is_person) if MIN_CHARS <= len(plain) <= MAX_CHARS else None
        if kind and not _QUESTION.search(plain) and not _UNCERTAIN.search(_without_reason(plain)):
            yield _told(kind, plain)


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(text):
        yield text[start : end.end()]
        start = end.end()
    yield text[start:]


def _kind(sentence: str, *, is_person: bool) -> Literal["decision", "dead_end"] | None:
    if _TRIED.search(sentence) and _IN_VAIN.search(sentence):
        return "dead_end"
    return "decision" if _is_decision(sentence, is_person=is_person) else None


def _is_decision(sentence: str, *, is_person: bool) -> bool:
    if _DECLARED.search(sentence):
        return True
    if is_person:
        return bool(_PERSON_CHOSEN.search(sentence))
    return bool(_CHOSEN.search(sentence) and _REASON.search(sentence) and _INSTEAD.search(sentence))


def _without_reason(sentence: str) -> str:
    """ "… because it would read the file twice": that is no doubt about what was chosen."""
    found = _BECAUSE.search(sentence)
    return sentence[: found.start()] if found and found.start() >= MIN_CHARS else sentence


def _told(kind: Literal["decision", "dead_end"], sentence: str) -> Told:
    what, _, why = (
        sentence.partition(found[0]) if (found := _BECAUSE.search(sentence)) else (sentence, "", "")
    )
    if len(what) < MIN_CHARS:
        what, why = sentence, ""
    rejected = re.search(r"(?:instead of|rather than|而不是)\s*([\w.+/-]+)", sentence, re.IGNORECASE)
    return Told(
        kind=kind,
        text=what.strip().rstrip("。."),
        why=why.strip().rstrip("。."),
        sentence=sentence,
        rejected=rejected[1] if rejected else "",
    )
