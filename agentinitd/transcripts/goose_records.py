"""What Goose writes of a message → frozen values.  A field of the wrong type counts as absent."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from agentinitd.model.events import PlanStatus, PlanStep
from agentinitd.transcripts.claude_code_records import whole

TOKENS_LIMIT = 100_000_000
"""A context beyond this is a damaged number."""

_MILLISECONDS_FROM = 10**11
_TIME_LIMIT = 10**14
_COMMAND = re.compile(r"\s*/(?:compact|summarize|clear)\s*\Z")
_COMPACTION_COMMAND = re.compile(r"\s*/(?:compact|summarize)\s*\Z")
_TODO = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[(.)\]\s+(.+?)\s*$", re.MULTILINE)
_STATUSES: dict[str, PlanStatus] = {"x": "done", "X": "done", "~": "in_progress", "/": "in_progress"}


class Tool(Struct, frozen=True):
    """A tool that is asked for, or that answered."""

    call_id: str
    name: str = ""
    input_json: bytes = b"{}"
    is_answer: bool = False
    is_success: bool | None = None
    text: str = ""


class Message(Struct, frozen=True):
    role: Literal["user", "assistant", "other"]
    created_at: float
    text: str
    has_picture: bool
    tools: tuple[Tool, ...]
    is_shown: bool
    """To the person."""
    is_sent: bool
    """To the model."""

    @property
    def fingerprint(self) -> str:
        """Of what it says: the same when it is deleted and inserted again."""
        said = [self.role, f"{self.created_at}", self.text, *(tool.call_id for tool in self.tools)]
        return hashlib.blake2b("\0".join(said).encode("utf-8", "replace"), digest_size=8).hexdigest()

    @property
    def is_command(self) -> bool:
        """Typed for the program, not for the model."""
        return bool(_COMMAND.match(self.text))

    @property
    def is_compaction_command(self) -> bool:
        return bool(_COMPACTION_COMMAND.match(self.text))


def message_of(role: object, created: object, content: object, metadata: object) -> Message | None:
    """None for one that cannot be read."""
    if not isinstance(role, str) or not isinstance(content, list):
        return None
    if role not in ("user", "assistant"):
        return Message("other", seconds(created) or 0.0, "", False, (), is_shown=False, is_sent=False)
    pieces = [piece for piece in content if isinstance(piece, dict)]
    shown = metadata if isinstance(metadata, dict) else {}
    texts = [_text(piece, "text") for piece in pieces if piece.get("type") == "text"]
    return Message(
        role="user" if role == "user" else "assistant",
        created_at=seconds(created) or 0.0,
        text="\n".join(text for text in texts if text.strip()),
        has_picture=any(piece.get("type") == "image" for piece in pieces),
        tools=tuple(tool for piece in pieces if (tool := _tool_of(piece)) is not None),
        is_shown=shown.get("userVisible") is not False,
        is_sent=shown.get("agentVisible") is not False,
    )


def _tool_of(piece: Mapping[str, Any]) -> Tool | None:
    kind, call_id = piece.get("type"), _text(piece, "id")
    if kind in ("toolRequest", "frontendToolRequest"):
        value = _object(_object(piece, "toolCall"), "value")
        if not value:
            return None  # the model's call could not be read by Goose itself
        return Tool(call_id, name=_text(value, "name"), input_json=_json(value.get("arguments")))
    if kind != "toolResponse":
        return None
    result = _object(piece, "toolResult")
    if result.get("status") == "error":
        return Tool(call_id, is_answer=True, is_success=False, text=_text(result, "error"))
    value = result.get("value")
    # Before results had a flag of their own, the value was the list of their pieces.
    content = value.get("content") if isinstance(value, dict) else value
    is_error = isinstance(value, dict) and value.get("isError") is True
    pieces = content if isinstance(content, list) else []
    texts = [_text(each, "text") for each in pieces if isinstance(each, dict)]
    text = "\n".join(text for text in texts if text)
    return Tool(call_id, is_answer=True, is_success=not is_error, text=text)


def plan_steps(tool: Tool) -> tuple[PlanStep, ...] | None:
    """The to-do list that this call writes, a Markdown check list; None when it writes none."""
    if not tool.name.endswith("todo_write"):
        return None
    value = decoded(tool.input_json.decode())
    content = _text(value, "content") if isinstance(value, dict) else ""
    found = _TODO.findall(content)
    return tuple(PlanStep(text=text, status=_STATUSES.get(mark, "pending")) for mark, text in found)


def decoded(text: object) -> Any:
    """JSON → plain values; None for what is none."""
    if not isinstance(text, str):
        return None
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def tokens_of(value: object) -> int | None:
    found = whole(value)
    return found if found is not None and 0 < found < TOKENS_LIMIT else None


def seconds(value: object) -> float | None:
    """A time since the epoch; some rows have it in milliseconds."""
    found = whole(value)
    if found is None or not 0 < found < _TIME_LIMIT:
        return None
    return found / 1000 if found >= _MILLISECONDS_FROM else float(found)


def _object(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _json(value: object) -> bytes:
    if not isinstance(value, dict):
        return b"{}"
    try:
        return msgspec.json.encode(value)
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
        pass
    try:
        return json.dumps(value).encode("ascii")
    except (ValueError, RecursionError):
        return b"{}"
