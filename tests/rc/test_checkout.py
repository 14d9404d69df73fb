from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from agentinitd.rc.checkout import TrustRoot, trust_root

UID = os.geteuid()


def git(folder: Path, *words: str) -> None:
    settings = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    subprocess.run(("git", *settings, *words), cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init")
    (folder / "file").write_text("x")
    git(folder, "add", ".")
    git(folder, "commit", "-m", "first")
    return folder


def test_without_git_the_project_is_its_own_root(tmp_path: Path) -> None:
    folder = str(tmp_path.resolve())
    assert trust_root(tmp_path, UID) == TrustRoot(folder, folder)


def test_a_checkout_is_rooted_in_its_git_folder(repository: Path) -> None:
    below = repository / "packages" / "one"
    below.mkdir(parents=True)
    top = str(repository.resolve())
    assert trust_root(repository, UID) == TrustRoot(f"{top}/.git", top)
    assert trust_root(below, UID) == TrustRoot(f"{top}/.git", top)


def test_a_linked_worktree_shares_the_root_of_the_main_one(repository: Path, tmp_path: Path) -> None:
    """TRU-4."""
    linked = tmp_path / "linked"
    git(repository, "worktree", "add", str(linked))
    assert trust_root(linked, UID) == TrustRoot(f"{repository.resolve()}/.git", str(linked.resolve()))


def test_a_copy_of_a_linked_worktree_does_not(repository: Path, tmp_path: Path) -> None:
    """TRU-4."""
    linked, copy = tmp_path / "linked", tmp_path / "copy"
    git(repository, "worktree", "add", str(linked))
    copy.mkdir()
    (copy / ".git").write_bytes((linked / ".git").read_bytes())
    assert trust_root(copy, UID) == TrustRoot(str(copy.resolve()), str(copy.resolve()))


def test_a_forged_git_link_into_a_trusted_repository_does_not(repository: Path, tmp_path: Path) -> None:
    forged = tmp_path / "forged"
    forged.mkdir()
    (forged / ".git").symlink_to(repository / ".git")
    assert trust_root(forged, UID).root == str(forged.resolve())
    (forged / ".git").unlink()
    (forged / ".git").write_text(f"gitdir: {repository}/.git\n")
    assert trust_root(forged, UID).root == str(forged.resolve())


@pytest.mark.parametrize("junk", [b"", b"gitdir:", b"gitdir: /nowhere\n", b"\xff\x00", b"x" * 10_000])
def test_a_damaged_git_file_makes_the_project_its_own_root(tmp_path: Path, junk: bytes) -> None:
    (tmp_path / ".git").write_bytes(junk)
    assert trust_root(tmp_path, UID).root == str(tmp_path.resolve())


def test_a_checkout_of_somebody_else_is_no_root(repository: Path) -> None:
    assert trust_root(repository, UID + 1).root == str(repository.resolve())
