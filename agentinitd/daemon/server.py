"""HTTP/1.1 on the Unix socket: who may speak, how much, how long.  What is answered stands in `routes`."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

import h11

from agentinitd.daemon.http import HttpAnswer, HttpError, HttpRequest, Route, find_route, json_answer
from agentinitd.daemon.sockets import BACKLOG

BLOCK_BYTES = 65536

Complain = Callable[[str, Exception], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one client may cost (supervision.md SOC-4)."""

    head_bytes: int = 64 * 1024
    body_bytes: int = 16 * 1024 * 1024
    request_seconds: float = 5.0
    """From its first byte to its last."""
    idle_seconds: float = 30.0
    """Between two requests."""
    take_seconds: float = 10.0
    """How long a client may take to read its answer and close."""
    clients: int = 64


LIMITS = Limits()


class Server:
    """Serves `routes` on an already bound socket."""

    def __init__(
        self,
        routes: tuple[Route, ...],
        *,
        is_allowed: Callable[[socket.socket], bool],
        is_in_rebuild: Callable[[socket.socket], bool] = lambda _: False,
        complain: Complain,
        limits: Limits = LIMITS,
    ) -> None:
        self._routes = routes
        self._is_allowed = is_allowed
        self._is_in_rebuild = is_in_rebuild
        self._complain = complain
        self._limits = limits
        self._exchanges: dict[asyncio.Task[None], _Exchange] = {}
        self._server: asyncio.Server | None = None

    async def start(self, bound: socket.socket) -> None:
        self._server = await asyncio.start_unix_server(
            self._accept, sock=bound, limit=BLOCK_BYTES, backlog=BACKLOG
        )

    async def rebind(self, bound: socket.socket) -> None:
        """Goes on with another socket; exchanges under way end on the old one."""
        old = self._server
        await self.start(bound)
        if old is not None:
            old.close()

    async def stop(self, *, deadline_seconds: float) -> None:
        """No new clients, and no more from those that wait; answers under way get until the deadline."""
        if self._server is not None:
            self._server.close()
        for task, exchange in self._exchanges.items():
            if not exchange.is_busy_to_the_last():
                task.cancel()
        tasks = list(self._exchanges)
        if tasks:
            await asyncio.wait(tasks, timeout=deadline_seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connection = writer.get_extra_info("socket")
        is_nested = partial(self._is_in_rebuild, connection)
        exchange = _Exchange(self._routes, reader, writer, is_nested, self._complain, self._limits)
        self._exchanges[task] = exchange
        try:
            if self._is_allowed(connection):
                await exchange.run(is_full=len(self._exchanges) > self._limits.clients)
        except (OSError, h11.RemoteProtocolError):
            pass  # the client left, stalled or speaks no HTTP: its own affair
        except asyncio.CancelledError:
            pass  # only `stop` does so, and of a client's task asyncio would report it as an error
        except Exception as error:
            self._complain("sending an answer", error)
        finally:
            await self._hang_up(writer)
            del self._exchanges[task]

    async def _hang_up(self, writer: asyncio.StreamWriter) -> None:
        writer.close()
        try:
            async with asyncio.timeout(self._limits.take_seconds):
                await writer.wait_closed()
        except (OSError, asyncio.CancelledError):
            # Closing waits for the client to read what is left, and it may never do so.
            writer.transport.abort()


class _Exchange:
    """One connection: requests one after the other until either side has enough."""

    def __init__(
        self,
        routes: tuple[Route, ...],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        is_nested: Callable[[], bool],
        complain: Complain,
        limits: Limits,
    ) -> None:
        self._routes = routes
        self._reader = reader
        self._writer = writer
        self._is_nested = is_nested
        self._complain = complain
        self._limits = limits
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=limits.head_bytes)
        self._is_busy = False
        self._is_last = False
        self._is_head_only = False
        # So that `drain` waits for the last byte, and a client that does not read is found out.
        writer.transport.set_write_buffer_limits(high=0)

    def is_busy_to_the_last(self) -> bool:
        """Whether a client waits for an answer that will come; it is the last one from now on."""
        self._is_last = True
        return self._is_busy

    async def run(self, *, is_full: bool) -> None:
        patience_seconds = self._limits.request_seconds
        while True:
            try:
                request = await self._request(patience_seconds)
                if request is None:
                    return
                if is_full:
                    self._is_last = True
                    raise HttpError(503, f"More than {self._limits.clients} clients at once.")
                await self._serve(request)
            except HttpError as error:
                await self._send(error.answer)
            except h11.RemoteProtocolError as error:
                await self._refuse(error)
            self._is_busy = False
            if self._http.their_state in (h11.SEND_BODY, h11.ERROR, h11.IDLE):
                await self._linger()
            if (
                self._is_last
                or self._http.our_state is not h11.DONE
                or self._http.their_state is not h11.DONE
            ):
                return
            self._http.start_next_cycle()
            patience_seconds = self._limits.idle_seconds

    async def _refuse(self, error: h11.RemoteProtocolError) -> None:
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            await self._send(
                HttpError(error.error_status_hint, f"Not a request we understand: {error}.").answer
            )

    async def _linger(self) -> None:
        """Closing with bytes unread resets the connection, and the client may never see why."""
        self._writer.write_eof()
        await self._client_left(self._limits.take_seconds)

    async def _request(self, patience_seconds: float) -> HttpRequest | None:
        """None when the client left.  Raises HttpError, RemoteProtocolError, TimeoutError."""
        if not self._http.trailing_data[0]:
            async with asyncio.timeout(patience_seconds):
                self._http.receive_data(await self._reader.read(BLOCK_BYTES))
        try:
            async with asyncio.timeout(self._limits.request_seconds):
                head = await self._event()
                return await self._whole(head) if isinstance(head, h11.Request) else None
        except TimeoutError:
            raise HttpError(
                408, f"The request was not whole after {self._limits.request_seconds:g} s."
            ) from None

    async def _whole(self, head: h11.Request) -> HttpRequest:
        self._is_head_only = head.method == b"HEAD"
        headers = {
            bytes(name).decode("latin-1"): bytes(value).decode("latin-1") for name, value in head.headers
        }
        # h11 looks only at heads that arrive in pieces.
        if (
            len(head.target) + sum(len(name) + len(value) for name, value in head.headers)
            > self._limits.head_bytes
        ):
            raise HttpError(431, f"The head is larger than {self._limits.head_bytes:,} bytes.")
        if int(headers.get("content-length", "0")) > self._limits.body_bytes:
            raise self._too_large()
        body = bytearray()
        while not isinstance(event := await self._event(), h11.EndOfMessage):
            if not isinstance(event, h11.Data):
                raise ConnectionResetError
            body += event.data
            if len(body) > self._limits.body_bytes:
                raise self._too_large()
        self._is_busy = True
        target = bytes(head.target).decode("latin-1")
        return HttpRequest(
            method=head.method.decode(),
            target=target,
            headers=headers,
            body=bytes(body),
            has_left=self._reader.at_eof,
        )

    def _too_large(self) -> HttpError:
        # Not a name in the frame that raises it: each would keep the other, and sixteen megabytes with them.
        return HttpError(413, f"The body is larger than {self._limits.body_bytes:,} bytes.")

    async def _event(self) -> h11.Event | type[h11.PAUSED]:
        while True:
            event = self._http.next_event()
            if event is not h11.NEED_DATA:
                return event  # type: ignore[return-value]  # NEED_DATA is the only other sentinel
            if self._http.they_are_waiting_for_100_continue:
                await self._write(h11.InformationalResponse(status_code=100, reason=b"Continue", headers=[]))
            self._http.receive_data(await self._reader.read(BLOCK_BYTES))

    async def _serve(self, request: HttpRequest) -> None:
        route, parts = find_route(self._routes, request)
        if route.runs_scripts and self._is_nested():
            raise HttpError(
                409, "nested: a script of a rebuild cannot ask for another, and wait for its end."
            )
        if route.is_slow and (self._http.their_http_version or b"") >= b"1.1":
            await self._write(h11.InformationalResponse(status_code=102, reason=b"Processing", headers=[]))
        try:
            answer = await route.handler(request, parts)
        except HttpError as error:
            answer = error.answer
        except Exception as error:  # a bug of ours must not cost the agent more than this one answer
            self._complain(f"{request.method} {request.path}", error)
            answer = json_answer({"error": "internal error; see `agentinitd logs`"}, status=500)
        await self._answer(answer)

    async def _answer(self, answer: HttpAnswer) -> None:
        is_taken = False
        try:
            if answer.stream is not None:
                await self._stream(answer, answer.stream)
            else:
                await self._send(answer)
            is_taken = answer.finished is None or await self._client_left(self._limits.take_seconds)
        finally:
            if answer.finished is not None:
                # Also when we are being stopped: what became of a delivery is written down in any case.
                await asyncio.shield(answer.finished(is_taken))

    async def _send(self, answer: HttpAnswer) -> None:
        events: list[h11.Event] = [self._head_of(answer, ("content-length", str(len(answer.body))))]
        if answer.body and not self._is_head_only:
            events.append(h11.Data(data=answer.body))
        await self._write(*events, h11.EndOfMessage())

    async def _stream(self, answer: HttpAnswer, stream: AsyncIterator[bytes]) -> None:
        """Until it ends, the client leaves or we are stopped: nobody waits for the end of a stream."""
        self._is_busy = False
        await self._write(self._head_of(answer, ("cache-control", "no-store")))
        left = asyncio.create_task(self._client_left(None), name="client left")
        sent = asyncio.create_task(self._send_pieces(stream), name="stream")
        try:
            await asyncio.wait({left, sent}, return_when=asyncio.FIRST_COMPLETED)
            if sent.done():
                sent.result()
        finally:
            left.cancel()
            sent.cancel()
            await asyncio.wait({left, sent})

    async def _send_pieces(self, stream: AsyncIterator[bytes]) -> None:
        try:
            async for piece in stream:
                await self._write(h11.Data(data=piece))
            await self._write(h11.EndOfMessage())
        finally:
            if isinstance(stream, AsyncGenerator):
                await stream.aclose()

    def _head_of(self, answer: HttpAnswer, extra: tuple[str, str]) -> h11.Response:
        headers = [("content-type", answer.content_type), *answer.headers]
        # Where `finished` asks, the client's leaving is what tells us that it has everything.
        if answer.finished is not None or answer.stream is not None or self._is_last:
            headers.append(("connection", "close"))
        if answer.status != 204:
            headers.append(extra)
        reason = HTTPStatus(answer.status).phrase.encode()
        return h11.Response(status_code=answer.status, reason=reason, headers=headers)

    async def _client_left(self, limit_seconds: float | None) -> bool:
        """The client closed its end, as the hook client does once it has printed and left its receipt."""
        with contextlib.suppress(OSError):
            async with asyncio.timeout(limit_seconds):
                while await self._reader.read(BLOCK_BYTES):
                    pass
                return True
        return False

    async def _write(self, *events: h11.Event) -> None:
        self._writer.write(b"".join(self._http.send(event) or b"" for event in events))
        async with asyncio.timeout(self._limits.take_seconds):
            await self._writer.drain()
