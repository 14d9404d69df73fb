"""What Codex and its tools say to each other, and what it says to the person."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from agentinitd.model.events import (
    AgentMessage,
    PlanUpdate,
    SnippetSeen,
    ToolCall,
    ToolResult,
)

sys.path.insert(0, str(Path(__file__).parent))

from codex_lines import (
    event,
    events_of,
    item,
    kinds,
    of,
    read,
    said,
    typed,
)

# Tools, plans, messages


def call(**fields: object) -> dict[str, Any]:
    return item("function_call", call_id="c", **fields)


PATCH = item("custom_tool_call", name="apply_patch", input="*** Begin", call_id="c")
SHELL = item("local_shell_call", call_id="c", action={"type": "exec", "command": ["ls"]})


@pytest.mark.parametrize(
    ("line", "name", "arguments"),
    [
        (call(name="shell", arguments='{"command":["ls"]}'), "shell", {"command": ["ls"]}),
        (call(name="shell", arguments={"a": 1}), "shell", {"a": 1}),
        (call(name="x", namespace="mcp__s__", arguments="{}"), "mcp__s__x", {}),
        (call(name="x", arguments="words"), "x", {"input": "words"}),
        (call(name="x", arguments='{"torn":'), "x", {}),
        (call(name="x", arguments=7), "x", {}),
        (PATCH, "apply_patch", {"input": "*** Begin"}),
        (SHELL, "local_shell", {"type": "exec", "command": ["ls"]}),
        (item("web_search_call", id="c", action={"query": "q"}), "web_search", {"query": "q"}),
    ],
)
def test_calls_of_every_form_are_told(line: object, name: str, arguments: dict[str, object]) -> None:
    [told] = events_of(line)

    assert isinstance(told, ToolCall)
    assert (told.name, told.call_id, told.input) == (name, "c", arguments)


@pytest.mark.parametrize(
    ("output", "success", "text"),
    [
        ('{"output":"fine","metadata":{"exit_code":0,"duration_seconds":0.1}}', True, "fine"),
        ('{"output":"bad","metadata":{"exit_code":2}}', False, "bad"),
        ('{"output":"?","metadata":{}}', None, "?"),
        ({"content": "no", "success": False}, False, "no"),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "x"}], None, "a"),
        (None, None, ""),
        (7, None, ""),
        ("x" * 9000, None, "x" * 4000),
    ],
)
def test_results_of_every_form_are_told(output: object, success: bool | None, text: str) -> None:
    [result] = events_of(item("function_call_output", call_id="c", output=output))

    assert isinstance(result, ToolResult)
    assert (result.call_id, result.is_success, result.text) == ("c", success, text)


@pytest.mark.parametrize("text", ["é", "规", "\\", '"', "\n", "😀", "x", "\u0001"])
@pytest.mark.parametrize("is_ascii", [True, False])
@pytest.mark.parametrize("before", range(7))
def test_of_a_long_result_only_the_beginning_is_told(text: str, is_ascii: bool, before: int) -> None:
    whole = "y" * before + text * 9000
    exec_result = json.dumps({"output": whole, "metadata": {"exit_code": 3}}, ensure_ascii=is_ascii)
    for output, success in ((whole, None), (exec_result, False), ("Exit code: 0\n" + whole, True)):
        line = item("function_call_output", call_id="c", output=output)
        [result] = [each for each in read(json.dumps(line, ensure_ascii=is_ascii).encode()) if each]

        assert isinstance(result, ToolResult)
        assert result.is_success is success
        assert 250 < len(result.text) <= 4000
        assert (whole if output is exec_result else output).startswith(result.text)


@pytest.mark.parametrize(
    ("text", "success"),
    [
        ("Exit code: 0\nWall time: 1 seconds\nOutput:\nfine", True),
        ("Exit code: 101\nWall time: 1 seconds\nOutput:\n", False),
        ("Chunk ID: a\nProcess exited with code 1\nOutput:\nx", False),
        ("Wall time: 1\nProcess running with session ID 3\nOutput:\nExit code: 1", None),
        ('{"resources":[]}', None),
        ("Plan updated", None),
        ("apply_patch verification failed: no such file", False),
    ],
)
def test_a_result_is_a_success_where_its_text_says_so(text: str, success: bool | None) -> None:
    [result] = events_of(item("custom_tool_call_output", call_id="c", output=text))

    assert isinstance(result, ToolResult)
    assert (result.is_success, result.text) == (success, text)


def test_a_plan_is_told_with_its_statuses_and_once() -> None:
    plan = [
        {"step": "read", "status": "completed"},
        {"step": "write", "status": "in_progress"},
        {"step": "test", "status": "pending"},
        {"step": "odd", "status": 5},
        "no step",
    ]
    update_plan = call(name="update_plan", arguments=json.dumps({"plan": plan}))

    told = events_of(update_plan, event("plan_update", plan=plan), update_plan)
    [update] = of(PlanUpdate, told)

    assert kinds(told) == ["ToolCall", "PlanUpdate", "ToolCall"]
    assert [(step.text, step.status) for step in update.steps] == [
        ("read", "done"),
        ("write", "in_progress"),
        ("test", "pending"),
        ("odd", "pending"),
    ]


def test_what_the_agent_said_is_told_once() -> None:
    events = events_of(event("agent_message", message="done"), said("done"))

    assert [each.text for each in of(AgentMessage, events)] == ["done"]


def test_a_snippet_is_seen_where_a_hook_put_it_and_nowhere_else() -> None:
    snippet = "# Project memory (agentinitd 1f3c9a2b4d5e)\n- rule"

    assert [each.snippet_id for each in of(SnippetSeen, events_of(said(snippet, "developer")))] == [
        "1f3c9a2b4d5e"
    ]
    assert not of(SnippetSeen, events_of(said(snippet), said(snippet, "user"), typed(snippet)))
