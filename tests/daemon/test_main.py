"""The daemon's own life: what it refuses to start with, how it stops, and how it keeps its socket."""

from __future__ import annotations

import hashlib
import json
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from agentinitd.daemon.paths import Places

New = Callable[..., Any]
Eventually = Callable[..., Any]


def is_alive(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


class TestStart:
    @pytest.mark.parametrize(
        ("place", "kind", "code"),
        [
            (".local", "file", 1),
            (".local/state/agentinitd", "file", 4),
            (".local/state/agentinitd/agentinitd.lock", "folder", 1),
            (".local/state/agentinitd/address.json", "folder", 1),
            (".local/state/agentinitd/receipts", "file", 4),
            (".local/state/agentinitd/sessions", "link", 4),
            (".local/state/agentinitd", "shared", 4),
        ],
    )
    def test_what_is_in_its_way_is_named_and_left_alone(
        self, new_daemon: New, place: str, kind: str, code: int, tmp_path: Path
    ) -> None:
        daemon = new_daemon()
        path = daemon.home / place
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "file":
            path.write_text("mine")
        elif kind == "link":
            path.symlink_to(tmp_path)
        else:
            path.mkdir()
            if kind == "shared":
                path.chmod(0o777)
        before = path.lstat().st_mode

        done = daemon.command("start", "--foreground")

        assert done.returncode == code, done.stderr
        assert str(path) in done.stderr
        assert "bug" not in done.stderr
        assert path.lstat().st_mode == before

    def test_a_log_that_cannot_be_written_stops_nothing_and_is_shown(
        self, new_daemon: New, new_session: New
    ) -> None:
        daemon = new_daemon()
        (daemon.state_dir / "rebuild.log").mkdir(parents=True)
        daemon.anchors("- [constraint] only pnpm\n")
        daemon.start()

        assert "only pnpm" in new_session(daemon).starts()
        answer = daemon.get("/v1/status")
        assert answer["reasons"][0]["kind"] == "disk"
        assert "rebuild.log" in answer["reasons"][0]["text"]

    def test_a_bad_config_stops_it_only_when_strict(self, new_daemon: New) -> None:
        """DMN-7."""
        daemon = new_daemon()
        config = daemon.home / ".config" / "agentinitd" / "agentinitd.yaml"
        config.parent.mkdir(parents=True)
        config.write_text("budgettokens: 3\n")

        strict = daemon.command("start", "--foreground", "--strict-config")
        daemon.start()

        assert strict.returncode == 6
        assert "did you mean budget_tokens" in strict.stderr
        assert any("budget_tokens" in each["text"] for each in daemon.get("/v1/status")["reasons"])

    def test_records_that_cannot_be_read_stop_nothing(self, new_daemon: New) -> None:
        daemon = new_daemon()
        sessions = daemon.state_dir / "sessions"
        sessions.mkdir(parents=True)
        (sessions / "torn.json").write_text('{"v": 1, "key"')
        (sessions / "later.json").write_text('{"v": 9}')
        (sessions / "other.json").write_text(
            json.dumps({"v": 1, "key": "other", "agent": "x", "transcript": "/dev/null"})
        )
        (sessions / "long.json").write_text(
            json.dumps({"v": 1, "key": "long", "agent": "claude-code", "transcript": "/" + "x" * 9000})
        )
        (sessions / "folder.json").mkdir()

        daemon.start()

        assert daemon.get("/v1/sessions")["sessions"] == []
        assert [record for record in daemon.log() if record["event"] == "daemon.bug"] == []

    def test_what_a_starter_blocked_or_ignored_does_not_last(
        self, new_daemon: New, eventually: Eventually
    ) -> None:
        """EXE-9."""
        daemon = new_daemon()
        script = "trap '' HUP TERM; exec \"$@\""
        process = subprocess.Popen(
            [
                "/bin/sh",
                "-c",
                script,
                "sh",
                sys.executable,
                "-P",
                "-m",
                "agentinitd",
                "start",
                "--foreground",
            ],
            env=daemon.environment,
            cwd="/",
        )
        try:
            eventually(lambda: daemon.command("status").returncode == 0)

            process.send_signal(signal.SIGTERM)

            assert process.wait(timeout=10) == 0
        finally:
            process.kill()


class TestStop:
    def test_it_leaves_neither_socket_nor_address_and_an_empty_lock(self, daemon: Any) -> None:
        assert json.loads((daemon.state_dir / "address.json").read_text())["pid"] == daemon.process.pid

        daemon.stop()

        assert list(daemon.runtime.iterdir()) == []
        assert not (daemon.state_dir / "address.json").exists()
        assert (daemon.state_dir / "agentinitd.lock").read_bytes() == b""
        assert [record["event"] for record in daemon.log()][-2:] == ["daemon.stopping", "daemon.exit"]

    def test_a_stream_of_events_does_not_hold_it_up(self, daemon: Any) -> None:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(daemon.runtime / "agentinitd.sock"))
            client.sendall(b"GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
            client.recv(1000)
            began = time.monotonic()

            daemon.stop()

            assert time.monotonic() - began < 2.5

    def test_a_second_signal_ends_it_at_once(
        self, daemon: Any, new_session: New, eventually: Eventually
    ) -> None:
        """DMN-6."""
        daemon.anchors("- [constraint] x\n")
        path = daemon.project / ".agent-memory" / "init.d" / "S50-stubborn"
        path.parent.mkdir()
        path.write_text(
            f"#!/bin/sh\ncd {daemon.project}\ntrap '' TERM\necho $$ >pid\nmv pid ran\n"
            "while :; do sleep 0.1; done\n"
        )
        path.chmod(0o755)
        daemon.command("trust", str(path), "--sha256", hashlib.sha256(path.read_bytes()).hexdigest())
        new_session(daemon).turn(1000)
        eventually((daemon.project / "ran").exists)
        daemon.process.send_signal(signal.SIGTERM)
        eventually(lambda: any(record["event"] == "daemon.stopping" for record in daemon.log()))

        daemon.process.send_signal(signal.SIGTERM)

        assert daemon.process.wait(timeout=5) in (0, 1)
        eventually(lambda: not is_alive(int((daemon.project / "ran").read_text())))


# A daemon that looks after its socket ten times a second in place of every half minute.
IMPATIENT = """
import asyncio, os, sys
from pathlib import Path
from agentinitd.daemon.lock import Lock
from agentinitd.daemon.main import Daemon
from agentinitd.daemon.paths import Places
from agentinitd.daemon.settings import Settings
places = Places.from_environment(os.environ)
for folder in (places.state_dir, places.sessions_dir, places.receipts_dir):
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
lock = Lock(places.lock_file)
lock.take()
sys.exit(asyncio.run(Daemon(places, Settings(places), lock, socket_check_seconds=0.1).serve(None)))
"""


class TestKeepingTheSocket:
    @pytest.fixture
    def impatient(self, new_daemon: New, eventually: Eventually) -> Iterator[Any]:
        daemon = new_daemon()
        daemon.process = subprocess.Popen([sys.executable, "-c", IMPATIENT], env=daemon.environment, cwd="/")
        eventually(lambda: any(record["event"] == "daemon.ready" for record in daemon.log()))
        yield daemon
        daemon.kill()
        # Where the path of the state is long, the fallback is in /tmp.
        shutil.rmtree(Places.from_environment(daemon.environment).fallback_socket.parent, ignore_errors=True)

    def events(self, daemon: Any) -> list[str]:
        return [record["event"] for record in daemon.log()]

    def test_a_socket_that_a_cleaner_removed_is_made_again(
        self, impatient: Any, eventually: Eventually
    ) -> None:
        """LCK-9."""
        (impatient.runtime / "agentinitd.sock").unlink()

        eventually(lambda: "socket.rebind" in self.events(impatient))

        assert impatient.command("status").returncode == 0
        assert stat.S_IMODE((impatient.runtime / "agentinitd.sock").stat().st_mode) == 0o600

    def test_a_runtime_folder_that_logout_took_away_is_replaced_by_one_of_ours(
        self, impatient: Any, eventually: Eventually, new_session: New
    ) -> None:
        impatient.anchors("- [constraint] only pnpm\n")
        shutil.rmtree(impatient.runtime)
        impatient.runtime.write_text("nobody may make a folder here")

        eventually(lambda: "socket.rebind" in self.events(impatient))

        status = impatient.command("status", "--json")
        assert status.returncode == 0, status.stdout
        fallback = Places.from_environment(impatient.environment).fallback_socket
        assert json.loads(status.stdout)["socket"] == str(fallback)
        assert "only pnpm" in impatient.context(new_session(impatient).payload("SessionStart"))
        impatient.runtime.unlink()

    def test_while_no_place_can_be_had_it_lives_on_and_tries_again(
        self, impatient: Any, eventually: Eventually, request: pytest.FixtureRequest
    ) -> None:
        blocked = Places.from_environment(impatient.environment).fallback_socket.parent
        blocked.write_text("")
        request.addfinalizer(blocked.unlink)
        shutil.rmtree(impatient.runtime)
        impatient.runtime.write_text("")
        eventually(lambda: self.events(impatient).count("socket.rebind") > 1)
        assert impatient.process.poll() is None
        impatient.runtime.unlink()

        eventually(lambda: impatient.command("status").returncode == 0)

    def test_when_another_took_the_place_it_ends_with_its_own_code(self, impatient: Any) -> None:
        """LCK-9, DMN-8."""
        path = impatient.runtime / "agentinitd.sock"
        path.unlink()
        with socket.socket(socket.AF_UNIX) as other:
            other.bind(str(path))

            assert impatient.process.wait(timeout=10) == 151

            assert stat.S_ISSOCK(path.stat().st_mode)
        assert "socket.stolen" in self.events(impatient)


class TestProcess:
    def test_it_has_room_for_many_files_whatever_it_was_started_with(self, new_daemon: New) -> None:
        """FIL-4."""
        daemon = new_daemon()
        daemon.is_executed = True
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        try:
            daemon.start()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)

        [line] = [
            line
            for line in Path(f"/proc/{daemon.process.pid}/limits").read_text().splitlines()
            if line.startswith("Max open files")
        ]
        assert int(line.split()[3]) == min(4096, before[1])

    def test_asked_by_a_signal_it_writes_down_what_it_is_at(
        self, new_daemon: New, eventually: Eventually
    ) -> None:
        """DMN-6."""
        daemon = new_daemon()
        daemon.start()

        daemon.process.send_signal(signal.SIGUSR2)

        [told] = eventually(lambda: [each for each in daemon.log() if each["event"] == "daemon.state"])
        assert told["tasks"]["tick"] == 1
        assert 3 < told["open_files"] < 100
        assert "base_events.py" in Path(told["stacks"]).read_text()
        assert stat.S_IMODE(Path(told["stacks"]).stat().st_mode) == 0o600
        assert daemon.command("status").returncode == 0


class TestManagers:
    def test_readiness_status_and_the_watchdog_are_told(self, new_daemon: New, new_session: New) -> None:
        """ACT-3, ACT-4, ACT-5."""
        daemon = new_daemon()
        config = daemon.home / ".config" / "agentinitd" / "agentinitd.yaml"
        config.parent.mkdir(parents=True)
        config.write_text("tick_idle_seconds: 0.2\n")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(daemon.runtime / "notify"))
            manager.settimeout(10)
            daemon.environment |= {"NOTIFY_SOCKET": str(daemon.runtime / "notify"), "WATCHDOG_USEC": "900000"}
            daemon.start()

            steps = [manager.recv(1000) for _ in range(2)]
            assert steps[1] == b"EXTEND_TIMEOUT_USEC=60000000\nSTATUS=looking through the transcripts"
            assert manager.recv(1000) == b"READY=1\nSTATUS=0 sessions"
            assert manager.recv(1000) == b"WATCHDOG=1"
            assert daemon.command("reload").returncode == 0
            told = [manager.recv(1000) for _ in range(4)]
            assert any(text.startswith(b"RELOADING=1") for text in told)
            daemon.anchors("- [constraint] only pnpm\n")
            new_session(daemon).starts()
            while b"STATUS=1 session; last rebuild: session, ok, " not in manager.recv(1000):
                pass
            daemon.stop()
            while manager.recv(1000) != b"STOPPING=1":
                pass
            manager.setblocking(False)
            with pytest.raises(BlockingIOError):
                manager.recv(1000)

    def test_scripts_are_not_told_of_the_manager(self, new_daemon: New) -> None:
        """EXE-7."""
        daemon = new_daemon()
        daemon.environment |= {"NOTIFY_SOCKET": "/nowhere", "INVOCATION_ID": "7", "LD_PRELOAD": ""}
        daemon.start()
        daemon.anchors("- [constraint] x\n")
        path = daemon.project / ".agent-memory" / "init.d" / "S50-env"
        path.parent.mkdir()
        path.write_text("#!/bin/sh\nenv | sed 's/^/- /' | grep -v HOME\n")
        path.chmod(0o755)
        daemon.command("trust", str(path), "--sha256", hashlib.sha256(path.read_bytes()).hexdigest())

        told = daemon.command("snippet", "--budget", "5000").stdout

        assert "AGENTINITD_RUN_ID" in told
        assert not [word for word in ("NOTIFY", "INVOCATION", "LD_PRELOAD") if word in told]
        assert daemon.get("/v1/status")["manager"] == "systemd"


def test_only_one_wins_and_the_other_harms_nothing(daemon: Any) -> None:
    """DMN-8, LCK-1."""
    before = (daemon.runtime / "agentinitd.sock").stat().st_ino

    second = daemon.command("start", "--foreground")

    assert second.returncode == 151
    assert (daemon.runtime / "agentinitd.sock").stat().st_ino == before
    assert daemon.command("status").returncode == 0
