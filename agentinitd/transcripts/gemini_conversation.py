"""Messages of a Gemini conversation → events, whether they come as lines or out of a document."""

from __future__ import annotations

from collections.abc import Iterable

from agentinitd.model.events import (
    AgentMessage,
    PersonMessage,
    PlanUpdate,
    Request,
    SnippetSeen,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts import gemini_messages, gemini_tools
from agentinitd.transcripts.claude_code_messages import snippet_in
from agentinitd.transcripts.gemini_compression import Compressions
from agentinitd.transcripts.gemini_memory import KNOWN_CALLS, KNOWN_SNAPSHOTS, Memory, note, remember
from agentinitd.transcripts.gemini_records import (
    NOTICES,
    Record,
    ToolUse,
    message_of,
    messages_of,
    parts_of,
    tools_of,
)
from agentinitd.transcripts.gemini_telling import Telling
from agentinitd.transcripts.json_lines import clean, seconds_of, tokens_of

# The window is not in the transcript; the program itself knows it by the model's name.
_WINDOW_TOKENS = 1_048_576
_GEMMA_WINDOW_TOKENS = 256_000
# A smaller fall is the noise between two requests.
_FALL_PERCENT = 10
_SIGN = b"(agentinitd "


class Conversation(Telling):
    """Takes records in order.  The caller says where each one stands, and takes the events."""

    def __init__(self, memory: Memory, *, root: str | None = None, projects: Iterable[str] = ()) -> None:
        super().__init__(memory, root=root, projects=projects)
        self.compressions = Compressions(self)

    def read(self, record: Record) -> None:
        """One line of a transcript; in the order in which the program itself looks at them."""
        if record.rewind_to is not None:
            self.compressions.settle()
            self.clear(record, "rewind")
        elif record.id is not None:
            self.read_message(record)
        elif record.patch:
            self._read_patch(record)
        elif record.session_id is not None:
            self.read_head(record)
            for message in messages_of(record.messages):
                self.read_message(message)

    def read_message(self, record: Record) -> None:
        notice = gemini_messages.compressed_by(record) if record.type == "info" else None
        if self.memory.pending is not None:
            self.compressions.settle(notice)
        if record.type == "gemini":
            self._read_answer(record)
        elif record.type == "user":
            self._read_user(record)
        elif record.type in NOTICES:
            self.memory.has_notices = True
            if notice is not None and self.is_new(record, "n"):
                self.compressions.read_notice(record, notice)
        written_at = seconds_of(record.timestamp)
        if written_at is not None:
            self.memory.newest = max(written_at, self.memory.newest or 0.0)

    def _read_patch(self, record: Record) -> None:
        patch = message_of(bytes(record.patch))
        if patch.session_id is not None or patch.directories or patch.kind is not None:
            self.read_head(patch)
        if patch.messages:
            self.compressions.settle()
            self.compressions.read_checkpoint(patch, messages_of(patch.messages))

    def _read_answer(self, record: Record) -> None:
        self.memory.is_marked = False
        if record.tokens is not None:
            self._read_tokens(record)
        text = gemini_messages.said_text(record)
        if text.strip() and self.is_new(record, "t"):
            self.events.append(AgentMessage(**self.where(record), text=text))
        for tool in tools_of(record.tool_calls):
            self._read_tool(record, tool)

    def _read_tokens(self, record: Record) -> None:
        tokens = tokens_of(record.tokens.input) if record.tokens is not None else None
        if tokens is None or not self.is_new(record, "r"):
            return
        memory = self.memory
        if memory.peak is not None and self._is_fall(memory.peak, tokens):
            self.clear(record, "microcompact")
        memory.peak = max(tokens, memory.peak or 0)
        memory.snippet = None
        model = record.model or ""
        self.events.append(
            Request(
                **self.where(record),
                request_id=record.id or "",
                model=model,
                context_tokens=tokens,
                window_tokens=_window_of(model),
            )
        )

    def _is_fall(self, peak: int, tokens: int) -> bool:
        """Less than before without a compression: old output masked, another model, a reply without tools.

        A session with a person in front of it always says so when it compresses; one without may not.
        """
        memory = self.memory
        is_announcing = memory.has_checkpoints or memory.has_notices or memory.prompts > 1
        return is_announcing and (peak - tokens) * 100 > _FALL_PERCENT * peak

    def _read_tool(self, record: Record, tool: ToolUse) -> None:
        name = clean(tool.name) or ""
        call_id = clean(tool.id) or f"{record.id}:{name}"
        is_success = gemini_tools.IS_SUCCESS.get(tool.status or "")
        if note(self.memory.calls, call_id, "c", limit=KNOWN_CALLS):
            self.find_project(gemini_tools.absolute_paths(tool.args), record)
            args = gemini_tools.input_of(tool.args)
            self.events.append(ToolCall(**self.where(record), call_id=call_id, name=name, input_json=args))
        if is_success is None or not note(self.memory.calls, call_id, "r", limit=KNOWN_CALLS):
            return
        text = gemini_tools.result_text(tool)
        self.events.append(
            ToolResult(**self.where(record), call_id=call_id, is_success=is_success, text=text)
        )
        steps = gemini_tools.plan_in(name, tool.args) if is_success else None
        if steps is not None:
            self.events.append(PlanUpdate(**self.where(record), steps=steps))

    def _read_user(self, record: Record) -> None:
        memory = self.memory
        if _SIGN in bytes(record.content):
            self._look_for_snippet(record)
        if record.id is not None and gemini_messages.holds_snapshot(record):
            remember(memory.snapshots, record.id, limit=KNOWN_SNAPSHOTS)
        self._read_responses(record)
        if not self.is_new(record, "p"):
            return
        text = gemini_messages.typed_text(record)
        if text is not None and not memory.is_helper:
            memory.prompts = min(2, memory.prompts + 1)
            memory.snippet = None
            self.events.append(PersonMessage(**self.where(record), text=text))

    def _read_responses(self, record: Record) -> None:
        """Results of tools; mostly told before, where the call stands."""
        for part in parts_of(record.content):
            found = part.function_response
            call_id = clean(found.id) if found is not None else None
            if found is None or not call_id or not note(self.memory.calls, call_id, "r", limit=KNOWN_CALLS):
                continue
            self.events.append(
                ToolResult(
                    **self.where(record),
                    call_id=call_id,
                    is_success=not gemini_tools.has_failed(found),
                    text=gemini_tools.response_text(found),
                )
            )

    def _look_for_snippet(self, record: Record) -> None:
        for text in gemini_messages.hook_texts(record):
            snippet_id = snippet_in(text)
            if snippet_id is not None and snippet_id != self.memory.snippet and self.is_new(record, "s"):
                self.memory.snippet = snippet_id
                self.events.append(SnippetSeen(**self.where(record), snippet_id=snippet_id))


def _window_of(model: str) -> int | None:
    if model.startswith("gemini"):
        return _WINDOW_TOKENS
    return _GEMMA_WINDOW_TOKENS if model.startswith("gemma-4") else None
