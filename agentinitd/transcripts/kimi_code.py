"""The records in a `wire.jsonl` of Kimi Code, each by its type."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Raw

from agentinitd.model.events import AgentMessage, CompactionTrigger
from agentinitd.transcripts.json_lines import NOT_PLAIN, lenient, plain, text_of, tokens_of, typed
from agentinitd.transcripts.kimi_records import (
    Call,
    LoopEvent,
    Message,
    Origin,
    Output,
    Record,
    Usage,
    decode_calls,
    decode_loop_event,
)
from agentinitd.transcripts.kimi_teller import Teller, parts_of, texts_of, typed_text

MAX_PROMPTS = 64
_TRIGGERS: dict[str | None, CompactionTrigger] = {"auto": "auto", "manual": "manual"}
_SIGN = b"(agentinitd "


def _read_prompt(teller: Teller, record: Record) -> None:
    """Told when it is typed; it becomes part of the conversation a little later, in a record of its own."""
    memory = teller.memory
    text = _typed(record.origin, record.input)
    if text is None:
        return
    memory.is_compacting = False
    memory.prompts = min(memory.prompts + 1, MAX_PROMPTS)
    teller.person(text)


def _typed(origin: Origin | None, content: Raw) -> str | None:
    kind = origin.kind if origin is not None else None
    if origin is None or kind in (None, "user"):
        return typed_text(parts_of(content))
    if origin.trigger != "user-slash":
        return None
    name, arguments = (
        (origin.skill_name, origin.skill_args)
        if kind == "skill_activation"
        else (origin.command_name, origin.command_args)
    )
    return f"/{name or ''} {arguments or ''}".strip()


def _read_message(teller: Teller, record: Record) -> None:
    message = record.message
    if message is not None:
        read = _READ_ROLE.get(message.role or "")
        if read is not None:
            read(teller, message)


def _read_user(teller: Teller, message: Message) -> None:
    memory = teller.memory
    text = _typed(message.origin, message.content)
    if text is None:
        if _SIGN in bytes(message.content):
            teller.snippet(_without_tags(texts_of(parts_of(message.content))))
    elif memory.prompts:
        memory.prompts -= 1
    else:
        teller.person(text)


def _without_tags(texts: list[str]) -> list[str]:
    """A reminder is wrapped in lines of tags."""
    return ["\n".join(line for line in text.splitlines() if line[:1] != "<") for text in texts]


def _read_assistant(teller: Teller, message: Message) -> None:
    for text in texts_of(parts_of(message.content)):
        if text.strip():
            teller.events.append(AgentMessage(**teller.where, text=text))
    for call in _calls_in(message.tool_calls):
        name, arguments = (
            (call.name, call.arguments)
            if call.function is None
            else (call.function.name, call.function.arguments)
        )
        teller.call(call.id, name, (arguments or "").strip().encode())


def _calls_in(raw: Raw) -> list[Call]:
    if bytes(raw)[:1] != b"[":
        return []
    try:
        return decode_calls(bytes(raw))
    except NOT_PLAIN:
        values = plain(raw)
    return [lenient(value, Call) for value in values or () if isinstance(value, dict)]


def _read_tool(teller: Teller, message: Message) -> None:
    text = "\n".join(texts_of(parts_of(message.content)))
    is_success = None if message.is_error is None else not message.is_error
    teller.result(message.tool_call_id, text, is_success=is_success)


def _read_loop_event(teller: Teller, record: Record) -> None:
    event = typed(record.event, decode_loop_event, LoopEvent)
    if event.type == "content.part" and event.part is not None:
        for text in texts_of([event.part]):
            if text.strip():
                teller.events.append(AgentMessage(**teller.where, text=text))
    elif event.type == "tool.call":
        arguments = bytes(event.args)
        teller.call(event.tool_call_id, event.name, _object_in(arguments))
    elif event.type == "tool.result":
        result = event.result or Output()
        text = "\n".join(texts_of(parts_of(result.output)))
        teller.result(event.tool_call_id, text, is_success=not result.is_error)


def _object_in(arguments: bytes) -> bytes:
    """Arguments are an object, or one in a text."""
    return text_of(Raw(arguments)).strip().encode() if arguments[:1] == b'"' else arguments


def _read_request(teller: Teller, record: Record) -> None:
    teller.memory.request_kind = record.kind


def _read_usage(teller: Teller, record: Record) -> None:
    """The context of a step; not of a call that summarises, or gives the session its title."""
    memory, usage = teller.memory, record.usage or Usage()
    scope, kind = record.usage_scope, memory.request_kind
    is_aside = kind == "compaction" or (kind is None and memory.is_compacting)
    tokens = tokens_of(
        (usage.input_other or 0) + (usage.input_cache_read or 0) + (usage.input_cache_creation or 0)
    )
    if tokens is not None and (scope == "turn" or (scope is None and not is_aside)):
        teller.request(tokens, model=record.model or "")


def _read_compaction_begin(teller: Teller, record: Record) -> None:
    """Without `context.apply_compaction` it was cancelled; when it is tried again it begins again."""
    teller.memory.trigger = _TRIGGERS.get(record.source)
    teller.memory.is_compacting = True


def _read_compaction_cancel(teller: Teller, _record: Record) -> None:
    teller.memory.trigger, teller.memory.is_compacting = None, False


def _read_compaction(teller: Teller, record: Record) -> None:
    memory = teller.memory
    teller.compaction(memory.trigger, record.tokens_before, record.tokens_after)
    memory.trigger, memory.is_compacting = None, False


def _read_store(teller: Teller, record: Record) -> None:
    if record.key == "todo":
        teller.plan(plain(record.value))


def _read_config(teller: Teller, record: Record) -> None:
    if record.cwd is not None and record.cwd != teller.memory.cwd:
        teller.memory.cwd = record.cwd
        teller.session()


def _read_forked(teller: Teller, _record: Record) -> None:
    """What stands before was copied from another session, and nothing of it is under way here."""
    teller.memory.begin_file()


_READ_ROLE: dict[str, Callable[[Teller, Message], None]] = {
    "user": _read_user,
    "assistant": _read_assistant,
    "tool": _read_tool,
}
READ: dict[str, Callable[[Teller, Record], None]] = {
    "turn.prompt": _read_prompt,
    "turn.steer": _read_prompt,
    "context.append_message": _read_message,
    "context.append_loop_event": _read_loop_event,
    "context.apply_compaction": _read_compaction,
    "context.clear": lambda teller, _record: teller.cleared("clear"),
    "context.undo": lambda teller, _record: teller.cleared("rewind"),
    "micro_compaction.apply": lambda teller, _record: teller.cleared("microcompact"),
    "full_compaction.begin": _read_compaction_begin,
    "full_compaction.cancel": _read_compaction_cancel,
    "llm.request": _read_request,
    "usage.record": _read_usage,
    "tools.update_store": _read_store,
    "config.update": _read_config,
    "forked": _read_forked,
}
