"""Field case 12: a decision is replaced, brought back in other words, and contradicted by a late record."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agentinitd.memory.decision_log import NewDecision, add_decision
from agentinitd.memory.recall import recall
from agentinitd.memory.recall_answer import Question, answer_json

TODAY = datetime(2026, 11, 11, 12, tzinfo=UTC)
CHAIN = ["d1", "d4", "d5", "d3"]


@pytest.fixture
def records(shared: Path) -> list[dict[str, Any]]:
    text = (shared / "field-cases" / "12-conflicting-decisions" / "decisions.jsonl").read_text(
        encoding="utf-8"
    )
    return [json.loads(line) for line in text.splitlines()]


def seconds(stamp: str) -> float:
    """As long ago as it was on the day of the case."""
    return (datetime.fromisoformat(stamp) + (datetime.now(UTC) - TODAY)).timestamp()


@pytest.fixture
def served(daemon: Any, records: list[dict[str, Any]]) -> Any:
    """A daemon whose project has the case's records, in file order and with both times."""
    for record in records:
        decision = NewDecision(
            text=record["text"],
            id=record["id"],
            topic=record["topic"],
            supersedes=tuple(filter(None, [record.get("supersedes")])),
            restores=record.get("restores"),
            decided_at=seconds(record["at"]),
        )
        add_decision(daemon.project, decision, now=seconds(record["recorded_at"]))
    return daemon


def test_the_snippet_names_one_home_of_the_cache_that_can_be_understood(
    served: Any, new_session: Callable[..., Any], shared: Path
) -> None:
    snippet = new_session(served).starts()

    [section] = [part for part in snippet.split("\n## ") if part.startswith(("决策", "Decisions"))]
    items = section.split("\n- ")[1:]
    [cache] = [item for item in items if "缓存" in item]
    assert cache.startswith("会话缓存用 Redis")
    assert any("限流计数也放 Redis" in item for item in items)
    assert "Postgres" not in snippet and "进程" not in snippet and "LRU" not in snippet
    # What brought it back gives the reason; it does not stand there by itself.
    assert not any(item.startswith("算了") for item in items)
    assert "写放大" in cache
    # To be settled: said in neutral words.
    assert any("session cache" in item and "d5" in item for item in items)
    problems = [text for memory in served.get("/v1/status")["memory"] for text in memory["problems"]]
    assert any("d5 and d1 are both about `session cache`" in text for text in problems)
    checks = json.loads((shared / "field-cases" / "12-conflicting-decisions" / "checks.json").read_text())
    assert all(any(re.search(each, snippet) for each in alternatives) for alternatives in checks["must"])
    assert not any(re.search(each, snippet) for each in checks["must_not"])


def test_each_search_gives_the_whole_chain_the_current_answer_first(served: Any) -> None:
    for query in ("会话缓存", "缓存", "Postgres"):
        found = answer_json(recall(served.project, Question(text=query)))["hits"]

        assert [hit["id"] for hit in found] == CHAIN
        redis, back, memory, postgres = found
        assert (redis["standing"], redis["withdrawn"], redis["restored_by"]) == ("restored", False, "d4")
        assert (back["restores"], back["replaces"]) == (["d1"], ["d3"])
        assert (memory["standing"], memory["conflicts_with"]) == ("conflict", "d1")
        assert (postgres["standing"], postgres["replaced_by"]) == ("replaced", "d4")
        assert postgres["since"]


def test_the_same_by_the_command_line_and_settled_by_it(
    daemon: Any, records: list[dict[str, Any]], new_session: Callable[..., Any]
) -> None:
    for record in records:
        words = ["--id", record["id"], "--topic", record["topic"], "--decided", record["at"]]
        words += ["--supersedes", record["supersedes"]] if "supersedes" in record else []
        words += ["--restores", record["restores"]] if "restores" in record else []
        done = daemon.command("decisions", "add", record["text"], *words)
        assert done.returncode == 0, done.stderr
    snippet = new_session(daemon).starts()
    assert "会话缓存用 Redis" in snippet and "进程" not in snippet and "Postgres" not in snippet
    assert "CONFLICT, unsettled, with d1" in daemon.command("decisions", "list").stdout

    done = daemon.command(
        "decisions", "add", "会话缓存只用 Redis", "--supersedes", "d5", "--supersedes", "d1"
    )
    assert (done.returncode, done.stderr) == (0, "")
    settled = new_session(daemon).starts()
    assert "会话缓存只用 Redis" in settled and "session cache (" not in settled
