"""The comment behind an anchor: `<!-- id: c-3f2a; confidence: 1.0; verified: 2026-11-28 -->`, and dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import get_args

from agentinitd.model.facts import CapturedKind, Outcome, Polarity, Priority, Problem, Scope, Status

# A `;` ends a field only where another field begins: `forbid: Bash(cd x; rm y)` is one field.
_END_OF_FIELD = re.compile(r"[;；\n](?=\s*(?:[A-Za-z_][\w-]{0,30}\s*[:：]|$))")
_FIELD = re.compile(r"\s*([A-Za-z_][\w-]{0,30})\s*[:：]\s*(.*)", re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_ID = re.compile(r"\w[\w.:-]{0,63}")
_DATE = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s?([Zz]|[+-]\d\d:?\d\d)?)?", re.ASCII
)
_NO_VALUE = frozenset({"", "never", "none", "null", "-", "从未"})


def instant(text: str) -> float:
    """Seconds since the epoch of `2026-11-28` or an RFC 3339 time; without a zone it is UTC.

    Raises ValueError.
    """
    found = _DATE.fullmatch(text.strip().strip("\"'"))
    if not found:
        raise ValueError("is not a date. Write it as 2026-11-28 or 2026-11-28T10:00:00Z.")
    day, clock, zone = found.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{(clock or '00:00').replace(',', '.')}{(zone or '').upper()}")
    except ValueError:
        raise ValueError("is not a day or time that exists.") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def split_fields(comment: str) -> list[tuple[str, str]]:
    """Key and value of each field, in order; a comment in plain words has none."""
    hidden = _QUOTED.sub(lambda match: "x" * len(match.group()), comment)
    ends = [match.start() for match in _END_OF_FIELD.finditer(hidden)]
    fields = []
    for start, end in zip([0, *(end + 1 for end in ends)], [*ends, len(comment)], strict=True):
        found = _FIELD.fullmatch(comment[start:end])
        if found:
            fields.append((found[1].lower().replace("-", "_"), " ".join(found[2].split())))
    return fields


def _confidence(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ValueError("is not a confidence. Write a number from 0 to 1.")
    return value


def _choice(choices: tuple[str, ...]) -> Callable[[str], str]:
    def chosen(text: str) -> str:
        if text.lower() not in choices:
            raise ValueError(f"is unknown. Write one of {', '.join(choices)}.")
        return text.lower()

    return chosen


def _identity(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError("is not an id. Use up to 64 letters, digits, `-`, `_`, `.` and `:`.")
    return text


def _list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.strip("[]").split(",") if part.strip())


def _unquoted(text: str) -> str:
    """Words in double quotes, so that a `;` in them ends nothing; `\\"` and `\\\\` stand for themselves."""
    if not _QUOTED.fullmatch(text):
        return text
    return re.sub(r"\\(.)", r"\1", text[1:-1])


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= len(text) <= 6 or not int(text):
        raise ValueError("is not a number of times. Write 1 or more.")
    return int(text)


# Field as written → attribute of Anchor, and how its text is read.
_READ: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "id": ("id", _identity),
    "confidence": ("confidence", _confidence),
    "verified": ("verified_at", instant),
    "last_updated": ("written_at", instant),
    "scope": ("scope", _choice(get_args(Scope))),
    "source": ("source", str),
    "priority": ("priority", _choice(get_args(Priority))),
    "supersedes": ("supersedes", str),
    "applies": ("applies", _list),
    "forbid": ("forbid", str),
    "check": ("check", str),
    "restores": ("restores", str),
    "topic": ("topic", str),
    "outcome": ("outcome", _choice(get_args(Outcome))),
    "instead_of": ("instead_of", _unquoted),
    "recorded": ("recorded_at", instant),
    "phase": ("phases", _list),
    "status": ("status", _choice(get_args(Status))),
    "captured": ("captured", _choice(get_args(CapturedKind))),
    "polarity": ("polarity", _choice(get_args(Polarity))),
    "quote": ("quote", _unquoted),
    "said": ("said", _count),
    "last_source": ("last_source", str),
    "ended": ("ended_at", instant),
    "ended_by": ("ended_by", str),
}


def read_fields(comments: list[tuple[int, str]], file: str) -> tuple[dict[str, object], list[Problem]]:
    """Attributes of an anchor from its comments (line, text).  What is malformed is named and left out."""
    values: dict[str, object] = {}
    problems: list[Problem] = []
    for line, comment in comments:
        for key, text in split_fields(comment):
            if key not in _READ or text.lower() in _NO_VALUE:
                continue
            name, read = _READ[key]
            try:
                if name in values:
                    raise ValueError("comes a second time. Keep one of the two.")
                values[name] = read(text)
            except ValueError as error:
                problems.append(Problem(file=file, line=line, message=f"{key}: `{text[:60]}` {error}"))
    return values, problems
