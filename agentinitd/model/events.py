"""What a transcript says, in the same words for every agent.  A reader makes these; nobody changes them.

They are msgspec structures, not dataclasses: one or more are made for every line of every transcript.
"""

from __future__ import annotations

import json
from typing import Literal

import msgspec

CompactionTrigger = Literal["auto", "manual"]
RESULT_CHARS = 4000
_END_CHARS = 1000
ClearKind = Literal["clear", "microcompact", "rewind"]


class Event(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Something a transcript says, and where it says it."""

    line: int
    """Physical line, from 1; in a large file counted from where reading began, when that was not its top."""
    offset: int
    """Byte offset of the record's first byte in the file."""
    written_at: float | None = None
    """Seconds since the epoch, as the agent wrote it; records may be out of order."""
    is_history: bool = False
    """Copied from an older transcript by a fork or an old-style resume: it happened elsewhere, before."""
    is_helper: bool = False
    """Belongs to a sub-agent, whose transcript this is."""


class SessionSeen(Event, frozen=True, kw_only=True, gc=False):
    """The session names itself: said once at the start and again whenever one of these changes."""

    session_id: str
    cwd: str | None
    agent_version: str | None


class PersonMessage(Event, frozen=True, kw_only=True, gc=False):
    """A message typed by the person: a new turn begins."""

    text: str


class AgentMessage(Event, frozen=True, kw_only=True, gc=False):
    """What the agent said to the person."""

    text: str


class ToolCall(Event, frozen=True, kw_only=True, gc=False):
    """The agent asks for a tool."""

    call_id: str
    name: str
    """As the agent calls it: `Bash`, `run_shell_command`, `mcp__server__tool`."""
    input_json: bytes
    """The arguments as JSON; `{}` when the agent writes none."""

    @property
    def input(self) -> dict[str, object]:
        """The arguments, decoded only when somebody asks; empty when they are no object."""
        try:
            found = msgspec.json.decode(self.input_json)
        except (msgspec.MsgspecError, RecursionError):
            found = self._decoded_by_python()
        return found if isinstance(found, dict) else {}

    def _decoded_by_python(self) -> object:
        """A fifth as fast; it takes what msgspec refuses, such as halves of a surrogate pair."""
        try:
            return json.loads(self.input_json)
        except (ValueError, RecursionError):
            return None


class ToolResult(Event, frozen=True, kw_only=True, gc=False):
    """What a tool answered."""

    call_id: str
    is_success: bool | None
    """None where the agent does not say."""
    text: str
    """At most `RESULT_CHARS` of it."""


def shortened(text: str) -> str:
    """At most `RESULT_CHARS`: the beginning, and the end, where sums and some exit codes stand."""
    if len(text) <= RESULT_CHARS:
        return text
    return f"{text[: RESULT_CHARS - _END_CHARS]}\n…\n{text[3 - _END_CHARS :]}"


PlanStatus = Literal["pending", "in_progress", "done", "cancelled"]


class PlanStep(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    status: PlanStatus


class PlanUpdate(Event, frozen=True, kw_only=True, gc=False):
    """The agent wrote its whole to-do list anew (`TodoWrite`, `update_plan`, …)."""

    steps: tuple[PlanStep, ...]


class Request(Event, frozen=True, kw_only=True, gc=False):
    """One call of the model, told once, where its first record stands."""

    request_id: str
    model: str
    context_tokens: int
    window_tokens: int | None = None
    """How much the model can hold, where the agent says so."""
    is_estimate: bool = False
    """Counted by us from the text: the agent writes no figure."""


class CompactionMarker(Event, frozen=True, kw_only=True, gc=False):
    """The transcript itself says that the context was replaced by a summary."""

    marker_id: str
    """The record's own id, or `line:N` for a record that has none."""
    trigger: CompactionTrigger | None
    tokens_before: int | None
    tokens_after: int | None
    """The marker's own figure; it may leave out the system prompt and the tools."""
    is_whole: bool = False
    """`tokens_after` leaves nothing out: it is the context that the next request starts from."""


class ContextCleared(Event, frozen=True, kw_only=True, gc=False):
    """The context shrank on purpose and without a summary: no compaction, but old sizes no longer compare."""

    kind: ClearKind


class SnippetSeen(Event, frozen=True, kw_only=True, gc=False):
    """A snippet of ours arrived: the agent wrote its id into the transcript."""

    snippet_id: str


class Skipped(Event, frozen=True, kw_only=True, gc=False):
    """A line that could not be read, and why; reading went on behind it."""

    reason: str
