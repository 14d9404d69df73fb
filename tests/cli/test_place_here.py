"""The project of this folder, or the command that would make one."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentinitd.cli.place_here import place_here
from agentinitd.model.errors import AgentinitdError


@pytest.mark.usefixtures("home")
def test_it_is_found_from_below_and_its_absence_is_told_with_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = tmp_path / "project" / "src"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    with pytest.raises(AgentinitdError, match="agentinitd init"):
        place_here()
    (tmp_path / "project" / ".agent-memory").mkdir()

    assert place_here() == (tmp_path / "project", None)
