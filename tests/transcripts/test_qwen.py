"""Which files are sessions of Qwen Code, and how a living one is followed."""

from __future__ import annotations

import json
import os
from pathlib import Path, PurePath

import pytest

from agentinitd.model.events import CompactionMarker, Event, PersonMessage, Request
from agentinitd.transcripts import qwen
from agentinitd.transcripts.follower import Agent

AGENT: Agent = qwen
DATA = Path(__file__).parents[1] / "data"
SAMPLE = DATA / "qwen" / "qw-0.24-auto-compress.jsonl"
SESSION = "418a3bd8-c735-4bcd-ae85-f256b14460ce"


def test_sessions_lie_below_the_base_that_is_set(tmp_path: Path) -> None:
    default = tmp_path / ".qwen"
    assert AGENT.roots(tmp_path, {}) == (default / "projects", default / "tmp")
    assert AGENT.roots(tmp_path, {"QWEN_HOME": "/q"})[0] == Path("/q/projects")
    assert AGENT.roots(tmp_path, {"QWEN_HOME": "~/q"})[0] == tmp_path / "q" / "projects"
    assert AGENT.roots(tmp_path, {"QWEN_HOME": "/q", "QWEN_RUNTIME_DIR": "/run"})[0] == Path("/run/projects")
    assert AGENT.roots(tmp_path, {"QWEN_RUNTIME_DIR": "relative"})[0] == default / "projects"


@pytest.mark.parametrize(
    ("settings", "base"),
    [
        ({"advanced": {"runtimeOutputDir": "/out"}}, "/out"),
        ({"advanced": {"runtimeOutputDir": 5}}, None),
        ({"advanced": []}, None),
        ([], None),
    ],
)
def test_the_settings_may_move_the_sessions(tmp_path: Path, settings: object, base: str | None) -> None:
    (tmp_path / ".qwen").mkdir()
    (tmp_path / ".qwen" / "settings.json").write_text(json.dumps(settings))
    expected = Path(base) if base else tmp_path / ".qwen"

    assert AGENT.roots(tmp_path, {})[0] == expected / "projects"
    assert AGENT.roots(tmp_path, {"QWEN_RUNTIME_DIR": "/run"})[0] == Path("/run/projects")


@pytest.mark.parametrize(
    ("name", "is_session"),
    [
        (f"projects/-home-u-shop/chats/{SESSION}.jsonl", True),
        ("tmp/9dad1e4e/chats/session-2025-10-02T09-00-e13cfe3c.json", True),
        (f"projects/-home-u-shop/subagents/{SESSION}/agent-1.jsonl", False),
        (f"projects/-home-u-shop/chats/{SESSION}.json", False),
        (f"projects/-home-u-shop/{SESSION}.jsonl", False),
        ("tmp/9dad1e4e/logs.json", False),
        ("todos/x.json", False),
    ],
)
def test_a_path_tells_what_a_file_is(name: str, is_session: bool) -> None:
    path = PurePath("/home/u/.qwen") / name

    assert AGENT.names_at(path) == ((str(path),) if is_session else ())


def test_every_session_is_found_the_latest_last(tmp_path: Path) -> None:
    chats = tmp_path / "projects" / "-home-u-shop" / "chats"
    helpers = tmp_path / "projects" / "-home-u-shop" / "subagents" / SESSION
    for folder in (chats, helpers):
        folder.mkdir(parents=True)
    paths = [chats / "b.jsonl", chats / "a.jsonl", helpers / "agent-1.jsonl"]
    for at, path in enumerate(paths):
        path.write_bytes(SAMPLE.read_bytes())
        os.utime(path, (1000 + at, 1000 + at))

    assert set(AGENT.scan(tmp_path)) == {str(paths[0]), str(paths[1])}
    assert AGENT.names_in(tmp_path) == [str(paths[0]), str(paths[1])]
    assert AGENT.names_in(paths[0]) == [str(paths[0])]


def test_its_own_files_are_told_from_those_of_other_agents(tmp_path: Path) -> None:
    for path in sorted((DATA / "qwen").iterdir()):
        assert AGENT.is_own(path)
    for path in sorted((DATA / "gemini").iterdir()) + sorted((DATA / "claude-code").iterdir()):
        assert not AGENT.is_own(path)
    assert not AGENT.is_own(tmp_path)
    assert not AGENT.is_own(tmp_path / "absent")


def test_a_helpers_file_is_known_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "subagents" / SESSION / "agent-1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(SAMPLE.read_bytes())

    events = AGENT.follow(str(path), is_detailed=True).read()

    assert events and all(event.is_helper for event in events)
    assert not [event for event in events if isinstance(event, PersonMessage)]


def test_a_living_session_is_followed_record_by_record(tmp_path: Path) -> None:
    path = tmp_path / "chats" / f"{SESSION}.jsonl"
    path.parent.mkdir()
    follower = AGENT.follow(str(path), is_detailed=True)
    assert follower.read() == []
    told: list[Event] = []
    for row in SAMPLE.read_bytes().splitlines(keepends=True):
        with path.open("ab") as file:
            file.write(row)
        told += follower.read()
        follower = AGENT.follow(str(path), json.loads(json.dumps(follower.checkpoint())), is_detailed=True)

    at_once = AGENT.follow(str(path), is_detailed=True)
    assert told == at_once.read() + at_once.finish()
    assert [event.line for event in told if isinstance(event, CompactionMarker)] == [17]


def test_a_session_taken_up_at_its_end_knows_its_size(tmp_path: Path) -> None:
    path = tmp_path / "chats" / f"{SESSION}.jsonl"
    path.parent.mkdir()
    rows = SAMPLE.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(rows[:16]))
    follower = AGENT.follow(str(path), start=path.stat().st_size, is_detailed=True)
    assert [
        (event.context_tokens, event.is_history) for event in follower.read() if isinstance(event, Request)
    ] == [(222_900, True)]
    with path.open("ab") as file:
        file.write(rows[16])

    assert [(type(event), event.is_history) for event in follower.read()] == [(CompactionMarker, False)]
