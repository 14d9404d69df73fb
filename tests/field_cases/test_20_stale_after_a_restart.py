"""Field case 20, by the real daemon: serving, asking, touching and restarting are no verification."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
KINDS = {"rule": ("constraint", "project_constraints"), "interface": ("tool", "tool_interfaces")}
STALE = {"a2", "a4", "a5"}


@pytest.fixture
def entries(shared: Path) -> list[dict[str, Any]]:
    text = (shared / "field-cases" / "20-stale-after-seven-days" / "anchors.jsonl").read_text(
        encoding="utf-8"
    )
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def served(daemon: Any, entries: list[dict[str, Any]]) -> Any:
    """A daemon whose project holds the case's entries; all times are shifted so that it is now."""
    shift = datetime.now(UTC) - NOW
    texts: dict[str, str] = {}
    for entry in entries:
        tag, name = KINDS.get(entry["kind"], ("decision", "decision_log"))
        fields = [f"id: {entry['id']}", f"last_updated: {(_time(entry['created']) + shift).isoformat()}"]
        if entry["verified"]:
            fields.append(f"verified: {(_time(entry['verified']) + shift).isoformat()}")
        text = f"- [{tag}] {entry['text']}\n  <!-- {'; '.join(fields)} -->\n"
        texts[name] = texts.get(name, "") + text
    for name, text in texts.items():
        daemon.anchors(text, name=f"{name}.md")
    return daemon


def _time(stamp: str) -> datetime:
    return datetime.fromisoformat(stamp)


def warned(snippet: str, entries: list[dict[str, Any]]) -> set[str]:
    """The entries whose line carries a warning; each of them has to be there, warned or not."""
    lines = {
        entry["id"]: next(line for line in snippet.splitlines() if entry["text"] in line) for entry in entries
    }
    return {name for name, line in lines.items() if "天" in line}


def test_exactly_the_unchecked_ones_are_warned_of_whatever_is_done_to_them(
    served: Any, entries: list[dict[str, Any]], new_session: Callable[..., Any]
) -> None:
    session = new_session(served)

    assert warned(session.starts(), entries) == STALE

    for _ in range(3):
        assert warned(session.starts("resume"), entries) == STALE
    assert "pytest" in served.command("snippet").stdout
    for path in (served.project / ".agent-memory").rglob("*.md"):
        os.utime(path)
    served.stop()
    served.start()

    assert warned(session.starts("resume"), entries) == STALE


def test_a_warning_is_short_and_tells_the_age(served: Any, new_session: Callable[..., Any]) -> None:
    snippet = new_session(served).starts()

    [line] = [line for line in snippet.splitlines() if "pytest -q -n 4" in line]
    warning = line.partition("pytest -q -n 4")[2]
    assert "30 天" in warning
    assert len(warning) <= 20


def test_an_entry_that_a_person_verified_carries_no_warning(
    served: Any, entries: list[dict[str, Any]], new_session: Callable[..., Any]
) -> None:
    done = served.command("anchors", "verify", "a5")

    assert (done.returncode, done.stderr) == (0, "")
    assert warned(new_session(served).starts(), entries) == STALE - {"a5"}


def test_what_the_person_says_again_carries_no_warning(
    served: Any, entries: list[dict[str, Any]], new_session: Callable[..., Any]
) -> None:
    session = new_session(served)
    session.starts()

    session.says("对，发布还是只在周二。")
    session.prompts()

    assert warned(new_session(served).starts(), entries) == STALE - {"a2"}
    # It confirms what is there, and adds nothing.
    assert not (served.project / ".agent-memory" / "anchors" / "captured.md").exists()


def test_a_stale_rule_still_holds(served: Any, new_session: Callable[..., Any]) -> None:
    snippet = new_session(served).starts()

    assert "现行有效" in snippet or "in force" in snippet
    assert all("只在周二" in line for line in snippet.splitlines() if "周二" in line)
