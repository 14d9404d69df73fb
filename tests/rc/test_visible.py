"""What is shown is all that is there."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from agentinitd.rc.visible import count_hidden, lines_of, visible


@given(st.binary() | st.text().map(str.encode))
def test_lines_tell_every_byte(data):
    assert "\n".join(lines_of(data)).encode("utf-8", "surrogateescape") == data


@given(st.text(st.characters(exclude_categories=())))
def test_nothing_that_a_terminal_acts_on_is_left(text):
    shown = visible(text)

    assert shown.replace("\t", "").isprintable()
    assert count_hidden(shown) == 0
    assert (shown != text) == (count_hidden(text) > 0)


def test_no_format_or_control_character_of_unicode_is_left():
    hidden = [
        chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Cf", "Zl", "Zp")
    ]

    assert count_hidden("".join(hidden)) == len(hidden) - 1  # the tab


def test_blank_letters_and_selectors_are_shown():
    assert visible("a\u3164\ufe0f\u2800\U000e0100") == r"a\u3164\ufe0f\u2800\U000e0100"


def test_letters_of_all_languages_stay():
    text = "先读 é अ 😀\tx"

    assert visible(text) == text


def test_a_byte_and_a_character_are_told_apart():
    assert visible(lines_of(b"\x85\xc2\x85")[0]) == r"\x85\u0085"
