"""What `status` prints and exits with, asked of real daemons, dead ones, and of others in their place."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agentinitd import __version__
from agentinitd.cli.main import cli
from agentinitd.cli.status import MAX_LINES, lines_of, of_this_version

NOTHING_WRONG: dict[str, Any] = {
    "state": "running",
    "since": "2026-11-29T10:00:00.000000Z",
    "version": "0.1.0",
    "protocol": 1,
    "pid": 7,
    "manager": "none",
    "socket": "/run/s",
    "watch": [],
    "sessions": [],
    "last_run": None,
    "memory": [],
    "unanswered_hook": None,
    "reasons": [],
    "cure": None,
}
SESSION: dict[str, Any] = {
    "session": "0123456789",
    "agent": "claude-code",
    "turn": 3,
    "context_tokens": 12_345,
    "project": "/p",
    "due": [{"trigger": "drop", "reason": "context fell"}],
    "last_compaction": {"at": NOTHING_WRONG["since"], "trigger": "marker", "reason": "it said so"},
    "last_hook": {"at": NOTHING_WRONG["since"], "event": "Stop", "outcome": "nothing due", "reason": ""},
    "skipped_lines": 2,
    "first_skip": "byte 7: torn",
}


def lines(*, is_verbose: bool = False, **fields: Any) -> list[str]:
    return lines_of({**NOTHING_WRONG, **fields}, is_verbose=is_verbose)


class TestVersions:
    def test_what_was_installed_since_the_daemon_began_needs_a_restart(self) -> None:
        """DMN-9."""
        old = {**NOTHING_WRONG, "version": "0.0.1"}
        told = of_this_version(old)

        assert (told["state"], told["cure"]) == ("degraded", "agentinitd restart")
        assert "the daemon is agentinitd 0.0.1, and this is" in told["reasons"][-1]["text"]
        assert of_this_version({**old, "version": __version__})["state"] == "running"
        worse = of_this_version({**old, "reasons": [{"kind": "disk", "text": "full"}], "cure": "make room"})
        assert worse["cure"] == "make room"


class TestLines:
    def test_a_healthy_daemon_takes_few(self) -> None:
        shown = lines()

        assert shown[0] == "agentinitd 0.1.0 is running (pid 7)"
        assert len(shown) == 4

    def test_what_finds_no_room_is_counted(self) -> None:
        shown = lines(reasons=[{"kind": "script", "text": f"reason {n}"} for n in range(9)], cure="x")

        assert [line for line in shown if line.startswith("! ")][-1] == "! and 4 more: agentinitd status -v"
        assert "! reason 8" in lines(
            reasons=[{"kind": "script", "text": f"reason {n}"} for n in range(9)], cure="x", is_verbose=True
        )

    def test_what_waits_for_a_review_is_told_once_a_project(self) -> None:
        memory = [
            {"project": "/p", "problems": [], "captured": 3},
            {"project": "/q", "problems": [], "captured": 0},
        ]

        told = [line for line in lines(memory=memory) if "captured" in line]

        assert told == ["memory: /p: 3 captured, not reviewed: agentinitd anchors review"]

    def test_a_reply_that_broke_a_rule_is_told(self) -> None:
        reply = {"at": NOTHING_WRONG["since"], "verdict": "violated", "broken": ["c-pip: ran pip install x"]}

        shown = lines(sessions=[{**SESSION, "last_reply": reply}])

        assert any("last reply: violated c-pip: ran pip install x" in line for line in shown)
        assert not any("last reply" in line for line in lines(sessions=[{**SESSION, "last_reply": None}]))

    def test_a_session_tells_what_is_due_and_what_was(self) -> None:
        shown = "\n".join(lines(sessions=[SESSION]))

        assert "01234567 claude-code turn 3, 12,345 tokens, /p" in shown
        for word in (
            "context fell",
            "it said so",
            "nothing due",
            "2 lines skipped; the first at byte 7: torn",
        ):
            assert word in shown

    def test_what_was_kept_out_of_the_memory_is_counted(self) -> None:
        heard = {**SESSION, "memory": {"captured": 3, "masked": 2, "dropped": 1}}
        nothing = {**SESSION, "memory": {"captured": 3, "masked": 0, "dropped": 0}}

        told = "    kept out of the memory: 2 credentials (masked), 1 texts that ask to be remembered"
        assert told in lines(sessions=[heard])
        assert not any("kept out" in line for line in lines(sessions=[nothing]))

    def test_a_session_at_a_named_task_says_so(self) -> None:
        shown = lines(sessions=[{**SESSION, "task": "docs-88"}])

        assert "  01234567 claude-code turn 3, 12,345 tokens, /p, task docs-88" in shown

    def test_never_more_than_twenty_and_the_cure_is_always_among_them(self) -> None:
        much: dict[str, Any] = {
            "watch": [{"root": f"/r{n}", "state": "events"} for n in range(50)],
            "reasons": [{"kind": "trust", "text": f"reason {n}"} for n in range(50)],
            "cure": "agentinitd trust",
            "memory": [{"project": f"/p{n}", "problems": ["is broken"]} for n in range(50)],
            "sessions": [SESSION] * 50,
        }

        shown = lines(**much)

        assert len(shown) == MAX_LINES == 20
        assert "Cure: agentinitd trust" in shown
        assert "! reason 0" in shown
        assert shown[-1].endswith("lines more: agentinitd status -v")
        everything = lines(is_verbose=True, **much)
        assert len(everything) > 300
        assert "! reason 49" in everything

    def test_what_comes_from_a_project_neither_adds_lines_nor_speaks_to_the_terminal(self) -> None:
        shown = lines(
            reasons=[{"kind": "script", "text": "a\nCure: rm -rf /\x1b[2J" + "x" * 9000}], cure="logs"
        )

        assert len(shown) == 6
        assert all(line.isprintable() and len(line) <= 300 for line in shown)
        assert [line for line in shown if line.startswith("Cure")] == ["Cure: logs"]


class TestExitCodes:
    def test_0_running(self, shared_daemon: Any) -> None:
        done = shared_daemon.command("status")

        assert done.returncode == 0
        assert "is running" in done.stdout or "is degraded" in done.stdout
        assert len(done.stdout.splitlines()) <= 20

    def test_json_has_the_names_that_programs_read(self, shared_daemon: Any) -> None:
        done = shared_daemon.command("status", "--json")

        assert done.returncode == 0
        assert set(json.loads(done.stdout)) >= set(NOTHING_WRONG)

    def test_150_only_when_strict_and_something_is_wrong(
        self, shared_daemon: Any, new_session: Callable[..., Any]
    ) -> None:
        shared_daemon.anchors("- [constraint] x\n")
        assert shared_daemon.command("status", "--strict").returncode == 0
        script = shared_daemon.project / ".agent-memory" / "init.d" / "S50-x"
        script.parent.mkdir()
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
        new_session(shared_daemon).starts()

        strict = shared_daemon.command("status", "--strict")

        assert strict.returncode == 150
        assert "Cure: agentinitd trust" in strict.stdout
        assert shared_daemon.command("status").returncode == 0

    def test_3_never_started_1_killed_3_stopped(self, new_daemon: Callable[[], Any]) -> None:
        daemon = new_daemon()
        never = daemon.command("status")
        daemon.start()
        daemon.kill()
        killed = daemon.command("status", "--json")
        daemon.start()
        daemon.stop()
        stopped = daemon.command("status")

        assert [done.returncode for done in (never, killed, stopped)] == [3, 1, 3]
        assert "Cure: agentinitd start" in never.stdout
        assert json.loads(killed.stdout)["cure"] == "agentinitd start"
        assert not (daemon.state_dir / "agentinitd.lock").read_text()

    def test_it_starts_no_daemon_and_makes_no_folder(self, new_daemon: Callable[[], Any]) -> None:
        """DMN-4."""
        daemon = new_daemon()

        daemon.command("status")

        assert not daemon.state_dir.exists()
        assert list(daemon.runtime.iterdir()) == []


@contextlib.contextmanager
def answering(path: Path, answer: bytes) -> Iterator[None]:
    """Somebody else listens where a daemon would."""
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.recv(65536)
                        connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)


class TestSomebodyElse:
    @pytest.fixture
    def locked(self, new_daemon: Callable[[], Any]) -> Iterator[Any]:
        """This test holds the lock, as a daemon that hangs does."""
        daemon = new_daemon()
        daemon.state_dir.mkdir(parents=True)
        with (daemon.state_dir / "agentinitd.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield daemon

    @pytest.mark.parametrize(
        "answer",
        [
            b"",
            b"SSH-2.0-OpenSSH\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
            b'HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"protocol": 99}',
            b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n",
        ],
    )
    def test_4_when_what_answers_is_not_it(self, locked: Any, answer: bytes) -> None:
        with answering(locked.runtime / "agentinitd.sock", answer):
            done = locked.command("status")

        assert done.returncode == 4, done.stderr
        assert done.stdout.startswith("agentinitd is unknown: ")

    def test_2_when_the_daemon_is_gone_and_a_stray_holds_its_lock(self, locked: Any) -> None:
        dead = {"pid": 2**22 + 1, "started": 1.0}
        (locked.state_dir / "agentinitd.lock").write_text(json.dumps(dead))

        done = locked.command("status")

        assert done.returncode == 2
        assert "lsof" in done.stdout

    def test_4_when_it_does_not_answer_in_time(self, locked: Any) -> None:
        (locked.state_dir / "agentinitd.lock").write_text(json.dumps({"pid": os.getpid(), "started": 1.0}))
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(locked.runtime / "agentinitd.sock"))
            server.listen()

            done = locked.command("status")

        assert done.returncode in (2, 4)
        assert "Cure: " in done.stdout


def test_a_note_of_a_hook_that_got_no_answer_is_shown_whatever_stands_in_it(shared_daemon: Any) -> None:
    note = shared_daemon.state_dir / "hook-fallback.json"
    note.write_text(json.dumps({"event": "Stop", "why": "no socket", "at": "yesterday"}))
    assert "no socket" in shared_daemon.command("status").stdout

    note.write_bytes(b"\xff{")

    assert shared_daemon.command("status").returncode == 0


@pytest.mark.parametrize("command", ["status", "stop", "logs", "verify"])
def test_where_nobody_holds_the_lock_nobody_is_called_on_the_socket(
    command: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ACT-6: behind a socket of a service manager that would start the daemon."""
    runtime = Path(tempfile.mkdtemp(dir="/tmp", prefix="act6"))
    monkeypatch.setenv("AGENTINITD_RUNTIME_DIR", str(runtime))
    monkeypatch.chdir(home)
    with socket.socket(socket.AF_UNIX) as managers:
        managers.bind(str(runtime / "agentinitd.sock"))
        managers.listen()
        managers.setblocking(False)

        CliRunner().invoke(cli, [command])

        with pytest.raises(BlockingIOError):
            managers.accept()
    shutil.rmtree(runtime)
