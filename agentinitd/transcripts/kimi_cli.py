"""The messages in a `wire.jsonl` of Kimi CLI, each by its type.  What a sub-agent does is none of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Raw

from agentinitd.model.events import AgentMessage
from agentinitd.transcripts.json_lines import text_of, tokens_of, typed
from agentinitd.transcripts.kimi_records import (
    Call,
    Part,
    Return,
    Status,
    TokenUsage,
    Turn,
    decode_call,
    decode_part,
    decode_return,
    decode_status,
    decode_turn,
)
from agentinitd.transcripts.kimi_teller import Teller, parts_of, texts_of, typed_text

_COMMAND = re.compile(
    r"\s*/(init|compact|clear|reset|yolo|afk|plan|add-dir|export|import)(?=\s|$)", re.IGNORECASE
)
"""Those that the program carries out itself; others, as `/skill:name`, are sent to the model."""
_CLEARING = frozenset({"clear", "reset"})


def _read_turn(teller: Teller, payload: Raw) -> None:
    text = typed_text(parts_of(typed(payload, decode_turn, Turn).user_input))
    command = _COMMAND.match(text or "")
    memory = teller.memory
    memory.command = command[1].lower() if command is not None else None
    if memory.command in _CLEARING:
        teller.cleared("clear")
    elif text is not None and memory.command is None:
        teller.person(text)


def _read_steering(teller: Teller, payload: Raw) -> None:
    text = typed_text(parts_of(typed(payload, decode_turn, Turn).user_input))
    if text is not None:
        teller.person(text)


def _read_turn_end(teller: Teller, _payload: Raw) -> None:
    teller.memory.command = None


def _read_status(teller: Teller, payload: Raw) -> None:
    status = typed(payload, decode_status, Status)
    memory = teller.memory
    memory.window = tokens_of(status.max_context_tokens) or memory.window
    tokens = tokens_of(status.context_tokens)
    if tokens is None and status.token_usage is not None:
        tokens = tokens_of(_input_of(status.token_usage))
    if tokens is None or (status.message_id is not None and status.message_id == memory.request_id):
        return
    memory.request_id = status.message_id
    teller.request(tokens, request_id=status.message_id)


def _input_of(usage: TokenUsage) -> int:
    return (usage.input_other or 0) + (usage.input_cache_read or 0) + (usage.input_cache_creation or 0)


def _read_compaction_end(teller: Teller, _payload: Raw) -> None:
    """A `CompactionBegin` alone tells nothing: without its end it failed, and the context is as it was."""
    memory = teller.memory
    teller.compaction("manual" if memory.command == "compact" else "auto", memory.context_tokens, None)


def _read_part(teller: Teller, payload: Raw) -> None:
    """What the agent says; under a command it is the program that speaks."""
    if teller.memory.command is None:
        part = typed(payload, decode_part, Part)
        for text in texts_of([part]):
            if text.strip():
                teller.events.append(AgentMessage(**teller.where, text=text))


def _read_call(teller: Teller, payload: Raw) -> None:
    call = typed(payload, decode_call, Call)
    if call.function is not None:
        teller.call(call.id, call.function.name, (call.function.arguments or "").strip().encode())


def _read_return(teller: Teller, payload: Raw) -> None:
    found = typed(payload, decode_return, Return)
    value = found.return_value
    if value is None:
        return
    text = "\n".join(texts_of(parts_of(value.output))) or text_of(value.message)
    is_success = None if value.is_error is None else not value.is_error
    teller.result(found.tool_call_id, text, is_success=is_success)


READ: dict[str, Callable[[Teller, Raw], None]] = {
    "TurnBegin": _read_turn,
    "SteerInput": _read_steering,
    "TurnEnd": _read_turn_end,
    "StatusUpdate": _read_status,
    "CompactionEnd": _read_compaction_end,
    "ContentPart": _read_part,
    "ToolCall": _read_call,
    "ToolResult": _read_return,
}
