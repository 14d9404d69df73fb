"""Time has its place on the axis; nobody's night gets more room than his day."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest

from agentinitd.cli.plot_times import TimeAxis

BEGIN = datetime(2026, 11, 30, 9, 58, tzinfo=UTC).timestamp()


def axis(*minutes: float) -> TimeAxis:
    return TimeAxis([BEGIN + 60 * each for each in minutes], left=100, right=1100, zone=UTC)


def test_without_pauses_it_is_even() -> None:
    even = axis(0, 5, 10, 15, 20)

    assert even.pauses == []
    assert [even.x(BEGIN + 60 * minute) for minute in (0, 5, 20)] == pytest.approx([100, 350, 1100])


def test_a_night_is_a_narrow_band_and_what_is_outside_stays_at_the_edge() -> None:
    told = axis(*range(0, 40), *range(600, 640))

    [pause] = told.pauses
    assert pause.seconds == 561 * 60
    assert told.x(pause.end) - told.x(pause.begin) == pytest.approx(25)
    assert (told.x(BEGIN - 9999), told.x(BEGIN + 10**7)) == (100, 1100)


def test_places_never_go_back_however_many_pauses_there_are() -> None:
    moments = [hour * 60 + minute for hour in range(0, 900, 3) for minute in (0, 2)]
    told = axis(*moments)
    places = [told.x(BEGIN + 60 * minute) for minute in moments]

    assert len(told.pauses) == 299
    assert places == sorted(places)
    assert places[-1] == pytest.approx(1100)


def test_ticks_stand_at_round_times_and_tell_a_new_day() -> None:
    told = list(axis(0, *range(0, 60 * 15, 8)).ticks(78))

    assert [time for _, time, _ in told][:3] == ["10:00", "12:00", "14:00"]
    assert [date for _, _, date in told if date] == ["2026-11-30", "2026-12-01"]


def test_ticks_keep_their_distance_also_between_many_short_stretches() -> None:
    places = [
        x
        for x, _, _ in axis(*(hour * 60 + minute for hour in range(0, 90, 3) for minute in (0, 2))).ticks(78)
    ]

    assert len(places) > 5
    assert all(after - before >= 78 for before, after in pairwise(places))


def test_a_single_moment_has_a_place() -> None:
    assert axis(0).x(BEGIN) == 100
