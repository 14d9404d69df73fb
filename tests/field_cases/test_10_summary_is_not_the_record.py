"""Field case 10: a summary claims what was never said; the recorded state wins, and its change is told."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CASE = "10-summary-is-not-the-record"
TASK = "ui-migration-52"


@pytest.fixture
def played(
    shared: Path, shared_daemon: Any, new_project: Callable[..., Path], play_case: Callable[..., Any]
) -> Any:
    """With the first state up to row 18, with the second one from there.  No rule is written down."""
    project = new_project("settings-pages")
    state = project / ".agent-memory" / "tasks" / TASK / "state" / "task_state.json"
    state.parent.mkdir(parents=True)
    (project / ".agent-memory" / "state" / "default_task").write_text(TASK)

    def store(name: str) -> None:
        shutil.copy(shared / "field-cases" / CASE / name, state)

    store("state-1.json")
    before = {19: lambda _session: store("state-2.json")}
    return play_case(shared_daemon, CASE, "session.jsonl", project=project, before=before)


def test_the_recorded_step_is_told_and_not_the_summarys_and_its_change_makes_a_slim_one_due(
    played: Any,
) -> None:
    assert list(played.snippets) == [0, 9, 18]
    after_compaction, after_change = played.snippets[9], played.snippets[18]

    played.check(after_compaction, "A")
    assert "Port the notification page" in after_compaction
    played.check(after_change, "B")
    assert "Port the login page" in after_change
    # The state alone, and shorter.
    assert played.session.seen()["last_delivery"]["runlevel"] == "slim"
    assert len(after_change) < len(after_compaction)
    assert "错误码" not in after_change
    for snippet in (after_compaction, after_change):
        lines = [line for line in snippet.splitlines() if "Audit" in line or "Done" in line]
        assert len(lines) <= 1
        assert "start over" not in snippet.lower()


def test_the_change_is_in_the_history_of_the_task(played: Any) -> None:
    answer = played.session.daemon.get(f"/v1/tasks/{TASK}?project={played.session.project}&history=1")

    first, last = answer["history"]
    assert (first["by"], last["by"]) == ("file", "file")
    assert "Port the notification page: in_progress → completed" in last["changes"]


def test_the_rule_that_was_said_is_stored_and_the_one_that_was_invented_is_not(played: Any) -> None:
    everything = [
        path.read_text(encoding="utf-8")
        for path in (Path(played.session.project) / ".agent-memory").rglob("captured.md")
    ]

    assert played.rules == ["错误码一个都不能变"]
    assert played.rows() == [5]
    assert "错误码" in played.snippets[9]
    assert not any("pull request" in text.lower() for text in everything)
    # What the person asked for in row 1 was over in row 5, whatever the summary says.
    audits = [text for text in everything if "只读" in text]
    assert all("status: ended" in text for text in audits)
    for snippet in (played.snippets[9], played.snippets[18]):
        assert "只读" not in snippet and "不要改代码" not in snippet
