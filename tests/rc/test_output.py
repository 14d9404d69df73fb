from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.rc import output


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (b"", ""),
        (b"hello", "hello\n"),
        (b"one\r\ntwo\rthree\n", "one\ntwo\nthree\n"),
        (b"\x1b[1;31mred\x1b[0m and \x1b]0;title\x07plain\n", "red and plain\n"),
        (b"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n", "link\n"),
        (b"a\x00b\x07c\x7fd\te\n", "abcd\te\n"),
        ("\u202eevil\u202c ze\u200bro \U000e0041tag\ufeff\n".encode(), "evil zero tag\n"),
        ("c1 \u009b31m \u0085 gone\n".encode(), "c1   gone\n"),
        (b"bad \xff\xfe bytes\n", "bad \ufffd\ufffd bytes\n"),
        ("约束：使用 pnpm\n".encode(), "约束：使用 pnpm\n"),
    ],
)
def test_bytes_become_plain_text(written: bytes, text: str) -> None:
    """OUT-3."""
    assert output.clean(written).text == text


def test_what_was_taken_out_is_counted() -> None:
    assert output.clean(b"\x1b[31mred\x1b[0m\xff").removed == 3
    assert output.clean("plain, 中文 and \ufffd itself\n".encode()).removed == 0


SIGNS_OF_NUMBERS = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
"""Unicode calls them format characters as well, and they can be seen."""


def test_no_character_that_cannot_be_seen_survives() -> None:
    unseen = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Cf")]
    text = output.clean("".join(each for each in unseen if each not in "\x1b\x9b").encode()).text
    assert set(text) - set("\n\t") == set(SIGNS_OF_NUMBERS)


@given(st.binary())
def test_nothing_that_a_terminal_obeys_survives(data: bytes) -> None:
    text = output.clean(data).text
    assert all(letter in "\n\t" or unicodedata.category(letter) != "Cc" for letter in text)
    assert text == "" or text.endswith("\n")


@given(st.binary(max_size=5000), st.integers(min_value=1024, max_value=2048))
def test_kept_text_never_exceeds_its_limit_but_for_the_note(data: bytes, limit: int) -> None:
    found = output.clean_bounded(data, limit_bytes=limit, total_bytes=len(data))
    assert len(found.text.encode()) <= limit + 80


def test_long_output_is_cut_at_a_line_end_and_says_so() -> None:
    """OUT-5."""
    data = b"".join(b"line %04d\n" % number for number in range(1000))
    found = output.clean_bounded(data[:1024], limit_bytes=1024, total_bytes=len(data))
    assert found.is_truncated
    assert found.text.splitlines()[-2:] == ["line 0101", "[cut: 1,020 of 10,000 bytes kept]"]


def test_one_giant_line_is_kept_as_far_as_it_goes() -> None:
    found = output.clean_bounded("é".encode() * 700, limit_bytes=1025, total_bytes=5000)
    assert found.text == "é" * 512 + "\n[cut: 1,024 of 5,000 bytes kept]\n"


def test_a_line_beyond_64_kib_is_cut() -> None:
    """OUT-6."""
    lines = output.clean(b"x" * 100_000 + b"\nshort\n").text.splitlines()
    assert len(lines[0]) == 64 * 1024 + len(" […]")
    assert lines[1] == "short"


@pytest.mark.parametrize(
    ("data", "is_binary"),
    [
        (b"", False),
        (b"text with a few \x1b[1m colours\n" * 10, False),
        (("中文" * 3000).encode(), False),
        (bytes(range(256)) * 16, True),
        (b"\x7fELF\x02\x01\x01" + b"\x00" * 100, True),
        ("plain".encode("utf-16"), True),
        (b"\xff" * 31 + b"a" * 69, True),
        (b"\xff" * 29 + b"a" * 71, False),
        (b"a" * 4096 + b"\x00" * 100_000, False),
    ],
)
def test_binary_is_known_by_its_first_4_kib(data: bytes, is_binary: bool) -> None:
    """OUT-4."""
    assert output.is_binary(data) is is_binary
