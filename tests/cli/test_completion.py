"""The shells' scripts, in the shells themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from agentinitd.cli.completion import SCRIPTS
from agentinitd.cli.main import COMMANDS, cli

SHOWN = {
    "bash": 'COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _agentinitd "$1"; printf "%s\\n" "${COMPREPLY[@]}"',
    "zsh": 'words=("$@"); CURRENT=$#; _agentinitd',
    "fish": 'complete -C (string join " " -- $argv)',
}
# What zsh's own functions do with names is not ours to test: here they print them.
BEFORE = {
    "bash": "",
    "zsh": (
        "compdef() { : }; _files() { : }; _path_files() { : };"
        "_describe() { local each; for each in ${(P)2}; do"
        " [[ $each == ${words[CURRENT]}* ]] && print -r -- $each; done; : }"
    ),
    "fish": "",
}


@pytest.fixture(params=SCRIPTS)
def shell(request: pytest.FixtureRequest) -> str:
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return str(request.param)


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder with an `agentinitd` that counts how often it is started."""
    program = tmp_path / "bin" / "agentinitd"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\necho >> {tmp_path}/started\nexec {sys.executable} -P -m agentinitd "$@"\n'
    )
    program.chmod(0o755)
    return program.parent


def completed(shell: str, programs: Path, home: Path, *words: str) -> list[str]:
    script = programs.parent / f"script.{shell}"
    script.write_text(CliRunner().invoke(cli, ["completion", shell]).output, encoding="utf-8")
    asks = programs.parent / f"asks.{shell}"
    asks.write_text("\n".join([BEFORE[shell], f"source {script}", SHOWN[shell], ""]), encoding="utf-8")
    options = {"bash": ["--norc"], "zsh": ["-f"], "fish": ["--no-config"]}[shell]
    done = subprocess.run(
        [shell, *options, str(asks), "agentinitd", *words],
        env={"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(home), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.stderr == ""
    separator = {"bash": None, "zsh": ":", "fish": "\t"}[shell]
    return [line.split(separator)[0] for line in done.stdout.splitlines() if line.strip()]


def test_names_of_commands_come_without_starting_python(shell: str, programs: Path, home: Path) -> None:
    assert set(completed(shell, programs, home, "")) == set(COMMANDS)
    assert set(completed(shell, programs, home, "sta")) == {"start", "status"}
    assert {"list", "add", "edit"} <= set(completed(shell, programs, home, "anchors", ""))
    assert not (programs.parent / "started").exists()


def test_options_and_values_are_asked_for(shell: str, programs: Path, home: Path) -> None:
    assert completed(shell, programs, home, "logs", "--fo") == ["--follow"]
    assert completed(shell, programs, home, "rebuild", "--runlevel", "com") == ["compact"]


def test_a_shell_that_is_unknown_is_refused_with_those_that_are() -> None:
    done = CliRunner().invoke(cli, ["completion", "csh"])

    assert done.exit_code == 2
    assert "bash" in done.output
