"""The journal gets each record as one line with its priority, and holds nobody up."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentinitd.daemon.journal import LINE_BYTES, Journal, journal_line, journal_of

HEAD = {"ts": "2026-01-01T00:00:00Z", "mono": 1.0, "instance": "i", "pid": 7, "v": 1}


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    yield ours, theirs
    ours.close()
    theirs.close()


@pytest.mark.parametrize(
    ("record", "line"),
    [
        ({"level": "info", "event": "daemon.ready", "socket": "/s"}, "<6>daemon.ready socket=/s"),
        ({"level": "warning", "event": "log.dropped", "lost": 3}, "<4>log.dropped lost=3"),
        ({"level": "error", "event": "config.error", "error": "a: b\nc"}, '<3>config.error error="a: b\\nc"'),
        ({"level": "info", "event": "script.end", "script": "S10-a"}, "<7>script.end script=S10-a"),
        ({"level": "warning", "event": "script.end", "script": "S10-a", "flags": ["strays"]},
         "<4>script.end script=S10-a flags=\"[\\\"strays\\\"]\""),
        ({"level": "info", "event": "run.end", "failed": [], "reason": "", "snippet": None}, "<6>run.end"),
    ],
)  # fmt: skip
def test_each_record_is_one_line_with_its_priority(record: dict[str, object], line: str) -> None:
    """LOG-4."""
    assert journal_line({**HEAD, **record}).decode() == line + "\n"


def test_nothing_that_a_script_printed_is_told() -> None:
    """LOG-5."""
    told = journal_line({**HEAD, "level": "warning", "event": "script.end", "err_tail": "hunter2"})
    assert b"hunter2" not in told


def test_a_long_record_is_cut_between_letters() -> None:
    told = journal_line({**HEAD, "level": "info", "event": "trigger", "reason": "约束" * 2000})
    assert len(told) <= LINE_BYTES + 1
    assert told.decode().endswith(("约\n", "束\n"))


def test_a_journal_that_reads_nothing_holds_nobody_up(ends: tuple[socket.socket, socket.socket]) -> None:
    """LOG-3, LOG-4."""
    journal = Journal(ends[0])
    line = json.dumps({**HEAD, "level": "info", "event": "trigger", "reason": "x" * 1000}).encode()
    for _ in range(2000):
        journal.see(line)
    journal.see(b"no record")

    assert ends[1].recv(20) == b"<6>trigger reason=xx"


def test_only_the_journal_itself_is_written_to(
    ends: tuple[socket.socket, socket.socket], tmp_path: Path
) -> None:
    """LOG-4."""
    found = os.fstat(ends[0].fileno())
    mine = {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"}
    with (tmp_path / "file").open("w") as file:
        assert journal_of(mine, file.fileno()) is None
    assert journal_of({}, ends[0].fileno()) is None
    journal = journal_of(mine, ends[0].fileno())
    assert journal is not None
    journal.see(b'{"level": "error", "event": "daemon.bug", "error": "x"}')
    assert ends[1].recv(100) == b"<3>daemon.bug error=x\n"
