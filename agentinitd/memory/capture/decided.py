"""Decisions and dead ends in what somebody says: chosen, rejected, tried in vain, with the reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from functools import partial
from typing import Literal

from agentinitd.memory.capture.literals import small
from agentinitd.memory.capture.needed import Hints, Possible, Sought

MIN_CHARS = 6
MAX_CHARS = 240

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
# Each begins with a sign: a text is gone through for one of them at once.
_END = re.compile(r"[。！？；]|[.!?;]\s+(?=[A-Z`*_(\u4e00-\u9fff]|$)|\n+")
_LEAD = re.compile(
    r"^(?:[\s>*_#-]+|\d{1,2}[.)、]\s*|(?:ok(?:ay)?|alright|right|好的?|嗯|行|那么?|所以|so|then|and)[,，、\s]+)+",
    re.IGNORECASE,
)
_ASKS = re.compile(r"(?:should|shall|could|can|would|do|does|is|are|why|what|which|how)\b", re.IGNORECASE)
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
_DECLARED = re.compile(
    r"decision\s*[:：—-]|decided\s*[:：]"
    r"|(?:we|i)(?:'ve| have)? (?:decided|settled|agreed)\b"
    r"|决定\s*[:：]|决策\s*[:：]|(?:我们?|最终|最后)决定|定了\s*[:：]|敲定",
    re.IGNORECASE,
)
_CHOSEN = re.compile(
    r"\b(?:(?:i|we)(?:'ll| will|'re|'m| am| are)?|let'?s|let us) (?:go(?:ing)? with|settl(?:e|ing) on"
    r"|stick(?:ing)? (?:with|to)|pick(?:ing)?|cho?ose|us(?:e|ing)|keep(?:ing)?|switch(?:ing)? to)\b"
    r"|选择|选用|采用|改用|选了|选定|继续用|保留",
    re.IGNORECASE,
)
_PERSON_CHOSEN = re.compile(
    r"\b(?:let'?s|let us|(?:we|i)(?:'ll| will)?) (?:go|stay|stick|settle) (?:with|on|to)\b|^go with\b"
    r"|(?:那?就|还是)(?:用|选|按|采用|走|定).{1,60}?(?:吧|了|定了|方案)",
    re.IGNORECASE,
)
_TRIED = re.compile(
    r"\b(?:tried|attempted|the attempt to|my attempt at|approach(?:es)?|workaround)\b"
    r"|试过|尝试过?|试了|方案|这条路|这个办法",
    re.IGNORECASE,
)
_IN_VAIN = re.compile(
    r"\b(?:fail(?:s|ed)?|no effect|no help|made (?:it|things) worse|breaks?|broke|dead end|in vain"
    r"|(?:does|did|do|is|was|can)(?:n['’]?t| not) (?:work|help|fix|change|possible|enough|matter)"
    r"|to no avail|gives? wrong|too slow|ruled out)\b"
    r"|不行|失败|没用|无效|不管用|行不通|不起作用|没有效果|没效果|走不通|更慢|不可行|放弃|白试|无济于事",
    re.IGNORECASE,
)
_BECAUSE = Sought(r"\b(?:because(?: of)?|since|due to|thanks to)\b|因为|由于|原因是?\s*[:：]?")
_JOINT = " \t\n\r,，;；"
_REJECTED = re.compile(r"(?:instead of|rather than|而不是)\s*([\w.+/-]+)", re.IGNORECASE)

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


# What is told is known by these: whether they can be there at all shows in the words that each of them needs.
_SIGNS = {
    "tried": _TRIED, "in vain": _IN_VAIN, "declared": _DECLARED, "chosen by person": _PERSON_CHOSEN,
    "chosen": _CHOSEN, "reason": _REASON, "instead": _INSTEAD,
}  # fmt: skip
_NAMES = tuple(_SIGNS)
_POSSIBLE = Possible([sign.pattern for sign in _SIGNS.values()])


# Nothing is told without one of these, and few texts have one.
_PERSONS_HINTS = Hints(_TRIED.pattern, _DECLARED.pattern, _PERSON_CHOSEN.pattern)
_AGENTS_HINTS = Hints(_TRIED.pattern, _DECLARED.pattern, _INSTEAD.pattern)


def may_tell(text: bytes, *, is_person: bool) -> bool:
    """Whether it is worth reading.  `text`: in small letters."""
    return (_PERSONS_HINTS if is_person else _AGENTS_HINTS).are_in(text)


def told_in(text: str, *, is_person: bool) -> Iterator[Told]:
    """The agent explains all day long: of its words only what it calls a decision, or gives a reason for."""
    for sentence in _sentences(_FENCE.sub("\n", text) if "```" in text or "~~~" in text else text):
        # Most sentences of a text that may tell something do not.
        if len(sentence) < MIN_CHARS or not may_tell(small(sentence), is_person=is_person):
            continue
        possible = {_NAMES[number] for number in _POSSIBLE.in_text(sentence)}
        if not _kind(possible.__contains__, is_person=is_person):
            continue
        plain = _LEAD.sub("", sentence.strip()).strip()
        if not MIN_CHARS <= len(plain) <= MAX_CHARS or _is_question(plain):
            continue
        kind = _kind(partial(_is_in, plain, possible), is_person=is_person)
        told = _told(kind, plain) if kind else None
        # " … because it would read the file twice": that is no doubt about what was chosen.
        if told and not _UNCERTAIN.search(told.text if told.why else plain):
            yield told


def _is_question(sentence: str) -> bool:
    return sentence.endswith(("?", "？", "吗", "呢")) or _ASKS.match(sentence) is not None


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(text):
        yield text[start : end.end()]
        start = end.end()
    yield text[start:]


def _is_in(sentence: str, possible: Set[str], sign: str) -> bool:
    return sign in possible and _SIGNS[sign].search(sentence) is not None


def _kind(has: Callable[[str], bool], *, is_person: bool) -> Literal["decision", "dead_end"] | None:
    """What a sentence tells.  `has`: whether a sign is in it."""
    if has("tried") and has("in vain"):
        return "dead_end"
    if has("declared"):
        return "decision"
    is_chosen = has("chosen by person") if is_person else has("chosen") and has("reason") and has("instead")
    return "decision" if is_chosen else None


def _told(kind: Literal["decision", "dead_end"], sentence: str) -> Told:
    because = _BECAUSE.search(sentence)
    what, why = sentence, ""
    if because is not None and len(before := sentence[: because.start()].rstrip(_JOINT)) >= MIN_CHARS:
        what, why = before, sentence[because.end() :]
    rejected = _REJECTED.search(sentence)
    return Told(
        kind=kind,
        text=what.strip().rstrip("。."),
        why=why.strip().rstrip("。."),
        sentence=sentence,
        rejected=rejected[1] if rejected else "",
    )
