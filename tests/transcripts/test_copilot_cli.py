"""Sessions of Copilot CLI are found, read with the sizes of their contexts, and followed while they grow."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

import pytest

from agentinitd.model.events import (
    AgentMessage,
    CompactionMarker,
    ContextCleared,
    Event,
    PersonMessage,
    Request,
    SessionSeen,
    Skipped,
)
from agentinitd.sessions.replay import Replay, replay
from agentinitd.transcripts import copilot_cli
from agentinitd.transcripts.copilot_cli import CopilotFollower

DATA = Path(__file__).parents[1] / "data" / "copilot-cli"
ID = "aaaaaaaa-1111-4222-8333-000000000001"


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Agent:
    """Writes as Copilot CLI does: events appended to a file, rows committed to a database in WAL mode."""

    def __init__(self, home: Path) -> None:
        self.base = home / ".copilot"
        self.path = self.base / "session-state" / ID / "events.jsonl"
        self.path.parent.mkdir(parents=True)
        self.database = sqlite3.connect(self.base / "session-store.db", isolation_level=None)
        self.database.executescript((DATA / "session-store.sql").read_text(encoding="utf-8"))
        self.database.execute("DELETE FROM assistant_usage_events")
        assert self.database.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
        self.database.execute("PRAGMA wal_autocheckpoint = 0")
        self.count = 0
        self.add(self.event("session.start", sessionId=ID, copilotVersion="1.0.80", context={"cwd": "/p"}))

    def time(self) -> str:
        return f"2026-11-29T10:{self.count // 60:02}:{self.count % 60:02}.000Z"

    def event(self, kind: str, **data: Any) -> bytes:
        self.count += 1
        record = {
            "type": kind,
            "data": data,
            "id": f"e{self.count}",
            "timestamp": self.time(),
            "parentId": None,
        }
        return json.dumps(record).encode() + b"\n"

    def add(self, text: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(text)

    def says(self, text: str = "go on") -> None:
        self.add(self.event("user.message", content=text, source="user"))

    def answers(self, output: int) -> None:
        self.add(self.event("assistant.message", messageId=f"m{output}", content="ok", outputTokens=output))

    def bills(self, tokens: int, output: int, initiator: str | None = None, session: str = ID) -> None:
        self.database.execute(
            "INSERT INTO assistant_usage_events(session_id, model, input_tokens, output_tokens, created_at,"
            " initiator) VALUES (?, 'm', ?, ?, ?, ?)",
            (session, tokens, output, self.time(), initiator),
        )

    def compacts(self) -> None:
        self.add(self.event("session.compaction_complete", success=True, preCompactionTokens=120_000))


@pytest.fixture
def agent(home: Path) -> Iterable[Agent]:
    made = Agent(home)
    yield made
    made.database.close()


def requests(events: Iterable[Event]) -> list[int]:
    return [event.context_tokens for event in events if isinstance(event, Request)]


def kinds(events: Iterable[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def played(name: str) -> Replay:
    follower = copilot_cli.follow(name, is_detailed=True)
    events = follower.read()
    while follower.has_more:
        events += follower.read()
    return replay(events + follower.finish(), copilot_cli.NAME)


# Where sessions are


def test_the_home_can_be_moved_by_its_variable() -> None:
    home = Path("/home/u")

    assert copilot_cli.roots(home, {}) == (home / ".copilot" / "session-state",)
    assert copilot_cli.roots(home, {"COPILOT_HOME": "/x"}) == (Path("/x/session-state"),)


@pytest.mark.parametrize(
    ("path", "is_session"),
    [
        (".copilot/session-state/a1/events.jsonl", True),
        (".copilot/session-state/a1.jsonl", True),
        (".copilot/session-state/a1/checkpoints/001.md", False),
        (".copilot/session-state/a1/checkpoints/events.jsonl", False),
        (".copilot/session-state/a1/files/notes.jsonl", False),
        (".copilot/session-store.db", False),
        (".copilot/logs/events.jsonl", False),
    ],
)
def test_a_path_tells_whether_it_is_a_session(path: str, is_session: bool) -> None:
    assert copilot_cli.names_at(PurePath(path)) == ((path,) if is_session else ())


def test_sessions_of_both_layouts_are_found(agent: Agent) -> None:
    early = agent.path.parent.parent / "early.jsonl"
    early.write_bytes(agent.event("session.start", sessionId="early"))
    (agent.path.parent / "workspace.yaml").write_text("id: x")

    found = copilot_cli.scan(agent.path.parent.parent)

    assert set(found) == {str(agent.path), str(early)}
    assert found[str(early)].size == early.stat().st_size
    assert copilot_cli.is_own(agent.path)
    assert copilot_cli.is_own(agent.path.parent)
    assert copilot_cli.names_in(agent.path.parent) == copilot_cli.names_in(agent.path) == [str(agent.path)]


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"user","uuid":"u","sessionId":"s","message":{"content":"x"}}',
        b'{"type":"session.start","data":{}}',
        b'{"timestamp":1.0,"message":{"type":"TurnBegin","payload":{}}}',
        b"no record at all",
        b"",
    ],
)
def test_files_of_others_are_not_taken_for_its_own(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(line + b"\n")

    assert not copilot_cli.is_own(path)
    assert not copilot_cli.is_own(tmp_path)


# Sizes


def test_each_answer_gets_the_size_that_the_database_tells(agent: Agent) -> None:
    for tokens, output in ((24_000, 80), (25_000, 20), (26_000, 80)):
        agent.says()
        agent.answers(output)
        agent.bills(tokens, output)

    events = copilot_cli.follow(str(agent.path), is_detailed=True).read()

    assert requests(events) == [24_000, 25_000, 26_000]
    assert kinds(events)[1:4] == ["PersonMessage", "Request", "AgentMessage"]
    [first, *_] = [event for event in events if isinstance(event, Request)]
    assert (first.line, first.request_id, first.model) == (3, "m80", "m")
    assert agent.path.read_bytes()[first.offset :].startswith(b'{"type": "assistant.message"')


def test_a_row_that_comes_before_its_answer_or_after_it_tells_its_size(agent: Agent) -> None:
    follower = copilot_cli.follow(str(agent.path), is_detailed=True)
    told = follower.read()
    agent.bills(24_000, 80)
    told += follower.read()
    agent.answers(80)
    told += follower.read()
    agent.answers(90)
    told += follower.read()
    assert follower.flush_at is not None
    agent.bills(25_000, 90)
    told += follower.read()

    assert requests(told) == [24_000, 25_000]
    assert follower.flush_at is None


def test_calls_of_helpers_and_summarisers_and_other_sessions_are_no_request(agent: Agent) -> None:
    agent.answers(80)
    agent.bills(90_000, 80)
    agent.bills(4_000, 33, "sub-agent")
    agent.bills(5_000, 44)
    agent.bills(110_000, 900, "compaction")
    agent.bills(7_000, 80, session="another")
    agent.answers(81)
    agent.bills(91_000, 81)

    assert requests(copilot_cli.follow(str(agent.path), is_detailed=True).read()) == [90_000, 91_000]


def test_a_size_that_comes_late_is_not_told_behind_the_compaction_that_followed_it(agent: Agent) -> None:
    follower = copilot_cli.follow(str(agent.path), is_detailed=True)
    agent.answers(80)
    follower.read()
    agent.compacts()
    told = follower.read()
    agent.bills(120_000, 80)
    agent.answers(20)
    agent.bills(18_000, 20)
    told += follower.read()

    assert kinds(told) == ["CompactionMarker", "Request", "AgentMessage"]
    assert requests(told) == [18_000]


def test_outputs_that_are_counted_in_another_way_are_matched_by_their_time(agent: Agent) -> None:
    agent.answers(80)
    agent.bills(24_000, 95)

    follower = copilot_cli.follow(str(agent.path), is_detailed=True)

    assert requests(follower.read() + follower.finish()) == [24_000]


def test_without_a_database_all_but_the_sizes_is_told(agent: Agent) -> None:
    agent.says()
    agent.answers(80)
    agent.database.close()
    for path in agent.base.glob("session-store.db*"):
        path.unlink()

    follower = copilot_cli.follow(str(agent.path), is_detailed=True)

    assert kinds(follower.read()) == ["SessionSeen", "PersonMessage", "AgentMessage"]
    assert (follower.flush_at, follower.problem) == (None, None)


@pytest.mark.parametrize("text", [b"SQLite format 3\0" + b"damaged" * 900, b"no database"])
def test_a_damaged_database_is_told_once_and_the_transcript_read_all_the_same(
    agent: Agent, text: bytes
) -> None:
    agent.database.close()
    for path in agent.base.glob("session-store.db*"):
        path.unlink()
    (agent.base / "session-store.db").write_bytes(text)
    agent.answers(80)
    follower = copilot_cli.follow(str(agent.path), is_detailed=True)
    told = follower.read()
    agent.answers(90)
    told += follower.read()

    assert kinds(told) == ["SessionSeen", "AgentMessage", "Skipped", "AgentMessage"]
    assert "session-store.db" in next(event.reason for event in told if isinstance(event, Skipped))


def test_a_database_of_an_early_form_is_read_as_far_as_it_goes(agent: Agent) -> None:
    agent.database.execute("ALTER TABLE assistant_usage_events DROP COLUMN initiator")
    agent.database.execute("ALTER TABLE assistant_usage_events DROP COLUMN output_tokens")
    agent.answers(80)
    agent.database.execute(
        "INSERT INTO assistant_usage_events(session_id, model, input_tokens, created_at)"
        " VALUES (?, 'm', 9000, ?)",
        (ID, agent.time().replace("T", " ").removesuffix(".000Z")),
    )

    assert requests(copilot_cli.follow(str(agent.path), is_detailed=True).read()) == [9000]


def test_a_database_that_was_made_anew_is_read_from_its_first_row(agent: Agent) -> None:
    follower = copilot_cli.follow(str(agent.path), is_detailed=True)
    for output in (80, 81, 82):
        agent.answers(output)
        agent.bills(24_000 + output, output)
    follower.read()
    agent.database.execute("DELETE FROM assistant_usage_events")
    agent.database.execute("DELETE FROM sqlite_sequence")
    agent.answers(90)
    agent.bills(30_000, 90)

    assert requests(follower.read()) == [30_000]


def test_the_agent_is_never_kept_from_writing_nor_its_log_from_being_checkpointed(agent: Agent) -> None:
    follower = copilot_cli.follow(str(agent.path), is_detailed=True)
    agent.answers(80)
    agent.bills(24_000, 80)
    follower.read()

    agent.database.execute("PRAGMA busy_timeout = 0")
    agent.bills(25_000, 90)

    assert agent.database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0


# Following


def test_one_that_reads_and_one_that_is_stopped_and_started_tell_the_same(agent: Agent) -> None:
    whole = copilot_cli.follow(str(agent.path), is_detailed=True)
    known: dict[str, Any] | None = None
    first: list[Event] = []
    second: list[Event] = []
    for round_ in range(6):
        agent.says(f"round {round_}")
        agent.answers(100 + round_)
        first += whole.read()
        parts = copilot_cli.follow(str(agent.path), known, is_detailed=True)
        second += parts.read()
        known = json.loads(json.dumps(parts.checkpoint()))
        agent.bills(20_000 + round_, 100 + round_)
        if round_ == 3:
            agent.add(b'{"type":"user.message","data":{"con')
    first += whole.read()
    second += copilot_cli.follow(str(agent.path), known, is_detailed=True).read()

    assert first == second
    assert requests(first) == [20_000 + round_ for round_ in range(6)]


def test_a_session_taken_up_at_its_end_tells_its_names_and_its_last_size_as_history(agent: Agent) -> None:
    for output in range(300):
        agent.says("x" * 500)
        agent.answers(1000 + output)
        agent.bills(20_000 + output, 1000 + output)

    follower = copilot_cli.follow(str(agent.path), start="end", is_detailed=True)
    told = follower.read()
    agent.compacts()

    assert kinds(told) == ["SessionSeen", "Request"]
    assert requests(told) == [20_299]
    assert all(event.is_history for event in told)
    assert kinds(follower.read()) == ["CompactionMarker"]


def test_a_rewind_that_shortens_the_file_tells_nothing_twice(agent: Agent) -> None:
    agent.says("one")
    kept = agent.path.read_bytes()
    agent.says("two")
    follower = copilot_cli.follow(str(agent.path), is_detailed=True)
    follower.read()
    agent.path.write_bytes(kept)
    follower.read()
    agent.says("two again")

    told = [event for event in follower.read() if not event.is_history]

    assert [event.text for event in told if isinstance(event, PersonMessage)] == ["two again"]


def test_an_answer_is_waited_for_only_so_long(agent: Agent) -> None:
    clock = Clock()
    follower = CopilotFollower(str(agent.path), now=clock, is_detailed=True)
    agent.answers(80)
    follower.read()
    clock.now += 30
    follower.read()
    agent.bills(24_000, 80)

    assert (follower.flush_at, requests(follower.read())) == (None, [])


@pytest.mark.parametrize("checkpoint", [{}, {"tail": 3, "sizes": {"cursor": "x", "waiting": [1]}}, {"v": 9}])
def test_a_checkpoint_of_another_version_does_no_harm(agent: Agent, checkpoint: dict[str, Any]) -> None:
    agent.says()

    assert "PersonMessage" in kinds(copilot_cli.follow(str(agent.path), checkpoint, is_detailed=True).read())


# The shared samples


def test_the_sample_has_its_compaction_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "session-state" / ID / "events.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes((DATA / "compaction.jsonl").read_bytes())

    [compaction] = played(str(path)).compactions

    assert (compaction.line, compaction.kind, compaction.tokens_before) == (16, "marker", 127_200)


def test_every_session_of_the_manifest_has_exactly_its_compactions(shared: Path) -> None:
    folder = shared / "transcripts" / "copilot-cli"
    manifest = json.loads((folder / "MANIFEST.json").read_text(encoding="utf-8"))
    for entry in manifest["files"]:
        path = folder / entry["path"]
        [name] = copilot_cli.names_in(path)

        found = [(each.line, each.tokens_before, each.tokens_after) for each in played(name).compactions]

        expected = [
            (each.get("line", 4), each["tokens_before"], each["tokens_after"])
            for each in entry["compactions"]
        ]
        assert found == expected, entry["path"]
        assert copilot_cli.is_own(path)


def test_the_truncation_and_the_failed_compaction_of_the_sample_are_none(shared: Path) -> None:
    path = shared / "transcripts" / "copilot-cli" / "session-state" / ID / "events.jsonl"

    events = copilot_cli.follow(str(path), is_detailed=True).read()

    assert [event.line for event in events if isinstance(event, CompactionMarker)] == [16]
    assert [(event.line, event.kind) for event in events if isinstance(event, ContextCleared)] == [
        (11, "microcompact")
    ]
    assert requests(events) == [24_680, 24_793, 127_100, 18_400]
    assert [event.text for event in events if isinstance(event, AgentMessage)][-1] == "All tables listed."


def test_a_session_of_which_only_the_database_knows_can_be_replayed(agent: Agent) -> None:
    agent.bills(90_000, 10)
    agent.bills(80_000, 900, "compaction")
    agent.bills(9_000, 11)
    agent.bills(1_000, 12, session="other")
    store = agent.base / "session-store.db"

    names = copilot_cli.names_in(store)
    events = copilot_cli.follow(names[0], is_detailed=True).read()

    assert names == [f"{store}#{ID}", f"{store}#other"]
    assert kinds(events) == ["SessionSeen", "Request", "CompactionMarker", "Request"]
    assert [event.cwd for event in events if isinstance(event, SessionSeen)] == ["/srv/demo"]


def test_a_database_session_goes_on_from_its_checkpoint(agent: Agent) -> None:
    agent.bills(90_000, 10)
    name = f"{agent.base / 'session-store.db'}#{ID}"
    first = copilot_cli.follow(name, is_detailed=True)
    first.read()
    agent.bills(91_000, 11)

    second = copilot_cli.follow(name, json.loads(json.dumps(first.checkpoint())), is_detailed=True)

    assert kinds(second.read()) == ["Request"]
    assert kinds(copilot_cli.follow(name, start="end", is_detailed=True).read()) == [
        "SessionSeen",
        "Request",
        "Request",
    ]
