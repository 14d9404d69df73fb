"""A suspend and a slow machine are told apart by two clocks that can be moved."""

from __future__ import annotations

import pytest

from agentinitd.daemon.waking import Waking


@pytest.mark.parametrize(
    ("wall", "monotonic", "slept"),
    [
        (1.0, 1.0, 0.0),
        (90.0, 90.0, 0.0),  # slow, not asleep
        (3601.0, 1.0, 3600.0),
        (4.0, 1.0, 0.0),  # the clock was put right
        (-3599.0, 1.0, 0.0),  # summer ended on a clock that knows no zones
    ],
)
def test_only_what_the_monotonic_clock_missed_counts(wall: float, monotonic: float, slept: float) -> None:
    """CLK-1, CLK-2."""
    clocks = {"wall": 1e9, "monotonic": 50.0}
    waking = Waking(wall=lambda: clocks["wall"], monotonic=lambda: clocks["monotonic"])
    clocks["wall"] += wall
    clocks["monotonic"] += monotonic

    assert waking.slept_seconds() == pytest.approx(slept)
    assert waking.slept_seconds() == 0.0
