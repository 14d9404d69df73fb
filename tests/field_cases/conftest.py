"""Plays a case's log as the agent would write it, and notes after which row a snippet was due."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import pytest

from agentinitd.cli.replay import replay_file, snippet_text
from agentinitd.memory.capture.captured_file import PROJECT_FILE, captured_in
from agentinitd.model.events import Event
from agentinitd.model.facts import Anchor
from agentinitd.sessions.heard import Hearing
from agentinitd.transcripts import claude_code


class Played:
    """A log that was played to its end.  `snippets`: by row, 0 for the start of the session."""

    def __init__(self, session: Any, case: Path) -> None:
        self.session = session
        self.case = case
        self.snippets: dict[int, str] = {}

    def note(self, row: int, snippet: str) -> None:
        if snippet:
            self.snippets[row] = snippet

    @property
    def last(self) -> str:
        """The snippet that was due last: in most cases the one after the compaction."""
        return self.snippets[max(self.snippets)]

    @property
    def captured(self) -> tuple[Anchor, ...]:
        """All that the daemon wrote down for the project, whatever became of it."""
        path = Path(self.session.project) / ".agent-memory" / PROJECT_FILE
        return captured_in(path.read_text(encoding="utf-8") if path.exists() else None, PROJECT_FILE)

    @property
    def rules(self) -> list[str]:
        """Those in force."""
        return [each.what for each in self.captured if (each.captured, each.status) == ("rule", "active")]

    def rows(self, kind: str = "rule") -> list[int]:
        """Where in the log what is in force was found."""
        found = [each for each in self.captured if (each.captured, each.status) == (kind, "active")]
        return [int(each.source.partition(":")[2].partition(" ")[0]) for each in found]

    def check(self, snippet: str, part: str = "") -> None:
        """Against the case's `checks.json`, or against a part of it."""
        check(self.case, snippet, part)


def check(case: Path, snippet: str, part: str = "") -> None:
    checks = json.loads((case / "checks.json").read_text(encoding="utf-8"))
    checks = checks[part] if part else checks
    for alternatives in checks["must"]:
        assert any(re.search(pattern, snippet) for pattern in alternatives), (alternatives, snippet)
    for pattern in checks["must_not"]:
        assert not re.search(pattern, snippet), (pattern, snippet)
    if some := checks.get("at_least"):
        assert sum(bool(re.search(pattern, snippet)) for pattern in some["of"]) >= some["n"], snippet
    if count := checks.get("count_lines"):
        assert sum(bool(re.search(count["pattern"], line)) for line in snippet.splitlines()) <= count["max"]


class Replayed:
    """A case's log, read offline as `agentinitd replay` does: what was captured, and the snippet."""

    def __init__(self, case: Path, path: Path) -> None:
        self._case = case
        self._hearing = Hearing()
        self.result = replay_file(path, "claude-code", hearing=self._hearing)

    @cached_property
    def snippet(self) -> str:
        return snippet_text(self._hearing, None)

    @property
    def rules(self) -> list[str]:
        """In force now."""
        return [each.text for each in self.result.captured if each.kind == "rule" and each.status == "active"]

    def check(self) -> None:
        check(self._case, self.snippet)


# Several tests look at one log; its snippet takes six scripts.
_replayed = cache(Replayed)


@pytest.fixture
def replay_case(shared: Path, tmp_path: Path) -> Callable[..., Replayed]:
    """`replay_case("NN-slug")`, or up to a row of its log."""

    def replay(slug: str, *, rows: int | None = None) -> Replayed:
        case = shared / "field-cases" / slug
        path = case / "session.jsonl"
        if rows is not None:
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            path = tmp_path / "session.jsonl"
            path.write_text("".join(lines[:rows]), encoding="utf-8")
        return _replayed(case, path)

    return replay


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


@pytest.fixture
def play_bare(
    shared_daemon: Any, new_project: Callable[..., Path], play_case: Callable[..., Played]
) -> Callable[..., Played]:
    """`play_bare("NN-slug")`: by a real daemon, in a project in which nobody wrote anything down."""

    def play(slug: str, log: str = "session.jsonl", **more: Any) -> Played:
        return play_case(shared_daemon, slug, log, project=new_project("bare"), **more)

    return play


@pytest.fixture
def check_case() -> Callable[..., None]:
    """`check_case(case, snippet, part=…)`: against the case's `checks.json`."""
    return check


@pytest.fixture
def read_events() -> Callable[[Path], list[Event]]:
    """Every event of a transcript, with all details."""

    def read(path: Path) -> list[Event]:
        follower = claude_code.follow(str(path), is_detailed=True)
        return [*follower.read(), *follower.finish()]

    return read
