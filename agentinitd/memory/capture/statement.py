"""One proposal at its place, and what it means for an item that is captured already."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from hashlib import sha256
from typing import get_args

from msgspec.structs import replace

from agentinitd.memory.capture.concepts import ACTIONS
from agentinitd.memory.capture.contrasts import (
    are_at_odds,
    is_choice_revised,
    is_corrected,
    is_other_choice,
)
from agentinitd.memory.capture.members import left_out
from agentinitd.memory.capture.parts import is_for_part
from agentinitd.memory.capture.proposals import MAX_QUOTE_CHARS, MAX_TEXT_CHARS, Proposal
from agentinitd.memory.capture.slots import excepts_from, is_bare
from agentinitd.memory.capture.slots import is_for_part as is_of_part
from agentinitd.memory.capture.sources import Source, source_of
from agentinitd.memory.capture.subject import (
    Subject,
    agree_on_actions,
    concerns,
    is_covered,
    is_narrower,
    is_opposite,
    is_replaced,
    is_same,
    is_same_path,
    subject_of,
)
from agentinitd.memory.capture.wording import meant_polarity, plain, polarity_of
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
_ONLY = re.compile(r"\b(?:only|exclusively|solely|nothing but)\b|只|仅", re.IGNORECASE)
_NAMED_BY_TOPIC = frozenset({"tool", "value"})


def _check(proposal: Proposal) -> str | None:
    """An interface that was seen in a file can be proved by it later."""
    file, _, name = proposal.topic.rpartition(":")
    return f"symbol {shlex.quote(file)} {name}" if proposal.kind == "tool" and file else None


class Statement:
    """A proposal at its place, as the items see it."""

    def __init__(self, proposal: Proposal, session: str, now: float) -> None:
        self.proposal = proposal
        self.source = Source(session, proposal.line, proposal.speaker, proposal.is_external)
        # Files keep whole seconds; a finer time would be later than itself once written.
        self.at = float(int(now if proposal.at is None else proposal.at))
        self.text = plain(proposal.text, MAX_TEXT_CHARS)
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
        return item.what == self.text or (
            is_same(self.subject, subject_in(item)) and not self._wants_other(item.what)
        )

    def _wants_other(self, theirs: str) -> bool:
        if self.proposal.kind != "rule":
            return is_other_choice(theirs, self.text)
        return self.polarity == "do" and are_at_odds(theirs, self.text)

    def is_restating(self, known: Anchor) -> bool:
        if self.proposal.speaker != "person":
            return False
        if self.proposal.act != "renew" and KIND_OF[self.proposal.kind] != known.kind:
            return False
        polarity = known.polarity or polarity_of(known.what)
        is_agreeing = self.proposal.kind != "rule" or polarity == self.polarity
        return is_agreeing and is_same(self.subject, subject_in(known)) and not self._wants_other(known.what)

    def is_like(self, item: Anchor) -> bool:
        """Whether it says the same, though it may be meant otherwise."""
        return item.what == self.text or is_same(self.subject, subject_in(item))

    def is_later_than(self, written: Anchor) -> bool:
        """Whether it was said after a person wrote that, or confirmed it.  In doubt what is written holds."""
        times = [each for each in (written.written_at, written.verified_at) if each is not None]
        return self.is_news_to(written) and (not times or self.at > max(times))

    def is_bare_beside(self, item: Anchor) -> bool:
        """Whether nobody can tell what it is about without the words that it corrects."""
        return bool(self.proposal.corrects and not self.proposal.topic and is_bare(item.what, self.text))

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
        theirs = subject_in(item)
        if self.proposal.kind != "rule":
            return self._is_other_decision(item, theirs)
        if left_out(item.what, (self.subject,)):
            return False
        if _polarity(item) != self.polarity:
            return is_opposite(self.subject, theirs)
        is_demand = self.polarity == "do"
        is_other = is_replaced(theirs, self.subject) and not is_of_part(item.what, self.text)
        return is_demand and (is_other or is_corrected(item.what, self.text))

    def _is_other_decision(self, item: Anchor, theirs: Subject) -> bool:
        if item.topic and item.topic.casefold() == self.proposal.topic.casefold():
            return True
        is_chosen_before = bool(self.proposal.rejected) and is_covered(
            theirs, subject_of(self.proposal.rejected)
        )
        if is_other_choice(item.what, self.text):
            return (is_chosen_before and item.outcome != "failed") or is_choice_revised(item.what, self.text)
        return (is_chosen_before and item.outcome != "failed") or is_same(self.subject, theirs)

    def takes_place_of(self, item: Anchor) -> bool:
        """Whether the person said that this stands now for what the item says."""
        is_meant = self._is_corrected(item) or self._is_with_exception(item)
        return is_meant and self.is_news_to(item) and self.may_end(item)

    def _is_with_exception(self, item: Anchor) -> bool:
        """ "Never touch X" is gone when X is not to be touched except Y."""
        is_rule = self.proposal.kind == "rule" == item.captured and item.status == "active"
        return is_rule and _polarity(item) == self.polarity and excepts_from(item.what, self.text)

    def _is_corrected(self, item: Anchor) -> bool:
        corrected = self.proposal.corrects
        if not corrected or item.status != "active" or item.captured != self.proposal.kind:
            return False
        return corrected in item.what or corrected == item.quote

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

    def lifts(self, item: Anchor, others: Sequence[Anchor] = ()) -> bool:
        """Whether nothing is left of it.  `others`: of what it names, some may be free already."""
        if not self.is_news_to(item) or item.last_source == self.source.text:
            return False
        if self.proposal.corrects and not self.proposal.is_permission:
            return self._is_corrected(item)
        is_meant = self._is_corrected(item) if self.proposal.corrects else self._is_about(item)
        if not is_meant or (not self.proposal.corrects and self._is_for_part(item)):
            return False
        freed = [subject_in(each) for each in others if each.id != item.id and _is_part_freed(each, item)]
        return not left_out(item.what, (self.subject, *freed))

    def _is_about(self, item: Anchor) -> bool:
        is_permission = self.proposal.is_permission
        if self.proposal.kind == "rule" and is_permission and not (_bans(item) or self._widens(item)):
            return False
        if self._rejects and _bans(item):
            return False
        if self.proposal.kind in _NAMED_BY_TOPIC:
            return True
        theirs, topic = subject_in(item), self.proposal.topic
        if is_covered(theirs, self.subject):
            return True
        is_named = bool(topic) and is_covered(theirs, subject_of(topic))
        return is_named and (not is_permission or agree_on_actions(theirs, self.subject))

    def _widens(self, item: Anchor) -> bool:
        """ "Single precision is fine now", where only double precision was wanted."""
        mine, theirs = self.subject.weights, subject_in(item).weights
        return bool(_ONLY.search(item.what)) and bool(mine.keys() - theirs.keys() - ACTIONS)

    @property
    def _rejects(self) -> bool:
        """ "Drop yarn", "staging is retired": what was demanded of these is over, and no ban."""
        return self.proposal.kind == "rule" and self.proposal.polarity == "do_not"

    def frees_part_of(self, item: Anchor) -> bool:
        """`api/v2 is open now`, where all of `api/` was banned; one of the things that the rule joins."""
        if self.proposal.corrects:
            is_joined = self.proposal.is_permission and bool(left_out(item.what, (self.subject,)))
            return is_joined and self._is_corrected(item) and self.is_news_to(item)
        # Said again in this message as well, perhaps; but not for the first time.
        is_said_here = item.last_source == self.source.text and item.source != self.source.text
        is_wide_enough = self.proposal.is_permission or self.is_as_wide_as(item)
        if not is_wide_enough or not (is_said_here or self.is_news_to(item)):
            return False
        if self.proposal.kind == "rule" and self._is_about(item) and left_out(item.what, (self.subject,)):
            return True
        is_freeing = self.proposal.is_permission and _bans(item) and self.is_news_to(item)
        if self.is_news_to(item) and self._is_for_part(item):
            return True
        return is_freeing and is_narrower(self.subject, subject_in(item))

    def _is_for_part(self, item: Anchor) -> bool:
        """ "Force push is ok on feature branches", where all of it was banned."""
        if self.proposal.kind != "rule" or not is_for_part(self.text, subject_in(item)):
            return False
        is_about = self._is_about(item) or _says_all_of(self.subject, subject_in(item))
        return is_about and (_bans(item) or not self.proposal.is_permission)

    def is_rest_of(self, part: Statement, item: Anchor) -> bool:
        """Whether the same message says what stays banned when that part is free."""
        if self.source != part.source or not part.is_as_wide_as(item):
            return False
        if self.proposal.kind != "rule" or _polarity(item) != self.polarity:
            return False
        is_joined = bool(left_out(item.what, (part.subject,)))
        if is_joined:
            return not left_out(item.what, (part.subject, self.subject)) and self._names_rest(item, part)
        return self.is_left_over(None, item)

    def _names_rest(self, item: Anchor, part: Statement) -> bool:
        rest = left_out(item.what, (part.subject,))
        return all(
            any(concerns(self.subject, name) for name in (*each.paths, *each.weights)) for each in rest
        )

    def bans_anew(self, item: Anchor) -> bool:
        """Whether the item freed a part of what is said here again as a whole."""
        is_against = _polarity(item) != self.polarity and self.is_news_to(item)
        return is_against and self.may_end(item) and _is_part(item, self.text, self.subject)

    def is_what_is_left_of(self, item: Anchor) -> bool:
        """Whether this message lifted the item but for this."""
        return item.ended_by == self.source.text and self.is_left_over(None, item)

    def is_left_over(self, left: Anchor | None, item: Anchor) -> bool:
        polarity = _polarity(left) if left else self.polarity
        subject = subject_in(left) if left else self.subject
        is_part = is_narrower(subject, subject_in(item)) or is_covered(subject, subject_in(item))
        return self.proposal.kind == "rule" and _polarity(item) == polarity and is_part

    def is_retelling(self, item: Anchor) -> bool:
        """Whether the same message said it already, in a part of these words or in more."""
        is_in = item.what in self.text or self.text in item.what
        return is_in and item.source == self.source.text and item.status == "active"

    def exception(self, item: Anchor) -> Anchor:
        """What stands beside the item, of which it frees a part."""
        polarity: Polarity = "do" if _polarity(item) == "do_not" else "do_not"
        return replace(self.anchor(supersedes=[]), polarity=polarity)

    def anchor(self, *, supersedes: list[str]) -> Anchor:
        proposal = self.proposal
        return Anchor(
            id=self.id,
            kind=KIND_OF[proposal.kind],
            what=self.text,
            why=plain(proposal.why, MAX_TEXT_CHARS) or None,
            priority="low" if proposal.force == "soft" else "normal",
            scope=proposal.scope,
            source=self.source.text,
            confidence=round(proposal.confidence, 2),
            written_at=self.at,
            supersedes=joined(None, supersedes),
            topic=plain(proposal.topic, MAX_TEXT_CHARS),
            outcome="failed" if proposal.kind == "dead_end" else proposal.outcome,
            check=_check(proposal),
            captured=proposal.kind,
            polarity=proposal.polarity if proposal.kind == "rule" else None,
            quote=plain(proposal.quote, MAX_QUOTE_CHARS),
            last_source=self.source.text,
        )

    def merged_into(self, item: Anchor) -> Anchor:
        """The item, said once more.  The wording that says most is kept, with the sentence it stood in."""
        mine, theirs = self.subject, subject_in(item)
        is_other = (item.what, item.topic) != (self.text, self.proposal.topic)
        is_fuller = is_other and _names_all(theirs, mine) and _fullness(mine) > _fullness(theirs)
        is_wider = _SCOPES.index(self.proposal.scope) > _SCOPES.index(item.scope)
        proposal = self.proposal
        why = plain(proposal.why, MAX_TEXT_CHARS) or None
        outcome = "failed" if proposal.kind == "dead_end" else proposal.outcome
        return replace(
            item,
            what=self.text if is_fuller else item.what,
            quote=plain(proposal.quote, MAX_QUOTE_CHARS) if is_fuller else item.quote,
            outcome=item.outcome or outcome,
            why=why if is_fuller and why else item.why or why,
            topic=item.topic or plain(proposal.topic, MAX_TEXT_CHARS),
            priority=item.priority if proposal.force == "soft" else "normal",
            confidence=max(item.confidence, round(proposal.confidence, 2)),
            said=item.said + 1,
            last_source=self.source.text,
            verified_at=self.at if proposal.speaker == "person" else item.verified_at,
            scope=proposal.scope if is_wider else item.scope,
        )

    def ended(self, item: Anchor, status: Status) -> Anchor:
        return replace(item, status=status, ended_at=self.at, ended_by=self.source.text)


def _names_all(theirs: Subject, mine: Subject) -> bool:
    """Whether every name and path that the one gives is in the other: nothing is lost by taking its words."""
    has_paths = all(any(is_same_path(path, each) for each in mine.paths) for path in theirs.paths)
    return has_paths and theirs.names <= mine.weights.keys() | mine.paths


def _fullness(subject: Subject) -> tuple[float, int]:
    """How much it says: of equally many words, the ones with the longer paths say more."""
    return subject.weight, sum(map(len, subject.paths))


def _says_all_of(mine: Subject, theirs: Subject) -> bool:
    """Whether each thing that the other names is named here, and what is done with it is the same."""
    things = [token for token, weight in theirs.weights.items() if weight >= 1 and token not in ACTIONS]
    return bool(things) and agree_on_actions(mine, theirs) and all(concerns(mine, token) for token in things)


def subject_in(anchor: Anchor) -> Subject:
    return subject_of(anchor.what, anchor.topic)


def _polarity(anchor: Anchor) -> Polarity:
    return meant_polarity(anchor.what, anchor.polarity or "do")


def _bans(anchor: Anchor) -> bool:
    """As a whole; or, for once, in part: "look first, change nothing" is over when changes may begin."""
    is_in_part = anchor.scope == "once" and polarity_of(anchor.what) == "do_not"
    return _polarity(anchor) == "do_not" or is_in_part


def _is_part_freed(part: Anchor, item: Anchor) -> bool:
    is_later = (part.written_at or 0.0) >= (item.written_at or 0.0)
    is_against = part.scope != "once" and _polarity(part) != _polarity(item)
    return is_later and is_against and _is_part(part, item.what, subject_in(item))


def _is_part(part: Anchor, whole: str, subject: Subject) -> bool:
    theirs = subject_in(part)
    return bool(left_out(whole, (theirs,))) and is_covered(subject, theirs)


def group_of(kind: CapturedKind, topic: str) -> str:
    group = _GROUP[kind]
    return f"{group}:{topic.casefold()}" if kind in _NAMED_BY_TOPIC else group


def _is_dead_end(kind: CapturedKind | None, outcome: str | None) -> bool:
    return kind == "dead_end" or outcome == "failed"


def joined(ids: str | None, more: list[str]) -> str | None:
    return ", ".join(dict.fromkeys([*(ids.split(", ") if ids else ()), *more])) or None


def _id(kind: CapturedKind, source: Source, text: str) -> str:
    """The same whenever the same words are read at the same place."""
    return "x-" + sha256(f"{kind}:{source.session}:{source.line}:{text}".encode()).hexdigest()[:10]
