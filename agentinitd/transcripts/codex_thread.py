"""What the records of a Codex rollout mean for its thread: one record after the other → events."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from typing import Protocol, TypedDict

import msgspec

from agentinitd.model.events import (
    AgentMessage,
    ClearKind,
    CompactionMarker,
    ContextCleared,
    Event,
    PersonMessage,
    PlanUpdate,
    Request,
    SessionSeen,
    Skipped,
    SnippetSeen,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts import codex_memory
from agentinitd.transcripts.claude_code_messages import snippet_in
from agentinitd.transcripts.codex_content import (
    arguments_of,
    cwd_in_context,
    item_of,
    result_of,
    steps_of,
    text_in,
    texts_of,
    typed_in_content,
    typed_text,
)
from agentinitd.transcripts.codex_memory import KNOWN_MARKERS, RECENT_REQUESTS, Memory, remember
from agentinitd.transcripts.codex_records import Payload, Record
from agentinitd.transcripts.json_lines import TOKENS_LIMIT, plain, seconds_of

# What follows its `compacted` so closely tells the same compaction, even with a request between them.
NEAR_LINES = 8
# At the start of a turn the reasoning of the turns before leaves the prompt.  No compaction; but in the
# real sessions measured never more than 55 % went, so what falls deeper is left for others to judge.
DEEPEST_TURN_START_FALL = 0.6
# After a bad resume figures of many windows are written.  Twice and thrice the window is believed: for models
# it does not know, Codex assumes one that is too small.
IMPOSSIBLE_WINDOWS = 4
_SIGN = b"(agentinitd "


class Place(Protocol):
    """Of a record in the file."""

    line: int
    at: int


class _Where(TypedDict):
    line: int
    offset: int
    written_at: float | None
    is_history: bool
    is_helper: bool


class Thread:
    """Takes the records of one rollout in order; what they say gathers in `events`."""

    def __init__(self, memory: Memory, *, history_until: int, is_detailed: bool = False) -> None:
        self.memory = memory
        self.events: list[Event] = []
        self.place: Place
        """Where the record in hand stands; whoever cuts the lines sets it."""
        self._history_until = history_until
        self._items, self._events = (_ALL_ITEMS, _ALL_EVENTS) if is_detailed else (_ITEMS, _EVENTS)
        self._stamp: str | None = None
        self._is_copied = False
        # The last figures, for the quick way to know those that are written again.
        self._figures: tuple[int | None, int | None] = (None, None)

    def read(self, record: Record) -> None:
        self._stamp = record.timestamp
        if self.memory.copied_at is not None:
            self._stay_in_copy()
        payload, kind = record.payload, record.type
        if payload is None:
            self._read_bare(record.bare())
            return
        if kind == "response_item":
            read = self._items.get(payload.type)
        elif kind == "event_msg":
            read = self._events.get(payload.type)
        else:
            read = _RECORDS.get(kind)
        if read is not None:
            read(self, payload)

    def skip(self, reason: str) -> None:
        self._stamp = None
        self.events.append(Skipped(**self._where(), reason=reason))

    def _stay_in_copy(self) -> None:
        self._is_copied = codex_memory.is_still_copy(self.memory, self._when())

    def _read_bare(self, item: Payload) -> None:
        """A line of the oldest rollouts: they tell neither sizes nor compactions."""
        if item.type == "message" and item.role == "user":
            cwd = cwd_in_context(item.content)
            if cwd is not None:
                self._see_session(self.memory.session_id, cwd, self.memory.version)
            else:
                self._tell_typed(typed_in_content(item.content), by="item")
        elif item.type is None and item.timestamp is not None:
            self._read_meta(item)
        elif (read := self._items.get(item.type)) is not None:
            read(self, item)

    def _read_meta(self, meta: Payload) -> None:
        memory = self.memory
        thread_id = meta.id or meta.session_id
        if memory.session_id is None:
            memory.is_helper = codex_memory.is_helper_meta(meta)
            memory.created = codex_memory.created_at(meta)
            self._see_session(thread_id, meta.cwd, meta.cli_version)
            is_copy = codex_memory.is_copy_meta(meta)
        elif thread_id == memory.session_id:
            self._see_session(thread_id, meta.cwd, meta.cli_version)
            is_copy = False
        else:
            # The parent's, at the head of its history: also where no `forked_from_id` announced one.
            is_copy = memory.tokens is None and not memory.is_turn_start
        if is_copy and memory.copied_at is None:
            memory.copied_at = self._when() or seconds_of(meta.timestamp)

    def _see_session(self, session_id: str | None, cwd: str | None, version: str | None) -> None:
        memory = self.memory
        old = (memory.session_id, memory.cwd, memory.version)
        new = (session_id or old[0], cwd or old[1], version or old[2])
        if new == old or new[0] is None:
            return
        memory.session_id, memory.cwd, memory.version = new
        self.events.append(SessionSeen(**self._where(), session_id=new[0], cwd=new[1], agent_version=new[2]))

    def _read_turn_context(self, turn: Payload) -> None:
        memory = self.memory
        memory.model = turn.model or memory.model
        self._end_copy_at(turn)
        if not self._is_copied:
            self._see_session(memory.session_id, turn.cwd, memory.version)

    def _read_turn_start(self, turn: Payload) -> None:
        memory = self.memory
        self._note_window(turn.model_context_window)
        memory.is_turn_start, memory.is_review = True, False
        self._end_copy_at(turn)

    def _read_turn_end(self, _turn: Payload) -> None:
        self.memory.is_review = False

    def _end_copy_at(self, turn: Payload) -> None:
        if self._is_copied and codex_memory.is_own_turn(self.memory, turn):
            self._is_copied, self.memory.copied_at = False, None

    def _read_review_start(self, _event: Payload) -> None:
        self.memory.is_review = True

    def _read_user_message(self, event: Payload) -> None:
        self.memory.is_turn_start = True
        is_plain = event.kind in (None, "plain")
        self._tell_typed(typed_text(text_in(event.message)) if is_plain else None, by="event")

    def _tell_typed(self, text: str | None, *, by: str) -> None:
        memory = self.memory
        if text is None or memory.is_helper or memory.is_review:
            return
        known = f":{len(text)}:{zlib.crc32(text.encode('utf-8', 'replace')):x}"
        last, memory.typed = memory.typed, by + known
        if last.endswith(known) and last != memory.typed:
            # The same once more in the other form: what is typed twice comes twice in one form.
            memory.typed = ""
            return
        memory.snippet = None
        self.events.append(PersonMessage(**self._where(), text=text))

    def _read_tokens(self, event: Payload) -> None:
        info = event.info
        if info is None or info.last_token_usage is None:
            return
        last, total = info.last_token_usage, info.total_token_usage
        figures = (total.total_tokens if total is not None else None, last.total_tokens)
        if figures == self._figures:
            # At the start of a turn and with other news the last figures are written again.
            return
        self._figures = figures
        memory, tokens = self.memory, last.total_tokens or 0
        self._note_window(info.model_context_window)
        if not (last.input_tokens or 0) > 0 < tokens < TOKENS_LIMIT:
            # After a compaction Codex estimates, and leaves out the instructions and the tools.
            return
        if memory.window is not None and tokens > IMPOSSIBLE_WINDOWS * memory.window:
            return
        key = f"{figures[0]}:{tokens}"
        if key not in memory.requests or (figures[0] is None and key != next(reversed(memory.requests))):
            self._tell_request(key, tokens)

    def _tell_request(self, key: str, tokens: int) -> None:
        memory, place = self.memory, self.place
        remember(memory.requests, key, place.line, limit=RECENT_REQUESTS)
        if not memory.is_review:
            self._note_size(tokens)
        self.events.append(
            Request(
                line=place.line,
                offset=place.at,
                written_at=self._when(),
                is_history=self._is_copied or place.at < self._history_until,
                is_helper=memory.is_helper or memory.is_review,
                request_id=key,
                model=memory.model,
                context_tokens=tokens,
                window_tokens=memory.window,
            )
        )

    def _note_window(self, tokens: int | None) -> None:
        if tokens is not None and 0 < tokens < TOKENS_LIMIT:
            self.memory.window = tokens

    def _note_size(self, tokens: int) -> None:
        memory = self.memory
        before = memory.tokens if memory.is_turn_start else None
        if before is not None and before > tokens >= (1 - DEEPEST_TURN_START_FALL) * before:
            self._clear("microcompact")
        memory.tokens, memory.is_turn_start = tokens, False
        memory.announced, memory.snippet, memory.typed = "", None, ""

    def _read_compacted(self, record: Payload) -> None:
        memory = self.memory
        is_told = memory.announced == "completed"
        memory.announced = "both" if is_told else "record"
        memory.announced_line = self.place.line
        if not is_told:
            window_id = plain(record.window_id)
            self._tell_marker(window_id if isinstance(window_id, str) else None)

    def _read_compaction_end(self, _event: Payload) -> None:
        """It follows its `compacted`.  Alone it announces a compaction by a writer that is not known yet."""
        memory = self.memory
        is_near = 0 <= self.place.line - memory.announced_line <= NEAR_LINES
        if memory.announced or (memory.announced_line >= 0 and is_near):
            return
        memory.announced, memory.announced_line = "completed", -1
        self._tell_marker(None)

    def _tell_marker(self, known_id: str | None) -> None:
        memory = self.memory
        memory.tokens = None
        written_at = self._when()
        marker_id = known_id or (f"line:{self.place.line}" if written_at is None else f"at:{written_at:.3f}")
        if marker_id in memory.markers:
            return
        remember(memory.markers, marker_id, self.place.line, limit=KNOWN_MARKERS)
        self.events.append(
            CompactionMarker(
                **self._where(), marker_id=marker_id, trigger=None, tokens_before=None, tokens_after=None
            )
        )

    def _read_rollback(self, _event: Payload) -> None:
        self.memory.tokens = None
        self._clear("rewind")

    def _clear(self, kind: ClearKind) -> None:
        self.events.append(ContextCleared(**self._where(), kind=kind))

    def _read_item_completed(self, event: Payload) -> None:
        item = item_of(event.item)
        if item.type == "ContextCompaction":
            self._read_compaction_end(event)
        elif item.type == "UserMessage":
            self.memory.is_turn_start = True
            self._tell_typed(typed_in_content(item.content), by="item")

    def _read_message(self, item: Payload) -> None:
        if item.role == "developer" and _SIGN in bytes(item.content):
            for text in texts_of(item.content):
                self._look_for_snippet(text)

    def _read_any_message(self, item: Payload) -> None:
        if item.role != "assistant":
            self._read_message(item)
        elif text := "\n".join(texts_of(item.content)):
            self.events.append(AgentMessage(**self._where(), text=text))

    def _look_for_snippet(self, text: str) -> None:
        snippet_id = snippet_in(text)
        if snippet_id is not None and snippet_id != self.memory.snippet:
            self.memory.snippet = snippet_id
            self.events.append(SnippetSeen(**self._where(), snippet_id=snippet_id))

    def _read_call(self, item: Payload) -> None:
        name = f"{item.namespace or ''}{item.name or ''}"
        arguments = arguments_of(item.arguments or item.input)
        self._tell_call(item, name, arguments)
        if item.name == "update_plan":
            self._tell_plan(_plan_in(arguments))

    def _read_shell_call(self, item: Payload) -> None:
        self._tell_call(item, "local_shell", arguments_of(item.action))

    def _read_web_search(self, item: Payload) -> None:
        self._tell_call(item, "web_search", arguments_of(item.action))

    def _tell_call(self, item: Payload, name: str, arguments: bytes) -> None:
        place = self.place
        self.events.append(
            # Written out, and not by `_where`: nothing else is told as often as calls, answers and sizes.
            ToolCall(
                line=place.line,
                offset=place.at,
                written_at=self._when(),
                is_history=self._is_copied or place.at < self._history_until,
                is_helper=self.memory.is_helper,
                call_id=item.call_id or item.id or f"line:{place.line}",
                name=name,
                input_json=arguments,
            )
        )

    def _read_output(self, item: Payload) -> None:
        place = self.place
        is_success, text = result_of(item.output)
        self.events.append(
            ToolResult(
                line=place.line,
                offset=place.at,
                written_at=self._when(),
                is_history=self._is_copied or place.at < self._history_until,
                is_helper=self.memory.is_helper,
                call_id=item.call_id or "",
                is_success=is_success,
                text=text,
            )
        )

    def _read_plan_event(self, event: Payload) -> None:
        self._tell_plan(plain(event.plan))

    def _tell_plan(self, plan: object) -> None:
        steps = steps_of(plan)
        if steps is None:
            return
        known = f"{len(steps)}:{zlib.crc32(msgspec.json.encode(steps)):x}"
        if known != self.memory.plan:
            self.memory.plan = known
            self.events.append(PlanUpdate(**self._where(), steps=steps))

    def _when(self) -> float | None:
        return seconds_of(self._stamp)

    def _where(self) -> _Where:
        return {
            "line": self.place.line,
            "offset": self.place.at,
            "written_at": self._when(),
            "is_history": self._is_copied or self.place.at < self._history_until,
            "is_helper": self.memory.is_helper,
        }


def _plan_in(arguments: bytes) -> object:
    try:
        found = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    return found.get("plan") if isinstance(found, dict) else None


_Read = Callable[[Thread, Payload], None]
_RECORDS: dict[str | None, _Read] = {
    "session_meta": Thread._read_meta,
    "turn_context": Thread._read_turn_context,
    "compacted": Thread._read_compacted,
}
_EVENTS: dict[str | None, _Read] = {
    "user_message": Thread._read_user_message,
    "token_count": Thread._read_tokens,
    "task_started": Thread._read_turn_start,
    "turn_started": Thread._read_turn_start,
    "task_complete": Thread._read_turn_end,
    "turn_complete": Thread._read_turn_end,
    "turn_aborted": Thread._read_turn_end,
    "entered_review_mode": Thread._read_review_start,
    "exited_review_mode": Thread._read_turn_end,
    "context_compacted": Thread._read_compaction_end,
    "item_completed": Thread._read_item_completed,
    "thread_rolled_back": Thread._read_rollback,
}
_ITEMS: dict[str | None, _Read] = {"message": Thread._read_message}
_ALL_EVENTS: dict[str | None, _Read] = {**_EVENTS, "plan_update": Thread._read_plan_event}
_ALL_ITEMS: dict[str | None, _Read] = {
    "message": Thread._read_any_message,
    "function_call": Thread._read_call,
    "custom_tool_call": Thread._read_call,
    "local_shell_call": Thread._read_shell_call,
    "web_search_call": Thread._read_web_search,
    "function_call_output": Thread._read_output,
    "custom_tool_call_output": Thread._read_output,
}
