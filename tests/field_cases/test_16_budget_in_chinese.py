"""Field case 16: 42 rules, 30 decisions and 24 steps in Chinese, in 500 tokens, and the same bytes twice."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from agentinitd.snippet.tokens import TokenCounter, estimate

CASE = "16-budget-in-chinese"
TODAY = datetime(2026, 11, 20, 9, tzinfo=UTC)


def records(shared: Path, name: str) -> list[dict[str, Any]]:
    text = (shared / "field-cases" / CASE / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def item(tag: str, record: dict[str, Any]) -> str:
    """With its time as long ago as on the day of the case."""
    at = datetime.fromisoformat(record["at"]) + (datetime.now(UTC) - TODAY)
    fields = f"id: {record['id']}; last_updated: {at.isoformat()}; priority: {record.get('rank', 'normal')}"
    return f"- [{tag}] {record['text']}\n  <!-- {fields} -->\n"


@pytest.fixture
def served(daemon: Any, shared: Path) -> Any:
    daemon.anchors("".join(item("约束", each) for each in records(shared, "rules.jsonl")))
    log = "".join(item("决策", each) for each in records(shared, "decisions.jsonl"))
    daemon.anchors(log, name="decision_log.md")
    state = (shared / "field-cases" / CASE / "state.json").read_text(encoding="utf-8")
    folder = daemon.project / ".agent-memory" / "tasks" / "ledger-230" / "state"
    folder.mkdir(parents=True)
    (folder / "task_state.json").write_text(state, encoding="utf-8")
    (daemon.project / ".agent-memory" / "state" / "default_task").write_text("ledger-230\n")
    return daemon


def test_what_matters_is_complete_within_the_budget_and_the_same_twice(
    served: Any, new_session: Callable[..., Any], shared: Path
) -> None:
    snippet = new_session(served).starts()

    assert new_session(served).starts() == snippet
    # By the tokenizer, and by the count of one a Chinese character and one per four others.
    assert 300 <= TokenCounter().count(snippet) <= 500
    assert estimate(snippet) <= 500
    assert by_hand(snippet) <= 500

    lines = [line.removeprefix("- ") for line in snippet.splitlines()]
    rules = records(shared, "rules.jsonl")
    critical = [each["text"] for each in rules if each["rank"] == "critical"]
    assert len(critical) == 6
    for text in critical:
        assert any(line.startswith(text) for line in lines)
    for exact in ("ledger-230", "feat/ledger-230", "14/24", "第 14 步", "给分区 14 补上断点续跑"):
        assert exact in snippet
    whole = [each["text"] for each in (*rules, *records(shared, "decisions.jsonl"))]
    listed = [line for section in ("约束", "决策") for line in items_of(snippet, section)]
    assert listed and all(any(line.startswith(text) for text in whole) for line in listed)
    assert re.search(r"\d+ 条未列.*`agentinitd ", snippet)
    checks = json.loads((shared / "field-cases" / CASE / "checks.json").read_text(encoding="utf-8"))
    assert all(any(re.search(each, snippet) for each in alternatives) for alternatives in checks["must"])


def by_hand(text: str) -> int:
    """As the case counts without a tokenizer."""
    wide = len(re.findall(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]", text))
    return wide + (len(text) - wide) // 4


def items_of(snippet: str, section: str) -> list[str]:
    body = snippet.partition(f"## {section}\n")[2].partition("\n## ")[0].partition("\n\n")[0]
    return [line.removeprefix("- ") for line in body.splitlines()]
