"""The lines of an Aider chat history: which are whose, and what the figures and commands in them mean."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

RUN = re.compile(rb"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*")
USER, TOOL = b"#### ", b"> "
LINE_END = b"  "
"""Aider ends its own lines so, and those of the person; the model's stand as they came."""

_NUMBER = r"([\d.,]+)([kM]?)"
_FIGURES = re.compile(
    rf"Tokens: {_NUMBER} sent(?:, {_NUMBER} cache write)?(?:, {_NUMBER} cache hit)?, {_NUMBER} received\b"
)
_SCALES = {"": 1, "k": 1000, "M": 1_000_000}
_VERSION = re.compile(r"Aider v(\S+)")
_MODEL = re.compile(r"(?:Main model|Model): (\S+)")
_EDIT = re.compile(r"Applied edit to (.+)")
SUMMARISED = "Finished summarizing chat history."
"""Said only with `--verbose`."""
_CONFIRMED = re.compile(r"\(Y\)es/\(N\)o.*\]: ?\S*\Z")
_WRITTEN_BY_AIDER = (
    "# Fix any errors below, if possible.",
    "I've written your instructions in comments in the code",
    'The "ai" comments below marked with',
)
_CJK = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_LETTERS_PER_TOKEN = 4

# Commands may be cut short as long as they stay unambiguous.
_CLEARING = {"/cl": "/clear", "/res": "/reset", "/dr": "/drop"}
_ASKING = frozenset({"/ask", "/code", "/architect", "/context", "/help", "/ok"})


def estimate_tokens(text: str) -> int:
    """One token for four letters, and one for each Chinese, Japanese or Korean character."""
    if text.isascii():
        return -(-len(text) // _LETTERS_PER_TOKEN)
    wide = len(_CJK.findall(text))
    return wide - (wide - len(text)) // _LETTERS_PER_TOKEN


def sent_tokens(line: str) -> int | None:
    """The context of the request that this line accounts for; figures are rounded to two or three digits."""
    found = _FIGURES.match(line)
    if found is None:
        return None
    sent, hit = _number(found[1], found[2]), _number(found[5], found[6])
    # What came from the cache is part of what was sent, except where a provider counts it apart.
    return sent if sent >= hit else sent + hit


def _number(digits: str | None, scale: str | None) -> int:
    try:
        return round(float((digits or "0").replace(",", "")) * _SCALES[scale or ""])
    except (ValueError, OverflowError):
        return 0


def version_in(line: str) -> str | None:
    found = _VERSION.match(line)
    return found[1] if found is not None else None


def model_in(line: str) -> str | None:
    found = _MODEL.match(line)
    return found[1] if found is not None else None


def is_certain(line: str) -> bool:
    """Only Aider says this, with or without the spaces at the end."""
    return version_in(line) is not None or sent_tokens(line) is not None


def edited_in(line: str) -> str | None:
    found = _EDIT.match(line)
    return found[1].strip() if found is not None else None


def clearing_command(text: str) -> str | None:
    """`/clear`, `/reset` or `/drop` when this is one of them."""
    word = text.split(maxsplit=1)[0] if text.strip() else ""
    return next(
        (full for start, full in _CLEARING.items() if word.startswith(start) and full.startswith(word)), None
    )


class Typed(NamedTuple):
    text: str
    """What the person said to the model; "" for commands, and for what Aider wrote in the person's place."""
    is_command: bool = False
    """Aider writes the text of such a command a second time, as if it had been typed alone."""


def typed(text: str) -> Typed:
    text = text.strip()
    if text == "<blank>" or text.startswith(_WRITTEN_BY_AIDER) or _CONFIRMED.search(text):
        return Typed("")
    if not text.startswith(("/", "!")):
        return Typed(text)
    word, *rest = text.split(maxsplit=1)
    if word not in _ASKING:
        return Typed("", is_command=True)
    return Typed(rest[0] if rest else text if word == "/ok" else "", is_command=True)


def run_seconds(time: str) -> float | None:
    """Aider writes the local time of its machine, without a zone."""
    try:
        return datetime.fromisoformat(time).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def is_whole(line: bytes) -> bool:
    """Aider's own lines and the person's have an end to be known by; more of the model's does no harm."""
    if line.endswith(LINE_END) or RUN.fullmatch(line):
        return True
    return not any(
        line.startswith(start) or start.startswith(line) for start in (USER, TOOL, b"# aider chat")
    )


def text_of(line: bytes) -> str:
    return line.rstrip(b" \r").decode("utf-8", "replace")
