"""What the daemon costs while it works: its memory, its open files, second by second."""

from __future__ import annotations

import contextlib
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil

EVERY_SECONDS = 1.0
WARM_UP = 0.2
"""Of a life: imports, the token encoder and the first caches are no growth."""
WINDOW = 0.1


@dataclass(frozen=True, kw_only=True)
class Sample:
    at: float
    pid: int
    rss: int
    open_files: int
    names: tuple[str, ...]
    """Of the open files, where the system tells them."""
    cpu_seconds: float
    """Of its life so far."""


class Gauge:
    """Looks at whatever process is the daemon, in a thread."""

    def __init__(self, holder: Callable[[], int]) -> None:
        self.samples: list[Sample] = []
        self._holder = holder
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join()

    def sample(self) -> Sample | None:
        with contextlib.suppress(psutil.Error, OSError, ValueError):
            process = psutil.Process(self._holder())
            with process.oneshot():
                return Sample(
                    at=time.monotonic(),
                    pid=process.pid,
                    rss=process.memory_info().rss,
                    open_files=process.num_fds(),
                    names=_open_files(process.pid),
                    cpu_seconds=sum(process.cpu_times()[:2]),
                )
        return None

    def _run(self) -> None:
        while not self._stopping.wait(EVERY_SECONDS):
            found = self.sample()
            if found is not None:
                self.samples.append(found)


def _open_files(pid: int) -> tuple[str, ...]:
    found = []
    for descriptor in Path(f"/proc/{pid}/fd").glob("*"):
        with contextlib.suppress(OSError):
            found.append(str(descriptor.readlink()))
    return tuple(sorted(found))


@dataclass(frozen=True, kw_only=True)
class Growth:
    """Of one life of the daemon, from when it is warm to its end."""

    first: float
    last: float
    cpu_percent: float
    """Of one processor."""
    series: list[tuple[float, float]]
    """Part of the life in percent, and MiB."""

    @property
    def percent(self) -> float:
        return (self.last / self.first - 1.0) * 100.0


def growth(samples: list[Sample], *, since: float, until: float) -> Growth | None:
    """Between `since` and `until` by the clock, where one daemon lived; None where it cannot be said."""
    life = [each for each in samples if since <= each.at <= until]
    if len({each.pid for each in life}) != 1:
        return None

    def mean(begin: float, end: float) -> float:
        length = until - since
        found = [each.rss for each in life if begin <= (each.at - since) / length <= end]
        return statistics.median(found) / 2**20 if found else 0.0

    series = [(part / 20 * 100, mean(part / 20 - 0.025, part / 20 + 0.025)) for part in range(21)]
    first, last = mean(WARM_UP, WARM_UP + WINDOW), mean(1.0 - WINDOW, 1.0)
    if not (first and last):
        return None
    cpu_seconds = life[-1].cpu_seconds - life[0].cpu_seconds
    cpu_percent = cpu_seconds / max(life[-1].at - life[0].at, EVERY_SECONDS) * 100
    return Growth(first=first, last=last, series=series, cpu_percent=cpu_percent)
