"""The agent is told what it does not know: not its own plan, nor what its tools answered it."""

from __future__ import annotations

from agentinitd.memory.check_runs import Check
from agentinitd.memory.plan_mirror import mirrored
from agentinitd.memory.progress import apply
from agentinitd.memory.progress_events import CheckRan, RuleApplies
from agentinitd.memory.task_edit import complete
from agentinitd.memory.task_state import State
from agentinitd.memory.told_state import agents_own_left_out
from agentinitd.model.events import PlanStatus, PlanStep
from agentinitd.model.progress import ProgressRule

NOW = 1_764_460_800.0
OWN: State = {"goal": "x", "pending": ["docs"]}


def planned(state: State, **steps: PlanStatus) -> State:
    return mirrored(state, tuple(PlanStep(text=title, status=status) for title, status in steps.items()))


def ran(*, ok: bool = True, at: float = NOW) -> CheckRan:
    check = Check(name="pytest", kind="tests")
    return CheckRan(check=check, command="pytest", has_succeeded=ok, call_id=str(at), at=at)


def is_news(before: State, after: State) -> bool:
    assert before != after
    return agents_own_left_out(before) != agents_own_left_out(after)


def test_its_own_plan_and_the_time_are_no_news() -> None:
    state = planned(OWN, test="done")

    assert not is_news(OWN, state)
    assert not is_news(state, planned(state, test="pending", more="done"))
    assert not is_news(OWN, {**OWN, "last_updated": "2026-11-30T00:00:00Z", "blockers": []})
    assert agents_own_left_out(planned({}, test="done")) == {}


def test_a_result_alone_is_none_and_what_follows_from_it_is() -> None:
    assert not is_news(OWN, apply(OWN, [ran()]))
    assert is_news({"pending": ["run tests"]}, apply({"pending": ["run tests"]}, [ran()]))


def test_a_proven_step_is_news_once_whatever_becomes_of_it_and_of_the_plan() -> None:
    claimed = planned(OWN, test="done")
    proven = apply(claimed, [ran()])
    doubted = apply(proven, [ran(ok=False, at=NOW + 1)])

    assert is_news(claimed, proven)
    assert not is_news(proven, doubted)
    assert not is_news(doubted, planned(doubted, other="pending"))


def test_a_blocked_step_of_the_plan_is_news() -> None:
    state = planned(OWN, release="pending")
    rule = ProgressRule(command="make", on="failure", block="release")
    found = RuleApplies(rule=rule, command="make", has_succeeded=False, call_id="c", at=NOW)

    assert is_news(state, apply(state, [found]))


def test_what_a_person_says_of_the_plan_is_news() -> None:
    state = planned(OWN, release="done")

    assert is_news(state, complete(state, "release"))


def test_a_plan_that_a_person_wrote_is_news() -> None:
    assert is_news({"plan": ["a"]}, {"plan": ["b"]})
