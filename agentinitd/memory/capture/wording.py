"""The words of a rule: fit to be kept, and whether they ban or demand."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from agentinitd.model.facts import Anchor, Polarity

_BAN = re.compile(
    r"\b(?:never|don['’]?t|do not|must ?n[o']t|should ?n[o']t|shall not|may not|cannot|can['’]?t|"
    r"not allowed|avoid|no longer|forbidden|prohibited|no(?= [a-z]))\b"
    r"|(?<![级类识区特差性辨鉴告分])别(?![名人处的])|不要|不许|不准|不能|不得|不可|禁止|严禁|切勿|勿|避免|不动|不改|不碰",
    re.IGNORECASE,
)


_KEEP = re.compile(
    r"\b(?:unchanged|untouched|intact|as[- ](?:it )?is|(?:leave|let)\b.{1,60}\balone|hands off)\b|不变|原样",
    re.IGNORECASE,
)


def plain(text: str, limit: int) -> str:
    """The words as one line of at most so many characters, without any that is not seen: control characters,
    tags, and those that turn the direction of reading."""
    line = " ".join(text.split())
    if not line.isascii() or not line.isprintable():
        line = "".join(character for character in line if unicodedata.category(character)[0] != "C")
    return line[:limit].rstrip()


def whole_words(anchor: Anchor) -> str:
    """Of a captured rule, with what its own words leave out: `Use: yarn`, `Use gcc → sorry, clang`."""
    if anchor.captured != "rule":
        return anchor.what
    if anchor.instead_of:
        return f"{anchor.instead_of} → {anchor.what}"
    is_told = not anchor.topic or anchor.topic.casefold() in anchor.what.casefold()
    return anchor.what if is_told else f"{anchor.topic}: {anchor.what}"


@lru_cache(maxsize=1024)
def meant_polarity(text: str, polarity: Polarity) -> Polarity:
    """`keep it unchanged` and `do not change it` are one ban, whichever of the two it was taken for."""
    return "do_not" if polarity == "do" and _KEEP.search(text) else polarity


def polarity_of(text: str) -> Polarity:
    """Of a sentence that is known to be one or the other."""
    return "do_not" if _KEEP.search(text) or _BAN.search(text) else "do"
