"""An exception in a sentence of its own belongs to the rule before it: "Never push.  Except for docs/"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from agentinitd.memory.capture.literals import small
from agentinitd.memory.capture.needed import Hints
from agentinitd.memory.capture.proposals import MAX_QUOTE_CHARS, MAX_TEXT_CHARS, Proposal
from agentinitd.memory.capture.prose import Context, Found, Sentence
from agentinitd.memory.capture.retold import is_near

MAX_CHARS = 160
_LEAD = r"(?:(?:oh|ah|ok(?:ay)?|well|but|and|though|that is|i mean|of course|obviously)[, ]+)*"
_BACK = (
    r"(?:(?:those|these|that|this|they|it|there)(?: ones?)?(?:'re|'s| is| are| may| can| stays?)?|that'?s"
    r"|you (?:can|may)|feel free|go ahead)"
)
_NO_PRONOUN = r"(?! (?:for |from )?(?:that|this|it|those|these)\b)"
_WORDS = rf"(?:except|excluding|apart from|other than|aside from|save for|with the exception of){_NO_PRONOUN}"
_EXCEPT = (
    rf"{_WORDS}|unless|barring|with (?:one|an) exception"
    r"|(?:the |my |one |only |sole |single )*exceptions?(?: (?:is|are|being|to (?:that|this))\b|:)"
    r"|(?:this|that|it|which|the rule|the ban)(?: does not| doesn'?t) (?:apply|hold|go|count|include|cover)"
    r"|(?:this|that|it) excludes|not for(?! me\b| us\b)"
)
_EXEMPT = (
    r"(?:is|are) (?:(?:an|the|one|the only|my only) )?(?:exceptions?|exempt(?:ed)?|excluded|excepted)"
    r"|(?:does not|doesn'?t|do not|don'?t) count|excepted|excluded"
)
_ENGLISH = re.compile(
    rf"{_LEAD}(?:(?:{_EXCEPT})[^,;]*|[^,;]{{2,80}}? (?:{_EXEMPT}))(?:[,;]? +{_BACK}\b[^,;]{{0,40}})?",
    re.IGNORECASE,
)
_LEFT_OUT = r"除(?:了(?!此|这|那)|(?![了此这那非]))(?:(?!以外|之外|[，。都也]).){1,40}(?:以外|之外|外)?"
_CHINESE = re.compile(
    rf"(?:但是?|不过|当然|哦|对了|[,， ])*(?:{_LEFT_OUT}|除非[^。]{{2,60}}"
    r"|[^，。]{1,40}?(?:除外|例外|不算(?:在内)?|不在此列|不受(?:此限|限制))"
    r"|(?:唯一的?)?例外(?:的?是|[:：])[^，。]{1,40}|不包括[^，。]{1,40})"
    r"(?:[,， ]*(?:那个?|这个?|它们?|这些|那些)?(?:是?可以|没事|没问题|能[改动碰用])[^，。]{0,8})?"
)
_BEGINS = re.compile(rf"{_LEAD}{_WORDS}[^,;]{{2,60}}, |{_LEFT_OUT}[，, ]", re.IGNORECASE)
_FREE = re.compile(
    rf"{_LEAD}(?!(?:it|that|this|they|everything|all|the rest|you|i|we)\b)(?P<what>[^,;]{{2,60}}?) "
    r"(?:is|are) (?:fine|ok|okay|allowed|free|open)(?P<but>(?: by me)?,? (?:though|tho|however))?",
    re.IGNORECASE,
)
_NAME = re.compile(r"[/`\d_]|\.\w")
_MAY = Hints(
    r"except|exclud|exempt|apart from|other than|aside|save for|unless|barring|not for|count|n'?t |does not "
    r"|fine|ok|allowed|free|open|除|例外|不算|不在此列|不受|不包括|可以"
)


def is_exception(sentence: Sentence) -> bool:
    """Whether it says nothing but what is left out of the sentence before it."""
    plain = _plain(sentence)
    return bool(_may_be_one(sentence) and (_ENGLISH.fullmatch(plain) or _CHINESE.fullmatch(plain)))


def frees_part(rule: Proposal, found: Sequence[Found], sentence: Sentence) -> bool:
    """Whether it allows something right behind a ban: `0007 可以动`, "docs/ hotfixes are fine though"; or
    tells what to do for an exception."""
    if not _may_be_one(sentence) or any(item.act == "state" for item in found):
        return False
    plain = _plain(sentence)
    if found:
        is_freed = all(item.is_permission and item.topic and item.scope != "once" for item in found)
        return rule.polarity == "do_not" and is_freed
    free = _FREE.fullmatch(plain) if rule.polarity == "do_not" else None
    is_named = free is not None and bool(free["but"] or _NAME.search(free["what"]))
    return is_named or _BEGINS.match(plain) is not None


def _may_be_one(sentence: Sentence) -> bool:
    is_short = len(sentence.plain) <= MAX_CHARS
    return is_short and not sentence.is_question and _MAY.are_in(small(sentence.plain))


def _plain(sentence: Sentence) -> str:
    return sentence.plain.strip(" .!。！~…")


def is_behind_exception(text: str, sentence: Sentence) -> bool:
    """Whether the clause stands right behind one, which belongs to it: "except for legacy/, use tabs"."""
    begins = _BEGINS.match(sentence.plain)
    return begins is not None and sentence.text[begins.end() :].lstrip().startswith(text)


def with_exception(rule: Proposal, sentence: Sentence) -> Proposal | None:
    """The rule with it, in the words of both; None when that is too long to be kept."""
    text = _joined(rule.text, sentence)
    if len(text) > MAX_TEXT_CHARS:
        return None
    return replace(rule, text=text, quote=_joined(rule.quote, sentence)[:MAX_QUOTE_CHARS])


def rule_before(context: Context) -> Proposal | None:
    """What the person laid down last, if that was just now."""
    rules: Sequence[Proposal] = context.rules
    return rules[-1] if rules and is_near(rules[-1], context) else None


def _joined(words: str, sentence: Sentence) -> str:
    end = (
        ""
        if words.endswith((".", "!", "。", "！", "；", ";"))
        else "。"
        if sentence.language == "zh"
        else "."
    )
    blank = "" if end == "。" or words.endswith(("。", "！", "；")) else " "
    return f"{words}{end}{blank}{sentence.text.rstrip(' .。!！')}"
