"""Blame and the critical chain, computed from plain values."""

from __future__ import annotations

import math

import pytest

from agentinitd.sessions.timeline import Around, RunTime, ScriptTime, blame, critical_chain, run_time


def script(name: str, start: float, duration: float, **fields: object) -> ScriptTime:
    return ScriptTime(script=name, start_ms=start, duration_ms=duration, exit=0, result="ok", **fields)  # type: ignore[arg-type]


def run(*scripts: ScriptTime, duration: float = 100.0, project: str = "/p") -> RunTime:
    return RunTime(run="r", at="t", project=project, duration_ms=duration, scripts=scripts)


class TestBlame:
    def test_the_slowest_comes_first_and_equals_stay_in_order(self) -> None:
        scripts = (script("S10-a", 0, 5), script("S20-b", 5, 50), script("S30-c", 55, 5))

        assert [each.time.script for each in blame(run(*scripts), ())] == ["S20-b", "S10-a", "S30-c"]

    def test_the_usual_time_is_that_of_the_last_twenty_in_which_it_ran_in_this_project(self) -> None:
        others = [run(script("S10-a", 0, float(ms))) for ms in (9000, *range(1, 21))]
        cached = run(script("S10-a", 0, 0.0, flags=("cached",)))
        elsewhere = run(script("S10-a", 0, 7000.0), project="/q")

        [told] = blame(run(script("S10-a", 0, 5)), [*others, cached, elsewhere])

        assert (told.p50_ms, told.p95_ms, told.runs) == (10.0, 19.0, 20)

    def test_one_that_never_ran_has_no_usual_time_and_a_run_of_no_time_no_shares(self) -> None:
        [told] = blame(run(script("S10-a", 0, 0, flags=("cached",)), duration=0.0), ())

        assert (told.p50_ms, told.p95_ms, told.runs, told.share_percent) == (None, None, 0, 0.0)

    def test_time_outside_counts_scripts_that_overlap_once(self) -> None:
        assert run(script("S10-a", 10, 40), script("S10-b", 20, 50)).outside_ms == pytest.approx(40.0)


class TestTheChain:
    def test_of_scripts_that_ran_beside_each_other_the_slowest_was_waited_for(self) -> None:
        told = critical_chain(
            run(
                script("S10-a", 0, 10),
                script("S20-b", 10, 60),
                script("S20-c", 10, 30),
                script("S30-d", 70, 30),
            ),
            Around(),
        )

        assert [step.name for step in told] == ["S10-a", "S20-b", "S30-d"]

    def test_its_steps_follow_on_each_other_and_add_up(self) -> None:
        around = Around(lag_ms=30, waited_ms=5, cause="marker", read_ms=200, hook="UserPromptSubmit")
        told = critical_chain(run(script("S10-a", 3, 10), script("S20-b", 20, 60)), around)

        assert [step.at_ms for step in told[1:]] == [step.at_ms + step.duration_ms for step in told[:-1]]
        assert sum(step.duration_ms for step in told) == pytest.approx(30 + 5 + 100 + 200)

    def test_what_was_served_from_before_was_not_waited_for(self) -> None:
        told = critical_chain(run(script("S10-a", 3, 0, flags=("cached",))), Around())

        assert [(step.name, step.kind) for step in told] == [("composed", "own")]


class TestWhatIsTold:
    @pytest.mark.parametrize("told", [{}, {"run": 1, "at": "t"}, {"run": "r", "at": "t", "scripts": 3}])
    def test_what_is_no_rebuild_is_none(self, told: dict[str, object]) -> None:
        assert run_time(told) is None

    def test_impossible_times_are_made_possible_ones(self) -> None:
        told = run_time(
            {
                "run": "r",
                "at": "t",
                "duration_ms": -5.0,
                "unknown": 1,
                "scripts": [{"script": "S10-a", "start_ms": 1e300, "duration_ms": math.inf, "maxrss_kb": -1}],
            }
        )

        assert told is not None
        [only] = told.scripts
        assert (only.duration_ms, only.maxrss_kb) == (0.0, None)
        assert 0 < told.duration_ms == only.start_ms < 1e10
