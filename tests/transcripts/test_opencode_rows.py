"""Whatever stands in a row of OpenCode, it is read or told as damage, and the other rows are read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentinitd.model.events import AgentMessage, ContextCleared, PersonMessage, Request
from agentinitd.transcripts import opencode
from agentinitd.transcripts.database_follower import follow_database
from agentinitd.transcripts.opencode_reader import OpenCodeReader
from agentinitd.transcripts.opencode_rows import store_of

DATA = Path(__file__).resolve().parents[1] / "data" / "opencode"
SESSIONS = {"v1": "ses_1f00aa11bb22CCddEEffGGhh01", "v2": "ses_2f00aa11bb22CCddEEffGGhh02"}

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = (
    "role", "summary", "time", "tokens", "error", "finish", "type", "text", "state", "tool", "callID",
    "content", "status", "reason", "model", "parentID", "synthetic", "auto", "mode", "agent",
)  # fmt: skip
objects = st.dictionaries(
    st.sampled_from(FIELDS), json_values | st.sampled_from(["user", "assistant", "tool"])
)
rows = st.one_of(objects.map(json.dumps), st.text(), st.binary(), st.integers(-9, 9), st.floats(), st.none())


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A fresh database of this layout in memory's place: a file that is written over each time."""
    folder = tmp_path_factory.mktemp("any")

    def make(sql: str) -> Path:
        path = folder / f"{sql}.db"
        path.unlink(missing_ok=True)
        connection = sqlite3.connect(path)
        connection.executescript((DATA / f"{sql}.sql").read_text().replace("data text NOT NULL", "data text"))
        connection.close()
        return path

    return make


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=rows,
    part=rows,
    kind=st.sampled_from(["v1", "v2"]),
    row_type=st.sampled_from(["assistant", "compaction"]),
)
def test_no_content_of_a_row_makes_it_raise(
    prepared: Callable[[str], Path], data: Any, part: Any, kind: str, row_type: str
) -> None:
    path = prepared(kind)
    with sqlite3.connect(path) as connection:
        if kind == "v1":
            connection.execute("UPDATE message SET data = ? WHERE id LIKE '%5'", (data,))
            connection.execute("UPDATE part SET data = ? WHERE id LIKE '%8'", (part,))
            session = connection.execute("SELECT id FROM session").fetchone()[0]
        else:
            connection.execute(
                "UPDATE session_message SET data = ?, type = ? WHERE seq = 2", (data, row_type)
            )
            session = connection.execute("SELECT id FROM session_v2").fetchone()[0]
    connection.close()
    reader = OpenCodeReader(partial(store_of, session_id=session), None, wall=lambda: 0.0, is_detailed=True)
    follower = follow_database(f"{path}#{session}", reader)
    events = follower.read() + follower.finish()

    assert follower.problem is None
    assert [event.text for event in events if isinstance(event, AgentMessage)][-1] in (
        "Nothing pending.",
        "Stopped.",
    )
    assert json.loads(json.dumps(follower.checkpoint()))
    assert not [event for event in events if isinstance(event, ContextCleared)]
    assert {type(event) for event in events} >= {Request, PersonMessage}


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=st.sampled_from(["v1", "v2"]), at=st.floats(0, 1), noise=st.binary(min_size=1, max_size=64))
def test_no_damage_of_the_file_makes_it_raise(
    prepared: Callable[[str], Path], kind: str, at: float, noise: bytes
) -> None:
    path = prepared(kind)
    content = bytearray(path.read_bytes())
    place = int(at * (len(content) - len(noise)))
    content[place : place + len(noise)] = noise
    path.write_bytes(content)
    reader = OpenCodeReader(
        partial(store_of, session_id=SESSIONS[kind]), None, wall=lambda: 0.0, is_detailed=True
    )
    follower = follow_database(f"{path}#{SESSIONS[kind]}", reader)
    events = follower.read() + follower.finish()

    assert events or follower.problem or not opencode.names_in(path) or place < 4096
    assert json.loads(json.dumps(follower.checkpoint()))
    opencode.is_own(path)


@pytest.mark.parametrize("value", ["'later'", "NULL", "x'00'", "1.5", "-1", "9223372036854775807"])
def test_rows_without_a_place_in_the_order_keep_nobody_waiting(tmp_path: Path, value: str) -> None:
    path = tmp_path / "opencode.db"
    connection = sqlite3.connect(path)
    connection.executescript((DATA / "v1.sql").read_text().replace("integer NOT NULL", "integer"))
    connection.execute(f"UPDATE message SET time_created = {value}, time_updated = {value}")
    connection.execute(f"UPDATE session SET time_created = {value}, time_updated = {value}")
    connection.commit()
    connection.close()
    follower = opencode.follow(f"{path}#{SESSIONS['v1']}", is_detailed=True)
    events = follower.read() + follower.finish()

    assert follower.problem is None
    assert not follower.has_more
    assert len(events) in (1, 13)
    assert len(opencode.scan(tmp_path)) == 1
