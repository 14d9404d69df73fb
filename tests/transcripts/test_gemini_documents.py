"""Documents of Gemini CLI, written anew by a fake program as the real one does it."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentinitd.model.events import (
    CompactionMarker,
    ContextCleared,
    Event,
    PersonMessage,
    Request,
    SessionSeen,
    Skipped,
    ToolCall,
    ToolResult,
)
from agentinitd.transcripts import gemini
from agentinitd.transcripts.document_entries import salvage, whole_document
from agentinitd.transcripts.follower import Follower
from agentinitd.transcripts.gemini_documents import Origin, document_format
from agentinitd.transcripts.gemini_records import is_message

SESSION = "0f2d6a4c-1111-4000-8000-000000000001"
PROJECT = "/home/u/shop"
HASH = hashlib.sha256(PROJECT.encode()).hexdigest()


class Program:
    """Writes its conversation over the old file after every change."""

    def __init__(self, chats: Path, *, minute: str = "2026-03-23T20-33") -> None:
        self.path = chats / f"session-{minute}-{SESSION[:8]}.json"
        self.start_time = f"{minute.replace('-', ':').replace(':', '-', 2)}:16.637Z"
        self.messages: list[dict[str, Any]] = []
        self.count = 0

    def add(self, kind: str, content: Any, **more: Any) -> dict[str, Any]:
        self.count += 1
        added = {"id": f"{self.path.stem}-{self.start_time}-{self.count}", "type": kind, "content": content}
        self.messages.append({**added, "timestamp": f"2026-03-23T20:40:{self.count % 60:02}.000Z", **more})
        self.write()
        return self.messages[-1]

    def says(self, text: str = "go on") -> None:
        self.add("user", [{"text": text}])

    def answers(self, tokens: int) -> None:
        """First without its tokens and its tool, as the program does it."""
        answer = self.add("gemini", "done", model="gemini-2.5-pro", tokens=None, thoughts=[])
        answer["tokens"] = {"input": tokens, "output": 9}
        self.write()
        call = {"id": f"call-{self.count}", "name": "read_file", "args": {"file_path": "a.py"}}
        answer["toolCalls"] = [{**call, "status": "success", "resultDisplay": "read"}]
        self.write()

    def notices(self, text: str) -> None:
        self.add("info", text)

    def data(self) -> bytes:
        document = {
            "sessionId": SESSION,
            "projectHash": HASH,
            "startTime": self.start_time,
            "lastUpdated": f"2026-03-23T20:50:{len(self.messages) % 60:02}.000Z",
            "messages": self.messages,
            "kind": "main",
        }
        return json.dumps(document, indent=2).encode()

    def write(self) -> None:
        self.path.write_bytes(self.data())


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    folder = tmp_path / ".gemini" / "tmp" / HASH / "chats"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def program(chats: Path) -> Program:
    return Program(chats)


def told(events: list[Event], *kinds: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kinds)]


def names(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def all_of(follower: Follower) -> list[Event]:
    return follower.read() + follower.finish()


def test_each_thing_is_told_when_it_appears(program: Program) -> None:
    follower = gemini.follow(str(program.path), is_detailed=True)
    program.says("go")
    assert names(follower.read()) == ["SessionSeen", "PersonMessage"]

    answer = program.add("gemini", "", model="gemini-2.5-pro", tokens=None)
    assert follower.read() == []
    answer["tokens"] = {"input": 100}
    program.write()
    assert names(follower.read()) == ["Request"]
    answer["toolCalls"] = [{"id": "c1", "name": "x", "status": "executing"}]
    program.write()
    assert names(follower.read()) == ["ToolCall"]
    answer["toolCalls"][0] |= {"status": "error", "resultDisplay": "no"}
    program.write()
    assert [(event.is_success, event.offset) for event in told(follower.read(), ToolResult)] == [(False, 1)]


def test_followed_or_read_once_it_is_the_same(program: Program) -> None:
    follower = gemini.follow(str(program.path), is_detailed=True)
    followed: list[Event] = []
    for turn in range(60):
        program.says(f"turn {turn}")
        followed += follower.read()
        program.answers(10_000 * (turn + 1))
        followed += follower.read()
    program.notices("Context compressed from 68% to 3%.")
    program.answers(90_000)
    followed += follower.read()

    at_once = all_of(gemini.follow(str(program.path), is_detailed=True))

    assert followed == at_once


@pytest.mark.parametrize("seed", range(3))
def test_half_written_forms_change_nothing(program: Program, seed: int) -> None:
    """The program opens the file, which empties it, and writes: a reader may see any beginning of it."""
    follower = gemini.follow(str(program.path), is_detailed=True)
    chance = random.Random(seed)
    events: list[Event] = []
    for turn in range(10):
        program.says(f"turn {turn}")
        program.answers(10_000 * (turn + 1))
        data = program.data()
        for cut in sorted([0, *(chance.randrange(len(data)) for _ in range(5))]):
            program.path.write_bytes(data[:cut])
            events += follower.read()
        program.write()
        events += follower.read()

    assert [event.text for event in told(events, PersonMessage)] == [f"turn {turn}" for turn in range(10)]
    assert [event.context_tokens for event in told(events, Request)] == [
        10_000 * (turn + 1) for turn in range(10)
    ]
    assert len(told(events, ToolCall)) == len(told(events, ToolResult)) == 10
    assert told(events, Skipped) == []


@pytest.mark.parametrize(
    ("text", "trigger", "before", "after"),
    [
        ("Context compressed from 68% to 3%.", "auto", None, None),
        ("", "manual", None, None),
        (
            "IMPORTANT: This conversation exceeded the compress threshold. A compressed context will be sent "
            "for future messages (compressed from: 700000 to 30000 tokens).",
            "auto",
            700_000,
            30_000,
        ),
        (
            "IMPORTANT: This conversation exceeded the compress threshold. A compressed context will be sent "
            "for future messages (compressed from: unknown to unknown tokens).",
            "auto",
            None,
            None,
        ),
    ],
)
def test_a_notice_is_a_compression(
    program: Program, text: str, trigger: str, before: int | None, after: int | None
) -> None:
    program.says()
    program.answers(700_000)
    program.notices(text)
    program.answers(90_000)

    (marker,) = told(all_of(gemini.follow(str(program.path), is_detailed=True)), CompactionMarker)

    assert (marker.offset, marker.trigger) == (2, trigger)
    assert (marker.tokens_before, marker.tokens_after) == (before, after)
    assert program.path.read_text().splitlines()[marker.line - 1 :][1].strip().startswith('"id"')


def test_up_to_0_20_a_compression_goes_on_in_another_file(chats: Path) -> None:
    first = Program(chats)
    first.says()
    first.answers(700_000)
    second = Program(chats, minute="2026-03-23T21-05")
    second.says()
    second.answers(90_000)

    (marker,) = told(all_of(gemini.follow(str(second.path), is_detailed=True)), CompactionMarker)

    assert (marker.offset, marker.line, marker.tokens_before) == (0, 1, 700_000)
    assert told(all_of(gemini.follow(str(first.path), is_detailed=True)), CompactionMarker) == []


def test_another_session_with_a_like_name_is_none_of_that(chats: Path) -> None:
    first = Program(chats)
    first.says()
    first.path.write_bytes(first.data().replace(SESSION.encode(), SESSION.replace("1111", "2222").encode()))
    second = Program(chats, minute="2026-03-23T21-05")
    second.says()

    assert told(all_of(gemini.follow(str(second.path), is_detailed=True)), CompactionMarker) == []


def test_a_compression_within_the_first_minute_writes_over_the_old_file(program: Program) -> None:
    follower = gemini.follow(str(program.path), is_detailed=True)
    program.says("old")
    program.answers(700_000)
    follower.read()
    program.messages.clear()
    program.start_time = "2026-03-23T20:33:48.000Z"
    program.says("new")

    events = follower.read()

    assert names(events) == ["CompactionMarker", "PersonMessage"]
    program.answers(90_000)
    assert told(follower.read(), CompactionMarker) == []


def test_messages_taken_back_make_old_sizes_incomparable(program: Program) -> None:
    follower = gemini.follow(str(program.path), is_detailed=True)
    program.says("a")
    program.answers(10_000)
    program.says("b")
    program.answers(90_000)
    follower.read()
    del program.messages[2:]
    program.says("c")

    events = follower.read()

    assert names(events) == ["ContextCleared", "PersonMessage"]
    assert told(events, ContextCleared)[0].kind == "rewind"


def test_a_document_that_stays_torn_tells_what_is_whole_and_the_rest_later(program: Program) -> None:
    program.says("a")
    program.answers(10_000)
    program.says("b")
    program.answers(20_000)
    data = program.data()
    program.path.write_bytes(data[: data.rindex(b'"toolCalls"')])
    follower = gemini.follow(str(program.path), is_detailed=True)

    events = all_of(follower)
    assert [event.text for event in told(events, PersonMessage)] == ["a", "b"]
    assert [event.context_tokens for event in told(events, Request)] == [10_000]
    assert len(told(events, Skipped)) == 1

    program.write()
    assert names(follower.read()) == ["Request", "AgentMessage", "ToolCall", "ToolResult"]


def test_a_follower_goes_on_from_a_checkpoint(program: Program) -> None:
    program.says("a")
    program.answers(10_000)
    first = gemini.follow(str(program.path), is_detailed=True)
    first.read()
    kept = json.loads(json.dumps(first.checkpoint()))

    second = gemini.follow(str(program.path), kept, is_detailed=True)
    assert second.read() == []
    program.says("b")
    assert [event.text for event in told(second.read(), PersonMessage)] == ["b"]


def test_a_checkpoint_of_another_form_tells_all_again(program: Program) -> None:
    program.says("a")
    kept = {"memory": {"ids": "?"}, "size": 3, "seen": None}

    assert names(gemini.follow(str(program.path), kept, is_detailed=True).read()) == [
        "SessionSeen",
        "PersonMessage",
    ]


def test_a_session_taken_up_late_tells_its_size_as_history(program: Program) -> None:
    program.says("a")
    program.answers(10_000)
    program.answers(20_000)
    size = program.path.stat().st_size

    at_end = gemini.follow(str(program.path), start="end", is_detailed=True).read()
    assert [(type(event).__name__, event.is_history) for event in at_end] == [
        ("SessionSeen", True), ("Request", True),
    ]  # fmt: skip

    since = gemini.follow(str(program.path), start=size, is_detailed=True)
    program.notices("Context compressed from 68% to 3%.")
    assert [(type(event).__name__, event.is_history) for event in since.read()] == [
        ("SessionSeen", True), ("Request", True), ("CompactionMarker", False),
    ]  # fmt: skip


def test_another_session_in_the_same_file_is_told_from_its_beginning(program: Program) -> None:
    follower = gemini.follow(str(program.path), is_detailed=True)
    program.says("a")
    follower.read()
    program.path.write_bytes(program.data().replace(SESSION.encode(), b"another-session"))

    assert [event.session_id for event in told(follower.read(), SessionSeen)] == ["another-session"]


@settings(max_examples=60)
@given(st.binary(max_size=80), st.integers(0, 900))
def test_no_bytes_make_it_raise(junk: bytes, at: int) -> None:
    message = {"id": "1", "type": "user", "timestamp": "2026-03-23T20:40:01.000Z", "content": "go"}
    data = json.dumps(
        {"sessionId": "s", "messages": [message, {**message, "id": 5}, 7, None]}, indent=2
    ).encode()
    form = document_format(Origin(goes_on=True))
    for text in (junk, data, data[:at] + junk + data[at:], data[:at] + junk):
        for document in (whole_document(text, "messages"), salvage(text, "messages", is_message)):
            if document is not None:
                _, memory = form.interpret(document, {})
                form.interpret(document, memory)
