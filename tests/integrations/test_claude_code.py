"""Claude Code's words: what its hooks tell us and what they may print."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.integrations import claude_code
from agentinitd.integrations.agents import INTEGRATIONS
from agentinitd.integrations.settings_json import NotJson
from agentinitd.model.hooks import HookRequest


def parse(**payload: object) -> HookRequest:
    return claude_code.parse_hook(json.dumps(payload).encode())


def test_it_is_listed_under_its_name():
    assert INTEGRATIONS[claude_code.NAME] is claude_code


def test_the_settings_are_the_users_own():
    home = PurePosixPath("/home/li")

    assert claude_code.settings_path(home, {}) == home / ".claude" / "settings.json"
    assert claude_code.settings_path(home, {"CLAUDE_CONFIG_DIR": ""}) == home / ".claude" / "settings.json"
    assert claude_code.settings_path(home, {"CLAUDE_CONFIG_DIR": "/c"}) == PurePosixPath("/c/settings.json")


def test_the_command_survives_a_shell():
    command = claude_code.hook_command("/a b/python", "/c's/agentinitd/hook.py")

    words = ["/a b/python", "-I", "-S", "/c's/agentinitd/hook.py", "claude-code"]
    assert shlex.split(command) == [*words, "2>/dev/null", "||", ":"]


@pytest.mark.parametrize("python", [sys.executable, "/nowhere/python"])
@pytest.mark.parametrize("is_file_there", [True, False])
def test_the_command_never_blocks_the_agent_whatever_was_removed(tmp_path, python, is_file_there):
    hook = tmp_path / "agentinitd" / "hook.py"
    if is_file_there:
        hook.parent.mkdir()
        hook.write_text("raise SystemExit(2)\n")
    command = claude_code.hook_command(python, str(hook))

    done = subprocess.run(["/bin/sh", "-c", command], input=b"{}", capture_output=True, timeout=20)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_every_kind_of_start_reaches_us():
    groups = json.loads(claude_code.install(None, "x"))["hooks"]["SessionStart"]

    assert groups[0]["matcher"].split("|") == ["startup", "resume", "clear", "compact", "fork"]


@pytest.mark.parametrize(
    ("name", "event", "can_deliver"),
    [
        ("SessionStart", "session-start", True),
        ("UserPromptSubmit", "prompt", True),
        ("PostToolUse", "tool-result", True),
        ("PreCompact", "before-compaction", False),
        ("PostCompact", "after-compaction", False),
        ("Stop", "stop", False),
        ("SessionEnd", "session-end", False),
        ("FutureEvent", "other", False),
    ],
)
def test_an_event_is_read_and_only_three_of_them_are_answered(name, event, can_deliver):
    request = parse(
        hook_event_name=name, session_id="s", transcript_path="/t.jsonl", cwd="/w", tool_response=[1]
    )

    assert request == HookRequest(
        agent="claude-code",
        event=event,
        event_name=name,
        session_id="s",
        transcript_path="/t.jsonl",
        cwd="/w",
        can_deliver=can_deliver,
    )
    output = claude_code.answer(request, '只用 pnpm "now"\n')
    expected = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": '只用 pnpm "now"\n'}}
    assert (json.loads(output) if output else None) == (expected if can_deliver else None)


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork"])
def test_the_source_of_a_start_is_read(source):
    assert parse(hook_event_name="SessionStart", source=source).source == source


def test_a_source_means_nothing_elsewhere_and_an_unknown_one_nothing_at_all():
    assert parse(hook_event_name="SessionStart", source="teleport").source is None
    assert parse(hook_event_name="Stop", source="clear").source is None


def test_a_helper_gets_nothing():
    request = parse(hook_event_name="PostToolUse", agent_id="a1")

    assert (request.is_helper, request.can_deliver) == (True, False)
    assert claude_code.answer(request, "text") == b""
    assert not parse(hook_event_name="SessionStart", agent_type="reviewer").is_helper


def test_a_trial_is_no_session():
    request = parse(hook_event_name="SessionStart", agentinitd_check="yes")

    assert (request.event, request.is_helper, request.can_deliver) == ("other", True, False)


def test_nothing_to_say_prints_nothing():
    request = parse(hook_event_name="SessionStart")

    assert claude_code.answer(request, None) == claude_code.answer(request, "") == b""


@pytest.mark.parametrize(
    "body", [b"", b"nonsense", b"[]", b"null", b'"x"', b"\xff\x00", b"[" * 100_000, b'{"a": ']
)
def test_what_is_no_hook_is_refused_with_a_reason(body):
    with pytest.raises(ValueError, match="the hook's input is not"):
        claude_code.parse_hook(body)


def test_lone_surrogates_and_values_of_wrong_types_are_survived():
    body = (
        b'{"hook_event_name": "Stop", "session_id": 5, "cwd": null, "transcript_path": ["x"], "prompt": %s}'
    )
    request = claude_code.parse_hook(body % b'"\\ud83d"')

    assert (request.event, request.session_id, request.cwd, request.transcript_path) == (
        "stop",
        "",
        None,
        None,
    )
    assert claude_code.parse_hook(b'{"cwd": "/a\\ud83d/b", "session_id": "a\\u0000"}').cwd == "/a?/b"
    assert claude_code.parse_hook(b'{"session_id": "a\\u0000"}').session_id == ""


@given(st.binary())
def test_any_bytes_are_a_request_or_a_value_error(body):
    try:
        request = claude_code.parse_hook(body)
    except ValueError:
        return
    assert request.agent == "claude-code"


def test_settings_that_switch_all_hooks_off_are_pointed_out():
    assert "disableAllHooks" in claude_code.warnings('{"disableAllHooks": true}')[0]
    assert claude_code.warnings('{"disableAllHooks": false}') == claude_code.warnings("{}") == ()
    with pytest.raises(NotJson):
        claude_code.warnings("{")


class TestTrust:
    TEXT = json.dumps(
        {
            "projects": {
                "/a": {"hasTrustDialogAccepted": True},
                "/b": {"hasTrustDialogAccepted": False},
                "/c": 3,
            }
        }
    )

    @pytest.mark.parametrize(
        ("folder", "is_trusted"), [("/a", True), ("/a/x/y", True), ("/b", False), ("/d", False)]
    )
    def test_holds_for_a_folder_and_what_lies_in_it(self, folder, is_trusted):
        assert claude_code.is_trusted(self.TEXT, PurePosixPath(folder)) is is_trusted

    @pytest.mark.parametrize(
        "text", ["", "[]", "{}", '{"projects": []}', '{"projects": {"/a": 3}}', "[" * 9999]
    )
    def test_is_not_read_into_what_does_not_say_so(self, text):
        assert claude_code.is_trusted(text, PurePosixPath("/a")) is False

    def test_is_kept_where_the_agent_keeps_it(self):
        assert claude_code.trust_path(PurePosixPath("/h"), {}) == PurePosixPath("/h/.claude.json")
        assert claude_code.trust_path(PurePosixPath("/h"), {"CLAUDE_CONFIG_DIR": "/c"}) == PurePosixPath(
            "/c/.claude.json"
        )
