"""Field case 14: clear hands out a new id, resume another one for the old transcript; the task survives."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

CASE = "14-clear-then-resume"
# The rule of the morning, written down: finding it in the conversation is a later capability.
RULE = "- [约束] 导入文件一律按 UTF-8 读，读不了就报错，不要猜编码。\n"


class Morning:
    """The case's folder, with a daemon and the hook's payloads."""

    def __init__(self, daemon: Any, case: Path, folder: Path) -> None:
        self.daemon = daemon
        self.case = case
        self.folder = folder
        folder.mkdir()
        (folder / "old.jsonl").touch()
        (folder / "empty.jsonl").touch()
        daemon.anchors(RULE)
        state = json.loads((case / "state.json").read_text(encoding="utf-8"))
        done = [step["title"] for step in state["steps"] if step["status"] == "done"]
        open_steps = [step["title"] for step in state["steps"] if step["status"] != "done"]
        daemon.task_state({**state, "completed": done, "pending": open_steps, "blockers": []})

    def payload(self, name: str) -> dict[str, object]:
        text = (self.case / name).read_text(encoding="utf-8").replace("{{DIR}}", str(self.folder))
        return {**json.loads(text), "cwd": str(self.daemon.project)}

    def play(self, source: str, target: str) -> None:
        with (self.folder / target).open("ab") as file:
            file.write((self.case / source).read_bytes())

    def prompt(self, start: dict[str, object]) -> str:
        """What the next message of the person brings along."""
        found: str = self.daemon.context({**start, "hook_event_name": "UserPromptSubmit", "prompt": "go on"})
        return found

    def check(self, name: str, snippet: str) -> None:
        checks = json.loads((self.case / "checks.json").read_text(encoding="utf-8"))[name]
        for alternatives in checks["must"]:
            assert any(re.search(pattern, snippet) for pattern in alternatives), (alternatives, snippet)
        for pattern in checks["must_not"]:
            assert not re.search(pattern, snippet)


@pytest.fixture
def morning(daemon: Any, shared: Path, tmp_path: Path) -> Morning:
    return Morning(daemon, shared / "field-cases" / CASE, tmp_path / "logs")


def test_the_whole_day_gives_one_snippet_at_each_start_and_none_in_between(morning: Morning) -> None:
    startup = morning.payload("hook-1-startup.json")
    assert "import-9" in morning.daemon.context(startup)
    morning.play("old.jsonl", "old.jsonl")

    clear = morning.payload("hook-2-clear.json")
    after_clear = morning.daemon.context(clear)
    morning.check("after_clear", after_clear)
    assert "import-9" in after_clear
    assert "今天继续做导入" not in after_clear
    morning.play("after-clear.jsonl", "empty.jsonl")
    assert morning.prompt(clear) == ""

    morning.daemon.stop()
    morning.daemon.start()

    resume = morning.payload("hook-3-resume.json")
    after_resume = morning.daemon.context(resume)
    morning.check("after_resume", after_resume)
    assert "import-9" in after_resume
    for line in (morning.case / "after-resume.jsonl").read_bytes().splitlines(keepends=True):
        with (morning.folder / "old.jsonl").open("ab") as file:
            file.write(line)
        assert morning.prompt(resume) == ""
    assert not (morning.daemon.project / ".agent-memory" / "tasks").exists()


def test_resuming_a_transcript_that_was_never_followed_fires_nothing_of_its_past(morning: Morning) -> None:
    shutil.copy(morning.case / "old.jsonl", morning.folder / "old.jsonl")

    resume = morning.payload("hook-3-resume.json")

    morning.check("after_resume", morning.daemon.context(resume))
    morning.play("after-resume.jsonl", "old.jsonl")
    assert morning.prompt(resume) == ""


def test_what_was_played_before_the_clear_is_no_compaction_of_the_new_session(morning: Morning) -> None:
    morning.daemon.context(morning.payload("hook-1-startup.json"))
    morning.play("old.jsonl", "old.jsonl")
    clear = morning.payload("hook-2-clear.json")

    morning.daemon.context(clear)

    session = next(
        each for each in morning.daemon.status()["sessions"] if each["session"] == clear["session_id"]
    )
    assert session["last_compaction"] is None
