"""Requests and answers of the socket, as values, and the table that finds the handler of a request."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote

import msgspec


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: bytes = b""
    has_left: Callable[[], bool] = lambda: False
    """Whether the client has gone meanwhile, and nobody hears the answer."""

    @property
    def path(self) -> str:
        return _origin_form(self.target).partition("?")[0]

    @property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(_origin_form(self.target).partition("?")[2], keep_blank_values=True))


def _origin_form(target: str) -> str:
    """Path and query: a target may name the server as well (RFC 9112 section 3.2.2), and ours is clear."""
    scheme, separator, rest = target.partition("://")
    if separator and scheme in ("http", "https"):
        return "/" + rest.partition("/")[2]
    return target


Finished = Callable[[bool], Awaitable[None]]
"""Called once when the exchange is over: whether every byte was sent and the client took it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpAnswer:
    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    stream: AsyncIterator[bytes] | None = None
    """Sent piece by piece in place of `body`, until it ends or the client leaves."""
    finished: Finished | None = None


Handler = Callable[[HttpRequest, Mapping[str, str]], Awaitable[HttpAnswer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One verb and path; `{name}` parts are handed to the handler by name."""

    method: str
    pattern: str
    handler: Handler
    is_slow: bool = False
    """Scripts may run before the answer: the client is told at once that somebody is at work."""
    runs_scripts: bool = False
    """Refused to scripts: one that waited for the end of another rebuild would begin a chain without end."""

    def match(self, path: str) -> dict[str, str] | None:
        wanted, given = self.pattern.split("/"), path.split("/")
        if len(wanted) != len(given):
            return None
        found: dict[str, str] = {}
        for want, have in zip(wanted, given, strict=True):
            if want.startswith("{"):
                found[want[1:-1]] = unquote(have)
            elif want != have:
                return None
        return found


class HttpError(Exception):
    """An answer that is an error: `status`, and the message as JSON."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status

    @property
    def answer(self) -> HttpAnswer:
        return json_answer({"error": str(self)}, status=self.status)


def json_answer(value: object, *, status: int = 200) -> HttpAnswer:
    return HttpAnswer(status=status, body=msgspec.json.encode(value) + b"\n")


def find_route(routes: tuple[Route, ...], request: HttpRequest) -> tuple[Route, dict[str, str]]:
    """Raises HttpError 404 for an unknown path, 405 for a known path with another verb."""
    is_known = False
    for route in routes:
        parts = route.match(request.path)
        if parts is None:
            continue
        if route.method == request.method:
            return route, parts
        is_known = True
    if is_known:
        raise HttpError(405, f"{request.method} is not possible on {request.path}.")
    raise HttpError(404, f"There is nothing at {request.path}. `GET /v1/status` is a place to start.")
