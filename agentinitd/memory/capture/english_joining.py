"""The pieces of an English sentence, joined: each rule with its condition, its exception and its reason."""

from __future__ import annotations

from dataclasses import dataclass

from agentinitd.memory.capture import english_marks as marks
from agentinitd.memory.capture.english_beside import OF_ALL, THEN_DO
from agentinitd.memory.capture.english_clauses import (
    CONDITION,
    EXCEPTION,
    REASON,
    pieces,
    polite_start,
    without_filler,
)
from agentinitd.memory.capture.english_form import Form
from agentinitd.memory.capture.english_forms import POLITE_BAN
from agentinitd.memory.capture.english_joints import (
    begins_anew,
    begins_with_order,
    is_item,
    is_joint_order,
    is_name,
    is_occasion,
    refers_back,
    shares_modal,
    shares_verb,
    tells_what_instead,
)
from agentinitd.memory.capture.english_leaning import (
    LISTED,
    MAKES_STRICT,
    STRICT,
    TAIL,
    TURNS_AWAY,
    VERDICT_ALONE,
    is_referent,
    leaning_form,
)
from agentinitd.memory.capture.english_orders import LABELLED
from agentinitd.memory.capture.english_places import (
    ACROSS_COMMA,
    CONDITIONAL,
    ONLY_BEHIND_RULE,
    PERMISSIONS,
    SPEC_NAMES,
    TAILS,
)
from agentinitd.memory.capture.english_reasons import is_reason
from agentinitd.memory.capture.english_sense import form_of
from agentinitd.memory.capture.english_specs import LABELLED as LABELLED_SPEC
from agentinitd.memory.capture.english_standing import BANNED_BELOW
from agentinitd.memory.capture.english_surroundings import Surroundings, is_past
from agentinitd.memory.capture.english_talk import is_behaviour
from agentinitd.memory.capture.english_traps import (
    DIAGNOSES,
    HEARSAY,
    OWN_SAYING,
    PAST,
    PEOPLE,
    PRONOUN,
)

MAX_LEAD_CHARS = 40
_THEN = ("and", ", and", "and then", ", then", ", and then")
MIN_RULES_OF_LIST = 2


@dataclass(slots=True)
class Clause:
    start: int
    end: int
    form: Form
    why: str = ""
    leans: bool = False
    """It is about something that only the sentence before it names."""


class Clauses:
    """Joins the pieces of a sentence: each rule with its condition, its exception and its reason."""

    def __init__(self, plain: str, start: int, before: str) -> None:
        self._plain = plain
        self._before = before
        self._is_hearsay = bool(HEARSAY.search(plain) and not marks.ADOPTS.search(plain))
        self._start = start
        self._clauses: list[Clause] = []
        self._waiting: tuple[int, int] | None = None
        """A piece that may belong to the next rule: a condition, or a part of its subject."""
        self._aside = 0
        """Where, within what waits, an exception begins that the rest goes on behind; 0 for none."""
        self._left: list[tuple[int, int]] = []
        """Pieces of no form."""
        self._is_open = False
        self._is_foreign = False
        """Somebody else is speaking, until "so …" draws a conclusion from it."""
        self.label_end = 0
        """Behind "One rule:" and the like; 0 without one."""

    def read(self) -> list[Clause]:
        if self._before.endswith("?") and VERDICT_ALONE.pattern.fullmatch(self._plain, self._start):
            return (
                [Clause(self._start, len(self._plain), VERDICT_ALONE, leans=True)]
                if is_referent(self._before)
                else []
            )
        for form in (BANNED_BELOW, LABELLED, LABELLED_SPEC, OF_ALL, THEN_DO) if ":" in self._plain else ():
            if form.pattern.match(self._plain, self._start) and not DIAGNOSES.search(self._plain):
                otherwise = marks.ELSE.search(self._plain, self._start)
                end = otherwise.start() if otherwise else len(self._plain)
                return [Clause(self._start, end, form)]
        for first, last in pieces(self._plain[self._start :]):
            start = self._start + first
            end = self._start + last
            start += without_filler(self._plain[start:end])
            if start < end:
                self._take(start, end)
        self._take_items()
        return self._clauses

    def _take_items(self) -> None:
        """Of a list: where most are rules, or a label says so, the others are rules as well."""
        rules = [clause for clause in self._clauses if clause.form.act == "state"]
        is_labelled = bool(self.label_end)
        if not (is_labelled and rules) and len(rules) < MIN_RULES_OF_LIST:
            return
        items = [
            Clause(start, end, LISTED)
            for start, end in self._left
            if start >= self.label_end
            and not any(clause.start <= start < clause.end for clause in rules)
            and is_item(self._plain[start:end], is_labelled=is_labelled)
        ]
        self._clauses = sorted((*self._clauses, *items), key=lambda clause: clause.start)

    def _take(self, start: int, end: int) -> None:
        piece = self._plain[start:end]
        if self._is_said_by_another(piece, start):
            return
        if self._is_open and marks.WOULD_HAPPEN.match(piece):
            self._take_other(start, end)
            return
        if self._is_label_at(piece, end):
            self.label_end = end + 1
            self._waiting = None
        elif self._waiting and not self._is_open and self._is_made_strict(piece):
            self._clauses.append(Clause(self._with_name_before(self._waiting[0]), end, STRICT))
            self._is_open, self._waiting = True, None
        elif self._is_open and (TAIL.match(piece) or self._belongs(piece) or self._goes_on(start, piece)):
            self._clauses[-1].end = end
        elif not self._take_leaning(start, end):
            self._take_clause(start, end, self._form_at(start, piece))

    def _with_name_before(self, start: int) -> int:
        """ "Conda-forge and bioconda, no other channels"."""
        first, last = self._left[-2] if len(self._left) > 1 else (start, start)
        is_joined = marks.AND.fullmatch(self._plain, last, start) is not None
        return first if is_joined and is_name(self._plain[first:last]) else start

    def _is_made_strict(self, piece: str) -> bool:
        assert self._waiting is not None
        choice = self._plain[slice(*self._waiting)]
        if marks.THING_ONLY.match(choice):
            return False
        if MAKES_STRICT.match(piece):
            return True
        if marks.ALWAYS.fullmatch(piece):
            return marks.PHRASE.fullmatch(choice) is not None
        is_talk = (
            marks.NO_CHOICE.match(choice)
            or is_behaviour(choice)
            or any(trap.search(choice) for trap in (DIAGNOSES, PAST, PEOPLE))
        )
        return not is_talk and bool(
            TURNS_AWAY.match(piece) or (marks.IS_NAME.fullmatch(choice) and marks.IS_OTHER.fullmatch(piece))
        )

    def _is_said_by_another(self, piece: str, start: int) -> bool:
        is_other = self._is_hearsay and HEARSAY.search(piece) and not OWN_SAYING.search(piece)
        if is_other and not CONDITION.match(piece):
            self._is_foreign = True
        elif self._is_foreign:
            self._is_foreign = not marks.CONCLUDES.search(self._plain, 0, start)
        return self._is_foreign

    def _take_leaning(self, start: int, end: int) -> bool:
        """ "It" is what the piece before names; for the first piece the sentence before may name it."""
        form = leaning_form(self._plain[start:end])
        if form is None or is_past(self._plain, start):
            return False
        before = self._waiting
        if before is None and self._clauses and self._is_open:
            before = (self._clauses[-1].start, self._clauses[-1].end)
        if before is not None and is_referent(self._plain[slice(*before)].strip()):
            self._clauses.append(Clause(before[0], end, form))
        elif before is None and not self._clauses and is_referent(self._before):
            self._clauses.append(Clause(start, end, form, leans=True))
        else:
            return False
        self._waiting = None
        self._is_open = True
        return True

    def _form_at(self, start: int, piece: str) -> Form | None:
        """Of the piece alone; "not …" is a ban only behind "could you please"."""
        is_polite = start == self._start and bool(polite_start(self._plain[without_filler(self._plain) :]))
        if is_polite and marks.POLITE_NOT.match(piece):
            return POLITE_BAN
        is_none = marks.NEVER_QUOTED.fullmatch(piece) or (start > self._start and is_past(self._plain, start))
        form = None if is_none else form_of(piece)
        has_subject = form is not None and "subject" in form.pattern.groupindex
        end = start + len(piece)
        if form is not None and form.name in CONDITIONAL and self._is_condition(piece, end):
            # "When you write release notes, avoid …": no order to release them.
            return None if begins_anew(self._plain[end + 1 :].lstrip()) else form
        return None if has_subject and self._is_condition(piece, end) else form

    def _take_clause(self, start: int, end: int, form: Form | None) -> None:
        if form is not None and form.name in ONLY_BEHIND_RULE and self._there().is_told(start, form):
            form = None
        if form is not None and form.name == "my-ok" and self._is_open:
            form = None  # "Don't bless them, I want to see each change": its reason.
        if form is not None and self._is_reason(start, end):
            form = None
        if form is not None and self._there().is_out_of_place(start, form):
            form = None
        is_apart = form is None and bool(marks.OR_ELSE.match(self._plain, start))
        if (
            self._waiting
            and not is_apart
            and (form is None or self._is_rest(start, end, form) or self._is_occasion(start, end))
        ):
            joined = self._joined(start, end)
            start, form = joined if joined[1] or form is None else (start, form)
        elif form is not None and self._waiting and self._is_lead(self._waiting, start, form):
            start = self._waiting[0]
        if form is None or self._there().is_out_of_place(start, form) or self._there().is_told(start, form):
            self._take_other(start, end)
            return
        self._waiting = None
        self._clauses.append(Clause(start, end, form))
        self._is_open = True

    def _is_reason(self, start: int, end: int) -> bool:
        """Why the rule before it holds."""
        if not (self._is_open and self._clauses and self._clauses[-1].form.act == "state"):
            return False
        return is_reason(self._plain[start:end], self._plain[self._clauses[-1].end : start])

    def _belongs(self, piece: str) -> bool:
        """Exceptions, conditions and the like go with the rule before them; so does a bare name."""
        form_before = self._clauses[-1].form
        if form_before.polarity == "do_not" and marks.TOGETHER.search(piece) and not PRONOUN.match(piece):
            return True
        if form_before.name in SPEC_NAMES and marks.SPECIFIES.match(piece):
            return True
        if EXCEPTION.match(piece):
            form = form_of(piece)
            return form is None or form.name in TAILS
        if refers_back(piece) or (
            marks.ONLY.search(self._plain, self._clauses[-1].start, self._clauses[-1].end)
            and marks.BARE_NO.fullmatch(piece)
        ):
            return True
        if marks.STAYS_VAGUE.fullmatch(piece) and form_before.polarity == "do_not":
            return True
        if self._clauses[-1].form.name in PERMISSIONS and marks.STAYS_BAD.match(piece):
            return True
        return form_of(piece) is None and bool(marks.FRAGMENT.fullmatch(piece)) and not REASON.match(piece)

    def _goes_on(self, start: int, piece: str) -> bool:
        """ "… and 3001 for the web" shares the verb; so does what a ban names behind a colon."""
        clause = self._clauses[-1]
        joint = self._plain[clause.end : start].strip().lower()
        if joint in _THEN and begins_with_order(piece) and CONDITION.match(self._plain, clause.start):
            return True  # "If …, stop and tell me": all of it is to be done then.
        if joint == ":" and clause.form.polarity == "do_not":
            return not (REASON.match(piece) or tells_what_instead(piece))
        if joint == "and" and shares_modal(self._plain[clause.start : clause.end], piece):
            return True
        is_shared = joint in ("and", "or") and shares_verb(piece)
        return is_shared and (clause.form.polarity == "do" or form_of(piece) is None)

    def _joined(self, start: int, end: int) -> tuple[int, Form | None]:
        """A condition and what to do then; or an order with its "not that" behind a comma."""
        assert self._waiting is not None
        merged = self._plain[self._waiting[0] : end]
        form = form_of(merged)
        if form is None and self._aside:
            form = form_of(f"{self._plain[self._waiting[0] : self._aside]} {self._plain[start:end]}")
        if form is None:
            form = form_of(marks.COMMA.sub(" ", merged))
            form = form if form is not None and form.name in ACROSS_COMMA else None
        return (self._waiting[0], form) if form else (start, None)

    def _is_occasion(self, start: int, end: int) -> bool:
        assert self._waiting is not None
        return is_occasion(self._plain[start:end]) and begins_with_order(self._plain[self._waiting[0] :])

    def _is_rest(self, start: int, end: int, form: Form) -> bool:
        """ "Css modules, no tailwind": what is left out beside what is named first."""
        if self._waiting is None or self._waiting[0] != self._start or form.name not in ("no-bare", "ban"):
            return False
        first = self._plain[slice(*self._waiting)]
        if form.name == "ban":
            return bool(marks.DO_ONE.fullmatch(first) and marks.NOT_ONE.fullmatch(self._plain, start, end))
        return bool(marks.PHRASE.fullmatch(first) and marks.BARE_NO.fullmatch(self._plain[start:end]))

    def _is_condition(self, piece: str, end: int) -> bool:
        """ "If you must add one, …": what is to be done then comes behind the comma."""
        return bool(CONDITION.match(piece)) and self._plain[end : end + 1] == ","

    def _is_label_at(self, piece: str, end: int) -> bool:
        is_first = self._plain[end : end + 1] == ":" and not self._clauses
        return is_first and not marks.NO_THINGS.fullmatch(piece) and self._is_label(end)

    def _is_label(self, end: int) -> bool:
        if marks.LABEL.match(self._plain, 0, end + 1):
            return True
        is_list = self._plain.count(",", end) >= MIN_RULES_OF_LIST
        return is_list and bool(marks.TOPIC.match(self._plain, self._start, end))

    def _is_lead(self, waiting: tuple[int, int], start: int, form: Form) -> bool:
        lead = self._plain[waiting[0] : waiting[1]]
        if CONDITION.match(lead) or marks.TOPIC_OF_ORDER.match(lead):
            return True
        is_joined = marks.AND.fullmatch(self._plain, waiting[1], start) is not None
        if is_joined and is_name(lead) and not begins_anew(self._plain[start:]):
            return True
        if is_joined and is_joint_order(lead, self._plain[start:]):
            return True
        if form.polarity == "do_not" and marks.REFERS.search(self._plain, start):
            return bool(marks.NAMES.match(lead))
        is_subject = "subject" in form.pattern.groupindex or "generic" in form.pattern.groupindex
        return (
            is_subject
            and bool(marks.FRAGMENT.fullmatch(lead) or marks.MODAL.match(self._plain, start))
            and not PRONOUN.match(lead)
        )

    def _there(self) -> Surroundings:
        polarity = self._clauses[-1].form.polarity if self._clauses else None
        return Surroundings(self._plain, self._start, self.label_end, self._before, self._waiting, polarity)

    def _take_other(self, start: int, end: int) -> None:
        piece = self._plain[start:end]
        is_why = bool(REASON.match(piece)) or self._is_reason(start, end)
        if self._is_open and self._clauses and is_why and not self._clauses[-1].why:
            self._clauses[-1].why = piece
        self._is_open = False
        if self._waiting and begins_with_order(self._plain[self._waiting[0] :]) and EXCEPTION.match(piece):
            self._aside = self._aside or self._waiting[1]
            start = self._waiting[0]
        else:
            self._aside = 0
        self._waiting = (start, end)
        self._left.append((start, end))
