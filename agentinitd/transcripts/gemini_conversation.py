"""Messages of a Gemini conversation → events, whether they come as lines or out of a document."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

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
    Patch,
    Record,
    ToolUse,
    messages_of,
    parts_of,
    text_in,
    tools_of,
)
from agentinitd.transcripts.gemini_telling import Telling, Where
from agentinitd.transcripts.json_lines import tokens_of

# The window is not in the transcript; the program itself knows it by the model's name.
_WINDOW_TOKENS = 1_048_576
_GEMMA_WINDOW_TOKENS = 256_000
# A smaller fall is the noise between two requests.
_FALL_PERCENT = 10
_SIGN = b"(agentinitd "
_RESPONSE = b'[{"functionResponse":'


class Conversation(Telling):
    """Takes records in order.  The caller says where each one stands, and takes the events."""

    def __init__(
        self,
        memory: Memory,
        *,
        is_detailed: bool = False,
        root: str | None = None,
        projects: Iterable[str] = (),
    ) -> None:
        super().__init__(memory, root=root, projects=projects)
        self._is_detailed = is_detailed
        self.compressions = Compressions(self)

    def read(self, record: Record) -> None:
        """One line of a transcript; in the order in which the program itself looks at them."""
        if record.rewind_to is not None:
            self.compressions.settle()
            self.clear(record, "rewind")
        elif record.id is not None:
            self.read_message(record)
        elif record.patch is not None:
            self._read_patch(record.patch)
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
        if record.timestamp is not None and record.timestamp > self.memory.newest:
            self.memory.newest = record.timestamp

    def _read_patch(self, patch: Patch) -> None:
        if patch.session_id is not None or patch.directories or patch.kind is not None:
            self.read_head(
                Record(
                    session_id=patch.session_id,
                    kind=patch.kind,
                    directories=patch.directories,
                    last_updated=patch.last_updated,
                )
            )
        if patch.messages:
            self.compressions.settle()
            where = Record(last_updated=patch.last_updated)
            self.compressions.read_checkpoint(where, messages_of(patch.messages))

    def _read_answer(self, record: Record) -> None:
        memory = self.memory
        memory.is_marked = False
        known = memory.messages.get(record.id or "", "")
        if record.tokens is not None and "r" not in known:
            tokens = tokens_of(record.tokens.input)
            if tokens is not None:
                known += "r"
                self.note_message(record, known)
                self._see_request(record, tokens)
        if self._is_detailed:
            self._read_detail(record, known)
        elif memory.cwd is None and record.tool_calls and memory.session_id is not None:
            for tool in tools_of(record.tool_calls):
                self.find_project(gemini_tools.absolute_paths(tool.args), record)

    def _read_detail(self, record: Record, known: str) -> None:
        """What was said and done."""
        where = self.where(record)
        if "t" not in known:
            text = text_in(record.content)
            if text and not text.isspace():
                self.note_message(record, known + "t")
                self.events.append(AgentMessage(**where, text=text))
        for tool in tools_of(record.tool_calls):
            self._read_tool(record, tool, where)

    def _see_request(self, record: Record, tokens: int) -> None:
        memory = self.memory
        peak = memory.peak
        if peak is not None and tokens < peak:
            if self._is_fall(peak, tokens):
                self.clear(record, "microcompact")
                memory.peak = tokens
        else:
            memory.peak = tokens
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

    def _read_tool(self, record: Record, tool: ToolUse, where: Where) -> None:
        memory = self.memory
        name = tool.name or ""
        call_id = tool.id or f"{record.id}:{name}"
        if note(memory.calls, call_id, "c", limit=KNOWN_CALLS):
            if memory.cwd is None:
                self.find_project(gemini_tools.absolute_paths(tool.args), record)
            remember(memory.open_calls, call_id, limit=KNOWN_CALLS)
            args = gemini_tools.input_of(tool.args)
            self.events.append(ToolCall(**where, call_id=call_id, name=name, input_json=args))
        is_success = gemini_tools.IS_SUCCESS.get(tool.status or "")
        if is_success is None or not note(memory.calls, call_id, "r", limit=KNOWN_CALLS):
            return
        memory.open_calls.pop(call_id, None)
        text = gemini_tools.result_text(tool)
        self.events.append(ToolResult(**where, call_id=call_id, is_success=is_success, text=text))
        steps = gemini_tools.plan_in(name, tool.args) if is_success else None
        if steps is not None:
            self.events.append(PlanUpdate(**where, steps=steps))

    def _read_user(self, record: Record) -> None:
        memory = self.memory
        content = bytes(record.content)
        if not memory.open_calls and content.startswith(_RESPONSE):
            return  # nothing here was typed, and the result stood with its call
        if _SIGN in content:
            self._look_for_snippet(record)
        if record.id is not None and gemini_messages.holds_snapshot(record):
            remember(memory.snapshots, record.id, limit=KNOWN_SNAPSHOTS)
        if memory.open_calls and b"functionResponse" in content:
            self._read_responses(record)
        if not self.is_new(record, "p"):
            return
        text = gemini_messages.typed_text(record)
        if text is not None and not memory.is_helper:
            memory.prompts = min(2, memory.prompts + 1)
            memory.snippet = None
            self.events.append(PersonMessage(**self.where(record), text=text))

    def _read_responses(self, record: Record) -> None:
        """Results that did not come with their calls."""
        for part in parts_of(record.content):
            found = part.function_response
            call_id = found.id if found is not None else None
            if found is None or call_id is None or self.memory.open_calls.pop(call_id, None) is None:
                continue
            note(self.memory.calls, call_id, "r", limit=KNOWN_CALLS)
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


@lru_cache(maxsize=64)
def _window_of(model: str) -> int | None:
    if model.startswith("gemini"):
        return _WINDOW_TOKENS
    return _GEMMA_WINDOW_TOKENS if model.startswith("gemma-4") else None
