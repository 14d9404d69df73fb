"""A rule of progress says what it means, or is refused with the cure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from agentinitd.model.config import PROJECT_KEYS, Config, apply
from agentinitd.model.errors import NotConfigured
from agentinitd.model.progress import MAX_RULES, ProgressRule


def applied(text: str) -> Config:
    return apply(Config(), yaml.safe_load(text), source="config.yaml", allowed=PROJECT_KEYS)


def fault(text: str) -> str:
    with pytest.raises(NotConfigured) as caught:
        applied(text)
    return str(caught.value)


def test_rules_are_read_as_people_write_them() -> None:
    config = applied(
        """
        progress:
          - {command: "pytest*", complete: run tests}
          - command: make e2e
            on: failure
            block: 端到端测试
          - {tool: mcp__ci__run, note: CI was asked}
        """
    )

    assert config.progress == (
        ProgressRule(command="pytest*", complete="run tests"),
        ProgressRule(command="make e2e", on="failure", block="端到端测试"),
        ProgressRule(tool="mcp__ci__run", note="CI was asked"),
    )


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("progress: pytest", "progress: expected a list of rules, found 'pytest'"),
        ("progress: [pytest]", "progress: rule 1: expected a rule such as {command:"),
        ("progress: [{complete: x}]", "rule 1: a rule needs `command` or `tool`"),
        ("progress: [{command: x}]", "rule 1: a rule needs one of complete, block, note"),
        ("progress: [{command: x, complete: y}, {comand: x, complete: y}]", "rule 2: 'comand': unknown key"),
        ("progress: [{comand: x, complete: y}]", "did you mean command?"),
        ("progress: [{7: x}]", "7: unknown key of a rule; known keys: tool, command"),
        ("progress: [{command: x, note: y, on: later}]", "on: expected success or failure, found 'later'"),
        ("progress: [{command: x, complete: 7}]", "complete: expected a text, found 7; put it into quotes"),
        ("progress: [{command: '', complete: y}]", "command: expected a text, found ''"),
        ("progress: [{command: x, note: \"a\\nb\"}]", "note: expected one line of text"),
        (f"progress: [{{tool: x, note: {'y' * 201}}}]", "note: 201 characters are too many; at most 200"),
        ("capture: maybe", "capture: expected one of auto, propose, off, found 'maybe'"),
        ("capture: true", "capture: expected one of auto, propose, off, found True"),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_be_meant_is_refused_with_its_place_and_cure(written: str, told: str) -> None:
    assert told in fault(written)
    assert fault(written).startswith("config.yaml: ")


def test_there_are_never_too_many_rules() -> None:
    rule = {"command": "x", "note": "y"}

    assert len(apply(Config(), {"progress": [rule] * MAX_RULES}, source="f").progress) == MAX_RULES
    with pytest.raises(NotConfigured, match="101 rules are too many"):
        apply(Config(), {"progress": [rule] * (MAX_RULES + 1)}, source="f")


@pytest.mark.parametrize(
    ("written", "meant"), [("off", "off"), ('"off"', "off"), ("propose", "propose"), ("auto", "auto")]
)
def test_the_bare_word_off_means_what_it_says(written: str, meant: Any) -> None:
    assert applied(f"capture: {written}").capture == meant


def test_the_rules_in_the_documentation_can_be_copied() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "memory.md").read_text(encoding="utf-8")
    example = text.partition("```yaml\nprogress:")[2].partition("```")[0]

    assert [rule.on for rule in applied(f"progress:{example}").progress] == ["success", "failure", "success"]
