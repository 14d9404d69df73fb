"""A session of OpenCode is followed while rows come, change and go: nothing is told twice, nothing lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agentinitd.model.events import (
    CompactionMarker,
    Event,
    PersonMessage,
    PlanStep,
    SessionSeen,
    SnippetSeen,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts import opencode, opencode_tree
from agentinitd.transcripts.database_follower import StoreFollower, follow_database
from agentinitd.transcripts.follower import Start
from agentinitd.transcripts.opencode_reader import TAKE_UP, OpenCodeReader
from agentinitd.transcripts.opencode_rows import store_of

DATA = Path(__file__).resolve().parents[1] / "data" / "opencode"
SESSION = "ses_1"
BEGIN_MS = 1788000000000
Told = list[tuple[str, Any]]


class Agent:
    """Writes as OpenCode 1 does: each message and each part is a commit of its own, in WAL mode."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "opencode.db"
        self.db = sqlite3.connect(self.path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.executescript((DATA / "v1.sql").read_text())
        for table in ("message", "part", "session"):
            self.db.execute(f"DELETE FROM {table}")
        self.db.execute(
            "INSERT INTO session(id, project_id, slug, directory, title, version, time_created, time_updated)"
            " VALUES (?, 'p', 's', '/srv/demo', 't', '1.18.15', ?, ?)",
            (SESSION, BEGIN_MS, BEGIN_MS),
        )
        self.ms = BEGIN_MS
        self.count = 0

    def clock(self) -> float:
        return self.ms / 1000

    @property
    def name(self) -> str:
        return f"{self.path}#{SESSION}"

    def id(self, kind: str) -> str:
        self.count += 1
        return f"{kind}_{self.count:05}"

    def message(
        self, data: Mapping[str, Any], message_id: str | None = None, *, at: int | None = None
    ) -> str:
        """Inserted, or rewritten when it is there."""
        self.ms += 100
        created = at or self.ms
        message_id = message_id or self.id("msg")
        self.db.execute(
            "INSERT INTO message VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated",
            (message_id, SESSION, created, self.ms, json.dumps({"time": {"created": created}, **data})),
        )
        return message_id

    def part(self, message_id: str, data: Mapping[str, Any], part_id: str | None = None) -> str:
        self.ms += 10
        part_id = part_id or self.id("prt")
        self.db.execute(
            "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET data = excluded.data, time_updated = excluded.time_updated",
            (part_id, message_id, SESSION, self.ms, self.ms, json.dumps(data)),
        )
        return part_id

    def says(self, text: str, **more: Any) -> str:
        message_id = self.message({"role": "user"})
        self.part(message_id, {"type": "text", "text": text, **more})
        return message_id

    def assistant(self, tokens: int = 0, **more: Any) -> dict[str, Any]:
        counts = {
            "input": 0,
            "output": 100 if tokens else 0,
            "cache": {"read": max(0, tokens - 100), "write": 0},
        }
        return {"role": "assistant", "modelID": "m", "tokens": counts, **more}

    def done(self, tokens: int = 0, **more: Any) -> dict[str, Any]:
        return self.assistant(tokens, **{"time": {"created": self.ms, "completed": self.ms + 50}, **more})

    def answers(self, text: str, tokens: int) -> str:
        message_id = self.message(self.assistant())
        part_id = self.part(message_id, {"type": "text", "text": "", "time": {"start": self.ms}})
        self.part(message_id, {"type": "text", "text": text, "time": {"start": 1, "end": self.ms}}, part_id)
        return self.message(self.done(tokens), message_id)

    def asks_to_compact(self, *, auto: bool = True) -> str:
        message_id = self.message({"role": "user"})
        self.part(message_id, {"type": "compaction", "auto": auto})
        return message_id

    def summary(
        self, parent: str, message_id: str | None = None, *, is_done: bool = True, **more: Any
    ) -> str:
        made = self.done if is_done else self.assistant
        names = {"summary": True, "mode": "compaction", "agent": "compaction", "parentID": parent}
        return self.message(made(90000, **names, **more), message_id)

    def deletes(self, message_id: str) -> None:
        with self.db:
            self.db.execute("BEGIN IMMEDIATE")
            self.db.execute("DELETE FROM part WHERE message_id = ?", (message_id,))
            self.db.execute("DELETE FROM message WHERE id = ?", (message_id,))
            self.db.execute("COMMIT")


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    made = Agent(tmp_path)
    yield made
    made.db.close()


def follow(
    agent: Agent, checkpoint: Mapping[str, Any] | None = None, *, start: Start = "top"
) -> StoreFollower[sqlite3.Connection]:
    reader = OpenCodeReader(
        partial(store_of, session_id=SESSION), checkpoint, start=start, wall=agent.clock, is_detailed=True
    )
    return follow_database(agent.name, reader)


def brief(events: list[Event]) -> Told:
    return [(type(event).__name__, getattr(event, "text", None) or _detail(event)) for event in events]


def _detail(event: Event) -> Any:
    for field in ("context_tokens", "trigger", "kind", "snippet_id", "name", "call_id", "steps"):
        if hasattr(event, field):
            return getattr(event, field)
    return None


def test_pieces_are_told_as_they_come(agent: Agent) -> None:
    follower = follow(agent)
    assert brief(follower.read()) == [("SessionSeen", None)]

    user = agent.message({"role": "user"})
    assert follower.read() == []
    assert follower.flush_at is not None, "its parts are yet to come"
    agent.part(user, {"type": "text", "text": "do it"})
    agent.ms += 1000
    assert brief(follower.finish()) == [("PersonMessage", "do it")]

    answer = agent.message(agent.assistant())
    tool = {"type": "tool", "tool": "bash", "callID": "c1"}
    part = agent.part(answer, {**tool, "state": {"status": "pending", "input": {}, "raw": ""}})
    assert follower.read() == []
    agent.part(answer, {**tool, "state": {"status": "running", "input": {"command": "ls"}}}, part)
    (call,) = follower.read()
    assert isinstance(call, ToolCall)
    assert call.input == {"command": "ls"}
    state = {"status": "completed", "input": {"command": "ls"}, "output": "a b", "metadata": {"exit": 0}}
    agent.part(answer, {**tool, "state": state}, part)
    (result,) = follower.read()
    assert isinstance(result, ToolResult)
    assert (result.call_id, result.is_success, result.text) == ("c1", True, "a b")

    agent.part(answer, {"type": "step-finish", "tokens": agent.assistant(5000)["tokens"]})
    agent.message(agent.done(5000), answer)
    assert brief(follower.read()) == [("Request", 5000)]

    pruned = {**state, "output": "[cleared]", "time": {"start": 1, "end": 2, "compacted": 3}}
    agent.part(answer, {**tool, "state": pruned}, part)
    assert follower.read() == [], "pruning is no compaction"


def _conversation(agent: Agent) -> Iterator[None]:
    """All that happens in a session, commit by commit."""
    user = agent.message({"role": "user"})
    yield
    agent.part(user, {"type": "text", "text": "first"})
    yield
    answer = agent.message(agent.assistant())
    yield
    text = agent.part(answer, {"type": "text", "text": "half a"})
    yield
    agent.part(answer, {"type": "text", "text": "half a sentence", "time": {"start": 1, "end": 2}}, text)
    yield
    tool = {"type": "tool", "tool": "todowrite", "callID": "c"}
    todos = [{"content": "one", "status": "completed"}, {"content": "two", "status": "in_progress"}]
    part = agent.part(answer, {**tool, "state": {"status": "running", "input": {"todos": todos}}})
    yield
    agent.part(
        answer, {**tool, "state": {"status": "completed", "input": {"todos": todos}, "output": "ok"}}, part
    )
    yield
    agent.message(agent.done(100_000), answer)
    yield
    asked = agent.asks_to_compact()
    yield
    summary = agent.summary(asked, is_done=False)
    yield
    agent.deletes(summary)
    yield
    summary = agent.summary(asked, is_done=False)
    yield
    agent.summary(asked, summary)
    yield
    agent.says("Continue if you have next steps", synthetic=True)
    yield
    agent.answers("going on", 20_000)
    yield
    agent.says("second")
    yield
    agent.answers("bye", 21_000)
    yield


EXPECTED: Told = [
    ("SessionSeen", None),
    ("PersonMessage", "first"),
    ("AgentMessage", "half a sentence"),
    ("ToolCall", "todowrite"),
    ("ToolResult", "ok"),
    ("PlanUpdate", (PlanStep(text="one", status="done"), PlanStep(text="two", status="in_progress"))),
    ("Request", 100_000),
    ("CompactionMarker", "auto"),
    ("AgentMessage", "going on"),
    ("Request", 20_000),
    ("PersonMessage", "second"),
    ("AgentMessage", "bye"),
    ("Request", 21_000),
]


def test_read_at_once_or_after_every_commit_it_says_the_same(agent: Agent) -> None:
    live = follow(agent)
    events = live.read()
    for _ in _conversation(agent):
        events += live.read()
    events += live.finish()

    assert brief(events) == EXPECTED
    whole = follow(agent)
    assert brief(whole.read() + whole.finish()) == EXPECTED
    (marker,) = [event for event in events if isinstance(event, CompactionMarker)]
    assert marker.tokens_before == 100_000


def test_a_follower_that_is_renewed_after_every_commit_tells_the_same(agent: Agent) -> None:
    events: list[Event] = []
    checkpoint: Mapping[str, Any] | None = None
    for _ in _conversation(agent):
        follower = follow(agent, checkpoint)
        events += follower.read()
        checkpoint = json.loads(json.dumps(follower.checkpoint()))
    events += follow(agent, checkpoint).finish()

    assert brief(events) == EXPECTED


def test_small_steps_tell_the_same(agent: Agent) -> None:
    for _ in _conversation(agent):
        pass
    for number in range(100):
        agent.says(f"message {number}")
    follower = follow(agent)
    events, steps = follower.read(1), 1
    while follower.has_more:
        events += follower.read(1)
        steps += 1
    events += follower.finish()

    assert steps > 50
    assert brief(events)[: len(EXPECTED)] == EXPECTED
    assert [event.text for event in events if isinstance(event, PersonMessage)][2:] == [
        f"message {number}" for number in range(100)
    ]
    assert [event.line for event in events] == sorted(event.line for event in events)


@pytest.mark.parametrize(
    "failed",
    [{"error": {"name": "ContextOverflowError"}}, {"finish": "error"}, {"error": {"name": "Aborted"}}],
)
def test_a_compaction_that_failed_is_none_and_a_second_try_is_one(
    agent: Agent, failed: dict[str, Any]
) -> None:
    follower = follow(agent)
    asked = agent.asks_to_compact(auto=False)
    agent.summary(asked, **failed)
    assert brief(follower.read()) == [("SessionSeen", None)]

    agent.summary(asked)
    assert brief(follower.read()) == [("CompactionMarker", "manual")]
    agent.summary(asked)
    assert follower.read() == [], "one that was asked for once is one"
    agent.summary(agent.asks_to_compact())
    assert brief(follower.read()) == [("CompactionMarker", "auto")]


def test_a_summary_of_an_old_release_needs_nobody_who_asked(agent: Agent) -> None:
    agent.message(agent.done(90000, summary=True))

    assert brief(follow(agent).read())[1:] == [("CompactionMarker", None)]


@pytest.mark.parametrize("copy", ["a long task", "a long task\n[Attached image/png: a.png]"])
def test_the_last_message_that_is_put_in_again_is_no_turn(agent: Agent, copy: str) -> None:
    agent.says("a long task")
    agent.answers("hm", 1000)
    agent.summary(agent.asks_to_compact())
    agent.says(copy)
    agent.answers("done", 500)
    agent.says("a long task")
    follower = follow(agent)

    assert brief(follower.read() + follower.finish())[1:] == [
        ("PersonMessage", "a long task"),
        ("AgentMessage", "hm"),
        ("Request", 1000),
        ("CompactionMarker", "auto"),
        ("AgentMessage", "done"),
        ("Request", 500),
        ("PersonMessage", "a long task"),
    ]


def test_a_checkpoint_holds_no_words_of_the_person(agent: Agent) -> None:
    agent.says("the password is hunter2")
    follower = follow(agent)
    follower.read()
    follower.finish()

    assert follower.checkpoint()["typed"].startswith("23:")
    assert "hunter2" not in str(follower.checkpoint())


def test_messages_taken_back_are_told_as_such_once_and_never_again(agent: Agent) -> None:
    follower = follow(agent)
    agent.says("keep")
    kept = agent.answers("yes", 1000)
    said = agent.says("take back")
    rows = agent.db.execute("SELECT * FROM message WHERE id = ?", (said,)).fetchall()
    answer = agent.answers("no", 2000)
    follower.read()
    agent.deletes(answer)
    agent.deletes(said)

    assert brief(follower.read()) == [("ContextCleared", "rewind")]
    agent.says("other")
    agent.answers("good", 1100)
    assert brief(follower.read()) == [("PersonMessage", "other"), ("AgentMessage", "good"), ("Request", 1100)]
    agent.db.executemany("INSERT INTO message VALUES (?, ?, ?, ?, ?)", rows)
    agent.message(agent.done(1000), kept)
    assert follower.read() == []


def test_a_message_written_by_a_clock_that_was_set_back_is_told(agent: Agent) -> None:
    follower = follow(agent)
    agent.says("one")
    agent.answers("two", 1000)
    follower.read()
    agent.message(agent.done(1200), at=BEGIN_MS + 105)

    assert brief(follower.read()) == [("Request", 1200)]
    assert follower.read() == []


def test_what_was_inserted_is_no_message_of_the_person(agent: Agent) -> None:
    agent.says("# Rules (agentinitd 0123abcd)\n- be good", synthetic=True)
    agent.says("# Rules (agentinitd 0123abce)\n- be good")
    agent.says("not for the model", ignored=True)
    mixed = agent.message({"role": "user"})
    agent.part(mixed, {"type": "text", "text": "look at @a.py"})
    agent.part(mixed, {"type": "text", "text": "Called the Read tool", "synthetic": True})
    agent.part(mixed, {"type": "file", "mime": "text/plain", "url": "file:///a.py"})
    picture = agent.message({"role": "user"})
    agent.part(picture, {"type": "file", "mime": "image/png", "url": "data:"})
    command = agent.message({"role": "user"})
    agent.part(command, {"type": "subtask", "prompt": "long", "command": "review", "agent": "a"})

    told = [event for event in follow(agent).finish() if isinstance(event, PersonMessage | SnippetSeen)]
    assert [getattr(event, "text", None) or getattr(event, "snippet_id", "") for event in told] == [
        "0123abcd",
        "0123abce",
        "look at @a.py",
        "",
        "/review",
    ]


def test_a_request_without_figures_is_none(agent: Agent) -> None:
    agent.answers("free", 0)
    agent.message(agent.done(error={"name": "APIError"}))

    assert brief(follow(agent).read())[1:] == [("AgentMessage", "free")]


def test_a_message_that_was_never_finished_holds_up_nothing(agent: Agent) -> None:
    follower = follow(agent)
    dead = [agent.message(agent.assistant()) for _ in range(20)]
    agent.answers("alive", 1000)

    assert brief(follower.read())[1:] == [("AgentMessage", "alive"), ("Request", 1000)]
    agent.message(agent.done(900), dead[-1])
    assert brief(follower.read()) == [("Request", 900)]
    agent.message(agent.done(900), dead[0])
    assert follower.read() == []


@pytest.mark.parametrize("start", ["end", "size"])
def test_a_session_taken_up_at_its_end_tells_the_last_request_as_history(agent: Agent, start: str) -> None:
    for number in range(TAKE_UP):
        agent.says(f"{number}")
        agent.answers("ok", 1000 + number)
    running = agent.message(agent.assistant())
    agent.part(running, {"type": "text", "text": "so far", "time": {"start": 1, "end": 2}})
    asked = agent.asks_to_compact()
    summary = agent.summary(asked, is_done=False)
    seen: Start = "end" if start == "end" else agent.ms
    if start == "size":
        agent.summary(asked, summary)
    follower = follow(agent, start=seen)
    events = follower.read()

    assert brief(events[:2]) == [("SessionSeen", None), ("Request", 1000 + TAKE_UP - 1)]
    assert events[1].is_history
    assert events[1].line == 2 * TAKE_UP
    if start == "end":
        assert len(events) == 2
        agent.summary(asked, summary)
        events += follower.read()
    assert brief(events[2:]) == [("CompactionMarker", "auto")]
    assert not events[2].is_history
    agent.says("new")
    agent.answers("fine", 300)
    assert brief(follower.read()) == [("PersonMessage", "new"), ("AgentMessage", "fine"), ("Request", 300)]
    assert follower.offset == 2 * TAKE_UP + 5


def test_a_session_that_is_not_there_yet_is_new_when_it_comes(agent: Agent) -> None:
    agent.db.execute("UPDATE session SET id = 'other'")
    follower = follow(agent, start="end")
    assert (follower.read(), follower.problem) == ([], None)
    agent.db.execute("UPDATE session SET id = ?", (SESSION,))
    agent.answers("hello", 1000)

    assert brief(follower.read()) == [("SessionSeen", None), ("AgentMessage", "hello"), ("Request", 1000)]


def test_a_database_that_vanishes_or_is_damaged_for_a_while_costs_nothing(
    agent: Agent, tmp_path: Path
) -> None:
    follower = follow(agent)
    agent.says("one")
    agent.answers("two", 1000)
    agent.db.execute("PRAGMA journal_mode = DELETE")
    agent.db.close()
    first = brief(follower.read())
    saved = shutil.copy(agent.path, tmp_path / "saved")

    agent.path.unlink()
    assert (follower.read(), follower.problem, follower.has_more) == ([], None, False)
    whole = Path(saved).read_bytes()
    for damaged in (
        whole[: len(whole) // 2],
        b"",
        b"\0" * len(whole),
        whole[:4096] + b"\xff" * (len(whole) - 4096),
    ):
        agent.path.write_bytes(damaged)
        assert follower.read() == []
        if damaged:
            assert follower.problem is not None
            assert str(agent.path) in follower.problem
    agent.path.write_bytes(whole)
    assert (follower.read(), follower.problem) == ([], None)
    with sqlite3.connect(agent.path) as agent.db:
        agent.answers("three", 1100)
    agent.db.close()

    assert brief(follower.read()) == [("AgentMessage", "three"), ("Request", 1100)]
    assert len(first) == 4


def test_a_locked_database_is_read_later(agent: Agent) -> None:
    agent.db.execute("PRAGMA journal_mode = DELETE")
    follower = follow(agent)
    agent.answers("two", 1000)
    agent.db.execute("BEGIN EXCLUSIVE")
    assert follower.read() == []
    assert follower.problem is not None
    assert "locked" in follower.problem
    assert follower.flush_at is not None
    agent.db.execute("COMMIT")

    assert brief(follower.read())[1:] == [("AgentMessage", "two"), ("Request", 1000)]
    assert (follower.problem, follower.flush_at) == (None, None)


@pytest.mark.parametrize("checkpoint", [{"layout": 5}, {"recent": []}, {"place": "x"}])
def test_a_checkpoint_of_another_version_tells_nothing_twice(
    agent: Agent, checkpoint: dict[str, Any]
) -> None:
    agent.says("one")
    agent.answers("two", 1000)
    agent.ms += 2000
    follower = follow(agent, checkpoint)

    assert [event.is_history for event in follower.read() if not isinstance(event, SessionSeen)] == [True]
    agent.answers("three", 1100)
    assert brief(follower.read()) == [("AgentMessage", "three"), ("Request", 1100)]


def test_the_tree_of_files_is_followed_like_the_tables(agent: Agent, tmp_path: Path) -> None:
    storage = tmp_path / "data" / "storage"
    path = storage / "session" / "p" / f"{SESSION}.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"id": SESSION, "directory": "/srv/demo", "version": "1.1.0"}))
    follower = opencode.follow(str(path), is_detailed=True)
    events = follower.read()
    for _ in _conversation(agent):
        _write_tree(agent, storage)
        events += follower.read()
    events += follower.finish()

    assert brief(events) == EXPECTED


def _write_tree(agent: Agent, storage: Path) -> None:
    """The same rows as files, each rewritten in place; the first bytes of one are not all yet."""
    shutil.rmtree(storage / "message", ignore_errors=True)
    for table, folder, column in (("message", "message", "session_id"), ("part", "part", "message_id")):
        for row_id, parent, data in agent.db.execute(f"SELECT id, {column}, data FROM {table}"):
            file = storage / folder / parent / f"{row_id}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(data)


def test_a_file_of_the_tree_in_the_middle_of_a_write_is_waited_for(agent: Agent, tmp_path: Path) -> None:
    storage = tmp_path / "data" / "storage"
    path = storage / "session" / "p" / f"{SESSION}.json"
    message = storage / "message" / SESSION / "msg_1.json"
    for file in (path, message):
        file.parent.mkdir(parents=True)
    path.write_text("{}")
    message.write_text('{"role":"assis')
    agent.ms = message.stat().st_mtime_ns // 1_000_000
    reader = OpenCodeReader(opencode_tree.store_of, None, wall=agent.clock, is_detailed=True)
    follower = StoreFollower(
        str(path), reader, path=path, looked=opencode_tree.looked, opened=opencode_tree.opened
    )
    assert brief(follower.read()) == [("SessionSeen", None)]
    assert follower.flush_at is not None
    message.write_text(json.dumps(agent.done(700)))

    assert brief(follower.read()) == [("Request", 700)]
    message.write_text('{"role":"assis')
    assert follower.read() == []
