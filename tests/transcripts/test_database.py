"""An agent's database is read while the agent writes, and nothing of it is changed, blocked or kept."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentinitd.transcripts.database import (
    PAGES_KIB,
    UNREADABLE,
    columns,
    is_database,
    long_text,
    name_of,
    opened,
    problem_of,
    split_name,
    stamp,
)

# Runs one line of Python after the other, in a process of its own, and answers each.
WRITER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=0)
for line in sys.stdin:
    try:
        print(repr(db.execute(line.strip()).fetchall()), flush=True)
    except sqlite3.Error as error:
        print(repr(error), flush=True)
"""


class Writer:
    """Another process that has the database open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._process = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def does(self, statement: str) -> str:
        assert self._process.stdin and self._process.stdout
        print(statement, file=self._process.stdin, flush=True)
        return self._process.stdout.readline().strip()

    def dies(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "agent"
    made.mkdir()
    return made


@pytest.fixture
def writer(folder: Path) -> Iterator[Writer]:
    made = Writer(folder / "agent.db")
    assert made.does("PRAGMA journal_mode = WAL") == "[('wal',)]"
    made.does("CREATE TABLE said(id INTEGER PRIMARY KEY, text TEXT)")
    yield made
    made.dies()


def prints(path: Path) -> dict[str, str]:
    """Of the bytes of the database, its log and its shared memory."""
    return {
        each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in sorted(path.parent.iterdir())
    }


def texts(path: Path) -> list[str]:
    with opened(path) as connection:
        return [row[0] for row in connection.execute("SELECT text FROM said ORDER BY id")]


def test_what_stands_only_in_the_log_is_read(writer: Writer) -> None:
    writer.does("INSERT INTO said(text) VALUES ('hello')")

    assert texts(writer.path) == ["hello"]
    assert b"hello" not in writer.path.read_bytes()


def test_nothing_is_changed_while_a_transaction_is_held(writer: Writer) -> None:
    writer.does("INSERT INTO said(text) VALUES ('one')")
    for number in range(5):
        writer.does("BEGIN IMMEDIATE")
        writer.does(f"INSERT INTO said(text) VALUES ('held {number}')")
        before = prints(writer.path)

        assert texts(writer.path)[-1] == ("one" if not number else f"held {number - 1}")
        assert prints(writer.path) == before
        assert writer.does("COMMIT") == "[]"

    assert set(before) == {"agent.db", "agent.db-wal", "agent.db-shm"}


def test_a_read_in_progress_sees_one_state_and_keeps_nobody_from_writing(writer: Writer) -> None:
    writer.does("INSERT INTO said(text) VALUES ('one')")
    with opened(writer.path) as connection:
        assert connection.execute("SELECT count(*) FROM said").fetchone() == (1,)
        for _ in range(50):
            assert writer.does("INSERT INTO said(text) VALUES ('more')") == "[]"
        assert writer.does("PRAGMA wal_checkpoint(PASSIVE)").startswith("[(0, ")
        assert connection.execute("SELECT count(*) FROM said").fetchone() == (1,)

    assert len(texts(writer.path)) == 51


def test_few_pages_are_held_of_what_was_passed(writer: Writer) -> None:
    with opened(writer.path) as connection:
        assert connection.execute("PRAGMA cache_size").fetchone() == (-PAGES_KIB,)


def test_neither_lock_nor_descriptor_is_kept(writer: Writer) -> None:
    writer.does("INSERT INTO said(text) VALUES ('one')")
    before = sorted(Path("/dev/fd").iterdir())
    texts(writer.path)
    with pytest.raises(sqlite3.OperationalError), opened(writer.path) as connection:
        connection.execute("SELECT nothing FROM nowhere")

    assert sorted(Path("/dev/fd").iterdir()) == before
    assert writer.does("PRAGMA wal_checkpoint(TRUNCATE)") == "[(0, 0, 0)]"
    assert writer.does("PRAGMA journal_mode = DELETE") == "[('delete',)]", "needs the database for itself"


def test_what_an_agent_left_that_was_killed_is_read_and_left_as_it_is(writer: Writer) -> None:
    writer.does("INSERT INTO said(text) VALUES ('last words')")
    writer.dies()
    before = prints(writer.path)

    assert texts(writer.path) == ["last words"]
    assert prints(writer.path) == before


def test_a_database_at_rest_is_read_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "rest.db"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE said(id INTEGER PRIMARY KEY, text TEXT)")
        connection.execute("INSERT INTO said(text) VALUES ('one')")
    connection.close()
    before = path.read_bytes()

    assert texts(path) == ["one"]
    assert path.read_bytes() == before


def test_nothing_can_be_written(writer: Writer) -> None:
    with opened(writer.path) as connection, pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("INSERT INTO said(text) VALUES ('ours')")


@pytest.mark.parametrize("name", ["a#b?c%20d.db", "mode=rwc&x.db", "对话 é.db"])
def test_any_name_of_a_file_is_opened_and_told_back(folder: Path, name: str) -> None:
    path = folder / name
    sqlite3.connect(path).execute("CREATE TABLE said(id INTEGER PRIMARY KEY, text TEXT)").connection.close()

    assert texts(path) == []
    assert [each.name for each in folder.iterdir()] == [name]
    assert split_name(name_of(path, "ses_1")) == (path, "ses_1")


def test_a_commit_changes_the_stamp_and_a_read_does_not(writer: Writer) -> None:
    writer.does("INSERT INTO said(text) VALUES ('one')")
    first = stamp(writer.path)
    texts(writer.path)
    assert stamp(writer.path).files == first.files

    writer.does("INSERT INTO said(text) VALUES ('two')")
    assert stamp(writer.path).files != first.files


def test_a_stamp_is_not_trusted_right_after_a_change(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    path.write_bytes(b"x")
    assert stamp(path).is_racy

    os.utime(path, ns=(0, time.time_ns() - 10**9))
    assert not stamp(path).is_racy
    assert stamp(tmp_path / "other.db").is_absent


def test_a_commit_in_progress_without_a_log_is_a_problem_for_now(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "plain.db")
    try:
        writer.does("CREATE TABLE said(id INTEGER PRIMARY KEY, text TEXT)")
        writer.does("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError) as caught:
            texts(writer.path)
        assert "locked by another program" in problem_of(writer.path, caught.value)

        writer.does("COMMIT")
        assert texts(writer.path) == []
    finally:
        writer.dies()


def _damaged(path: Path) -> None:
    sqlite3.connect(path).execute("CREATE TABLE said(id INTEGER PRIMARY KEY, text TEXT)").connection.close()
    content = bytearray(path.read_bytes())
    content[100:400] = os.urandom(300)
    path.write_bytes(content)


def test_what_is_no_database_is_a_problem_that_names_it(tmp_path: Path) -> None:
    damaged, text = tmp_path / "damaged.db", tmp_path / "text.db"
    _damaged(damaged)
    text.write_bytes(b"not a database at all, but long enough to look at" * 100)
    for path, what in (
        (damaged, "damaged"),
        (text, "damaged"),
        (tmp_path, "cannot be"),
        (tmp_path / "none.db", "cannot be opened"),
    ):
        with pytest.raises(UNREADABLE) as caught:
            texts(path)
        problem = problem_of(path, caught.value)
        assert str(path) in problem
        assert what in problem


def test_only_files_that_are_databases_are_taken_for_some(writer: Writer, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.db")
    (tmp_path / "text.db").write_text("SQLite format 3")

    assert is_database(writer.path)
    assert not any(
        is_database(path)
        for path in (tmp_path / "fifo.db", tmp_path / "text.db", tmp_path, tmp_path / "none", Path("a\0b"))
    )
    with pytest.raises(OSError, match="not a regular file"):
        stamp(tmp_path / "fifo.db")


def test_columns_are_told_of_tables_only(writer: Writer) -> None:
    writer.does("CREATE VIEW session AS SELECT text AS id FROM said")
    with opened(writer.path) as connection:
        assert columns(connection, "said") == {"id", "text"}
        assert columns(connection, "session") == frozenset()
        assert columns(connection, "nothing") == frozenset()


def test_a_giant_value_is_read_with_its_long_strings_cut(tmp_path: Path) -> None:
    path = tmp_path / "giant.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE part(id TEXT PRIMARY KEY, data TEXT)")
        giant = '{"type":"tool","output":"' + "x" * 3_000_000 + '","end":1}'
        connection.execute("INSERT INTO part VALUES ('a', ?)", (giant,))
        connection.execute("INSERT INTO part VALUES ('b', ?)", ("[" + "1," * 3_000_000 + "1]",))
    connection.close()
    with opened(path) as opened_again:
        first = long_text(opened_again, "part", "data", 1)
        assert first is not None
        assert first.startswith('{"type":"tool","output":"xxx')
        assert first.endswith('","end":1}')
        assert len(first) < 100_000
        assert long_text(opened_again, "part", "data", 2) is None
