"""What a rebuild waited for, in order, with what lies outside of scripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentinitd.cli.critical_chain import span_text
from agentinitd.cli.main import cli

Log = Callable[..., Path]
Records = Callable[..., list[Any]]


def test_from_the_row_in_the_transcript_to_the_reader(log_of: Log, rebuild_records: Records) -> None:
    log_of(*rebuild_records("i-1", S10_a=30.0, S20_b=400.0))

    told = json.loads(CliRunner().invoke(cli, ["critical-chain", "--json"]).output)

    assert [(step["name"], step["duration_ms"]) for step in told["steps"]] == [
        ("noticed", 40.0),
        ("waited to begin", 10.0),
        ("prepared", 2.0),
        ("S10-a", 30.0),
        ("between scripts", 2.0),
        ("S20-b", 400.0),
        ("composed", 5.0),
        ("delivered", 500.0),
    ]
    assert told["steps"][0]["note"] == "marker: compaction (auto)"
    assert (told["total_ms"], told["is_read"]) == (989.0, True)


def test_for_people_short_pauses_are_one_line(log_of: Log, rebuild_records: Records) -> None:
    log_of(*rebuild_records("i-1", S10_a=30.0, S20_b=400.0)[:-1])

    lines = CliRunner().invoke(cli, ["critical-chain"]).output.splitlines()

    assert [line.split()[:5] for line in lines[1:5]] == [
        ["@0.0", "ms", "+40.0", "ms", "noticed"],
        ["@40.0", "ms", "+10.0", "ms", "waited"],
        ["@52.0", "ms", "+30.0", "ms", "S10-a"],
        ["@84.0", "ms", "+400.0", "ms", "S20-b"],
    ]
    assert lines[-2].startswith("4.0 ms more in 2 short steps")
    assert "does not tell that it was read" in lines[-1]


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [
        (0.04, "0.0 ms"),
        (999.9, "999.9 ms"),
        (1500, "1.50 s"),
        (200_000, "3 min 20 s"),
        (7_500_000, "2 h 5 min"),
    ],
)
def test_spans_are_told_in_units_that_fit(milliseconds: float, text: str) -> None:
    assert span_text(milliseconds) == text
