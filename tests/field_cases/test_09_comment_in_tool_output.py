"""Field case 09: most "must not" sentences come from files, commits, tests and the agent itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FOREIGN = (
    "requests", "httpx", "save()", "return type", "feature flag", "wildcard", "nuke", "root", "None", "retry",
    "thread", "global",
)  # fmt: skip


def test_the_one_real_rule_is_stored_and_nothing_that_only_stood_somewhere(
    replay_case: Callable[..., Any],
) -> None:
    replayed = replay_case("09-comment-in-tool-output")

    replayed.check()
    [rule] = replayed.rules
    assert "command line options" in rule
    for foreign in FOREIGN:
        assert foreign not in replayed.snippet
        assert not any(foreign in each.text for each in replayed.result.captured)


def test_the_same_by_the_daemon(play_bare: Callable[..., Any]) -> None:
    played = play_bare("09-comment-in-tool-output")
    snippet = played.session.daemon.command("snippet", "--session", played.session.id).stdout

    played.check(snippet)
    assert played.rows() == [1]
    for foreign in FOREIGN:
        assert foreign not in snippet
        assert not any(foreign in each.what for each in played.captured)
