"""`agentinitd decisions`: what was decided is recorded and shown, whether or not a daemon runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.decisions import decisions
from agentinitd.model.errors import UsageError

Run = Callable[..., Result]


@pytest.fixture
def run(new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(new_project("p"))
    return lambda *words: CliRunner().invoke(decisions, words, catch_exceptions=False)


def test_the_story_of_a_choice_can_be_read(run: Run) -> None:
    at = "--decided"
    run("add", "sessions", "in", "Redis", "--id", "d1", "--topic", "cache", at, "2025-11-02T12:00:00Z",
        "--because", "fast", "--instead-of", "files", "--instead-of", "Memcached")  # fmt: skip
    run("supersede", "d1", "in Postgres", "--id", "d3", at, "2025-11-05T12:00:00Z")
    run("add", "never mind", "--restores", "d1", "--id", "d4", at, "2025-11-09T12:00:00Z")
    late = run("add", "in memory", "--topic", "cache", "--id", "d5", at, "2025-11-08T12:00:00Z")
    run("add", "a longer timeout", "--failed", "--id", "d6", at, "2025-11-01T12:00:00Z")

    assert late.stdout == "d5  .agent-memory/anchors/decision_log.md\n"
    assert late.stderr == (
        "d1 holds too, about the same topic. Settle it: agentinitd decisions supersede d1 TEXT\n"
    )
    assert run("list").stdout.splitlines() == [
        "d1  2025-11-02  cache  holds again, through d4 on 2025-11-09",
        "  sessions in Redis",
        "  why: fast",
        "  instead of: files / Memcached",
        "  d4  2025-11-09  cache  brings back d1",
        "    never mind",
        "  d5  2025-11-08  cache  CONFLICT, unsettled, with d1",
        "    in memory",
        "  d3  2025-11-05  cache  WITHDRAWN, replaced by d4 on 2025-11-09",
        "    in Postgres",
        "d6  2025-11-01  tried in vain",
        "  a longer timeout",
    ]


def test_what_lies_in_the_future_was_not_decided_yet(run: Run, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="2999-01-01 lies in the future"):
        run("add", "use Redis", "--decided", "2999-01-01")

    assert not (tmp_path / "p" / ".agent-memory" / "anchors" / "decision_log.md").exists()


def test_of_many_that_were_replaced_the_last_ones_are_shown(run: Run) -> None:
    run("add", "choice 0", "--id", "d0")
    for number in range(1, 6):
        run("supersede", f"d{number - 1}", f"choice {number}", "--id", f"d{number}")

    assert run("list").stdout.splitlines()[-1] == "  2 more that were replaced: --all"
    assert "d0" in run("list", "--all").stdout
    assert "d0" not in run("list").stdout


def test_what_is_over_as_a_whole_is_shown_when_all_is_asked_for(run: Run) -> None:
    log = Path(".agent-memory/anchors/decision_log.md")
    log.write_text("- [decision] once <!-- id: d1; status: ended; ended: 2025-11-03T12:00:00Z -->\n")

    assert (run("list").stdout, run("list").stderr) == ("", "None holds any more. All: --all\n")
    assert run("list", "--all").stdout == "d1  WITHDRAWN on 2025-11-03\n  once\n"


def test_programs_get_objects(run: Run) -> None:
    added = json.loads(run("add", "Redis", "--topic", "cache", "--json").stdout)
    conflict = json.loads(run("add", "Postgres", "--topic", "cache", "--json").stdout)
    listed = json.loads(run("list", "--json").stdout)

    assert added["conflicts"] == []
    assert conflict["conflicts"] == [added["decision"]["id"]]
    [chain] = listed["chains"]
    assert chain["topic"] == "cache"
    assert [(each["text"], each["standing"]) for each in chain["decisions"]] == [
        ("Postgres", "current"),
        ("Redis", "conflict"),
    ]


def test_an_empty_log_and_a_mistake_are_named(run: Run) -> None:
    assert (run("list").stdout, run("list").stderr) == ("", "No decision is recorded.\n")
    with pytest.raises(UsageError, match="soon"):
        run("add", "x", "--decided", "soon")
    with pytest.raises(UsageError, match="d9"):
        run("supersede", "d9", "x")


def test_what_was_captured_is_listed_and_marked(
    new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    captured = (
        "- [decision] let's go with Postgres <!-- id: x-1; captured: decision; source: s:7 -->\n"
        "- [constraint] 就用 Kafka 吧 <!-- id: x-2; captured: rule; outcome: adopted; source: s:9 -->\n"
        "- [constraint] never push <!-- id: x-3; captured: rule; source: s:10 -->\n"
    )
    monkeypatch.chdir(new_project("p", captured=captured))

    listed = CliRunner().invoke(decisions, ["list"], catch_exceptions=False).stdout.splitlines()
    assert listed == [
        "x-2  captured from s:9", "  就用 Kafka 吧", "x-1  captured from s:7", "  let's go with Postgres",
    ]  # fmt: skip

    told = json.loads(CliRunner().invoke(decisions, ["list", "--json"]).stdout)["chains"]
    assert [chain["decisions"][0]["captured"] for chain in told] == ["rule", "decision"]
