"""Hears what a session did, and finds what moves its task: checks that ran, rules that apply, plans.

Pure and bounded.  What was copied from elsewhere, and what helpers do, moves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from agentinitd.memory.capture.report import REPORT_MARK, Report, report_in
from agentinitd.memory.check_output import said_by
from agentinitd.memory.check_runs import CUE, REPEATABLE, Check, Kind, check_of
from agentinitd.memory.shell import ran
from agentinitd.memory.tool_calls import (
    command_of,
    edited_files,
    handle_of,
    has_succeeded,
    polled_handle,
    runs_on,
    says_no_outcome,
)
from agentinitd.memory.unwrapping import spellings
from agentinitd.model.events import AgentMessage, Event, PlanStep, PlanUpdate, ToolCall, ToolResult
from agentinitd.model.progress import ProgressRule

OPEN_CALLS = 256
MAX_COMMAND_CHARS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRan:
    """A known check, and how it came out."""

    check: Check
    command: str
    has_succeeded: bool
    call_id: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleApplies:
    """A command, or another tool, that a rule of the config names."""

    rule: ProgressRule
    command: str
    has_succeeded: bool
    call_id: str
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """The agent wrote its plan anew."""

    steps: tuple[PlanStep, ...]
    at: float
    passed: tuple[CheckRan, ...] = ()
    """What came out well in this session, and was not called into question by an edit since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """The agent was asked how far it is, and said so."""

    report: Report
    at: float


Finding = CheckRan | RuleApplies | Planned | Reported


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A call that may matter, until it is answered."""

    tool: str
    command: str | None
    call_id: str
    says_no_outcome: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One simple command of the call, with what is known of it; without words: the whole call."""

    spelled: tuple[str, ...]
    check: Check | None
    outcome: bool | None


class ProgressListener:
    """Of one session; takes its events in order."""

    def __init__(self) -> None:
        self._asked: dict[str, _Asked] = {}
        self._background: dict[str, _Asked] = {}
        self._passed: dict[str, CheckRan] = {}

    def hear(
        self, events: Iterable[Event], rules: Sequence[ProgressRule] = (), *, now: float
    ) -> list[Finding]:
        """What the events say of the task.  `now` stands in for a time that the agent did not write."""
        found: list[Finding] = []
        for event in events:
            if event.is_history or event.is_helper:
                continue
            at = now if event.written_at is None else event.written_at
            if type(event) is ToolCall:
                self._note_call(event, rules)
            elif type(event) is ToolResult:
                found += self._note_result(event, rules, at)
            elif type(event) is AgentMessage and REPORT_MARK in event.text:
                report = report_in(event.text)
                found += [] if report is None else [Reported(report=report, at=at)]
            elif type(event) is PlanUpdate:
                found.append(Planned(steps=event.steps, at=at, passed=tuple(self._passed.values())))
                self._forget(lambda kind: kind not in REPEATABLE)  # one commit proves one step
        return found

    def _note_call(self, call: ToolCall, rules: Sequence[ProgressRule]) -> None:
        handle = polled_handle(call)
        if handle is not None:
            asked = self._background.get(handle)
            if asked is not None:
                _put(self._asked, call.call_id, asked)
            return
        if self._passed and edited_files(call):
            self._forget(lambda kind: kind in REPEATABLE)  # what was checked is another text now
        command = command_of(call)
        is_known = command is not None and CUE.search(command) is not None
        if is_known or any(_may_match(rule, call.name, command) for rule in rules):
            asked = _Asked(
                tool=call.name,
                command=command,
                call_id=call.call_id or f"{call.name}@{call.offset}",
                says_no_outcome=says_no_outcome(call),
            )
            _put(self._asked, call.call_id, asked)
        elif not call.call_id:
            self._asked.pop("", None)  # the agent names no calls: an answer is that of the last one

    def _forget(self, is_meant: Callable[[Kind], bool]) -> None:
        self._passed = {name: each for name, each in self._passed.items() if not is_meant(each.check.kind)}

    def _note_result(self, result: ToolResult, rules: Sequence[ProgressRule], at: float) -> Iterator[Finding]:
        asked = self._asked.get(result.call_id)
        if asked is None:
            return
        if result.call_id:
            del self._asked[result.call_id]
        is_poll = asked.says_no_outcome or (asked.call_id != result.call_id and bool(result.call_id))
        if runs_on(result) and (handle := handle_of(result)) is not None:
            _put(self._background, handle, asked)
        whole = has_succeeded(result, needs_exit_code=is_poll)
        parts = list(_parts(asked, whole, result.text))
        for part in parts:
            if part.check is not None and part.outcome is not None:
                yield self._checked(part, asked, at)
        for rule in rules:
            outcome, command = _outcome_for(rule, asked, parts, whole)
            if outcome is not None:
                yield RuleApplies(
                    rule=rule, command=command, has_succeeded=outcome, call_id=asked.call_id, at=at
                )

    def _checked(self, part: _Part, asked: _Asked, at: float) -> CheckRan:
        assert part.check is not None and part.outcome is not None
        found = CheckRan(
            check=part.check,
            command=part.spelled[-1][:MAX_COMMAND_CHARS],
            has_succeeded=part.outcome,
            call_id=asked.call_id,
            at=at,
        )
        if found.has_succeeded:
            _put(self._passed, part.check.name, found)
        else:
            self._passed.pop(part.check.name, None)
        return found


def _put(known: dict[str, _Asked] | dict[str, CheckRan], key: str, value: _Asked | CheckRan) -> None:
    known.pop(key, None)
    known[key] = value  # type: ignore[assignment]  # each dict is given its own kind
    if len(known) > OPEN_CALLS:
        del known[next(iter(known))]


def _parts(asked: _Asked, whole: bool | None, text: str) -> Iterator[_Part]:
    """The commands of the call.  What one prints decides where its exit status is hidden, as by a pipe."""
    if asked.command is None:
        return
    commands = [(each, check_of(each.words)) for each in ran(asked.command, has_succeeded=whole)]
    kinds = [check.kind for _, check in commands if check is not None]
    for each, check in commands:
        outcome = each.has_succeeded
        if check is not None:
            outcome = _verdict(outcome, said_by(check.kind, text), is_only=kinds.count(check.kind) == 1)
        yield _Part(spelled=spellings(each.words), check=check, outcome=outcome)


def _verdict(outcome: bool | None, said: bool | None, *, is_only: bool) -> bool | None:
    """`3 failed` outweighs a success; of two runs in one output nobody knows which it is of."""
    if outcome is False or said is None:
        return outcome
    if not is_only:
        return outcome if said else None
    return said


def _outcome_for(
    rule: ProgressRule, asked: _Asked, parts: Sequence[_Part], whole: bool | None
) -> tuple[bool | None, str]:
    """How what the rule names came out; None when it was not run, or nobody knows."""
    if not _is_tool(rule, asked.tool, has_command=asked.command is not None):
        return None, ""
    if not rule.command or asked.command is None:
        return (whole if not rule.command else None), (asked.command or asked.tool)[:MAX_COMMAND_CHARS]
    named = [part for part in parts if any(_is_command(rule, text) for text in part.spelled)]
    if not named and _is_command(rule, " ".join(asked.command.split())):
        return whole, rule.command
    outcomes = {part.outcome for part in named}
    command = named[0].spelled[-1][:MAX_COMMAND_CHARS] if named else ""
    if False in outcomes:
        return False, command
    return (True if outcomes == {True} else None), command


def _may_match(rule: ProgressRule, tool: str, command: str | None) -> bool:
    return _is_tool(rule, tool, has_command=command is not None)


def _is_tool(rule: ProgressRule, tool: str, *, has_command: bool) -> bool:
    return fnmatchcase(tool.lower(), rule.tool.lower()) if rule.tool else has_command


def _is_command(rule: ProgressRule, text: str) -> bool:
    """Whole words: `make test` covers `make test -j4`, and not `make test-unit`."""
    return fnmatchcase(text, rule.command) or fnmatchcase(text, f"{rule.command} *")
