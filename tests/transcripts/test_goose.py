"""Goose's sessions, found and followed: rows added, or all put in anew, and the account of requests."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any

import pytest

from agentinitd.model.events import (
    CompactionMarker,
    Event,
    PersonMessage,
    Request,
    SessionSeen,
    Skipped,
    SnippetSeen,
    ToolResult,
)
from agentinitd.sessions.replay import replay
from agentinitd.transcripts import goose
from agentinitd.transcripts.follower import Agent as Promise
from agentinitd.transcripts.goose_records import PlanStep

DATA = Path(__file__).resolve().parents[1] / "data" / "goose"
SESSION = "20260830_3"
BEGIN = 1788300000
COLUMNS = "message_id, session_id, role, content_json, created_timestamp, metadata_json"
AGENT_ONLY = {"userVisible": False, "agentVisible": True}


class Agent:
    """Writes as Goose does, in WAL mode and immediate transactions; without an account as older releases."""

    def __init__(self, folder: Path, *, has_account: bool = True) -> None:
        folder.mkdir(parents=True)
        self.path = folder / "sessions.db"
        self.db = sqlite3.connect(self.path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.executescript((DATA / "1-before.sql").read_text())
        self.db.execute("DELETE FROM messages")
        self.db.execute("DELETE FROM usage_ledger" if has_account else "DROP TABLE usage_ledger")
        self.db.execute("UPDATE sessions SET total_tokens = NULL, output_tokens = NULL")
        self.has_account = has_account
        self.at = BEGIN
        self.used = 0

    @property
    def name(self) -> str:
        return f"{self.path}#{SESSION}"

    def adds(self, role: str, *pieces: Mapping[str, Any], at: int | None = None, **shown: Any) -> None:
        self.at += 1
        self.db.execute(
            f"INSERT INTO messages({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
            (f"m{self.at}", SESSION, role, json.dumps(pieces), at or self.at, json.dumps(shown)),
        )

    def says(self, text: str, **shown: Any) -> None:
        self.adds("user", {"type": "text", "text": text}, **shown)

    def answers(self, text: str, tokens: int) -> None:
        self.adds("assistant", {"type": "text", "text": text})
        self.uses(tokens)

    def uses(self, tokens: int, *, is_compaction: bool = False, source: str | None = None) -> None:
        self.used += tokens
        if self.has_account:
            self.db.execute(
                "INSERT INTO usage_ledger(session_id, created_timestamp, model, input_tokens, output_tokens, "
                "total_tokens, is_compaction, cost_source) VALUES (?, ?, 'm', ?, 700, ?, ?, ?)",
                (SESSION, self.at, tokens - 700, tokens, is_compaction, source),
            )
        self.total(tokens, 700)

    def total(self, tokens: int, output: int | None) -> None:
        self.db.execute(
            "UPDATE sessions SET total_tokens = ?, output_tokens = ?, accumulated_total_tokens = ?",
            (tokens, output, self.used),
        )

    def replaces(self, rows: list[tuple[Any, ...]]) -> None:
        self.db.execute("BEGIN IMMEDIATE")
        self.db.execute("DELETE FROM messages")
        self.db.executemany(
            f"INSERT INTO messages({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
            rows,
        )
        self.db.execute("COMMIT")

    def rows(self) -> list[tuple[Any, ...]]:
        return self.db.execute(f"SELECT {COLUMNS} FROM messages ORDER BY id").fetchall()

    def compacts(self, *, in_place: bool = False) -> None:
        """As older releases do, by deleting and inserting all; or as the newest, row by row."""
        self.at += 1
        if self.has_account:
            self.uses(105_000, is_compaction=True)
        if in_place:
            self.db.execute(
                "UPDATE messages SET metadata_json = json_set(metadata_json, '$.agentVisible', json('false'))"
            )
        else:
            rows = [(*row[:5], {**json.loads(row[5]), "agentVisible": False}) for row in self.rows()]
            self.replaces([(f"new-{row[0]}", *row[1:5], json.dumps(row[5])) for row in rows])
        self.db.execute("BEGIN IMMEDIATE")
        self.says("SUMMARY", **AGENT_ONLY)
        self.adds("assistant", {"type": "text", "text": "I go on."}, **AGENT_ONLY)
        self.says("the last message again", **AGENT_ONLY)
        self.db.execute("COMMIT")
        self.total(780, None)


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    made = Agent(tmp_path / "sessions")
    yield made
    made.db.close()


def brief(events: list[Event]) -> list[tuple[str, Any]]:
    return [(type(event).__name__, _detail(event)) for event in events]


def _detail(event: Event) -> Any:
    for field in ("text", "context_tokens", "tokens_before", "kind", "name", "steps", "snippet_id", "reason"):
        if hasattr(event, field):
            return getattr(event, field)
    return None


def told(name: str) -> list[Event]:
    follower = goose.follow(name, is_detailed=True)
    events = follower.read()
    while follower.has_more:
        events += follower.read()
    events += follower.finish()
    assert follower.problem is None
    return events


def test_the_module_is_an_agent() -> None:
    agent: Promise = goose

    assert agent.NAME == "goose"


def test_every_sample_gives_the_compactions_of_its_manifest(shared: Path) -> None:
    samples = shared / "transcripts" / "goose"
    files = json.loads((samples / "MANIFEST.json").read_text())["files"]
    assert len(files) == 4
    for file in files:
        path = samples / file["path"]
        assert goose.is_own(path), path
        (name,) = goose.names_in(path)
        events = told(name)
        found = replay(events, goose.NAME).compactions
        markers = [event for event in events if isinstance(event, CompactionMarker)]

        assert len(found) == len(markers) == len(file["compactions"])
        for expected, compaction, marker in zip(file["compactions"], found, markers, strict=True):
            assert marker.marker_id == "usage:4"
            assert marker.line == 5, "behind the last message before it"
            assert compaction.tokens_before == expected["tokens_before"]
            assert (compaction.tokens_after or marker.tokens_after) == expected["tokens_after"]


def test_the_three_snapshots_of_one_session_are_one_story(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    follower = goose.follow(f"{path}#{SESSION}", is_detailed=True)
    events: list[Event] = []
    for snapshot in ("1-before", "2-after-compaction", "3-next-reply"):
        fresh = tmp_path / "fresh.db"
        connection = sqlite3.connect(fresh)
        connection.executescript((DATA / f"{snapshot}.sql").read_text())
        connection.close()
        fresh.replace(path)
        events += follower.read()

    assert brief(events) == brief(told(f"{path}#{SESSION}"))
    assert brief(events) == [
        ("SessionSeen", None),
        ("PersonMessage", "List the rows of table one."),
        ("Request", 21100),
        ("AgentMessage", "Reading."),
        ("ToolCall", "developer__shell"),
        ("ToolResult", "row 1\nrow 2"),
        ("Request", 21700),
        ("AgentMessage", "Two rows."),
        ("Request", 104200),
        ("PersonMessage", "Repeat for all tables."),
        ("CompactionMarker", 104200),
        ("Request", 9600),
        ("AgentMessage", "All tables listed."),
    ]
    (seen,) = [event for event in events if isinstance(event, SessionSeen)]
    assert (seen.session_id, seen.cwd) == (SESSION, "/srv/demo")
    assert {event.window_tokens for event in events if isinstance(event, Request)} == {128000}


STORY = [
    ("SessionSeen", None),
    ("PersonMessage", "one"),
    ("Request", 104_000),
    ("CompactionMarker", 104_000),
    ("Request", 9_000),
    ("PersonMessage", "four"),
    ("CompactionMarker", 9_000),
    ("Request", 8_000),
]
"""Without the answers: they stand before or behind their request."""


@pytest.mark.parametrize("has_account", [True, False])
@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize("is_renewed", [True, False])
def test_a_compaction_is_told_once_however_it_is_written(
    tmp_path: Path, has_account: bool, in_place: bool, is_renewed: bool
) -> None:
    agent = Agent(tmp_path / "sessions", has_account=has_account)
    follower = goose.follow(agent.name, is_detailed=True)
    events: list[Event] = []

    def look() -> None:
        nonlocal follower
        events.extend(follower.read())
        if is_renewed:
            follower = goose.follow(
                agent.name, json.loads(json.dumps(follower.checkpoint())), is_detailed=True
            )

    look()
    for text, answer, tokens in (("one", "two", 104_000), ("", "three", 9_000), ("four", "five", 8_000)):
        if text:
            agent.says(text)
            look()
        if answer != "two":
            agent.compacts(in_place=in_place)
            look()
        agent.answers(answer, tokens)
        look()

    assert [each for each in brief(events) if each[0] != "AgentMessage"] == STORY
    if has_account:
        assert [each for each in brief(told(agent.name)) if each[0] != "AgentMessage"] == STORY
    assert [value for kind, value in brief(events) if kind == "AgentMessage"] == ["two", "three", "five"]
    assert len([event for event in told(agent.name) if isinstance(event, CompactionMarker)]) == 2
    agent.db.close()


def test_the_account_and_the_messages_may_tell_of_it_in_any_order(agent: Agent) -> None:
    agent.says("one")
    agent.answers("two", 104_000)
    follower = goose.follow(agent.name, is_detailed=True)
    follower.read()
    agent.has_account = False
    agent.compacts()
    assert brief(follower.read()) == [("CompactionMarker", 104_000)]
    agent.has_account = True
    agent.uses(105_000, is_compaction=True)

    assert follower.read() == []


def test_a_compaction_by_command_is_manual_and_the_command_no_message(agent: Agent) -> None:
    agent.answers("two", 104_000)
    agent.says("/compact")
    agent.compacts()
    events = told(agent.name)

    (marker,) = [event for event in events if isinstance(event, CompactionMarker)]
    assert marker.trigger == "manual"
    assert not [event for event in events if isinstance(event, PersonMessage)]


def test_the_sum_of_what_was_used_before_is_no_request(agent: Agent) -> None:
    agent.uses(900_000, source="carried_forward")
    agent.db.execute(
        "INSERT INTO usage_ledger(session_id, created_timestamp) VALUES (?, ?)", (SESSION, BEGIN)
    )
    agent.answers("two", 1_000)

    assert brief(told(agent.name))[1:] == [("Request", 1_000), ("AgentMessage", "two")]


def test_messages_cut_off_are_told_as_taken_back(agent: Agent) -> None:
    follower = goose.follow(agent.name, is_detailed=True)
    for text in ("one", "two", "three"):
        agent.says(text)
    agent.answers("yes", 5_000)
    follower.read()
    agent.db.execute("DELETE FROM messages WHERE created_timestamp > ?", (BEGIN + 1,))
    assert brief(follower.read()) == [("ContextCleared", "rewind")]
    agent.says("other")
    assert brief(follower.read()) == [("PersonMessage", "other")]

    agent.replaces(agent.rows()[:1])
    assert brief(follower.read()) == [("ContextCleared", "rewind")]
    agent.replaces([])
    assert brief(follower.read()) == [("ContextCleared", "clear")]
    agent.says("anew")
    assert brief(follower.read()) == [("PersonMessage", "anew")]


def test_a_conversation_put_in_anew_as_it_was_tells_nothing(agent: Agent) -> None:
    follower = goose.follow(agent.name, is_detailed=True)
    for number in range(300):
        agent.says(f"{number}")
    assert len(follower.read()) == 301
    agent.replaces(agent.rows())
    assert follower.read() == []
    agent.says("new")

    assert brief(follower.read()) == [("PersonMessage", "new")]


def test_an_old_release_without_marks_is_left_to_the_drop(tmp_path: Path) -> None:
    agent = Agent(tmp_path / "sessions", has_account=False)
    agent.db.execute("ALTER TABLE messages DROP COLUMN metadata_json")
    agent.db.execute("ALTER TABLE messages ADD COLUMN metadata_json")
    follower = goose.follow(agent.name, is_detailed=True)
    agent.says("one")
    agent.answers("two", 104_000)
    events = follower.read()
    agent.replaces([("s", SESSION, "user", '[{"type":"text","text":"SUMMARY"}]', agent.at + 1, None)])
    agent.total(780, None)
    events += follower.read()
    agent.at += 5
    agent.answers("three", 9_000)
    events += follower.read()

    assert [compaction.kind for compaction in replay(events, goose.NAME).compactions] == ["drop"]
    agent.db.close()


@pytest.mark.parametrize("start", ["end", "size"])
@pytest.mark.parametrize("in_place", [True, False])
def test_a_session_taken_up_at_its_end_tells_only_what_is_new(
    agent: Agent, start: str, in_place: bool
) -> None:
    for number in range(100):
        agent.says(f"{number}")
    agent.answers("yes", 104_000)
    seen = goose.scan(agent.path.parent)[agent.name]
    follower = goose.follow(agent.name, start=seen.size if start == "size" else "end", is_detailed=True)
    events = follower.read() if start == "end" else []
    agent.compacts(in_place=in_place)
    events += follower.read()
    agent.says("new")
    events += follower.read()

    assert brief(events) == [
        ("SessionSeen", None),
        ("Request", 104_000),
        ("CompactionMarker", 104_000),
        ("PersonMessage", "new"),
    ]
    assert [event.is_history for event in events] == [False, True, False, False]
    assert goose.scan(agent.path.parent)[agent.name] != seen


def test_tools_plans_and_insertions(agent: Agent) -> None:
    content = "- [x] one\n- [~] two\n- [ ] three\nnote"
    value = {"name": "todo__todo_write", "arguments": {"content": content}}
    agent.adds(
        "assistant", {"type": "toolRequest", "id": "t", "toolCall": {"status": "success", "value": value}}
    )
    for result in (
        {"status": "success", "value": [{"type": "text", "text": "old form"}]},
        {"status": "success", "value": {"content": [{"type": "text", "text": "bad"}], "isError": True}},
        {"status": "error", "error": "no such tool"},
    ):
        agent.adds("user", {"type": "toolResponse", "id": "t", "toolResult": result})
    agent.adds("user", {"type": "image", "data": "", "mimeType": "image/png"})
    agent.says("(agentinitd 0123abcd) rules", **AGENT_ONLY)
    agent.says("a nudge", **AGENT_ONLY)
    events = told(agent.name)

    assert [step for event in events if hasattr(event, "steps") for step in event.steps] == [
        PlanStep(text="one", status="done"),
        PlanStep(text="two", status="in_progress"),
        PlanStep(text="three", status="pending"),
    ]
    assert [(event.is_success, event.text) for event in events if isinstance(event, ToolResult)] == [
        (True, "old form"),
        (False, "bad"),
        (False, "no such tool"),
    ]
    assert [event.text for event in events if isinstance(event, PersonMessage)] == [""]
    assert [event.snippet_id for event in events if isinstance(event, SnippetSeen)] == ["0123abcd"]


def test_a_sub_agent_is_a_helper_and_a_copy_is_history(agent: Agent) -> None:
    agent.says("one")
    agent.db.execute("UPDATE sessions SET session_type = 'sub_agent'")
    assert goose.names_in(agent.path) == []
    events = told(agent.name)
    assert [(type(event), event.is_helper) for event in events] == [(SessionSeen, True)]

    agent.db.execute("UPDATE sessions SET session_type = 'user', created_at = '2026-09-01 22:00:05'")
    agent.at = BEGIN + 10
    agent.says("two")
    assert [
        (event.text, event.is_history) for event in told(agent.name) if isinstance(event, PersonMessage)
    ] == [
        ("one", True),
        ("two", False),
    ]


def test_a_damaged_row_is_told_and_the_rest_is_read(agent: Agent) -> None:
    agent.says("one")
    for content in ("{torn", "5", "", None):
        agent.db.execute(
            f"INSERT INTO messages({COLUMNS}) VALUES (NULL, ?, 'user', ?, ?, NULL)",
            (SESSION, content if content is not None else b"\xff", agent.at),
        )
    agent.adds("robot", {"type": "text", "text": "of a role to come"})
    agent.says("two")
    events = told(agent.name)

    assert [event.text for event in events if isinstance(event, PersonMessage)] == ["one", "two"]
    assert len([event for event in events if isinstance(event, Skipped)]) == 4


def test_columns_that_are_not_there_are_done_without(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        "CREATE TABLE sessions(id TEXT PRIMARY KEY, working_dir, total_tokens INTEGER, output_tokens);"
        "CREATE TABLE messages(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, role TEXT,"
        " content_json TEXT, created_timestamp INTEGER);"
        "INSERT INTO sessions VALUES ('s', '/p', 500, 20);"
        """INSERT INTO messages VALUES (1, 's', 'user', '[{"type":"text","text":"hi"}]', 1788300000);"""
    )
    connection.close()

    (name,) = goose.names_in(path)
    assert brief(told(name)) == [("SessionSeen", None), ("PersonMessage", "hi"), ("Request", 500)]


def test_a_schema_that_nobody_knows_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "sessions.db"
    sqlite3.connect(path).execute("CREATE TABLE sessions(id)").connection.close()
    follower = goose.follow(f"{path}#s", is_detailed=True)

    assert (follower.read(), follower.has_more) == ([], False)
    assert follower.problem is not None
    assert "no tables of Goose" in follower.problem
    assert goose.scan(tmp_path) == {}
    assert not goose.is_own(path)


def test_variables_move_the_root_and_paths_tell_whom_they_concern(tmp_path: Path) -> None:
    assert goose.roots(tmp_path, {}) == (tmp_path / ".local/share/goose/sessions",)
    assert goose.roots(tmp_path, {"XDG_DATA_HOME": "/d"}) == (Path("/d/goose/sessions"),)
    assert goose.roots(tmp_path, {"XDG_DATA_HOME": "/d", "GOOSE_PATH_ROOT": "/g"}) == (
        Path("/g/data/sessions"),
    )
    assert goose.names_at(PurePath("/d/sessions.db")) is None
    assert goose.names_at(PurePath("/d/sessions.db-wal")) is None
    assert goose.names_at(PurePath("/d/sessions.db-shm")) == ()
    assert goose.names_at(PurePath("/d/old.jsonl")) == ("/d/old.jsonl",)


def test_no_damage_of_the_file_makes_it_raise(agent: Agent, tmp_path: Path) -> None:
    for number in range(20):
        agent.says(f"{number}" * 50)
    agent.compacts()
    agent.db.execute("PRAGMA journal_mode = DELETE")
    agent.db.close()
    whole = agent.path.read_bytes()
    follower = goose.follow(agent.name, is_detailed=True)
    known = follower.read()
    assert len(known) > 20
    for seed in range(60):
        at = seed * len(whole) // 60
        agent.path.write_bytes(
            whole[:at] + os.urandom(seed) + whole[at + seed :][: len(whole) // (1 + seed % 3)]
        )
        other = goose.follow(agent.name, is_detailed=True)
        other.read()
        assert isinstance(other.finish(), list)
        assert goose.names_in(tmp_path / "sessions") in ([], [agent.name])
    agent.path.write_bytes(whole)
    assert (follower.read(), follower.problem) == ([], None)
