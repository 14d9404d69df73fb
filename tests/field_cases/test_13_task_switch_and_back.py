"""Field case 13: two tasks in one conversation; what is said "in this task" stays with its task."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CASE = "13-task-switch-and-back"
BILLING, DOCS = "billing-417", "docs-88"

Play = Callable[[], Any]


@pytest.fixture
def project(shared: Path, new_project: Callable[..., Path]) -> Path:
    """At the first task, with the states of both.  No rule is written down."""
    folder = new_project("shop")
    memory = folder / ".agent-memory"
    for task in (BILLING, DOCS):
        for name in ("anchors", "state"):
            (memory / "tasks" / task / name).mkdir(parents=True)
        state = shared / "field-cases" / CASE / f"state-{task}.json"
        shutil.copy(state, memory / "tasks" / task / "state" / "task_state.json")
    (memory / "state" / "default_task").write_text(f"{BILLING}\n")
    return folder


@pytest.fixture
def play(shared_daemon: Any, project: Path, play_case: Callable[..., Any]) -> Play:
    def switch(task: str) -> Callable[[Any], None]:
        def ask(session: Any) -> None:
            body = {"session": session.id, "task": task}
            status, answer = shared_daemon.ask("POST", "/v1/tasks/switch", body)
            assert (status, json.loads(answer)["task"]) == (200, task)

        return ask

    before = {9: switch(DOCS), 15: switch(BILLING)}
    return lambda: play_case(shared_daemon, CASE, "session.jsonl", project=project, before=before)


def test_each_switch_is_told_at_once_and_the_compaction_of_the_task_that_was_returned_to(play: Play) -> None:
    played = play()

    # In spite of the cool-down, and nothing else.
    assert list(played.snippets) == [0, 8, 14, 19]
    assert "partial refunds" in played.snippets[0] or "417" in played.snippets[0]
    # The rule of the second task is spoken after the switch to it.
    assert "services/billing/" not in played.snippets[8] and "提交信息一律中文" in played.snippets[8]
    for row in (14, 19):
        played.check(played.snippets[row], BILLING)


def test_the_snippet_of_the_other_task_is_its_own(play: Play, shared_daemon: Any, project: Path) -> None:
    played = play()

    status, body = shared_daemon.ask("GET", f"/v1/snippet?project={project}&task={DOCS}")

    assert status == 200
    played.check(body.decode(), DOCS)


def test_a_decision_of_one_task_is_not_found_in_the_other_unless_asked_for(
    shared_daemon: Any, project: Path
) -> None:
    log = project / ".agent-memory" / "tasks" / DOCS / "anchors" / "decision_log.md"
    log.write_text("- [决策] 快速开始拆成三章\n", encoding="utf-8")

    def recall(**words: str) -> str:
        query = "&".join(f"{name}={value}" for name, value in words.items())
        status, body = shared_daemon.ask("GET", f"/v1/recall?project={project}&q=%E4%B8%89%E7%AB%A0&{query}")
        assert status == 200
        return str(json.loads(body)["hits"])

    assert "三章" not in recall(task=BILLING)
    assert "三章" in recall(task=DOCS)
    assert "三章" in recall(all="1")


def test_the_rules_are_found_and_filed_under_the_task_they_were_said_in(play: Play, project: Path) -> None:
    played = play()

    memory = project / ".agent-memory"
    assert played.rules == ["提交信息一律中文"]
    for task, rule in ((BILLING, "只准改 services/billing/"), (DOCS, "代码一行都别动，只写 docs/")):
        text = (memory / "tasks" / task / "anchors" / "captured.md").read_text(encoding="utf-8")
        assert [line for line in text.splitlines() if line.startswith("- ")] == [f"- [约束] 这个任务里{rule}"]
