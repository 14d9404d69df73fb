"""A person's message → the sentences in their own words, and the values every reader of them uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from agentinitd.memory.capture.paste_words import SAYS_THAT, TYPED
from agentinitd.memory.capture.pasted import without_pasted
from agentinitd.memory.capture.proposals import Act, Force, Proposal
from agentinitd.memory.capture.speakers import has_colon
from agentinitd.memory.language import language_of
from agentinitd.model.facts import Language, Polarity, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence or list item of the person's own."""

    text: str
    language: Language
    start: int
    """Offset in the message."""
    is_question: bool = False
    """By its mark or its form; also a request in the form of a question."""
    before: str = ""
    """The sentence before it in the same message."""
    heading: str = ""
    """For an item of a list: the line that introduces the list, which may hold its polarity ("Don'ts:")."""
    plain: str = ""
    """As long as `text`, with `x` for each character of inline code and of words in quotation marks: cues are
    sought here, so that a ban that is only talked about is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What was said before the message, so that "yes, do that" can be understood."""

    agent_before: str = ""
    """The agent's last words."""
    person_before: tuple[str, ...] = ()
    """The person's last messages, oldest first."""
    message: str = ""
    """The whole message of which a sentence is read."""
    rules: tuple[Proposal, ...] = ()
    """What the person laid down before in this session, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One clause that a reader takes for a rule, or for the end of one: a proposal without its source."""

    text: str
    act: Act = "state"
    polarity: Polarity = "do"
    force: Force = "hard"
    scope: Scope = "project"
    why: str = ""
    is_permission: bool = False
    confidence: float = 0.9
    topic: str = ""
    corrects: str = ""
    """The words of the rule whose place it takes."""


MAX_SENTENCES = 200
MAX_SHORT_CHARS = 200

_MASKED = re.compile(
    r"(`+)[^`\n]{1,400}?\1|\"[^\"\n]{1,400}\"|“[^“”]{1,400}”|「[^「」]{1,400}」|『[^『』]{1,400}』|«[^«»]{1,400}»"
    r"|‘[^‘’\n]{1,400}’|(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){1,400}'(?![\w'])"
    r"|\w+://[^\s，。；）)]+"
)
_QUOTE_SIGNS = ("`", '"', "'", "“", "「", "『", "«", "‘", "://")
_NOT_SPACE = re.compile(r"\S")
_SPACES = re.compile(r"\s+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_ENDS = re.compile(
    r"[。！？；]+[”」』）)]?"
    # Each run of marks is looked at once, from where it begins.
    r"|(?<![!?;])(?<!\b[Nn]o )(?<!\b[Aa]void )[!?;]++[\"')]?(?=\s|$|[\u3400-\u9fff])"
    r"|(?<!\.)\.++[\"')]?(?=\s|$)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)(?<!\bcf\.)(?<!\b[A-Z]\.)"
    r"(?<!\bapprox\.)(?<!\s\d\.)(?<!\bno\.)(?<!/\.\.\.)"
    r"|(?<!…)…++(?=\s|$)|\s[-–—]{1,2}\s(?=(?:btw|by the way|also|oh|and please|please)\b)"
)
_ITEM = re.compile(
    r"\s*+(?:[-*+•·–—]\s+(?:\[[ xX]\]\s*)?|\(?\d{1,2}(?:[.)）]|[、．])\s*(?=\D)|（\d{1,2}）\s*|[①-⑳]\s*"
    r"|[a-h]\)\s+)"
)
_INLINE_ITEM = re.compile(r"(?:(?<=[\s;；,，。:：、])|^)(?:[(（]?(\d)[)）]|(\d)[.、](?!\d|[xX*]\b))\s*")
_QUESTION_END = re.compile(r"[?？][\s\"'”」）)]*$|[吗呢么]\s*[。.]?$")
QUESTION_START = re.compile(
    r"(?:(?:and|so|but|ok|okay|hey|hmm|btw|also|then),?\s+)*(?:"
    r"(?:why|what(?! (?:i|we|you)(?:'d| would| don'?t| do not)? (?:need|want|expect|mean|care|like|ask))"
    r"|what's|how|how's|who|which|whose"
    r"|where(?! (?:possible|applicable|you)\b|[^?]{3,40},))\b"
    r"|(?:is|are|was|were|does|did|has|should|shouldn't|isn't|aren't|doesn't|didn't|can|can't|could"
    r"|couldn't|will"
    r"|would|wouldn't)\s(?:i|we|you|it|this|that|there|they|the|these|those|he|she|anyone|anybody|someone)\b"
    r"(?! (?:need|want|have to|ever|find|add|touch)\b[^?]*,)"
    r"|(?:do|don't)\s(?:i|we|you|they)\b(?! (?:ever|dare)\b))",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[a-z(`]")
MAX_BRACKET_CHARS = 80
MIN_WRAPPED_CHARS = 60
MAX_WRAP_DIFFERENCE = 12
_UNFINISHED = re.compile(
    r"(?:,|\b(?:the|a|an|of|to|in|on|and|or|with|for|not|don't|never|that|by|from|under|is|are|must"
    r"|should|be|if|when|any|all|no|our|my|your|use))$"
)


def sentences(message: str) -> list[Sentence]:
    """What the person said, in order; nothing that was pasted, quoted or put in by a program."""
    return list(_sentences(message))


def _sentences(message: str) -> tuple[Sentence, ...]:
    """Rules, renewals and decisions are sought in the same message, one after the other."""
    return _sentences_of_short(message) if len(message) <= MAX_SHORT_CHARS else _sentences_of_long(message)


@lru_cache(maxsize=64)
def _sentences_of_short(message: str) -> tuple[Sentence, ...]:
    """People say "ok", "go on" and 继续 all day long."""
    return tuple(_said(message))


@lru_cache(maxsize=2)
def _sentences_of_long(message: str) -> tuple[Sentence, ...]:
    return tuple(_said(message))


def _said(message: str) -> list[Sentence]:
    shown = without_pasted(message)
    found: list[Sentence] = []
    heading = before = ""
    for start, end in _paragraphs(shown):
        if shown[start:end].lstrip().startswith("#"):
            heading = shown[start:end].strip("# \t\r\n")
            continue
        item = _ITEM.match(shown, start, end)
        masked = _masked(shown[start:end])
        label = heading if item else ""
        for first, last, is_item in _spans(masked, item.end() - start if item else 0):
            sentence = _sentence(
                shown, masked, start, (first, last), before, label if item or is_item else ""
            )
            if sentence is None:
                continue
            found.append(sentence)
            before = sentence.text
            label = before if before.endswith((":", "：")) and not is_item else label
        heading = heading if item else label
    return found[:MAX_SENTENCES]


def _sentence(
    shown: str, masked: str, offset: int, span: tuple[int, int], before: str, heading: str
) -> Sentence | None:
    start, end = span
    original = shown[offset + start : offset + end]
    lead = len(original) - len(original.lstrip())
    text = _SPACES.sub(" ", original.strip())
    plain = _SPACES.sub(" ", masked[start:end].strip())
    if not any(char.isalnum() for char in text):
        return None
    return Sentence(
        text=text,
        language=_language(plain),
        start=offset + start + lead,
        is_question=bool(_QUESTION_END.search(plain) or QUESTION_START.match(plain)),
        before=before,
        heading=heading,
        plain=plain,
    )


def _language(plain: str) -> Language:
    """Names of code count for neither."""
    return language_of([plain]) if _HAN.search(plain) else "en"


def _masked(text: str) -> str:
    if not any(sign in text for sign in _QUOTE_SIGNS):
        return text
    return _MASKED.sub(lambda found: _NOT_SPACE.sub("x", found.group()), text)


def _paragraphs(shown: str) -> Iterator[tuple[int, int]]:
    """Lines; those that an editor wrapped belong together."""
    start = at = 0
    for line in shown.splitlines(keepends=True):
        is_new = not (start < at and _is_wrapped(shown[start:at], line))
        if is_new and start < at:
            yield start, at
        if is_new:
            start = at
        at += len(line)
        if not line.strip():
            start = at
    if start < at:
        yield start, at


def _is_wrapped(above: str, line: str) -> bool:
    """A line that cannot end there, or that an editor broke where its neighbours are broken too."""
    lines = above.rstrip().split("\n")
    last = lines[-1].rstrip()
    if _ITEM.match(line) or not line.strip() or not last or last[-1] in ".!?:;。！？：；":
        return False
    if line[0].isspace() and _ITEM.match(above):
        return True
    is_even = len(lines) > 1 and max(map(len, lines)) - min(map(len, lines)) <= MAX_WRAP_DIFFERENCE
    is_long = len(last) >= MIN_WRAPPED_CHARS and is_even
    return (is_long or bool(_UNFINISHED.search(last))) and bool(_GOES_ON.match(line.lstrip()))


def _spans(masked: str, start: int) -> Iterator[tuple[int, int, bool]]:
    """Sentences, and the items of a list within a line; without the words of others that one introduces."""
    cuts = [*(end.end() for end in _ENDS.finditer(masked, start)), len(masked)]
    is_foreign = False
    for cut in cuts:
        for first, last, is_item in _items(masked, start, cut):
            part = masked[first:last]
            is_foreign = is_foreign and not TYPED.match(part)
            said = SAYS_THAT.search(part) if has_colon(part) else None
            if not is_foreign and part.strip():
                yield first, first + said.start() if said else last, is_item
            is_foreign = is_foreign or bool(said)
        start = cut


def _is_in_brackets(masked: str, mark: re.Match[str]) -> bool:
    """The `4)` of `decimal(18,4)`."""
    opened = masked.rfind("(", max(0, mark.start() - MAX_BRACKET_CHARS), mark.start())
    return (
        not mark[0].lstrip().startswith(("(", "（"))
        and opened >= 0
        and ")" not in masked[opened : mark.start()]
    )


def _items(masked: str, start: int, end: int) -> Iterator[tuple[int, int, bool]]:
    """`1) …, 2) …` in one line: an enumeration begins with 1 and counts on."""
    marks = [mark for mark in _INLINE_ITEM.finditer(masked, start, end) if not _is_in_brackets(masked, mark)]
    numbers = [int(mark[1] or mark[2]) for mark in marks]
    if not numbers or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        yield start, end, False
        return
    at = start
    for number, mark in enumerate(marks):
        yield at, mark.start(), number > 0
        at = mark.end()
    yield at, end, True
