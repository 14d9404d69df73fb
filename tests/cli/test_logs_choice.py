"""What of the log is shown, when not all of it is wanted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.logs_choice import since_of
from agentinitd.cli.main import cli
from agentinitd.daemon.paths import Places
from agentinitd.model.errors import AgentinitdError, UsageError

Run = Callable[..., list[str]]


def record(event: str, minute: int, level: str = "info", **fields: object) -> bytes:
    head = {"ts": f"2026-01-02T10:{minute:02}:00.000000Z", "level": level, "event": event}
    return json.dumps({**head, **fields}).encode() + b"\n"


@pytest.fixture
def shown(home: Path) -> Run:
    """The values of `n` of what is shown."""
    path = Places.from_environment({"HOME": str(home)}).log_file
    path.parent.mkdir(parents=True)
    one, two = {"run": "abc-1", "session": "s-one"}, {"run": "abc-2", "session": "s-two"}
    path.write_bytes(
        record("run.start", 1, **one, n="1")
        + record("script.end", 2, "warning", **one, script="S50-x", key="x", n="2")
        + b"no record\n"
        + record("run.start", 3, **two, n="3")
        + record("script.end", 4, **two, script="S50-x", key="x", n="4")
        + record("run.end", 5, **two, n="5")
    )

    def run(*words: str) -> list[str]:
        done: Result = CliRunner().invoke(cli, ["logs", "--json", *words], catch_exceptions=False)
        lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
        return [line["n"] for line in lines]

    return run


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (["--run", "abc-1"], "12"),
        (["--run", "2"], "345"),
        (["--run", "-1"], "345"),
        (["--run", "-2"], "12"),
        (["--script", "x"], "24"),
        (["--script", "S50-x", "-n", "1"], "4"),
        (["--session", "s-t"], "345"),
        (["--failed"], "2"),
        (["--since", "2026-01-02T10:04:00Z"], "45"),
        (["--since", "2026-01-02T10:01:30Z", "--failed", "--script", "x"], "2"),
        (["--run", "abc-9"], ""),
    ],
)
def test_what_is_wanted_is_shown(shown: Run, words: list[str], numbers: str) -> None:
    """LOG-6."""
    assert "".join(shown(*words)) == numbers


def test_what_cannot_be_meant_is_refused(shown: Run) -> None:
    with pytest.raises(AgentinitdError, match="tells of 2 rebuilds"):
        shown("--run", "-3")
    with pytest.raises(UsageError, match="'soon' is no time"):
        shown("--since", "soon")


def test_times_are_counted_back_or_told() -> None:
    assert since_of("90s", now=1000.0) == 910.0
    assert since_of("2h", now=10_000.0) == 2800.0
    assert since_of("1970-01-02T00:00:00+00:00", now=0.0) == 86400.0
