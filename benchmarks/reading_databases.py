"""How fast agents' databases are read: at once, after one commit, and at a look for what changed.

    python benchmarks/reading_databases.py

`measure` returns the figures; a ratio is against a `json.loads` loop over the same rows in the same run.
"""

from __future__ import annotations

import json
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from types import ModuleType

from agentinitd.transcripts import goose, opencode
from agentinitd.transcripts.follower import Follower

RUNS = 5
SESSIONS = 1000
LONG_TURNS = 4000
GIANT_BYTES = 20 * 1024 * 1024
BEGIN_MS = 1788000000000
TEXT = """def read(self, path: "Path") -> list[str]:\n\t# one block after the other, torn ends are kept\n"""

OPENCODE = """
CREATE TABLE session(id text PRIMARY KEY, parent_id text, directory text, version text,
    time_created integer, time_updated integer);
CREATE TABLE message(id text PRIMARY KEY, session_id text, time_created integer,
    time_updated integer, data text);
CREATE TABLE part(id text PRIMARY KEY, message_id text, session_id text, time_created integer,
    time_updated integer, data text);
CREATE INDEX message_session_time_created_id_idx ON message(session_id, time_created, id);
CREATE INDEX part_message_id_id_idx ON part(message_id, id);
"""
GOOSE = """
CREATE TABLE sessions(id TEXT PRIMARY KEY, session_type TEXT, working_dir TEXT, created_at TEXT,
    updated_at TEXT, total_tokens INTEGER, output_tokens INTEGER, accumulated_total_tokens INTEGER,
    model_config_json TEXT, parent_session_id TEXT);
CREATE TABLE messages(id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT, role TEXT,
    content_json TEXT, created_timestamp INTEGER, metadata_json TEXT);
CREATE TABLE usage_ledger(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, created_timestamp INTEGER,
    model TEXT, input_tokens INTEGER, output_tokens INTEGER, total_tokens INTEGER, is_compaction INTEGER);
CREATE INDEX idx_messages_session ON messages(session_id);
CREATE INDEX idx_usage_ledger_session ON usage_ledger(session_id);
"""


def measure() -> dict[str, float]:
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="agentinitd-bench-") as name:
        for agent, write in ((opencode, write_opencode), (goose, write_goose)):
            folder = Path(name) / agent.NAME
            folder.mkdir()
            figures |= measure_agent(agent, write, folder)
    return figures


def measure_agent(agent: ModuleType, write: Callable[..., None], folder: Path) -> dict[str, float]:
    path = folder / ("opencode.db" if agent is opencode else "sessions.db")
    with closing(_created(path)) as database:
        write(database, "long", range(LONG_TURNS))
        for number in range(SESSIONS):
            write(database, f"s{number}", range(4))
        name = f"{path}#long"
        figures = {
            "vs_json_loads": _whole_ratio(agent, name, database),
            "take_up_ms": _milliseconds(lambda: agent.follow(name, start="end").read()),
            "scan_1000_sessions_ms": _milliseconds(lambda: agent.scan(folder)),
            "one_commit_ms": _commit_ms(agent, name, lambda at: write(database, "long", [at])),
            "nothing_new_us": _idle_us(agent, name),
            "giant_row_rss_mib": _giant_rss_mib(agent, write, folder),
        }
    return {f"{agent.NAME}_{figure}": value for figure, value in figures.items()}


def write_opencode(
    database: sqlite3.Connection, session: str, turns: Iterable[int], text: str = TEXT * 12
) -> None:
    with database:
        database.execute(
            "INSERT OR IGNORE INTO session VALUES (?, NULL, '/srv', '1', ?, ?)", (session, BEGIN_MS, BEGIN_MS)
        )
        for turn in turns:
            at = BEGIN_MS + turn * 2000
            time = {"created": at, "completed": at + 500}
            tokens = {"input": 9, "output": 100, "cache": {"read": 20_000 + turn, "write": 0}}
            state = {"status": "completed", "input": {"path": "/srv/a"}, "output": text, "time": {"end": at}}
            for offset, data, parts in (
                (0, {"role": "user", "time": time}, [{"type": "text", "text": "go on"}]),
                (
                    1,
                    {"role": "assistant", "time": time, "tokens": tokens, "modelID": "m"},
                    [
                        {"type": "tool", "tool": "read", "callID": "c", "state": state},
                        {"type": "text", "text": text},
                    ],
                ),
            ):
                message = f"{session}_{turn:06}_{offset}"
                row = (message, session, at + offset, at + offset, json.dumps(data))
                database.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", row)
                for number, part in enumerate(parts):
                    values = (f"{message}_{number}", *row[:4], json.dumps(part))
                    database.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", values)


def write_goose(
    database: sqlite3.Connection, session: str, turns: Iterable[int], text: str = TEXT * 12
) -> None:
    with database:
        database.execute(
            "INSERT OR IGNORE INTO sessions VALUES (?, 'user', '/srv', '2026-01-01 00:00:00',"
            " '2026-01-01 00:00:00', 1, 1, 1, '{}', NULL)",
            (session,),
        )
        for turn in turns:
            at = BEGIN_MS // 1000 + turn * 2
            call = {"status": "success", "value": {"name": "shell", "arguments": {"command": "ls"}}}
            result = {"status": "success", "value": {"content": [{"type": "text", "text": text}]}}
            for role, content in (
                ("user", [{"type": "text", "text": "go on"}]),
                ("assistant", [{"type": "toolRequest", "id": "t", "toolCall": call}]),
                ("user", [{"type": "toolResponse", "id": "t", "toolResult": result}]),
                ("assistant", [{"type": "text", "text": text}]),
            ):
                row = (session, role, json.dumps(content), at, '{"userVisible":true,"agentVisible":true}')
                database.execute(
                    "INSERT INTO messages(session_id, role, content_json, created_timestamp, metadata_json)"
                    " VALUES (?, ?, ?, ?, ?)",
                    row,
                )
            usage = (session, at, 20_000 + turn)
            database.execute(
                "INSERT INTO usage_ledger(session_id, created_timestamp, total_tokens) VALUES (?, ?, ?)",
                usage,
            )


def _created(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.executescript(OPENCODE if path.name == "opencode.db" else GOOSE)
    return database


def _whole_ratio(agent: ModuleType, name: str, database: sqlite3.Connection) -> float:
    tables = (
        ("SELECT data FROM message WHERE session_id = 'long' ORDER BY time_created, id",
         "SELECT data FROM part WHERE message_id LIKE 'long%' ORDER BY id")
        if agent is opencode
        else ("SELECT content_json FROM messages WHERE session_id = 'long' ORDER BY id",)
    )  # fmt: skip

    def plain() -> None:
        for query in tables:
            for row in database.execute(query):
                json.loads(row[0])

    return _ratio(plain, lambda: _read_all(agent.follow(name)))


def _ratio(plain: Callable[[], object], ours: Callable[[], object]) -> float:
    """How many times as fast as `plain` we are."""
    pairs = [(_seconds(plain), _seconds(ours)) for _ in range(RUNS)]
    return statistics.median(first / second for first, second in pairs)


def _read_all(follower: Follower) -> int:
    count = len(follower.read())
    while follower.has_more:
        count += len(follower.read())
    assert count and follower.problem is None
    return count


def _commit_ms(agent: ModuleType, name: str, commit: Callable[[int], None]) -> float:
    """From a commit to its events, in a session that is long already."""
    follower = agent.follow(name, start="end")
    follower.read()
    times = []
    for turn in range(LONG_TURNS, LONG_TURNS + 50):
        commit(turn)
        times.append(_seconds(lambda: _read_all(follower)))
    return 1000 * statistics.median(times)


def _idle_us(agent: ModuleType, name: str) -> float:
    time.sleep(0.1)
    follower = agent.follow(name, start="end")
    follower.read()
    return 1_000_000 * statistics.median(_seconds(follower.read) for _ in range(500))


def _giant_rss_mib(agent: ModuleType, write: Callable[..., None], folder: Path) -> float:
    """The peak of a process that reads a session with giant rows."""
    path = folder / "giant" / ("opencode.db" if agent is opencode else "sessions.db")
    path.parent.mkdir()
    with closing(_created(path)) as database:
        write(database, "giant", range(3), "x" * GIANT_BYTES)
    program = (
        "import sys, importlib\n"
        "agent = importlib.import_module('agentinitd.transcripts.' + sys.argv[1])\n"
        "follower = agent.follow(sys.argv[2])\n"
        "assert follower.read() and not follower.problem\n"
        "import resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    # Through a shell: the peak of a child counts from before its exec, when it still was a copy of us.
    command = ["/bin/sh", "-c", '"$0" "$@"; exit $?', sys.executable, "-c", program]
    done = subprocess.run([*command, agent.NAME, f"{path}#giant"], check=True, stdout=subprocess.PIPE)
    return int(done.stdout) / 1024 / (1024 if sys.platform == "darwin" else 1)


def _milliseconds(action: Callable[[], object]) -> float:
    return 1000 * statistics.median(_seconds(action) for _ in range(RUNS))


def _seconds(action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


if __name__ == "__main__":
    for figure, value in measure().items():
        print(f"{figure:40} {value:10.2f}")
