"""Sessions of Kimi CLI and Kimi Code are found, placed in their work folder, and followed while they grow."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any

import pytest

from agentinitd.model.events import CompactionMarker, Event, PersonMessage, Request, SessionSeen
from agentinitd.sessions.replay import Replay, replay
from agentinitd.transcripts import kimi

DATA = Path(__file__).parents[1] / "data" / "kimi"
PROJECT = "/srv/shop"
START = 1_788_400_000


class KimiCli:
    """Writes a session as Kimi CLI does."""

    def __init__(self, home: Path, session: str = "11111111-2222-4333-8444-555555555555") -> None:
        self.base = home / ".kimi"
        self.folder = self.base / "sessions" / hashlib.md5(PROJECT.encode()).hexdigest() / session
        self.folder.mkdir(parents=True)
        self.path = self.folder / "wire.jsonl"
        self.count = 0
        self.add({"type": "metadata", "protocol_version": "1.10"})

    def add(self, record: object) -> None:
        with self.path.open("ab") as file:
            file.write(json.dumps(record).encode() + b"\n")

    def message(self, kind: str, **payload: Any) -> None:
        self.count += 1
        self.add({"timestamp": START + self.count + 0.25, "message": {"type": kind, "payload": payload}})

    def says(self, text: str = "go on") -> None:
        self.message("TurnBegin", user_input=text)

    def answers(self, tokens: int) -> None:
        self.message("StatusUpdate", context_tokens=tokens, max_context_tokens=262_144)

    def compacts(self) -> None:
        self.message("CompactionBegin")
        self.message("CompactionEnd")

    def state(self, **fields: Any) -> None:
        (self.folder / "state.json").write_text(json.dumps({"version": 1, **fields}))


class KimiCode:
    """Writes a session as Kimi Code does."""

    def __init__(self, home: Path, session: str = "session_1", version: str = "1.4") -> None:
        self.base = home / ".kimi-code"
        self.folder = self.base / "sessions" / "wd_shop_0f0f" / session
        self.path = self.folder / "agents" / "main" / "wire.jsonl"
        self.path.parent.mkdir(parents=True)
        self.records: list[dict[str, Any]] = []
        self.add("metadata", protocol_version=version, created_at=START * 1000)

    def add(self, kind: str, **fields: Any) -> None:
        time = (START + len(self.records)) * 1000
        self.records.append(
            {"type": kind, **fields} if kind == "metadata" else {"type": kind, **fields, "time": time}
        )
        with self.path.open("ab") as file:
            file.write(json.dumps(self.records[-1]).encode() + b"\n")

    def says(self, text: str = "go on") -> None:
        content, origin = [{"type": "text", "text": text}], {"kind": "user"}
        self.add("turn.prompt", input=content, origin=origin)
        self.add("context.append_message", message={"role": "user", "content": content, "origin": origin})

    def answers(self, tokens: int) -> None:
        self.add("usage.record", model="k", usage={"inputOther": tokens, "output": 9}, usageScope="turn")

    def compacts(self) -> None:
        self.add("full_compaction.begin", source="auto")
        self.add("context.apply_compaction", summary="S", tokensBefore=200_000, tokensAfter=3000)
        self.add("full_compaction.complete")

    def state(self, **fields: Any) -> None:
        (self.folder / "state.json").write_text(json.dumps(fields))

    def migrates(self, version: str) -> None:
        """Every record is written again, into the same file."""
        self.records[0]["protocol_version"] = version
        self.path.write_bytes(b"".join(json.dumps(record).encode() + b"\n" for record in self.records))


@pytest.fixture(params=[KimiCli, KimiCode])
def agent(request: pytest.FixtureRequest, home: Path) -> KimiCli | KimiCode:
    made: KimiCli | KimiCode = request.param(home)
    return made


def requests(events: Iterable[Event]) -> list[int]:
    return [event.context_tokens for event in events if isinstance(event, Request)]


def places(events: Iterable[Event]) -> list[str | None]:
    return [event.cwd for event in events if isinstance(event, SessionSeen)]


def kinds(events: Iterable[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def played(path: Path) -> Replay:
    [name] = kimi.names_in(path)
    follower = kimi.follow(name, is_detailed=True)
    return replay(follower.read() + follower.finish(), kimi.NAME)


# Where sessions are


def test_each_home_can_be_moved_by_its_variable() -> None:
    home = Path("/home/u")

    assert kimi.roots(home, {}) == (home / ".kimi" / "sessions", home / ".kimi-code" / "sessions")
    assert kimi.roots(home, {"KIMI_SHARE_DIR": "/a", "KIMI_CODE_HOME": "/b"}) == (
        Path("/a/sessions"),
        Path("/b/sessions"),
    )


@pytest.mark.parametrize(
    ("path", "is_session"),
    [
        ("sessions/0f0f/s1/wire.jsonl", True),
        ("sessions/0f0f/s1/context.jsonl", False),
        ("sessions/0f0f/s1/context_1.jsonl", False),
        ("sessions/0f0f/s1/subagents/a1/wire.jsonl", False),
        ("sessions/wd_shop_0f/s1/agents/main/wire.jsonl", True),
        ("sessions/wd_shop_0f/s1/agents/agent-1/wire.jsonl", False),
        ("sessions/wd_shop_0f/s1/state.json", False),
    ],
)
def test_a_path_tells_whether_it_is_a_main_session(path: str, is_session: bool) -> None:
    assert kimi.names_at(PurePath(path)) == ((path,) if is_session else ())


def test_main_sessions_are_found_and_those_of_helpers_are_not(agent: KimiCli | KimiCode) -> None:
    for other in ("subagents/a1", "agents/agent-1"):
        (agent.folder / other).mkdir(parents=True)
        (agent.folder / other / "wire.jsonl").write_bytes(agent.path.read_bytes())

    assert set(kimi.scan(agent.base / "sessions")) == {str(agent.path)}
    assert kimi.is_own(agent.path)
    assert kimi.is_own(agent.folder)
    assert kimi.names_in(agent.folder) == kimi.names_in(agent.path) == [str(agent.path)]


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"turn.started"}',
        b'{"timestamp":"2026-08-30T14:26:40Z","type":"session_meta","payload":{}}',
        b'{"type":"session.start","data":{},"id":"1","timestamp":"t","parentId":null}',
        b'{"type":"user","message":{"role":"user","content":"x"},"timestamp":"t","sessionId":"s"}',
        b"",
        b"\0\0\0",
    ],
)
def test_files_of_others_are_not_taken_for_its_own(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(line + b"\n")

    assert not kimi.is_own(path)
    assert kimi.names_in(tmp_path) == []


# The work folder


def test_kimi_cli_works_where_the_hash_of_its_folder_says(home: Path) -> None:
    agent = KimiCli(home)
    agent.state(todos=[])
    known = [{"path": "/srv/other", "kaos": "local"}, {"path": PROJECT, "kaos": "local"}, 7]
    (agent.base / "kimi.json").write_text(json.dumps({"work_dirs": known}))

    [seen] = kimi.follow(str(agent.path), is_detailed=True).read()

    assert isinstance(seen, SessionSeen)
    assert (seen.session_id, seen.cwd, seen.agent_version) == (agent.folder.name, PROJECT, "wire 1.10")


@pytest.mark.parametrize("state", [{"workDir": PROJECT}, {"cwd": PROJECT}, {"custom": {"cwd": PROJECT}}])
def test_the_state_of_a_session_says_where_it_works(agent: KimiCli | KimiCode, state: dict[str, Any]) -> None:
    agent.state(**state)

    assert places(kimi.follow(str(agent.path), is_detailed=True).read()) == [PROJECT]


def test_a_session_that_came_from_elsewhere_is_placed_by_the_list_of_sessions(home: Path) -> None:
    agent = KimiCode(home)
    entries = [{"sessionId": "session_1", "workDir": "/old"}, {"sessionId": "session_1", "workDir": PROJECT}]
    lines = [json.dumps(entry) for entry in entries] + [
        '{"sessionId":"session_1","deleted":true}',
        "torn session_1",
    ]
    (agent.base / "session_index.jsonl").write_text("\n".join(lines))

    assert places(kimi.follow(str(agent.path), is_detailed=True).read()) == [PROJECT]


def test_the_work_folder_is_told_as_soon_as_it_is_known(agent: KimiCli | KimiCode) -> None:
    follower = kimi.follow(str(agent.path), is_detailed=True)
    told = follower.read()
    agent.state(workDir=PROJECT)
    agent.says()
    told += follower.read()
    agent.says()
    told += follower.read()

    assert places(told) == [None, PROJECT]


@pytest.mark.parametrize("text", ["", "[1]", '{"workDir": 5}', '{"workDir": "relative"}', "{torn", "\0" * 99])
def test_a_damaged_state_leaves_the_place_open(agent: KimiCli | KimiCode, text: str) -> None:
    (agent.folder / "state.json").write_text(text)
    (agent.base / "kimi.json").write_text(text)

    assert places(kimi.follow(str(agent.path), is_detailed=True).read()) == [None]


# Following


def test_a_session_that_grows_is_told_once(agent: KimiCli | KimiCode) -> None:
    follower = kimi.follow(str(agent.path), is_detailed=True)
    told: list[Event] = []
    for tokens in (20_000, 30_000):
        agent.says()
        agent.answers(tokens)
        told += follower.read()
    agent.compacts()
    told += follower.read()
    agent.answers(9000)
    told += follower.read() + follower.read()

    assert requests(told) == [20_000, 30_000, 9000]
    assert kinds(told).count("CompactionMarker") == 1
    assert kinds(told).count("PersonMessage") == 2


def test_one_that_reads_and_one_that_is_stopped_and_started_tell_the_same(agent: KimiCli | KimiCode) -> None:
    whole = kimi.follow(str(agent.path), is_detailed=True)
    known: dict[str, Any] | None = None
    first: list[Event] = []
    second: list[Event] = []
    for round_ in range(6):
        agent.says(f"round {round_}")
        agent.answers(20_000 + round_)
        if round_ == 2:
            agent.state(workDir=PROJECT)
            agent.compacts()
        first += whole.read()
        parts = kimi.follow(str(agent.path), known, is_detailed=True)
        second += parts.read()
        known = json.loads(json.dumps(parts.checkpoint()))

    assert first == second
    assert kinds(first).count("Request") == 6


def test_a_session_taken_up_at_its_end_tells_its_names_and_its_last_size_as_history(
    agent: KimiCli | KimiCode,
) -> None:
    agent.state(workDir=PROJECT)
    for round_ in range(400):
        agent.says("x" * 300)
        agent.answers(20_000 + round_)

    follower = kimi.follow(str(agent.path), start="end", is_detailed=True)
    told = follower.read()
    agent.compacts()

    assert kinds(told) == ["SessionSeen", "Request"]
    assert (requests(told), places(told)) == ([20_399], [PROJECT])
    assert all(event.is_history for event in told)
    assert kinds(follower.read()) == ["CompactionMarker"]


def test_a_file_written_anew_for_another_version_tells_nothing_twice(home: Path) -> None:
    agent = KimiCode(home, version="1.3")
    agent.says("one")
    agent.answers(200_000)
    agent.compacts()
    follower = kimi.follow(str(agent.path), is_detailed=True)
    follower.read()
    agent.migrates("1.4")
    told = follower.read()
    agent.says("two")
    told += follower.read()

    assert [event.text for event in told if isinstance(event, PersonMessage) and not event.is_history] == [
        "two"
    ]
    assert [event for event in told if isinstance(event, CompactionMarker) and not event.is_history] == []


def test_a_torn_end_is_waited_for(agent: KimiCli | KimiCode) -> None:
    follower = kimi.follow(str(agent.path), is_detailed=True)
    agent.says("whole")
    text = agent.path.read_bytes()
    agent.path.write_bytes(text[:-9])
    told = follower.read()
    assert follower.flush_at is not None
    agent.path.write_bytes(text)
    told += follower.read()

    assert kinds(told) == ["SessionSeen", "PersonMessage"]


@pytest.mark.parametrize("checkpoint", [{}, {"tail": 3, "session": {"line": "x"}}, {"v": 9}])
def test_a_checkpoint_of_another_version_does_no_harm(
    agent: KimiCli | KimiCode, checkpoint: dict[str, Any]
) -> None:
    agent.says()

    assert kinds(kimi.follow(str(agent.path), checkpoint, is_detailed=True).read()) == [
        "SessionSeen",
        "PersonMessage",
    ]


# Copies


def own(events: Iterable[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, PersonMessage) and not event.is_history]


def test_what_stands_before_the_mark_of_a_fork_is_history(home: Path) -> None:
    agent = KimiCode(home)
    agent.says("before")
    agent.compacts()
    agent.add("forked")
    agent.says("after")
    agent.state(workDir=PROJECT, forkedFrom="session_0")

    told = kimi.follow(str(agent.path), is_detailed=True).read()

    assert own(told) == ["after"]
    assert [event.is_history for event in told if isinstance(event, CompactionMarker)] == [True]


def test_a_fork_that_is_being_made_is_history_as_far_as_it_goes(home: Path) -> None:
    other = KimiCode(home, "session_0")
    agent = KimiCode(home)
    agent.says("before")
    agent.state(workDir=PROJECT, agents={"main": {"homedir": str(other.path.parent)}})
    follower = kimi.follow(str(agent.path), is_detailed=True)
    told = follower.read()
    agent.add("forked")
    agent.says("after")

    assert own(told + follower.read()) == ["after"]


def test_a_session_that_was_moved_elsewhere_is_no_fork(home: Path) -> None:
    agent = KimiCode(home)
    agent.says("mine")
    agent.state(agents={"main": {"homedir": "/elsewhere/sessions/wd_x/session_9/agents/main"}})

    assert own(kimi.follow(str(agent.path), is_detailed=True).read()) == ["mine"]


def test_a_session_taken_over_from_kimi_cli_is_history_up_to_its_first_record_with_a_time(home: Path) -> None:
    agent = KimiCode(home, version="1.0")
    message = {"role": "user", "content": [{"type": "text", "text": "long ago"}]}
    with agent.path.open("ab") as file:
        file.write(json.dumps({"type": "context.append_message", "message": message}).encode() + b"\n")
    agent.state(custom={"imported_from_kimi_cli": True})
    told = kimi.follow(str(agent.path), is_detailed=True).read()
    agent.says("now")

    assert own(told) == []
    assert own(kimi.follow(str(agent.path), is_detailed=True).read()) == ["now"]


def test_a_fork_of_kimi_cli_is_history_up_to_the_time_it_was_made(home: Path) -> None:
    agent = KimiCli(home)
    agent.says("before")
    agent.state(custom_title="Fork: parser", title_generated=True, wire_mtime=START + 1.5)
    agent.says("after")

    assert own(kimi.follow(str(agent.path), is_detailed=True).read()) == ["after"]


def test_a_session_whose_title_was_chosen_is_no_fork(home: Path) -> None:
    agent = KimiCli(home)
    agent.says("mine")
    agent.state(custom_title="Fork lift", wire_mtime=START + 9.5)

    assert own(kimi.follow(str(agent.path), is_detailed=True).read()) == ["mine"]


@pytest.mark.parametrize("room", ["subagents/a1", "agents/agent-1"])
def test_the_transcript_of_a_helper_is_marked_so_and_holds_no_message_of_the_person(
    agent: KimiCli | KimiCode, room: str
) -> None:
    agent.says("You are a reviewer.")
    agent.answers(100_000)
    agent.compacts()
    path = agent.folder / room / "wire.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(agent.path.read_bytes())

    told = kimi.follow(str(path), is_detailed=True).read()

    assert kinds(told) == ["SessionSeen", "Request", "CompactionMarker"]
    assert all(event.is_helper for event in told)
    assert played(path).compactions == ()
    assert [each.session_id for each in told if isinstance(each, SessionSeen)] == [agent.folder.name]


# The samples


@pytest.mark.parametrize("name", ["kimi-cli.jsonl", "kimi-code.jsonl"])
def test_every_sample_has_exactly_the_compactions_of_the_manifest(name: str) -> None:
    manifest = json.loads((DATA / "MANIFEST.json").read_text(encoding="utf-8"))
    [entry] = [each for each in manifest["files"] if each["path"] == name]

    found = [
        {
            "line": each.line,
            "trigger": each.trigger,
            "tokens_before": each.tokens_before,
            "tokens_after": each.tokens_after,
        }
        for each in played(DATA / name).compactions
    ]

    assert found == entry["compactions"]
