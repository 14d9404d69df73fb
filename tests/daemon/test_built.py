"""A rebuild as programs read it: stable names, and nothing of what scripts printed but their last words."""

from __future__ import annotations

import dataclasses
import json
import math

from agentinitd.daemon.built import Built, remembered, run_json, worn
from agentinitd.model.causes import Cause
from agentinitd.model.facts import Problem
from agentinitd.model.scripts import Script, ScriptRun
from agentinitd.model.snippets import Snippet

SCRIPT = Script(name="S50-pods", key="pods", order=50, layer="project", path="/p/S50-pods")
RUN = ScriptRun(
    script=SCRIPT,
    action="start",
    result="failed",
    reason="exit 1",
    output="SECRET OUTPUT",
    flags=("last-good",),
    exit_code=1,
    start_ms=1.26,
    duration_ms=2.34,
    err_tail="no such host\n",
)
BUILT = Built(
    run_id="i-1",
    runlevel="compact",
    trigger="marker",
    session_id="s",
    project="/p",
    causes=(),
    result="degraded",
    reason="",
    snippet=Snippet(id="abc", text="SECRET TEXT", tokens=9, language="en", kept=1, omitted=2),
    runs=(RUN,),
    problems=(
        Problem(file="a.md", line=3, message="is torn."),
        Problem(file="b.md", line=0, message="is gone."),
    ),
    digest="d",
    task_digest="t",
    duration_ms=12.345,
    built_at=1.0,
    finished_at=0.0,
)


def test_a_run_tells_its_result_its_size_and_its_scripts() -> None:
    told = run_json(BUILT)

    assert {
        name: told[name] for name in ("run", "at", "result", "tokens", "omitted", "snippet", "duration_ms")
    } == {
        "run": "i-1",
        "at": "1970-01-01T00:00:00.000000Z",
        "result": "degraded",
        "tokens": 9,
        "omitted": 2,
        "snippet": "abc",
        "duration_ms": 12.3,
    }
    assert told["problems"] == ["a.md:3: is torn.", "b.md: is gone."]
    [script] = told["scripts"]
    assert (script["script"], script["result"], script["exit"], script["flags"]) == (
        "S50-pods",
        "failed",
        1,
        ["last-good"],
    )
    assert (script["start_ms"], script["duration_ms"], script["err_tail"]) == (1.3, 2.3, "no such host\n")


def test_neither_the_snippet_nor_what_scripts_printed_is_in_it() -> None:
    assert "SECRET" not in json.dumps(run_json(BUILT))


def test_a_run_without_a_snippet_counts_nothing() -> None:
    told = run_json(dataclasses.replace(BUILT, snippet=None))

    assert (told["tokens"], told["omitted"], told["snippet"]) == (0, 0, None)


def test_a_worn_one_tells_only_what_it_was_built_for() -> None:
    cause = Cause(id="c", trigger="marker", turn=1, reason="")

    old = worn(dataclasses.replace(BUILT, causes=(cause,)))

    assert (old.causes, old.runlevel, old.built_at) == ((cause,), BUILT.runlevel, -math.inf)
    assert (old.snippet, old.composition, old.runs, old.rules, old.problems) == (None, None, (), (), ())


def test_a_run_that_is_remembered_tells_the_same_without_the_text() -> None:
    kept = remembered(BUILT)

    assert run_json(kept) == run_json(BUILT) == run_json(remembered(kept))
    assert "SECRET TEXT" not in repr(kept)
