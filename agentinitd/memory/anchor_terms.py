"""What may be written into an anchor file, which anchor a name means, and what follows from a change."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from agentinitd.memory.anchors import parse_anchors
from agentinitd.memory.checks import words_of
from agentinitd.memory.decisions import BY_PROGRAM, standing
from agentinitd.memory.edit import changed_items, item_text
from agentinitd.memory.folder import CAPTURED
from agentinitd.memory.redact import redact
from agentinitd.model.errors import MemoryRefused, UsageError
from agentinitd.model.facts import Anchor

_MOST_NAMED = 5


class UnknownAnchor(MemoryRefused):
    """No anchor, or no single one, has this id."""


def one_line(text: str) -> str:
    return " ".join(text.split())


def free_id(made: str, taken: Collection[str]) -> str:
    """The same words may be written down again after they were withdrawn."""
    others = (f"{made}-{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (made, *others) if name not in taken)


def anchor_named(name: str, anchors: Sequence[Anchor]) -> Anchor:
    exact = [anchor for anchor in anchors if anchor.id == name]
    found = exact or [anchor for anchor in anchors if name and anchor.id.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        places = ", ".join(f"{anchor.id} ({anchor.file}:{anchor.line})" for anchor in found[:_MOST_NAMED])
        cure = "Give one of them another id" if exact else "Name more of the id"
        raise UnknownAnchor(f"{len(found)} anchors are meant by {name}: {places}. {cure}.")
    near = difflib.get_close_matches(name, [anchor.id for anchor in anchors], n=_MOST_NAMED)
    cure = f"Did you mean {', '.join(near)}?" if near else "`agentinitd anchors list --all` shows all."
    raise UnknownAnchor(f"There is no anchor {name[:80]!r}. {cure}")


def renewed(anchor: Anchor, fields: Mapping[str, Any], now: float, *, by: str) -> dict[str, Any]:
    """With its age: other words were written now, and nobody confirmed them.  A decision keeps its day."""
    is_other = fields.get("what", anchor.what) != anchor.what
    ages: dict[str, Any] = {"written_at": float(int(now)), "verified_at": None}
    if anchor.source == BY_PROGRAM:
        ages["source"] = by  # whose words it has now
    return {**(ages if is_other and anchor.kind != "decision" else {}), **fields}


def end_of(anchor: Anchor, *, by: str, now: float, is_kept: bool) -> dict[str, Any] | None:
    """What is written to mark its end; None: it is taken out."""
    is_captured = anchor.file.rpartition("/")[2] == CAPTURED
    if not is_kept and not is_captured:
        return None
    status = "rejected" if is_captured and not is_kept else "ended"
    return {"status": status, "ended_at": float(int(now)), "ended_by": by}


def _holding(anchors: Sequence[Anchor]) -> set[str]:
    replaced = standing(anchors).replaced
    return {each.id for each in anchors if each.status == "active" and each.id not in replaced}


def check_nothing_returns(anchors: Sequence[Anchor], fates: Mapping[str, Mapping[str, Any] | None]) -> None:
    after = [
        replace(anchor, **(fates.get(anchor.id) or {}))
        for anchor in anchors
        if anchor.id not in fates or fates[anchor.id] is not None
    ]
    if back := sorted(_holding(after) - _holding(anchors)):
        raise MemoryRefused(
            f"Without {', '.join(fates)} these would hold again: {', '.join(back)}."
            " Remove them as well, or say `--keep` to mark it as ended, or `--restore` if you mean it."
        )


def check_proof(check: str | None) -> None:
    try:
        if check:
            words_of(check)
    except ValueError as error:
        raise UsageError(f"check: {error}") from error


def check_secrets(before: str, after: str, file: str) -> None:
    """Refuses to write a credential; one that is there already keeps nobody from changing the rest."""
    changed = changed_items(before, after, file=file)
    new = [each for each in parse_anchors(after, file)[0] if each.id in changed]
    for anchor in new:
        old = next((each for each in parse_anchors(before, file)[0] if each.id == anchor.id), None)
        had = redact(item_text(before, old.id, file=file)).count if old else 0
        if redact(item_text(after, anchor.id, file=file)).count > had:
            raise MemoryRefused(
                "This looks like a credential; it is not written down. Name it without its value."
            )


def id_in_place(before: str, after: str, old: Anchor) -> str:
    """The id of what stands where `old` stood."""
    place = [each.id for each in parse_anchors(before, old.file)[0]].index(old.id)
    return parse_anchors(after, old.file)[0][place].id


def anchor_in(text: str, item_id: str, file: str) -> Anchor:
    return next(anchor for anchor in parse_anchors(text, file)[0] if anchor.id == item_id)
