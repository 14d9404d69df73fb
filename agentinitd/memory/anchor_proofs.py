"""All anchors of a project and its tasks, each with what its check says of it now."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from agentinitd.memory.anchor_answer import anchor_json
from agentinitd.memory.anchor_book import AnchorBook, Entry
from agentinitd.memory.checks import Proof, evaluate
from agentinitd.memory.recall_files import tasks_with_anchors
from agentinitd.memory.recall_rows import ARCHIVE
from agentinitd.model.facts import Anchor

Outcome = Literal["failed", "unknown", "held", "unchecked"]
"""`unknown`: its check cannot be evaluated.  `unchecked`: it has none, and only a person can tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """An anchor that is served, and what could be proved of it by reading."""

    anchor: Anchor
    proof: Proof | None

    @property
    def outcome(self) -> Outcome:
        if self.proof is None:
            return "unchecked"
        return {True: "held", False: "failed", None: "unknown"}[self.proof.is_held]  # type: ignore[return-value]


def prove_all(project: Path) -> list[Proved]:
    """Of the project, then of its tasks that are not put away.  Nothing is written, nothing is confirmed."""
    found = [entry.anchor for entry in AnchorBook(project).entries() if _is_served(entry, "anchors/")]
    for task in tasks_with_anchors(project):
        if task.startswith(ARCHIVE):
            continue
        entries = AnchorBook(project, task).entries()
        found += [each.anchor for each in entries if _is_served(each, f"tasks/{task}/")]
    return [Proved(anchor=each, proof=evaluate(each, project) if each.check else None) for each in found]


def _is_served(entry: Entry, folder: str) -> bool:
    return entry.anchor.file.startswith(folder) and not entry.is_withdrawn


def proved_json(proved: Proved) -> dict[str, Any]:
    proof = proved.proof
    return {
        **anchor_json(proved.anchor),
        "outcome": proved.outcome,
        "reason": proof.reason if proof is not None else None,
    }
