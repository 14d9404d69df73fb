"""What clients and neighbours may do to the socket: it costs them alone, and hooks go on to be served."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agentinitd.daemon.paths import Places

RULE = "Install with pnpm, never npm"
NOBODY = 65534
SOCKET = "agentinitd.sock"

New = Callable[..., Any]
Eventually = Callable[..., Any]


@pytest.fixture(scope="module")
def shared_daemon(shared_daemon: Any) -> Any:
    """It met the largest crowd once: what another costs would be a leak.  Large blocks go back at once."""
    shared_daemon.stop()
    shared_daemon.environment["MALLOC_MMAP_THRESHOLD_"] = str(1 << 20)
    shared_daemon.start()
    storm(shared_daemon)
    return shared_daemon


@contextlib.contextmanager
def connected(daemon: Any) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(daemon.runtime / SOCKET))  # waits, without a time of its own
        client.settimeout(30)
        yield client


def read_all(client: socket.socket) -> bytes:
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := client.recv(65536):
            said += piece
    return said


def asked(daemon: Any, request: bytes, *, is_last: bool = True) -> bytes:
    """All that is answered until the connection ends; `is_last`: the client says no more."""
    with connected(daemon) as client:
        # It may be refused before it has said everything.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            client.sendall(request)
            if is_last:
                client.shutdown(socket.SHUT_WR)
        return read_all(client)


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def storm(daemon: Any, *, meanwhile: Callable[[], object] = lambda: None) -> set[int]:
    """1,000 connections of which 200 ask for something.  Gives what they are told."""
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connected(daemon)) for _ in range(1000)]
        for client in clients[-200:]:
            client.sendall(GET + b"\r\n")
        answers = {status_of(read_all(client)) for client in clients[-200:]}
        meanwhile()
    return answers


def assert_served(session: Any) -> None:
    """A session that starts is told of the rule, once."""
    assert RULE in session.starts()
    assert session.prompts() == ""


GET = b"GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
KEPT = b"GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /v1/reload HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
ENDLESS_CHUNKS = (
    POST + b"Transfer-Encoding: chunked\r\n\r\n" + (b"100000\r\n" + bytes(1 << 20) + b"\r\n") * 17
)
TLS_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)) * 2


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        pytest.param(GET + b"X: " + b"x" * 200_000 + b"\r\n\r\n", 431, id="a head of 200 KB"),
        pytest.param(GET + b"X: y\r\n" * 40_000 + b"\r\n", 431, id="40,000 headers"),
        pytest.param(POST + b"Content-Length: 99999999999\r\n\r\n{}", 413, id="a body of 100 GB"),
        pytest.param(POST + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 200, id="chunks"),
        pytest.param(ENDLESS_CHUNKS, 413, id="chunks without end"),
        pytest.param(POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n", 400, id="a torn chunk"),
        pytest.param(POST + b"Content-Length: 2\r\n\r\n{}}", 200, id="a length that is too small"),
        pytest.param(POST + b"Content-Length: 9\r\n\r\n{}", 400, id="a length that is too large"),
        pytest.param(POST + b"Content-Length: -1\r\n\r\n{}", 400, id="a negative length"),
        pytest.param(POST + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400, id="two lengths"),
        pytest.param(
            POST + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
            200,
            id="a length and chunks",
        ),
        pytest.param(POST + b"Content-Length: 2\r\nExpect: 100-continue\r\n\r\n{}", 200, id="expect"),
        pytest.param(POST + b"Content-Length: 2\r\nExpect: miracles\r\n\r\n{}", 200, id="expects miracles"),
        pytest.param(KEPT + GET + b"\r\n", 200, id="two in one"),
        pytest.param(b"\0\xff\xfe garbage \r\n\r\n", 400, id="garbage"),
        pytest.param(bytes(300_000), 400, id="300 KB of zeros"),
        pytest.param(TLS_HELLO, 400, id="TLS"),
        pytest.param(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 404, id="HTTP/2"),
        pytest.param(b"GET /v1/status HTTP/9.9\r\n\r\n", 200, id="HTTP/9.9"),
        pytest.param(GET.replace(b"/v1/status", b"/v1/../../etc/passwd") + b"\r\n", 404, id="another path"),
        pytest.param(GET.replace(b"Host: x\r\n", b"") + b"\r\n", 400, id="no host"),
        pytest.param(
            POST.replace(b"reload", b"hook/claude-code") + b"Content-Length: 9\r\n\r\n\0\xff[[[[[[[",
            400,
            id="a hook that is no JSON",
        ),
    ],
)
def test_a_client_that_speaks_badly(watched_daemon: Any, request_bytes: bytes, status: int) -> None:
    """SOC-4, SOC-5."""
    answer = asked(watched_daemon, request_bytes)

    while answer.startswith(b"HTTP/1.1 10"):
        answer = answer.partition(b"\r\n\r\n")[2]  # of the interim ones
    assert status_of(answer) == status, answer[:300]
    assert watched_daemon.get("/v1/sessions").keys() == {"sessions"}


def test_pipelined_requests_are_each_answered(session: Any) -> None:
    """SOC-4."""
    answer = asked(session.daemon, KEPT * 50 + GET + b"\r\n")

    assert answer.count(b"HTTP/1.1 200") == 51
    assert_served(session)


class TestWhoDoesNotGoOn:
    @pytest.mark.parametrize(
        "half", [b"", b"GET", GET, POST + b"Content-Length: 100\r\n\r\n{", TLS_HELLO[:5]], ids=repr
    )
    def test_half_a_request_and_silence_keeps_nobody_waiting(self, session: Any, half: bytes) -> None:
        """SOC-4."""
        with connected(session.daemon) as client:
            client.sendall(half)

            assert_served(session)

    def test_half_a_request_is_hung_up_on_after_a_while(self, session: Any) -> None:
        """SOC-4."""
        with connected(session.daemon) as silent, connected(session.daemon) as halting:
            halting.sendall(GET)

            assert status_of(read_all(halting)) == 408
            assert read_all(silent) == b""
        assert_served(session)

    def test_readers_that_do_not_read_hold_up_nobody(self, session: Any) -> None:
        """SOC-4: neither of answers nor of a stream of events."""
        stream = b"GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n"
        with contextlib.ExitStack() as stack:
            for request in [GET + b"\r\n"] * 20 + [stream] * 20:
                stack.enter_context(connected(session.daemon)).sendall(request)
            for _ in range(3):
                assert_served(session)

    def test_a_client_that_leaves_in_the_middle_of_an_answer_leaves_it_to_the_next(
        self, session: Any, eventually: Eventually
    ) -> None:
        """SOC-4: not one byte of what is due is lost with it."""
        session.turn(150_000)
        body = json.dumps(session.payload("UserPromptSubmit", prompt="go on")).encode()
        head = f"POST /v1/hook/claude-code HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
        with connected(session.daemon) as client:
            client.sendall(head.encode() + body)
            assert client.recv(20)

        told: list[str] = []
        eventually(lambda: told.append(session.prompts()) or any(told))
        assert [RULE in each for each in told if each] == [True]
        assert session.prompts() == ""

    def test_clients_that_leave_in_the_middle_of_a_stream_are_forgotten(self, session: Any) -> None:
        """SOC-4."""
        stream = b"GET /v1/events HTTP/1.1\r\nHost: x\r\n\r\n"
        for _ in range(100):
            with connected(session.daemon) as client:
                client.sendall(stream)
                client.recv(10)

        assert_served(session)  # and the module's end counts descriptors


def test_1_000_connections_at_once(session: Any, eventually: Eventually) -> None:
    """SOC-4: those too many are told to come back, and when they are gone, all is as before."""

    def hook() -> None:
        """It finds the door full, prints what was told last or nothing, and keeps no agent waiting."""
        printed = session.daemon.hook(session.payload("SessionStart", source="startup"))
        assert printed == "" or RULE in printed

    assert storm(session.daemon, meanwhile=hook) == {503}

    eventually(lambda: session.daemon.ask("GET", "/v1/status")[0] == 200)
    assert_served(session)


class TestStrangers:
    @pytest.fixture
    def open_door(self, watched_daemon: Any) -> Iterator[Any]:
        """Its folder and its socket are open to everybody, as a careless chmod leaves them."""
        if os.geteuid() != 0:
            pytest.skip("only root may speak as somebody else")
        folder, path = watched_daemon.runtime, watched_daemon.runtime / SOCKET
        folder.chmod(0o755)
        path.chmod(0o666)
        yield watched_daemon
        path.chmod(0o600)
        folder.chmod(0o700)

    def speaks(self, daemon: Any, request: bytes) -> subprocess.CompletedProcess[bytes]:
        program = (
            "import socket, sys; client = socket.socket(socket.AF_UNIX); client.connect(sys.argv[1]);"
            "client.sendall(sys.stdin.buffer.read()); client.settimeout(20);"
            "sys.stdout.buffer.write(b'heard:' + client.recv(1000))"
        )
        return subprocess.run(
            ["/usr/bin/env", "python3", "-c", program, str(daemon.runtime / SOCKET)],
            input=request,
            capture_output=True,
            user=NOBODY,
            group=NOBODY,
            env={"PATH": "/usr/bin:/bin:/usr/local/bin"},
            cwd="/",
            check=False,
            timeout=30,
        )

    def test_a_stranger_cannot_even_knock(self, session: Any) -> None:
        """LCK-5."""
        if os.geteuid() != 0:
            pytest.skip("only root may speak as somebody else")

        done = self.speaks(session.daemon, GET + b"\r\n")

        assert b"PermissionError" in done.stderr, done
        assert_served(session)

    def test_a_stranger_at_an_open_door_hears_not_one_byte(self, open_door: Any, session: Any) -> None:
        """SOC-1."""
        done = self.speaks(open_door, b"POST /v1/stop HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")

        assert done.stdout == b"heard:" or b"BrokenPipe" in done.stderr or b"ConnectionReset" in done.stderr
        assert_served(session)


class TestThePlace:
    def test_a_path_that_is_too_long_for_a_socket(
        self, new_daemon: New, new_session: New, tmp_path: Path
    ) -> None:
        """LCK-6, LCK-7: a short place is found by all clients."""
        daemon = new_daemon()
        daemon.anchors(f"- [constraint] {RULE}\n")
        daemon.environment["AGENTINITD_RUNTIME_DIR"] = str(tmp_path / ("long" * 30))
        daemon.start()
        told = json.loads(daemon.command("status", "--json").stdout)["socket"]
        place = Path(told)
        try:
            assert len(told) <= 103
            assert stat.S_IMODE(place.parent.lstat().st_mode) == 0o700
            assert RULE in daemon.context(new_session(daemon).payload("SessionStart", source="startup"))
            assert daemon.command("stop").returncode == 0
            assert not place.exists()
        finally:
            place.parent.rmdir()

    @pytest.mark.parametrize("kind", ["file", "socket of somebody else"])
    def test_at_the_start_what_is_no_socket_of_ours_is_named_and_left_alone(
        self, new_daemon: New, kind: str
    ) -> None:
        """LCK-8."""
        daemon = new_daemon()
        path = daemon.runtime / SOCKET
        lay(path, kind)
        before = path.lstat()

        done = daemon.command("start", "--foreground")

        assert done.returncode in (1, 4)
        assert str(path) in done.stderr
        assert (path.lstat().st_ino, path.lstat().st_uid) == (before.st_ino, before.st_uid)


def lay(path: Path, kind: str) -> None:
    match kind:
        case "file":
            path.write_text("mine")
        case "folder":
            path.mkdir()
        case "link":
            path.symlink_to(path.with_name("elsewhere"))
        case _:
            if os.geteuid() != 0:
                pytest.skip("only root may give away a file")
            with socket.socket(socket.AF_UNIX) as other:
                other.bind(str(path))
            os.chown(path, NOBODY, NOBODY)


# The real program, that looks after its socket ten times a second in place of every half minute.
IMPATIENT = """
import sys
from agentinitd.cli.main import main
from agentinitd.daemon.main import Daemon
Daemon.__init__.__kwdefaults__["socket_check_seconds"] = 0.1
sys.argv = sys.argv[4:]
main()
"""


class TestTheFileOfTheSocket:
    @pytest.fixture
    def impatient(self, new_daemon: New) -> Iterator[Any]:
        daemon = new_daemon()
        daemon.anchors(f"- [constraint] {RULE}\n")
        daemon.wrapper = (sys.executable, "-P", "-c", IMPATIENT)
        daemon.start()
        yield daemon
        daemon.kill()
        shutil.rmtree(Places.from_environment(daemon.environment).fallback_socket.parent, ignore_errors=True)

    def events(self, daemon: Any) -> list[str]:
        return [record["event"] for record in daemon.log()]

    def test_a_runtime_folder_that_is_removed_is_made_again(
        self, impatient: Any, new_session: New, eventually: Eventually
    ) -> None:
        """LCK-9."""
        shutil.rmtree(impatient.runtime)

        eventually(lambda: "socket.rebind" in self.events(impatient))
        assert stat.S_IMODE(impatient.runtime.stat().st_mode) == 0o700
        assert RULE in impatient.context(new_session(impatient).payload("SessionStart", source="startup"))

    @pytest.mark.parametrize("kind", ["file", "link"])
    def test_what_is_no_socket_in_its_place_is_left_alone_and_another_place_taken(
        self, impatient: Any, new_session: New, eventually: Eventually, kind: str
    ) -> None:
        """LCK-7, LCK-8, LCK-9: no other daemon stands there, so there is no reason to end."""
        path = impatient.runtime / SOCKET
        path.unlink()
        lay(path, kind)
        before = path.lstat().st_ino

        eventually(lambda: "socket.rebind" in self.events(impatient))
        assert path.lstat().st_ino == before
        assert RULE in impatient.context(new_session(impatient).payload("SessionStart", source="startup"))
        assert impatient.command("status").returncode == 0

    def test_a_thief_keeps_what_it_took_and_nothing_that_was_due_is_lost(
        self, impatient: Any, new_session: New, eventually: Eventually
    ) -> None:
        """LCK-9, DMN-8."""
        session = new_session(impatient)
        session.turn(150_000)
        eventually(lambda: session.seen().get("due"))
        path = impatient.runtime / SOCKET
        with socket.socket(socket.AF_UNIX) as thief:
            thief.bind(str(path.with_name("thief")))
            path.with_name("thief").rename(path)

            assert impatient.process.wait(timeout=20) == 151

            assert stat.S_ISSOCK(path.lstat().st_mode)
        assert "socket.stolen" in self.events(impatient)
        impatient.wrapper = ()
        impatient.start()
        assert RULE in session.prompts()
