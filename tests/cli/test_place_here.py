"""The project of this folder, or the command that would make one."""

from __future__ import annotations

from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner

from agentinitd.cli.place_here import place_here
from agentinitd.cli.rebuild import rebuild
from agentinitd.cli.snippet import snippet
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


@pytest.mark.parametrize("command", [snippet, rebuild])
def test_no_daemon_is_started_only_to_say_that_there_is_no_memory(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    refused = CliRunner().invoke(command)

    assert isinstance(refused.exception, AgentinitdError)
    assert "agentinitd init" in str(refused.exception)
    assert not (home / ".local" / "state").exists()
