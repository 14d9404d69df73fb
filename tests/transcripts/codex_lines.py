"""Lines of Codex rollouts, made for the tests, and what reading them gives."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agentinitd.model.events import Event, SessionSeen
from agentinitd.transcripts.codex_reader import CodexReader

SAMPLES = Path(__file__).parents[1] / "data" / "codex"
AT = "2026-11-29T10:00:00.000Z"
META = {"id": "thread-1", "timestamp": AT, "cwd": "/home/user/project", "cli_version": "0.155.0"}
FORK = {**META, "forked_from_id": "thread-0"}


def at(second: float) -> str:
    return f"2026-11-29T10:{int(second) // 60:02}:{second % 60:06.3f}Z"


def record(kind: str, payload: object, second: float = 0.0) -> dict[str, Any]:
    return {"timestamp": at(second), "type": kind, "payload": payload}


def event(kind: str, second: float = 0.0, /, **fields: object) -> dict[str, Any]:
    return record("event_msg", {"type": kind, **fields}, second)


def item(kind: str, second: float = 0.0, /, **fields: object) -> dict[str, Any]:
    return record("response_item", {"type": kind, **fields}, second)


def meta(payload: object = META, second: float = 0.0) -> dict[str, Any]:
    return record("session_meta", payload, second)


def typed(text: str = "go on", second: float = 0.0) -> dict[str, Any]:
    return event("user_message", second, message=text, images=[])


def said(text: str, role: str = "assistant") -> dict[str, Any]:
    return item("message", role=role, content=[{"type": "output_text", "text": text}])


_TOTALS = iter(range(1_000_000, 10_000_000))


def tokens(
    size: int, second: float = 0.0, *, total: int | None = None, window: int = 258_400
) -> dict[str, Any]:
    last = {"input_tokens": size - 10, "cached_input_tokens": size - 20, "output_tokens": 10}
    whole = next(_TOTALS) if total is None else total
    info = {
        "total_token_usage": {"input_tokens": whole, "total_tokens": whole},
        "last_token_usage": {**last, "total_tokens": size},
        "model_context_window": window,
    }
    return event("token_count", second, info=info, rate_limits={"primary": None})


def estimate(size: int) -> dict[str, Any]:
    last = {"input_tokens": 0, "cached_input_tokens": 0, "output_tokens": 0, "total_tokens": size}
    info = {
        "total_token_usage": {"total_tokens": 5},
        "last_token_usage": last,
        "model_context_window": 258_400,
    }
    return event("token_count", info=info)


def compacted(second: float = 0.0, **fields: object) -> dict[str, Any]:
    return record("compacted", {"message": "", "replacement_history": [], **fields}, second)


def data_of(records: Iterable[object]) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in records)


def read(data: bytes) -> list[Event]:
    reader = CodexReader(is_detailed=True)
    return reader.feed(data) + reader.flush()


def events_of(*records: object) -> list[Event]:
    return [each for each in read(data_of(records)) if not isinstance(each, SessionSeen)]


def of(kind: type[Event], events: Iterable[Event]) -> list[Any]:
    return [each for each in events if isinstance(each, kind)]


def kinds(events: Iterable[Event]) -> list[str]:
    return [type(each).__name__ for each in events]


def in_pieces(data: bytes, cuts: Iterable[int]) -> list[Event]:
    reader = CodexReader(is_detailed=True)
    events: list[Event] = []
    start = 0
    for end in [*sorted(cuts), len(data)]:
        events += reader.feed(data[start:end])
        start = end
    return events + reader.flush()


def history(second: float) -> list[dict[str, Any]]:
    parent = {**META, "id": "thread-0", "cwd": "/elsewhere"}
    return [
        meta(parent, second),
        typed("old", second),
        record("turn_context", {"cwd": "/elsewhere", "model": "m"}, second + 0.01),
        tokens(200_000, second + 0.01),
        compacted(second + 0.02),
        event("context_compacted", second + 0.02),
        tokens(31_000, second + 0.03),
    ]
