"""FAIL-4: a script that fails again and again waits longer each time, until it changes or a person asks."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from laying import RUN_ID, House, run_settings, write

from agentinitd.model.scripts import Failing, Flag, Result, Script, ScriptRun
from agentinitd.rc import backoff
from agentinitd.rc.request import RunRequest
from agentinitd.rc.sequence import run_sequence

SCRIPT = Script(name="S50-a", key="a", order=50, layer="user", path="/u/S50-a", sha256="aa")
NOW = 1_700_000_000.0


def ran(
    result: Result, *, script: Script = SCRIPT, exit_code: int | None = 1, flags: tuple[Flag, ...] = ()
) -> ScriptRun:
    return ScriptRun(
        script=script, action="start", result=result, exit_code=exit_code, flags=flags, duration_ms=1.0
    )


def failed(times: int, *, exit_code: int = 1) -> tuple[Failing, ...]:
    known: tuple[Failing, ...] = ()
    for _ in range(times):
        known = backoff.after(known, [ran("failed", exit_code=exit_code)], NOW)
    return known


@pytest.mark.parametrize(
    ("times", "seconds"), [(2, 0), (3, 60), (4, 120), (5, 240), (6, 480), (7, 600), (99, 600)]
)
def test_each_failure_makes_the_wait_longer(times: int, seconds: int) -> None:
    known = failed(times)
    assert backoff.why_held(SCRIPT, known, NOW + seconds) == ""
    held = backoff.why_held(SCRIPT, known, NOW + seconds - 1)
    assert held == (f"backoff: failed {times} times in a row; tried again in 1 s" if seconds else "")
    assert len(backoff.held(known)) == (1 if seconds else 0)


def test_other_bytes_or_one_success_begin_anew() -> None:
    known = failed(3)
    assert backoff.why_held(replace(SCRIPT, sha256="bb"), known, NOW) == ""
    other = backoff.after(known, [ran("failed", script=replace(SCRIPT, sha256="bb"))], NOW)
    assert [(each.sha256, each.times) for each in other] == [("bb", 1)]
    for good in (ran("ok", exit_code=0), ran("empty", exit_code=0), ran("skipped", exit_code=6)):
        assert backoff.after(known, [good], NOW) == ()


def test_125_is_final_and_75_does_not_count() -> None:
    final = failed(1, exit_code=125)
    assert "exit 125" in backoff.why_held(SCRIPT, final, NOW + 1e9)
    assert backoff.why_held(replace(SCRIPT, sha256="bb"), final, NOW) == ""
    assert failed(9, exit_code=75) == ()


@pytest.mark.parametrize(
    "run",
    [
        ran("failed", flags=("backoff",)),
        ran("ok", flags=("cached",)),
        replace(ran("timeout", exit_code=None), duration_ms=0.0),
        replace(ran("skipped", exit_code=None), duration_ms=0.0),
        ran("aborted", exit_code=None),
        replace(ran("failed"), action="stop"),
    ],
    ids=["held", "cached", "no time left", "dependency", "called off", "stop"],
)
def test_what_was_not_tried_to_its_end_counts_for_nothing(run: ScriptRun) -> None:
    assert backoff.after(failed(2), [run], NOW + 1) == failed(2)


def test_a_clock_that_was_set_back_keeps_nobody_waiting() -> None:
    assert backoff.why_held(SCRIPT, failed(3), NOW - 3600) == ""


def test_a_held_script_is_not_run_and_its_last_good_output_stands_in(house: House) -> None:
    body = 'cd "$AGENTINITD_STATE_DIR"; echo x >> tries; test -e bad && exit 1; echo good'
    write(house.init_d("user", "S50-a"), f"#!/bin/sh\n{body}\n")
    folder = house.base / "state" / "sessions" / "abc"
    request = RunRequest(
        run_id=RUN_ID,
        session_id="abc",
        session_dir=folder,
        project_root=house.project,
        task_id=None,
        trigger="marker",
        runlevel="compact",
    )

    def run(request: RunRequest) -> ScriptRun:
        steps, settings = house.steps("compact"), run_settings(house)
        return run_sequence(steps, request, settings, now=lambda: NOW, cancel=threading.Event())[0]

    def tries(folder: Path) -> int:
        return len((folder / "tries").read_text().splitlines())

    assert run(request).output == "good\n"
    (folder / "bad").touch()
    for _ in range(3):
        one = run(request)
        request = replace(request, failing=backoff.after(request.failing, [one], NOW))
    assert tries(folder) == 4
    held = run(request)
    assert (held.result, held.output, held.flags) == ("failed", "good\n", ("backoff", "last-good"))
    assert "tried again in 60 s" in held.reason
    assert tries(folder) == 4
    assert run(replace(request, is_forced=True)).flags == ("last-good",)
    assert tries(folder) == 5
