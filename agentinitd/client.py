"""The only place that dials the socket: one request, one answer, or a clear reason why not."""

from __future__ import annotations

import http.client
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec

from agentinitd.daemon.lock import read_holder
from agentinitd.daemon.paths import SOCKET_NAME, Places
from agentinitd.disk import read_bounded
from agentinitd.model.errors import AgentinitdError, NotRunning, PermissionRefused

PROTOCOL = 1


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
    candidates += [places.socket, places.state_dir / "run" / SOCKET_NAME]
    for path in candidates:
        try:
            found = path.lstat()
        except OSError:
            continue
        if not stat.S_ISSOCK(found.st_mode):
            continue
        if found.st_uid not in (os.geteuid(), 0):
            raise PermissionRefused(f"{path} belongs to uid {found.st_uid}, not to you; it was not used.")
        return path
    raise NotRunning("agentinitd is not running. Start it with `agentinitd start`.")


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path, timeout_seconds: float | None) -> None:
        super().__init__("agentinitd", timeout=timeout_seconds)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


class Client:
    """Asks the daemon of this user.  Every method raises NotRunning when nobody answers."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def get(self, path: str, *, timeout_seconds: float = 5.0, **query: str | None) -> Any:
        """The decoded JSON of the answer.  Raises AgentinitdError with the daemon's own message."""
        return msgspec.json.decode(self._exchange("GET", _target(path, query), b"", timeout_seconds))

    def text(self, path: str, *, timeout_seconds: float = 30.0, **query: str | None) -> str:
        return self._exchange("GET", _target(path, query), b"", timeout_seconds).decode("utf-8", "replace")

    def post(self, path: str, value: object, *, timeout_seconds: float = 30.0) -> Any:
        return msgspec.json.decode(self._exchange("POST", path, msgspec.json.encode(value), timeout_seconds))

    def events(self) -> Iterator[bytes]:
        """The daemon's log records from now on, as JSON lines."""
        connection = self._connection(None)
        try:
            connection.request("GET", "/v1/events")
            for line in connection.getresponse():
                if line.startswith(b"data: "):
                    yield line[len(b"data: ") :].rstrip(b"\n")
        except (OSError, http.client.HTTPException) as error:
            raise NotRunning(f"The daemon went away: {error}") from error
        finally:
            connection.close()

    def _exchange(self, method: str, target: str, body: bytes, timeout_seconds: float) -> bytes:
        connection = self._connection(timeout_seconds)
        try:
            connection.request(method, target, body=body or None, headers={"Connection": "close"})
            answer = connection.getresponse()
            data = answer.read()
        except TimeoutError as error:
            raise NotRunning(
                f"The daemon did not answer within {timeout_seconds:g} s. See `agentinitd status`."
            ) from error
        except (OSError, http.client.HTTPException) as error:
            raise NotRunning(self._nobody(error)) from error
        finally:
            connection.close()
        if answer.status >= 400:
            raise AgentinitdError(_message(data) or f"The daemon answered {answer.status}.")
        return data

    def _connection(self, timeout_seconds: float | None) -> _UnixConnection:
        return _UnixConnection(find_socket(self._places), timeout_seconds)

    def _nobody(self, error: Exception) -> str:
        holder = read_holder(self._places.lock_file)
        if holder is not None and holder.is_alive():
            return f"The daemon (pid {holder.pid}) does not answer: {error}. Try `agentinitd restart`."
        return "agentinitd is not running (it left its socket behind). Start it with `agentinitd start`."


def _target(path: str, query: dict[str, str | None]) -> str:
    given = {name: value for name, value in query.items() if value is not None}
    return f"{path}?{urlencode(given)}" if given else path


def _message(data: bytes) -> str:
    try:
        return str(msgspec.json.decode(data)["error"])
    except (msgspec.MsgspecError, KeyError, TypeError):
        return ""
