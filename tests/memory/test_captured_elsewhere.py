"""What was rejected in one task does not return for the whole project."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from agentinitd.memory.capture.captured_file import PROJECT_FILE, captured_in, record, task_file, updated
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.readers import built_in
from agentinitd.memory.captured_elsewhere import rejected_in_tasks
from agentinitd.model.events import PersonMessage

FILE = task_file("a")


def heard(line: int, text: str) -> list[Proposal]:
    return Listener("s", readers=built_in()).hear([PersonMessage(offset=line, line=line, text=text)])


def rejected_in_task(project: Path, text: str) -> None:
    texts: dict[str, str | None] = {PROJECT_FILE: None, FILE: None}
    written = record(texts, heard(1, text), session="s", now=1.0, task_id="a").texts[FILE]
    items = [replace(item, status="rejected", ended_at=2.0) for item in captured_in(written, FILE)]
    path = project / ".agent-memory" / FILE
    path.parent.mkdir(parents=True)
    path.write_text(updated(written, items, file=FILE) or "", encoding="utf-8")


@pytest.mark.parametrize(
    ("rejected", "later", "new"),
    [
        ("In this task, don't add dependencies", "Never add dependencies", 0),
        ("这个任务里不要新增依赖", "别加新的依赖", 0),
        ("In this task, use pnpm, not npm", "only use pnpm, never npm", 0),
        ("In this task, don't add dependencies", "Never upgrade dependencies", 1),
        ("In this task, don't add dependencies", "In this PR, don't add dependencies", 1),
    ],
)
def test_said_for_the_project_it_stays_rejected(tmp_path: Path, rejected: str, later: str, new: int) -> None:
    rejected_in_task(tmp_path, rejected)

    found = rejected_in_tasks(tmp_path, but="b")
    result = record({PROJECT_FILE: None}, heard(5, later), session="t", now=5.0, rejected=found)

    assert (len(found), result.new) == (1, new)


def test_the_task_itself_and_what_cannot_be_read_give_nothing(tmp_path: Path) -> None:
    rejected_in_task(tmp_path, "In this task, don't add dependencies")

    assert rejected_in_tasks(tmp_path, but="a") == []
    assert rejected_in_tasks(tmp_path / "missing", but=None) == []
