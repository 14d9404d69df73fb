"""A person goes through what capture found: keeps it, in better words if need be, or rejects it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from agentinitd.memory.anchor_book import FILE_OF_KIND, AnchorBook
from agentinitd.memory.capture.captured_file import PROJECT_FILE
from agentinitd.memory.capture.surplus import MAX_ITEMS, is_ours
from agentinitd.memory.capture.wording import whole_words
from agentinitd.memory.contraries import contraries, written_later
from agentinitd.memory.decisions import ids_in, served, standing
from agentinitd.memory.edit import add_item, remove_item
from agentinitd.memory.folder import memory_files
from agentinitd.memory.recall_files import tasks_with_anchors
from agentinitd.memory.redact import has_secret
from agentinitd.memory.store import changed_at, recorded, unusable
from agentinitd.memory.writer import locked, update
from agentinitd.model.errors import MemoryRefused, UsageError
from agentinitd.model.facts import Anchor, Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something captured that nobody confirmed, and what it took the place of."""

    anchor: Anchor
    replaced: tuple[Anchor, ...]
    written: tuple[Anchor, ...] = ()
    """What a person wrote or confirmed, and what this was said against, later."""
    written_later: tuple[Anchor, ...] = ()
    """What a person wrote against this, later; this is not served."""


def waiting(project: Path) -> list[Candidate]:
    """Of the project and of every task, in the order of the files."""
    found: list[Anchor] = []
    written: dict[str, list[Anchor]] = {}
    later: dict[str, tuple[Anchor, ...]] = {}
    for task in (None, *tasks_with_anchors(project)):
        anchors = recorded(project, task)
        found += filter(partial(_is_captured_of, task), anchors)
        held = served(anchors, standing(anchors))
        for pair in written_later(held, changed_at(memory_files(project, task))):
            later[pair.said.id] = (pair.written,)
        for pair in contraries(held):
            if pair.is_said_later and pair.written not in (there := written.setdefault(pair.said.id, [])):
                there.append(pair.written)
    return [
        Candidate(
            anchor=anchor,
            replaced=_replaced_by(anchor, found),
            written=tuple(written.get(anchor.id, ())),
            written_later=later.get(anchor.id, ()),
        )
        for anchor in found
        if anchor.status == "active"
    ]


def unread(project: Path) -> list[Problem]:
    """Files of what was captured, of which nothing can be reviewed until somebody mends them."""
    found = [each for task in (None, *tasks_with_anchors(project)) for each in unusable(project, task)]
    return list(dict.fromkeys(each for each in found if each.file.endswith(PROJECT_FILE)))


def full(candidates: Sequence[Candidate]) -> list[str]:
    """Files in which each new item takes the place of one that was captured before."""
    held = Counter(candidate.anchor.file for candidate in candidates if is_ours(candidate.anchor))
    return [file for file, count in held.items() if count >= MAX_ITEMS]


def keep(project: Path, name: str, *, now: float, what: str | None = None) -> Anchor:
    """Into the file of its kind, confirmed now, in the place of what it was said against; `what`: in these
    words instead.

    Raises UsageError for an id that no candidate has, MemoryRefused for words that cannot be kept.
    """
    with locked(project):
        candidate = _candidate(project, name)
        anchor = candidate.anchor
        words = whole_words(anchor) if what is None else " ".join(what.split())
        if not words or has_secret(words):
            raise MemoryRefused("An anchor needs words, and none that look like a credential.")
        folder = anchor.file.rpartition("/")[0]
        kept = replace(
            Anchor(id=anchor.id, kind=anchor.kind, what=words),
            why=anchor.why,
            priority=anchor.priority,
            scope=anchor.scope,
            check=anchor.check,
            source=anchor.source,
            topic=anchor.topic,
            outcome=anchor.outcome,
            written_at=anchor.written_at,
            verified_at=float(int(now)),
            supersedes=", ".join(each.id for each in (*candidate.written, *candidate.written_later)) or None,
            file=f"{folder}/{FILE_OF_KIND[anchor.kind].rpartition('/')[2]}",
        )
        # This order: killed in between it stands twice, and not nowhere.
        update(Path(kept.file), lambda text: add_item(text, kept), project=project)
        update(
            Path(anchor.file),
            lambda text: remove_item(text or "", anchor.id, file=anchor.file),
            project=project,
        )
    return kept


def reject(project: Path, name: str, *, now: float) -> Anchor:
    """It stays in its file, marked, so that it never comes back.  Raises as `keep`."""
    with locked(project):
        anchor = _candidate(project, name).anchor
        AnchorBook(project, _task_of(anchor)).remove([anchor.id], now=now)
    return anchor


def _candidate(project: Path, name: str) -> Candidate:
    candidates = waiting(project)
    found = [each for each in candidates if each.anchor.id == name] or [
        each for each in candidates if each.anchor.id.startswith(name)
    ]
    if len(found) != 1:
        what = f"Several candidates begin with {name}" if found else f"No candidate has the id {name}"
        raise UsageError(f"{what}. `agentinitd anchors review` lists them.")
    return found[0]


def _is_captured_of(task: str | None, anchor: Anchor) -> bool:
    prefix = f"tasks/{task}/" if task else "anchors/"
    return anchor.captured is not None and anchor.file.startswith(prefix)


def _task_of(anchor: Anchor) -> str | None:
    return anchor.file.split("/")[1] if anchor.file.startswith("tasks/") else None


def _replaced_by(anchor: Anchor, found: Sequence[Anchor]) -> tuple[Anchor, ...]:
    """By its id; by the row where no item says that it was the one."""
    ids = ids_in(anchor.supersedes)
    named = {name for each in found for name in ids_in(each.supersedes)}
    places = {anchor.source, anchor.last_source}
    return tuple(
        each
        for each in found
        if each.status == "superseded" and (each.id in ids if each.id in named else each.ended_by in places)
    )
