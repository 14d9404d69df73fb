"""What can be asked of the memory, and what it answers: as values, from a query's texts, and as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agentinitd.memory.dates import time_text
from agentinitd.memory.decisions import Fate, FateWord
from agentinitd.memory.fields import instant
from agentinitd.memory.project import is_safe_task_id
from agentinitd.memory.recall_entries import KINDS, RecallKind
from agentinitd.model.errors import UsageError

DEFAULT_LIMIT = 10
MAX_LIMIT = 200
# What people say for several kinds at once.
_GROUPS: dict[str, tuple[RecallKind, ...]] = {
    **{kind: (kind,) for kind in KINDS},
    "anchor": ("constraint", "tool", "decision"),
}
KIND_NAMES = tuple(_GROUPS)
_DAY_SECONDS = 86_400
_AGO = re.compile(r"(\d{1,5})\s?([hdw])", re.ASCII)
_AGO_SECONDS = {"h": 3600, "d": _DAY_SECONDS, "w": 7 * _DAY_SECONDS}
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is looked for, and where."""

    text: str
    kinds: tuple[RecallKind, ...] = ()
    """None: all."""
    task: str | None = None
    """As seen from this task: what is the project's and what is its own, nothing of any other."""
    since: float | None = None
    until: float | None = None
    is_all: bool = False
    """Also what was withdrawn, and, unless a task is named, what belongs to any task."""
    limit: int = DEFAULT_LIMIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One thing that was found."""

    kind: RecallKind
    text: str
    why: str
    id: str
    task: str | None
    at: float | None
    file: str
    """Relative to the memory folder, with `/`."""
    line: int
    fate: Fate | None
    """None: it simply holds, or did once."""
    replaces: tuple[str, ...]
    restores: tuple[str, ...]
    is_dead_end: bool
    """It was tried in vain."""
    is_past: bool
    """It was so once: a line of an old snippet, of an old state."""
    is_related: bool
    """It has none of the words, but replaced, or was replaced by, something that does."""

    @property
    def is_withdrawn(self) -> bool:
        return self.fate is not None and self.fate.is_withdrawn

    @property
    def replaced_by(self) -> str:
        """Id; empty when nothing did."""
        return self.fate.by if self.fate is not None and self.is_withdrawn else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The best hits first, and what was passed over."""

    hits: tuple[Hit, ...] = ()
    withdrawn: int = 0
    """How many hits were left out because they do not hold any more."""
    other_tasks: tuple[str, ...] = ()
    """When there is room for more: tasks that have hits as well, and were not asked."""


def question_of(text: str, words: Mapping[str, str], *, kinds: Sequence[str] = (), now: float) -> Question:
    """From a command line or the query of a URL.  Raises UsageError."""
    return Question(
        text=text,
        kinds=_kinds([*kinds, *words.get("kind", "").replace(",", " ").split()]),
        task=_task(words.get("task")),
        since=_time("since", words.get("since"), now),
        until=_time("until", words.get("until"), now),
        is_all=words.get("all", "").lower() in ("1", "true", "yes", "on"),
        limit=_limit(words.get("n")),
    )


def _kinds(names: Sequence[str]) -> tuple[RecallKind, ...]:
    for name in names:
        if name not in _GROUPS:
            raise UsageError(f"{name[:40]!r} is not a kind of memory; known: {', '.join(KIND_NAMES)}.")
    return tuple(dict.fromkeys(kind for name in names for kind in _GROUPS[name]))


def _task(name: str | None) -> str | None:
    if name and not is_safe_task_id(name):
        raise UsageError(f"{name[:40]!r} is no name for a task. Use letters, digits, `-`, `_` and `.`.")
    return name or None


def _time(key: str, text: str | None, now: float) -> float | None:
    if not text:
        return None
    ago = _AGO.fullmatch(text.strip())
    if ago:
        return now - int(ago[1]) * _AGO_SECONDS[ago[2]]
    try:
        at = instant(text)
    except ValueError:
        cure = "Write 2026-11-28, 2026-11-28T10:00:00Z, or 12h, 7d, 4w for so long ago."
        raise UsageError(f"{key}: {text[:40]!r} is not a time. {cure}") from None
    # Until a day: with that day.
    return at + _DAY_SECONDS - 0.001 if key == "until" and _DAY.fullmatch(text.strip()) else at


def _limit(text: str | None) -> int:
    if text is None:
        return DEFAULT_LIMIT
    if not (text.isascii() and text.isdecimal() and len(text) <= 4 and 1 <= int(text) <= MAX_LIMIT):
        raise UsageError(f"{text[:20]!r} hits are not possible: 1 to {MAX_LIMIT}.")
    return int(text)


def answer_json(answer: Answer) -> dict[str, Any]:
    """With stable names."""
    return {
        "hits": [_hit_json(hit) for hit in answer.hits],
        "withdrawn_left_out": answer.withdrawn,
        "other_tasks": list(answer.other_tasks),
    }


def _hit_json(hit: Hit) -> dict[str, Any]:
    return {
        "kind": hit.kind,
        "id": hit.id or None,
        "task": hit.task or None,
        "at": time_text(hit.at),
        "file": hit.file,
        "line": hit.line,
        "text": hit.text,
        "why": hit.why or None,
        "withdrawn": hit.is_withdrawn,
        "standing": _standing(hit),
        "replaced_by": hit.replaced_by or None,
        "restored_by": _by(hit, "restored"),
        "conflicts_with": _by(hit, "conflict"),
        "contrary": _by(hit, "gainsaid") or _by(hit, "overruled"),
        "since": time_text(hit.fate.at) if hit.fate else None,
        "replaces": list(hit.replaces),
        "restores": list(hit.restores),
        "failed": hit.is_dead_end,
        "past": hit.is_past,
        "related": hit.is_related,
    }


def _standing(hit: Hit) -> str:
    if hit.fate is not None:
        return hit.fate.standing
    return "past" if hit.is_past else "current"


def _by(hit: Hit, word: FateWord) -> str | None:
    return hit.fate.by if hit.fate is not None and hit.fate.standing == word else None
