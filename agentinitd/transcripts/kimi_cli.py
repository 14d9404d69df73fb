"""The messages in a `wire.jsonl` of Kimi CLI, each by its type.  What a sub-agent does is none of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from agentinitd.transcripts.json_lines import text_of, tokens_of
from agentinitd.transcripts.kimi_records import CliUsage, Payload, content_of, function_of, input_of, value_of
from agentinitd.transcripts.kimi_teller import Teller, texts_of, typed_text

_COMMAND = re.compile(
    r"\s*/(init|compact|clear|reset|yolo|afk|plan|add-dir|export|import)(?=\s|$)", re.IGNORECASE
)
"""Those that the program carries out itself; others, as `/skill:name`, are sent to the model."""
_CLEARING = frozenset({"clear", "reset"})


def _read_turn(teller: Teller, payload: Payload) -> None:
    text = typed_text(content_of(payload.user_input))
    command = _COMMAND.match(text or "")
    memory = teller.memory
    memory.command = command[1].lower() if command is not None else None
    if memory.command in _CLEARING:
        teller.cleared("clear")
    elif text is not None and memory.command is None:
        teller.person(text)


def _read_steering(teller: Teller, payload: Payload) -> None:
    text = typed_text(content_of(payload.user_input))
    if text is not None:
        teller.person(text)


def _read_turn_end(teller: Teller, _payload: Payload) -> None:
    teller.memory.command = None


def _read_status(teller: Teller, payload: Payload) -> None:
    memory = teller.memory
    memory.window = tokens_of(payload.max_context_tokens) or memory.window
    tokens, usage = tokens_of(payload.context_tokens), payload.token_usage
    if tokens is None and isinstance(usage, CliUsage):
        tokens = tokens_of(input_of(usage))
    if tokens is None or (payload.message_id is not None and payload.message_id == memory.request_id):
        return
    memory.request_id = payload.message_id
    teller.request(tokens, request_id=payload.message_id)


def _read_compaction_end(teller: Teller, _payload: Payload) -> None:
    """A `CompactionBegin` alone tells nothing: without its end it failed, and the context is as it was."""
    memory = teller.memory
    teller.compaction("manual" if memory.command == "compact" else "auto", memory.context_tokens, None)


def _read_part(teller: Teller, payload: Payload) -> None:
    """What the agent says; under a command it is the program that speaks."""
    if teller.memory.command is None and payload.type == "text":
        teller.agent(text_of(payload.text))


def _read_call(teller: Teller, payload: Payload) -> None:
    function = function_of(payload)
    teller.call(payload.id, function.name, (function.arguments or "").strip().encode())


def _read_return(teller: Teller, payload: Payload) -> None:
    value = value_of(payload)
    text = "\n".join(texts_of(content_of(value.output))) or value.message or ""
    is_success = None if value.is_error is None else not value.is_error
    teller.result(payload.tool_call_id, text, is_success=is_success)


READ: dict[str, Callable[[Teller, Payload], None]] = {
    "TurnBegin": _read_turn,
    "SteerInput": _read_steering,
    "TurnEnd": _read_turn_end,
    "StatusUpdate": _read_status,
    "CompactionEnd": _read_compaction_end,
}
READ_DETAILED: dict[str, Callable[[Teller, Payload], None]] = {
    **READ,
    "ContentPart": _read_part,
    "ToolCall": _read_call,
    "ToolResult": _read_return,
}
