"""The snippet as a file is whole at every moment, and lies nowhere but where it should."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentinitd.daemon.publish import KEPT_SESSIONS, publish

TEXT = "rules\n约束\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "p" / ".agent-memory").mkdir(parents=True)
    return tmp_path / "p"


def run_folder(project: Path) -> Path:
    return project / ".agent-memory" / "run"


def files(project: Path) -> dict[str, str]:
    run = run_folder(project)
    return {str(path.relative_to(run)): path.read_text("utf-8") for path in run.rglob("*") if path.is_file()}


def test_each_session_has_its_own_and_a_full_one_is_the_last_of_the_project(project: Path) -> None:
    """FAIL-6."""
    publish(project, "s-1", TEXT, is_full=True)
    publish(project, "s-2", "slim", is_full=False)

    assert files(project) == {"s-1/snippet.md": TEXT, "s-2/snippet.md": "slim", "last-snippet": TEXT}


def test_what_one_session_is_told_of_a_task_of_its_own_is_the_last_of_no_other(project: Path) -> None:
    publish(project, "s-1", "of all", is_full=True)
    publish(project, "s-2", "of one", is_full=True, is_shared=False)

    assert files(project)["last-snippet"] == "of all"
    assert files(project)["s-2/last-snippet"] == "of one"

    publish(project, "s-2", "of all again", is_full=True)

    assert files(project).keys() == {"s-1/snippet.md", "s-2/snippet.md", "last-snippet"}


@pytest.mark.parametrize("session", ["", "..", "../../out", "a/b", ".hidden", "a" * 101, "\0"])
def test_a_session_whose_id_is_no_name_gets_no_file_of_its_own(project: Path, session: str) -> None:
    publish(project, session, TEXT, is_full=True)

    assert files(project) == {"last-snippet": TEXT}


def test_what_a_killed_daemon_did_not_finish_is_removed_and_all_else_stays(project: Path) -> None:
    publish(project, "s-1", TEXT, is_full=True)
    run = run_folder(project)
    for name in (".last-snippet.99999999.0a1b2c3d", "s-1/.snippet.md.99999999.0a1b2c3d", ".mine"):
        (run / name).touch()
    own = f".last-snippet.{os.getpid()}.00000000"  # another session's, written at the same moment
    (run / own).touch()

    publish(project, "s-1", TEXT, is_full=True)

    assert sorted(files(project)) == [own, ".mine", "last-snippet", "s-1/snippet.md"]


def test_nothing_is_written_through_a_link_that_a_repository_brought(project: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("precious")
    run_folder(project).mkdir()
    (run_folder(project) / "last-snippet").symlink_to(mine)
    (run_folder(project) / "s-1").symlink_to(tmp_path)

    with pytest.raises(OSError, match="is a link"):
        publish(project, "s-1", TEXT, is_full=True)
    publish(project, "s-2", TEXT, is_full=True)

    assert mine.read_text() == "precious"
    assert files(project)["last-snippet"] == TEXT
    assert not (tmp_path / "snippet.md").exists()


def test_only_the_latest_sessions_keep_their_file_and_nothing_else_is_touched(
    project: Path, tmp_path: Path
) -> None:
    run = run_folder(project)
    publish(project, "first", TEXT, is_full=True)
    (run / "notes").mkdir()
    (run / "notes" / "mine.md").write_text("mine")
    (run / "elsewhere").symlink_to(tmp_path)
    for path in (run / "first", run / "notes"):
        os.utime(path, (1, 1))

    for number in range(KEPT_SESSIONS):
        publish(project, f"s-{number}", TEXT, is_full=True)

    left = {path.name for path in run.iterdir()}
    assert "first" not in left
    assert {"notes", "elsewhere", "last-snippet", "s-0", f"s-{KEPT_SESSIONS - 1}"} <= left
    assert (run / "notes" / "mine.md").read_text() == "mine"


def test_a_memory_that_is_a_link_out_of_the_project_gets_nothing(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / ".agent-memory").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(OSError, match="leads out of the project"):
        publish(tmp_path / "p", "s-1", TEXT, is_full=True)

    assert list((tmp_path / "elsewhere").iterdir()) == []
