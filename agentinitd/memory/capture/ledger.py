"""The life of what was captured: said again, narrowed, replaced, lifted, over.

Reading a stretch of a session twice changes nothing: each item knows the last place that spoke of it, and
what was said before that place is no news to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.rejections import is_rejected
from agentinitd.memory.capture.sources import session_name
from agentinitd.memory.capture.statement import Statement, group_of, joined, subject_in
from agentinitd.memory.capture.subject import likeness
from agentinitd.memory.capture.surplus import room_for, without_surplus
from agentinitd.memory.capture.wording import polarity_of
from agentinitd.memory.decisions import ids_in
from agentinitd.model.facts import Anchor


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


class Ledger:
    """What is captured, while a session goes on."""

    def __init__(
        self,
        captured: Sequence[Anchor],
        *,
        session: str,
        known: Sequence[Anchor] = (),
        rejected: Sequence[Anchor] = (),
    ) -> None:
        self.confirmed: dict[str, float] = {}
        """Ids of known anchors that were said again, and when."""
        self.left_out = 0
        """How many items left for want of room, though they hold."""
        self._session = session_name(session)
        self._parts: list[tuple[Statement, Anchor]] = []
        """Permissions for a part of what is banned, of this reading."""
        self._known = [anchor for anchor in known if anchor.captured is None and anchor.status == "active"]
        self._written = [_as_rule(anchor) for anchor in self._known if anchor.kind == "constraint"]
        self._rejected = rejected
        """In other tasks."""
        self._items = {anchor.id: anchor for anchor in captured}
        self._room = room_for(captured)
        self._groups: dict[str, dict[str, None]] = {}
        for anchor in captured:
            self._file(anchor)

    @property
    def items(self) -> tuple[Anchor, ...]:
        return tuple(self._items.values())

    def take(self, proposals: Iterable[Proposal], *, now: float) -> None:
        """In the order in which they were said."""
        self._parts = []
        for proposal in proposals:
            # Only the person makes, or takes back, a rule.
            if proposal.kind == "rule" and proposal.speaker != "person" and proposal.act != "end":
                continue
            said = Statement(proposal, self._session, now)
            if self._parts and self._parts[0][0].source.line != said.source.line:
                self._put_parts()
            if proposal.act == "state":
                self._state(said)
            elif proposal.act == "renew":
                self._confirm(said)
            else:
                self._withdraw(said) if proposal.act == "withdraw" else self._end(said)
        self._put_parts()
        if len(self._items) > self._room:
            self._drop_surplus()

    def _put_parts(self) -> None:
        """The rule stays, and beside it stands what is free of it."""
        for part, item in self._parts:
            if part.id not in self._items and not any(map(part.is_retelling, self._of(part))):
                self._put(part.exception(item))
        self._parts = []

    def _drop_surplus(self) -> None:
        kept = without_surplus(self.items, self._room)
        staying = {anchor.id for anchor in kept}
        self.left_out += sum(each.status == "active" and each.id not in staying for each in self.items)
        self._items = {anchor.id: anchor for anchor in kept}
        self._groups = {}
        for anchor in kept:
            self._file(anchor)

    def _file(self, anchor: Anchor) -> None:
        group = group_of(anchor.captured or "rule", anchor.topic)
        self._groups.setdefault(group, {})[anchor.id] = None

    def _of(self, said: Statement) -> list[Anchor]:
        """All of its group, whatever became of it: rules, decisions, or the forms of one tool or value."""
        group = group_of(said.proposal.kind, said.proposal.topic)
        return [self._items[name] for name in self._groups.get(group, ())]

    def _put(self, anchor: Anchor) -> None:
        if anchor.id not in self._items:
            self._file(anchor)
        self._items[anchor.id] = anchor

    def _state(self, said: Statement) -> None:
        if said.id in self._items:
            return
        group = self._of(said)
        is_rule = said.proposal.kind == "rule" or said.proposal.corrects
        if is_rule and any(map(said.takes_place_of, [*group, *self._written_against(said)])):
            self._begin(said, [item for item in group if item.status == "active"])
            return
        if any(said.is_rest_of(*pair) for pair in self._parts):
            self._begin(said, [])
            return
        # What this message itself lifted but for this is no older word on it.
        same = [item for item in group if said.is_same_as(item) and not said.is_what_is_left_of(item)]
        is_old = any(not said.is_news_to(item) for item in same)
        if is_old or any(is_rejected(said, item) for item in [*group, *self._rejected_for(said)]):
            return
        active = [item for item in same if item.status == "active"]
        if not any(item.against for item in active) and self._confirm(said):
            return
        if active:
            self._repeat(said, active)
        else:
            self._begin(said, [item for item in group if item.status == "active"])

    def _rejected_for(self, said: Statement) -> Sequence[Anchor]:
        """In other tasks, of what would hold in all of them."""
        return self._rejected if said.proposal.is_for_all_tasks else ()

    def _confirm(self, said: Statement) -> bool:
        """Whether a person wrote this into the files already; then it is not captured a second time."""
        found = [anchor for anchor in self._known if said.is_restating(anchor)]
        for anchor in found:
            self.confirmed[anchor.id] = max(said.at, self.confirmed.get(anchor.id, 0.0))
            for item in self._of(said):
                is_against = item.status == "active" and anchor.id in ids_in(item.against)
                if is_against and said.is_news_to(item):
                    self._put(said.ended(item, "superseded"))
        return bool(found)

    def _repeat(self, said: Statement, same: list[Anchor]) -> None:
        """The item that is most like it is said once more; others that it names too become part of that."""
        item = same[0]
        if len(same) > 1:
            item = max(same, key=lambda each: likeness(said.subject, subject_in(each)))
        written = self._written_against(said)
        merged = _against(said.merged_into(item), written)
        self._put(merged)
        for other in self._of(said):
            if other.status == "active" and said.bans_anew(other):
                self._put(said.ended(other, "superseded"))
        if merged.what == item.what:
            return
        for other in same:
            if other is not item and subject_in(other).names <= said.subject.names:
                self._put(said.ended(other, "superseded"))

    def _begin(self, said: Statement, active: list[Anchor]) -> None:
        against = [item for item in active if said.takes_place_of(item) or said.contradicts(item)]
        if any(not said.is_news_to(item) for item in against):
            return
        written = self._written_against(said)
        if any(not said.is_later_than(item) for item in written):
            return
        replaced = [item for item in against if said.may_end(item)]
        for item in replaced:
            self._put(said.ended(item, "superseded"))
        narrowed = [item for item in self._of(said) if said.is_what_is_left_of(item)]
        for item in narrowed:
            self._put(replace(item, status="superseded"))
        for part, item in [pair for pair in self._parts if said.is_rest_of(*pair)]:
            self._parts.remove((part, item))
            if item in self._written:
                written.append(item)
                continue
            self._put(said.ended(item, "superseded"))
            narrowed.append(item)
        over = [*replaced, *narrowed]
        written += [item for item in self._written if any(item.id in ids_in(old.against) for old in over)]
        corrected = next((old for old in (*over, *written) if said.is_bare_beside(old)), None)
        new = _against(said.anchor(supersedes=[item.id for item in over]), written)
        self._put(replace(new, instead_of=corrected.instead_of or corrected.what) if corrected else new)

    def _written_against(self, said: Statement) -> list[Anchor]:
        """What a person wrote that cannot hold beside it."""
        if said.proposal.kind != "rule":
            return []
        against = (item for item in self._written if said.takes_place_of(item) or said.contradicts(item))
        return [item for item in against if said.may_end(item)]

    def _withdraw(self, said: Statement) -> None:
        active = [item for item in self._of(said) if item.status == "active"]
        if said.proposal.kind == "rule":
            active += filter(said.is_later_than, self._written)
        self._parts += [(said, item) for item in active if said.frees_part_of(item)]
        found = [item for item in active if said.lifts(item, active)]
        if found and not said.is_wide:
            found = [max(found, key=lambda each: likeness(said.subject, subject_in(each)))]
        for item in found:
            if item in self._written and said.is_as_wide_as(item):
                self._gainsay(said, item)
                continue
            if not said.is_as_wide_as(item):
                # Allowed for once only: the ban stays, and beside it stands what the person said.
                if said.proposal.is_permission and said.id not in self._items:
                    self._put(said.anchor(supersedes=[]))
                continue
            self._put(said.ended(item, "ended"))
            for left in self._of(said):
                if left.source == said.source.text and said.is_left_over(left, item):
                    self._put(replace(left, supersedes=joined(left.supersedes, [item.id])))
                    self._put(said.ended(item, "superseded"))

    def _gainsay(self, said: Statement, written: Anchor) -> None:
        """What lifts a written rule is kept as it was said: the file is its owner's."""
        new = _against(said.exception(written), [written])
        same = [item for item in self._of(said) if item.polarity == new.polarity and said.is_like(item)]
        if said.id in self._items or any(item.status == "rejected" for item in same):
            return
        again = [item for item in same if item.status == "active" and written.id in ids_in(item.against)]
        if not again:
            self._put(new)
        elif said.is_news_to(again[0]):
            self._put(said.merged_into(again[0]))

    def _end(self, said: Statement) -> None:
        for item in self._of(said):
            is_meant = item.scope == said.proposal.scope and said.is_same_as(item)
            if is_meant and item.status == "active" and said.is_news_to(item):
                self._put(said.ended(item, "ended"))


def _as_rule(written: Anchor) -> Anchor:
    """As it would have been captured, so that what is said can be compared with it."""
    return replace(written, captured="rule", polarity=written.polarity or polarity_of(written.what))


def _against(item: Anchor, written: Sequence[Anchor]) -> Anchor:
    if not (written or item.against):
        return item
    names = dict.fromkeys([*ids_in(item.against), *(anchor.id for anchor in written)])
    return replace(item, against=", ".join(names)) if names else item
