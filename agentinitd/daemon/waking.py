"""Tells a machine that slept from one that was slow."""

from __future__ import annotations

from collections.abc import Callable

SLEPT_SECONDS = 5.0
"""What is less may be the clock being put right."""


class Waking:
    """The monotonic clock stands still in a suspend, the wall clock does not (CLK-1, CLK-2)."""

    def __init__(self, *, wall: Callable[[], float], monotonic: Callable[[], float]) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._ahead = self._difference()

    def slept_seconds(self) -> float:
        """Since it was asked before, 0 when it did not.  A clock put forward counts as well."""
        before, self._ahead = self._ahead, self._difference()
        slept = self._ahead - before
        return slept if slept >= SLEPT_SECONDS else 0.0

    def _difference(self) -> float:
        return self._wall() - self._monotonic()
