"""Field case 24, by the real daemon: the rules arrive, and the first reply is judged by them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CASE = "24-language-and-first-reply"
RULES = {"language": "中文", "comment language": "英文", "pip": "pip", "prod.toml": "prod.toml"}


@pytest.fixture
def played(daemon: Any, play_case: Callable[..., Any]) -> Any:
    """The session up to its end: its rules are captured, nobody wrote an anchor."""
    return play_case(daemon, CASE, "session.jsonl", project=daemon.project)


@pytest.fixture
def replies(shared: Path) -> list[dict[str, Any]]:
    text = (shared / "field-cases" / CASE / "replies.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def reply(session: Any, given: dict[str, Any]) -> None:
    """As Claude Code writes it: the text, then each call."""
    blocks = [{"type": "text", "text": given["text"]}]
    blocks += [{"type": "tool_use", "id": f"t{n}", **call} for n, call in enumerate(given["tool_calls"])]
    usage = {"input_tokens": 50_000, "output_tokens": 9}
    message = {
        "role": "assistant",
        "model": "model-s",
        "id": f"m-{given['id']}",
        "content": blocks,
        "usage": usage,
    }
    session.row(type="assistant", requestId=f"r-{given['id']}", message=message)


def state_of(daemon: Any, session: Any) -> Any:
    told = json.loads(daemon.command("status", "--json").stdout)
    return next(each for each in told["sessions"] if each["session"] == session.id)


def test_the_snippet_after_the_compaction_has_all_of_it(played: Any) -> None:
    snippet = played.snippets[max(played.snippets)]

    played.check(snippet)


def test_every_first_reply_gets_its_verdict_and_a_broken_rule_comes_again(
    daemon: Any, played: Any, replies: list[dict[str, Any]], new_session: Callable[..., Any]
) -> None:
    assert played.snippets
    for given in replies:
        session = new_session(daemon)
        snippet = session.starts()
        assert "prod.toml" in snippet
        session.says("接着做网络重试。")
        assert session.prompts() == ""
        assert state_of(daemon, session)["last_reply"] is None  # not yet known is not honoured

        reply(session, given)
        session.says("继续。")
        again = session.prompts()

        verdict = state_of(daemon, session)["last_reply"]
        assert (verdict["verdict"] == "violated") == (given["expected"] == "violation"), given["id"]
        if given["expected"] == "violation":
            assert len(verdict["broken"]) == 1
            assert RULES[given["broken_rule"]] in again
            assert len(again) < 400  # one line and the frame, no script
        else:
            assert again == "", given["id"]
