"""The rebuild of one session that is under way: one at a time, and called off for a more urgent one."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

from agentinitd.daemon.turns import Turns
from agentinitd.model.causes import overtakes
from agentinitd.model.scripts import Runlevel


class Building:
    """Of one session.  Whoever builds for it, or stops its scripts, holds `lock`."""

    def __init__(self) -> None:
        self.lock = Turns()
        self._under_way: tuple[Runlevel, threading.Event] | None = None

    @property
    def is_busy(self) -> bool:
        return self.lock.locked()

    @contextlib.contextmanager
    def under_way(self, runlevel: Runlevel) -> Iterator[threading.Event]:
        """While it is built; what is yielded calls it off.  The caller holds `lock`."""
        cancel = threading.Event()
        self._under_way = (runlevel, cancel)
        try:
            yield cancel
        finally:
            self._under_way = None

    def is_overtaken_by(self, runlevel: Runlevel) -> bool:
        """What is built now is in no hurry, and this is (supervision.md RL-12)."""
        under_way = self._under_way
        return under_way is not None and not under_way[1].is_set() and overtakes(runlevel, under_way[0])

    def make_way_for(self, runlevel: Runlevel) -> None:
        """Ends the rebuild that is under way, by the same steps as a time-out, if this one overtakes it."""
        if self._under_way is not None and self.is_overtaken_by(runlevel):
            self._under_way[1].set()
