"""Field case 13, capture: a rule of a task holds in that task only, one for all tasks in all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentinitd.cli.replay_snippet import snippet_of
from agentinitd.memory.capture.captured_file import PROJECT_FILE, record, task_file
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.memory.captured_serving import with_captured
from agentinitd.memory.store import MemoryStore

CASE = "13-task-switch-and-back"
STRETCHES = ((1, 8, "billing-417"), (9, 14, "docs-88"), (15, 22, "billing-417"))
TASKS = ("billing-417", "docs-88")


@pytest.fixture
def project(shared: Path, new_project: Callable[..., Path], read_events: Callable[..., Any]) -> Path:
    """The log was heard while the tasks were switched as the case says."""
    case = shared / "field-cases" / CASE
    memory = new_project("orchard") / ".agent-memory"
    for task in TASKS:
        (memory / "tasks" / task / "anchors").mkdir(parents=True)
        (memory / "tasks" / task / "state").mkdir()
        state = (case / f"state-{task}.json").read_text(encoding="utf-8")
        (memory / "tasks" / task / "state" / "task_state.json").write_text(state, encoding="utf-8")
    listener = Listener("s", readers=built_in())
    events = read_events(case / "session.jsonl")
    for first, last, task in STRETCHES:
        proposals = listener.hear([event for event in events if first <= event.line <= last])
        _write(memory, proposals, task)
    return memory.parent


def _write(memory: Path, proposals: Any, task: str) -> None:
    files = (PROJECT_FILE, task_file(task))
    texts = {file: (memory / file).read_text("utf-8") if (memory / file).exists() else None for file in files}
    for file, text in record(texts, proposals, session="s", now=0, task_id=task)[0].items():
        (memory / file).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("task", TASKS)
def test_each_task_is_served_its_own_rules_and_those_for_all(
    project: Path, task: str, shared: Path, check_case: Callable[..., None]
) -> None:
    memory = with_captured(MemoryStore().load(project, task), session_id="s", task_id=task, capture="auto")

    text = snippet_of(memory, now=0.0, budget_tokens=500).text

    check_case(shared / "field-cases" / CASE, text, part=task)
