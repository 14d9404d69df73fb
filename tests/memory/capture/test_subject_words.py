"""Which words of a sentence tell what it is about, and how much each does."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.subject_words import (
    NUMBER_WEIGHT,
    STRONG,
    WORD_WEIGHT,
    parts_in,
    weighted_words,
)


def weights(text: str) -> dict[str, float]:
    return dict(weighted_words(text, 0))


def test_paths_and_numbers_tell_more_than_names_and_these_more_than_words() -> None:
    told = weights("keep src/legacy/0007_index.py and retries at 12 in BillingJob")

    assert told["0007"] == NUMBER_WEIGHT == told["12"] > told["billingjob"] == STRONG > WORD_WEIGHT
    assert "/src/legacy/0007_index.py" in told


def test_a_reason_counts_less_than_what_it_is_for_but_a_name_in_it_as_much() -> None:
    told = weights("touch the parser never, because the vendor of ZephyrDB ships it")

    assert told["vendor"] < told["~parser"] == WORD_WEIGHT
    assert told["zephyrdb"] == STRONG


@pytest.mark.parametrize(
    ("text", "has_part"),
    [
        ("do not touch the lexer in src/a.py", True),
        ("src/a.py 的词法分析不要动", True),
        ("do not touch src/a.py", False),
        ("put the lexer in src/a.py", False),
    ],
)
def test_a_part_of_a_thing_is_told_from_the_whole(text: str, *, has_part: bool) -> None:
    assert bool(parts_in(text)) is has_part
