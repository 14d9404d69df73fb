"""A document that is written anew tells each thing once, whatever form it is found in."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.model.events import Event, PersonMessage, Request, SessionSeen, Skipped
from agentinitd.transcripts.document import (
    SILENCE_SECONDS,
    DocumentFollower,
    DocumentFormat,
    Interpreted,
)
from agentinitd.transcripts.document_entries import Document, salvage, whole_document


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def is_message(text: bytes) -> bool:
    try:
        return "said" in json.loads(text)
    except (ValueError, TypeError):
        return False


def interpret(document: Document, memory: Mapping[str, Any]) -> Interpreted:
    """The simplest of all: a name, and messages that are told by their text once."""
    told = list(memory.get("told", []))
    events: list[Event] = []
    if "name" in document.head and not told:
        events.append(SessionSeen(line=1, offset=0, session_id="s", cwd=None, agent_version=None))
    for entry in document.entries:
        message = json.loads(entry.raw)
        if message["said"] not in told:
            told.append(message["said"])
            events.append(PersonMessage(line=entry.line, offset=entry.index, text=message["said"]))
            if "tokens" in message:
                events.append(
                    Request(
                        line=entry.line,
                        offset=entry.index,
                        request_id="r",
                        model="m",
                        context_tokens=message["tokens"],
                    )
                )
    return Interpreted(events, {"told": told})


FORM = DocumentFormat(list_key="messages", is_message=is_message, interpret=interpret)


def written(*texts: str, **fields: Any) -> bytes:
    messages = [{"said": text, "more": {"deep": ["}", '"{']}} for text in texts]
    return json.dumps({"name": "s", "messages": messages, **fields}, indent=2).encode()


def texts(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, PersonMessage)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.json"


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_only_what_is_new_is_told_after_each_rewrite(path: Path) -> None:
    follower = DocumentFollower(path, FORM)
    assert follower.read() == []

    path.write_bytes(written("a", "b"))
    assert texts(follower.read()) == ["a", "b"]
    assert follower.read() == []

    path.write_bytes(written("a", "b", "c"))
    assert texts(follower.read()) == ["c"]


def test_an_event_stands_where_its_message_stands(path: Path) -> None:
    path.write_bytes(written("a", "b", "c"))
    lines = path.read_text().split("\n")

    told = [event for event in DocumentFollower(path, FORM).read() if isinstance(event, PersonMessage)]

    assert [event.offset for event in told] == [0, 1, 2]
    assert [lines[event.line] for event in told] == [
        '      "said": "a",',
        '      "said": "b",',
        '      "said": "c",',
    ]


def test_a_list_without_a_document_around_it_is_read_too(path: Path) -> None:
    form = DocumentFormat(list_key=None, is_message=is_message, interpret=interpret)
    path.write_bytes(json.dumps([{"said": "a"}, {"said": "b"}], indent=1).encode())

    told = DocumentFollower(path, form).read()

    assert [(event.offset, event.line) for event in told] == [(0, 2), (1, 5)]


def test_an_empty_or_half_document_is_waited_for(path: Path, clock: Clock) -> None:
    follower = DocumentFollower(path, FORM, now=clock)
    data = written("a", "b")
    for cut in (0, 1, 30, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:cut])
        assert follower.read() == []
        assert follower.flush_at == clock.now + SILENCE_SECONDS

    path.write_bytes(data)
    assert texts(follower.read()) == ["a", "b"]
    assert follower.flush_at is None


def test_whatever_the_cuts_the_whole_document_is_told_once(path: Path, clock: Clock) -> None:
    data = written(*"abcdefgh")
    chance = random.Random(7)
    follower = DocumentFollower(path, FORM, now=clock)
    told: list[Event] = []
    for cut in sorted(chance.sample(range(len(data)), 50)):
        path.write_bytes(data[:cut])
        told += follower.read()
    path.write_bytes(data)
    told += follower.read()

    assert texts(told) == list("abcdefgh")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_torn_list_has_no_gap_before_its_first_message(mark: bytes) -> None:
    torn = mark + b'\n[\n {"said": "a [b"},\n {"said": "c"},\n {"said": "to'
    found = salvage(torn, None, is_message)

    assert [(entry.index, entry.line) for entry in found.entries] == [(0, 3), (1, 4)]
    assert [(gap.index, gap.line) for gap in found.gaps] == [(2, 4)]


def test_a_torn_list_that_lost_its_beginning_is_read_from_the_first_whole_message() -> None:
    found = salvage(b'd": "a [b"},\n {"said": "[c]"}]', None, is_message)

    assert [(entry.index, entry.raw) for entry in found.entries] == [(1, b'{"said": "[c]"}')]


def test_a_document_that_stays_torn_tells_what_is_whole_in_it(path: Path, clock: Clock) -> None:
    data = written("a", "b", "c")
    follower = DocumentFollower(path, FORM, now=clock)
    path.write_bytes(data[: data.index(b'"said": "c"') + 8])
    assert follower.read() == []

    clock.now += SILENCE_SECONDS
    told = follower.read()

    assert texts(told) == ["a", "b"]
    assert [(event.offset, event.reason) for event in told if isinstance(event, Skipped)] == [
        (2, "torn or damaged")
    ]
    assert follower.read() == []

    path.write_bytes(data)
    assert texts(follower.read()) == ["c"]


def test_damage_between_two_messages_costs_nothing_but_a_word(path: Path, clock: Clock) -> None:
    data = written("a", "b", "c")
    at = data.index(b'    {\n      "said": "b"')
    for damage in (b'{"said": "torn', b"\0\0\0\n", b"\xff\xfe\n", b'"\n', b"}}}\n"):
        path.write_bytes(data[:at] + damage + b"\n" + data[at:])
        follower = DocumentFollower(path, FORM, now=clock)
        follower.read()
        told = follower.finish()
        assert texts(told) == ["a", "b", "c"], damage
        assert [type(event) for event in told].count(Skipped) == 1


def test_an_emptied_document_is_no_damage(path: Path, clock: Clock) -> None:
    path.write_bytes(b"")
    follower = DocumentFollower(path, FORM, now=clock)
    follower.read()
    clock.now += SILENCE_SECONDS

    assert follower.read() == []


def test_a_checkpoint_goes_on_where_it_was_taken(path: Path) -> None:
    path.write_bytes(written("a", "b"))
    first = DocumentFollower(path, FORM)
    first.read()
    kept = json.loads(json.dumps(first.checkpoint()))

    second = DocumentFollower(path, FORM, kept)
    assert second.read() == []
    path.write_bytes(written("a", "b", "c"))
    assert texts(second.read()) == ["c"]


@pytest.mark.parametrize("kept", [{"memory": 3}, {"size": "x"}, {"seen": [1]}])
def test_a_checkpoint_in_another_form_is_none(path: Path, kept: dict[str, Any]) -> None:
    path.write_bytes(written("a"))

    assert texts(DocumentFollower(path, FORM, kept).read()) == ["a"]


def test_a_document_taken_up_at_its_end_tells_its_state_as_history(path: Path) -> None:
    messages = [{"said": "a", "tokens": 10}, {"said": "b", "tokens": 20}, {"said": "c"}]
    path.write_bytes(json.dumps({"name": "s", "messages": messages}, indent=2).encode())
    follower = DocumentFollower(path, FORM, start="end")

    told = follower.read()

    assert [(type(event).__name__, event.is_history) for event in told] == [
        ("SessionSeen", True), ("Request", True),
    ]  # fmt: skip
    assert told[1].offset == 1


def test_what_was_added_since_the_document_was_first_seen_is_new(path: Path) -> None:
    path.write_bytes(written("a", "b"))
    follower = DocumentFollower(path, FORM, start=path.stat().st_size)
    path.write_bytes(written("a", "b", "c"))

    assert texts(follower.read()) == ["c"]


def test_a_document_that_comes_after_its_follower_is_new(path: Path) -> None:
    follower = DocumentFollower(path, FORM, start="end")
    follower.read()
    path.write_bytes(written("a"))

    assert texts(follower.read()) == ["a"]


def test_what_cannot_be_read_is_a_problem_and_no_error(path: Path) -> None:
    path.mkdir()
    follower = DocumentFollower(path, FORM)
    assert follower.read() == []
    assert follower.problem == f"{path}: not a regular file"

    path.rmdir()
    path.write_bytes(written("a"))
    assert texts(follower.read()) == ["a"]
    assert follower.problem is None


def test_a_replaced_file_is_looked_at_again(path: Path, tmp_path: Path) -> None:
    path.write_bytes(written("a"))
    follower = DocumentFollower(path, FORM)
    follower.read()
    other = tmp_path / "other"
    other.write_bytes(written("z"))
    os.utime(other, ns=(0, path.stat().st_mtime_ns))
    other.replace(path)

    assert texts(follower.read()) == ["z"]


def test_a_huge_document_is_read_without_its_long_strings(path: Path) -> None:
    messages = [{"said": "a", "picture": "QUJD" * 200_000}, {"said": "b", "picture": "QUJD" * 200_000}]
    path.write_bytes(json.dumps({"messages": messages}, indent=2).encode())

    told = DocumentFollower(path, FORM, whole_bytes=1000).read()

    assert [(event.offset, event.line) for event in told] == [(0, 3), (1, 7)]


@given(st.binary(max_size=200), st.integers(0, 400), st.sampled_from(["messages", None]))
def test_no_bytes_make_it_raise(junk: bytes, at: int, key: str | None) -> None:
    data = written("a", "b")
    for text in (junk, data[:at] + junk + data[at:]):
        whole_document(text, key)
        salvage(text, key, is_message)


def test_many_brackets_do_not_make_it_slow() -> None:
    for junk in (b"{" * 1_000_000, b'"' * 999_999, b"{}" * 300_000, b'{"' * 300_000):
        assert salvage(junk, None, is_message).entries == []
