"""Messages of OpenCode → events: what is told of each, and when it is whole enough to be told."""

from __future__ import annotations

from hashlib import sha256
from typing import TypedDict, TypeVar

from msgspec import Struct

from agentinitd.model.events import (
    RESULT_CHARS,
    AgentMessage,
    CompactionMarker,
    CompactionTrigger,
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
from agentinitd.transcripts.claude_code_messages import snippet_in
from agentinitd.transcripts.opencode_records import Message, Part, plan_steps

SILENCE_MS = 1000
"""The parts of a message follow it one by one: so long after it, they are all there."""
KNOWN_COMPACTIONS = 16
_TYPED_CHARS = 2000
_SIGN = "(agentinitd "
_DETAILED = frozenset({"text", "tool"})
"""The parts of an answer that say what was said and done."""
_ATTACHED = "\n[Attached "
"""By this the copy of a message stands in for a picture."""

T = TypeVar("T")
Parts = list[tuple[str, Part | None]]


class Entry(Struct):
    """A message that is being told."""

    line: int
    """Its number in the session, from 1."""
    told: dict[str, bool] = {}
    """The parts of it that were."""
    has_request: bool = False
    is_turn: bool = False
    """The context is smaller without it."""


class Memory(Struct):
    """What has to be known of the messages before; it goes into the checkpoint as it is."""

    layout: str = ""
    session: tuple[str, str | None, str | None] | None = None
    place: tuple[int, str] | None = None
    """Of the newest message that was taken."""
    line: int = 0
    newest_ms: int = 0
    recent: dict[str, tuple[int, bool, bool]] = {}
    """The last messages: their key, whether a turn or a request is in them, whether they are gone."""
    open: dict[str, Entry] = {}
    """Those that may still change."""
    last_tokens: int | None = None
    typed: str = ""
    """The beginning of the person's last message: its length and its digest, for it may hold a credential."""
    asked: dict[str, bool | None] = {}
    """Messages that ask for a compaction, and whether the program itself asks."""
    compacted: dict[str, int] = {}
    """What each of the last compactions told goes back to."""
    is_copy_due: bool = False
    """After a compaction the program may put the person's last message in again."""


class _Where(TypedDict):
    line: int
    offset: int
    written_at: float | None
    is_history: bool
    is_helper: bool


class Teller:
    """Tells messages of one session, one by one; `events` grows."""

    def __init__(
        self,
        memory: Memory,
        *,
        is_helper: bool,
        copied_until_ms: int,
        known_until_ms: int,
        now_ms: float,
        is_last: bool,
        is_detailed: bool = False,
    ) -> None:
        self.events: list[Event] = []
        self.wait_seconds: float | None = None
        self._memory = memory
        self._is_helper = is_helper
        self._copied_until_ms = copied_until_ms
        self._known_until_ms = known_until_ms
        self._now_ms = now_ms
        self._is_last = is_last
        self._is_detailed = is_detailed

    def session(self, session_id: str, cwd: str | None, version: str | None) -> None:
        if self._memory.session != (session_id, cwd, version):
            self._memory.session = (session_id, cwd, version)
            where = self._where(Entry(max(1, self._memory.line)), None)
            self.events.append(SessionSeen(**where, session_id=session_id, cwd=cwd, agent_version=version))

    def rewound(self) -> None:
        where = self._where(Entry(max(1, self._memory.line)), None)
        self.events.append(ContextCleared(**where, kind="rewind"))

    def unreadable(self, problem: str, entry: Entry, touched_ms: int, *, is_torn: bool) -> bool:
        if is_torn and not self._is_silent(touched_ms):
            return False
        self.events.append(Skipped(**self._where(entry, None), reason=problem))
        return True

    def tell(self, message: Message, parts: Parts, entry: Entry, touched_ms: int, *, has_later: bool) -> bool:
        """What is new in it.  False: it may still change."""
        self._memory.newest_ms = max(self._memory.newest_ms, message.created_ms, message.completed_ms or 0)
        parts = [(part.id, part) for part in message.parts] or parts
        if message.kind == "assistant":
            return self._assistant(message, parts, entry)
        if message.kind == "summary":
            return self._summary(message, entry)
        if message.kind == "user":
            if not (has_later or message.parts or self._is_silent(touched_ms)):
                return False
            self._user(message, parts, entry)
        elif message.kind == "inserted":
            self._snippet(message, [part.text for _, part in parts if part is not None], entry)
        return True

    def _is_silent(self, touched_ms: int) -> bool:
        age_ms = self._now_ms - touched_ms
        # A time to come is no time to wait for.
        if self._is_last or not 0 <= age_ms < SILENCE_MS:
            return True
        self.wait_seconds = (SILENCE_MS - age_ms) / 1000
        return False

    def _user(self, message: Message, parts: Parts, entry: Entry) -> None:
        pieces = [part for _, part in parts if part is not None]
        self._skip_damaged(message, parts, entry)
        asks = [part for part in pieces if part.type == "compaction"]
        if asks:
            _remember(self._memory.asked, message.id, asks[0].is_auto)
            return
        self._snippet(message, [part.text for part in pieces if part.type == "text"], entry)
        text = _typed(pieces)
        is_copy = self._is_copy(text)
        self._memory.is_copy_due = False
        if text is None or is_copy or self._is_helper:
            return
        self._memory.typed = _digest(text[:_TYPED_CHARS])
        entry.is_turn = True
        self.events.append(PersonMessage(**self._where(entry, message), text=text))

    def _is_copy(self, text: str | None) -> bool:
        typed = self._memory.typed
        if not self._memory.is_copy_due or not typed or text is None:
            return False
        length = typed.partition(":")[0]
        cut = int(length) if length.isdecimal() else 0
        is_whole = cut == len(text[:_TYPED_CHARS]) or text.startswith(_ATTACHED, cut)
        return is_whole and _digest(text[:cut]) == typed

    def _snippet(self, message: Message, texts: list[str], entry: Entry) -> None:
        for text in texts:
            snippet_id = snippet_in(text) if _SIGN in text else None
            if snippet_id is not None:
                self.events.append(SnippetSeen(**self._where(entry, message), snippet_id=snippet_id))

    def _assistant(self, message: Message, parts: Parts, entry: Entry) -> bool:
        for _, part in parts:
            if part is None:
                continue
            if part.type in _DETAILED:
                if self._is_detailed:
                    self._detail(message, part, entry)
            elif part.type == "step-finish" and part.tokens and _is_first(entry, part.id):
                self._request(message, part.tokens, part.id if entry.has_request else message.id, entry)
        if message.is_settled:
            self._skip_damaged(message, parts, entry)
            if message.tokens and not entry.has_request:
                self._request(message, message.tokens, message.id, entry)
        return message.is_settled

    def _detail(self, message: Message, part: Part, entry: Entry) -> None:
        if part.type == "text":
            self._text(message, part, entry)
        else:
            self._tool(message, part, entry)

    def _text(self, message: Message, part: Part, entry: Entry) -> None:
        is_whole = part.is_ended or message.is_settled
        if is_whole and not part.is_inserted and part.text.strip() and _is_first(entry, part.id):
            where = self._where(entry, message, part.ended_at)
            self.events.append(AgentMessage(**where, text=part.text))

    def _tool(self, message: Message, part: Part, entry: Entry) -> None:
        is_answered = part.status in ("completed", "error")
        if (is_answered or part.status == "running") and _is_first(entry, part.id):
            where = self._where(entry, message, part.started_at)
            self.events.append(
                ToolCall(**where, call_id=part.call_id, name=part.tool, input_json=part.input_json)
            )
        if not is_answered or not _is_first(entry, f"{part.id}:answer"):
            return
        where = self._where(entry, message, part.ended_at)
        text = part.text[:RESULT_CHARS]
        self.events.append(ToolResult(**where, call_id=part.call_id, is_success=part.is_success, text=text))
        steps = plan_steps(part) if part.status == "completed" else None
        if steps is not None:
            self.events.append(PlanUpdate(**where, steps=steps))

    def _request(self, message: Message, tokens: int, request_id: str, entry: Entry) -> None:
        entry.has_request = entry.is_turn = True
        self._memory.last_tokens = tokens
        self.events.append(
            Request(
                **self._where(entry, message),
                request_id=request_id,
                model=message.model,
                context_tokens=tokens,
            )
        )

    def _summary(self, message: Message, entry: Entry) -> bool:
        """A failed one leaves the context alone; a second try belongs to the same request."""
        if not message.is_settled:
            return False
        memory = self._memory
        origin = message.parent_id or message.id
        if message.has_failed or origin in memory.compacted:
            return True
        _remember(memory.compacted, origin, entry.line)
        trigger = message.trigger or _TRIGGERS[memory.asked.get(message.parent_id)]
        memory.is_copy_due = trigger == "auto"
        self.events.append(
            CompactionMarker(
                **self._where(entry, message),
                marker_id=message.id,
                trigger=trigger,
                tokens_before=memory.last_tokens,
                tokens_after=None,
            )
        )
        return True

    def _skip_damaged(self, message: Message, parts: Parts, entry: Entry) -> None:
        for part_id, part in parts:
            if part is None:
                reason = f"part {part_id} of message {message.id}: not a JSON object"
                self.events.append(Skipped(**self._where(entry, message), reason=reason))

    def _where(self, entry: Entry, message: Message | None, at: float | None = None) -> _Where:
        if message is not None and at is None:
            at = (message.completed_ms or message.created_ms) / 1000
        return {
            "line": entry.line,
            "offset": entry.line,
            "written_at": at,
            "is_history": message is not None and self._is_old(message),
            "is_helper": self._is_helper,
        }

    def _is_old(self, message: Message) -> bool:
        """Copied by a fork, or there before the session was first seen."""
        is_known = (message.completed_ms or message.created_ms) <= self._known_until_ms
        return is_known or message.created_ms < self._copied_until_ms


_TRIGGERS: dict[bool | None, CompactionTrigger | None] = {True: "auto", False: "manual", None: None}


def _digest(text: str) -> str:
    return f"{len(text)}:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}" if text else ""


def _typed(pieces: list[Part]) -> str | None:
    """What the person typed, "" for a file without words, None when nothing here was typed."""
    texts: list[str] = []
    has_file = False
    for part in pieces:
        if part.type in ("text", "subtask") and not part.is_inserted and not _is_ours(part.text):
            texts.append(part.text)
        has_file = has_file or part.type in ("file", "agent")
    text = "\n".join(text for text in texts if text.strip())
    return text if text or has_file or texts else None


def _is_ours(text: str) -> bool:
    return _SIGN in text and snippet_in(text) is not None


def _is_first(entry: Entry, key: str) -> bool:
    if key in entry.told:
        return False
    entry.told[key] = True
    return True


def _remember(known: dict[str, T], key: str, value: T) -> None:
    known[key] = value
    if len(known) > KNOWN_COMPACTIONS:
        del known[next(iter(known))]
