"""Lines come out whole and the same, wherever the blocks were cut and however long a line is."""

from __future__ import annotations

import itertools
import json
import random

from hypothesis import given
from hypothesis import strategies as st

from agentinitd.transcripts.lines import LONG_LINE_BYTES, Batch, Lines
from agentinitd.transcripts.long_line import KEPT_LIMIT_BYTES, ROOMY_STRING_BYTES, LongLine


def cut_at(data: bytes, cuts: list[int]) -> list[bytes]:
    places = [0, *sorted(cuts), len(data)]
    return [data[start:end] for start, end in itertools.pairwise(places)]


def lines_of(blocks: list[bytes]) -> tuple[list[tuple[int, bytes]], bytes, int]:
    lines = Lines()
    found: list[tuple[int, bytes]] = []
    for block in blocks:
        for batch in lines.feed(block):
            offset = batch.offset
            for line in batch.text.split(b"\n"):
                found.append((offset, line))
                offset += len(line) + 1
    return found, lines.rest(), lines.offset


@given(st.binary(), st.lists(st.integers(0, 200)))
def test_lines_are_what_stands_between_newlines_wherever_the_blocks_are_cut(
    data: bytes, cuts: list[int]
) -> None:
    found, rest, offset = lines_of(cut_at(data, [min(cut, len(data)) for cut in cuts]))

    *expected, last = data.split(b"\n")
    assert [line for _, line in found] == expected
    assert all(data[at : at + len(line)] == line for at, line in found)
    assert rest == last
    assert offset == len(data) - len(last)


def test_only_a_newline_ends_a_line() -> None:
    text = "a\u2028b\u0085c\rd\x0be".encode()

    found, _, _ = lines_of([text + b"\n"])

    assert found == [(0, text)]


def picture_record(size: int) -> bytes:
    image = {"type": "image", "source": {"type": "base64", "data": "QUJD" * (size // 4)}}
    record = {"type": "user", "message": {"content": [image]}, "uuid": "u-1", "toolUseResult": {"ok": True}}
    return json.dumps(record).encode()


def test_a_line_with_a_giant_string_keeps_its_shape() -> None:
    line = picture_record(3_000_000)

    [(offset, squeezed), (following, after)], _, _ = lines_of([line + b"\n{}\n"])

    record = json.loads(squeezed)
    assert (offset, record["uuid"], record["toolUseResult"]) == (0, "u-1", {"ok": True})
    assert len(record["message"]["content"][0]["source"]["data"]) == ROOMY_STRING_BYTES
    assert (following, after) == (len(line) + 1, b"{}")


def test_a_squeezed_line_reads_the_same_wherever_it_is_cut() -> None:
    texts = [
        'quo"te' * 20_000,
        "back\\slash" * 20_000,
        "规则一律" * 30_000,
        "\ud83d\ude00" * 20_000,
        "\\" * 99_999,
    ]
    line = json.dumps({"texts": texts, "uuid": "u-1"}, ensure_ascii=False).encode("utf-8", "surrogatepass")
    whole = LongLine()
    whole.feed(line)
    chance = random.Random(7)

    for _ in range(20):
        long = LongLine()
        for piece in cut_at(line, [chance.randrange(len(line)) for _ in range(30)]):
            long.feed(piece)
        assert long.kept == whole.kept
        assert long.size == len(line)
    assert json.loads(whole.kept.decode("utf-8", "surrogatepass"))["uuid"] == "u-1"


@given(st.text(alphabet='ab"\\\n\u00e9规😀', min_size=90, max_size=120), st.integers(0, 90))
def test_a_cut_never_leaves_half_an_escape_or_half_a_character(tail: str, shift: int) -> None:
    text = "x" * (ROOMY_STRING_BYTES - 60) + "y" * (shift % 50) + tail
    for escapes in (True, False):
        long = LongLine()
        long.feed(json.dumps({"text": text, "uuid": "u-1"}, ensure_ascii=escapes).encode())
        assert json.loads(long.kept)["uuid"] == "u-1"


def test_a_line_that_is_all_structure_is_given_up_and_the_next_is_read() -> None:
    line = json.dumps([[index, "a"] for index in range(700_000)]).encode()
    assert len(line) > KEPT_LIMIT_BYTES
    lines = Lines()

    batches = [
        batch
        for block in (line[:LONG_LINE_BYTES], line[LONG_LINE_BYTES:] + b"\n{}\n")
        for batch in lines.feed(block)
    ]

    assert batches == [Batch(0, b"", is_too_long=True), Batch(len(line) + 1, b"{}")]


def test_a_long_run_of_zeros_takes_no_room() -> None:
    long = LongLine()
    for _ in range(100):
        long.feed(b"\0" * 65536)

    assert bytes(long.kept) == b"\0"


def test_an_endless_line_without_a_newline_takes_no_more_room_than_its_cap() -> None:
    lines = Lines()
    for _ in range(200):
        assert list(lines.feed(b'"x",' * 65536)) == []

    assert len(lines.rest()) <= KEPT_LIMIT_BYTES
