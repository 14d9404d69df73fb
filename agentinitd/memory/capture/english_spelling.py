"""An English sentence as it was meant to be spelled, and where each of its characters stood before."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

# Words that carry a rule: a slip in one of them must not hide it.
_WORDS = (
    "never",
    "always",
    "please",
    "should",
    "before",
    "instead",
    "without",
    "change",
    "avoid",
    "touch",
    "allowed",
    "forbidden",
    "everywhere",
    "rather",
    "commit",
    "exactly",
    "unchanged",
    "ensure",
    "nothing",
)
_REAL_WORDS = frozenset(
    ("ever", "lease", "void", "tough", "aloud", "rater", "rathe", "chance", "vomit", "pleas")
)
_SPELLINGS = {
    "cant": "can't",
    "dosnt": "doesn't",
    "donot": "do not",
    "do'nt": "don't",
    "dnt": "don't",
    "doen't": "don't",
    "musnt": "mustn't",
    "shouldnt": "shouldn't",
    "isnt": "isn't",
    "arent": "aren't",
    "wont": "won't",
    "lets": "let's",
    "bevore": "before",
    "olny": "only",
    "onyl": "only",
    "insted": "instead",
    "shure": "sure",
    "mak": "make",
    "wich": "which",
    "plese": "please",
    "whithout": "without",
    "evry": "every",
    "wan't": "want",
    "im": "i'm",
    "ive": "i've",
    "youre": "you're",
    "theyre": "they're",
    "thats": "that's",
    "wouldnt": "wouldn't",
    "couldnt": "couldn't",
    "didnt": "didn't",
    "doesnt": "doesn't",
    "havent": "haven't",
    "wasnt": "wasn't",
}
_SHORT = {
    "b4": "before",
    "w/o": "without",
    "w/": "with",
    "w": "with",
    "u": "you",
    "ur": "your",
    "abt": "about",
}
_TYPED = re.compile(
    r"(?P<short>(?<![\w/.'-])(?:b4|w/o|w/?|ur?|abt)(?=\s)(?! ?[=<>]))|"
    r"(?P<had>\b[Ii]d(?= (?:rather|like|prefer|love|go|say|want|keep|use|take|be|appreciate|much"
    r"|really|suggest|favou?r)\b))|[A-Za-z']+"
)


def _slips(word: str) -> set[str]:
    """One letter left out, doubled, or changed places with the next; the first letter is always right."""
    inner = range(1, len(word))
    return {
        *(word[:at] + word[at + 1 :] for at in inner),
        *(word[:at] + word[at] + word[at:] for at in inner),
        *(word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in inner if at + 1 < len(word)),
    } - {word}


_KNOWN = {
    **{slip: word for word in _WORDS for slip in _slips(word) if slip not in (*_WORDS, *_REAL_WORDS)},
    **_SPELLINGS,
}
_LETTERS = re.compile(r"[A-Za-z']+")
_MENDED = frozenset([*_KNOWN, "id", *(re.split(r"[^a-z]", short)[0] for short in _SHORT)])
"""Where none of these is, all is well: most sentences are looked at no further."""


@dataclass(frozen=True, slots=True)
class Respelled:
    """`text`, and how to find its places in what was typed."""

    text: str
    _ends: tuple[int, ...] = ()
    _shifts: tuple[int, ...] = ()

    def typed(self, at: int) -> int:
        """Where that place was, as it was typed."""
        index = bisect_right(self._ends, at)
        return at + self._shifts[index - 1] if index else at


def respelled(plain: str) -> Respelled:
    """Only words that carry a rule are put right."""
    if _MENDED.isdisjoint(map(str.lower, _LETTERS.findall(plain))):
        return Respelled(plain)
    parts: list[str] = []
    ends: list[int] = []
    shifts: list[int] = []
    at = length = 0
    for word in _TYPED.finditer(plain):
        typed = word.group().lower()
        meant = "i'd" if word["had"] else _SHORT[typed] if word["short"] else _KNOWN.get(typed)
        if meant is None:
            continue
        parts += (plain[at : word.start()], meant)
        length += word.start() - at + len(meant)
        at = word.end()
        ends.append(length)
        shifts.append(at - length)
    if not parts:
        return Respelled(plain)
    return Respelled("".join(parts) + plain[at:], tuple(ends), tuple(shifts))
