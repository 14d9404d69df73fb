"""Staleness: a warning by the age of the last check, and by nothing else."""

from __future__ import annotations

import pytest

from agentinitd.memory.staleness import stale_note
from agentinitd.model.facts import Anchor, Language
from agentinitd.snippet.tokens import TokenCounter

DAY = 86_400.0
NOW = 1_795_000_000.0


def note(
    *, written: float | None = None, verified: float | None = None, language: Language = "en", days: float = 7
) -> str | None:
    anchor = Anchor(
        id="c-1",
        kind="constraint",
        what="a",
        written_at=None if written is None else NOW - written * DAY,
        verified_at=None if verified is None else NOW - verified * DAY,
    )
    return stale_note(anchor, now=NOW, stale_days=days, language=language)


@pytest.mark.parametrize(
    ("written", "verified", "expected"),
    [
        (31, 6.98, None),
        (31, 7.02, "(last checked 7 d ago)"),
        (2, None, None),
        (9, None, "(written 9 d ago, never checked)"),
        (80, 30, "(last checked 30 d ago)"),
        (7, None, None),
        (None, None, None),
        (-1, None, None),
        (90, -1, None),
    ],
)
def test_only_what_nobody_checked_for_more_than_seven_days_carries_a_warning(
    written: float | None, verified: float | None, expected: str | None
) -> None:
    assert note(written=written, verified=verified) == expected


def test_the_warning_speaks_the_language_of_the_memory() -> None:
    assert note(verified=9, language="zh") == "（9 天未核对）"
    assert note(written=9, language="zh") == "（9 天前记录，未核对）"


def test_a_limit_below_a_day_counts_in_hours() -> None:
    assert note(verified=0.2, days=0.1) == "(last checked 4 h ago)"
    assert note(verified=0.2, days=0.1, language="zh") == "（4 小时未核对）"


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("age", [9.0, 31.0, 365.0])
def test_a_warning_costs_at_most_ten_tokens(language: Language, age: float) -> None:
    counter = TokenCounter()

    for text in (note(verified=age, language=language), note(written=age, language=language)):
        assert text is not None
        assert counter.count(text) <= 10
