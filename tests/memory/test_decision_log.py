"""The decision log on disk: appended to and never changed, and read back as chains."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agentinitd.memory.decision_chains import chain_json
from agentinitd.memory.decision_log import NewDecision, add_decision, chains, time_of
from agentinitd.memory.store import MemoryStore, recorded
from agentinitd.memory.tasks import new_task
from agentinitd.model.errors import MemoryRefused, UsageError

NOW = 1_795_000_000.0
DAY = 86_400.0


class Log:
    def __init__(self, project: Path) -> None:
        self.project = project
        self.path = project / ".agent-memory" / "anchors" / "decision_log.md"

    def add(self, text: str, name: str = "", **more: Any) -> tuple[str, ...]:
        """Ids of what it is at odds with."""
        new = NewDecision(text=text, id=name or None, **more)
        return add_decision(self.project, new, now=NOW).conflicts

    def shown(self, **asked: Any) -> list[list[tuple[str, str]]]:
        """Of each chain id and standing of its members."""
        found = (chain_json(chain) for chain in chains(self.project, **asked))
        return [[(each["id"], each["standing"]) for each in chain["decisions"]] for chain in found]


@pytest.fixture
def log(new_project: Callable[..., Path]) -> Log:
    return Log(new_project("p"))


def test_everything_that_was_said_is_written_down_and_read_again(log: Log) -> None:
    log.add(
        "sessions in\n Redis",
        because="one part less",
        instead_of=("Memcached", "files; plain"),
        topic="session cache",
        decided_at=NOW - DAY,
        source="s-1:42",
    )
    [decision] = recorded(log.project)

    assert (decision.what, decision.why, decision.topic) == (
        "sessions in Redis",
        "one part less",
        "session cache",
    )
    assert (decision.instead_of, decision.source) == ("Memcached / files; plain", "s-1:42")
    assert (decision.written_at, decision.recorded_at) == (NOW - DAY, NOW)
    assert decision.id.startswith("d-")


def test_the_log_is_only_ever_appended_to(log: Log) -> None:
    head = "\ufeff---\r\nlast_updated: 2026-11-01\r\n---\r\n"
    odd = head + "- [decision] odd   spacing \r\n  <!-- id: d0 -->\r\n\r\nfree text"
    log.path.write_bytes(odd.encode())
    before = log.path.read_bytes()

    for number, more in enumerate([{}, {"supersedes": ("d0",)}, {"restores": "d0"}]):
        log.add(f"decision {number}", **more)
        after = log.path.read_bytes()
        assert after.startswith(before)
        before = after


def test_what_is_brought_back_needs_no_other_word(log: Log) -> None:
    log.add("Redis", "d1", topic="cache", decided_at=NOW - 3 * DAY)
    log.add("Postgres", "d3", supersedes=("d1",), decided_at=NOW - 2 * DAY)
    log.add("never mind", "d4", restores="d1", decided_at=NOW - DAY)

    assert log.shown() == [[("d1", "restored"), ("d4", "restores"), ("d3", "replaced")]]
    back = recorded(log.project)[-1]
    assert (back.supersedes, back.restores, back.topic) == ("d3", "d1", "cache")
    [served] = MemoryStore().load(log.project).decisions
    assert served.what == "Redis"


def test_a_conflict_is_said_at_once_and_stands_in_the_list_and_in_status(log: Log) -> None:
    log.add("Redis", "d1", topic="cache")
    assert log.add("process memory", "d5", topic="Cache", decided_at=NOW - DAY) == ("d1",)

    assert log.shown() == [[("d1", "current"), ("d5", "conflict")]]
    problems = [
        problem.text for problem in MemoryStore().load(log.project).problems if not problem.is_absence
    ]
    assert len(problems) == 1 and "d5 and d1 are both about `cache`" in problems[0]

    assert log.add("Redis it is", "d6", supersedes=("d1", "d5")) == ()
    assert [
        problem.text for problem in MemoryStore().load(log.project).problems if not problem.is_absence
    ] == []


def test_chains_come_newest_first_and_by_topic(log: Log) -> None:
    log.add("a", "a", topic="x", decided_at=NOW - 3 * DAY)
    log.add("b", "b", topic="y", decided_at=NOW - 2 * DAY)
    log.add("c", "c", supersedes=("a",), decided_at=NOW - DAY)

    assert log.shown() == [[("c", "current"), ("a", "replaced")], [("b", "current")]]
    assert log.shown(topic=" Y") == [[("b", "current")]]
    assert log.shown(topic="z") == []


def test_a_task_has_decisions_of_its_own_and_may_replace_for_itself(log: Log) -> None:
    for name in ("one", "two"):
        new_task(log.project, name, goal="", pending=(), by="user", now=NOW)
    log.add("for all", "d1")
    log.add("for one", "d2", task="one", supersedes=("d1",))

    assert log.shown(task="one") == [[("d2", "current"), ("d1", "replaced")]]
    assert log.shown(task="two") == log.shown() == [[("d1", "current")]]
    assert "for one" not in log.path.read_text()
    with pytest.raises(UsageError, match="d2"):
        log.add("for two", task="two", supersedes=("d2",))


def test_the_same_words_may_be_decided_again_after_something_else(log: Log) -> None:
    log.add("Redis", topic="cache")
    [first] = recorded(log.project)
    with pytest.raises(MemoryRefused, match=f"{first.id} says the same"):
        log.add("Redis")
    log.add("Postgres", "d2", supersedes=(first.id,))
    log.add("Redis", supersedes=("d2",))

    assert log.shown() == [[(f"{first.id}-2", "current"), ("d2", "replaced"), (first.id, "replaced")]]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"text": " \n"}, "needs words"),
        ({"supersedes": ("d2",)}, "Did you mean d1"),
        ({"restores": "quokka"}, "list --all"),
        ({"restores": "d1"}, "nothing to bring back"),
        ({"name": "d1"}, "has the id d1 already"),
        ({"name": "no id"}, "id"),
        ({"because": "the key is sk-ant-api03-" + "aB3" * 20}, "credential"),
        ({"text": "x" * 5000}, "4,000"),
        ({"task": "nowhere"}, "nowhere"),
        ({"task": "../up"}, "name"),
        ({"decided_at": float("nan")}, "no time"),
        ({"text": "<!-- hidden -->"}, "."),
    ],
)
def test_what_cannot_be_recorded_is_refused_with_a_word_and_leaves_no_trace(
    log: Log, more: dict[str, Any], said: str
) -> None:
    log.add("Redis", "d1")
    before = log.path.read_bytes()

    with pytest.raises((UsageError, MemoryRefused), match=said):
        log.add(**{"text": "another", **more})
    assert log.path.read_bytes() == before


def test_many_at_once_lose_nothing(log: Log) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: log.add(f"decision {number}", f"d{number}"), range(40)))

    assert {anchor.id for anchor in recorded(log.project)} == {f"d{number}" for number in range(40)}


def test_times_that_cannot_be_read_are_named() -> None:
    assert time_of("2026-11-18") == 1_794_960_000.0
    with pytest.raises(UsageError, match="soon"):
        time_of("soon")
