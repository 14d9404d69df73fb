"""Records of the log, put together: also when some of them are missing or make no sense."""

from __future__ import annotations

from typing import Any

import pytest

from agentinitd.sessions.log_story import KEPT_RUNS, LogStory
from agentinitd.sessions.timeline import Around

OF = {"session": "s", "project": "/p", "trigger": "marker", "runlevel": "compact"}


def record(event: str, second: int, **fields: object) -> dict[str, Any]:
    head = {"ts": f"2026-11-30T10:00:{second:02}.000000Z", "mono": 500.0 + second, "instance": "i"}
    return {**head, "event": event, **OF, **fields}


def story(*records: dict[str, Any]) -> LogStory:
    told = LogStory()
    for each in records:
        told.see(each)
    return told


END = {"run": "r", "result": "ok", "duration_ms": 900.0, "snippet": "n"}


def test_cause_and_delivery_of_a_rebuild_are_found() -> None:
    told = story(
        record("trigger", 1, reason="compaction (auto)", detect_lag_ms=30.0),
        record("run.start", 2, run="r"),
        record("script.end", 2, run="r", script="S10-a", duration_ms=700.0),
        record("run.end", 3, **END),
        record("delivery", 4, result="put back", snippet="n"),
        record("delivery", 7, result="arrived", snippet="n", hook="UserPromptSubmit"),
    )

    assert told.around("r") == Around(
        lag_ms=30.0,
        waited_ms=1000.0,
        cause="marker: compaction (auto)",
        read_ms=4000.0,
        hook="UserPromptSubmit",
    )
    assert [script.script for script in told.runs[0].scripts] == ["S10-a"]
    assert [(mark.kind, mark.result) for mark in told.marks] == [("rebuild", "ok"), ("delivery", "arrived")]


def test_what_somebody_asked_for_in_between_takes_no_cause_away() -> None:
    told = story(
        record("trigger", 1),
        record("run.start", 2, run="asked", trigger="manual"),
        record("run.end", 3, **{**END, "run": "asked", "trigger": "manual"}),
        record("run.start", 4, run="r"),
        record("run.end", 5, **END),
    )

    assert told.around("asked").waited_ms is None
    assert told.around("r").waited_ms == 3000.0


def test_the_clock_of_a_life_of_the_daemon_counts_more_than_that_on_the_wall() -> None:
    jumped = {**record("run.start", 0, run="r"), "mono": 502.0}
    told = story(record("trigger", 1), jumped, record("run.end", 5, **END))

    assert told.around("r").waited_ms == 1000.0


@pytest.mark.parametrize(
    "damaged",
    [{"ts": None}, {"ts": "yesterday"}, {"run": 7}, {"duration_ms": "long"}, {"event": ["run.end"]}],
)
def test_records_that_make_no_sense_are_passed_over(damaged: dict[str, Any]) -> None:
    assert (
        story({**record("run.end", 1, **END), **damaged}, record("run.end", 2, **END))
        .runs[0]
        .at.endswith("02.000000Z")
    )


def test_a_rebuild_whose_begin_was_rotated_away_is_told_without_it() -> None:
    told = story(record("run.end", 3, **END))

    assert (told.runs[0].duration_ms, told.runs[0].scripts) == (900.0, ())
    assert told.around("r") == Around()


def test_only_the_last_ones_are_kept() -> None:
    told = LogStory()
    for number in range(KEPT_RUNS + 5):
        told.see(record("run.start", 1, run=f"r-{number}"))
        told.see(record("run.end", 2, **{**END, "run": f"r-{number}"}))

    assert len(told.runs) == KEPT_RUNS
    assert told.runs[-1].run == f"r-{KEPT_RUNS + 4}"
