"""The project of a working directory: the nearest memory above it, within the bounds of safety."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from agentinitd.memory.project import find_project, is_safe_task_id

IS_ROOT = os.geteuid() == 0


def memory(folder: Path) -> Path:
    (folder / ".agent-memory").mkdir(parents=True)
    return folder


@pytest.fixture
def work(home: Path) -> Path:
    folder = home / "work"
    folder.mkdir()
    return folder


def test_the_nearest_memory_above_wins(home: Path, work: Path) -> None:
    memory(work)
    inner = memory(work / "inner")
    (inner / "src/deep").mkdir(parents=True)

    assert find_project(inner / "src/deep", home=home) == inner
    assert find_project(work, home=home) == work


def test_the_walk_looks_at_the_folder_of_git_and_ends_there(home: Path, work: Path) -> None:
    memory(work)
    repository = work / "repository"
    (repository / ".git").mkdir(parents=True)
    (repository / "src").mkdir()

    assert find_project(repository / "src", home=home) is None
    memory(repository)
    assert find_project(repository / "src", home=home) == repository


def test_the_walk_ends_at_the_home(home: Path, work: Path) -> None:
    memory(home.parent)

    assert find_project(work, home=home) is None
    memory(home)
    assert find_project(work, home=home) == home


def test_a_folder_that_is_gone_counts_by_what_is_left_above_it(home: Path, work: Path) -> None:
    memory(work)

    assert find_project(work / "gone/since/lunch", home=home) == work


@pytest.mark.parametrize("cwd", ["relative/path", "", "/nul\0byte", "/proc/nowhere/at/all", "/" + "x" * 5000])
def test_no_path_whatever_makes_it_fail(home: Path, cwd: str) -> None:
    assert find_project(Path(cwd), home=home) is None


def test_a_file_of_that_name_is_no_memory(home: Path, work: Path) -> None:
    (work / ".agent-memory").write_text("not a folder")

    assert find_project(work, home=home) is None


@pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
def test_a_folder_or_memory_of_somebody_else_is_not_used(home: Path, work: Path) -> None:
    project = memory(work / "project")
    os.chown(project / ".agent-memory", 12345, 12345)
    assert find_project(project, home=home) is None

    os.chown(project / ".agent-memory", 0, 0)
    foreign = project / "foreign"
    foreign.mkdir()
    os.chown(foreign, 12345, 12345)
    assert find_project(foreign, home=home) is None
    assert find_project(project, home=home) == project


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
class TestWorktrees:
    @pytest.fixture
    def linked(self, work: Path) -> Path:
        main, linked = work / "main", work / "linked"
        main.mkdir()
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        for command in (
            ["init", "-q"],
            [*identity, "commit", "-q", "--allow-empty", "-m", "a"],
            ["worktree", "add", "-q", str(linked)],
        ):
            subprocess.run(["git", *command], cwd=main, check=True, capture_output=True)
        (linked / "src").mkdir()
        return linked

    def test_a_linked_worktree_uses_the_memory_of_the_main_one(self, home: Path, linked: Path) -> None:
        assert find_project(linked / "src", home=home) is None
        main = memory(linked.parent / "main")
        assert find_project(linked / "src", home=home) == main

    def test_a_memory_of_its_own_comes_first(self, home: Path, linked: Path) -> None:
        memory(linked.parent / "main")

        assert find_project(memory(linked) / "src", home=home) == linked

    def test_a_forged_pointer_into_a_foreign_repository_is_not_followed(
        self, home: Path, linked: Path
    ) -> None:
        memory(linked.parent / "main")
        forged = linked.parent / "forged"
        forged.mkdir()
        shutil.copy(linked / ".git", forged / ".git")

        assert find_project(forged, home=home) is None


def test_a_submodule_is_no_worktree(home: Path, work: Path) -> None:
    memory(work)
    (work / ".git/modules/sub").mkdir(parents=True)
    (work / "sub").mkdir()
    (work / "sub/.git").write_text("gitdir: ../.git/modules/sub\n")

    assert find_project(work / "sub", home=home) is None


@pytest.mark.parametrize("task_id", ["billing-417", "a", "v1.2", "对账", "A_b"])
def test_a_task_may_have_any_plain_name(task_id: str) -> None:
    assert is_safe_task_id(task_id)


@pytest.mark.parametrize(
    "task_id", ["", ".", "..", "a/b", "a\\b", "../x", "a..b", ".hidden", "-n", "a b", "a\0", "a\n", "x" * 65]
)
def test_a_task_name_is_never_a_path(task_id: str) -> None:
    assert not is_safe_task_id(task_id)
