"""The comment behind an anchor: `<!-- id: c-3f2a; confidence: 1.0; verified: 2026-11-28 -->`, and dates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple, get_args

from agentinitd.memory.markdown import Comment
from agentinitd.model.facts import CapturedKind, Outcome, Polarity, Priority, Problem, Scope, Status

# A `;` ends a field only where another field begins: `forbid: Bash(cd x; rm y)` is one field.
_END_OF_FIELD = re.compile(r"[;；\n](?=\s*(?:[A-Za-z_][\w-]{0,30}\s*[:：]|$))")
_FIELD = re.compile(r"\s*([A-Za-z_][\w-]{0,30})\s*[:：]\s*(.*)", re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_PART_OF_LIST = re.compile(r'\s*"(?:[^"\\\n]|\\.)*"\s*(?=,|$)|[^,]+')
_ID = re.compile(r"\w[\w.:-]{0,63}")
_DATE = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s?([Zz]|[+-]\d\d:?\d\d)?)?", re.ASCII
)
NO_VALUE = frozenset({"", "never", "none", "null", "-", "从未"})


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


class Field(NamedTuple):
    """One field of a comment, and where in it: from `start` to `end`, its value from `value` on."""

    key: str
    text: str
    start: int
    value: int
    end: int


def split_fields(comment: str) -> list[Field]:
    """The fields in their order; a comment in plain words has none."""
    hidden = comment
    if '"' in comment:
        hidden = _QUOTED.sub(lambda match: "x" * len(match.group()), comment)
    ends = [match.start() for match in _END_OF_FIELD.finditer(hidden)]
    fields = []
    for start, end in zip([0, *(end + 1 for end in ends)], [*ends, len(comment)], strict=True):
        found = _FIELD.fullmatch(comment, start, end)
        if found:
            key, text = found[1].lower().replace("-", "_"), " ".join(found[2].split())
            fields.append(Field(key, text, start, found.start(2), end))
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
        return choices[choices.index(text.lower())]  # one text for all items

    return chosen


def _identity(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError("is not an id. Use up to 64 letters, digits, `-`, `_`, `.` and `:`.")
    return text


def _list(text: str) -> tuple[str, ...]:
    """`a, "b,c"` or `[a, b]`."""
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    parts = (found.group().strip() for found in _PART_OF_LIST.finditer(inner))
    return tuple(unquoted for part in parts if (unquoted := _unquoted(part)))


def _unquoted(text: str) -> str:
    """Words in double quotes, so that a `;` in them ends nothing.

    `\\n` is a line feed; any other character behind a `\\` stands for itself.
    """
    if not _QUOTED.fullmatch(text):
        return text
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text[1:-1])


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= len(text) <= 6 or not int(text):
        raise ValueError("is not a number of times. Write 1 or more.")
    return int(text)


READ: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "id": ("id", _identity),
    "confidence": ("confidence", _confidence),
    "verified": ("verified_at", instant),
    "last_updated": ("written_at", instant),
    "scope": ("scope", _choice(get_args(Scope))),
    "source": ("source", _unquoted),
    "priority": ("priority", _choice(get_args(Priority))),
    "supersedes": ("supersedes", _unquoted),
    "applies": ("applies", _list),
    "forbid": ("forbid", _unquoted),
    "check": ("check", _unquoted),
    "restores": ("restores", _unquoted),
    "topic": ("topic", _unquoted),
    "outcome": ("outcome", _choice(get_args(Outcome))),
    "instead_of": ("instead_of", _unquoted),
    "recorded": ("recorded_at", instant),
    "phase": ("phases", _list),
    "status": ("status", _choice(get_args(Status))),
    "captured": ("captured", _choice(get_args(CapturedKind))),
    "polarity": ("polarity", _choice(get_args(Polarity))),
    "quote": ("quote", _unquoted),
    "said": ("said", _count),
    "last_source": ("last_source", _unquoted),
    "ended": ("ended_at", instant),
    "ended_by": ("ended_by", _unquoted),
    "against": ("against", _unquoted),
}
"""Field as written → attribute of Anchor, and how its text is read."""


def read_fields(comments: list[Comment], file: str) -> tuple[dict[str, object], list[Problem]]:
    """Attributes of an anchor from its comments.  What is malformed is named and left out."""
    values: dict[str, object] = {}
    problems: list[Problem] = []
    for comment in comments:
        for key, text, *_ in split_fields(comment.text):
            if key not in READ or text.lower() in NO_VALUE:
                continue
            name, read = READ[key]
            try:
                if name in values:
                    raise ValueError("comes a second time. Keep one of the two.")
                values[name] = read(text)
            except ValueError as error:
                message = f"{key}: `{text[:60]}` {error}"
                problems.append(Problem(file=file, line=comment.number, message=message))
    return values, problems
