"""Tasks on disk: changed one writer at a time, remembered, listed, begun, put away."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentinitd.memory.store import MemoryStore
from agentinitd.memory.task_edit import complete, set_text
from agentinitd.memory.task_state import State
from agentinitd.memory.tasks import (
    UNNAMED,
    Change,
    archive,
    change_state,
    default_task,
    new_task,
    note_state,
    place_of,
    read_history,
    restore_state,
    save_state,
    set_default,
    task_named,
    tasks,
    unarchive,
)
from agentinitd.model.errors import MemoryRefused, UsageError

NOW = 1_790_000_000.0
TEXT = '{\n  "task_id": "a",\n  "mine": 1.10,\n  "pending": ["write", "test"],\n  "completed": []\n}\n'


@pytest.fixture
def project(new_project: Callable[..., Path]) -> Path:
    folder = new_project("project")
    (folder / ".agent-memory" / "state" / "task_state.json").write_text(TEXT, encoding="utf-8")
    return folder


def state_file(project: Path, task: str | None = None) -> Path:
    return project / ".agent-memory" / (f"tasks/{task}/state" if task else "state") / "task_state.json"


def change(project: Path, edit: Callable[[State], State], task: str | None = None, **how: Any) -> Change:
    given = {"by": "user", "reason": "a test", "now": NOW, **how}
    return change_state(project, task, edit, **given)


def done(step: str) -> Callable[[State], State]:
    return lambda state: complete(state, step)


def told(project: Path, task: str | None = None) -> list[tuple[str, str]]:
    return [(each.by, each.reason) for each in read_history(place_of(project, task))]


class TestChange:
    def test_only_what_changed_is_another_text(self, project: Path) -> None:
        made = change(project, done("write"))

        assert made.is_changed
        assert made.differences == ["write: pending → completed"]
        lines = state_file(project).read_text(encoding="utf-8").splitlines()
        assert lines[:3] == TEXT.splitlines()[:3]
        assert json.loads("\n".join(lines)) == made.after
        assert made.after["last_updated"] == "2026-09-21T14:13:20Z"
        assert list(made.after) == ["task_id", "mine", "pending", "completed", "last_updated"]

    def test_the_history_tells_who_and_why_and_what_was_before(self, project: Path) -> None:
        os.utime(state_file(project), (NOW - 60, NOW - 60))
        change(project, done("write"), by="rule", reason="pytest exited 0")

        first, second = read_history(place_of(project, None))

        assert (first.by, first.at, first.state) == ("file", NOW - 60, json.loads(TEXT))
        assert (second.by, second.reason, second.at) == ("rule", "pytest exited 0", NOW)
        assert second.state["completed"] == ["write"]

    def test_what_changes_nothing_writes_nothing(self, project: Path) -> None:
        change(project, done("write"))
        before, lines = state_file(project).read_bytes(), told(project)

        assert not change(project, done("write"), now=NOW + 9).is_changed
        assert (state_file(project).read_bytes(), told(project)) == (before, lines)

    def test_an_editors_change_is_remembered_as_such(self, project: Path) -> None:
        change(project, done("write"))
        state_file(project).write_text('{"task_id": "a", "pending": ["ship"]}')

        assert note_state(project, None, now=NOW + 5) is True
        assert note_state(project, None, now=NOW + 6) is False
        change(project, done("ship"), now=NOW + 7)

        assert [by for by, _ in told(project)] == ["file", "user", "file", "user"]

    def test_a_file_that_says_when_in_its_own_key_is_told_the_time_there_too(self, project: Path) -> None:
        state_file(project).write_text('{"updated_at": "2020-01-01T00:00:00Z"}')

        after = change(project, lambda state: set_text(state, "phase", "build")).after

        assert after["updated_at"] == after["last_updated"] == "2026-09-21T14:13:20Z"

    @pytest.mark.parametrize(
        ("edit", "message"),
        [
            (lambda state: {**state, "pending": 3}, "pending: a list is expected"),
            (lambda state: {**state, "x": float("nan")}, "NaN is not JSON"),
            (lambda state: {**state, "x": {1, 2}}, "not JSON serializable"),
            (lambda state: {**state, "x": "y" * 1_100_000}, "more than 1,048,576"),
            (lambda _: [], "a JSON object"),
        ],
    )
    def test_a_result_that_is_not_valid_leaves_the_last_good_state(
        self, project: Path, edit: Any, message: str
    ) -> None:
        with pytest.raises(MemoryRefused, match=message):
            change(project, edit)

        assert state_file(project).read_text(encoding="utf-8") == TEXT
        assert not (project / ".agent-memory" / "state" / "history.jsonl").exists()

    def test_a_fault_that_was_there_before_holds_nothing_up(self, project: Path) -> None:
        state_file(project).write_text('{"goal": 7, "pending": ["write"]}')

        assert change(project, done("write")).after["goal"] == 7

    def test_an_edit_that_fails_leaves_everything(self, project: Path) -> None:
        def fail(_state: State) -> State:
            raise UsageError("no such step")

        with pytest.raises(UsageError):
            change(project, fail)

        assert state_file(project).read_text(encoding="utf-8") == TEXT

    @pytest.mark.parametrize("text", [b'{"task_id": "a",', b"\xff\xfe", b"[]"])
    def test_a_broken_file_is_never_overwritten(self, project: Path, text: bytes) -> None:
        state_file(project).write_bytes(text)

        with pytest.raises(MemoryRefused, match=r"task_state\.json"):
            change(project, done("write"))

        assert state_file(project).read_bytes() == text

    @pytest.mark.parametrize("text", [b'{"task_id": "a",', b"\xff\xfe"])
    def test_a_broken_file_is_kept_when_the_last_state_is_restored(self, project: Path, text: bytes) -> None:
        change(project, done("write"))
        state_file(project).write_bytes(text)

        made = restore_state(project, None, None, by="user", now=NOW + 60)

        assert made.after["completed"] == ["write"]
        [kept] = state_file(project).parent.glob("*.broken-*")
        assert (kept.name, kept.read_bytes()) == ("task_state.json.broken-20260921T141420Z", text)

    def test_any_state_of_the_history_can_be_restored(self, project: Path) -> None:
        change(project, done("write"))
        change(project, done("test"), now=NOW + 1)

        assert restore_state(project, None, 1, by="user", now=NOW + 2).after["completed"] == []
        with pytest.raises(UsageError, match="1 to 4"):
            restore_state(project, None, 5, by="user", now=NOW + 3)

    def test_no_credential_is_written_and_none_copied(self, project: Path) -> None:
        state_file(project).write_text('{"deploy_token": "ghp_abcdefghijklmnopqrst0123456789abcdef"}')

        made = change(project, lambda state: set_text(state, "next_action", "use ghp_" + "a1b2c3d4" * 5))

        assert "ghp_" not in str(made.after["next_action"])
        assert "ghp_abc" in state_file(project).read_text(encoding="utf-8")
        assert b"ghp_" not in (state_file(project).parent / "history.jsonl").read_bytes()
        assert note_state(project, None, now=NOW) is False

    def test_of_many_writers_none_is_lost(self, project: Path) -> None:
        def write(name: int) -> None:
            for number in range(5):
                change(project, done(f"{name}-{number}"))

        threads = [threading.Thread(target=write, args=(name,)) for name in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        completed = json.loads(state_file(project).read_bytes())["completed"]
        assert len(completed) == len(set(completed)) == 30
        assert len(told(project)) == 31

    def test_a_link_that_leaves_the_project_is_not_written_through(
        self, project: Path, tmp_path: Path
    ) -> None:
        outside = tmp_path / "outside.json"
        outside.write_text("{}")
        state_file(project).unlink()
        state_file(project).symlink_to(outside)

        with pytest.raises(MemoryRefused):
            change(project, done("write"))

        assert outside.read_text() == "{}"

    def test_what_is_about_to_happen_is_remembered_once(self, project: Path) -> None:
        for _ in range(2):
            save_state(project, None, by="switch", reason="to b", now=NOW)

        assert told(project) == [("file", "as it was found"), ("switch", "to b")]


class TestNamed:
    def test_a_new_task_has_its_folders_and_says_what_it_is(self, project: Path) -> None:
        made = new_task(project, "docs-88", goal="the docs", pending=["a", "b", "a"], by="user", now=NOW)

        assert (project / ".agent-memory" / "tasks" / "docs-88" / "anchors").is_dir()
        assert made.after["pending"] == ["a", "b"]
        assert told(project, "docs-88") == [("user", "a new task")]
        memory = MemoryStore().load(project, "docs-88")
        assert memory.task_state is not None
        assert memory.task_state["goal"] == "the docs"

    @pytest.mark.parametrize("task_id", ["", "..", "a/b", ".x", "-", "a" * 65, "a\nb"])
    def test_a_name_that_could_be_a_path_is_refused(self, project: Path, task_id: str) -> None:
        with pytest.raises(UsageError, match="no name for a task"):
            new_task(project, task_id, by="user", now=NOW)
        with pytest.raises(UsageError):
            change(project, done("x"), task_id)

    def test_no_task_is_made_twice(self, project: Path) -> None:
        new_task(project, "b", by="user", now=NOW)

        for task_id in ("b", "a"):
            with pytest.raises(MemoryRefused, match="There is a task"):
                new_task(project, task_id, by="user", now=NOW)

    def test_the_unnamed_state_answers_to_the_name_it_gives_itself(self, project: Path) -> None:
        assert change(project, done("write"), "a").file == "state/task_state.json"

    def test_a_task_that_nobody_began_is_refused_with_the_cure(self, project: Path) -> None:
        with pytest.raises(MemoryRefused, match="task new docs-99"):
            change(project, done("x"), "docs-99")

    def test_a_task_with_nothing_but_anchors_gets_its_state_at_the_first_change(self, project: Path) -> None:
        (project / ".agent-memory" / "tasks" / "c" / "anchors").mkdir(parents=True)

        assert change(project, done("x"), "c").after["task_id"] == "c"

    def test_they_are_listed_the_last_changed_first(self, project: Path) -> None:
        for name in ("b", "c"):
            new_task(project, name, by="user", now=NOW)
        os.utime(state_file(project, "b"), (NOW + 9, NOW + 9))
        os.utime(state_file(project, "c"), (NOW, NOW))
        (project / ".agent-memory" / "tasks" / "not a task").mkdir()

        assert [task.task_id for task in tasks(project)] == [None, "b", "c"]

    def test_a_named_task_in_the_unnamed_file_is_listed_once(self, project: Path) -> None:
        (project / ".agent-memory" / "tasks" / "a" / "anchors").mkdir(parents=True)

        assert [task.task_id for task in tasks(project)] == ["a"]


class TestDefault:
    def test_a_project_is_at_the_unnamed_task_until_it_is_switched(self, project: Path) -> None:
        new_task(project, "b", by="user", now=NOW)
        assert default_task(project) is None

        set_default(project, "b")
        assert default_task(project) == "b"
        assert (project / ".agent-memory" / "state" / "default_task").read_text() == "b\n"

        set_default(project, UNNAMED)
        assert default_task(project) is None

    def test_a_worktree_follows_until_it_is_switched(self, project: Path) -> None:
        for name in ("b", "c"):
            new_task(project, name, by="user", now=NOW)
        set_default(project, "b")
        assert default_task(project, "feature") == "b"

        set_default(project, "c", worktree="feature")
        assert (default_task(project, "feature"), default_task(project)) == ("c", "b")

        set_default(project, UNNAMED, worktree="feature")
        assert default_task(project, "feature") is None
        set_default(project, None, worktree="feature")
        assert default_task(project, "feature") == "b"

    def test_it_is_a_task_that_exists(self, project: Path) -> None:
        with pytest.raises(MemoryRefused, match="no task x"):
            set_default(project, "x")

    @pytest.mark.parametrize("text", [b"../../etc\n", b"", b"\xff", b"x" * 5000])
    def test_a_damaged_file_names_no_task(self, project: Path, text: bytes) -> None:
        (project / ".agent-memory" / "state" / "default_task").write_bytes(text)

        assert default_task(project) is None

    def test_the_last_snippet_of_the_task_that_was_left_is_shown_to_nobody(self, project: Path) -> None:
        last = project / ".agent-memory" / "run" / "last-snippet"
        last.parent.mkdir()
        last.write_text("of the unnamed task")
        new_task(project, "b", by="user", now=NOW)

        set_default(project, "b")

        assert not last.exists()


class TestArchive:
    def test_it_goes_away_whole_and_comes_back(self, project: Path) -> None:
        new_task(project, "b", by="user", now=NOW)
        (project / ".agent-memory" / "tasks" / "b" / "anchors" / "x.md").write_text("- [constraint] lamp\n")

        assert archive(project, "b", now=NOW) == "tasks/.archive/b"
        assert [task.task_id for task in tasks(project)] == [None]
        assert [task.task_id for task in tasks(project, with_archived=True)] == [None, "b"]
        assert task_named(project, "b").is_archived
        with pytest.raises(MemoryRefused, match="archive --back b"):
            change(project, done("x"), "b")

        unarchive(project, "b")
        assert told(project, "b") == [("user", "a new task"), ("user", "archived")]
        assert (project / ".agent-memory" / "tasks" / "b" / "anchors" / "x.md").exists()

    def test_a_second_one_of_the_name_gets_a_number(self, project: Path) -> None:
        for expected in ("tasks/.archive/b", "tasks/.archive/b.2"):
            new_task(project, "b", by="user", now=NOW)
            assert archive(project, "b", now=NOW) == expected

    def test_what_the_project_or_a_worktree_is_at_stays(self, project: Path) -> None:
        for name in ("b", "c"):
            new_task(project, name, by="user", now=NOW)
        set_default(project, "b")
        set_default(project, "c", worktree="feature")

        with pytest.raises(MemoryRefused, match="The project is at task b"):
            archive(project, "b", now=NOW)
        with pytest.raises(MemoryRefused, match="worktree feature"):
            archive(project, "c", now=NOW)

    def test_the_unnamed_state_can_be_put_away_by_the_name_it_gives_itself(self, project: Path) -> None:
        (project / ".agent-memory" / "tasks" / "a" / "anchors").mkdir(parents=True)
        with pytest.raises(MemoryRefused, match="is at task a"):
            archive(project, "a", now=NOW)
        new_task(project, "b", by="user", now=NOW)
        set_default(project, "b")

        archive(project, "a", now=NOW)

        assert not state_file(project).exists()
        assert task_named(project, "a").state == json.loads(TEXT)
        assert [task.task_id for task in tasks(project)] == ["b"]
