"""`reload`: the new config is in force, or the old one and a reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def config(shared_daemon: Any) -> Path:
    path: Path = shared_daemon.home / ".config" / "agentinitd" / "agentinitd.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    return path


def test_a_good_one_is_in_force_at_once(shared_daemon: Any, config: Path) -> None:
    shared_daemon.anchors("".join(f"- [constraint] rule number {n} about file {n}\n" for n in range(90)))
    before = shared_daemon.command("snippet").stdout
    config.write_text("budget_tokens: 200\n")

    done = shared_daemon.command("reload")

    assert (done.returncode, done.stderr) == (0, "")
    after = shared_daemon.command("snippet").stdout
    assert 0 < len(after) < len(before) * 0.6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("budget_tokens: 1\n", "60"),
        ("budget_tokens: [\n", "line"),
        ("- 1\n", "expected"),
        ("\t:", "agentinitd.yaml"),
    ],
)
def test_a_bad_one_is_refused_with_its_place_and_the_old_one_stays(
    shared_daemon: Any, config: Path, text: str, said: str
) -> None:
    """DMN-7."""
    config.write_text(text)

    done = shared_daemon.command("reload")

    assert done.returncode == 6
    assert str(config) in done.stderr
    assert said in done.stderr
    assert "The old config stays in force." in done.stderr
    config.write_text("")
    assert shared_daemon.command("reload").returncode == 0


def test_an_unknown_key_is_told_and_the_others_hold(shared_daemon: Any, config: Path) -> None:
    """DMN-7."""
    config.write_text("budget_token: 200\nperiodic_turns: 3\n")

    done = shared_daemon.command("reload")

    assert (done.returncode, done.stdout) == (0, "The config was read again.\n")
    assert "budget_token: ignored: unknown key; did you mean budget_tokens?" in done.stderr
    status = shared_daemon.status()
    assert status["state"] == "degraded"
    assert "budget_token" in status["reasons"][0]["text"]
    config.write_text("")
    assert shared_daemon.command("reload").stderr == ""


def test_what_only_a_restart_puts_in_force_is_named(shared_daemon: Any, config: Path) -> None:
    config.write_text("log_files: 9\nbudget_tokens: 400\n")
    named = shared_daemon.command("reload").stdout
    config.write_text("")
    silent = shared_daemon.command("reload").stdout

    assert "Only `agentinitd restart` puts in force: log_files." in named
    assert "restart" not in silent


def test_without_a_daemon_it_starts_none(new_daemon: Callable[[], Any]) -> None:
    daemon = new_daemon()

    done = daemon.command("reload")

    assert done.returncode == 7
    assert "agentinitd start" in done.stderr
    assert not daemon.state_dir.exists()
