"""What every test may ask for: the shared material, and a home that is not the real one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
REAL_HOME = Path.home()


@pytest.fixture
def shared() -> Path:
    """The folder of real transcripts and field cases beside the project."""
    folder = PROJECT.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: the real transcripts and field cases cannot be read")
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh HOME for each test, so that none can touch the real one."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(folder))
    for name in [name for name in os.environ if name.startswith(("XDG_", "AGENTINITD_", "CLAUDE_"))]:
        monkeypatch.delenv(name)
    return folder
