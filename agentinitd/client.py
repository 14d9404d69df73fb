"""The only place that dials the socket: one request, one answer, or a clear reason why not."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import h11
import msgspec

from agentinitd import __version__
from agentinitd.daemon.lock import read_holder
from agentinitd.daemon.paths import Places
from agentinitd.daemon.sockets import is_own_peer
from agentinitd.disk import read_bounded
from agentinitd.model.errors import AgentinitdError, NotRunning, PermissionRefused

PROTOCOL = 1
BLOCK_BYTES = 65536


class Address(msgspec.Struct, frozen=True, kw_only=True):
    """`address.json`: where the daemon bound its socket (supervision.md LCK-7)."""

    socket: str
    pid: int
    started: float
    protocol: int = PROTOCOL
    version: str = ""


def read_address(places: Places) -> Address | None:
    try:
        return msgspec.json.decode(read_bounded(places.address_file, 65536), type=Address)
    except (OSError, msgspec.MsgspecError):
        return None


def find_socket(places: Places) -> Path:
    """Raises NotRunning when there is none, PermissionRefused when it is not ours."""
    address = read_address(places)
    candidates = [Path(address.socket)] if address else []
    candidates += [places.socket, places.fallback_socket]
    for path in candidates:
        try:
            found = path.lstat()
        except OSError:
            continue
        if not stat.S_ISSOCK(found.st_mode):
            continue
        if found.st_uid not in (os.geteuid(), 0):
            raise PermissionRefused(f"{path} belongs to uid {found.st_uid}, not to you; it was not used.")
        _refuse_open_folder(path.parent)
        return path
    raise NotRunning("agentinitd is not running. Start it with `agentinitd start`.")


def _refuse_open_folder(folder: Path) -> None:
    """In one that others may enter, anybody may have put the socket (supervision.md SOC-2)."""
    found = folder.lstat()
    if found.st_uid not in (os.geteuid(), 0) or found.st_mode & 0o077:
        raise PermissionRefused(
            f"{folder} is not yours alone, and the socket in it was not used. Cure: chmod 700 {folder}, or "
            "another AGENTINITD_RUNTIME_DIR."
        )


class Client:
    """Asks the daemon of this user.  Every method raises NotRunning when nobody answers."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def get(self, path: str, *, timeout_seconds: float = 5.0, **query: str | None) -> Any:
        """The decoded JSON of the answer.  Raises AgentinitdError with the daemon's own message."""
        return _decoded(self._exchange("GET", _target(path, query), b"", timeout_seconds))

    def text(self, path: str, *, timeout_seconds: float = 30.0, **query: str | None) -> str:
        return self._exchange("GET", _target(path, query), b"", timeout_seconds).decode("utf-8", "replace")

    def post(self, path: str, value: object, *, timeout_seconds: float = 30.0) -> Any:
        return _decoded(self._exchange("POST", quote(path), msgspec.json.encode(value), timeout_seconds))

    def events(self) -> Iterator[bytes]:
        """The daemon's log records from now on, as JSON lines.  Raises NotRunning when it goes away."""
        rest = b""
        for piece in self._answer("GET", "/v1/events", b"", None):
            *lines, rest = (rest + piece).split(b"\n")
            yield from (line[len(b"data: ") :] for line in lines if line.startswith(b"data: "))

    def _exchange(self, method: str, target: str, body: bytes, timeout_seconds: float) -> bytes:
        return b"".join(self._answer(method, target, body, timeout_seconds))

    def _answer(
        self, method: str, target: str, body: bytes, timeout_seconds: float | None
    ) -> Iterator[bytes]:
        """The pieces of the body.  `timeout_seconds` is how long the daemon may be silent."""
        self._refuse_other_protocol()
        path = find_socket(self._places)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
            channel.settimeout(timeout_seconds)
            try:
                channel.connect(str(path))
                if not is_own_peer(channel):
                    raise PermissionRefused(f"Somebody else listens at {path}; it was not used.")
                yield from _pieces(channel, method, target, body)
            except TimeoutError as error:
                raise NotRunning(
                    f"The daemon did not answer within {timeout_seconds:g} s. See `agentinitd status`."
                ) from error
            except (OSError, h11.RemoteProtocolError) as error:
                raise NotRunning(self._nobody(error)) from error

    def _refuse_other_protocol(self) -> None:
        """What we would ask might mean something else there (supervision.md DMN-9)."""
        address = self._living_address(lambda address: address.protocol != PROTOCOL)
        if address is not None:
            raise AgentinitdError(
                f"The daemon that runs is agentinitd {address.version or 'of another version'} and speaks "
                f"protocol {address.protocol}; this is {__version__} with protocol {PROTOCOL}. "
                "Use `agentinitd restart`."
            )

    def older_daemon(self) -> str:
        """One line when another version serves than this one; empty when the same does (DMN-9)."""
        address = self._living_address(
            lambda address: address.protocol == PROTOCOL and address.version not in ("", __version__)
        )
        if address is None:
            return ""
        return (
            f"the daemon that runs is agentinitd {address.version}, and this is {__version__}: "
            "`agentinitd restart`"
        )

    def _living_address(self, is_meant: Callable[[Address], bool]) -> Address | None:
        """One that a daemon which was killed left behind tells nothing."""
        address = read_address(self._places)
        if address is None or not is_meant(address):
            return None
        holder = read_holder(self._places.lock_file)
        return address if holder is not None and holder.is_alive() else None

    def _nobody(self, error: Exception) -> str:
        holder = read_holder(self._places.lock_file)
        if holder is not None and holder.is_alive():
            return f"The daemon (pid {holder.pid}) does not answer: {error}. Try `agentinitd restart`."
        return "agentinitd is not running (it left its socket behind). Start it with `agentinitd start`."


def _pieces(channel: socket.socket, method: str, target: str, body: bytes) -> Iterator[bytes]:
    """Sends a request and gives the body of the answer.  Raises AgentinitdError with what an error says."""
    http = h11.Connection(h11.CLIENT)
    # The daemon may refuse before it has read everything; its answer says why.
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        channel.sendall(_request(http, method, target, body))
    head, refusal = None, b""
    while not isinstance(event := http.next_event(), h11.EndOfMessage):
        if event is h11.NEED_DATA:
            http.receive_data(channel.recv(BLOCK_BYTES))
        elif isinstance(event, h11.Response):
            head = event
        elif isinstance(event, h11.Data) and head is not None:
            if head.status_code < 400:
                yield bytes(event.data)
            else:
                refusal += event.data
    if head is not None and head.status_code >= 400:
        raise AgentinitdError(_message(refusal) or f"The daemon answered {head.status_code}.")


def _request(http: h11.Connection, method: str, target: str, body: bytes) -> bytes:
    headers = [("Host", "agentinitd"), ("Connection", "close"), ("Content-Length", str(len(body)))]
    events = [
        h11.Request(method=method, target=target, headers=headers),
        h11.Data(data=body),
        h11.EndOfMessage(),
    ]
    return b"".join(http.send(event) or b"" for event in events)


def _decoded(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise AgentinitdError(
            f"The daemon's answer cannot be read: {error}. Try `agentinitd restart`."
        ) from error


def _target(path: str, query: dict[str, str | None]) -> str:
    given = {name: value for name, value in query.items() if value is not None}
    return quote(path) + (f"?{urlencode(given)}" if given else "")


def _message(data: bytes) -> str:
    try:
        return str(msgspec.json.decode(data)["error"])
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError):
        return ""
