"""Field case 03: a helper's rows, its brief and its compaction did not happen to the main agent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

RULE = "- [约束] 提交信息一律用中文写\n"


@pytest.fixture
def played(shared_daemon: Any, new_project: Callable[..., Any], play_case: Callable[..., Any]) -> Any:
    project = new_project("orchard", project_constraints=RULE)
    return play_case(shared_daemon, "03-subagent-interleaved", "session.jsonl", project=project)


def test_only_the_snippet_at_the_start_and_no_compaction_anywhere(played: Any) -> None:
    assert list(played.snippets) == [0]
    assert played.session.seen()["last_compaction"] is None


def test_the_full_snippet_has_the_rule_of_the_person_and_nothing_of_the_helper(played: Any) -> None:
    daemon = played.session.daemon
    done = daemon.command("snippet", "--session", played.session.id)

    assert done.returncode == 0
    played.check(done.stdout)


def test_neither_the_brief_nor_the_notification_is_a_turn(played: Any) -> None:
    seen = played.session.seen()

    assert seen["turn"] == 3
    assert seen["context_tokens"] == 148_000


def test_the_rule_is_found_in_the_first_message_and_none_in_the_brief(play_bare: Callable[..., Any]) -> None:
    played = play_bare("03-subagent-interleaved")
    done = played.session.daemon.command("snippet", "--session", played.session.id)

    assert played.rows() == [1]
    played.check(done.stdout)
