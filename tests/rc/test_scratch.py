"""The folder of one run: private, renewed between scripts, and gone afterwards with nothing behind it."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from agentinitd.model.errors import AgentinitdError
from agentinitd.rc import scratch


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def lock(folder: Path) -> None:
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "file").touch()
    for path in (folder / "a" / "b", folder / "a", folder):
        path.chmod(0)


def replace_by_link(folder: Path) -> None:
    folder.rmdir()
    folder.symlink_to(folder.parent.parent / "kept")


def replace_by_file(folder: Path) -> None:
    folder.rmdir()
    folder.touch()


DEEDS: dict[str, Callable[[Path], None]] = {
    "nothing": lambda folder: (folder / "file").touch(),
    "removed": lambda folder: folder.rmdir(),
    "locked": lock,
    "a link in its place": replace_by_link,
    "a file in its place": replace_by_file,
}


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    folder = tmp_path / "kept"
    (folder / "below").mkdir(parents=True)
    folder.chmod(0o755)
    (folder / "below").chmod(0o755)
    return folder


@pytest.mark.parametrize("is_renewed", [False, True])
@pytest.mark.parametrize("deed", DEEDS)
def test_whatever_a_script_did_to_it_nothing_is_left_and_nothing_else_touched(
    tmp_path: Path, kept: Path, deed: str, is_renewed: bool
) -> None:
    """EXE-6."""
    with scratch.run_folder(tmp_path / "scratch", tmp_path / "session") as folder:
        assert (mode_of(folder), mode_of(tmp_path / "session")) == (0o700, 0o700)
        DEEDS[deed](folder)
        if is_renewed:
            scratch.renew(folder)
            assert folder.is_dir() and not folder.is_symlink()
            assert mode_of(folder) == 0o700

    assert list((tmp_path / "scratch").iterdir()) == []
    assert (mode_of(kept), mode_of(kept / "below")) == (0o755, 0o755)


def test_a_place_that_is_no_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with (
        pytest.raises(AgentinitdError, match="no folder for the run"),
        scratch.run_folder(tmp_path / "file" / "scratch", tmp_path),
    ):
        pass
