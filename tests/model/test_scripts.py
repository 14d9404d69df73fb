"""The results of a script."""

from __future__ import annotations

from typing import get_args

import pytest

from agentinitd.model.scripts import FAILURES, RUNLEVELS, Header, Result, Runlevel, Script, ScriptRun

SCRIPT = Script(
    name="S10-constraints", key="constraints", order=10, layer="vendor", path="/init.d/S10-constraints"
)


@pytest.mark.parametrize("result", get_args(Result))
def test_only_what_went_wrong_is_a_failure(result: Result) -> None:
    is_failure = ScriptRun(script=SCRIPT, action="start", result=result).is_failure

    is_harmless = result in {
        "ok", "empty", "skipped", "masked", "shadowed", "ignored", "pending-trust", "aborted",
    }  # fmt: skip
    assert is_failure is not is_harmless


def test_the_failures_are_results() -> None:
    assert set(get_args(Result)) > FAILURES


def test_the_runlevels_are_listed_once_each() -> None:
    assert sorted(RUNLEVELS) == sorted(get_args(Runlevel))


def test_a_script_without_a_header_runs_where_a_whole_snippet_is_built() -> None:
    assert Header().default_start == ("session", "compact", "periodic")
    assert Header().timeout_seconds == 5.0
