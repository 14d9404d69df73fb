"""The life of what was captured: said again, narrowed, replaced, lifted, over.

Reading a stretch of a session twice changes nothing: each item knows the last place that spoke of it, and
what was said before that place is no news to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import get_args

from agentinitd.memory.capture.proposals import MAX_QUOTE_CHARS, MAX_TEXT_CHARS, Proposal
from agentinitd.memory.capture.sources import Source, session_name, source_of
from agentinitd.memory.capture.subject import (
    Subject,
    is_covered,
    is_narrower,
    is_opposite,
    is_replaced,
    is_same,
    likeness,
    subject_of,
)
from agentinitd.memory.capture.surplus import MAX_ITEMS, without_surplus
from agentinitd.memory.capture.wording import meant_polarity, polarity_of
from agentinitd.model.facts import Anchor, AnchorKind, CapturedKind, Polarity, Scope, Status

KIND_OF: dict[CapturedKind, AnchorKind] = {
    "rule": "constraint",
    "decision": "decision",
    "dead_end": "decision",
    "tool": "tool",
    "value": "tool",
}
_SCOPES: tuple[Scope, ...] = get_args(Scope)
_GROUP: dict[CapturedKind, str] = {
    "rule": "rule",
    "decision": "decision",
    "dead_end": "decision",
    "tool": "tool",
    "value": "value",
}
_NAMED_BY_TOPIC = frozenset({"tool", "value"})


def apply(
    captured: Sequence[Anchor],
    proposals: Iterable[Proposal],
    *,
    session: str,
    now: float,
    known: Sequence[Anchor] = (),
) -> tuple[Anchor, ...]:
    """What is captured after these were said in this session.  `known`: what people wrote into the files."""
    ledger = Ledger(captured, session=session, known=known)
    ledger.take(proposals, now=now)
    return ledger.items


def confirmations(
    known: Sequence[Anchor], proposals: Iterable[Proposal], *, session: str, now: float
) -> dict[str, float]:
    """Ids of the anchors that the person said again, and when: that is a verification of them."""
    ledger = Ledger((), session=session, known=known)
    ledger.take(proposals, now=now)
    return ledger.confirmed


class Ledger:
    """What is captured, while a session goes on."""

    def __init__(self, captured: Sequence[Anchor], *, session: str, known: Sequence[Anchor] = ()) -> None:
        self.confirmed: dict[str, float] = {}
        """Ids of known anchors that were said again, and when."""
        self._session = session_name(session)
        self._known = [anchor for anchor in known if anchor.captured is None and anchor.status == "active"]
        self._items = {anchor.id: anchor for anchor in captured}
        self._groups: dict[str, dict[str, None]] = {}
        for anchor in captured:
            self._file(anchor)

    @property
    def items(self) -> tuple[Anchor, ...]:
        return tuple(self._items.values())

    def take(self, proposals: Iterable[Proposal], *, now: float) -> None:
        """In the order in which they were said."""
        for proposal in proposals:
            # Only the person makes, or takes back, a rule.
            if proposal.kind == "rule" and proposal.speaker != "person" and proposal.act != "end":
                continue
            said = _Said(proposal, self._session, now)
            if proposal.act == "state":
                self._state(said)
            else:
                self._withdraw(said) if proposal.act == "withdraw" else self._end(said)
        if len(self._items) > MAX_ITEMS:
            self._drop_surplus()

    def _drop_surplus(self) -> None:
        kept = without_surplus(self.items)
        self._items = {anchor.id: anchor for anchor in kept}
        self._groups = {}
        for anchor in kept:
            self._file(anchor)

    def _file(self, anchor: Anchor) -> None:
        group = _group_of(anchor.captured or "rule", anchor.topic)
        self._groups.setdefault(group, {})[anchor.id] = None

    def _of(self, said: _Said) -> list[Anchor]:
        """All of its group, whatever became of it: rules, decisions, or the forms of one tool or value."""
        group = _group_of(said.proposal.kind, said.proposal.topic)
        return [self._items[name] for name in self._groups.get(group, ())]

    def _put(self, anchor: Anchor) -> None:
        if anchor.id not in self._items:
            self._file(anchor)
        self._items[anchor.id] = anchor

    def _state(self, said: _Said) -> None:
        if said.id in self._items:
            return
        group = self._of(said)
        same = [item for item in group if said.is_same_as(item)]
        if any(item.status == "rejected" or not said.is_news_to(item) for item in same):
            return
        if self._confirm(said):
            return
        active = [item for item in same if item.status == "active"]
        if active:
            self._repeat(said, active)
        else:
            self._begin(said, [item for item in group if item.status == "active"])

    def _confirm(self, said: _Said) -> bool:
        """Whether a person wrote this into the files already; then it is not captured a second time."""
        found = [anchor for anchor in self._known if said.is_restating(anchor)]
        for anchor in found:
            self.confirmed[anchor.id] = max(said.at, self.confirmed.get(anchor.id, 0.0))
        return bool(found)

    def _repeat(self, said: _Said, same: list[Anchor]) -> None:
        """The item that is most like it is said once more; others that it names too become part of that."""
        item = max(same, key=lambda each: likeness(said.subject, _subject(each)))
        merged = said.merged_into(item)
        self._put(merged)
        if merged.what == item.what:
            return
        for other in same:
            if other is not item and _subject(other).names <= said.subject.names:
                self._put(said.ended(other, "superseded"))

    def _begin(self, said: _Said, active: list[Anchor]) -> None:
        against = [item for item in active if said.contradicts(item)]
        if any(not said.is_news_to(item) for item in against):
            return
        replaced = [item for item in against if said.may_end(item)]
        for item in replaced:
            self._put(said.ended(item, "superseded"))
        narrowed = [item for item in self._of(said) if said.is_what_is_left_of(item)]
        for item in narrowed:
            self._put(replace(item, status="superseded"))
        self._put(said.anchor(supersedes=[item.id for item in (*replaced, *narrowed)]))

    def _withdraw(self, said: _Said) -> None:
        found = [item for item in self._of(said) if item.status == "active" and said.lifts(item)]
        if found and not said.is_wide:
            found = [max(found, key=lambda each: likeness(said.subject, _subject(each)))]
        for item in found:
            if not said.is_as_wide_as(item):
                # Allowed for once only: the ban stays, and beside it stands what the person said.
                if said.proposal.is_permission and said.id not in self._items:
                    self._put(said.anchor(supersedes=[]))
                continue
            self._put(said.ended(item, "ended"))
            for left in self._of(said):
                if left.source == said.source.text and said.is_left_over(left, item):
                    self._put(replace(left, supersedes=_joined(left.supersedes, [item.id])))
                    self._put(said.ended(item, "superseded"))

    def _end(self, said: _Said) -> None:
        for item in self._of(said):
            is_meant = item.scope == said.proposal.scope and said.is_same_as(item)
            if is_meant and item.status == "active" and said.is_news_to(item):
                self._put(said.ended(item, "ended"))


class _Said:
    """A proposal at its place, as the items see it."""

    def __init__(self, proposal: Proposal, session: str, now: float) -> None:
        self.proposal = proposal
        self.source = Source(session, proposal.line, proposal.speaker)
        # Files keep whole seconds; a finer time would be later than itself once written.
        self.at = float(int(now if proposal.at is None else proposal.at))
        self.text = " ".join(proposal.text.split())[:MAX_TEXT_CHARS]
        self.subject = subject_of(self.text, proposal.topic)
        self.polarity = meant_polarity(self.text, proposal.polarity)
        self.id = _id(proposal.kind, self.source, self.text)

    @property
    def is_wide(self) -> bool:
        """Whether it names a place, beneath which several things may be meant."""
        return bool(self.subject.paths or self.subject.names)

    def is_same_as(self, item: Anchor) -> bool:
        if self.proposal.kind in _NAMED_BY_TOPIC:
            return item.what == self.text
        if self.proposal.kind == "rule" and _polarity(item) != self.polarity:
            return False
        is_dead = _is_dead_end(self.proposal.kind, self.proposal.outcome)
        if self.proposal.kind != "rule" and is_dead != _is_dead_end(item.captured, item.outcome):
            return False
        return item.what == self.text or is_same(self.subject, _subject(item))

    def is_restating(self, known: Anchor) -> bool:
        if self.proposal.speaker != "person" or KIND_OF[self.proposal.kind] != known.kind:
            return False
        polarity = known.polarity or polarity_of(known.what)
        is_agreeing = self.proposal.kind != "rule" or polarity == self.polarity
        return is_agreeing and is_same(self.subject, _subject(known))

    def is_news_to(self, item: Anchor) -> bool:
        """Whether it was said after everything that the item knows of."""
        marks = [source_of(text) for text in (item.source, item.last_source, item.ended_by)]
        here = [mark.line for mark in marks if mark and mark.session == self.source.session]
        if here and max(here) >= self.proposal.line:
            return False
        is_all_here = len(here) == sum(mark is not None for mark in marks)
        times = [each for each in (item.written_at, item.verified_at, item.ended_at) if each is not None]
        return is_all_here or self.proposal.at is None or not times or self.at > max(times)

    def contradicts(self, item: Anchor) -> bool:
        """Whether the two cannot both hold.  Of one message all does."""
        if item.source == self.source.text or item.last_source == self.source.text:
            return False
        if self.proposal.kind in _NAMED_BY_TOPIC:
            return True
        theirs = _subject(item)
        if self.proposal.kind != "rule":
            return self._is_other_decision(item, theirs)
        if _polarity(item) != self.polarity:
            return is_opposite(self.subject, theirs)
        return self.polarity == "do" and is_replaced(theirs, self.subject)

    def _is_other_decision(self, item: Anchor, theirs: Subject) -> bool:
        if item.topic and item.topic.casefold() == self.proposal.topic.casefold():
            return True
        is_chosen_before = bool(self.proposal.rejected) and is_covered(
            theirs, subject_of(self.proposal.rejected)
        )
        return (is_chosen_before and item.outcome != "failed") or is_same(self.subject, theirs)

    def may_end(self, item: Anchor) -> bool:
        """A wish ends no demand, the agent ends nothing of the person's, and an exception ends no rule."""
        by = source_of(item.source)
        is_persons = by is not None and by.speaker == "person"
        if is_persons and self.proposal.speaker != "person":
            return False
        is_stronger = item.priority != "low" and self.proposal.force == "soft"
        is_against = _polarity(item) != self.polarity and self.proposal.kind == "rule"
        return self.is_as_wide_as(item) and not (is_stronger and is_against)

    def is_as_wide_as(self, item: Anchor) -> bool:
        """Whether it holds wherever the item does; `project` is what is meant when nothing is said."""
        mine = _SCOPES.index(self.proposal.scope)
        return mine >= min(_SCOPES.index(item.scope), _SCOPES.index("project"))

    def lifts(self, item: Anchor) -> bool:
        if not self.is_news_to(item) or item.last_source == self.source.text:
            return False
        if self.proposal.kind == "rule" and self.proposal.is_permission and _polarity(item) != "do_not":
            return False
        if self.proposal.kind in _NAMED_BY_TOPIC:
            return True
        theirs, topic = _subject(item), self.proposal.topic
        return is_covered(theirs, self.subject) or (bool(topic) and is_covered(theirs, subject_of(topic)))

    def is_what_is_left_of(self, item: Anchor) -> bool:
        """Whether this message lifted the item but for this."""
        return item.ended_by == self.source.text and self.is_left_over(None, item)

    def is_left_over(self, left: Anchor | None, item: Anchor) -> bool:
        polarity = _polarity(left) if left else self.polarity
        subject = _subject(left) if left else self.subject
        is_part = is_narrower(subject, _subject(item)) or is_covered(subject, _subject(item))
        return self.proposal.kind == "rule" and _polarity(item) == polarity and is_part

    def anchor(self, *, supersedes: list[str]) -> Anchor:
        proposal = self.proposal
        return Anchor(
            id=self.id,
            kind=KIND_OF[proposal.kind],
            what=self.text,
            why=" ".join(proposal.why.split())[:MAX_TEXT_CHARS] or None,
            priority="low" if proposal.force == "soft" else "normal",
            scope=proposal.scope,
            source=self.source.text,
            confidence=round(proposal.confidence, 2),
            written_at=self.at,
            supersedes=_joined(None, supersedes),
            topic=" ".join(proposal.topic.split())[:MAX_TEXT_CHARS],
            outcome="failed" if proposal.kind == "dead_end" else proposal.outcome,
            captured=proposal.kind,
            polarity=proposal.polarity if proposal.kind == "rule" else None,
            quote=" ".join(proposal.quote.split())[:MAX_QUOTE_CHARS],
            last_source=self.source.text,
        )

    def merged_into(self, item: Anchor) -> Anchor:
        """The item, said once more.  The wording that says most is kept, with the sentence it stood in."""
        mine, theirs = self.subject, _subject(item)
        is_fuller = is_covered_by_name(theirs, mine) and mine.weight > theirs.weight
        is_wider = _SCOPES.index(self.proposal.scope) > _SCOPES.index(item.scope)
        new = self.anchor(supersedes=[])
        return replace(
            item,
            what=new.what if is_fuller else item.what,
            quote=new.quote if is_fuller else item.quote,
            why=new.why if is_fuller and new.why else item.why or new.why,
            topic=item.topic or new.topic,
            priority=item.priority if new.priority == "low" else new.priority,
            confidence=max(item.confidence, new.confidence),
            said=item.said + 1,
            last_source=self.source.text,
            verified_at=self.at if self.proposal.speaker == "person" else item.verified_at,
            scope=self.proposal.scope if is_wider else item.scope,
        )

    def ended(self, item: Anchor, status: Status) -> Anchor:
        return replace(item, status=status, ended_at=self.at, ended_by=self.source.text)


def is_covered_by_name(theirs: Subject, mine: Subject) -> bool:
    """Whether every name that the one gives is in the other, so that nothing is lost by taking its words."""
    return all(name in mine.weights or is_covered(theirs, mine) for name in theirs.names)


def _subject(anchor: Anchor) -> Subject:
    return subject_of(anchor.what, anchor.topic)


def _polarity(anchor: Anchor) -> Polarity:
    return meant_polarity(anchor.what, anchor.polarity or "do")


def _group_of(kind: CapturedKind, topic: str) -> str:
    group = _GROUP[kind]
    return f"{group}:{topic.casefold()}" if kind in _NAMED_BY_TOPIC else group


def _is_dead_end(kind: CapturedKind | None, outcome: str | None) -> bool:
    return kind == "dead_end" or outcome == "failed"


def _joined(ids: str | None, more: list[str]) -> str | None:
    return ", ".join(dict.fromkeys([*(ids.split(", ") if ids else ()), *more])) or None


def _id(kind: CapturedKind, source: Source, text: str) -> str:
    """The same whenever the same words are read at the same place."""
    return "x-" + sha256(f"{kind}:{source.session}:{source.line}:{text}".encode()).hexdigest()[:10]
