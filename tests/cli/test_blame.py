"""Who took how long: from the log when no daemon runs, from the daemon when one does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentinitd.cli.main import cli
from agentinitd.cli.past_runs import merged
from agentinitd.sessions.timeline import RunTime

Log = Callable[..., Path]
Records = Callable[..., list[Any]]


def blamed(*words: str) -> Any:
    done = CliRunner().invoke(cli, ["blame", *words, "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_without_a_daemon_the_log_tells_the_slowest_first(log_of: Log, rebuild_records: Records) -> None:
    log_of(*rebuild_records("i-1", S10_a=5.0, S20_b=400.0, S30_c=20.0))

    told = blamed()

    assert [each["script"] for each in told["scripts"]] == ["S20-b", "S30-c", "S10-a"]
    assert (told["run"], told["source"], told["duration_ms"]) == ("i-1", "log", 436.0)
    assert told["outside_ms"] == 11.0
    assert told["scripts"][0]["share_percent"] == pytest.approx(91.7)


def test_the_last_one_is_meant_unless_an_id_is_given(log_of: Log, rebuild_records: Records) -> None:
    log_of(*rebuild_records("one-1", S10_a=1.0), *rebuild_records("one-2", at=9.0, S10_a=3.0))

    assert blamed()["run"] == "one-2"
    assert blamed("one-1")["run"] == blamed("1")["run"] == "one-1"
    assert (blamed("2")["scripts"][0]["p50_ms"], blamed("2")["scripts"][0]["p95_ms"]) == (1.0, 3.0)


def test_an_id_that_may_be_several_or_none_is_refused_by_name(log_of: Log, rebuild_records: Records) -> None:
    log_of(*rebuild_records("one-1", S10_a=1.0), *rebuild_records("one-2", at=9.0, S10_a=3.0))

    for word, said in (("one", "may be one-1, one-2"), ("xyz", "No rebuild xyz is known. The latest: one-1")):
        done = CliRunner().invoke(cli, ["blame", word])
        assert said in str(done.exception)


def test_what_the_log_lost_is_no_newer_than_what_it_kept() -> None:
    of_before, first, second = (RunTime(run=name, at="t") for name in ("old-9", "new-1", "new-2"))

    assert list(merged([of_before, second], [first, second])) == ["old-9", "new-1", "new-2"]


def test_without_any_rebuild_it_says_what_to_do(home: Path) -> None:  # noqa: ARG001 - fresh
    done = CliRunner().invoke(cli, ["blame"])

    assert "Run `agentinitd rebuild`" in str(done.exception)


def test_people_read_a_table_whose_columns_hold_whatever_a_script_is_called(
    log_of: Log, rebuild_records: Records
) -> None:
    records = rebuild_records("i-1", S10_a=5.0, **{f"S20_{'long' * 30}": 7.0})
    records[2][2].update(result="failed", reason="exit 1\n\x1b[31m", flags=["last-good"], maxrss_kb=2048)
    log_of(*records)

    lines = CliRunner().invoke(cli, ["blame"]).output.splitlines()

    assert "…" in lines[2]
    assert lines[3].endswith("failed (last-good): exit 1  [31m")
    assert "2.0 MiB" in lines[3]
    assert lines[4].split() == ["9.0", "ms", "42.9", "%", "outside", "of", "scripts"]


def test_a_daemon_that_runs_is_asked(daemon: Any, new_session: Callable[..., Any]) -> None:
    daemon.anchors("- [constraint] Install with pnpm, never npm\n")
    session = new_session(daemon)
    assert "pnpm" in session.starts()

    told = json.loads(daemon.command("blame", "--json").stdout)
    chain = json.loads(daemon.command("critical-chain", "--json").stdout)

    assert (told["source"], chain["source"]) == ("daemon", "daemon")
    assert {each["layer"] for each in told["scripts"]} == {"vendor"}
    assert (chain["session"], chain["trigger"]) == (session.id, "session")
    assert next(step["name"] for step in chain["steps"] if step["kind"] == "script") == "S10-constraints"
    assert chain["total_ms"] >= told["duration_ms"] > 0
