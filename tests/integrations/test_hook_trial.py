"""Trying a hook out says what is wrong with it."""

from __future__ import annotations

import pytest

from agentinitd.integrations.hook_entries import GUARD
from agentinitd.integrations.hook_trial import Trial, try_hook

ACCEPTED = '{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "x"}}'


def test_a_hook_that_prints_what_the_agent_accepts_is_well(tmp_path):
    assert try_hook(f"cat >/dev/null; echo '{ACCEPTED}'", folder=tmp_path) == Trial()
    assert try_hook("cat >/dev/null", folder=tmp_path) == Trial(is_silent=True)


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        ("exit 3", "exit code 3"),
        ("/nowhere/python hook.py", "exit code 127: "),
        (f"/nowhere/python hook.py{GUARD}", "exit code 127: "),
        ("echo oops >&2", "stderr: oops"),
        ("echo hello", "would not accept"),
        ("echo '[]'", "would not accept"),
        ('echo \'{"additionalContext": "x"}\'', "would not accept"),
    ],
)
def test_a_hook_that_is_ill_is_described(tmp_path, command, fault):
    assert fault in try_hook(command, folder=tmp_path).fault


def test_a_folder_that_is_gone_is_said(tmp_path):
    assert "cannot be run" in try_hook("true", folder=tmp_path / "gone").fault
