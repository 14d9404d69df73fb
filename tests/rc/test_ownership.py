from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentinitd.rc.ownership import Ownership

SOMEBODY = 54321


def fault(path: Path, *, uid: int | None = None, is_root_allowed: bool = True) -> str | None:
    ownership = Ownership(os.geteuid() if uid is None else uid)
    return ownership.fault(os.path.realpath(path), path.stat(), is_root_allowed=is_root_allowed)


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "init.d" / "S10-a"
    path.parent.mkdir(mode=0o755)
    path.touch(mode=0o755)
    path.chmod(0o755)
    return path


def test_a_file_of_ones_own_in_folders_of_ones_own_may_run(script: Path) -> None:
    assert fault(script) is None


def test_a_file_of_somebody_else_may_not(script: Path) -> None:
    if os.geteuid() == 0:
        os.chown(script, SOMEBODY, -1)
        assert fault(script) == f"{script} belongs to uid {SOMEBODY}"
    else:
        assert fault(script, uid=SOMEBODY) == f"{script} belongs to uid {os.geteuid()}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_folder_of_somebody_else_above_it_is_enough(script: Path) -> None:
    """TRU-1."""
    os.chown(script.parent, SOMEBODY, -1)
    assert fault(script) == f"{script.parent} belongs to uid {SOMEBODY}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has files of root")
def test_a_file_of_root_passes_only_where_root_may_write(script: Path) -> None:
    os.chown(script, 0, -1)
    for folder in (script.parent, *script.parent.parents):
        if folder.stat().st_uid not in (0, SOMEBODY):
            pytest.skip("the folders above are not root's")
    assert fault(script, uid=SOMEBODY) is None
    assert fault(script, uid=SOMEBODY, is_root_allowed=False) == f"{script} belongs to uid 0"


def test_writable_by_everybody_is_refused_with_the_cure(script: Path) -> None:
    script.chmod(0o757)
    assert fault(script) == f"{script} is writable by everybody. Cure: chmod o-w {script}"


def test_a_folder_writable_by_everybody_is_refused_unless_sticky(script: Path) -> None:
    """TRU-1."""
    script.parent.chmod(0o777)
    assert "is writable by everybody" in str(fault(script))
    script.parent.chmod(0o1777)
    assert fault(script) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can choose any group")
def test_group_writable_passes_only_for_a_group_of_ones_own(script: Path) -> None:
    """TRU-1."""
    script.chmod(0o775)
    os.chown(script, -1, 0)
    assert fault(script) is None
    os.chown(script, -1, SOMEBODY)
    assert fault(script) == f"{script} is writable by group {SOMEBODY}. Cure: chmod g-w {script}"


def test_folders_are_looked_up_once_for_each_scan(script: Path) -> None:
    ownership = Ownership(os.geteuid())
    real = os.path.realpath(script)
    assert ownership.fault(real, script.stat()) is None
    neighbour = script.with_name("S20-b")
    neighbour.touch(mode=0o757)
    neighbour.chmod(0o757)
    assert "writable by everybody" in str(ownership.fault(str(neighbour), neighbour.stat()))
