"""Commands, edits and outcomes are told alike, whichever agent made the call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentinitd.memory.tool_calls import (
    command_of,
    edited_files,
    handle_of,
    has_succeeded,
    polled_handle,
    runs_on,
    says_no_outcome,
)
from agentinitd.model.events import Event, ToolCall, ToolResult
from agentinitd.transcripts.agents import AGENTS, guess

PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** Add File: docs/b.md\n+z\n*** End Patch"


def call(name: str, given: object = None) -> ToolCall:
    return ToolCall(line=1, offset=0, call_id="c", name=name, input_json=json.dumps(given or {}).encode())


def result(text: str, is_success: bool | None = True) -> ToolResult:
    return ToolResult(line=2, offset=9, call_id="c", is_success=is_success, text=text)


@pytest.mark.parametrize(
    ("name", "given", "command"),
    [
        ("Bash", {"command": "npm test", "timeout": 9}, "npm test"),
        ("bash", {"command": "npm test"}, "npm test"),
        ("shell", {"command": ["bash", "-lc", "cd x && npm test"]}, "cd x && npm test"),
        ("shell", {"command": ["/bin/zsh", "-c", "npm test"]}, "npm test"),
        ("shell", {"command": ["git", "commit", "-m", "a b"]}, "git commit -m 'a b'"),
        ("local_shell", {"type": "exec", "command": ["npm", "test"]}, "npm test"),
        ("container.exec", {"cmd": ["bash", "-lc", "npm test"]}, "npm test"),
        ("exec_command", {"cmd": "npm test", "workdir": "/x"}, "npm test"),
        ("shell_command", {"command": "npm test"}, "npm test"),
        ("run_shell_command", {"command": "npm test", "description": "x"}, "npm test"),
        ("developer__shell", {"command": "npm test"}, "npm test"),
        ("Shell", {"command": "npm test"}, "npm test"),
        ("execute_command", {"command": "npm test"}, "npm test"),
        ("run_commands", {"commands": ["npm ci", "npm test"]}, "npm ci\nnpm test"),
        ("run_commands", {"commands": [{"command": "npm test"}]}, "npm test"),
        ("mcp__box__execute_command", {"command": "npm test"}, "npm test"),
        ("Read", {"file_path": "a"}, None),
        ("Bash", {"description": "nothing"}, None),
        ("Bash", {"command": 7}, None),
        ("shell", {"command": []}, None),
        ("shell", {"command": ["apply_patch", PATCH]}, None),
        ("TodoWrite", {"command": "npm test"}, None),
    ],
)
def test_the_command_of_every_agents_shell_is_one_text(name: str, given: object, command: str | None) -> None:
    assert command_of(call(name, given)) == command


@pytest.mark.parametrize(
    ("name", "given", "files"),
    [
        ("Edit", {"file_path": "/p/a.py", "old_string": "x"}, ("/p/a.py",)),
        ("MultiEdit", {"file_path": "a.py", "edits": [{"old_string": "x"}]}, ("a.py",)),
        ("NotebookEdit", {"notebook_path": "n.ipynb"}, ("n.ipynb",)),
        ("replace", {"file_path": "a.py"}, ("a.py",)),
        ("write_file", {"file_path": "a.py", "content": "*** Update File: no.py"}, ("a.py",)),
        ("edit", {"filePath": "a.py"}, ("a.py",)),
        ("apply_patch", {"input": PATCH}, ("src/a.py", "docs/b.md")),
        ("patch", {"patchText": PATCH}, ("src/a.py", "docs/b.md")),
        ("shell", {"command": ["apply_patch", PATCH]}, ("src/a.py", "docs/b.md")),
        ("Bash", {"command": f"apply_patch <<'EOF'\n{PATCH}\nEOF"}, ("src/a.py", "docs/b.md")),
        ("StrReplaceFile", {"path": "a.py", "edit": {}}, ("a.py",)),
        ("developer__text_editor", {"command": "str_replace", "path": "a.py"}, ("a.py",)),
        ("developer__text_editor", {"command": "view", "path": "a.py"}, ()),
        ("str_replace_editor", {"command": "create", "path": "a.py"}, ("a.py",)),
        ("editedExistingFile", {"tool": "editedExistingFile", "path": "a.py"}, ("a.py",)),
        ("appliedDiff", {"batchDiffs": [{"path": "a.py"}, {"path": "b.py"}]}, ("a.py", "b.py")),
        ("Read", {"file_path": "a.py"}, ()),
        ("read_file", {"path": "a.py"}, ()),
        ("Bash", {"command": "cat a.py", "path": "a.py"}, ()),
        ("edit", {"path": "a.py"}, ("a.py",)),
        ("Edit", {}, ()),
    ],
)
def test_the_files_that_a_call_changes_are_named(name: str, given: object, files: tuple[str, ...]) -> None:
    assert edited_files(call(name, given)) == files


@pytest.mark.parametrize(
    ("text", "is_success", "outcome"),
    [
        ("3 passed", True, True),
        ("3 passed", None, None),
        ("Exit code 1\nboom", False, False),
        ("Exit code: 0\nWall time: 1 seconds\nOutput:\n…", None, True),
        ("Chunk ID: a\nProcess exited with code 2\nOutput:\n…", None, False),
        ("Output: boom\nError: (none)\nExit Code: 1\nProcess Group PGID: 7", True, False),
        ("row 1\n<exited with exit code 1>", True, False),
        ("row 1\n<exited with exit code 0>", True, True),
        ("Command failed with exit code: 2.", None, False),
        ("Command executed in terminal  within working directory '/p'. Exit code: 0\nOutput:\n…", None, True),
        ("<status>completed</status>\n\n<exit_code>1</exit_code>\n", True, False),
        ("Exit code 127\nbash: pytset: command not found", False, None),
        ("Exit code 124\n", False, None),
        ("Exit code 137\nKilled", False, None),
        ("Command timed out after 2m 0.0s", False, None),
        ("The user doesn't want to proceed with this tool use. The tool use was rejected", False, None),
        ("[Request interrupted by user for tool use]", False, None),
        ("Permission to use Bash with command rm has been denied.", False, None),
        ("exec command rejected by user", False, None),
        ("Command running in background with ID: bash_1. Output is being written to: /tmp/x", True, None),
        ("Process running with session ID 41234\nOutput:\n", None, None),
        ("✓ ends with exit code 2 when the file is missing", True, True),
        ("", True, True),
        ("", None, None),
    ],
)
def test_an_outcome_is_told_only_where_somebody_knows_it(
    text: str, is_success: bool | None, outcome: bool | None
) -> None:
    assert has_succeeded(result(text, is_success)) is outcome


def test_an_exit_code_behind_a_long_output_is_found() -> None:
    assert has_succeeded(result("x\n" * 1500 + "Exit Code: 1\nSignal: (none)")) is False


def test_a_tool_that_only_says_that_it_was_asked_proves_nothing() -> None:
    assert says_no_outcome(call("developer__shell"))
    assert says_no_outcome(call("BashOutput"))
    assert not says_no_outcome(call("Bash"))
    assert has_succeeded(result("all fine"), needs_exit_code=True) is None
    assert has_succeeded(result("<exit_code>0</exit_code>"), needs_exit_code=True) is True


@pytest.mark.parametrize(
    ("text", "name", "given"),
    [
        ("Command running in background with ID: bash_1", "BashOutput", {"bash_id": "bash_1"}),
        ("Command running in background with ID: b7x. Output is …", "TaskOutput", {"task_id": "b7x"}),
        ("Process running with session ID 41234", "write_stdin", {"session_id": 41234, "chars": ""}),
        ("<command with shellId: 3 is still running after 30 seconds>", "read_bash", {"shellId": "3"}),
    ],
)
def test_a_command_in_the_background_is_found_again(text: str, name: str, given: object) -> None:
    assert runs_on(result(text))
    assert handle_of(result(text)) == polled_handle(call(name, given))
    assert polled_handle(call("Read", given)) is None


def events_of(folder: Path) -> Iterator[tuple[str, Event]]:
    """Of every session in the samples, however deep it lies."""
    seen: set[str] = set()
    for path in sorted([folder, *folder.rglob("*")]):
        agent = guess(path)
        for name in agent.names_in(path) if agent is not None else ():
            if agent is not None and name not in seen:
                seen.add(name)
                follower = agent.follow(name, is_detailed=True)
                while True:
                    yield from ((agent.NAME, event) for event in follower.read())
                    if not follower.has_more:
                        break


@pytest.mark.parametrize(
    ("agent", "example"),
    [
        ("claude-code", "npm run lint"),
        ("codex", "npm test"),
        ("gemini", "npm test"),
        ("copilot-cli", "cat one.txt"),
        ("goose", "cat one.txt"),
    ],
)
def test_in_real_transcripts_commands_are_found_and_have_outcomes(
    shared: Path, agent: str, example: str
) -> None:
    folder = shared / "transcripts" / agent
    commands: dict[str, str] = {}
    outcomes: set[bool | None] = set()
    for name, event in events_of(folder):
        if name == agent and isinstance(event, ToolCall) and (command := command_of(event)):
            commands[event.call_id] = command
        elif isinstance(event, ToolResult) and event.call_id in commands:
            outcomes.add(has_succeeded(event))

    assert any(example in command for command in commands.values())
    assert True in outcomes


@pytest.mark.parametrize(("agent", "count"), [("claude-code", 300), ("codex", 30), ("gemini", 20)])
def test_in_real_transcripts_edits_are_found(shared: Path, agent: str, count: int) -> None:
    files = [
        file
        for name, event in events_of(shared / "transcripts" / agent)
        if name == agent and isinstance(event, ToolCall)
        for file in edited_files(event)
    ]

    assert len(files) >= count


def test_every_agent_with_a_reader_was_thought_of() -> None:
    """A new one brings tools of its own: add them, and an example above."""
    assert set(AGENTS) == {
        "claude-code", "codex", "gemini", "qwen", "opencode", "copilot-cli", "cline", "roo", "goose", "kimi",
        "aider",
    }  # fmt: skip
