"""What moves a task is found in what a session did: checks, rules that apply, plans."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentinitd.memory.progress_events import (
    OPEN_CALLS,
    CheckRan,
    Finding,
    Planned,
    ProgressListener,
    Reported,
    RuleApplies,
)
from agentinitd.model.events import AgentMessage, Event, PlanStep, PlanUpdate, ToolCall, ToolResult
from agentinitd.model.progress import ProgressRule

NOW = 1_764_460_800.0


class Playing:
    """A session of an agent, whose events can be heard."""

    def __init__(self, *rules: ProgressRule) -> None:
        self.listener = ProgressListener()
        self.rules = rules
        self.count = 0

    def hear(self, *events: Event) -> list[Finding]:
        return self.listener.hear(events, self.rules, now=NOW)

    def call(self, name: str, given: Any, call_id: str | None = None, **fields: Any) -> ToolCall:
        self.count += 1
        known = f"c{self.count}" if call_id is None else call_id
        data = json.dumps(given).encode()
        where = {"line": self.count, "offset": 10 * self.count, **fields}
        return ToolCall(**where, call_id=known, name=name, input_json=data)

    def ran(
        self, command: str, text: str = "", is_success: bool | None = True, **fields: Any
    ) -> list[Finding]:
        call = self.call("Bash", {"command": command}, **fields)
        return self.hear(call, self.result(call, text, is_success, **fields))

    def result(
        self, call: ToolCall, text: str = "", is_success: bool | None = True, **fields: Any
    ) -> ToolResult:
        where = {"line": call.line, "offset": call.offset + 5, **fields}
        return ToolResult(**where, call_id=call.call_id, is_success=is_success, text=text)


def outcomes(findings: list[Finding]) -> list[tuple[str, bool]]:
    return [(each.check.name, each.has_succeeded) for each in findings if isinstance(each, CheckRan)]


@pytest.mark.parametrize(
    ("command", "text", "is_success", "found"),
    [
        ("pytest -q", "3 passed in 0.1s", True, [("pytest", True)]),
        ("cd x && FOO=1 uv run pytest -q", "", True, [("pytest", True)]),
        ("timeout 60 make test", "", True, [("make test", True)]),
        ("pytest -q", "Exit code 1\n1 failed in 0.1s", False, [("pytest", False)]),
        ("pytest -q", "1 failed, 2 passed in 0.1s", True, [("pytest", False)]),
        ("pytest | tail -3", "3 passed in 0.1s", True, [("pytest", True)]),
        ("pytest | tail -3", "1 failed, 3 passed in 0.1s", True, [("pytest", False)]),
        ("pytest | grep x", "nothing of interest", True, []),
        ("pytest; echo done", "done", True, []),
        ("pytest || true", "", True, []),
        ("pytest &", "", True, []),
        ("pytest -q", "", None, []),
        ("pytest -q", "3 passed in 0.1s", None, [("pytest", True)]),
        ("pytest -q", "The user doesn't want to proceed with this tool use.", False, []),
        ("pytest -q", "Command timed out after 2m 0.0s", False, []),
        ("ruff check . && mypy . && pytest", "", True, [("ruff", True), ("mypy", True), ("pytest", True)]),
        ("ruff check . && pytest", "Exit code 1\nFound 2 errors.", False, [("ruff", False)]),
        ("cd a && pytest; cd ../b && pytest", "1 failed in 0.1s\n2 passed in 0.1s", True, []),
        ("git add . && git commit -m 'pytest'", "[main 1a2b3c4] pytest", True, [("git commit", True)]),
        ("ls -la", "", True, []),
    ],
)
def test_a_check_counts_when_its_outcome_is_known(
    command: str, text: str, is_success: bool | None, found: list[tuple[str, bool]]
) -> None:
    assert outcomes(Playing().ran(command, text, is_success)) == found


def test_a_progress_report_is_heard_and_talk_about_one_is_not() -> None:
    playing = Playing()
    text = "All right.\n\nPROGRESS REPORT\ndone: write\nnext: docs"

    (found,) = playing.hear(AgentMessage(line=1, offset=1, text=text))
    assert isinstance(found, Reported) and found.report.done == ("write",)
    assert playing.hear(AgentMessage(line=2, offset=2, text="I will add a PROGRESS REPORT later.")) == []


def test_what_is_history_or_a_helpers_moves_nothing() -> None:
    playing = Playing()

    assert playing.ran("pytest", is_history=True) == []
    assert playing.ran("pytest", is_helper=True) == []


def test_a_check_tells_when_and_by_which_call_it_ran() -> None:
    (found,) = Playing().ran("CI=1 uv run pytest -q", written_at=5.0)
    (later,) = Playing().ran("pytest")

    assert isinstance(found, CheckRan) and isinstance(later, CheckRan)
    assert (found.command, found.call_id, found.at) == ("pytest -q", "c1", 5.0)
    assert later.at == NOW


def test_call_and_result_may_come_in_different_slices() -> None:
    playing = Playing()
    call = playing.call("Bash", {"command": "pytest"})

    assert playing.hear(call) == []
    assert outcomes(playing.hear(playing.result(call))) == [("pytest", True)]
    assert playing.hear(playing.result(call)) == []


def test_calls_without_an_answer_do_not_fill_the_memory() -> None:
    playing = Playing()
    first = playing.call("Bash", {"command": "pytest"})
    playing.hear(first, *(playing.call("Bash", {"command": "pytest"}) for _ in range(OPEN_CALLS)))

    assert playing.hear(playing.result(first)) == []


def test_an_agent_that_names_no_calls_answers_the_last_one() -> None:
    playing = Playing()
    pytest_call = playing.call("execute_command", {"command": "pytest"}, call_id="")
    other = playing.call("execute_command", {"command": "ls"}, call_id="")

    playing.hear(pytest_call)
    assert playing.hear(playing.result(pytest_call, "collecting …", None)) == []
    (found,) = playing.hear(playing.result(pytest_call, "3 passed in 0.1s", None))
    assert isinstance(found, CheckRan) and found.call_id == "execute_command@10"
    assert playing.hear(other, playing.result(other, "3 passed in 0.1s", None)) == []


@pytest.mark.parametrize(
    ("started", "poll", "given", "ended"),
    [
        (
            "Command running in background with ID: bash_1",
            "BashOutput",
            {"bash_id": "bash_1"},
            "<status>completed</status>\n\n<exit_code>0</exit_code>",
        ),
        ("Process running with session ID 7", "write_stdin", {"session_id": 7}, "Process exited with code 0"),
    ],
)
def test_a_command_in_the_background_counts_when_it_has_ended(
    started: str, poll: str, given: dict[str, Any], ended: str
) -> None:
    playing = Playing()
    assert playing.ran("npm test", started) == []

    for text, found in (("<status>running</status>", []), (ended, [("npm test", True)])):
        call = playing.call(poll, given)
        assert outcomes(playing.hear(call, playing.result(call, text))) == found


def test_looking_at_another_command_proves_nothing() -> None:
    playing = Playing()
    playing.ran("npm test", "Command running in background with ID: bash_1")
    call = playing.call("BashOutput", {"bash_id": "bash_2"})

    assert playing.hear(call, playing.result(call, "<exit_code>0</exit_code>")) == []


def test_where_success_only_means_that_a_command_was_run_the_output_decides() -> None:
    playing = Playing()
    silent, telling = (playing.call("developer__shell", {"command": "pytest"}) for _ in range(2))

    assert playing.hear(silent, playing.result(silent, "")) == []
    assert outcomes(playing.hear(telling, playing.result(telling, "3 passed in 0.1s"))) == [("pytest", True)]


@pytest.mark.parametrize(
    ("rule", "command", "is_success", "applies"),
    [
        ({"command": "make e2e"}, "cd x && make e2e", True, True),
        ({"command": "make e2e"}, "make e2e -j4", True, True),
        ({"command": "make e2e"}, "make e2e-fast", True, None),
        ({"command": "make e2e"}, "make e2e | tail", True, None),
        ({"command": "make e2e"}, "make e2e; true", True, None),
        ({"command": "make e2e"}, "make e2e", False, False),
        ({"command": "make e2e"}, "make e2e", None, None),
        ({"command": "./scripts/check*.sh"}, "CI=1 ./scripts/check-all.sh --fast", True, True),
        ({"command": "uv run *"}, "uv run pytest", True, True),
        ({"command": "pytest*"}, "uv run pytest", True, True),
        ({"command": "cd web && npm test"}, "cd web && npm test", True, True),
        ({"command": "make e2e", "tool": "run_shell_command"}, "make e2e", True, None),
        ({"command": "make e2e", "tool": "bash"}, "make e2e", True, True),
    ],
)
def test_a_rule_applies_to_whole_words_of_one_command(
    rule: dict[str, str], command: str, is_success: bool | None, applies: bool | None
) -> None:
    findings = Playing(ProgressRule(**rule, complete="x")).ran(command, is_success=is_success)  # type: ignore[arg-type]

    told = [each.has_succeeded for each in findings if isinstance(each, RuleApplies)]
    assert told == ([] if applies is None else [applies])


def test_a_rule_may_name_any_tool() -> None:
    playing = Playing(ProgressRule(tool="mcp__ci__*", note="CI"))
    call = playing.call("mcp__ci__run", {"branch": "x"})

    (found,) = playing.hear(call, playing.result(call))
    assert isinstance(found, RuleApplies) and found.has_succeeded


def plan(*steps: str) -> PlanUpdate:
    return PlanUpdate(line=1, offset=1, steps=tuple(PlanStep(text=step, status="done") for step in steps))


def passed(findings: list[Finding]) -> list[str]:
    (found,) = findings
    assert isinstance(found, Planned)
    return [each.check.name for each in found.passed]


def test_a_plan_brings_what_passed_before_it_and_still_holds() -> None:
    playing = Playing()
    playing.ran("ruff check . && pytest")
    assert passed(playing.hear(plan("a"))) == ["ruff", "pytest"]

    playing.ran("pytest", "1 failed in 0.1s", False)
    assert passed(playing.hear(plan("a"))) == ["ruff"]

    playing.hear(playing.call("Edit", {"file_path": "a.py"}))
    assert passed(playing.hear(plan("a"))) == []


def test_one_commit_is_brought_to_one_plan_only() -> None:
    playing = Playing()
    playing.ran("git commit -m x")

    assert passed(playing.hear(plan("a"))) == ["git commit"]
    assert passed(playing.hear(plan("a"))) == []
