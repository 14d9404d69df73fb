"""Which anchors still hold: what replaced what, what was taken back, and which decisions conflict."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from msgspec.structs import replace

from agentinitd.model.facts import Anchor, Conflict, Problem

_BETWEEN_IDS = re.compile(r"[,;\s]+")
Links = dict[str, set[str]]
BY_PROGRAM = "socket"
"""Source of what came over the socket, where the agent itself may be the one who writes."""


def newest_first(anchors: Iterable[Anchor]) -> list[Anchor]:
    """By the time they were decided; among equals the one further down was added later."""
    last_first = list(anchors)[::-1]
    return sorted(last_first, key=_written_at, reverse=True)


def _written_at(anchor: Anchor) -> float:
    return -math.inf if anchor.written_at is None else anchor.written_at


def ids_in(text: str | None) -> list[str]:
    """The ids that `supersedes` or `restores` names."""
    return [name for name in _BETWEEN_IDS.split(text or "") if name]


def topic_key(topic: str) -> str:
    """Equal for topics that differ in case and blanks only."""
    return " ".join(topic.casefold().split())


FateWord = Literal[
    "restored", "restores", "conflict", "claimed", "gainsaid", "overruled", "replaced", "ended", "rejected"
]
"""`restores`: it brought back another one; `conflict`: another about its topic was decided later; `claimed`:
a program calls it a rule, and no person did; `gainsaid`: the person said otherwise later, in a session;
`overruled`: they wrote otherwise later, or confirmed what they had written."""
_WITHDRAWN: tuple[FateWord, ...] = ("replaced", "ended", "rejected")


class Fate(NamedTuple):
    """What became of an anchor, through which other one, and when."""

    standing: FateWord
    by: str = ""
    at: float | None = None

    @property
    def is_withdrawn(self) -> bool:
        return self.standing in _WITHDRAWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What became of each of some anchors, by id."""

    replaced: Mapping[str, str]
    """What does not hold any more → the newest that replaced it."""
    restored: Mapping[str, str]
    """What holds again → the last that brought it back."""
    restorers: frozenset[str]
    """They say nothing by themselves: what they brought back is served in their place."""
    conflicts: tuple[Conflict, ...] = ()

    @property
    def outlived(self) -> frozenset[str]:
        """They hold, and so does something about the same topic that was decided later."""
        return frozenset(name for conflict in self.conflicts for name in conflict.others)


def is_claim(anchor: Anchor) -> bool:
    """Only a person makes a rule: a program's is listed, and served once a person verified it."""
    return anchor.kind == "constraint" and anchor.status == "active" and is_program_s(anchor)


def is_program_s(anchor: Anchor) -> bool:
    """A program wrote it, and no person has verified it."""
    return anchor.source == BY_PROGRAM and anchor.verified_at is None


def standing(anchors: Iterable[Anchor]) -> Standing:
    """The fate of each.  What a person rejected replaces nothing.

    Replacing is not undone when the replacing one is replaced in turn; only `restores` undoes it, for as long
    as the restoring one holds itself.  It replaces what had replaced the restored one, named or not.
    """
    return _Ledger(newest_first(anchor for anchor in anchors if anchor.status != "rejected")).judged()


class _Ledger:
    """Anchors by id, with who replaces and who brings back whom."""

    def __init__(self, newest_first: list[Anchor]) -> None:
        self._known: dict[str, Anchor] = {}
        for anchor in newest_first:
            self._known.setdefault(anchor.id, anchor)
        self._ages = {name: age for age, name in enumerate(self._known)}
        self._brings_back = {
            name: [other for other in ids_in(anchor.restores) if other in self._known and other != name]
            for name, anchor in self._known.items()
        }
        self._restorers = _inverted(self._brings_back)
        self._replaces = self._without_circles(newest_first)
        self._add_implied()
        self._replacers = _inverted(self._replaces)

    def judged(self) -> Standing:
        holding = self._holding()
        replaced = {
            name: self._newest(makers)
            for name, makers in self._replacers.items()
            if name in self._known and name not in holding
        }
        # Who brought back what was replaced again later has nothing to say any more.
        for name in holding:
            others = self._brings_back[name]
            if others and all(other in replaced for other in others):
                replaced[name] = replaced[others[0]]
        said = [
            anchor
            for name, anchor in self._known.items()
            if name not in replaced and anchor.status == "active"
        ]
        makers = self._makers({anchor.id for anchor in said})
        restored = {name: _last(makers, name) for name in makers}
        silent = frozenset(makers.values())
        conflicts = self._conflicts([anchor for anchor in said if anchor.id not in silent], restored)
        return Standing(replaced=replaced, restored=restored, restorers=silent, conflicts=tuple(conflicts))

    def _newest(self, names: Iterable[str]) -> str:
        return min(names, key=self._ages.__getitem__)

    def _without_circles(self, newest_first: list[Anchor]) -> Links:
        """What each replaces.  Two that replace each other are a mistake; then the newer one holds."""
        replaces: Links = {}
        upward: list[tuple[str, str]] = []
        for anchor in newest_first:
            for target in ids_in(anchor.supersedes):
                # Towards what is older there are no circles: only the rest has to be searched for them.
                if self._ages[anchor.id] < self._ages.get(target, len(self._ages)):
                    replaces.setdefault(anchor.id, set()).add(target)
                else:
                    upward.append((anchor.id, target))
        for name, target in upward:
            if not _leads_to(replaces, target, name):
                replaces.setdefault(name, set()).add(target)
        return replaces

    def _add_implied(self) -> None:
        """Who brings something back replaces all that had come in its place until then."""
        replacers = _inverted(self._replaces)
        seen: set[str] = set()
        for name in (name for name, others in self._brings_back.items() if others):
            waiting = list(self._brings_back[name])
            while waiting:
                for other in sorted(replacers.get(waiting.pop(), ())):
                    if other in seen or self._ages[other] <= self._ages[name]:
                        continue
                    seen.add(other)
                    waiting.append(other)
                    if not _leads_to(self._replaces, other, name):
                        self._replaces.setdefault(name, set()).add(other)

    def _holding(self) -> set[str]:
        """Ids that nothing replaces, or whose replacing was undone by one that holds."""
        holding = {name for name in self._known if name not in self._replacers}
        waiting = [name for name in holding if self._brings_back[name]]
        while waiting:
            for name in self._brings_back[waiting.pop()]:
                makers = self._restorers[name] & holding
                undone = set().union(*(self._replaces.get(maker, ()) for maker in makers))
                if name not in holding and self._replacers[name] <= undone:
                    holding.add(name)
                    waiting.append(name)
        return holding

    def _makers(self, said: set[str]) -> dict[str, str]:
        """What was brought back → the newest that did it."""
        found = {name: makers & said for name, makers in self._restorers.items() if name in said}
        return {name: self._newest(makers) for name, makers in found.items() if makers}

    def _conflicts(self, said: list[Anchor], restored: Mapping[str, str]) -> Iterator[Conflict]:
        """Of each topic with several decisions, the one that was decided last, and the others."""
        topics: dict[str, list[Anchor]] = {}
        for anchor in said:
            is_choice = anchor.kind == "decision" and anchor.outcome != "failed" and anchor.captured is None
            if is_choice and topic_key(anchor.topic):
                topics.setdefault(topic_key(anchor.topic), []).append(anchor)
        for anchors in topics.values():
            last, *others = sorted(anchors, key=lambda each: self._weight(each, restored))
            if others:
                yield Conflict(topic=last.topic, served=last.id, others=tuple(each.id for each in others))

    def _weight(self, anchor: Anchor, restored: Mapping[str, str]) -> tuple[bool, int]:
        """A program's word does not outlive a person's."""
        return anchor.source == BY_PROGRAM, self._ages[restored.get(anchor.id, anchor.id)]


def _inverted(links: Mapping[str, Iterable[str]]) -> Links:
    inverted: Links = {}
    for name, others in links.items():
        for other in others:
            inverted.setdefault(other, set()).add(name)
    return inverted


def _leads_to(links: Mapping[str, Iterable[str]], start: str, end: str) -> bool:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name == end:
            return True
        if name not in seen:
            seen.add(name)
            waiting += links.get(name, ())
    return False


def _last(makers: Mapping[str, str], name: str) -> str:
    """The end of the chain of those that brought it back."""
    seen = {name}
    while (maker := makers.get(name)) is not None and maker not in seen:
        seen.add(maker)
        name = maker
    return name


def served(anchors: Iterable[Anchor], fates: Standing) -> list[Anchor]:
    """What holds and is said, in the given order.  What was brought back counts from that day."""
    given = list(anchors)
    by_id = {anchor.id: anchor for anchor in given}
    silent = fates.replaced.keys() | fates.restorers | fates.outlived
    return [
        _renewed(anchor, by_id.get(fates.restored.get(anchor.id, "")))
        for anchor in given
        if anchor.status == "active" and anchor.id not in silent and not is_claim(anchor)
    ]


def _renewed(anchor: Anchor, restorer: Anchor | None) -> Anchor:
    if restorer is None or restorer.written_at is None:
        return anchor
    is_checked_since = (anchor.verified_at or -math.inf) > restorer.written_at
    verified_at = anchor.verified_at if is_checked_since else restorer.verified_at
    return replace(anchor, written_at=restorer.written_at, verified_at=verified_at)


def fates_of(anchors: Sequence[Anchor], fates: Standing) -> Iterator[Fate | None]:
    """What became of each; None: it simply holds."""
    decided = {anchor.id: anchor.written_at for anchor in anchors}
    winners = {other: conflict.served for conflict in fates.conflicts for other in conflict.others}
    for anchor in anchors:
        by = fates.replaced.get(anchor.id, "")
        if anchor.status == "rejected":
            yield Fate("rejected", "", anchor.ended_at)
        elif by or anchor.status == "superseded":
            yield Fate("replaced", by, anchor.ended_at or decided.get(by))
        elif anchor.status == "ended":
            yield Fate("ended", "", anchor.ended_at)
        elif anchor.id in fates.restorers:
            yield Fate("restores")
        elif anchor.id in winners:
            yield Fate("conflict", winners[anchor.id])
        elif is_claim(anchor):
            yield Fate("claimed")
        elif by := fates.restored.get(anchor.id, ""):
            yield Fate("restored", by, decided[by])
        else:
            yield None


def restorers_of(anchors: Iterable[Anchor], fates: Standing) -> dict[str, Anchor]:
    """By the id of what holds again: the anchor that brought it back."""
    by_id = {anchor.id: anchor for anchor in anchors}
    return {name: by_id[maker] for name, maker in fates.restored.items()}


def open_claims(anchors: Iterable[Anchor]) -> Iterator[Problem]:
    """One for each rule that a program claims, and that is not served."""
    for anchor in filter(is_claim, anchors):
        message = (
            f"{anchor.id} was recorded by a program; as a rule it is served once you"
            f" `agentinitd anchors verify {anchor.id}`. `agentinitd anchors remove` takes it out."
        )
        yield Problem(file=anchor.file, line=anchor.line, message=message, is_mild=True)


def open_conflicts(anchors: Iterable[Anchor], fates: Standing) -> Iterator[Problem]:
    """One for each decision that is not served because another about its topic was decided later."""
    by_id = {anchor.id: anchor for anchor in anchors}
    for conflict in fates.conflicts:
        for name in conflict.others:
            message = (
                f"{name} and {conflict.served} are both about `{conflict.topic}`, and neither replaces the"
                f" other; meanwhile {conflict.served} is served. Settle it with"
                f" `agentinitd decisions supersede {name} TEXT`, or give one of them another topic."
            )
            yield Problem(file=by_id[name].file, line=by_id[name].line, message=message)
