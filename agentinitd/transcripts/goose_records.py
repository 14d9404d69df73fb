"""What Goose writes of a message → frozen values: typed and fast when it is as expected, forgiving when not.

A field of the wrong type counts as absent.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from agentinitd.model.events import PlanStatus, PlanStep
from agentinitd.transcripts.claude_code_records import whole
from agentinitd.transcripts.json_lines import NOT_PLAIN, lenient, text_of, typed

_MILLISECONDS_FROM = 10**11
_TIME_LIMIT = 10**14
_COMMAND = re.compile(r"\s*/(?:compact|summarize|clear)\s*\Z")
_COMPACTION_COMMAND = re.compile(r"\s*/(?:compact|summarize)\s*\Z")
_TOOLS = frozenset({"toolRequest", "frontendToolRequest", "toolResponse"})
_TODO = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[(.)\]\s+(.+?)\s*$", re.MULTILINE)
_STATUSES: dict[str, PlanStatus] = {"x": "done", "X": "done", "~": "in_progress", "/": "in_progress"}


class Said(Struct, gc=False):
    """One piece of what a tool answered."""

    text: str | None = None


class Answer(Struct, gc=False, rename="camel"):
    content: list[Said] | None = None
    is_error: bool | None = None


class Result(Struct, gc=False):
    status: str | None = None
    # Before answers had a flag of their own, they were the list of their pieces.
    value: Answer | list[Said] | None = None
    error: str | None = None


class Asked(Struct, gc=False):
    name: str | None = None
    arguments: Raw = Raw()


class Call(Struct, gc=False):
    value: Asked | None = None
    """None where Goose itself could not read the model's call."""


class Piece(Struct, gc=False, rename="camel"):
    """One piece of a message's content."""

    type: str | None = None
    text: Raw = Raw()
    id: str | None = None
    tool_call: Raw = Raw()
    tool_result: Raw = Raw()


class Shown(Struct, gc=False, rename="camel"):
    user_visible: bool | None = None
    agent_visible: bool | None = None


class Line(Struct, gc=False):
    """A line of the old format: the first tells of the session, the others are messages."""

    role: str | None = None
    created: int | float | None = None
    content: list[Piece] | None = None
    metadata: Shown | None = None
    working_dir: str | None = None
    message_count: int | None = None
    total_tokens: int | None = None
    output_tokens: int | None = None
    accumulated_total_tokens: int | None = None


_decode_pieces = msgspec.json.Decoder(list[Piece]).decode
_decode_call = msgspec.json.Decoder(Call).decode
_decode_result = msgspec.json.Decoder(Result).decode
_decode_shown = msgspec.json.Decoder(Shown).decode


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
    texts: tuple[Piece, ...]
    has_picture: bool
    tools: tuple[Piece, ...]
    """Tools that are asked for, or that answered."""
    is_shown: bool
    """To the person."""
    is_sent: bool
    """To the model."""

    @property
    def text(self) -> str:
        """Decoded only when somebody asks: of most messages nobody does."""
        texts = [text_of(piece.text) for piece in self.texts]
        return "\n".join([text for text in texts if text and not text.isspace()])

    @property
    def fingerprint(self) -> str:
        """Of what it says: the same when it is deleted and inserted again."""
        text = self.text.encode("utf-8", "replace")
        ids = "".join([piece.id or "" for piece in self.tools])
        return f"{self.role[0]}{self.created_at:.0f}:{len(text)}:{zlib.crc32(text):x}{ids}"


def is_command(text: str) -> bool:
    """Typed for the program, not for the model."""
    return (text[:1] == "/" or text[:1].isspace()) and bool(_COMMAND.match(text))


def is_compaction_command(text: str) -> bool:
    return bool(_COMPACTION_COMMAND.match(text))


def message_of(role: object, created: object, pieces: list[Piece], shown: Shown | None) -> Message | None:
    """None for one that cannot be read."""
    at = seconds(created) or 0.0
    if role != "user" and role != "assistant":
        if not isinstance(role, str):
            return None
        return Message("other", at, (), False, (), is_shown=False, is_sent=False)
    texts: list[Piece] = []
    tools: list[Piece] = []
    has_picture = False
    for piece in pieces:
        if piece.type == "text":
            texts.append(piece)
        elif piece.type == "image":
            has_picture = True
        elif piece.type in _TOOLS:
            tools.append(piece)
    return Message(
        "user" if role == "user" else "assistant",
        at,
        tuple(texts),
        has_picture,
        tuple(tools),
        shown is None or shown.user_visible is not False,
        shown is None or shown.agent_visible is not False,
    )


def pieces_of(content: object) -> list[Piece] | None:
    """The content of a message, as it stands in the database; None for what is none."""
    if not isinstance(content, str | bytes):
        return None
    try:
        return _decode_pieces(content)
    except NOT_PLAIN:
        pieces = decoded(content)
    if not isinstance(pieces, list):
        return None
    return [lenient(piece, Piece) for piece in pieces if isinstance(piece, dict)]


def shown_of(metadata: object) -> Shown | None:
    if not isinstance(metadata, str | bytes):
        return None
    try:
        return _decode_shown(metadata)
    except NOT_PLAIN:
        shown = decoded(metadata)
    return lenient(shown, Shown) if isinstance(shown, dict) else None


def tool_of(piece: Piece) -> Tool | None:
    """None for a call that Goose itself could not read."""
    if piece.type != "toolResponse":
        asked = typed(piece.tool_call, _decode_call, Call).value
        if asked is None:
            return None
        is_object = bytes(asked.arguments)[:1] == b"{"
        given = bytes(asked.arguments) if is_object else b"{}"
        return Tool(piece.id or "", name=asked.name or "", input_json=given)
    result = typed(piece.tool_result, _decode_result, Result)
    if result.status == "error":
        return Tool(piece.id or "", is_answer=True, is_success=False, text=result.error or "")
    answer = result.value if isinstance(result.value, Answer) else Answer(content=result.value)
    text = "\n".join([said.text for said in answer.content or () if said.text])
    return Tool(piece.id or "", is_answer=True, is_success=answer.is_error is not True, text=text)


def plan_steps(tool: Tool) -> tuple[PlanStep, ...] | None:
    """The to-do list that this call writes, a Markdown check list; None when it writes none."""
    if not tool.name.endswith("todo_write"):
        return None
    value = decoded(tool.input_json)
    content = _text(value, "content") if isinstance(value, dict) else ""
    found = _TODO.findall(content)
    return tuple(PlanStep(text=text, status=_STATUSES.get(mark, "pending")) for mark, text in found)


def decoded(text: object) -> Any:
    """JSON → plain values; None for what is none."""
    if not isinstance(text, str | bytes):
        return None
    try:
        return msgspec.json.decode(text)
    except NOT_PLAIN:
        pass
    try:
        return json.loads(text if isinstance(text, str) else text.decode("utf-8", "replace"), strict=False)
    except (ValueError, RecursionError):
        return None


def seconds(value: object) -> float | None:
    """A time since the epoch; some rows have it in milliseconds."""
    found = value if type(value) is int else whole(value)
    if found is None or not 0 < found < _TIME_LIMIT:
        return None
    return found / 1000 if found >= _MILLISECONDS_FROM else float(found)


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        return ""
    return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
