"""`verify` says what is wrong with line, rule and cure, and ends with 1 for it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.verify import verify

GOOD = "#!/bin/sh\n### BEGIN INIT INFO\n# Short-Description: x\n### END INIT INFO\n"


def run(*words: str) -> Result:
    return CliRunner().invoke(verify, words, catch_exceptions=False)


@pytest.fixture
def project(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = home / "project"
    (folder / ".agent-memory" / "init.d").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def script(folder: Path, name: str, text: str = GOOD) -> Path:
    path = folder / "init.d" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.mark.usefixtures("project")
def test_as_installed_nothing_is_wrong() -> None:
    found = run("--strict")
    assert (found.exit_code, found.output) == (0, "Nothing is wrong.\n")


def test_warnings_end_with_0_unless_strict_and_errors_with_1(project: Path) -> None:
    waits = script(project / ".agent-memory", "S50-mine")
    found = run()
    assert found.exit_code == 0
    assert found.output.splitlines() == [
        f"{waits}: warning: pending-trust: not approved [TRU-7]",
        f"    agentinitd trust {waits}",
        "0 errors, 1 warning",
    ]
    assert run("--strict").exit_code == 1
    script(project / ".agent-memory", "S51-bad", GOOD.replace("/bin/sh", "/no/sh"))
    assert run().exit_code == 1
    assert run(str(waits)).exit_code == 0


@pytest.mark.usefixtures("project")
def test_what_is_meant_so_is_explained_only_when_asked(home: Path) -> None:
    script(home / ".config" / "agentinitd", "S10-constraints", "")
    assert run("--strict").output == "Nothing is wrong.\n"
    assert "masked: switched off in the user layer [OVR-3]" in run("-v").output


def test_config_files_by_line(project: Path, home: Path) -> None:
    """OVR-7 and TRU-9."""
    folder = home / ".config" / "agentinitd"
    (folder / "agentinitd.d").mkdir(parents=True)
    own, torn, odd = (
        folder / "agentinitd.yaml",
        folder / "agentinitd.d/10-a.yaml",
        folder / "agentinitd.d/b.yml",
    )
    own.write_text("language: en\nbudget_token: 400\nstale_days: never\n")
    torn.write_text("language: en\n  x: [\n")
    odd.write_text("")
    theirs = project / ".agent-memory" / "config.yaml"
    theirs.write_text("env_pass: [TOKEN]\n")
    told = json.loads(run("--json").output)
    assert (told["errors"], told["warnings"]) == (2, 3)
    assert [(each["path"], each["line"], each["rule"]) for each in told["faults"]] == [
        (str(own), 2, "DMN-7"),
        (str(own), 3, "OVR-7"),
        (str(torn), 2, "OVR-7"),
        (str(theirs), 1, "TRU-9"),
        (str(odd), None, "OVR-7"),
    ]
    assert "did you mean budget_tokens?" in told["faults"][0]["text"]
    assert run().exit_code == 1


def test_cures_can_be_copied_into_a_shell_whatever_a_folder_is_called(
    new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = new_project("my $pro ject")
    monkeypatch.chdir(made)
    path = script(made / ".agent-memory", "S50-mine", "#!/bin/sh\n")
    told = json.loads(run("--json").output)["faults"]

    [cure] = [each["cure"] for each in told if each["rule"] == "TRU-7"]
    assert shlex.split(cure) == ["agentinitd", "trust", str(path)]


def test_an_empty_file_is_no_broken_script(project: Path) -> None:
    """OVR-3."""
    path = project / ".agent-memory" / "init.d" / "S20-tools"
    path.parent.mkdir(exist_ok=True)
    path.touch()
    told = json.loads(run("--json").output)["faults"]

    assert [each["rule"] for each in told if each["path"] == str(path)] == ["TRU-7"]
