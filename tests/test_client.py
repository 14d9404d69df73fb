"""The client of the commands, in front of the real server and of servers that are none."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from agentinitd.client import Address, Client, find_socket, read_address
from agentinitd.daemon.http import HttpAnswer, HttpError, HttpRequest, Route, json_answer
from agentinitd.daemon.lock import Holder, Lock, this_process
from agentinitd.daemon.paths import Places
from agentinitd.daemon.server import Limits, Server
from agentinitd.daemon.sockets import BoundSocket, is_own_peer
from agentinitd.model.errors import AgentinitdError, NotRunning, PermissionRefused


@pytest.fixture
def places() -> Iterator[Places]:
    """Short, since the path of a socket may have 103 bytes only."""
    with tempfile.TemporaryDirectory(prefix="c-", dir="/tmp") as folder:
        root = Path(folder)
        (root / "state").mkdir(mode=0o700)
        yield Places(
            home=root, config_dir=root / "config", state_dir=root / "state", runtime_dir=root / "run"
        )


async def echo(request: HttpRequest, parts: Mapping[str, str]) -> HttpAnswer:
    return json_answer({"query": request.query, "parts": dict(parts), "body": request.body.decode()})


async def refuse(_request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
    raise HttpError(404, "There is no session s-1. `agentinitd status` lists them.")


async def plain(_request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
    return HttpAnswer(body="约束 \n".encode() + b"\xff", content_type="text/markdown")


async def never(_request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
    await asyncio.Event().wait()
    return HttpAnswer()


async def events(_request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
    async def flow() -> AsyncIterator[bytes]:
        for piece in (b": hello\n\n", b'data: {"n":1}\n', b'\ndata: {"n', b'":2}\n\n'):
            yield piece
            await asyncio.sleep(0)

    return HttpAnswer(content_type="text/event-stream", stream=flow())


ROUTES = (
    Route(method="GET", pattern="/echo", handler=echo),
    Route(method="POST", pattern="/echo", handler=echo, is_slow=True),
    Route(method="GET", pattern="/runs/{id}", handler=echo),
    Route(method="GET", pattern="/refuse", handler=refuse),
    Route(method="GET", pattern="/plain", handler=plain),
    Route(method="GET", pattern="/never", handler=never),
    Route(method="GET", pattern="/v1/events", handler=events),
)


@contextmanager
def daemon(places: Places, limits: Limits | None = None) -> Iterator[None]:
    """The real server, in a thread of its own."""
    loop = asyncio.new_event_loop()
    bound = BoundSocket(places.socket)
    server = Server(
        ROUTES, is_allowed=is_own_peer, complain=lambda _where, _error: None, limits=limits or Limits()
    )
    loop.run_until_complete(server.start(bound.socket))
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        yield
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(deadline_seconds=0.0), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
        bound.remove()


@contextmanager
def impostor(places: Places, serve: Callable[[socket.socket], None]) -> Iterator[None]:
    """Somebody else at our socket, who serves one client."""
    bound = BoundSocket(places.socket)
    bound.socket.setblocking(True)

    def accept() -> None:
        connection, _ = bound.socket.accept()
        with connection:
            serve(connection)

    thread = threading.Thread(target=accept)
    thread.start()
    try:
        yield
    finally:
        thread.join()
        bound.remove()


class TestAsking:
    def test_a_question_is_answered(self, places: Places) -> None:
        with daemon(places):
            answer = Client(places).get("/echo", project="/home/me/约 束&x=1", session="", task=None)

        assert answer["query"] == {"project": "/home/me/约 束&x=1", "session": ""}

    def test_a_value_is_sent_and_an_interim_answer_is_not_taken_for_the_answer(self, places: Places) -> None:
        with daemon(places):
            answer = Client(places).post("/echo", {"runlevel": "compact"})

        assert json.loads(answer["body"]) == {"runlevel": "compact"}

    def test_a_path_may_hold_anything(self, places: Places) -> None:
        with daemon(places):
            assert Client(places).get("/runs/a b?约")["parts"] == {"id": "a b?约"}

    def test_a_text_is_given_as_it_is(self, places: Places) -> None:
        with daemon(places):
            assert Client(places).text("/plain") == "约束 \n\ufffd"

    def test_the_daemon_s_own_words_are_raised(self, places: Places) -> None:
        with daemon(places), pytest.raises(AgentinitdError, match=r"There is no session s-1\."):
            Client(places).get("/refuse")

    def test_they_are_heard_also_when_the_daemon_refuses_before_it_has_read_all(self, places: Places) -> None:
        with (
            daemon(places, Limits(body_bytes=1000)),
            pytest.raises(AgentinitdError, match="larger than 1,000"),
        ):
            Client(places).post("/echo", "x" * 3_000_000)

    def test_events_are_given_one_by_one_until_the_daemon_ends_them(self, places: Places) -> None:
        with daemon(places):
            assert list(Client(places).events()) == [b'{"n":1}', b'{"n":2}']

    def test_no_descriptor_is_left_open(self, places: Places) -> None:
        with daemon(places):
            before = len(list(Path("/dev/fd").iterdir()))
            client = Client(places)
            client.get("/echo")
            with pytest.raises(AgentinitdError):
                client.get("/refuse")
            stream = client.events()
            next(stream)
            stream.close()  # type: ignore[attr-defined]  # a generator, as everybody sees who stops reading
            assert (
                len(list(Path("/dev/fd").iterdir())) <= before + 1
            )  # the server's own end closes a bit later


class TestNobodyAnswers:
    def test_without_a_socket_the_cure_is_named(self, places: Places) -> None:
        with pytest.raises(NotRunning, match="agentinitd start"):
            Client(places).get("/echo")

    def test_a_socket_that_was_left_behind_is_told_from_a_daemon_that_hangs(self, places: Places) -> None:
        bound = BoundSocket(places.socket)
        bound.socket.close()

        with pytest.raises(NotRunning, match="left its socket behind"):
            Client(places).get("/echo")

        lock = Lock(places.lock_file)
        lock.take()
        lock.describe(this_process(version="1", socket=""))
        with pytest.raises(NotRunning, match=f"pid {os.getpid()}.*agentinitd restart"):
            Client(places).get("/echo")

    def test_a_daemon_that_is_silent_is_given_up(self, places: Places) -> None:
        with daemon(places), pytest.raises(NotRunning, match=r"within 0\.05 s"):
            Client(places).get("/never", timeout_seconds=0.05)

    @pytest.mark.parametrize(
        "said",
        [
            b"",
            b"HTTP/1.1 200 OK\r\ncontent-le",
            b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort",
            b"SSH-2.0-OpenSSH_9.6\r\n",
            b"\x00\x01\x02" * 100,
        ],
    )
    def test_somebody_who_speaks_no_http_or_breaks_off_is_nobody(self, places: Places, said: bytes) -> None:
        def serve(connection: socket.socket) -> None:
            connection.recv(65536)
            connection.sendall(said)

        with impostor(places, serve), pytest.raises(NotRunning):
            Client(places).get("/echo")

    @pytest.mark.parametrize("body", [b"hello", b"", b"\xff", b'{"a":'])
    def test_an_answer_that_is_no_json_is_told(self, places: Places, body: bytes) -> None:
        def serve(connection: socket.socket) -> None:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + body)

        with impostor(places, serve), pytest.raises(AgentinitdError, match="cannot be read"):
            Client(places).get("/echo")

    @pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"message": 1}', b"\xff"])
    def test_an_error_without_a_message_is_told_by_its_number(self, places: Places, body: bytes) -> None:
        def serve(connection: socket.socket) -> None:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.0 502 Bad Gateway\r\n\r\n" + body)

        with impostor(places, serve), pytest.raises(AgentinitdError, match="502"):
            Client(places).get("/echo")

    def test_events_that_break_off_are_no_end(self, places: Places) -> None:
        def serve(connection: socket.socket) -> None:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\ndata: {}\n\r\n")

        with impostor(places, serve):
            stream = Client(places).events()
            assert next(stream) == b"{}"
            with pytest.raises(NotRunning):
                next(stream)

    def test_events_that_are_refused_are_told(self, places: Places) -> None:
        def serve(connection: socket.socket) -> None:
            connection.recv(65536)
            connection.sendall(b'HTTP/1.0 503 Busy\r\n\r\n{"error": "More than 64 clients at once."}')

        with impostor(places, serve), pytest.raises(AgentinitdError, match="More than 64"):
            list(Client(places).events())


class TestFindingTheSocket:
    def test_where_the_daemon_says_it_is_comes_first(self, places: Places) -> None:
        """LCK-7."""
        elsewhere = BoundSocket(places.home / "else" / "s.sock.long.enough")
        standard = BoundSocket(places.socket)
        places.address_file.write_bytes(
            json.dumps({"socket": str(elsewhere.path), "pid": 1, "started": 1.0}).encode()
        )

        assert find_socket(places) == elsewhere.path
        elsewhere.remove()
        assert find_socket(places) == standard.path
        standard.remove()

    def test_a_daemon_that_was_started_without_a_runtime_folder_is_found(self, places: Places) -> None:
        bound = BoundSocket(places.state_dir / "run" / "agentinitd.sock")

        assert find_socket(places) == bound.path
        bound.remove()

    @pytest.mark.parametrize(
        "data", [b"", b"{", b"[]", b'{"socket": 1, "pid": 1, "started": 1}', b"\xff" * 100, b"x" * 100_000]
    )
    def test_an_address_that_cannot_be_read_is_no_address(self, places: Places, data: bytes) -> None:
        places.address_file.write_bytes(data)

        assert read_address(places) is None
        with pytest.raises(NotRunning):
            find_socket(places)

    def test_an_address_from_a_newer_version_is_understood(self, places: Places) -> None:
        places.address_file.write_bytes(b'{"socket":"/s","pid":7,"started":1.5,"protocol":2,"boot":"x"}')

        assert read_address(places) == Address(socket="/s", pid=7, started=1.5, protocol=2)

    @pytest.mark.parametrize("is_alive", [True, False])
    def test_a_daemon_of_another_version_is_told_of_as_long_as_it_lives(
        self, places: Places, is_alive: bool
    ) -> None:
        """DMN-9."""
        lock = Lock(places.lock_file)
        lock.take()
        ours = this_process(version="9", socket="/s")
        lock.describe(ours if is_alive else Holder(pid=ours.pid, started=1.0))
        places.address_file.write_bytes(b'{"socket":"/s","pid":7,"started":1.5,"protocol":2,"version":"9.1"}')

        with pytest.raises(AgentinitdError) as refused:
            Client(places).get("/v1/status")

        words = "agentinitd 9.1 and speaks protocol 2; this is" if is_alive else "agentinitd is not running"
        assert words in str(refused.value)
        assert Client(places).older_daemon() == "", "what is refused needs no advice"
        places.address_file.write_bytes(places.address_file.read_bytes().replace(b'l":2', b'l":1'))
        assert ("9.1" in Client(places).older_daemon()) is is_alive
        lock.release()

    def test_what_is_no_socket_is_passed_over(self, places: Places) -> None:
        places.runtime_dir.mkdir()
        places.socket.write_bytes(b"")

        with pytest.raises(NotRunning):
            find_socket(places)

    def test_a_socket_in_a_folder_that_others_may_enter_is_not_used(self, places: Places) -> None:
        """SOC-2."""
        bound = BoundSocket(places.socket)
        places.runtime_dir.chmod(0o755)

        with pytest.raises(PermissionRefused, match=f"chmod 700 {places.runtime_dir}"):
            Client(places).get("/echo")
        bound.remove()

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a socket away")
    def test_a_socket_of_somebody_else_is_not_used(self, places: Places) -> None:
        """SOC-2."""
        bound = BoundSocket(places.socket)
        os.chown(places.socket, 12345, -1)

        with pytest.raises(PermissionRefused, match="12345"):
            Client(places).get("/echo")
        bound.socket.close()
