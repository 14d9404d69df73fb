"""Whether an English form is meant where it stands: by what the sentence told before it."""

from __future__ import annotations

from dataclasses import dataclass

from agentinitd.memory.capture import english_marks as marks
from agentinitd.memory.capture.english_clauses import BEGINS_ADVERBIAL, without_filler
from agentinitd.memory.capture.english_form import Form
from agentinitd.memory.capture.english_joints import shares_modal
from agentinitd.memory.capture.english_places import ONLY_BEHIND_RULE, ONLY_FIRST, SPEC_NAMES, STATES
from agentinitd.memory.capture.english_talk import is_behaviour
from agentinitd.memory.capture.english_traps import DIAGNOSES, EXPLAINS, FEATURE, PAST
from agentinitd.memory.capture.english_verbs import ORDERS
from agentinitd.model.facts import Polarity

MAX_LEAD_CHARS = 40


def is_past(plain: str, start: int) -> bool:
    """ "Never counted": no order begins like that."""
    past = marks.NEVER_PAST.match(plain, start)
    return past is not None and past["word"].lower() not in ORDERS


@dataclass(frozen=True, slots=True)
class Surroundings:
    plain: str
    start: int
    """Of the statement, behind its politeness."""
    label_end: int
    before: str
    """The sentence before."""
    waiting: tuple[int, int] | None
    """The piece before, of which nothing came yet."""
    polarity_before: Polarity | None
    """Of the rule before it in the sentence."""

    def is_told(self, start: int, form: Form) -> bool:
        """ "The flag is defined but never read": this "never" goes on with what is told."""
        if form.name in ONLY_BEHIND_RULE:
            return self.polarity_before in (None, form.polarity)
        if (form.name in SPEC_NAMES or form.name in STATES) and self._is_diagnosis(start):
            return True
        if form.name in ("limit", "at-limit", "per") and FEATURE.search(self.plain):
            return True
        is_statement = (
            bool({"subject", "generic"} & form.pattern.groupindex.keys()) or form.name == "open-general-need"
        )
        if is_statement and (EXPLAINS.search(self.plain) or FEATURE.search(self.plain)):
            return True
        if form.name in ("generic-is", "noun-goes") and marks.REFERS.search(self.plain, start):
            return True
        if form.name == "no-bare":
            return not (
                marks.REMINDS.match(self.plain[: self.start])
                or marks.TOLD_YOU.match(self.plain)
                or marks.IS_CODE.match(self.plain, start)
                or self._is_left_out()
            )
        if (
            self.waiting
            and marks.NOT_SO.match(self.plain, start)
            and is_behaviour(self.plain[self.waiting[0] :])
        ):
            return True
        if not self.waiting:
            return False
        told = self.plain[self.waiting[0] : self.waiting[1]]
        if marks.AND.fullmatch(self.plain, self.waiting[1], start) and shares_modal(told, self.plain[start:]):
            return True
        if form.name != "ban":
            return False
        if marks.MODAL_OF_THING.match(told) and marks.AND_BUT.fullmatch(self.plain, self.waiting[1], start):
            return True
        return bool(marks.TELLS.search(told)) and bool(marks.NEVER_DONE.match(self.plain, start))

    def _is_diagnosis(self, start: int) -> bool:
        """What is amiss is told; but behind "you're on the wrong branch" follows what is right."""
        complaint = marks.COMPLAINS.match(self.plain)
        end = complaint.end() if complaint else 0
        return bool(DIAGNOSES.pattern.search(self.plain, end if 0 < end <= start else self.label_end))

    def _is_left_out(self) -> bool:
        """ "In that order. No prose.": a sentence of its own behind what lays something down."""
        before = self.before
        if (
            not before
            or before.endswith("?")
            or any(sign.search(before) for sign in (PAST, DIAGNOSES, marks.DID))
        ):
            return False
        return marks.BARE_REST.fullmatch(self.plain, self.start) is not None

    def is_out_of_place(self, start: int, form: Form) -> bool:
        return form.name in ONLY_FIRST and self._is_late(start)

    def _is_late(self, start: int) -> bool:
        """Not the first words of the sentence or behind its label, nor behind "please keep it so, …"."""
        before = self.plain[max(self.start, self.label_end) : start]
        if marks.NAMES_TOPIC.fullmatch(before):
            return False
        if BEGINS_ADVERBIAL.match(before) and len(before) < MAX_LEAD_CHARS:
            return False
        return without_filler(before) < len(before.rstrip()) and not marks.SO.search(before)
