"""What findings do to a task state: a step is done because of a result, not because somebody says so.

The same finding twice changes nothing more: after a kill the daemon reads a stretch again.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from fnmatch import fnmatchcase
from typing import cast

from agentinitd.memory import plan_mirror
from agentinitd.memory.check_runs import KINDS, REPEATABLE, Check, Kind
from agentinitd.memory.plan_mirror import time_text
from agentinitd.memory.plan_titles import asked_by, is_answered_by, unanswered
from agentinitd.memory.progress_events import CheckRan, Finding, Planned, Reported, RuleApplies
from agentinitd.memory.task_edit import block, complete, unblock
from agentinitd.memory.task_state import PLAN_AT, RESULTS, RULE_BLOCKS, State, step_progress
from agentinitd.model.facts import JsonValue

MAX_RESULTS = 8
SAME_RESULT_SECONDS = 600.0
"""A result that only repeats the last one is not written again within this time."""
TOGETHER_SECONDS = 3600.0
"""Within this time the checks of one step (`run ruff and mypy`) have to come out well."""


def apply(state: State, findings: Iterable[Finding], *, session: str = "") -> State:
    """The state after these findings of a session, in their order."""
    for finding in findings:
        if isinstance(finding, Planned):
            state = _planned(state, finding, session)
        elif isinstance(finding, Reported):
            state = _reported(state, finding, session)
        elif isinstance(finding, CheckRan):
            state = _checked(state, finding)
        else:
            state = _ruled(state, finding)
    return plan_mirror.without_done_next(state)


def reason_of(findings: Iterable[Finding]) -> str:
    """For the history: `pytest passed (toolu_01); the agent's plan`."""
    told: dict[str, None] = {}
    for finding in findings:
        if isinstance(finding, Planned | Reported):
            told["the agent's plan" if isinstance(finding, Planned) else "the agent's report"] = None
        else:
            word = "passed" if finding.has_succeeded else "failed"
            told[f"{_name(finding)} {word} ({finding.call_id})"] = None
    return "; ".join(list(told)[-4:])


def _name(finding: CheckRan | RuleApplies) -> str:
    return finding.check.name if isinstance(finding, CheckRan) else finding.command


def _planned(state: State, plan: Planned, session: str) -> State:
    """A plan that is older than the one we have is one read a second time."""
    at = time_text(plan.at)
    known = state.get(PLAN_AT)
    if plan_mirror.entries(state) is None or (isinstance(known, str) and at < known):
        return state
    before = state
    state = plan_mirror.mirrored(state, plan.steps, session=session)
    for passed in plan.passed:
        state = _proven_in_plan(state, passed, others=plan.passed, is_claimed_only=True)
    if state.get(plan_mirror.KEY) == before.get(plan_mirror.KEY):
        return before
    return {**state, PLAN_AT: at}


def _reported(state: State, found: Reported, session: str) -> State:
    at = time_text(found.at)
    known = state.get(PLAN_AT)
    if isinstance(known, str) and at < known:
        return state
    after = plan_mirror.with_next(plan_mirror.reported(state, found.report, session=session), found.report)
    return state if after == state else {**after, PLAN_AT: at}


def _checked(state: State, ran: CheckRan) -> State:
    known = _result(state, ran.check.name)
    if known.get("call") == ran.call_id or str(known.get("at", "")) > time_text(ran.at):
        return state
    state = _noted(state, ran.check.name, ran)
    if not ran.has_succeeded:
        is_doubted = ran.check.kind in REPEATABLE
        return plan_mirror.disproven(state, ran.check, by=ran.command, at=ran.at) if is_doubted else state
    state = _proven_in_plan(state, ran)
    return _completed_by_check(state, ran)


def _proven_in_plan(
    state: State, ran: CheckRan, *, others: Iterable[CheckRan] = (), is_claimed_only: bool = False
) -> State:
    checks = [ran.check, *(other.check for other in others), *_passed_lately(state, ran.at)]

    def is_asked(title: str) -> bool:
        return is_answered_by(asked_by(title), ran.check) and not unanswered(asked_by(title), checks)

    is_one = ran.check.kind not in REPEATABLE
    return plan_mirror.proven_by_check(
        state, is_asked, by=ran.command, at=ran.at, is_one=is_one, is_claimed_only=is_claimed_only
    )


def _completed_by_check(state: State, ran: CheckRan) -> State:
    """The steps that the person listed, and that ask for nothing but this check."""
    checks = [ran.check, *_passed_lately(state, ran.at)]
    meant = [
        title
        for title, progress in _own_steps(state)
        if progress in ("in_progress", "pending")
        and is_answered_by(asked_by(title), ran.check)
        and not unanswered(asked_by(title), checks)
    ]
    for title in meant if ran.check.kind in REPEATABLE else meant[:1]:
        state = complete(state, title)
    return state


def _own_steps(state: State) -> list[tuple[str, str]]:
    """Without the agent's plan; what is in work comes first."""
    is_mirror = plan_mirror.entries(state) is not None
    own = {key: value for key, value in state.items() if key != plan_mirror.KEY or not is_mirror}
    return sorted(step_progress(own).items(), key=lambda step: step[1] != "in_progress")


def _ruled(state: State, found: RuleApplies) -> State:
    rule = found.rule
    applies = found.has_succeeded == (rule.on == "success")
    if not applies:
        return _lifted(state, rule.block) if rule.block else state
    if rule.note:
        known = _result(state, rule.note)
        if known.get("call") != found.call_id and str(known.get("at", "")) <= time_text(found.at):
            state = _noted(state, rule.note, found)
    if rule.complete:
        state = _completed(state, rule.complete, found)
    return _blocked(state, rule.block) if rule.block else state


def _completed(state: State, named: str, found: RuleApplies) -> State:
    """A step that is not listed is not invented."""
    state = plan_mirror.proven(state, lambda title: _is_named(title, named), by=found.command, at=found.at)
    for title, progress in _own_steps(state):
        if progress != "completed" and _is_named(title, named):
            state = _lifted(complete(state, title), title)
    return state


def _is_named(title: str, named: str) -> bool:
    title, named = (" ".join(text.casefold().split()) for text in (title, named))
    return title == named or fnmatchcase(title, named)


def _blocked(state: State, named: str) -> State:
    """The steps of this title; without any it is told in the rule's own words."""
    steps = [title for title, progress in step_progress(state).items() if progress != "completed"]
    for title in [title for title in steps if _is_named(title, named)] or [named]:
        known = _rule_blocks(state)
        if title not in known and step_progress(state).get(title) != "blocked":
            state = {**block(state, title), RULE_BLOCKS: cast(JsonValue, [*known, title][-MAX_RESULTS:])}
    return state


def _lifted(state: State, named: str) -> State:
    """Only what a rule had blocked: what a person wrote is theirs to lift."""
    known = _rule_blocks(state)
    for title in [title for title in known if _is_named(title, named)]:
        state = unblock(state, title)
        known = [other for other in known if other != title]
    without = {key: value for key, value in state.items() if key != RULE_BLOCKS}
    return {**without, RULE_BLOCKS: cast(JsonValue, known)} if known else without


def _rule_blocks(state: State) -> list[str]:
    value = state.get(RULE_BLOCKS)
    return [title for title in value if isinstance(title, str)] if isinstance(value, list) else []


def _results(state: State) -> list[dict[str, JsonValue]]:
    value = state.get(RESULTS)
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _result(state: State, name: str) -> dict[str, JsonValue]:
    return next((entry for entry in _results(state) if entry.get("check") == name), {})


def _noted(state: State, name: str, found: CheckRan | RuleApplies) -> State:
    known = _result(state, name)
    entry: dict[str, JsonValue] = {
        "check": name,
        "result": "passed" if found.has_succeeded else "failed",
        "at": time_text(found.at),
        "command": found.command,
        "call": found.call_id,
    }
    if isinstance(found, CheckRan):
        entry["kind"] = found.check.kind
    if isinstance(found, CheckRan) and found.check.is_partial:
        entry["is_partial"] = True
    is_same = all(known.get(key) == entry.get(key) for key in ("check", "result", "command", "is_partial"))
    if is_same and time_text(found.at - SAME_RESULT_SECONDS) < str(known.get("at", "")):
        return state
    others = [other for other in _results(state) if other.get("check") != name]
    return {**deepcopy(state), RESULTS: cast(JsonValue, [*others, entry][-MAX_RESULTS:])}


def _passed_lately(state: State, at: float) -> list[Check]:
    since = time_text(at - TOGETHER_SECONDS)
    return [
        Check(name=str(entry.get("check")), kind=cast(Kind, entry["kind"]))
        for entry in _results(state)
        if entry.get("kind") in KINDS
        and entry.get("result") == "passed"
        and str(entry.get("at", "")) >= since
    ]
