"""HTTP/1.1 on the Unix socket: who may speak, how much, how long.  What is answered stands in `routes`."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable

import h11

from agentinitd.daemon.http import HttpAnswer, HttpError, HttpRequest, Route, find_route, json_answer

HEAD_LIMIT_BYTES = 64 * 1024
BODY_LIMIT_BYTES = 16 * 1024 * 1024
REQUEST_SECONDS = 5.0
IDLE_SECONDS = 30.0
TAKE_SECONDS = 10.0
"""How long a client may take to read its answer and close."""
CLIENT_LIMIT = 64
BLOCK_BYTES = 65536

Complain = Callable[[str], None]


class Server:
    """Serves `routes` on an already bound socket."""

    def __init__(
        self,
        routes: tuple[Route, ...],
        *,
        is_allowed: Callable[[socket.socket], bool],
        complain: Complain,
    ) -> None:
        self._routes = routes
        self._is_allowed = is_allowed
        self._complain = complain
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def start(self, bound: socket.socket) -> None:
        self._server = await asyncio.start_unix_server(self._accept, sock=bound, limit=BLOCK_BYTES)

    async def rebind(self, bound: socket.socket) -> None:
        """Goes on with another socket; exchanges under way end on the old one."""
        old = self._server
        await self.start(bound)
        if old is not None:
            old.close()

    async def stop(self, *, deadline_seconds: float) -> None:
        """No new clients; those under way get until the deadline."""
        if self._server is not None:
            self._server.close()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=deadline_seconds)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        peer = writer.get_extra_info("socket")
        self._tasks.add(task)
        try:
            if self._is_allowed(peer):
                await _Exchange(self._routes, reader, writer, self._complain).run(
                    is_full=len(self._tasks) > CLIENT_LIMIT
                )
        except (OSError, TimeoutError, h11.RemoteProtocolError):
            pass  # the client left, stalled or speaks no HTTP: its own affair
        finally:
            self._tasks.discard(task)
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()


class _Exchange:
    """One connection: requests one after the other until either side has enough."""

    def __init__(
        self,
        routes: tuple[Route, ...],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        complain: Complain,
    ) -> None:
        self._routes = routes
        self._reader = reader
        self._writer = writer
        self._complain = complain
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_LIMIT_BYTES)

    async def run(self, *, is_full: bool) -> None:
        while True:
            if is_full:
                await self._send(HttpError(503, f"More than {CLIENT_LIMIT} clients at once.").answer)
                return
            try:
                async with asyncio.timeout(IDLE_SECONDS):
                    head = await self._head()
                if head is None:
                    return
                await self._serve(head)
            except HttpError as error:
                await self._send(error.answer)
            except h11.RemoteProtocolError as error:
                await self._refuse(error)
                return
            if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                return
            self._http.start_next_cycle()

    async def _refuse(self, error: h11.RemoteProtocolError) -> None:
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            await self._send(
                HttpError(error.error_status_hint, f"Not a request we understand: {error}.").answer
            )

    async def _head(self) -> h11.Request | None:
        event = await self._event()
        return event if isinstance(event, h11.Request) else None

    async def _serve(self, head: h11.Request) -> None:
        async with asyncio.timeout(REQUEST_SECONDS):
            request = await self._whole(head)
        route, parts = find_route(self._routes, request)
        if route.is_slow and head.http_version >= b"1.1":
            await self._write(h11.InformationalResponse(status_code=102, headers=[]))
        try:
            answer = await route.handler(request, parts)
        except HttpError as error:
            answer = error.answer
        except Exception as error:  # a bug of ours must not cost the agent more than this one answer
            self._complain(f"{request.method} {request.path}: {type(error).__name__}: {error}")
            answer = json_answer({"error": "internal error; see `agentinitd logs`"}, status=500)
        await self._answer(answer)

    async def _whole(self, head: h11.Request) -> HttpRequest:
        headers = {
            bytes(name).decode("latin-1"): bytes(value).decode("latin-1") for name, value in head.headers
        }
        if int(headers.get("content-length", "0")) > BODY_LIMIT_BYTES:
            raise HttpError(413, f"The body is larger than {BODY_LIMIT_BYTES:,} bytes.")
        body = bytearray()
        while not isinstance(event := await self._event(), h11.EndOfMessage):
            if not isinstance(event, h11.Data):
                raise ConnectionResetError
            body += event.data
            if len(body) > BODY_LIMIT_BYTES:
                raise HttpError(413, f"The body is larger than {BODY_LIMIT_BYTES:,} bytes.")
        target = bytes(head.target).decode("latin-1")
        return HttpRequest(method=head.method.decode(), target=target, headers=headers, body=bytes(body))

    async def _event(self) -> h11.Event | type[h11.PAUSED]:
        while True:
            event = self._http.next_event()
            if event is not h11.NEED_DATA:
                return event  # type: ignore[return-value]  # NEED_DATA is the only other sentinel
            if self._http.they_are_waiting_for_100_continue:
                await self._write(h11.InformationalResponse(status_code=100, headers=[]))
            self._http.receive_data(await self._reader.read(BLOCK_BYTES))

    async def _answer(self, answer: HttpAnswer) -> None:
        is_taken = False
        try:
            if answer.stream is not None:
                await self._stream(answer, answer.stream)
            else:
                await self._send(answer)
            is_taken = answer.finished is None or await self._client_left()
        finally:
            if answer.finished is not None:
                # Also when we are being stopped: what became of a delivery is written down in any case.
                await asyncio.shield(answer.finished(is_taken))

    async def _send(self, answer: HttpAnswer) -> None:
        length = ("content-length", str(len(answer.body)))
        await self._write(self._head_of(answer, length))
        if answer.body:
            await self._write(h11.Data(data=answer.body))
        await self._write(h11.EndOfMessage())

    async def _stream(self, answer: HttpAnswer, stream: AsyncIterator[bytes]) -> None:
        await self._write(self._head_of(answer, ("cache-control", "no-store")))
        left = asyncio.ensure_future(self._client_left(for_ever=True))
        try:
            pieces = aiter(stream)
            while not left.done():
                piece = asyncio.ensure_future(anext(pieces, None))
                await asyncio.wait({left, piece}, return_when=asyncio.FIRST_COMPLETED)
                if not piece.done():
                    piece.cancel()
                    break
                data = piece.result()
                if data is None:
                    break
                await self._write(h11.Data(data=data))
            await self._write(h11.EndOfMessage())
        finally:
            left.cancel()
            await asyncio.wait({left})

    def _head_of(self, answer: HttpAnswer, extra: tuple[str, str]) -> h11.Response:
        headers = [("content-type", answer.content_type), *answer.headers]
        if answer.finished is not None or answer.stream is not None:
            headers.append(
                ("connection", "close")
            )  # the client's leaving is what tells us that it has everything
        if answer.status != 204:
            headers.append(extra)
        return h11.Response(status_code=answer.status, headers=headers)

    async def _client_left(self, *, for_ever: bool = False) -> bool:
        """The client closed its end, as the hook client does once it has printed and left its receipt."""
        with contextlib.suppress(TimeoutError, OSError):
            async with asyncio.timeout(None if for_ever else TAKE_SECONDS):
                while await self._reader.read(BLOCK_BYTES):
                    pass
                return True
        return False

    async def _write(self, event: h11.Event) -> None:
        data = self._http.send(event)
        if data:
            self._writer.write(data)
            async with asyncio.timeout(TAKE_SECONDS):
                await self._writer.drain()
