"""OpenCode's sessions, found and read in its databases and in the tree before them, as its samples say."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path, PurePath
from typing import Any

import pytest

from agentinitd.model.events import (
    AgentMessage,
    CompactionMarker,
    Event,
    PersonMessage,
    Request,
    SessionSeen,
    Skipped,
    ToolCall,
    ToolResult,
)
from agentinitd.sessions.replay import replay
from agentinitd.transcripts import opencode
from agentinitd.transcripts.follower import Agent

DATA = Path(__file__).resolve().parents[1] / "data" / "opencode"
V1, V2 = "ses_1f00aa11bb22CCddEEffGGhh01", "ses_2f00aa11bb22CCddEEffGGhh02"


def load(sql: str, path: Path, *, mode: str = "wal") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.executescript((DATA / sql).read_text())
    connection.close()
    return path


def told(name: str) -> list[Event]:
    follower = opencode.follow(name, is_detailed=True)
    events = follower.read()
    while follower.has_more:
        events += follower.read()
    events += follower.finish()
    assert follower.problem is None
    return events


def of(events: list[Event], *kinds: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kinds)]


def test_the_module_is_an_agent() -> None:
    agent: Agent = opencode

    assert agent.NAME == "opencode"


def test_every_sample_gives_the_compactions_of_its_manifest(shared: Path) -> None:
    samples = shared / "transcripts" / "opencode"
    files = json.loads((samples / "MANIFEST.json").read_text())["files"]
    assert len(files) == 3
    for file in files:
        path = samples / file["path"]
        assert opencode.is_own(path), path
        (name,) = opencode.names_in(path)
        found = replay(told(name), opencode.NAME).compactions

        assert [(each.kind, each.tokens_before, each.tokens_after) for each in found] == [
            ("marker", expected["tokens_before"], expected["tokens_after"])
            for expected in file["compactions"]
        ]
        (marker,) = of(told(name), CompactionMarker)
        assert marker.trigger == "auto"
        record = file["compactions"][0]["record"]
        assert marker.marker_id in record or f"seq {marker.line}" in record


def test_a_session_of_version_1_is_told_in_order(tmp_path: Path) -> None:
    path = load("v1.sql", tmp_path / "opencode.db")
    events = told(f"{path}#{V1}")

    assert [(type(event).__name__, event.line) for event in events] == [
        ("SessionSeen", 1),
        ("PersonMessage", 1),
        ("ToolCall", 2),
        ("ToolResult", 2),
        ("Request", 2),
        ("AgentMessage", 3),
        ("Request", 3),
        ("PersonMessage", 4),
        ("AgentMessage", 5),
        ("Request", 5),
        ("CompactionMarker", 7),
        ("AgentMessage", 9),
        ("Request", 9),
    ]
    (seen,) = of(events, SessionSeen)
    assert (seen.session_id, seen.cwd, seen.agent_version) == (V1, "/srv/demo", "1.18.15")
    assert [event.text for event in of(events, PersonMessage)] == [
        "List the rows of table one.",
        "Repeat for all tables.",
    ]
    assert [event.context_tokens for event in of(events, Request)] == [20920, 21550, 151700, 15710]
    (call,), (result,) = of(events, ToolCall), of(events, ToolResult)
    assert (call.call_id, call.name, call.input) == ("call_0001", "read", {"filePath": "/srv/demo/one.txt"})
    assert (result.call_id, result.is_success, result.text) == ("call_0001", True, "row 1\nrow 2\nrow 3")


def test_a_session_of_version_2_is_told_in_order(tmp_path: Path) -> None:
    path = load("v2.sql", tmp_path / "opencode.db")
    events = told(f"{path}#{V2}")

    assert [(type(event).__name__, event.line) for event in events] == [
        ("SessionSeen", 1),
        ("PersonMessage", 1),
        ("ToolCall", 2),
        ("ToolResult", 2),
        ("AgentMessage", 2),
        ("Request", 2),
        ("CompactionMarker", 3),
        ("AgentMessage", 4),
        ("Request", 4),
        ("PersonMessage", 6),
        ("AgentMessage", 7),
        ("Request", 7),
    ]
    assert [event.text for event in of(events, AgentMessage)] == ["One row.", "Continuing.", "Stopped."]


def test_both_layouts_are_read_where_both_are_live(tmp_path: Path) -> None:
    path = load("v1.sql", tmp_path / "opencode.db")
    alone = told(f"{path}#{V1}")
    load("v2.sql", path)

    assert sorted(opencode.names_in(path)) == [f"{path}#{V1}", f"{path}#{V2}"]
    assert told(f"{path}#{V1}") == alone
    assert len(of(told(f"{path}#{V2}"), CompactionMarker)) == 1


def test_the_new_messages_of_an_old_table_of_sessions_are_read(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    sql = (DATA / "v2.sql").read_text().replace("session_v2", "session")
    sqlite3.connect(path).executescript(sql).connection.close()

    assert opencode.names_in(path) == [f"{path}#{V2}"]
    assert len(of(told(f"{path}#{V2}"), CompactionMarker)) == 1


def test_a_status_that_an_older_release_does_not_write_is_not_missed(tmp_path: Path) -> None:
    path = load("v2.sql", tmp_path / "opencode.db")
    for data, markers in (
        ({"reason": "manual", "summary": "S", "recent": "R", "time": {"created": 1788000003100}}, 1),
        ({"reason": "auto", "summary": "", "time": {"created": 1788000003100}}, 0),
        ({"reason": "auto", "status": "failed", "summary": ""}, 0),
        ({"reason": "auto", "status": "running", "summary": "half"}, 0),
    ):
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE session_message SET data = ? WHERE seq = 3", (json.dumps(data),))
        connection.close()
        found = of(told(f"{path}#{V2}"), CompactionMarker)
        assert len(found) == markers, data
        assert all(marker.trigger == data["reason"] for marker in found)


def test_a_sub_agent_is_a_helper_and_no_session_of_its_own(tmp_path: Path) -> None:
    path = load("v1.sql", tmp_path / "opencode.db")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE session SET parent_id = 'ses_parent'")
    connection.close()

    assert opencode.names_in(path) == []
    events = told(f"{path}#{V1}")
    assert events
    assert all(event.is_helper for event in events)
    assert not of(events, PersonMessage)


def test_what_a_fork_copied_is_history(tmp_path: Path) -> None:
    path = load("v1.sql", tmp_path / "opencode.db")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE session SET time_created = 1788000070000")
    connection.close()
    events = told(f"{path}#{V1}")

    assert [event.line for event in events if event.is_history] == [1, 2, 2, 2, 3, 3, 4, 5, 5, 7]
    assert not replay(events, opencode.NAME).compactions


def test_sessions_are_found_below_the_root_whatever_their_layout(shared: Path, tmp_path: Path) -> None:
    samples = shared / "transcripts" / "opencode"
    (root,) = opencode.roots(tmp_path, {"XDG_DATA_HOME": "relative"})
    assert root == tmp_path / ".local" / "share" / "opencode"
    assert opencode.scan(root) == {}
    shutil.copytree(samples / "v1-json" / "storage", root / "storage")
    load("v2.sql", root / "opencode-beta.db")
    (root / "broken.db").write_bytes(b"SQLite format 3\0" + os.urandom(500))
    (root / "notes.db").write_text("no database")

    found = opencode.scan(root)

    tree = root / "storage" / "session" / "prj0000000000000000000000000000000000000a" / f"{V1}.json"
    assert set(found) == {f"{root / 'opencode-beta.db'}#{V2}", str(tree)}
    assert opencode.names_in(root)[-1] == str(tree), "its files were written just now"
    assert opencode.is_own(root)
    assert opencode.is_own(root / "storage")
    assert opencode.is_own(tree)
    assert opencode.names_in(tree) == [str(tree)]
    assert not opencode.is_own(root / "broken.db")


def test_a_changed_session_is_seen_by_a_scan(tmp_path: Path) -> None:
    path = load("v1.sql", tmp_path / "opencode.db")
    before = opencode.scan(tmp_path)
    assert opencode.scan(tmp_path) == before
    with sqlite3.connect(path) as connection:
        connection.execute(
            "INSERT INTO message VALUES ('msg_1', ?, 1788000080000, 1788000080000, '{}')", (V1,)
        )
    connection.close()

    assert opencode.scan(tmp_path)[f"{path}#{V1}"].size == 1788000080000
    assert before[f"{path}#{V1}"].size == 1788000076300


def test_variables_move_the_root(tmp_path: Path) -> None:
    roots = opencode.roots(tmp_path, {"XDG_DATA_HOME": "/data", "OPENCODE_DB": "/elsewhere/own.db"})

    assert roots == (Path("/data/opencode"), Path("/elsewhere"))
    assert opencode.roots(tmp_path, {"XDG_DATA_HOME": "/data", "OPENCODE_DB": "own.db"}) == roots[:1]


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/d/opencode.db", None),
        ("/d/opencode.db-wal", None),
        ("/d/opencode.db-shm", ()),
        ("/d/log/some.log", ()),
        ("/d/storage/message/ses_1/msg_1.json", None),
        ("/d/storage/part/msg_1/prt_1.json", None),
        ("/d/storage/session/p/ses_1.json", ("/d/storage/session/p/ses_1.json",)),
        ("/d/storage/session_diff/ses_1.json", ()),
    ],
)
def test_the_path_of_a_change_tells_whom_it_concerns(path: str, names: tuple[str, ...] | None) -> None:
    assert opencode.names_at(PurePath(path)) == names


def test_damaged_rows_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    path = load("v1.sql", tmp_path / "opencode.db")
    whole = told(f"{path}#{V1}")
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE message SET data = '{torn' WHERE id LIKE '%00002'")
        connection.execute("UPDATE message SET data = x'ff00' WHERE id LIKE '%00008'")
        connection.execute("UPDATE part SET data = '[1]' WHERE id LIKE 'prt%00005'")
    connection.close()
    events = told(f"{path}#{V1}")

    lost = {2, 3, 8}
    assert [event.line for event in of(events, Skipped)] == [2, 3, 8]
    assert [event for event in events if event.line not in lost] == [
        event for event in whole if event.line not in lost
    ]


def test_a_giant_message_is_read_and_one_without_an_end_in_sight_is_told(tmp_path: Path) -> None:
    path = load("v1.sql", tmp_path / "opencode.db")
    output = {"type": "tool", "tool": "bash", "callID": "c", "state": {"status": "completed", "input": {}}}
    output["state"] = {**output["state"], "output": "y" * 5_000_000, "metadata": {"exit": 1}}  # type: ignore[dict-item]
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE part SET data = ? WHERE id LIKE 'prt%00003'", (json.dumps(output),))
        connection.execute(
            "UPDATE message SET data = ? WHERE id LIKE 'msg%00001'", ("[" + "1," * 2_500_000 + "1]",)
        )
    connection.close()
    events = told(f"{path}#{V1}")

    (result,) = of(events, ToolResult)
    assert (result.text, result.is_success) == ("y" * 4000, False)
    (skipped,) = of(events, Skipped)
    assert "too long" in skipped.reason


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE session(id)",
        "CREATE TABLE session(id, directory, time_updated); CREATE TABLE message(id, session_id, body);"
        "CREATE TABLE part(id, message_id, data)",
        "",
    ],
)
def test_a_schema_that_nobody_knows_is_a_problem_until_it_changes(tmp_path: Path, sql: str) -> None:
    path = tmp_path / "opencode.db"
    connection = sqlite3.connect(path)
    connection.executescript(f"CREATE TABLE other(x); {sql}")
    connection.close()
    follower = opencode.follow(f"{path}#{V1}", is_detailed=True)

    assert follower.read() == []
    assert follower.problem is not None
    assert "no tables of OpenCode" in follower.problem
    assert opencode.scan(tmp_path) == {}
    assert not opencode.is_own(path)

    path.unlink()
    load("v1.sql", path)
    assert len(of(follower.read(), CompactionMarker)) == 1
    assert follower.problem is None
