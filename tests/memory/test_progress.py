"""A task moves by results: what they complete, block, record, and what they must not touch."""

from __future__ import annotations

from typing import Any

import pytest

from agentinitd.memory.capture.report import Report
from agentinitd.memory.check_runs import Check, Kind
from agentinitd.memory.progress import MAX_RESULTS, apply, reason_of
from agentinitd.memory.progress_events import CheckRan, Finding, Planned, Reported, RuleApplies
from agentinitd.memory.task_state import State, served_state
from agentinitd.memory.told_state import agents_own_left_out
from agentinitd.model.events import PlanStep
from agentinitd.model.progress import ProgressRule

NOW = 1_764_460_800.0


def ran(
    name: str = "pytest", *, at: float = NOW, ok: bool = True, call: str = "c1", part: bool = False
) -> CheckRan:
    kinds: dict[str, Kind] = {"ruff": "lint", "mypy": "types", "git commit": "commit", "git push": "push"}
    check = Check(name=name, kind=kinds.get(name, "tests"), is_partial=part)
    return CheckRan(check=check, command=f"{name} -q", has_succeeded=ok, call_id=call, at=at)


def planned(*steps: tuple[str, Any], at: float = NOW, passed: tuple[CheckRan, ...] = ()) -> Planned:
    found = tuple(PlanStep(text=text, status=status) for text, status in steps)
    return Planned(steps=found, at=at, passed=passed)


def applies(rule: dict[str, str], *, ok: bool = True, at: float = NOW, call: str = "c1") -> RuleApplies:
    made = ProgressRule(command="make e2e", **rule)  # type: ignore[arg-type]
    return RuleApplies(rule=made, command="make e2e", has_succeeded=ok, call_id=call, at=at)


def result(state: State) -> list[tuple[object, object, object]]:
    entries: Any = state.get("last_results", [])
    return [(each["check"], each["result"], each["at"]) for each in entries]


class TestChecks:
    @pytest.mark.parametrize("title", ["run tests", "Tests green", "跑测试", "Run all tests"])
    @pytest.mark.parametrize("key", ["pending", "in_progress"])
    def test_a_check_completes_the_step_that_asks_for_it(self, title: str, key: str) -> None:
        state = apply({key: [title, "docs"]}, [ran()])

        assert state[key] == ["docs"]
        assert state["completed"] == [title]
        assert result(state) == [("pytest", "passed", "2025-11-30T00:00:00Z")]

    def test_steps_with_a_status_keep_their_own_words(self) -> None:
        steps: Any = [
            {"id": 1, "title": "read", "status": "完成"},
            {"id": 2, "title": "跑测试", "status": "进行中"},
        ]

        state = apply({"steps": steps}, [ran()])
        assert state["steps"] == [steps[0], {"id": 2, "title": "跑测试", "status": "完成"}]

    @pytest.mark.parametrize("title", ["writer", "Add tests", "Run the server", "run tests and deploy"])
    def test_any_other_step_stays_and_the_result_is_recorded(self, title: str) -> None:
        state = apply({"pending": [title]}, [ran()])

        assert state["pending"] == [title]
        assert len(result(state)) == 1

    def test_a_failing_check_completes_nothing(self) -> None:
        state = apply({"pending": ["run tests"]}, [ran(ok=False)])

        assert state["pending"] == ["run tests"]
        assert result(state)[0][1] == "failed"

    def test_a_failing_check_opens_nothing_again(self) -> None:
        state = apply({"pending": ["run tests"]}, [ran()])
        state = apply(state, [ran(ok=False, at=NOW + 60, call="c2")])

        assert (state["completed"], state["pending"]) == (["run tests"], [])
        assert result(state)[0][1] == "failed"

    def test_single_tests_do_not_complete_what_asks_for_all(self) -> None:
        state = apply({"pending": ["run tests", "run all tests"]}, [ran(part=True)])

        assert state["pending"] == ["run all tests"]
        assert served_state(state)["last_results"] == ["pytest (a part) passed 2025-11-30 00:00 UTC"]

    def test_one_commit_completes_one_step(self) -> None:
        state = apply({"pending": ["commit parser", "commit docs"]}, [ran("git commit")])

        assert state["completed"] == ["commit parser"]

    def test_a_step_of_two_checks_is_done_when_both_passed(self) -> None:
        state = apply({"pending": ["Run ruff and mypy"]}, [ran("ruff")])
        assert state["pending"] == ["Run ruff and mypy"]

        later = apply(state, [ran("mypy", at=NOW + 7200, call="c2")])
        soon = apply(state, [ran("mypy", at=NOW + 60, call="c2")])
        assert later["pending"] == ["Run ruff and mypy"]
        assert soon["completed"] == ["Run ruff and mypy"]

    def test_a_blocked_step_is_not_completed_by_the_way(self) -> None:
        state = apply({"blockers": ["run tests"]}, [ran()])

        assert state["blockers"] == ["run tests"]

    def test_only_the_last_results_of_some_checks_are_kept(self) -> None:
        findings = [ran(f"check{number}", call=f"c{number}") for number in range(MAX_RESULTS + 5)]

        state = apply({}, findings)
        assert [name for name, *_ in result(state)] == [
            f"check{number}" for number in range(5, MAX_RESULTS + 5)
        ]
        assert len(served_state(state)["last_results"]) == 4  # type: ignore[arg-type]

    def test_a_result_that_only_repeats_the_last_one_is_not_written_again_at_once(self) -> None:
        state = apply({}, [ran()])

        assert apply(state, [ran(at=NOW + 60, call="c2")]) == state
        assert apply(state, [ran(at=NOW + 3600, call="c2")]) != state
        assert apply(state, [ran(at=NOW + 60, call="c2", ok=False)]) != state


class TestReadTwice:
    def test_the_same_findings_again_change_nothing(self) -> None:
        findings: list[Finding] = [
            planned(("write", "done"), ("Run tests", "in_progress")),
            ran(ok=False, at=NOW + 1),
            ran(at=NOW + 2, call="c2"),
            planned(("write", "done"), ("Run tests", "done"), at=NOW + 3),
            applies({"on": "failure", "block": "e2e is red"}, ok=False, at=NOW + 4, call="c3"),
        ]
        once = apply({"pending": ["run tests", "docs"]}, findings)

        assert apply(once, findings) == once

    def test_an_older_result_or_plan_does_not_come_back(self) -> None:
        state = apply({}, [planned(("a", "done"), at=NOW + 9), ran(at=NOW + 9, call="c2")])

        assert apply(state, [ran(ok=False, at=NOW), planned(("a", "pending"), at=NOW)]) == state

    def test_a_step_that_a_person_opened_again_is_not_done_by_the_result_of_before(self) -> None:
        state = apply({"pending": ["run tests"]}, [ran()])
        state |= {"completed": [], "pending": ["run tests"]}

        assert apply(state, [ran()]) == state
        assert apply(state, [ran(at=NOW + 60, call="c2")])["completed"] == ["run tests"]


class TestPlans:
    def test_a_claimed_step_is_proven_by_the_result_that_follows(self) -> None:
        state = apply({}, [planned(("write", "done"), ("Run tests", "done")), ran(at=NOW + 1)])

        assert served_state(state)["claimed"] == 1
        assert state["plan"][1]["proven_by"] == "pytest -q"  # type: ignore[index, call-overload]

    def test_or_by_the_one_before_it(self) -> None:
        passed = ran(at=NOW - 5)
        state = apply({}, [planned(("Run tests", "in_progress"), passed=(passed,))])
        assert state["plan"][0]["claimed"] is False  # type: ignore[index, call-overload]
        assert "proven_by" not in state["plan"][0]  # type: ignore[index, call-overload]

        state = apply(state, [planned(("Run tests", "done"), at=NOW + 1, passed=(passed,))])
        assert state["plan"][0]["proven_by"] == "pytest -q"  # type: ignore[index, call-overload]

    def test_a_failing_test_does_not_prove_a_claim(self) -> None:
        state = apply({}, [planned(("Run tests", "done")), ran(ok=False)])

        assert served_state(state)["claimed"] == 1

    def test_a_step_proven_earlier_whose_check_fails_now_is_a_claim_again(self) -> None:
        state = apply({}, [planned(("Run tests", "done")), ran(), ran(ok=False, at=NOW + 9, call="c2")])

        assert served_state(state)["claimed"] == 1
        assert "claimed" not in served_state(apply(state, [ran(at=NOW + 99, call="c3")]))

    def test_the_persons_steps_are_not_overwritten(self) -> None:
        steps: Any = [{"title": "mine", "status": "todo"}]

        state = apply({"steps": steps, "pending": ["docs"]}, [planned(("theirs", "done"))])
        assert (state["steps"], state["pending"]) == (steps, ["docs"])


class TestReports:
    REPORT = Report(done=("write",), doing=("docs",), next=("release",), blocked=("no key",))

    def test_a_report_makes_a_plan_of_claims_where_there_is_none(self) -> None:
        served = served_state(apply({}, [Reported(report=self.REPORT, at=NOW)]))

        assert (served["completed"], served["claimed"], served["blockers"]) == (["write"], 1, ["no key"])
        assert (served["in_progress"], served["pending"]) == (["2/4 docs"], ["release"])

    def test_a_plan_is_brought_up_to_date_by_it_and_takes_no_other_steps(self) -> None:
        plan = planned(("Write", "in_progress"), ("docs", "pending"), ("release", "done"), at=NOW - 9)

        served = served_state(apply({}, [plan, Reported(report=self.REPORT, at=NOW)]))
        assert (served["completed"], served["claimed"]) == (["Write", "release"], 2)
        assert (served["in_progress"], served["blockers"]) == (["2/3 docs"], [])

    def test_its_next_step_is_the_next_action_until_it_is_done_or_another_is_reported(self) -> None:
        first = apply({}, [Reported(report=self.REPORT, at=NOW)])
        served = served_state(first)
        assert (served["next_action"], served["next_claimed"]) == ("release", True)
        assert agents_own_left_out(first) == {}

        second = apply(first, [Reported(report=Report(next=("tag", "tell")), at=NOW + 1)])
        assert second["next_action"] == "tag"

        said = Reported(report=Report(done=("tag",)), at=NOW + 2)
        for over in (planned(("Tag", "done"), at=NOW + 2), said):
            assert "next_action" not in apply(second, [over])

    def test_what_was_reported_as_done_before_stays_done_when_the_next_report_leaves_it_out(self) -> None:
        first = apply({}, [Reported(report=Report(done=("a",), next=("b", "x")), at=NOW)], session="s")
        report = Reported(report=Report(done=("b",), doing=("c",)), at=NOW + 1)

        second = apply(first, [report], session="s")
        served = served_state(second)
        assert (served["completed"], served["claimed"]) == (["a", "b"], 2)
        assert (served["in_progress"], served["pending"]) == (["3/3 c"], [])
        assert apply(second, [report], session="s") == second

    def test_a_next_action_that_a_person_wrote_stays(self) -> None:
        state = apply({"next_action": "ask Ann"}, [Reported(report=self.REPORT, at=NOW)])
        assert state["next_action"] == "ask Ann"

        later = {**apply({}, [Reported(report=self.REPORT, at=NOW)]), "next_action": "ask Ann"}
        assert apply(later, [Reported(report=Report(next=("tag",)), at=NOW + 1)])["next_action"] == "ask Ann"
        assert "next_claimed" not in served_state(later)

    def test_what_two_sessions_report_stands_side_by_side(self) -> None:
        first = apply({}, [Reported(report=Report(next=("a1", "a2")), at=NOW)], session="a")
        second = apply(first, [Reported(report=Report(next=("b1",)), at=NOW + 1)], session="b")
        assert served_state(second)["pending"] == ["b1", "a1", "a2"]

        third = apply(second, [Reported(report=Report(done=("a1",), next=("a3",)), at=NOW + 2)], session="a")
        assert served_state(third)["pending"] == ["a3", "b1"]

        planned_by_b = apply(third, [planned(("b2", "pending"), at=NOW + 3)], session="b")
        assert served_state(planned_by_b)["pending"] == ["b2", "a3"]

    def test_a_report_leaves_the_plan_of_another_session_and_stands_beside_it(self) -> None:
        plan = apply({}, [planned(("a1", "in_progress"), ("a2", "pending"))], session="a")

        state = apply(plan, [Reported(report=Report(done=("a1",), next=("b1",)), at=NOW + 1)], session="b")
        served = served_state(state)
        assert (served["completed"], served["pending"]) == (["a1"], ["a2", "b1"])

    def test_the_next_plan_takes_its_place(self) -> None:
        state = apply({}, [Reported(report=self.REPORT, at=NOW), planned(("no key", "pending"), at=NOW + 1)])

        assert served_state(state)["pending"] == ["no key"]
        assert apply(state, [Reported(report=self.REPORT, at=NOW)]) == state


class TestRules:
    @pytest.mark.parametrize("named", ["end-to-end", "END-to-End", "end*"])
    def test_a_rule_completes_the_step_it_names(self, named: str) -> None:
        state = apply({"pending": ["end-to-end", "docs"]}, [applies({"complete": named})])

        assert (state["completed"], state["pending"]) == (["end-to-end"], ["docs"])

    def test_also_in_the_agents_plan_wherever_it_stands(self) -> None:
        state = apply(
            {},
            [planned(("write", "pending"), ("end-to-end", "pending")), applies({"complete": "end-to-end"})],
        )

        assert served_state(state)["completed"] == ["end-to-end"]

    def test_a_step_that_is_not_listed_is_not_invented(self) -> None:
        assert apply({"pending": ["docs"]}, [applies({"complete": "end-to-end"})]) == {"pending": ["docs"]}

    def test_a_rule_for_success_does_nothing_on_failure(self) -> None:
        state: State = {"pending": ["end-to-end"]}

        assert apply(state, [applies({"complete": "end-to-end", "note": "e2e"}, ok=False)]) == state

    def test_a_rule_blocks_a_step_and_lifts_it_when_the_command_comes_out_well(self) -> None:
        steps: Any = [{"title": "release", "status": "todo"}, {"title": "docs", "status": "todo"}]
        rule = {"on": "failure", "block": "release"}

        blocked = apply({"steps": steps}, [applies(rule, ok=False)])
        assert served_state(blocked)["blockers"] == ["release"]
        lifted = apply(blocked, [applies(rule, at=NOW + 9, call="c2")])
        assert lifted == {"steps": steps}

    def test_a_step_named_in_a_plain_list_waits_again_after_that(self) -> None:
        rule = {"on": "failure", "block": "release"}

        blocked = apply({"pending": ["release"]}, [applies(rule, ok=False)])
        assert served_state(blocked)["blockers"] == ["release"]
        lifted = served_state(apply(blocked, [applies(rule, call="c2")]))
        assert (lifted["blockers"], lifted["pending"]) == ([], ["release"])

    def test_what_blocks_may_be_said_in_words(self) -> None:
        rule = {"on": "failure", "block": "end-to-end tests are red"}

        blocked = apply({"goal": "x"}, [applies(rule, ok=False)])
        assert blocked["blockers"] == ["end-to-end tests are red"]
        assert apply(blocked, [applies(rule, call="c2")])["blockers"] == []

    def test_what_a_person_blocked_is_theirs_to_lift(self) -> None:
        rule = {"on": "failure", "block": "no key"}
        state: State = {"blockers": ["no key"]}

        assert apply(state, [applies(rule, ok=False), applies(rule, call="c2")]) == state

    def test_a_note_is_recorded_word_for_word(self) -> None:
        state = apply({}, [applies({"note": "e2e on staging"})])

        assert served_state(state)["last_results"] == ["e2e on staging passed 2025-11-30 00:00 UTC"]


def test_the_history_says_why() -> None:
    findings: list[Finding] = [
        planned(("a", "done")), ran(), ran("ruff", ok=False, call="c2"), applies({"note": "x"}, call="c3")
    ]  # fmt: skip

    assert reason_of(findings) == (
        "the agent's plan; pytest passed (c1); ruff failed (c2); make e2e passed (c3)"
    )


def test_a_state_of_odd_shapes_does_no_harm() -> None:
    odd: Any = {"last_results": [1, {"check": 2}], "plan": "x", "pending": "run tests", "blocked_by_rule": 7,
                "plan_at": 3}  # fmt: skip

    state = apply(odd, [planned(("a", "done")), ran(), applies({"on": "failure", "block": "b"}, ok=False)])
    assert state["completed"] == ["run tests"]
    assert served_state(state)["blockers"] == ["b"]
