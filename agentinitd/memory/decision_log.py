"""The decision log on disk.  It is only appended to: a decision is replaced by a later one, never changed."""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from agentinitd.memory.anchors import MAX_ITEM_CHARS, derived_id
from agentinitd.memory.dates import time_text
from agentinitd.memory.decision_chains import Chain, chains_of
from agentinitd.memory.decisions import BY_PROGRAM, Standing, standing
from agentinitd.memory.edit import add_item
from agentinitd.memory.fields import instant
from agentinitd.memory.redact import has_secret
from agentinitd.memory.store import recorded
from agentinitd.memory.task_files import place_of
from agentinitd.memory.writer import locked, update
from agentinitd.model.errors import MemoryRefused, PermissionRefused, UsageError
from agentinitd.model.facts import Anchor

_LOG = "anchors/decision_log.md"
_MOST_NAMED = 3
_EARLIEST_ZONE_SECONDS = 14 * 3600.0
"""So far ahead of UTC a day may have begun somewhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDecision:
    """What somebody decided."""

    text: str
    because: str = ""
    instead_of: tuple[str, ...] = ()
    """What it was chosen over."""
    supersedes: tuple[str, ...] = ()
    restores: str | None = None
    topic: str = ""
    is_failed: bool = False
    """It was tried in vain."""
    decided_at: float | None = None
    """Seconds since the epoch; None: now."""
    task: str | None = None
    """None: it is the project's."""
    id: str | None = None
    """None: made from its words."""
    source: str = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """A decision that is in the log now."""

    decision: Anchor
    conflicts: tuple[str, ...]
    """Ids of others about its topic that nobody replaced."""


def add_decision(project: Path, new: NewDecision, *, now: float) -> Added:
    """Appends it.  Raises UsageError for what cannot be meant, MemoryRefused for what cannot be written."""
    _check(new, now)
    file = _log_of(project, new.task)
    with locked(project):
        known = {anchor.id: anchor for anchor in recorded(project, new.task)}
        decision = _decision(new, known, standing(known.values()), file, now)
        update(Path(file), lambda text: add_item(text, decision), project=project)
        fates = standing(recorded(project, new.task))
    topics = (conflict for conflict in fates.conflicts if decision.id in (conflict.served, *conflict.others))
    named = [name for conflict in topics for name in (conflict.served, *conflict.others)]
    return Added(decision=decision, conflicts=tuple(name for name in named if name != decision.id))


def time_of(text: str) -> float:
    """Seconds since the epoch of `2026-11-28` or an RFC 3339 time.  Raises UsageError."""
    try:
        return instant(text)
    except ValueError as error:
        raise UsageError(f"{text[:40]!r} {error}") from error


def chains(project: Path, *, task: str | None = None, topic: str = "") -> list[Chain]:
    """The decisions of the project, and of this task when one is named.  Raises as `add_decision` does."""
    if task is not None:
        _log_of(project, task)
    return chains_of(recorded(project, task), topic=topic)


def _check(new: NewDecision, now: float) -> None:
    words = _line(new.text)
    if not words:
        raise UsageError("A decision needs words: what holds from now on.")
    told = (new.text, new.because, new.topic, *new.instead_of)
    if any(has_secret(text) for text in told):
        raise MemoryRefused(
            "This looks like a credential; it is not written down. Name it without its value."
        )
    if sum(map(len, told)) > MAX_ITEM_CHARS:
        raise MemoryRefused(f"A decision has at most {MAX_ITEM_CHARS:,} characters. Shorten it.")
    if new.decided_at is not None and not math.isfinite(new.decided_at):
        raise UsageError("The time of the decision is no time.")
    if new.decided_at is not None and new.decided_at > now + _EARLIEST_ZONE_SECONDS:
        day = (time_text(new.decided_at) or "")[:10]
        raise UsageError(
            f"{day} lies in the future: a decision is recorded once it is made. Leave the time out for now."
        )


def _log_of(project: Path, task: str | None) -> str:
    """Relative to the memory folder.  A task whose state is the default one has no log of its own."""
    place = place_of(project, task)
    return _LOG if place.folder == "state" else f"{place.folder.removesuffix('state')}{_LOG}"


def _decision(
    new: NewDecision, known: Mapping[str, Anchor], fates: Standing, file: str, now: float
) -> Anchor:
    supersedes = [*new.supersedes]
    for name in (*supersedes, *([new.restores] if new.restores else [])):
        _check_known(name, known)
    if new.restores:
        supersedes += _in_its_place(new.restores, fates, supersedes)
    if new.source == BY_PROGRAM:
        _check_own(known[name] for name in supersedes)
    what = _line(new.text)
    return Anchor(
        id=_id(new, what, known, fates),
        kind="decision",
        what=what,
        why=_line(new.because) or None,
        scope="task" if file.startswith("tasks/") else "project",
        source=new.source,
        written_at=now if new.decided_at is None else new.decided_at,
        recorded_at=None if new.decided_at is None else now,
        supersedes=", ".join(dict.fromkeys(supersedes)) or None,
        restores=new.restores,
        topic=_line(new.topic) or _topic_of(new, known),
        outcome="failed" if new.is_failed else None,
        instead_of=" / ".join(filter(None, map(_line, new.instead_of))),
        file=file,
    )


def _line(text: str) -> str:
    return " ".join(text.split())


def _topic_of(new: NewDecision, known: Mapping[str, Anchor]) -> str:
    """That of what it replaces or brings back, when that is one."""
    names = (*new.supersedes, *([new.restores] if new.restores else []))
    topics = {known[name].topic for name in names}
    return topics.pop() if len(topics) == 1 and not new.is_failed else ""


def _check_known(name: str, known: Collection[str]) -> None:
    if name not in known:
        near = difflib.get_close_matches(name, known, n=_MOST_NAMED, cutoff=0.5)
        cure = f"Did you mean {', '.join(near)}?" if near else "`agentinitd decisions list --all` shows all."
        raise UsageError(f"There is no decision {name[:80]!r}. {cure}")


def _check_own(replaced: Iterable[Anchor]) -> None:
    """Whoever can open the socket may be the agent itself: what a person decided, a person replaces."""
    for anchor in replaced:
        if anchor.source != BY_PROGRAM:
            cure = f"Ask for `agentinitd decisions supersede {anchor.id} TEXT`."
            raise PermissionRefused(
                f"{anchor.id} was not recorded by a program, and none replaces it. {cure}"
            )


def _in_its_place(name: str, fates: Standing, named: Collection[str]) -> list[str]:
    """What holds now in the place of the one that is to be brought back."""
    if name not in fates.replaced:
        raise UsageError(f"{name} holds: there is nothing to bring back.")
    seen = {name}
    while (name := fates.replaced.get(name, "")) and name not in seen:
        seen.add(name)
        if name not in fates.replaced:
            return [] if name in named else [name]
    return []


def _id(new: NewDecision, what: str, known: Mapping[str, Anchor], fates: Standing) -> str:
    """The same words may be decided again, after something else."""
    if new.id:
        return new.id
    made = derived_id("decision", what)
    if made in known and made not in fates.replaced and not new.restores:
        raise MemoryRefused(f"{made} says the same, and holds already.")
    others = (f"{made}-{number}" for number in range(2, len(known) + 3))
    return next(name for name in (made, *others) if name not in known)
