"""What a person wrote down after they had said otherwise in a session: what is written holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from agentinitd.memory.capture.concepts import ALTERNATIVES, LANGUAGES
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.statement import Statement, subject_in
from agentinitd.memory.capture.subject import Subject
from agentinitd.memory.capture.wording import polarity_of
from agentinitd.memory.decisions import ids_in
from agentinitd.model.facts import Anchor, Polarity

_FAMILIES = (LANGUAGES, *ALTERNATIVES)
"""Two of one family can stand against each other without a common word."""


def overruled(anchors: Iterable[Anchor], changed_at: Mapping[str, float]) -> dict[str, Anchor]:
    """Ids of captured rules, each with what was written against it later.

    `changed_at`: when each file was written last.  Most people who add a line date neither it nor the file.
    What stood there when the rule was said is named by it (`against`): what cannot hold beside it, is not
    named, and stands in a file that was written since, was written since.
    """
    given = [each for each in anchors if each.status == "active"]
    said = [each for each in given if each.captured == "rule"]
    if not said:
        return {}
    written = [each for each in given if each.captured is None and each.kind == "constraint"]
    beside = _Beside(said)
    found: dict[str, Anchor] = {}
    for rule in written:
        statement = _statement(rule)
        for other in beside.may_be_against(statement.subject):
            if _is_later(rule, other, changed_at) and _is_against(statement, other):
                found[other.id] = rule
    return found


class _Beside:
    """The captured rules by what they speak of: few of hundreds have to be compared."""

    def __init__(self, said: Sequence[Anchor]) -> None:
        self._speaking: dict[str, list[Anchor]] = {}
        for rule in said:
            for key in _keys(subject_in(rule)):
                self._speaking.setdefault(key, []).append(rule)

    def may_be_against(self, subject: Subject) -> Iterable[Anchor]:
        found = (rule for key in _keys(subject) for rule in self._speaking.get(key, ()))
        return {rule.id: rule for rule in found}.values()


def _keys(subject: Subject) -> Iterator[str]:
    yield from subject.keys
    for place, family in enumerate(_FAMILIES):
        if not family.isdisjoint(subject.weights):
            yield f" {place}"


def _is_later(written: Anchor, said: Anchor, changed_at: Mapping[str, float]) -> bool:
    if written.id in ids_in(said.against):
        return False
    heard_at = max(said.verified_at or 0.0, said.written_at or 0.0)
    if max(written.verified_at or 0.0, written.written_at or 0.0) > heard_at:
        return True
    return changed_at.get(written.file, 0.0) > heard_at and _would_name(said, written)


def _would_name(said: Anchor, written: Anchor) -> bool:
    """Whether this would have named what is written, or been taken for it, had that been there."""
    statement = _statement(said)
    there = replace(written, captured="rule", polarity=_polarity(written))
    return statement.is_restating(written) or _is_against(statement, there)


def _is_against(statement: Statement, item: Anchor) -> bool:
    is_contrary = statement.takes_place_of(item) or statement.contradicts(item)
    return is_contrary and statement.may_end(item)


def _statement(rule: Anchor) -> Statement:
    proposal = Proposal(
        kind="rule",
        text=rule.what,
        topic=rule.topic,
        quote="",
        speaker="person",
        line=0,
        polarity=_polarity(rule),
        force="soft" if rule.priority == "low" else "hard",
        scope=rule.scope,
    )
    return Statement(proposal, "", 0.0)


def _polarity(rule: Anchor) -> Polarity:
    return rule.polarity or polarity_of(rule.what)
