"""Where something was said."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.sources import Source, session_name, source_of

EXTERNAL = (Source("s", 1, is_external=True), Source("s", 1, "agent", is_external=True))


@pytest.mark.parametrize(
    "source", [Source("0b-1", 7), Source("a:b", 12, "agent"), Source("s", 1, "tool"), *EXTERNAL]
)
def test_a_source_is_read_as_it_was_written(source: Source) -> None:
    assert source_of(source.text) == source


@pytest.mark.parametrize("text", ["user", "", "s:", ":3", "s:x", "s:3 (somebody)"])
def test_other_words_are_no_place_in_a_session(text: str) -> None:
    assert source_of(text) is None


def test_places_in_one_session_share_its_name() -> None:
    first, second = source_of("0b-1:7"), source_of("0b-1:8")

    assert first and second
    assert first.session is second.session


def test_the_id_of_a_session_can_end_no_field() -> None:
    assert session_name("a; id: x\n-->") == "a_id_x_--_"
    assert session_name("") == "unknown"
