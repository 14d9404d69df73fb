"""The progress report that an agent is asked for before its window is full, and how it is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from agentinitd.memory.capture.literals import small

REPORT_MARK = "PROGRESS REPORT"
REPORT_REQUEST = (
    "The context is nearly full. At the end of your next reply please add a short block: first line "
    f"`{REPORT_MARK}`, then one line each, as far as there is something: `done:` `doing:` `next:` "
    "`blocked:` `decided: X because Y` `failed: X because Y` `value: name = exact value`."
)
_SMALL_MARK = small(REPORT_MARK)
MAX_LINES = 40
MAX_CHARS = 240
_MARK = re.compile(rf"^[\s>#*_`]*{REPORT_MARK}\b.*$", re.MULTILINE | re.IGNORECASE)
_LINE = re.compile(
    r"[\s>*_`-]*(done|doing|next|blocked|decided|failed|value)[*_`]*\s*[:：][*_`]*\s*(.+?)\s*", re.IGNORECASE
)
_BECAUSE = re.compile(r"\s*(?:,|，|;)?\s*(?:\bbecause\b|\bsince\b|因为|原因是?[:：]?)\s*", re.IGNORECASE)
_NOTHING = re.compile(r"(?:none|nothing|n/?a|-+|—|无|没有)\.?", re.IGNORECASE)


class Reason(NamedTuple):
    what: str
    why: str
    line: str
    """Both as the agent wrote them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What an agent says of its own progress: a claim, until a result or a person proves it."""

    done: tuple[str, ...] = ()
    doing: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    decided: tuple[Reason, ...] = ()
    failed: tuple[Reason, ...] = ()
    values: tuple[str, ...] = ()


def may_hold_report(text: bytes) -> bool:
    """Nearly no message does.  `text`: in small letters."""
    return _SMALL_MARK in text


def report_in(text: str) -> Report | None:
    """The last report of an agent's message; None when it holds none.

    It must open a line of its own with the mark and have one line of the form at least: a message that talks
    about the report is none.
    """
    marks = list(_MARK.finditer(text)) if may_hold_report(small(text)) else ()
    if not marks:
        return None
    found: dict[str, list[str]] = {}
    for line in text[marks[-1].end() :].split("\n")[: MAX_LINES + 1]:
        told = _LINE.fullmatch(line)
        if told and not _NOTHING.fullmatch(told[2]):
            found.setdefault(told[1].lower(), []).append(" ".join(told[2].split())[:MAX_CHARS])
    if not found:
        return None
    return Report(
        done=tuple(found.get("done", ())),
        doing=tuple(found.get("doing", ())),
        next=tuple(found.get("next", ())),
        blocked=tuple(found.get("blocked", ())),
        decided=tuple(map(_reason, found.get("decided", ()))),
        failed=tuple(map(_reason, found.get("failed", ()))),
        values=tuple(found.get("value", ())),
    )


def _reason(text: str) -> Reason:
    parts = _BECAUSE.split(text, maxsplit=1)
    return Reason(parts[0], parts[1], text) if len(parts) == 2 and parts[0] else Reason(text, "", text)
