"""Compares what was captured with what is labelled: what was found, missed, made up, turned round."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentinitd.model.facts import Anchor

Label = dict[str, Any]
_SENTENCE_END = re.compile(r"[。！？!?；;\n]|\.\s")


@dataclass
class Result:
    """Of one entry."""

    entries: int = 1
    labels: int = 0
    hits: int = 0
    made_up: int = 0
    polarity_errors: int = 0
    scopes_right: int = 0
    scopes_seen: int = 0
    withdrawn: int = 0
    """Rules that were captured and then withdrawn."""
    gone: int = 0
    wrongly_withdrawn: int = 0
    secrets_leaked: int = 0
    remarks: list[tuple[str, str]] = field(default_factory=list)


@dataclass
class Tally(Result):
    """Of many entries."""

    entries: int = 0

    def add(self, result: Result) -> None:
        for name, value in vars(result).items():
            if isinstance(value, int):
                setattr(self, name, getattr(self, name) + value)

    @property
    def recall(self) -> float:
        return self.hits / self.labels if self.labels else 1.0

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + self.made_up) if self.hits + self.made_up else 1.0

    @property
    def scope_accuracy(self) -> float:
        return self.scopes_right / self.scopes_seen if self.scopes_seen else 1.0


def score(entry: dict[str, Any], captured: Iterable[Anchor]) -> Result:
    """One entry: each label takes at most one captured rule, each captured rule serves one label."""
    everything = tuple(captured)
    found = [anchor for anchor in everything if anchor.captured == "rule"]
    labels: list[Label] = entry["rules"]
    pairs = _pairs(labels, found)
    result = Result(labels=len(labels), secrets_leaked=_leaks(entry.get("secrets", ()), everything))
    matched = {index: found[other] for index, other in pairs.items()}
    left = [anchor for index, anchor in enumerate(found) if index not in pairs.values()]
    _count_matched(result, labels, matched)
    for index, label in enumerate(labels):
        if index not in matched:
            _count_missing(result, label, matched.values(), left)
    _count_made_up(result, entry, [(labels[index], anchor) for index, anchor in matched.items()], left)
    return result


def _pairs(labels: Sequence[Label], found: Sequence[Anchor]) -> dict[int, int]:
    """Label to captured rule: as many as possible (augmenting paths)."""
    owner: dict[int, int] = {}

    def place(index: int, tried: set[int]) -> bool:
        for other, anchor in enumerate(found):
            if other not in tried and is_labelled(labels[index], anchor):
                tried.add(other)
                if other not in owner or place(owner[other], tried):
                    owner[other] = index
                    return True
        return False

    for index in range(len(labels)):
        place(index, set())
    return {index: other for other, index in owner.items()}


def is_labelled(label: Label, anchor: Anchor) -> bool:
    """It says the same, with the same polarity, and is alive or gone as it should be."""
    is_alive = label.get("status", "active") == "active"
    return (
        is_alive == (anchor.status == "active")
        and anchor.polarity in polarities(label)
        and holds(anchor.what, label["contains"])
    )


def polarities(label: Label) -> Sequence[str]:
    accepted: Sequence[str] = label.get("accept", {}).get("polarities", [label["polarity"]])
    return accepted


def holds(text: str, strings: Iterable[str]) -> bool:
    return all(each.lower() in text.lower() for each in strings)


def _count_matched(result: Result, labels: Sequence[Label], matched: dict[int, Anchor]) -> None:
    result.hits = len(matched)
    for index, anchor in matched.items():
        label = labels[index]
        result.scopes_seen += 1
        result.scopes_right += anchor.scope in label.get("accept", {}).get("scopes", [label["scope"]])
        if label["status"] != "active":
            result.withdrawn += 1
            result.gone += 1


def _count_missing(result: Result, label: Label, matched: Iterable[Anchor], left: Sequence[Anchor]) -> None:
    """Said along in the same clause, turned round, still alive, withdrawn by mistake, or not there."""
    is_alive = label["status"] == "active"
    if is_alive and any(_says_along(label, anchor) for anchor in matched):
        result.hits += 1
        return
    alike = [anchor for anchor in left if holds(anchor.what, label["contains"])]
    if any(anchor.status == "active" and anchor.polarity not in polarities(label) for anchor in alike):
        result.polarity_errors += 1
        result.remarks.append(("TURNED", label["text"]))
    elif not is_alive and any(anchor.status == "active" for anchor in alike):
        result.withdrawn += 1
        result.remarks.append(("still alive", label["text"]))
    elif is_alive and alike:
        result.wrongly_withdrawn += 1
        result.remarks.append(("withdrawn?", label["text"]))
    else:
        result.remarks.append(("missed", label["text"]))


def _says_along(label: Label, anchor: Anchor) -> bool:
    """Its words stand in a captured clause that served another label: people read them there as well."""
    at = anchor.what.lower().find(label["text"].lower())
    return anchor.status == "active" and at >= 0 and not _SENTENCE_END.search(anchor.what.rstrip("。.！!；;"))


def _count_made_up(
    result: Result, entry: dict[str, Any], matched: Sequence[tuple[Label, Anchor]], left: Sequence[Anchor]
) -> None:
    for anchor in left:
        if anchor.status != "active" or _may_be_there(anchor, entry.get("optional", ())):
            continue
        if any(_is_other_half(anchor, label, half.what) for label, half in matched):
            continue
        result.made_up += 1
        result.remarks.append((f"made up {anchor.polarity}", anchor.what))


def _may_be_there(anchor: Anchor, optional: Iterable[dict[str, Any]]) -> bool:
    return any(
        anchor.polarity in each["polarities"] and holds(anchor.what, each["contains"]) for each in optional
    )


def _is_other_half(anchor: Anchor, label: Label, half: str) -> bool:
    """A part of the labelled clause, beside the part that served the label."""
    text = anchor.what.lower()
    return (
        label["status"] == "active"
        and anchor.polarity in polarities(label)
        and text in label["text"].lower()
        and text not in half.lower()
    )


def _leaks(secrets: Iterable[str], captured: Iterable[Anchor]) -> int:
    """How many secrets stand anywhere in what is remembered."""
    text = "\n".join(repr(anchor) for anchor in captured)
    return sum(secret in text for secret in secrets)
