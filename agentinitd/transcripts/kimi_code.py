"""The records in a `wire.jsonl` of Kimi Code, each by its type."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Raw

from agentinitd.model.events import CompactionTrigger
from agentinitd.transcripts.json_lines import plain, text_of, tokens_of
from agentinitd.transcripts.kimi_records import (
    Content,
    Function,
    Message,
    Origin,
    Output,
    Part,
    Record,
    Usage,
    calls_of,
    content_of,
    event_of,
    input_of,
)
from agentinitd.transcripts.kimi_teller import Teller, texts_of, typed_text

MAX_PROMPTS = 64
_TRIGGERS: dict[str | None, CompactionTrigger] = {"auto": "auto", "manual": "manual"}
_SIGN = "(agentinitd "


def _read_prompt(teller: Teller, record: Record) -> None:
    """Told when it is typed; it becomes part of the conversation a little later, in a record of its own."""
    memory = teller.memory
    text = _typed(record.origin, content_of(record.input))
    if text is None:
        return
    memory.is_compacting = False
    memory.prompts = min(memory.prompts + 1, MAX_PROMPTS)
    teller.person(text)


def _typed(origin: Origin | str | None, content: Content) -> str | None:
    kind = origin.kind if isinstance(origin, Origin) else None
    if not isinstance(origin, Origin) or kind in (None, "user"):
        return typed_text(content)
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
    if isinstance(message, Message) and message.role == "user":
        _read_user(teller, message)


def _read_any_message(teller: Teller, record: Record) -> None:
    message = record.message
    if isinstance(message, Message):
        read = _READ_ROLE.get(message.role or "")
        if read is not None:
            read(teller, message)


def _read_user(teller: Teller, message: Message) -> None:
    memory = teller.memory
    content = content_of(message.content)
    text = _typed(message.origin, content)
    if text is None:
        teller.snippet(_without_tags(text) for text in texts_of(content) if _SIGN in text)
    elif memory.prompts:
        memory.prompts -= 1
    else:
        teller.person(text)


def _without_tags(text: str) -> str:
    """A reminder is wrapped in lines of tags."""
    return "\n".join(line for line in text.splitlines() if line[:1] != "<")


def _read_assistant(teller: Teller, message: Message) -> None:
    teller.agent(content_of(message.content))
    for call in calls_of(message):
        function = call.function
        name, arguments = (
            (function.name, function.arguments)
            if isinstance(function, Function)
            else (call.name, call.arguments)
        )
        teller.call(call.id, name, (arguments or "").strip().encode())


def _read_tool(teller: Teller, message: Message) -> None:
    is_success = None if message.is_error is None else not message.is_error
    teller.result(
        message.tool_call_id, "\n".join(texts_of(content_of(message.content))), is_success=is_success
    )


def _read_loop_event(teller: Teller, record: Record) -> None:
    event = event_of(record)
    if event.type == "content.part":
        if isinstance(event.part, Part) and event.part.type == "text":
            teller.agent(event.part.text)
    elif event.type == "tool.call":
        teller.call(event.tool_call_id, event.name, _object_in(bytes(event.args)))
    elif event.type == "tool.result":
        result = event.result if isinstance(event.result, Output) else Output()
        text = "\n".join(texts_of(content_of(result.output)))
        teller.result(event.tool_call_id, text, is_success=not result.is_error)


def _object_in(arguments: bytes) -> bytes:
    """Arguments are an object, or one in a text."""
    return text_of(Raw(arguments)).strip().encode() if arguments[:1] == b'"' else arguments


def _read_request(teller: Teller, record: Record) -> None:
    teller.memory.request_kind = record.kind


def _read_usage(teller: Teller, record: Record) -> None:
    """The context of a step; not of a call that summarises, or gives the session its title."""
    memory, usage = teller.memory, record.usage
    scope, kind = record.usage_scope, memory.request_kind
    is_aside = kind == "compaction" or (kind is None and memory.is_compacting)
    tokens = tokens_of(input_of(usage)) if isinstance(usage, Usage) else None
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
    "context.apply_compaction": _read_compaction,
    "context.clear": lambda teller, _record: teller.cleared("clear"),
    "context.undo": lambda teller, _record: teller.cleared("rewind"),
    "micro_compaction.apply": lambda teller, _record: teller.cleared("microcompact"),
    "full_compaction.begin": _read_compaction_begin,
    "full_compaction.cancel": _read_compaction_cancel,
    "llm.request": _read_request,
    "usage.record": _read_usage,
    "config.update": _read_config,
    "forked": _read_forked,
}
READ_DETAILED: dict[str, Callable[[Teller, Record], None]] = {
    **READ,
    "context.append_message": _read_any_message,
    "context.append_loop_event": _read_loop_event,
    "tools.update_store": _read_store,
}
