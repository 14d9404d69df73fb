"""`install` and `uninstall` as a person types them."""

from __future__ import annotations

import json
import os
import shlex
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.install import interpreter
from agentinitd.cli.main import cli
from agentinitd.model.errors import NotConfigured, NotInstalled, UsageError


@pytest.fixture
def settings(home: Path) -> Path:
    return home / ".claude" / "settings.json"


def call(*args: str) -> Result:
    return CliRunner().invoke(cli, args, catch_exceptions=True)


def command_in(settings: Path) -> str:
    return str(json.loads(settings.read_bytes())["hooks"]["SessionStart"][0]["hooks"][0]["command"])


def test_installing_says_that_the_hook_answers_and_what_is_left_to_do():
    result = call("install", "claude-code")

    assert result.exit_code == 0
    assert "our hooks are in" in result.output
    assert "The hook answers. The daemon is not running yet: `agentinitd start`." in result.output
    assert "trust" in result.output


def test_the_installed_command_is_absolute_and_runs_from_anywhere(settings, tmp_path):
    call("install", "claude-code")
    command = command_in(settings)

    words = shlex.split(command)
    assert [Path(words[0]).is_absolute(), words[1:3], Path(words[3]).is_file()] == [True, ["-I", "-S"], True]
    payload = b'{"hook_event_name": "SessionStart", "source": "clear"}'
    env = {"HOME": str(tmp_path), "PATH": "/nowhere", "PYTHONPATH": "/nowhere", "PYTHONHOME": "/nowhere"}
    done = subprocess.run(
        ["/bin/sh", "-c", command], input=payload, capture_output=True, cwd="/", env=env, timeout=20
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "could not be loaded" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_installing_again_changes_nothing(settings):
    call("install", "claude-code")
    before = settings.read_bytes()

    assert "in already" in call("install", "claude-code").output
    assert settings.read_bytes() == before


def test_a_dry_run_shows_the_change_and_makes_none(settings):
    result = call("install", "claude-code", "--dry-run")

    assert '+    "SessionStart": [' in result.output
    assert not settings.exists()
    call("install", "claude-code")
    assert "nothing to change" in call("install", "claude-code", "-n").output
    assert '-    "SessionStart": [' in call("uninstall", "claude-code", "-n").output
    assert settings.exists()


def test_uninstalling_says_what_became_of_the_file(settings):
    assert "nothing to change" in call("uninstall", "claude-code").output
    call("install", "claude-code")

    assert "was removed" in call("uninstall", "claude-code").output
    assert not settings.parent.exists()


def test_the_copy_of_the_old_settings_is_named(settings):
    settings.parent.mkdir()
    settings.write_text('{"model": "opus"}\n')

    assert "settings.json.agentinitd-backup" in call("install", "claude-code").output
    assert "our hooks are out" in call("uninstall", "claude-code").output
    assert settings.read_text() == '{"model": "opus"}\n'


def test_settings_in_another_place_are_found(settings, tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    call("install", "claude-code")

    assert (tmp_path / "elsewhere" / "settings.json").exists()
    assert not settings.exists()


def test_an_unknown_agent_is_named_with_those_that_are_known():
    for command in ("install", "uninstall"):
        error = call(command, "cladue").exception
        assert isinstance(error, UsageError)
        assert "'cladue'" in str(error)
        assert "claude-code" in str(error)


def test_settings_that_do_not_parse_are_named_with_their_line(settings):
    settings.parent.mkdir()
    settings.write_text('{\n  "hooks": oops\n}')

    error = call("install", "claude-code").exception

    assert isinstance(error, NotConfigured)
    assert f"{settings}:2:12" in str(error)


def test_settings_that_keep_hooks_from_running_are_pointed_out(settings):
    settings.parent.mkdir()
    settings.write_text('{"disableAllHooks": true}')

    assert "disableAllHooks" in call("install", "claude-code").output


def test_a_daemon_that_does_not_answer_does_not_stop_the_installation(monkeypatch):
    with (
        tempfile.TemporaryDirectory(prefix="hook-", dir="/tmp") as folder,
        socket.socket(socket.AF_UNIX) as deaf,
    ):
        monkeypatch.setenv("AGENTINITD_RUNTIME_DIR", folder)
        deaf.bind(f"{folder}/agentinitd.sock")
        deaf.listen()

        result = call("install", "claude-code")

    assert result.exit_code == 0
    assert "The hook answers." in result.output


def test_a_shim_is_replaced_by_the_interpreter_behind_it(tmp_path):
    shim = tmp_path / "python3"
    shim.write_text('#!/bin/sh\nexec python3 "$@"\n')
    shim.chmod(0o755)

    assert interpreter(str(shim)) == sys._base_executable
    assert interpreter(sys.executable) == sys.executable


@pytest.mark.parametrize("executable", ["", "python3", "/nowhere/python3"])
def test_a_python_that_cannot_be_found_again_is_not_installed(executable):
    with pytest.raises(NotInstalled):
        interpreter(executable)


def test_no_home_is_said(monkeypatch):
    monkeypatch.delenv("HOME")

    assert isinstance(call("install", "claude-code").exception, NotConfigured)
    assert "HOME" not in os.environ
