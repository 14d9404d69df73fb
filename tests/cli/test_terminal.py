"""Foreign text on a terminal stays one harmless line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.cli.terminal import plain


@pytest.mark.parametrize(
    "text", ["a\nb", "a\rb", "a\x1b]0;title\x07b", "a\x9bb", "a\u202eb", "a\u2028b", "a\u200bb", "a\x00b"]
)
def test_what_speaks_to_the_terminal_is_a_blank(text: str) -> None:
    assert plain(text).startswith("a ")
    assert plain(text).isprintable()


def test_words_of_any_language_and_the_indent_stay() -> None:
    assert plain("  约束: naïve 🙂") == "  约束: naïve 🙂"


@given(st.text(), st.integers(1, 50))
def test_it_is_never_longer_than_asked_for(text: str, most: int) -> None:
    assert len(plain(text, most_chars=most)) <= most
    assert plain(text, most_chars=most).isprintable()
