"""Goose's sessions of before the database: lines, and the whole file written anew after each message."""

from __future__ import annotations

import json
import random
from pathlib import Path, PurePath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.model.events import Event, PersonMessage, Request, SessionSeen, Skipped
from agentinitd.transcripts import goose
from agentinitd.transcripts.goose_legacy import is_record, new_reader

SAMPLE = Path(__file__).resolve().parents[1] / "data" / "goose" / "20250601_101500.jsonl"
PATH = PurePath("/sessions/20250601_101500.jsonl")


def head(count: int, tokens: int | None = None) -> dict[str, Any]:
    return {"working_dir": "/srv/demo", "message_count": count, "total_tokens": tokens, "output_tokens": 9}


def says(number: int, role: str = "user") -> dict[str, Any]:
    return {
        "role": role,
        "created": 1788300000 + number,
        "content": [{"type": "text", "text": f"é {number}"}],
    }


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in values)


def whole(content: bytes) -> list[Event]:
    reader = new_reader(PATH, is_detailed=True)
    return reader.feed(content) + reader.flush()


STORY = lines(head(40, 21_000), *(says(number, ("user", "assistant")[number % 2]) for number in range(40)))


def test_the_sample_is_told(tmp_path: Path) -> None:
    assert goose.is_own(SAMPLE)
    (name,) = goose.names_in(SAMPLE)
    follower = goose.follow(name, is_detailed=True)
    events = follower.read() + follower.finish()

    assert [(type(event).__name__, event.line) for event in events] == [
        ("SessionSeen", 1),
        ("Request", 1),
        ("PersonMessage", 2),
        ("AgentMessage", 3),
    ]
    assert [event.session_id for event in events if isinstance(event, SessionSeen)] == [SAMPLE.stem]
    assert not goose.is_own(tmp_path)


def test_the_cuts_of_the_stream_make_no_difference() -> None:
    expected = whole(STORY)
    assert len(expected) == 42
    for seed in range(50):
        cuts = sorted(random.Random(seed).sample(range(len(STORY)), 20))
        reader = new_reader(PATH, is_detailed=True)
        events = []
        for start, end in zip([0, *cuts], [*cuts, len(STORY)], strict=True):
            events += reader.feed(STORY[start:end])
        assert events == expected
    reader = new_reader(PATH, is_detailed=True)
    assert [event for at in range(len(STORY)) for event in reader.feed(STORY[at : at + 1])] == expected


def test_a_torn_end_is_kept_and_a_whole_one_is_read_before_its_newline() -> None:
    reader = new_reader(PATH, is_detailed=True)
    events = reader.feed(STORY[:-10])
    assert reader.flush() == []
    events += reader.feed(STORY[-10:-1])
    events += reader.flush()
    events += reader.feed(b"\n" + lines(says(99)))

    assert events[:-1] == whole(STORY)
    assert (events[-1].line, events[-1].offset) == (42, len(STORY))


def test_damage_costs_its_own_lines_only() -> None:
    rows = STORY.splitlines(keepends=True)
    events = whole(b"".join([*rows[:5], b"\xff\xfe{\n", b"\0\0\n", b"[1]\n", b"\n", *rows[5:]]))

    assert [event.line for event in events if isinstance(event, Skipped)] == [6, 7, 8]
    assert [getattr(event, "text", None) for event in events if not isinstance(event, Skipped)] == [
        getattr(event, "text", None) for event in whole(STORY)
    ]


@pytest.mark.parametrize("is_renewed", [True, False])
def test_a_file_written_anew_after_each_message_tells_each_once(tmp_path: Path, is_renewed: bool) -> None:
    path = tmp_path / "20250601_101500.jsonl"
    follower = goose.follow(str(path), is_detailed=True)
    events: list[Event] = []
    for count in range(200):
        fresh = path.with_suffix(".tmp")
        fresh.write_bytes(lines(head(count, 1000 + count), *map(says, range(count))))
        fresh.replace(path)
        events += follower.read()
        if is_renewed:
            follower = goose.follow(
                str(path), json.loads(json.dumps(follower.checkpoint())), is_detailed=True
            )

    told = [event for event in events if isinstance(event, PersonMessage)]
    assert [event.text for event in told] == [f"é {number}" for number in range(199)]
    assert not any(event.is_history for event in told)
    assert [event.context_tokens for event in events if isinstance(event, Request)] == list(range(1000, 1200))


def test_only_its_own_first_line_is_known() -> None:
    assert is_record(lines(head(1)))
    assert not is_record(lines(says(1)))
    assert not is_record(b"\xff")
    assert not is_record(b"[" * 100_000)


@given(st.lists(st.one_of(st.binary(max_size=40), st.text(max_size=20).map(str.encode)), max_size=8))
def test_no_bytes_make_it_raise(pieces: list[bytes]) -> None:
    reader = new_reader(PATH, is_detailed=True)
    for piece in pieces:
        reader.feed(piece)
        reader.flush()
    assert reader.offset <= sum(map(len, pieces))


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "toolCall", "toolResult", "value", "content", "id", "status"]),
            inner,
        )
    ),
    max_leaves=8,
)
FIELDS = ["role", "created", "content", "metadata", "working_dir", "total_tokens", "output_tokens"]


@given(
    st.dictionaries(st.sampled_from(FIELDS), values | st.sampled_from(["user", "assistant", "toolRequest"]))
)
def test_no_value_makes_it_raise_or_hides_the_next(value: dict[str, Any]) -> None:
    events = whole(lines(value, says(1)))

    assert isinstance(events[-1], PersonMessage)
