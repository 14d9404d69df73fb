"""`anchors/captured.md`: what was captured, as anchors that a person can read, edit, confirm and reject.

The daemon writes it, and a person may: whatever it does not know stays as it is, to the byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import fields as fields_of
from msgspec.structs import replace

from agentinitd.memory.anchors import parse_anchors
from agentinitd.memory.capture.ledger import Ledger
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.edit import change_item, remove_item, render_item
from agentinitd.model.errors import MemoryRefused
from agentinitd.model.facts import Anchor

PROJECT_FILE = "anchors/captured.md"
FRONT_MATTER = """\
---
written_by: agentinitd, from what was said in sessions; confirmed by nobody yet
confirm: agentinitd anchors review
---
"""
_PLACE = frozenset({"file", "line"})
_NAMES = tuple(each.name for each in fields_of(Anchor) if each.name not in _PLACE)
_COMMENT = re.compile(r"`[^`\n]*`|<!--(?:[^`\n]{0,200}?-->)?")


def task_file(task_id: str) -> str:
    return f"tasks/{task_id}/{PROJECT_FILE}"


def file_of(anchor: Anchor, task_id: str | None) -> str:
    """Where an item belongs: what is for once or a task, and facts of a task's session, are the task's."""
    is_rule = anchor.captured == "rule"
    if task_id is None or (is_rule and anchor.scope in ("project", "always")):
        return PROJECT_FILE
    return task_file(task_id)


def captured_in(text: str | None, file: str, known: Iterable[Anchor] = ()) -> tuple[Anchor, ...]:
    """The captured items of a file; what a person added to it by hand is none."""
    anchors = parse_anchors(text, file, known=known)[0] if text else []
    return tuple(anchor for anchor in anchors if anchor.captured is not None)


class Recorded(NamedTuple):
    texts: dict[str, str]
    """New ones, of the files that change."""
    confirmed: dict[str, float]
    """Ids of `known` that were confirmed, with when."""
    new: int = 0
    """How many items were not there before."""
    left_out: int = 0
    """How many leave, or find no room, though they hold."""


def record(
    texts: Mapping[str, str | None],
    proposals: Iterable[Proposal],
    *,
    session: str,
    now: float,
    task_id: str | None = None,
    known: Sequence[Anchor] = (),
    rejected: Sequence[Anchor] = (),
) -> Recorded:
    """What becomes of the files when this was said.

    `texts`: those of `PROJECT_FILE` and, for a session of a named task, of its `task_file`.  `rejected`: what
    people rejected in other tasks.
    """
    before = {file: captured_in(text, file, known) for file, text in texts.items()}
    there = [anchor for anchors in before.values() for anchor in anchors]
    ledger = Ledger(there, session=session, known=known, rejected=rejected)
    ledger.take(map(_readable, proposals), now=now)
    items = ledger.items
    by_file: dict[str, list[Anchor]] = {file: [] for file in texts}
    for item in items:
        by_file.setdefault(_place(item, task_id), []).append(item)
    new = {
        file: _updated(texts.get(file), before.get(file, ()), wanted, file)
        for file, wanted in by_file.items()
    }
    ids = {anchor.id for anchor in there}
    return Recorded(
        texts={file: text for file, text in new.items() if text is not None and text != texts.get(file)},
        confirmed=ledger.confirmed,
        new=sum(item.id not in ids for item in items),
        left_out=ledger.left_out,
    )


def _readable(proposal: Proposal) -> Proposal:
    """A comment that somebody spoke of would hide the rest of the item: as code it is read as what it is."""
    if "<!--" not in proposal.text and "<!--" not in proposal.why:
        return proposal
    return replace(proposal, text=_as_code(proposal.text), why=_as_code(proposal.why))


def _as_code(text: str) -> str:
    return _COMMENT.sub(lambda found: found[0] if found[0][0] == "`" else f"`{found[0]}`", text)


def _place(item: Anchor, task_id: str | None) -> str:
    """Where it is, unless it came to hold for more than its task."""
    is_moved = item.captured == "rule" and item.scope in ("project", "always")
    return item.file if item.file and not is_moved else file_of(item, task_id)


def updated(text: str | None, items: Sequence[Anchor], *, file: str) -> str | None:
    """The file with exactly these captured items; None when there is no file and nothing for it.

    An item that cannot be written is left out: one odd message must not keep all others from being kept.
    """
    return _updated(text, captured_in(text, file), items, file)


def _updated(text: str | None, there: Sequence[Anchor], items: Sequence[Anchor], file: str) -> str | None:
    before = {anchor.id: anchor for anchor in there}
    wanted = {anchor.id: anchor for anchor in items}
    new = _without(text or "", [before[name] for name in before.keys() - wanted.keys()], file)
    for name, anchor in wanted.items():
        if name in before and not _is_equal(before[name], anchor):
            new = _changed(new, before[name], anchor, file)
    added = [anchor for name, anchor in wanted.items() if name not in before]
    new = _with(new, list(_pieces(added, file)))
    return new or text


def _pieces(anchors: Iterable[Anchor], file: str) -> Iterator[str]:
    for anchor in anchors:
        try:
            yield render_item(_at(anchor, file))
        except MemoryRefused:
            continue


def _with(text: str, pieces: list[str]) -> str:
    if not pieces:
        return text
    newline = "\r\n" if "\r\n" in text else "\n"
    base = text if text.strip("\ufeff \t\r\n") else FRONT_MATTER
    end = "" if base.endswith("\n") else newline
    return base + end + "".join(pieces).replace("\n", newline)


def _changed(text: str, old: Anchor, new: Anchor, file: str) -> str:
    """In place: at once where it stands as it was written, carefully where a person has been at it."""
    try:
        ours, theirs = render_item(_at(old, file)), render_item(_at(new, file))
        if text.count(ours) == 1:
            return text.replace(ours, theirs)
        changed: dict[str, Any] = {
            name: getattr(new, name) for name in _NAMES if getattr(new, name) != getattr(old, name)
        }
        return change_item(text, old.id, file=file, **changed)
    except MemoryRefused:
        return text


def _without(text: str, leaving: Sequence[Anchor], file: str) -> str:
    """At once those that stand as they were written; with one look at the file, those that do not."""
    edited: list[str] = []
    for old in leaving:
        try:
            ours = render_item(_at(old, file))
        except MemoryRefused:
            edited.append(old.id)
            continue
        if text.count(ours) == 1:
            text = text.replace(ours, "")
        else:
            edited.append(old.id)
    try:
        return remove_item(text, *edited, file=file) if edited else text
    except MemoryRefused:
        return text


def _at(anchor: Anchor, file: str) -> Anchor:
    return replace(anchor, file=file, line=0)


def _is_equal(one: Anchor, other: Anchor) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in _NAMES)
