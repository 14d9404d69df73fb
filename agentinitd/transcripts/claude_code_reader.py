"""Records of Claude Code → events.  Keeps a small, bounded memory of what it has read so far."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from agentinitd.model.events import (
    ClearKind,
    CompactionMarker,
    CompactionTrigger,
    ContextCleared,
    Event,
    PersonMessage,
    Request,
    SessionSeen,
    Skipped,
    SnippetSeen,
)
from agentinitd.model.facts import JsonValue
from agentinitd.transcripts.claude_code_details import Details, Where
from agentinitd.transcripts.claude_code_memory import (
    KNOWN_FORKS,
    KNOWN_MARKERS,
    RECENT_REQUESTS,
    remember,
    remembered,
)
from agentinitd.transcripts.claude_code_messages import (
    inserted_texts,
    is_clear_command,
    snippet_in,
    typed_text,
)
from agentinitd.transcripts.claude_code_records import (
    CONVERSATION,
    NOT_PLAIN,
    Record,
    blocks_of,
    decode,
    decode_lines,
    plain,
    recover,
    seconds,
    whole,
)
from agentinitd.transcripts.lines import Batch, Lines
from agentinitd.transcripts.reader import Checkpoint

# A context beyond this is a damaged number: no model's window comes near it.
TOKENS_LIMIT = 100_000_000

_TOOL_RESULT = (b'[{"tool_use_id"', b'[{"type":"tool_result"', b'[{"type": "tool_result"')
_HOOK_ATTACHMENTS = frozenset({"hook_success", "hook_additional_context"})
_NEWLINE, _OPENING, _CLOSING = b"\n{}"
_SIGN = b"(agentinitd "
_TRIGGERS: dict[str, CompactionTrigger] = {"auto": "auto", "manual": "manual"}


class ClaudeCodeReader:
    def __init__(
        self,
        checkpoint: Checkpoint | None = None,
        *,
        history_until: int = 0,
        is_detailed: bool = False,
        is_helper: bool | None = None,
        has_markers: bool = True,
    ) -> None:
        checkpoint = checkpoint or Checkpoint()
        self._memory = remembered(checkpoint.state)
        if is_helper is not None:
            self._memory.is_helper = is_helper
        self._details = Details(self._memory.details) if is_detailed else None
        self._has_markers = has_markers
        self._history_until = history_until
        self._lines = Lines(checkpoint.offset)
        self._line = checkpoint.line
        # Where the lines of the batch in hand begin: offset of its first byte, and starts relative to that.
        self._offset = checkpoint.offset
        self._first_line = checkpoint.line
        self._starts = [0]
        self._events: list[Event] = []
        # The request whose line came last: the quick way to know its other lines.
        self._last_request_id: str | None = None
        self._last_api_id: str | None = None

    @property
    def offset(self) -> int:
        """First byte that was not read as part of a whole line."""
        return self._lines.offset

    def feed(self, block: bytes) -> list[Event]:
        """What the whole lines up to the end of `block` say; a torn last line is kept for later."""
        for batch in self._lines.feed(block):
            self._read_batch(batch)
        return self._told()

    def flush(self) -> list[Event]:
        """After silence: read a last line that lacks its newline, if it is a whole record.  Else keep it."""
        rest = self._lines.rest()
        try:
            record = decode(rest)
        except NOT_PLAIN:
            found = recover(rest)
            if len(found.records) != 1 or found.problem:
                return []
            record = found.records[0]
        if not self._memory.is_line_open:
            self._line += 1
        self._offset, self._first_line, self._starts = self._lines.offset, self._line, [0]
        self._read_record(record)
        self._lines.take_rest()
        self._memory.is_line_open = True
        return self._told()

    def checkpoint(self) -> Checkpoint:
        state: dict[str, JsonValue] = msgspec.to_builtins(self._memory)
        return Checkpoint(offset=self._lines.offset, line=self._line, state=state)

    def _told(self) -> list[Event]:
        events = self._events
        self._events = []
        return events

    def _read_batch(self, batch: Batch) -> None:
        offset, text = batch.offset, batch.text
        if self._memory.is_line_open:
            # The line was read before its newline came: what comes now is its end, mostly nothing.
            self._memory.is_line_open = False
            if not text:
                return
            if text[0] == _NEWLINE:
                offset, text = offset + 1, text[1:]
            else:
                self._line -= 1
        self._offset = offset
        self._first_line = self._line + 1
        self._starts = _line_starts(text)
        for record in self._decoded(text):
            self._line += 1
            self._read_record(record)
        if self._line < self._first_line:
            self._read_line_by_line(text, is_too_long=batch.is_too_long)

    def _decoded(self, text: bytes) -> list[Record]:
        """One record for each line; none at all when the lines have to be looked at one by one."""
        if not _are_objects(text, self._starts):
            return []
        try:
            records = decode_lines(text)
        except NOT_PLAIN:
            return []
        return records if len(records) == len(self._starts) else []

    def _read_line_by_line(self, text: bytes, *, is_too_long: bool) -> None:
        for line in text.split(b"\n"):
            self._line += 1
            if line.isspace() or not (line or is_too_long):
                continue
            try:
                record = decode(line)
            except NOT_PLAIN:
                self._read_damaged(line, is_too_long=is_too_long)
            else:
                self._read_record(record)

    def _read_damaged(self, line: bytes, *, is_too_long: bool) -> None:
        if is_too_long:
            self._skip("too long: more than 4 MiB without its long strings")
            return
        found = recover(line)
        if found.problem is not None:
            self._skip(found.problem)
        for record in found.records:
            self._read_record(record)

    def _skip(self, reason: str) -> None:
        self._events.append(Skipped(**self._where(None), reason=reason))

    def _read_record(self, record: Record) -> None:
        kind = record.type
        if kind not in CONVERSATION:
            return
        memory = self._memory
        if (record.is_sidechain or memory.is_helper is None) and self._is_aside(record):
            return
        if (
            record.session_id != memory.session_id
            or record.cwd != memory.cwd
            or record.version != memory.version
        ):
            self._see_session(record)
        if kind == "assistant":
            self._read_assistant(record)
            if self._details is not None and record.message is not None and not record.is_api_error_message:
                self._events += self._details.of_answer(record.message, self._where(record))
        elif kind == "user":
            self._read_user(record)
        elif kind == "system":
            self._read_system(record)
        else:
            self._read_attachment(record)
        if record.uuid is not None:
            memory.tip = record.uuid

    def _is_aside(self, record: Record) -> bool:
        """A helper's record in the main transcript.  The first record tells whose transcript it is."""
        if self._memory.is_helper is None:
            self._memory.is_helper = record.is_sidechain is True
        return record.is_sidechain is True and not self._memory.is_helper

    def _see_session(self, record: Record) -> None:
        memory = self._memory
        old = (memory.session_id, memory.cwd, memory.version)
        new = (record.session_id or old[0], record.cwd or old[1], record.version or old[2])
        if new == old or new[0] is None:
            return
        memory.session_id, memory.cwd, memory.version = new
        self._events.append(
            SessionSeen(**self._where(record), session_id=new[0], cwd=new[1], agent_version=new[2])
        )

    def _read_assistant(self, record: Record) -> None:
        message = record.message
        if message is None or message.usage is None:
            return
        request_id = message.id or record.uuid or f"line:{self._line}"
        if request_id == self._last_request_id and record.request_id == self._last_api_id:
            return
        usage = message.usage
        tokens = (
            (usage.input_tokens or 0)
            + (usage.cache_creation_input_tokens or 0)
            + (usage.cache_read_input_tokens or 0)
        )
        if not 0 < tokens < TOKENS_LIMIT or record.is_api_error_message or message.model == "<synthetic>":
            return
        self._last_request_id, self._last_api_id = request_id, record.request_id
        memory = self._memory
        key = f"{request_id}/{record.request_id}"
        if key in memory.requests:
            return
        remember(memory.requests, key, self._line, limit=RECENT_REQUESTS)
        memory.boundary = memory.summary_of = memory.snippet = None
        offset = self._offset + self._starts[self._line - self._first_line]
        self._events.append(
            # Written out, and not by `_where`: no other event is told as often.
            Request(
                line=self._line,
                offset=offset,
                written_at=seconds(record.timestamp),
                is_history=offset < self._history_until,
                is_helper=memory.is_helper is True,
                request_id=request_id,
                model=message.model or "",
                context_tokens=tokens,
            )
        )

    def _read_user(self, record: Record) -> None:
        if record.is_compact_summary:
            self._read_summary(record)
            return
        message = record.message
        if message is None or record.is_visible_in_transcript_only:
            return
        content = bytes(message.content)
        if self._details is not None and b'"tool_result"' in content:
            self._events += self._details.of_results(message, self._where(record))
        if content.startswith(_TOOL_RESULT):
            return
        blocks = blocks_of(message.content)
        if _SIGN in content:
            self._look_for_snippet(record, inserted_texts(blocks, is_meta=record.is_meta is True))
        if record.is_meta:
            return
        if b"<command-name>" in content and is_clear_command(blocks):
            self._clear(record, "clear")
        elif not self._memory.is_helper:
            text = typed_text(blocks)
            if text is not None:
                self._read_typed(record, text)

    def _read_typed(self, record: Record, text: str) -> None:
        memory = self._memory
        if record.uuid is not None and (record.uuid == memory.typed or record.uuid in memory.forks):
            return
        parent = record.parent_uuid
        if parent is not None and parent != memory.tip and parent in memory.forks:
            self._clear(record, "rewind")
        for point in (memory.typed, parent):
            if point is not None:
                remember(memory.forks, point, self._line, limit=KNOWN_FORKS)
        memory.typed = record.uuid
        memory.boundary = memory.summary_of = memory.snippet = None
        self._events.append(PersonMessage(**self._where(record), text=text))

    def _read_system(self, record: Record) -> None:
        if record.subtype == "compact_boundary":
            self._read_boundary(record)
        elif record.subtype == "microcompact_boundary":
            self._clear(record, "microcompact")
        elif _SIGN in bytes(record.content):
            text = plain(record.content)
            if isinstance(text, str) and "hook" in text[:200].lower():
                self._look_for_snippet(record, [text])

    def _read_attachment(self, record: Record) -> None:
        if _SIGN not in bytes(record.attachment):
            return
        attachment = plain(record.attachment)
        if isinstance(attachment, dict) and attachment.get("type") in _HOOK_ATTACHMENTS:
            content = attachment.get("content")
            texts = content if isinstance(content, list) else [content]
            self._look_for_snippet(record, [*texts, attachment.get("stdout")])

    def _read_boundary(self, record: Record) -> None:
        memory = self._memory
        if record.uuid is not None and record.uuid == memory.summary_of:
            memory.summary_of = None
            return
        found = plain(record.compact_metadata)
        metadata = found if isinstance(found, dict) else {}
        memory.boundary = self._marker_id(record)
        self._tell_marker(
            record,
            trigger=_TRIGGERS.get(str(metadata.get("trigger"))),
            tokens_before=whole(metadata.get("preTokens")),
            tokens_after=whole(metadata.get("postTokens")),
        )

    def _read_summary(self, record: Record) -> None:
        """The summary after its boundary is the same compaction; without a boundary it announces one."""
        if self._memory.boundary is not None:
            self._memory.boundary = None
            return
        self._memory.summary_of = record.parent_uuid
        self._tell_marker(record, trigger=None, tokens_before=None, tokens_after=None)

    def _tell_marker(
        self,
        record: Record,
        *,
        trigger: CompactionTrigger | None,
        tokens_before: int | None,
        tokens_after: int | None,
    ) -> None:
        marker_id = self._marker_id(record)
        if not self._has_markers or marker_id in self._memory.markers:
            return
        remember(self._memory.markers, marker_id, self._line, limit=KNOWN_MARKERS)
        self._events.append(
            CompactionMarker(
                **self._where(record),
                marker_id=marker_id,
                trigger=trigger,
                tokens_before=tokens_before,
                tokens_after=tokens_after,
            )
        )

    def _marker_id(self, record: Record) -> str:
        return record.uuid or f"line:{self._line}"

    def _clear(self, record: Record, kind: ClearKind) -> None:
        self._events.append(ContextCleared(**self._where(record), kind=kind))

    def _look_for_snippet(self, record: Record, texts: Iterable[object]) -> None:
        for text in texts:
            snippet_id = snippet_in(text) if isinstance(text, str) else None
            if snippet_id is not None and snippet_id != self._memory.snippet:
                self._memory.snippet = snippet_id
                self._events.append(SnippetSeen(**self._where(record), snippet_id=snippet_id))

    def _where(self, record: Record | None) -> Where:
        offset = self._offset + self._starts[self._line - self._first_line]
        return {
            "line": self._line,
            "offset": offset,
            "written_at": seconds(record.timestamp) if record is not None else None,
            "is_history": offset < self._history_until,
            "is_helper": self._memory.is_helper is True,
        }


def _line_starts(text: bytes) -> list[int]:
    starts = [0]
    while end := text.find(b"\n", starts[-1]) + 1:
        starts.append(end)
    return starts


def _are_objects(text: bytes, starts: list[int]) -> bool:
    """No line is blank, and no value can reach over the end of a line: `}` newline `{` ends one for sure."""
    if text[:1] != b"{" or text[-1:] != b"}":
        return False
    for start in starts[1:]:  # noqa: SIM110 - a generator costs as much as all the rest of this
        if text[start] != _OPENING or text[start - 2] != _CLOSING:
            return False
    return True
