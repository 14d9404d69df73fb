"""Field case 11: exact values and dead ends survive a compaction whose summary has none of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentinitd.memory.decision_log import NewDecision, add_decision, time_of
from agentinitd.memory.recall import recall
from agentinitd.memory.recall_answer import Question
from agentinitd.snippet.tokens import TokenCounter, estimate

CASE = "11-exact-values-and-dead-ends"


@pytest.fixture
def loaded(daemon: Any, shared: Path) -> Any:
    """A daemon whose project has the case's state and decisions."""
    case = shared / "field-cases" / CASE
    daemon.task_state(json.loads((case / "state.json").read_text(encoding="utf-8")))
    for line in (case / "decisions.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        decision = NewDecision(
            text=record["text"],
            id=record["id"],
            is_failed=record["kind"] == "tried_failed",
            supersedes=tuple(filter(None, [record.get("supersedes")])),
            decided_at=time_of(record["at"]),
        )
        add_decision(daemon.project, decision, now=time_of(record["at"]))
    return daemon


def test_after_the_compaction_everything_is_there_to_the_character(
    loaded: Any, play_case: Callable[..., Any]
) -> None:
    (loaded.project / ".git").mkdir()
    (loaded.project / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    played = play_case(loaded, CASE, "session.jsonl", project=loaded.project)
    snippet = played.snippets[max(played.snippets)]

    assert len(played.snippets) == 2  # at the start, and after the compaction
    for exact in (
        "feat/ocr-retry-417",
        "/srv/code/orchard-wt-417",
        "5433",
        'pytest -q -n 4 -k "not slow" tests/ocr --randomly-seed=20931',
        "Make the retry reuse the open page handle in ocr/client.py",
    ):
        assert exact in snippet
    played.check(snippet)
    tells_dead_ends_with_their_reason(snippet.splitlines())
    # The session is in the main checkout.
    assert f"done in `/srv/code/orchard-wt-417`, but the session is in `{loaded.project}`" in snippet
    assert "on branch `feat/ocr-retry-417`, but `main` is checked out" in snippet
    assert TokenCounter().count(snippet) <= 500
    assert estimate(snippet) <= 500


def tells_dead_ends_with_their_reason(lines: list[str]) -> None:
    dead_ends = [line for line in lines if "Tried, failed" in line]
    assert len(dead_ends) == 2
    assert any("90 s" in line and "before the timeout counts" in line for line in dead_ends)
    assert any("clock" in line and "parallel workers" in line for line in dead_ends)
    # What works after all is none of them.
    [opencv] = [line for line in lines if "opencv" in line.lower()]
    assert "已经采用" in opencv and "failed" not in opencv


def test_the_search_tells_what_is_current_what_was_replaced_and_what_failed(loaded: Any) -> None:
    for query in ("opencv", "OpenCV", "OPENCV"):
        current, replaced = recall(loaded.project, Question(text=query, kinds=("decision",))).hits

        assert (current.id, current.fate) == ("d4", None)
        assert (replaced.id, replaced.is_withdrawn, replaced.replaced_by) == ("d2", True, "d4")
    [timeout] = recall(loaded.project, Question(text="timeout")).hits
    assert (timeout.id, timeout.is_dead_end) == ("d1", True)
