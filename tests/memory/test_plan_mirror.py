"""The agent's plan is mirrored as claims, and a claim becomes a fact only by a result or a person."""

from __future__ import annotations

from agentinitd.memory import plan_mirror
from agentinitd.memory.check_runs import Check
from agentinitd.memory.task_edit import block, complete
from agentinitd.memory.task_state import State, served_state
from agentinitd.model.events import PlanStatus, PlanStep

NOW = 1_764_460_800.0
PYTEST = Check(name="pytest", kind="tests")


def steps(**by_title: PlanStatus) -> tuple[PlanStep, ...]:
    return tuple(PlanStep(text=title.replace("_", " "), status=status) for title, status in by_title.items())


def proven(
    state: State, *, is_claimed_only: bool = False, is_one: bool = False, word: str = "tests"
) -> State:
    return plan_mirror.proven_by_check(
        state,
        lambda title: word in title,
        by="pytest -q",
        at=NOW,
        is_one=is_one,
        is_claimed_only=is_claimed_only,
    )


def marks(state: State) -> list[tuple[object, object, object]]:
    return [
        (each["title"], each["claimed"], each.get("proven_by")) for each in plan_mirror.entries(state) or ()
    ]


def test_what_the_agent_calls_done_is_claimed() -> None:
    state = plan_mirror.mirrored(
        {}, steps(write="done", run_tests="in_progress", docs="pending", x="cancelled")
    )

    assert state["plan"] == [
        {"title": "write", "status": "done", "claimed": True},
        {"title": "run tests", "status": "in_progress", "claimed": False},
        {"title": "docs", "status": "pending", "claimed": False},
        {"title": "x", "status": "cancelled", "claimed": False},
    ]
    served = served_state(state)
    assert (served["completed"], served["claimed"]) == (["write"], 1)
    assert served["in_progress"] == ["2/4 run tests"]


def test_a_claimed_step_is_proven_and_says_by_what_and_when() -> None:
    state = proven(plan_mirror.mirrored({}, steps(write="done", run_tests="done")))

    assert state["plan"] == [
        {"title": "write", "status": "done", "claimed": True},
        {"title": "run tests", "status": "done", "claimed": False, "proven_by": "pytest -q",
         "proven_at": "2025-11-30T00:00:00Z"},
    ]  # fmt: skip
    assert served_state(state)["claimed"] == 1


def test_the_step_in_work_is_done_once_it_is_proven_and_stays_so_when_the_agent_says_so_too() -> None:
    state = proven(plan_mirror.mirrored({}, steps(run_tests="in_progress")))
    assert served_state(state)["completed"] == ["run tests"]

    state = plan_mirror.mirrored(state, steps(run_tests="done", docs="in_progress"))
    assert marks(state) == [("run tests", False, "pytest -q"), ("docs", False, None)]


def test_a_step_that_comes_after_open_ones_is_not_proven_ahead() -> None:
    early = plan_mirror.mirrored({}, steps(write="in_progress", run_tests="pending"))
    due = plan_mirror.mirrored({}, steps(write="done", run_tests="pending"))

    assert proven(early) == early
    assert marks(proven(due))[1] == ("run tests", False, "pytest -q")
    assert proven(due, is_claimed_only=True) == due


def test_of_several_commits_one_is_proven_by_one() -> None:
    running = plan_mirror.mirrored({}, steps(commit_a="done", commit_b="in_progress", commit_c="pending"))
    claimed = plan_mirror.mirrored({}, steps(commit_a="done", commit_b="done"))

    assert [mark[2] for mark in marks(proven(running, is_one=True, word="commit"))] == [
        None,
        "pytest -q",
        None,
    ]
    assert [mark[2] for mark in marks(proven(claimed, is_one=True, word="commit"))] == [None, "pytest -q"]


def test_a_replaced_plan_keeps_the_proof_of_equal_titles_and_of_no_others() -> None:
    state = proven(plan_mirror.mirrored({}, steps(run_tests="done", old="done")))

    state = plan_mirror.mirrored(state, steps(New="pending", Run_Tests="done"))
    assert marks(state) == [("New", False, None), ("Run Tests", False, "pytest -q")]


def test_a_step_that_the_agent_opens_again_has_to_be_proven_again() -> None:
    state = proven(plan_mirror.mirrored({}, steps(run_tests="done")))

    for status in ("pending", "in_progress"):
        again = plan_mirror.mirrored(state, steps(run_tests=status))
        assert served_state(again)["completed"] == []
        assert marks(plan_mirror.mirrored(again, steps(run_tests="done"))) == [("run tests", True, None)]


def test_a_failure_makes_a_claim_of_what_was_proven_and_opens_nothing() -> None:
    state = proven(plan_mirror.mirrored({}, steps(run_tests="done")))

    failed = plan_mirror.disproven(state, PYTEST, by="pytest -x", at=NOW + 60)
    served = served_state(failed)
    assert (served["completed"], served["claimed"]) == (["run tests"], 1)
    assert marks(proven(failed)) == [("run tests", False, "pytest -q")]


def test_a_failure_says_nothing_of_what_another_check_proved_or_a_person_completed() -> None:
    lint = Check(name="ruff", kind="lint")
    proved = proven(plan_mirror.mirrored({}, steps(run_tests="done")))
    person = complete(plan_mirror.mirrored({}, steps(run_tests="done")), "run tests")

    assert plan_mirror.disproven(proved, lint, by="ruff", at=NOW) == proved
    assert plan_mirror.disproven(person, PYTEST, by="pytest", at=NOW) == person


def test_a_step_that_a_person_completes_is_no_claim_any_more_whatever_the_agent_says_next() -> None:
    state = complete(plan_mirror.mirrored({}, steps(docs="done", write="in_progress")), "docs")
    state = complete(state, "write")
    assert "claimed" not in served_state(state)

    state = plan_mirror.mirrored(state, steps(docs="done", write="done"))
    assert [mark[1] for mark in marks(state)] == [False, False]


def test_a_step_that_a_rule_or_a_person_blocked_stays_blocked_until_the_agent_has_done_it() -> None:
    state = block(plan_mirror.mirrored({}, steps(release="in_progress")), "release")

    again = plan_mirror.mirrored(state, steps(release="in_progress", docs="pending"))
    assert served_state(again)["blockers"] == ["release"]
    assert served_state(plan_mirror.mirrored(again, steps(release="done")))["blockers"] == []


def test_a_plan_of_the_persons_own_is_left_alone() -> None:
    own: State = {"plan": ["a", {"title": "b", "status": "todo"}]}

    assert plan_mirror.mirrored(own, steps(x="done")) == own
    assert proven(own) == own
    assert plan_mirror.mirrored({"plan": "once upon a time"}, steps(x="done"))["plan"] == "once upon a time"


def test_of_a_step_that_the_person_listed_too_the_persons_word_counts() -> None:
    state = plan_mirror.mirrored({"pending": ["Run tests"]}, steps(run_tests="done", docs="pending"))

    served = served_state(state)
    assert served["pending"] == ["Run tests", "docs"]
    assert served["completed"] == []
    assert "claimed" not in served


def test_a_plan_is_bounded_and_an_empty_one_leaves_nothing() -> None:
    many = tuple(PlanStep(text="x\n" * 500 + str(number), status="pending") for number in range(500))

    plan = plan_mirror.mirrored({}, many)["plan"]
    assert isinstance(plan, list) and len(plan) == plan_mirror.MAX_STEPS
    assert all(len(str(each["title"])) <= 200 for each in plan if isinstance(each, dict))
    assert plan_mirror.mirrored({"goal": "x", "plan": plan}, ()) == {"goal": "x"}
