"""A session that works elsewhere than its task says is told so."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentinitd.daemon.place_note import branch_of, place_note


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """On branch main, with a linked worktree on another one beside it."""
    folder, linked = tmp_path / "repo", tmp_path / "linked"
    own = folder / ".git" / "worktrees" / "linked"
    own.mkdir(parents=True)
    linked.mkdir()
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (own / "HEAD").write_text("ref: refs/heads/feat/ocr-417\n")
    (linked / ".git").write_text(f"gitdir: {own}\n")
    (folder / "src").mkdir()
    return folder


def test_the_branch_is_read_from_the_checkout_above_and_of_a_linked_worktree(checkout: Path) -> None:
    assert branch_of(checkout / "src") == "main"
    assert branch_of(checkout.parent / "linked") == "feat/ocr-417"


@pytest.mark.parametrize(
    "head",
    [
        "3f2a" * 10,
        "ref: refs/heads/../../etc",
        "ref: refs/heads/a b\n",
        "\0",
        "x" * 5000,
        f"ref: refs/heads/{'a' * 300}",
    ],
)
def test_where_it_cannot_be_told_it_is_unknown(checkout: Path, head: str) -> None:
    (checkout / ".git" / "HEAD").write_text(head)

    assert branch_of(checkout) == branch_of(checkout.parent) == ""
    assert place_note({"branch": "feat/x"}, str(checkout), "en") is None


def test_another_folder_and_another_branch_are_named_with_the_recorded_ones(checkout: Path) -> None:
    state = {"branch": "feat/ocr-417", "worktree": str(checkout.parent / "linked")}

    assert place_note(dict(state), str(checkout / "src"), "en") == (
        f"This task is done in `{state['worktree']}`, but the session is in `{checkout / 'src'}`. "
        "This task is done on branch `feat/ocr-417`, but `main` is checked out."
    )
    assert place_note({"branch": "dev"}, str(checkout), "zh") == (
        "本任务在分支 `dev` 上进行，当前检出的却是 `main`。"
    )


def test_in_the_right_place_and_without_a_record_nothing_is_said(checkout: Path) -> None:
    right = {"branch": "main", "worktree": str(checkout)}

    assert place_note(dict(right), str(checkout / "src"), "en") is None
    for state in (None, {}, {"branch": 3, "worktree": ["x"]}, {"worktree": "relative"}):
        assert place_note(state, str(checkout), "en") is None  # type: ignore[arg-type]
    assert place_note(dict(right), None, "en") is None
    assert place_note({"worktree": "/nowhere/at/all"}, "/gone", "en") is not None
