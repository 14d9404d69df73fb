"""The task state in the snippet: what is done takes one line, and a claim is called one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agentinitd.memory.plan_mirror import mirrored
from agentinitd.memory.task_state import served_state
from agentinitd.model.events import PlanStep

SCRIPT = Path(__file__).resolve().parents[2] / "init.d" / "S30-task-state"
FIELD_CASE = "field-cases/10-summary-is-not-the-record"


def printed(state: dict[str, Any], language: str = "en") -> list[str]:
    given = json.dumps({"memory": {"language": language, "task_state": served_state(state)}})
    done = subprocess.run(
        [sys.executable, SCRIPT, "start"], input=given.encode(), capture_output=True, check=True, timeout=20
    )
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize(
    ("language", "line"),
    [("en", "- Done: 2/3 (1 claimed)"), ("zh", "- 已完成: 2/3（1 步仅由代理自称）")],
)
def test_what_only_the_agent_calls_done_is_called_claimed(language: str, line: str) -> None:
    steps = (PlanStep(text="write", status="done"), PlanStep(text="docs", status="pending"))

    lines = printed(mirrored({"completed": ["read"]}, steps), language)
    assert f"{line} <!-- priority: low -->" in lines


def test_how_the_last_checks_came_out_takes_one_line_and_what_is_ours_none() -> None:
    results = [
        {"check": name, "kind": "lint", "result": result, "at": "2026-11-30T14:02:00Z", "call": "c"}
        for name, result in (("pytest", "passed"), ("ruff", "failed"))
    ]

    assert printed({"last_results": results, "blocked_by_rule": ["x"], "plan_at": "2026"}) == [
        "- Checks: pytest passed 2026-11-30 14:02 UTC; ruff failed 2026-11-30 14:02 UTC"
        " <!-- priority: low -->"
    ]


@pytest.mark.parametrize(("file", "count"), [("state-1.json", "2/5"), ("state-2.json", "3/5")])
def test_finished_steps_take_up_one_line_in_the_field(shared: Path, file: str, count: str) -> None:
    lines = printed(json.loads((shared / FIELD_CASE / file).read_text(encoding="utf-8")))

    assert [line for line in lines if "Audit" in line or "Inventory" in line] == []
    assert [line for line in lines if count in line] == [f"- Done: {count} <!-- priority: low -->"]
