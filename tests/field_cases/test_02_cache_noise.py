"""Field case 02: a cold cache, partial rows and missing numbers are no compaction; a silent loss is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

RULE = "- [constraint] Never round amounts with float, use Decimal everywhere\n"


@pytest.fixture
def played(shared_daemon: Any, new_project: Callable[..., Any], play_case: Callable[..., Any]) -> Any:
    project = new_project("orchard", project_constraints=RULE)
    return play_case(shared_daemon, "02-cache-noise-is-not-compaction", "session.jsonl", project=project)


def test_one_snippet_at_the_start_and_one_at_the_silent_loss(played: Any) -> None:
    assert list(played.snippets) == [0, 18]
    assert "to 31,200 tokens" in played.session.seen()["last_compaction"]["reason"]


def test_that_snippet_carries_the_rule(played: Any) -> None:
    played.check(played.snippets[18])


def test_rows_without_a_number_neither_count_nor_stop_the_reader(played: Any) -> None:
    seen = played.session.seen()

    assert seen["skipped_lines"] == 0
    assert seen["turn"] == 9


def test_the_rule_is_found_in_the_first_message(play_bare: Callable[..., Any]) -> None:
    played = play_bare("02-cache-noise-is-not-compaction")

    assert set(played.rows()) == {1}
    played.check(played.snippets[18])
