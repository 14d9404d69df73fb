"""The command as a whole: help, wrong words, exit codes, and what it does with closed streams."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentinitd import __version__
from agentinitd.cli.main import COMMANDS, _keep_standard_streams

RUN = [sys.executable, "-P", "-m", "agentinitd"]


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUN, *arguments], capture_output=True, text=True, check=False, timeout=30, **options
    )


def test_help_lists_every_command_with_its_line() -> None:
    for flag in ("--help", "-h"):
        done = run(flag)

        assert (done.returncode, done.stderr) == (0, "")
        for name, (_, line) in COMMANDS.items():
            assert name in done.stdout
            assert line.split(".")[0][:20] in " ".join(done.stdout.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_is_listed_exists_and_explains_itself(name: str) -> None:
    from agentinitd.cli.main import cli

    command = cli.get_command(None, name)  # type: ignore[arg-type]  # the context is not looked at

    assert command is not None
    assert command.help


def test_version() -> None:
    assert run("--version").stdout.strip() == f"agentinitd, version {__version__}"
    assert run("-V").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("statsu",), "Did you mean 'status'?"),
        (("xyzzy",), "No such command"),
        (("status", "--jsn"), "--json"),
        (("logs", "-n", "-1"), "-n"),
        (("logs", "-n", "many"), "many"),
        (("snippet", "--budget", "7"), "60"),
        (("start", "--ready-fd", "x"), "x"),
    ],
)
def test_wrong_words_are_named_and_end_with_2(arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)

    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_without_a_command_it_shows_its_help() -> None:
    done = run()

    assert "Commands:" in done.stdout + done.stderr
    assert done.returncode == 2


def test_without_a_home_it_says_what_to_do() -> None:
    done = run("status", env={"PATH": os.environ["PATH"]})

    assert done.returncode == 6
    assert "HOME" in done.stderr
    assert "Traceback" not in done.stderr


def test_closed_streams_are_survived(home: Path) -> None:
    script = " ".join(["exec", *RUN, "status", "<&-", ">&-", "2>&-"])

    done = subprocess.run(["/bin/sh", "-c", script], check=False, timeout=30, env={"HOME": str(home)})

    assert done.returncode == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that takes nothing")
def test_where_the_output_finds_no_room_it_says_so_once() -> None:
    script = " ".join(["exec", *RUN, "--help", ">/dev/full"])

    done = subprocess.run(["/bin/sh", "-c", script], check=False, timeout=30, capture_output=True, text=True)

    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "Make room" in done.stderr


def test_in_a_folder_that_is_gone_it_says_so(home: Path) -> None:
    gone = home / "gone"
    gone.mkdir()
    script = " ".join(["cd", str(gone), "&&", "rmdir", str(gone), "&&", "exec", *RUN, "anchors", "list"])

    done = subprocess.run(["/bin/sh", "-c", script], check=False, timeout=30, capture_output=True, text=True)

    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert "is gone" in done.stderr


def test_a_stream_that_was_closed_can_be_asked_whether_it_is_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)  # as Python begins then

    _keep_standard_streams()

    assert [getattr(sys, name).isatty() for name in ("stdin", "stdout", "stderr")] == [
        os.isatty(descriptor) for descriptor in (0, 1, 2)
    ]


def test_help_reads_neither_the_config_nor_the_daemon(new_daemon: Callable[[], Any]) -> None:
    daemon = new_daemon()
    config = daemon.home / ".config" / "agentinitd" / "agentinitd.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("{{{")

    assert daemon.command("--help").returncode == 0
    assert daemon.command("status", "--help").returncode == 0


def test_a_bug_ends_with_3_and_leaves_its_report(home: Path) -> None:
    code = (
        "import sys; from agentinitd.cli import main; sys.argv = ['agentinitd', 'status'];"
        "main.COMMANDS['status'] = ('absent_module', ''); main.main()"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={"HOME": str(home), "TMPDIR": str(home)},
    )

    assert done.returncode == 3
    assert "a bug: ModuleNotFoundError" in done.stderr
    [report] = home.glob("agentinitd-bug-*/traceback.txt")
    assert str(report) in done.stderr
    assert "Traceback" in report.read_text()


def test_what_it_depends_on_and_is_not_there_is_named_with_the_cure(home: Path) -> None:
    """DMN-8."""
    words = "import sys; sys.modules['watchfiles'] = None; sys.argv = ['agentinitd', 'start', '--foreground']"
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"{words}; from agentinitd.cli.main import main; main()"],
        env={**os.environ, "HOME": str(home)}, capture_output=True, text=True, check=False, timeout=30,
    )  # fmt: skip

    assert done.returncode == 5
    assert done.stderr.startswith(
        "agentinitd: the module watchfiles is missing. Install agentinitd again, and what"
    )
