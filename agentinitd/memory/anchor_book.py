"""The anchors of a project as somebody keeps them: listed, added, changed, confirmed, taken out.

A person's word and a program's are told apart.  Whoever can open the socket may be the agent itself, or a
program that it was talked into starting: what comes from there says so in `source`, is never critical and
never verified, and touches nothing that a person wrote or confirmed.  Else an agent could lift the rules kept
for it.  A rule of a program is a claim, and served once a person has verified it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentinitd.memory.anchor_terms import (
    anchor_in,
    anchor_named,
    check_nothing_returns,
    check_proof,
    check_secrets,
    end_of,
    free_id,
    id_in_place,
    one_line,
    renewed,
)
from agentinitd.memory.anchors import KIND_OF_FILE, derived_id
from agentinitd.memory.checks import Proof, evaluate
from agentinitd.memory.contraries import fates_beside
from agentinitd.memory.decisions import Fate, ids_in, standing
from agentinitd.memory.edit import (
    add_item,
    change_item,
    item_text,
    remove_item,
    replace_item,
)
from agentinitd.memory.folder import memory_files
from agentinitd.memory.store import changed_at, recorded
from agentinitd.memory.task_files import place_of
from agentinitd.memory.writer import locked, update
from agentinitd.model.errors import MemoryConflict, MemoryRefused, PermissionRefused, UsageError
from agentinitd.model.facts import Anchor, AnchorKind, Priority, Scope

PERSON = "user"
SOCKET = "socket"
FILE_OF_KIND: Mapping[AnchorKind, str] = {kind: file for file, kind in KIND_OF_FILE.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAnchor:
    """What is to be written down.  Blanks and line breaks in words count as one blank."""

    kind: AnchorKind
    what: str
    why: str = ""
    priority: Priority = "normal"
    scope: Scope | None = None
    """None: `task` in a task, else `project`."""
    applies: tuple[str, ...] = ()
    forbid: str | None = None
    check: str | None = None
    phases: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    """Ids or their beginnings."""
    topic: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An anchor, and what became of it."""

    anchor: Anchor
    fate: Fate | None
    """None: it simply holds."""

    @property
    def is_withdrawn(self) -> bool:
        return self.fate is not None and self.fate.is_withdrawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """The lines of one anchor, as they are handed to an editor."""

    anchor: Anchor
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed:
    """An anchor that is served no more."""

    anchor: Anchor
    text: str
    """Its lines as they were."""
    is_kept: bool
    """It is still in its file, marked as ended or, when it was captured, as rejected."""


class AnchorBook:
    """The anchors of a project and, when one is named, of a task.  Raises UsageError and MemoryRefused.

    `source` is who asks: `user` for a person.
    """

    def __init__(self, project: Path, task: str | None = None, *, source: str = PERSON) -> None:
        self.project = project
        self._task = task
        self._source = source
        self._folder = _folder_of(project, task)

    def entries(self) -> list[Entry]:
        """All that is recorded, in the order of the files."""
        anchors = recorded(self.project, self._task)
        there = standing(anchors)
        fates = fates_beside(anchors, there, changed_at(memory_files(self.project, self._task)))
        return [Entry(anchor=anchor, fate=fate) for anchor, fate in zip(anchors, fates, strict=True)]

    def find(self, name: str) -> Anchor:
        """By its id or the beginning of it, where only one begins so."""
        return anchor_named(name, [entry.anchor for entry in self.entries()])

    def add(self, new: NewAnchor, *, now: float) -> Anchor:
        """Written to the file of its kind; what says the same already is named instead."""
        with locked(self.project):
            entries = self.entries()
            anchor = self._made(new, entries, now)
            self._check_may_set({"priority": anchor.priority}, anchor.supersedes, entries)
            text = self._update(anchor.file, lambda text: add_item(text, anchor))
        return anchor_in(text, anchor.id, anchor.file)

    def change(self, name: str, fields: Mapping[str, Any], *, now: float) -> Anchor:
        """`fields` as in Anchor; `supersedes` may name ids by their beginnings."""
        with locked(self.project):
            entries = self.entries()
            anchor = self._own(anchor_named(name, [entry.anchor for entry in entries]))
            wanted = self._normalized(fields, entries)
            self._check_may_set(wanted, wanted.get("supersedes"), entries)
            wanted = renewed(anchor, wanted, now, by=self._source)
            return self._changed(anchor, wanted)

    def verify(self, names: Sequence[str], *, now: float) -> list[Anchor]:
        """A person looked at each and found it true."""
        if self._source != PERSON:
            raise PermissionRefused("Only a person confirms an anchor: `agentinitd anchors verify`.")
        with locked(self.project):
            anchors = [self.find(name) for name in dict.fromkeys(names)]
            return [self._changed(anchor, {"verified_at": float(int(now))}) for anchor in anchors]

    def prove(self, name: str) -> Proof | None:
        """What its check says, by reading; None when it has none.  That confirms nothing for a person."""
        anchor = self.find(name)
        return evaluate(anchor, self.project) if anchor.check else None

    def remove(
        self, names: Sequence[str], *, now: float, is_kept: bool = False, is_restoring: bool = False
    ) -> list[Removed]:
        """Out of their files; with `is_kept` they stay there, marked as ended.

        What capture found stays, marked as rejected, so that it is not found again.  What an anchor replaced
        would hold again without it: that has to be meant, by `is_restoring`.
        """
        with locked(self.project):
            anchors = [entry.anchor for entry in self.entries()]
            gone = [self._own(anchor_named(name, anchors)) for name in dict.fromkeys(names)]
            fates = {anchor.id: end_of(anchor, by=self._source, now=now, is_kept=is_kept) for anchor in gone}
            if not is_restoring:
                check_nothing_returns(anchors, fates)
            return [self._removed(anchor, fates[anchor.id]) for anchor in gone]

    def piece(self, name: str) -> Piece:
        """For `put_back`."""
        anchor = self._own(self.find(name))
        texts: list[str] = []

        def look(text: str | None) -> None:
            texts.append(item_text(text or "", anchor.id, file=anchor.file))

        update(Path(anchor.file), look, project=self.project)
        return Piece(anchor=anchor, text=texts[-1])

    def put_back(self, piece: Piece, text: str, *, now: float) -> Anchor:
        """The lines as they were edited, unless somebody changed the same item meanwhile."""
        old = piece.anchor
        ids: list[str] = []

        def edit(whole: str | None) -> str:
            if item_text(whole or "", old.id, file=old.file) != piece.text:
                raise MemoryConflict(f"{old.id} in {old.file} was changed meanwhile. Look at it again.")
            new = replace_item(whole or "", old.id, text, file=old.file)
            put = anchor_in(new, id_in_place(whole or "", new, old), old.file)
            check_proof(put.check if put.check != old.check else None)
            ids.append(put.id)
            aged = renewed(old, {"what": put.what}, now, by=self._source)
            unset = {name: aged[name] for name in aged if getattr(put, name) == getattr(old, name)}
            return change_item(new, put.id, file=old.file, **unset)

        whole = self._update(old.file, edit)
        return anchor_in(whole, ids[-1], old.file)

    def _made(self, new: NewAnchor, entries: Sequence[Entry], now: float) -> Anchor:
        what = one_line(new.what)
        same = next((entry.anchor for entry in entries if _says(entry, new.kind, what)), None)
        if same is not None:
            raise MemoryRefused(
                f"{same.id} says the same already ({same.file}:{same.line})."
                f" `agentinitd anchors verify {same.id}` confirms it, `anchors edit` changes it."
            )
        wanted = {
            name: getattr(new, name)
            for name in ("what", "why", "priority", "applies", "forbid", "check", "phases", "topic")
        }
        return Anchor(
            id=free_id(derived_id(new.kind, what), {entry.anchor.id for entry in entries}),
            kind=new.kind,
            scope=new.scope or ("task" if self._task else "project"),
            source=self._source,
            written_at=float(int(now)),
            file=f"{self._folder}{FILE_OF_KIND[new.kind]}",
            **self._normalized({**wanted, "supersedes": new.supersedes}, entries),
        )

    def _normalized(self, fields: Mapping[str, Any], entries: Sequence[Entry]) -> dict[str, Any]:
        wanted = dict(fields)
        for name in {"what", "why", "topic"} & wanted.keys():
            wanted[name] = one_line(wanted[name] or "")
        if not wanted.get("what", "-"):
            raise UsageError("An anchor needs words: what holds.")
        for name in {"why", "forbid", "check"} & wanted.keys():
            wanted[name] = wanted[name] or None
        check_proof(wanted.get("check"))
        if "supersedes" in wanted:
            anchors = [entry.anchor for entry in entries]
            wanted["supersedes"] = (
                ", ".join(anchor_named(name, anchors).id for name in wanted["supersedes"]) or None
            )
        return wanted

    def _check_may_set(
        self, fields: Mapping[str, Any], supersedes: str | None, entries: Sequence[Entry]
    ) -> None:
        if self._source == PERSON:
            return
        if fields.get("priority") == "critical":
            raise PermissionRefused("Only a person makes an anchor critical: `agentinitd anchors edit`.")
        for entry in entries:
            if entry.anchor.id in ids_in(supersedes):
                self._own(entry.anchor)

    def _own(self, anchor: Anchor) -> Anchor:
        """A program changes what a program wrote, as long as no person has confirmed it."""
        is_own = anchor.source == self._source and anchor.verified_at is None
        if self._source != PERSON and not is_own:
            whose = f"written by a person ({anchor.source})" if anchor.source != self._source else "confirmed"
            raise PermissionRefused(
                f"{anchor.id} was {whose}, and only a person changes it:"
                f" `agentinitd anchors edit {anchor.id}`."
            )
        return anchor

    def _removed(self, anchor: Anchor, fate: Mapping[str, Any] | None) -> Removed:
        texts: list[str] = []

        def edit(text: str | None) -> str:
            texts.append(item_text(text or "", anchor.id, file=anchor.file))
            if fate is None:
                return remove_item(text or "", anchor.id, file=anchor.file)
            return change_item(text or "", anchor.id, file=anchor.file, **fate)

        self._update(anchor.file, edit)
        return Removed(anchor=anchor, text=texts[-1], is_kept=fate is not None)

    def _changed(self, anchor: Anchor, fields: Mapping[str, Any]) -> Anchor:
        text = self._update(
            anchor.file, lambda text: change_item(text or "", anchor.id, file=anchor.file, **fields)
        )
        return anchor_in(text, anchor.id, anchor.file)

    def _update(self, file: str, edit: Callable[[str | None], str]) -> str:
        """The one way by which anything is written here: no credential passes."""

        def checked(text: str | None) -> str:
            new = edit(text)
            check_secrets(text or "", new, file)
            return new

        return update(Path(file), checked, project=self.project) or ""


def _folder_of(project: Path, task: str | None) -> str:
    """Of anchor files, in the memory folder.  A task whose state is in `state/` has none of its own."""
    folder = place_of(project, task).folder
    return "anchors/" if folder == "state" else f"{folder.removesuffix('state')}anchors/"


def _says(entry: Entry, kind: AnchorKind, what: str) -> bool:
    anchor = entry.anchor
    is_same = (anchor.kind, anchor.what.casefold()) == (kind, what.casefold())
    return is_same and not entry.is_withdrawn
