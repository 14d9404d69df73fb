"""What the agent said and did in Claude Code: its words, its tools and what they answered, its to-do lists.

Read only when somebody asks for it.  A message comes in several records, a record may come twice; each block
is told once.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Any, TypedDict

import msgspec
from msgspec import Raw, Struct

from agentinitd.model.events import (
    RESULT_CHARS,
    AgentMessage,
    Event,
    PlanStatus,
    PlanStep,
    PlanUpdate,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts.claude_code_records import Message
from agentinitd.transcripts.json_lines import clean, plain, text_of, typed_list

KNOWN_BLOCKS = 256
OPEN_CALLS = 64
KNOWN_TASKS = 256
_TASK_TOOLS = frozenset({"TaskCreate", "TaskUpdate"})
_CREATED = re.compile(r"Task #(\S{1,64}) created")
_STATUSES: dict[object, PlanStatus] = {
    "pending": "pending",
    "in_progress": "in_progress",
    "completed": "done",
    "cancelled": "cancelled",
    "deleted": "cancelled",
}


class Where(TypedDict):
    line: int
    offset: int
    written_at: float | None
    is_history: bool
    is_helper: bool


class Memory(Struct):
    """Goes into the checkpoint as part of the reader's."""

    told: dict[str, int] = {}
    """Keys of the blocks told, newest last."""
    open: dict[str, tuple[str, dict[str, str]]] = {}
    """Calls of the tools for single tasks that were not answered yet: the tool and what it was asked."""
    tasks: dict[str, PlanStep] = {}
    """By the number that Claude Code gave them."""


class _Block(Struct, gc=False):
    type: str | None = None
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = Raw()
    tool_use_id: str | None = None
    content: Raw = Raw()
    is_error: bool | None = None


class _Said(Struct, gc=False):
    """One piece of what a tool answered."""

    type: str | None = None
    text: str | None = None


_decode_blocks = msgspec.json.Decoder(list[_Block]).decode
_decode_said = msgspec.json.Decoder(list[_Said]).decode


class Details:
    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def of_answer(self, message: Message, where: Where) -> Iterator[Event]:
        """Of one record of an answer; what the program itself puts into the agent's mouth is none."""
        if message.model == "<synthetic>":
            return
        for block in _blocks(message.content):
            if block.type == "text" and block.text and not block.text.isspace():
                if self._is_new(f"{message.id}:{zlib.crc32(block.text.encode('utf-8', 'replace')):x}"):
                    yield AgentMessage(**where, text=block.text)
            elif block.type == "tool_use" and block.id and self._is_new(block.id):
                yield from self._call(block.id, block.name or "", block.input, where)

    def of_results(self, message: Message, where: Where) -> Iterator[Event]:
        """Of a message under the person's role, which may hold what tools answered."""
        for block in _blocks(message.content):
            call_id = block.tool_use_id
            if block.type != "tool_result" or not call_id or not self._is_new(f"{call_id}:result"):
                continue
            text, is_success = _answer_in(block.content), not block.is_error
            yield ToolResult(**where, call_id=call_id, is_success=is_success, text=text)
            asked = self.memory.open.pop(call_id, None)
            if asked is not None and is_success and self._change(*asked, text):
                yield PlanUpdate(**where, steps=tuple(self.memory.tasks.values()))

    def _call(self, call_id: str, name: str, raw: Raw, where: Where) -> Iterator[Event]:
        given = bytes(raw)
        yield ToolCall(**where, call_id=call_id, name=name, input_json=given if given[:1] == b"{" else b"{}")
        if name == "TodoWrite":
            steps = _steps_in(plain(raw))
            if steps is not None:
                yield PlanUpdate(**where, steps=steps)
        elif name in _TASK_TOOLS:
            found = plain(raw)
            asked = {key: text for key, text in _texts(found) if key in ("subject", "status", "taskId")}
            _put(self.memory.open, call_id, (name, asked), limit=OPEN_CALLS)

    def _change(self, tool: str, asked: dict[str, str], answer: str) -> bool:
        """Whether this call, now that it was answered, made the list of tasks another one."""
        tasks = self.memory.tasks
        if tool == "TaskCreate":
            found = _CREATED.search(answer)
            number = found[1] if found is not None else str(len(tasks) + 1)
            _put(tasks, number, PlanStep(text=asked.get("subject", ""), status="pending"), limit=KNOWN_TASKS)
            return True
        number = asked.get("taskId", "")
        old = tasks.get(number)
        if old is None:
            return False
        new = PlanStep(
            text=asked.get("subject") or old.text, status=_STATUSES.get(asked.get("status"), old.status)
        )
        tasks[number] = new
        return new != old

    def _is_new(self, key: str) -> bool:
        if key in self.memory.told:
            return False
        _put(self.memory.told, key, 1, limit=KNOWN_BLOCKS)
        return True


def _put(known: dict[str, Any], key: str, value: object, *, limit: int) -> None:
    """Forgets many of the oldest at once: a dict is slow to name its oldest key."""
    known[key] = value
    if len(known) > 2 * limit:
        for old in list(known)[:-limit]:
            del known[old]


def _blocks(content: Raw) -> list[_Block]:
    """A plain string counts as one block of text."""
    if bytes(content)[:1] == b'"':
        return [_Block(type="text", text=text_of(content))]
    return typed_list(content, _decode_blocks, _Block)


def _answer_in(content: Raw) -> str:
    if bytes(content)[:1] == b'"':
        return text_of(content)[:RESULT_CHARS]
    texts = [said.text for said in typed_list(content, _decode_said, _Said) if said.text]
    return "\n".join(texts)[:RESULT_CHARS]


def _steps_in(found: Any) -> tuple[PlanStep, ...] | None:
    todos = found.get("todos") if isinstance(found, dict) else None
    if not isinstance(todos, list):
        return None
    steps = [dict(_texts(todo)) for todo in todos]
    return tuple(
        PlanStep(text=step["content"], status=_STATUSES.get(step.get("status"), "pending"))
        for step in steps
        if step.get("content")
    )


def _texts(found: Any) -> Iterator[tuple[str, str]]:
    """The fields of an object that are texts."""
    if isinstance(found, dict):
        for key, value in found.items():
            text = clean(value)
            if text is not None:
                yield key, text
