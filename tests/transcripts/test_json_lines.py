"""JSON Lines become records and losses, each with its line and place, whatever the damage and the cuts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Raw, Struct

from agentinitd.transcripts.json_lines import (
    RecordLines,
    Shape,
    lenient,
    plain,
    seconds_of,
    text_of,
    tokens_of,
    typed,
)


class Inner(Struct, gc=False):
    name: str | None = None
    size: int | None = None


class Record(Struct, gc=False, rename="camel"):
    type: str | None = None
    inner_part: Inner | str | None = None
    parts: list[Inner] | None = None
    rest: Raw = Raw()


def is_record(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("type"), str) and value["type"].startswith("r")


TORN = "torn; 1 whole record on the line read all the same"
SHAPE = Shape(Record, start=r'\{"type":', is_record=is_record)


class Reading:
    """Notes what is read and skipped, and where."""

    def __init__(self, **place: Any) -> None:
        self.told: list[tuple[int, int, str]] = []
        self.lines = RecordLines(SHAPE, read=self._read, skip=self._skip, **place)

    def _read(self, record: Record) -> None:
        self._note(record.type or "?")

    def _skip(self, reason: str) -> None:
        self._note(f"! {reason}")

    def _note(self, text: str) -> None:
        self.told.append((self.lines.line, self.lines.at, text))

    def feed(self, pieces: Iterable[bytes]) -> list[tuple[int, int, str]]:
        for piece in pieces:
            self.lines.feed(piece)
        return self.told


def row(kind: str, **fields: Any) -> bytes:
    return json.dumps({"type": kind, **fields}, separators=(",", ":")).encode()


def test_each_record_is_told_with_its_line_and_place() -> None:
    text = row("r1") + b"\n" + row("r2") + b"\n\n" + row("r3") + b"\n"

    assert Reading().feed([text]) == [(1, 0, "r1"), (2, 14, "r2"), (4, 29, "r3")]


def test_reading_goes_on_at_a_place_with_its_line() -> None:
    reading = Reading(offset=100, line=7)

    assert reading.feed([row("r1") + b"\n" + row("r2") + b"\n"]) == [(8, 100, "r1"), (9, 114, "r2")]
    assert reading.lines.offset == 128


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"\0" * 9 + row("r1"), ["! NUL bytes around the record", "r1"]),
        (b"\0" * 9, ["! NUL bytes"]),
        (b"\xef\xbb\xbf" + row("r1") + b"\r", ["r1"]),
        (row("r1") + row("r2"), ["r1", "r2"]),
        (row("r1") + b"  " + row("r2"), ["r1", "r2"]),
        (row("r1")[:-3] + row("r2"), [f"! {TORN}", "r2"]),
        (b'{"type":"r1","a":{"type":"x"},' + row("r2"), [f"! {TORN}", "r2"]),
        (b"garbage", ["! not JSON"]),
        (b"[1]", ["! not an object"]),
        (b"null", ["! not an object"]),
        (b'{"type":"r\xff"}', ["r\ufffd"]),
        (b'{"type":"r","innerPart":[1]}', ["r"]),
        (b"[" * 5000, ["! not JSON"]),
        (b'{"a":"' + b"x" * 2_000_000 + b'"', ["! not JSON"]),
    ],
)  # fmt: skip
def test_of_a_damaged_line_is_read_what_is_whole_and_told_what_is_lost(line: bytes, told: list[str]) -> None:
    found = Reading().feed([line + b"\n" + row("r9") + b"\n"])

    assert [text for _, _, text in found] == [*told, "r9"]
    assert found[-1][0] == 2


def test_a_record_that_reaches_over_a_line_costs_nothing_else() -> None:
    text = b'{"type":\n"r1"}\n' + row("r2") + row("r3") + b"\n" + row("r4") + b"\n"

    assert [(line, text) for line, _, text in Reading().feed([text]) if text[0] == "r"] == [
        (3, "r2"),
        (3, "r3"),
        (4, "r4"),
    ]


def test_a_torn_end_is_kept_and_read_when_it_is_whole() -> None:
    reading = Reading()
    reading.feed([row("r1") + b"\n" + row("r2")[:-1]])
    reading.lines.flush()
    assert [text for _, _, text in reading.told] == ["r1"]
    reading.feed([b"}"])
    reading.lines.flush()
    reading.feed([b"\n" + row("r3") + b"\n"])

    assert reading.told == [(1, 0, "r1"), (2, 14, "r2"), (3, 28, "r3")]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from([row("r1"), b"", b"{", b"\0\0", b'"', row("x") + row("r2"), b"\xff", b"[]"]),
        max_size=9,
    ),
    st.lists(st.integers(0, 200), max_size=6),
)
def test_where_the_blocks_are_cut_makes_no_difference(lines: list[bytes], cuts: list[int]) -> None:
    text = b"\n".join([*lines, b""])
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [text[start:end] for start, end in pairwise(edges)]

    assert Reading().feed(pieces) == Reading().feed([text])


def test_a_field_of_the_wrong_type_counts_as_missing_and_the_rest_is_kept() -> None:
    value = {
        "type": 7,
        "innerPart": {"name": "a", "size": "b"},
        "parts": [{"name": "x"}, 5, {"size": 3}],
        "rest": {"any": [1]},
    }

    found = lenient(value, Record)

    assert (found.type, found.inner_part) == (None, Inner(name="a"))
    assert found.parts == [Inner(name="x"), Inner(size=3)]
    assert plain(found.rest) == {"any": [1]}
    assert lenient({"innerPart": "text", "parts": {}}, Record) == Record(inner_part="text")


def test_a_part_is_typed_when_it_is_asked_for() -> None:
    def decode(text: bytes) -> Inner:
        raise ValueError(text)

    assert typed(Raw(b'{"name":"a","size":[]}'), decode, Inner) == Inner(name="a")
    assert typed(Raw(b"[1]"), decode, Inner) == typed(Raw(), decode, Inner) == Inner()


@pytest.mark.parametrize(
    ("raw", "text"), [(b'"a"', "a"), (b'"\\ud83d"', "\ufffd"), (b"5", ""), (b"", ""), (b'"torn', "")]
)
def test_a_text_is_one_or_nothing(raw: bytes, text: str) -> None:
    assert text_of(Raw(raw)) == text


@pytest.mark.parametrize(
    ("value", "count"),
    [(5, 5), (5.0, 5), (0, None), (-1, None), (True, None), ("5", None), (10**12, None), (5.5, None)],
)
def test_a_count_of_tokens_is_one_that_a_model_can_hold(value: object, count: int | None) -> None:
    assert tokens_of(value) == count


@pytest.mark.parametrize(
    ("timestamp", "seconds"),
    [
        ("1970-01-01T00:00:01.500Z", 1.5),
        ("1970-01-01 00:00:01", 1.0),
        ("1970-01-01T02:00:00+02:00", 0.0),
        ("yesterday", None),
        ("0001-01-01T00:00:00+23:59", -62135683140.0),
        (None, None),
    ],
)
def test_a_time_without_a_zone_is_utc(timestamp: str | None, seconds: float | None) -> None:
    assert seconds_of(timestamp) == seconds
