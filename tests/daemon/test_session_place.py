"""The project of a session, however its agent tells where it works."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agentinitd.daemon.following import Followed


def test_a_project_once_found_is_kept_while_its_memory_is_there(rig: Any, followed: Followed) -> None:
    (rig.project / "src").mkdir()
    followed.set_place(str(rig.project / "src"))
    assert followed.project == rig.project

    followed.set_place("/")
    assert followed.project == rig.project
    (rig.project / ".agent-memory").rmdir()
    followed.set_place(None)

    assert followed.project is None


def test_a_memory_that_is_made_later_is_found(followed: Followed, tmp_path: Path) -> None:
    (tmp_path / "later").mkdir()
    followed.set_place(str(tmp_path / "later"))
    assert followed.project is None
    (tmp_path / "later" / ".agent-memory").mkdir()

    followed.set_place(None)

    assert followed.project == tmp_path / "later"


def test_a_place_that_no_folder_can_have_is_none(followed: Followed) -> None:
    for cwd in ("relative", "/" + "x" * 5000, "/absent/for/sure"):
        followed.set_place(cwd)

        assert followed.project is None
