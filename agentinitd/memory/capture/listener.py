"""Hears a session as it goes on: events → what of it is to be remembered, with credentials masked.

Only what happens here and now counts: copied history, helpers and summaries are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from agentinitd.memory.capture.decided import is_choice
from agentinitd.memory.capture.injections import MAX_CHARS, asks_to_be_remembered
from agentinitd.memory.capture.occasions import Occasions
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.renewals import renewals_in
from agentinitd.memory.redact import may_hold_one, redact
from agentinitd.model.events import AgentMessage, Event, PersonMessage, SessionSeen, ToolCall, ToolResult

PERSON_BEFORE = 5
MAX_LAID_DOWN = 30
"""So many rules back a correction can reach."""
MAX_BEFORE_CHARS = 4000
"""Of the agent's last words, and of each earlier message of the person."""

MAX_PLANTED = 400
"""Names out of texts that asked to be remembered."""
_NAME = re.compile(r"[A-Za-z@][\w@./:+-]{2,80}\w")
_IS_NAME = re.compile(r"[-_./:@\d]|[A-Z]{3}|[a-z][A-Z]")
"""More than a word of the language: `left-padder-pro`, `EVIL`, `198.51.100.7`."""

RulesOf = Callable[[PersonMessage, Context], Sequence[Proposal]]
FactsOf = Callable[[Event], Sequence[Proposal]]
"""Told what was said, called and answered, in its order; what a page planted does not reach it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Who finds what: rules in a person's message, facts in anything that happens."""

    rules_of: RulesOf
    facts_of: FactsOf


class Listener:
    """Of one session.  `open_once`: what was said in it for once and held when it was taken up again.

    `laid_down`: rules that held then, which the person may correct; the latest last.
    """

    def __init__(
        self,
        session: str,
        *,
        readers: Readers,
        open_once: Iterable[Proposal] = (),
        laid_down: Iterable[Proposal] = (),
    ) -> None:
        self.session = session
        self.dropped = 0
        """Texts from elsewhere than the person that asked to be remembered."""
        self.masked = 0
        """Credentials in what was found."""
        self._readers = readers
        self._facts = readers.facts_of
        self._hears: dict[type[Event], Callable[[Any], Sequence[Proposal]]] = {
            SessionSeen: self._facts,
            PersonMessage: self._hear_person,
            AgentMessage: self._hear_agent,
            ToolCall: self._hear_call,
            ToolResult: self._hear_result,
        }
        self._occasions = Occasions(open_once)
        self._agent_before = ""
        self._person_before: tuple[str, ...] = ()
        self._laid_down = list(laid_down)[-MAX_LAID_DOWN:]
        self._is_planted = False
        """Since the person's last message something asked to be remembered; the agent may repeat it."""
        self._planted: dict[str, None] = {}
        """Names in it that the person has not said since: what the agent says of them may be its will."""

    def hear(self, events: Iterable[Event]) -> list[Proposal]:
        """What these give to remember, in the order in which it was said."""
        found: list[Proposal] = []
        hears_of = self._hears.get
        for event in events:
            hears = hears_of(type(event))
            if hears is not None and not (event.is_history or event.is_helper):
                found += hears(event)
        return [self._masked(proposal) for proposal in found]

    def _hear_call(self, call: ToolCall) -> Sequence[Proposal]:
        if self._occasions.are_open:
            self._occasions.hear_call(call)
        return self._facts(call)

    def _hear_person(self, message: PersonMessage) -> list[Proposal]:
        # Masked before it is read: a clause is cut to its length, and half a credential is still one.
        redacted = redact(message.text)
        message = replace(message, text=redacted.text)
        over = self._occasions.hear_person(message)
        context = Context(
            agent_before=redact(self._agent_before).text,
            person_before=self._person_before,
            message=message.text,
            rules=tuple(self._laid_down),
        )
        told = self._facts(message)
        rules = [_with_decision(rule, told) for rule in self._readers.rules_of(message, context)]
        self._laid_down += [rule for rule in rules if rule.act == "state"]
        del self._laid_down[:-MAX_LAID_DOWN]
        self._occasions.begin(rules)
        self.masked += redacted.count if rules else 0
        self._person_before = (*self._person_before, message.text[:MAX_BEFORE_CHARS])[-PERSON_BEFORE:]
        self._agent_before, self._is_planted = "", False
        if self._planted:
            for name in _names_in(message.text):
                self._planted.pop(name, None)
        facts = [fact for fact in told if not any(_says_it(rule, fact) for rule in rules)]
        return [*over, *rules, *renewals_in(message), *facts]

    def _hear_agent(self, message: AgentMessage) -> Sequence[Proposal]:
        if self._is_planted and asks_to_be_remembered(message.text):
            # Not even the person's next "yes, do that" shall make a rule of it.
            self._agent_before = ""
            return ()
        self._agent_before = message.text[-MAX_BEFORE_CHARS:]
        told = self._facts(message)
        if not self._planted:
            return told
        if self._speaks_of_planted(self._agent_before):
            self._agent_before = ""
        return [
            fact for fact in told if not self._speaks_of_planted(f"{fact.text} {fact.why} {fact.rejected}")
        ]

    def _speaks_of_planted(self, text: str) -> bool:
        return any(name in self._planted for name in _names_in(text))

    def _hear_result(self, result: ToolResult) -> Sequence[Proposal]:
        over = self._occasions.hear_result(result) if self._occasions.are_open else ()
        if asks_to_be_remembered(result.text):
            self.dropped += 1
            self._is_planted = True
            room = MAX_PLANTED - len(self._planted)
            self._planted |= dict.fromkeys(_names_in(result.text[:MAX_CHARS])[: max(0, room)])
            result = replace(result, text="")
        facts = self._facts(result)
        return [*over, *facts] if over else facts

    def _masked(self, proposal: Proposal) -> Proposal:
        """The one gate through which everything leaves."""
        said = proposal.quote
        for part in (proposal.text, proposal.why, proposal.topic, proposal.rejected):
            said = said if part in said else f"{said}\n{part}"
        if not may_hold_one(said):
            return proposal
        quote = redact(proposal.quote)
        text = quote if proposal.text == proposal.quote else redact(proposal.text)
        others = [redact(each) for each in (proposal.why, proposal.topic, proposal.rejected)]
        if not any(each.count for each in (quote, text, *others)):
            return proposal
        why, topic, rejected = (each.text for each in others)
        self.masked += quote.count or 1
        return replace(proposal, text=text.text, why=why, quote=quote.text, topic=topic, rejected=rejected)


def _with_decision(rule: Proposal, facts: Sequence[Proposal]) -> Proposal:
    """What was chosen is a rule from then on; that it was a choice is kept with it, and why."""
    if rule.act != "state" or rule.polarity != "do" or rule.scope == "once":
        return rule
    decision = next((fact for fact in facts if fact.kind == "decision" and _says_it(rule, fact)), None)
    if decision is not None:
        return replace(rule, outcome="adopted", why=rule.why or decision.why)
    return replace(rule, outcome="adopted") if is_choice(rule.text) else rule


def _says_it(rule: Proposal, fact: Proposal) -> bool:
    """One sentence is kept once: as the rule that it is."""
    return rule.act == "state" and (fact.text in rule.quote or rule.text in fact.quote)


def _names_in(text: str) -> list[str]:
    return [name.lower() for name in _NAME.findall(text) if _IS_NAME.search(name)]
