"""The socket server, asked by real clients: good ones, slow ones, torn ones and too many."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shutil
import socket
import struct
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agentinitd.daemon.http import HttpAnswer, HttpError, HttpRequest, Route, json_answer
from agentinitd.daemon.server import LIMITS, Limits, Server
from agentinitd.daemon.sockets import BoundSocket, is_own_peer

Handler = Callable[[HttpRequest, Mapping[str, str]], Awaitable[HttpAnswer]]

GET = b"GET /echo HTTP/1.1\r\nHost: a\r\n\r\n"
LAST = b"GET /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
FOR_EVER = 3600.0
"""A test that would wait so long hangs, and fails by its own time limit."""


@dataclass
class House:
    """A running server, and what it said of itself."""

    path: Path
    server: Server
    complaints: list[str] = field(default_factory=list)
    unhandled: list[str] = field(default_factory=list)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_unix_connection(str(self.path))

    async def ask(self, *pieces: bytes) -> bytes:
        """Everything the server sends until it closes."""
        reader, writer = await self.connect()
        with contextlib.suppress(ConnectionError):
            for piece in pieces:
                writer.write(piece)
                await writer.drain()
                await asyncio.sleep(0)
        received = bytearray()
        with contextlib.suppress(ConnectionResetError):  # closed with our bytes unread
            while data := await reader.read(65536):
                received += data
        writer.close()
        return bytes(received)

    async def curl(self, *arguments: str, data: bytes | None = None) -> tuple[bytes, str]:
        """Output and what `-v` tells."""
        curl = await asyncio.create_subprocess_exec(
            "curl", "-q", "-sS", "-v", "--max-time", "20", "--unix-socket", str(self.path), *arguments,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, err = await curl.communicate(data)
        return out, err.decode()


def play(
    scenario: Callable[[House], Awaitable[None]],
    *extra: Route,
    limits: Limits = LIMITS,
    is_allowed: Callable[[socket.socket], bool] = is_own_peer,
) -> House:
    """Runs `scenario` against a server, and sees that nothing of it is left over."""
    before = open_descriptors()
    with tempfile.TemporaryDirectory(prefix="s-", dir="/tmp") as folder:
        house = asyncio.run(_play(scenario, Path(folder) / "sock", extra, limits, is_allowed))
    assert house.unhandled == []
    assert open_descriptors() == before
    return house


async def _play(
    scenario: Callable[[House], Awaitable[None]],
    path: Path,
    extra: tuple[Route, ...],
    limits: Limits,
    is_allowed: Callable[[socket.socket], bool],
) -> House:
    complaints: list[str] = []

    def complain(where: str, error: Exception) -> None:
        complaints.append(f"{where}: {type(error).__name__}: {error}")

    server = Server((*ROUTES, *extra), is_allowed=is_allowed, complain=complain, limits=limits)
    house = House(path, server, complaints)
    asyncio.get_running_loop().set_exception_handler(
        lambda _loop, context: house.unhandled.append(f"{context['message']}: {context.get('exception')!r}")
    )
    bound = BoundSocket(path)
    await server.start(bound.socket)
    try:
        await scenario(house)
    finally:
        await server.stop(deadline_seconds=1.0)
        bound.remove()
    assert asyncio.all_tasks() == {asyncio.current_task()}
    return house


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def route(method: str, pattern: str, handler: Handler, *, is_slow: bool = False) -> Route:
    return Route(method=method, pattern=pattern, handler=handler, is_slow=is_slow)


async def echo(request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
    return json_answer({"method": request.method, "target": request.target, "length": len(request.body)})


async def broken(_request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
    raise KeyError("secret")


async def refusing(_request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
    raise HttpError(409, "not now")


ROUTES = (
    route("GET", "/echo", echo),
    route("POST", "/echo", echo),
    route("POST", "/slow", echo, is_slow=True),
    route("GET", "/broken", broken),
    route("GET", "/refusing", refusing),
)


def statuses(received: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"^HTTP/1\.1 (\d+)", received, re.MULTILINE)]


def body_of(received: bytes) -> bytes:
    return received.partition(b"\r\n\r\n")[2]


async def until(is_so: Callable[[], bool]) -> None:
    while not is_so():  # noqa: ASYNC110 - what is waited for happens inside the server, which knows no event of ours
        await asyncio.sleep(0.005)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
class TestCurl:
    def test_curl_is_a_full_client(self) -> None:
        async def scenario(house: House) -> None:
            out, _ = await house.curl("http://localhost/echo?a=1")
            assert json.loads(out) == {"method": "GET", "target": "/echo?a=1", "length": 0}
            out, _ = await house.curl("--data-binary", "@-", "http://x/echo", data=b"x" * 1000)
            assert json.loads(out)["length"] == 1000

        play(scenario)

    def test_expect_100_continue_is_answered_before_the_body_comes(self) -> None:
        async def scenario(house: House) -> None:
            out, said = await house.curl(
                "-H", "Expect: 100-continue", "--expect100-timeout", "15", "--data-binary", "@-",
                "http://x/echo", data=b"x" * 3_000_000,
            )  # fmt: skip
            assert "100 Continue" in said
            assert json.loads(out)["length"] == 3_000_000

        play(scenario)

    def test_a_body_that_is_too_large_is_refused_before_it_is_sent(self) -> None:
        async def scenario(house: House) -> None:
            out, said = await house.curl(
                "-H", "Expect: 100-continue", "--expect100-timeout", "15", "--data-binary", "@-",
                "http://x/echo", data=b"x" * 2000,
            )  # fmt: skip
            assert "100 Continue" not in said
            assert json.loads(out)["error"] == "The body is larger than 1,000 bytes."

        play(scenario, limits=Limits(body_bytes=1000))

    def test_chunks_a_head_request_and_an_offer_of_http_2_are_understood(self) -> None:
        async def scenario(house: House) -> None:
            out, _ = await house.curl(
                "-H",
                "Transfer-Encoding: chunked",
                "--data-binary",
                "@-",
                "http://x/echo",
                data=b"y" * 100_000,
            )
            assert json.loads(out)["length"] == 100_000
            out, said = await house.curl("-I", "http://x/echo")
            assert "405" in said
            out, said = await house.curl(
                "-H", "Connection: Upgrade, HTTP2-Settings", "-H", "Upgrade: h2c", "http://x/echo"
            )
            assert json.loads(out)["method"] == "GET"

        play(scenario)

    def test_one_connection_serves_several_requests(self) -> None:
        async def scenario(house: House) -> None:
            _, said = await house.curl(
                "http://x/echo", "http://x/nothing", "http://x/refusing", "http://x/echo"
            )
            assert said.count("Re-using existing connection") + said.count("Reusing existing") == 3

        play(scenario)


class TestManyRequestsOnOneConnection:
    def test_pipelined_requests_are_answered_in_their_order(self) -> None:
        async def scenario(house: House) -> None:
            targets = [b"/echo?%d" % number for number in range(50)]
            received = await house.ask(b"".join(GET.replace(b"/echo", target) for target in targets), LAST)
            assert statuses(received) == [200] * 51
            places = [received.index(b'"/echo?%d"' % number) for number in range(50)]
            assert places == sorted(places)

        play(scenario)

    def test_a_request_may_come_byte_by_byte(self) -> None:
        async def scenario(house: House) -> None:
            request = b"POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc"
            received = await house.ask(*(bytes([byte]) for byte in request))
            assert json.loads(body_of(received))["length"] == 3

        play(scenario)

    def test_an_error_of_the_client_does_not_end_the_connection(self) -> None:
        async def scenario(house: House) -> None:
            received = await house.ask(
                GET.replace(b"/echo", b"/nowhere"), GET.replace(b"GET", b"DELETE"),
                GET.replace(b"/echo", b"/refusing"), GET.replace(b"/echo", b"/broken"), LAST,
            )  # fmt: skip
            assert statuses(received) == [404, 405, 409, 500, 200]

        house = play(scenario)

        assert house.complaints == ["GET /broken: KeyError: 'secret'"]

    def test_an_answer_to_head_has_no_body_and_the_next_answer_is_in_its_place(self) -> None:
        async def scenario(house: House) -> None:
            received = await house.ask(b"HEAD /echo HTTP/1.1\r\nHost: a\r\n\r\n", LAST)
            assert statuses(received) == [405, 200]
            assert b"error" not in received

        play(scenario)

    def test_http_1_0_is_answered_and_closed_and_gets_no_interim_answer(self) -> None:
        async def scenario(house: House) -> None:
            received = await house.ask(b"POST /slow HTTP/1.0\r\nContent-Length: 2\r\n\r\nab")
            assert statuses(received) == [200]
            assert json.loads(body_of(received))["length"] == 2

        play(scenario)

    def test_a_slow_route_says_at_once_that_somebody_is_at_work(self) -> None:
        ready = asyncio.Event()

        async def wait(_request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
            await ready.wait()
            return json_answer("done")

        async def scenario(house: House) -> None:
            reader, writer = await house.connect()
            writer.write(b"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 102 ")
            ready.set()
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
            writer.close()

        play(scenario, route("GET", "/wait", wait, is_slow=True))

    def test_a_client_that_closes_its_half_still_gets_its_answer(self) -> None:
        async def scenario(house: House) -> None:
            reader, writer = await house.connect()
            writer.write(GET)
            writer.write_eof()
            assert statuses(await reader.read()) == [200]
            writer.close()

        play(scenario)


class TestBounds:
    @pytest.mark.parametrize("size", [66_000, 100_000, 131_000, 1_000_000])
    def test_a_head_over_64_kib_is_refused(self, size: int) -> None:
        """SOC-4."""

        async def scenario(house: House) -> None:
            received = await house.ask(b"GET /echo HTTP/1.1\r\nHost: a\r\nX: " + b"x" * size + b"\r\n\r\n")
            assert statuses(received) == [431]

        play(scenario)

    def test_a_head_of_60_kib_is_served(self) -> None:
        async def scenario(house: House) -> None:
            received = await house.ask(LAST.replace(b"\r\n\r\n", b"\r\nX: " + b"x" * 60_000 + b"\r\n\r\n"))
            assert statuses(received) == [200]

        play(scenario)

    def test_a_body_of_16_mib_is_served_and_one_byte_more_is_not(self) -> None:
        async def scenario(house: House) -> None:
            head = b"POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
            size = 16 * 1024 * 1024
            received = await house.ask(head % size, b"x" * size)
            assert json.loads(body_of(received))["length"] == size
            received = await house.ask(head % (size + 1))
            assert statuses(received) == [413]

        play(scenario)

    def test_a_body_in_chunks_is_bounded_as_well(self) -> None:
        async def scenario(house: House) -> None:
            head = b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
            received = await house.ask(head, b"3e8\r\n" + b"x" * 1000 + b"\r\n", b"1\r\nx\r\n")
            assert statuses(received) == [413]

        play(scenario, limits=Limits(body_bytes=1000))

    @pytest.mark.parametrize(
        "torn", [b"G", GET[:-2], b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"]
    )
    def test_half_a_request_is_given_up(self, torn: bytes) -> None:
        async def scenario(house: House) -> None:
            assert statuses(await house.ask(torn)) == [408]

        play(scenario, limits=Limits(request_seconds=0.05, idle_seconds=FOR_EVER))

    def test_a_client_that_says_nothing_is_hung_up_on(self) -> None:
        async def scenario(house: House) -> None:
            assert await house.ask() == b""

        play(scenario, limits=Limits(request_seconds=0.05, idle_seconds=FOR_EVER))

    def test_so_is_one_that_says_nothing_more(self) -> None:
        async def scenario(house: House) -> None:
            assert statuses(await house.ask(GET)) == [200]

        play(scenario, limits=Limits(idle_seconds=0.05))

    @pytest.mark.parametrize(
        "data",
        [
            b"\x00\xff\xfe garbage\r\n\r\n",
            b"{}\n\n",
            b"GET /echo HTTP/1.1\r\n\r\n",
            b"GET /e cho HTTP/1.1\r\nHost: a\r\n\r\n",
            b"GET /echo HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
            b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
            b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ],
    )
    def test_what_is_no_http_is_told_so_and_hung_up_on(self, data: bytes) -> None:
        async def scenario(house: House) -> None:
            received = await house.ask(data)
            assert statuses(received) == [400]
            assert "error" in json.loads(body_of(received))

        house = play(scenario)

        assert house.complaints == []

    @pytest.mark.parametrize("target", [b"//[", b"http://[", b"*", b"/%ff%00", b"/echo/../echo"])
    def test_an_odd_target_is_not_found(self, target: bytes) -> None:
        async def scenario(house: House) -> None:
            assert statuses(await house.ask(LAST.replace(b"/echo", target))) == [404]

        house = play(scenario)

        assert house.complaints == []

    def test_connect_is_not_possible_and_the_connection_ends(self) -> None:
        async def scenario(house: House) -> None:
            received = await house.ask(b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            assert statuses(received) == [404]

        play(scenario)

    def test_over_64_clients_are_told_to_come_back_and_the_place_of_one_who_left_is_free(self) -> None:
        """SOC-4."""

        async def scenario(house: House) -> None:
            guests = [await house.connect() for _ in range(70)]
            for _, writer in guests:
                writer.write(GET)
            answers = [statuses(await reader.readuntil(b"\r\n")) for reader, _ in guests]
            assert answers == [[200]] * 64 + [[503]] * 6

            for _, writer in guests[:7]:
                writer.close()
                await writer.wait_closed()
            for _ in range(200):
                if statuses(await house.ask(LAST)) == [200]:
                    break
            else:
                pytest.fail("nobody is served after seven have left")
            for _, writer in guests:
                writer.close()

        play(scenario)

    def test_a_peer_that_is_not_allowed_gets_not_one_byte(self) -> None:
        """SOC-1."""

        async def scenario(house: House) -> None:
            assert await house.ask(GET) == b""

        play(scenario, is_allowed=lambda _peer: False)


@dataclass
class Parcel:
    """An answer that wants to know whether it was taken."""

    body: bytes
    became: list[bool] = field(default_factory=list)
    headers: tuple[tuple[str, str], ...] = ()

    async def handler(self, _request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        return HttpAnswer(body=self.body, finished=self._finished, headers=self.headers)

    async def _finished(self, is_taken: bool) -> None:
        await asyncio.sleep(0)
        self.became.append(is_taken)

    @property
    def route(self) -> Route:
        return route("GET", "/parcel", self.handler)


PARCEL = GET.replace(b"/echo", b"/parcel")


class TestWhetherAnAnswerWasTaken:
    def test_it_was_when_the_client_read_it_and_left(self) -> None:
        parcel = Parcel(b"snippet")

        async def scenario(house: House) -> None:
            reader, writer = await house.connect()
            writer.write(PARCEL)
            await reader.readuntil(b"snippet")
            assert parcel.became == []
            writer.close()
            await until(lambda: parcel.became != [])

        play(scenario, parcel.route)

        assert parcel.became == [True]

    @pytest.mark.parametrize("read", [0, 10])
    def test_it_was_not_when_the_client_left_in_the_middle(self, read: int) -> None:
        parcel = Parcel(b"x" * 5_000_000)

        async def scenario(house: House) -> None:
            reader, writer = await house.connect()
            writer.write(PARCEL)
            if read:
                await reader.readexactly(read)
            writer.transport.abort()
            await until(lambda: parcel.became != [])

        house = play(scenario, parcel.route)

        assert parcel.became == [False]
        assert house.complaints == []

    def test_it_was_not_when_the_client_never_reads(self) -> None:
        parcel = Parcel(b"x" * 250_000)  # more than the kernel keeps, less than a stream's buffer beyond it

        async def scenario(house: House) -> None:
            with socket.socket(socket.AF_UNIX) as deaf:
                deaf.connect(str(house.path))
                deaf.sendall(PARCEL)
                await until(lambda: parcel.became != [])
                await until(lambda: len(asyncio.all_tasks()) == 1)

        play(scenario, parcel.route, limits=Limits(take_seconds=0.05))

        assert parcel.became == [False]

    def test_it_was_not_when_the_client_read_it_and_never_leaves(self) -> None:
        parcel = Parcel(b"snippet")

        async def scenario(house: House) -> None:
            _, writer = await house.connect()
            writer.write(PARCEL)
            await until(lambda: parcel.became != [])
            writer.close()

        play(scenario, parcel.route, limits=Limits(take_seconds=0.05))

        assert parcel.became == [False]

    def test_it_is_written_down_also_when_the_server_is_stopped_meanwhile(self) -> None:
        parcel = Parcel(b"snippet")

        async def scenario(house: House) -> None:
            reader, writer = await house.connect()
            writer.write(PARCEL)
            await reader.readuntil(b"snippet")
            await house.server.stop(deadline_seconds=0.01)
            writer.close()
            await until(lambda: parcel.became != [])

        play(scenario, parcel.route)

        assert len(parcel.became) == 1

    def test_an_answer_that_cannot_be_sent_is_our_fault_and_was_not_taken(self) -> None:
        parcel = Parcel(b"snippet", headers=(("x-bad", "two\r\nlines"),))

        async def scenario(house: House) -> None:
            assert await house.ask(PARCEL) == b""

        house = play(scenario, parcel.route)

        assert parcel.became == [False]
        assert len(house.complaints) == 1 and "LocalProtocolError" in house.complaints[0]


@dataclass
class Fountain:
    """A stream that says when it was ended."""

    pieces: tuple[bytes, ...] = (b"one\n", b"two\n")
    is_endless: bool = True
    error: Exception | None = None
    ended: int = 0

    async def handler(self, _request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
        return HttpAnswer(content_type="text/event-stream", stream=self._flow())

    async def _flow(self) -> AsyncIterator[bytes]:
        try:
            for piece in self.pieces:
                yield piece
            if self.error:
                raise self.error
            if self.is_endless:
                await asyncio.Event().wait()
        finally:
            self.ended += 1

    @property
    def route(self) -> Route:
        return route("GET", "/events", self.handler)


EVENTS = GET.replace(b"/echo", b"/events")


class TestStreams:
    def test_pieces_come_as_they_are_made_until_the_stream_ends(self) -> None:
        fountain = Fountain(is_endless=False)

        async def scenario(house: House) -> None:
            received = await house.ask(EVENTS)
            assert b"text/event-stream" in received
            assert body_of(received) == b"4\r\none\n\r\n4\r\ntwo\n\r\n0\r\n\r\n"

        play(scenario, fountain.route)

        assert fountain.ended == 1

    def test_an_old_client_gets_the_bare_pieces(self) -> None:
        fountain = Fountain(is_endless=False)

        async def scenario(house: House) -> None:
            assert body_of(await house.ask(b"GET /events HTTP/1.0\r\n\r\n")) == b"one\ntwo\n"

        play(scenario, fountain.route)

    def test_a_client_that_leaves_ends_it(self) -> None:
        fountain = Fountain()

        async def scenario(house: House) -> None:
            reader, writer = await house.connect()
            writer.write(EVENTS)
            await reader.readuntil(b"two\n")
            writer.close()
            await until(lambda: fountain.ended == 1)

        house = play(scenario, fountain.route)

        assert house.complaints == []

    def test_a_client_that_does_not_keep_up_is_dropped(self) -> None:
        fountain = Fountain(pieces=(b"x" * 60_000,) * 100)

        async def scenario(house: House) -> None:
            with socket.socket(socket.AF_UNIX) as deaf:
                deaf.connect(str(house.path))
                deaf.sendall(EVENTS)
                await until(lambda: fountain.ended == 1)

        play(scenario, fountain.route, limits=Limits(take_seconds=0.05))

    def test_stopping_the_server_ends_it_at_once(self) -> None:
        fountain = Fountain()

        async def scenario(house: House) -> None:
            reader, writer = await house.connect()
            writer.write(EVENTS)
            await reader.readuntil(b"two\n")
            await house.server.stop(deadline_seconds=FOR_EVER)
            assert fountain.ended == 1
            assert b"0\r\n\r\n" not in await reader.read()  # cut off, and not taken for the end
            writer.close()

        play(scenario, fountain.route)

    def test_a_stream_that_breaks_is_told(self) -> None:
        fountain = Fountain(error=ValueError("broken"))

        async def scenario(house: House) -> None:
            assert b"two" in await house.ask(EVENTS)

        house = play(scenario, fountain.route)

        assert house.complaints == ["sending an answer: ValueError: broken"]


class TestStopping:
    def test_clients_that_wait_for_nothing_do_not_hold_it_up(self) -> None:
        async def scenario(house: House) -> None:
            fresh, fresh_writer = await house.connect()
            idle, idle_writer = await house.connect()
            idle_writer.write(GET)
            await idle.readuntil(b"}")
            await house.server.stop(deadline_seconds=FOR_EVER)
            assert (await fresh.read(), (await idle.read()).strip()) == (b"", b"")
            fresh_writer.close()
            idle_writer.close()

        play(scenario, limits=Limits(idle_seconds=FOR_EVER, request_seconds=FOR_EVER))

    def test_an_answer_under_way_is_given_and_is_the_last_one(self) -> None:
        started, ready = asyncio.Event(), asyncio.Event()

        async def wait(_request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
            started.set()
            await ready.wait()
            return json_answer("done")

        async def scenario(house: House) -> None:
            reader, writer = await house.connect()
            writer.write(GET.replace(b"/echo", b"/wait") + GET)
            await started.wait()
            stopping = asyncio.create_task(house.server.stop(deadline_seconds=FOR_EVER))
            await asyncio.sleep(0)
            ready.set()
            await stopping
            received = await reader.read()
            assert statuses(received) == [200]
            assert b"connection: close" in received.lower()
            writer.close()

        play(scenario, route("GET", "/wait", wait))

    def test_an_answer_that_never_comes_ends_at_the_deadline(self) -> None:
        cancelled: list[bool] = []
        started = asyncio.Event()

        async def wait(_request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
            started.set()
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.append(True)
            return HttpAnswer()

        async def scenario(house: House) -> None:
            reader, writer = await house.connect()
            writer.write(GET.replace(b"/echo", b"/wait"))
            await started.wait()
            await house.server.stop(deadline_seconds=0.01)
            assert await reader.read() == b""
            writer.close()

        play(scenario, route("GET", "/wait", wait))

        assert cancelled == [True]

    def test_nobody_new_is_let_in(self) -> None:
        async def scenario(house: House) -> None:
            await house.server.stop(deadline_seconds=0.0)
            with pytest.raises(ConnectionRefusedError):
                await house.connect()

        play(scenario)

    def test_rebinding_keeps_who_is_here_and_lets_others_in_by_the_new_door(self) -> None:
        async def scenario(house: House) -> None:
            reader, writer = await house.connect()
            writer.write(GET)
            await reader.readuntil(b"}")
            house.path.unlink()
            second = BoundSocket(house.path)
            await house.server.rebind(second.socket)

            assert statuses(await house.ask(LAST)) == [200]
            writer.write(LAST)
            assert statuses(await reader.read()) == [200]
            writer.close()
            await house.server.stop(deadline_seconds=1.0)
            second.remove()
            assert not house.path.exists()

        play(scenario)


def test_a_client_that_resets_the_connection_leaves_no_trace() -> None:
    async def scenario(house: House) -> None:
        for data in (b"", b"GET", GET, GET * 5):
            peer = socket.socket(socket.AF_UNIX)
            peer.connect(str(house.path))
            peer.sendall(data)
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.close()
        assert statuses(await house.ask(LAST)) == [200]

    house = play(scenario)

    assert house.complaints == []
