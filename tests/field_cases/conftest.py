"""Plays a case's log as the agent would write it, and notes after which row a snippet was due."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest


class Played:
    """A log that was played to its end.  `snippets`: by row, 0 for the start of the session."""

    def __init__(self, session: Any, case: Path) -> None:
        self.session = session
        self.case = case
        self.snippets: dict[int, str] = {}

    def note(self, row: int, snippet: str) -> None:
        if snippet:
            self.snippets[row] = snippet

    def check(self, snippet: str, part: str = "") -> None:
        """Against the case's `checks.json`, or against a part of it."""
        checks = json.loads((self.case / "checks.json").read_text(encoding="utf-8"))
        checks = checks[part] if part else checks
        for alternatives in checks["must"]:
            assert any(re.search(pattern, snippet) for pattern in alternatives), (alternatives, snippet)
        for pattern in checks["must_not"]:
            assert not re.search(pattern, snippet), (pattern, snippet)


@pytest.fixture
def play_case(shared: Path, new_session: Callable[..., Any]) -> Callable[..., Played]:
    """`play_case(daemon, "NN-slug", "session.jsonl", project=…)`: row by row, asking after each turn.

    `before[row]` is called with the session when the person is about to type that row.
    """

    def play(
        daemon: Any,
        slug: str,
        log: str,
        *,
        project: Path,
        before: Mapping[int, Callable[[Any], None]] | None = None,
    ) -> Played:
        case = shared / "field-cases" / slug
        rows = [json.loads(line) for line in (case / log).read_text(encoding="utf-8").splitlines()]
        played = Played(new_session(daemon, project=project), case)
        played.note(0, played.session.starts())
        for number, row in enumerate(rows, start=1):
            # The case's working directory is no folder of this machine.
            line = json.dumps(
                {**row, "cwd": str(project), "sessionId": played.session.id}, ensure_ascii=False
            )
            played.session.write(line.encode() + b"\n")
            if number == len(rows) or _is_typed(rows[number]):
                (before or {}).get(number + 1, lambda _session: None)(played.session)
                played.note(number, played.session.prompts())
        return played

    return play


def _is_typed(row: dict[str, Any]) -> bool:
    """A message of the person: the turn before it is over."""
    content = (row.get("message") or {}).get("content")
    is_text = isinstance(content, str) and not content.startswith("<")
    return row["type"] == "user" and is_text and not row["isSidechain"]
