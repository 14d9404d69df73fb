"""A new memory folder: readable by our own readers, without a complaint, and silent until it is edited."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import yaml

from agentinitd.cli import scaffold
from agentinitd.daemon.settings import project_config
from agentinitd.memory.anchors import parse_anchors
from agentinitd.memory.task_state import parse_task_state, served_state
from agentinitd.model.config import PROJECT_KEYS, Config

NOW = datetime(2026, 11, 29, 10, 0, 0, tzinfo=UTC)
LANGUAGES = pytest.mark.parametrize("language", ["en", "zh"])
ANCHORS = {
    "anchors/project_constraints.md": "constraint",
    "anchors/tool_interfaces.md": "tool",
    "anchors/decision_log.md": "decision",
}


@LANGUAGES
@pytest.mark.parametrize("name", ANCHORS)
def test_the_examples_are_no_anchors_until_they_leave_their_comment(language, name):
    text = scaffold.files(language=language, now=NOW, is_shared=False)[name]

    assert parse_anchors(text, name) == ([], [])
    opened = text.replace("<!--\n", "").replace("-->\n", "")
    anchors, problems = parse_anchors(opened, name)
    assert [(anchor.kind, bool(anchor.what), bool(anchor.why)) for anchor in anchors] == [
        (ANCHORS[name], True, True)
    ]
    assert anchors[0].written_at == NOW.timestamp()
    assert problems == []


@LANGUAGES
def test_the_task_state_is_well_formed_and_says_nothing(language):
    text = scaffold.files(language=language, now=NOW, is_shared=False)["state/task_state.json"]

    state, problems = parse_task_state(text.encode())

    assert problems == []
    assert {"task_id", "status", "completed", "pending", "blockers", "last_updated"} <= state.keys()
    served = served_state(state)
    assert not any(value for key, value in served.items() if key not in ("counts", "last_updated"))


@LANGUAGES
def test_the_config_names_every_setting_of_a_project_with_its_default(tmp_path, language):
    text = scaffold.files(language=language, now=NOW, is_shared=False)["config.yaml"]
    assert yaml.safe_load(text) is None

    file = tmp_path / ".agent-memory" / "config.yaml"
    file.parent.mkdir()
    file.write_text("\n".join(line.removeprefix("# ") for line in text.splitlines()[1:]))

    assert yaml.safe_load(file.read_text()).keys() == PROJECT_KEYS
    changed = Config(budget_tokens=4000, language="zh", stale_days=30)
    assert project_config(changed, tmp_path) == Config()


def test_git_keeps_nothing_or_with_sharing_what_people_write():
    private, shared = (
        scaffold.files(language="en", now=NOW, is_shared=choice)[".gitignore"] for choice in (False, True)
    )

    assert private == "*\n"
    assert shared.splitlines() == ["state/", "tasks/*/state/", "run/", "*.sqlite*", ".lock", "*.conflict-*"]


@pytest.mark.parametrize(
    ("env", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "LC_MESSAGES": "zh_TW"}, "zh"),
    ],
)
def test_the_persons_language_is_taken(env, language):
    assert scaffold.language_of(env) == language
