"""The text format of Prometheus: families of figures, each with its labels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Literal

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
MOST_SERIES = 500
"""Of one family: names of scripts come from projects, and a scraper keeps every one of them."""
OTHER = "other"

Kind = Literal["counter", "gauge", "summary", "histogram"]
Labels = tuple[str, ...]


class Family:
    """Counters or gauges of one name."""

    def __init__(self, name: str, kind: Kind, told: str, labels: Sequence[str] = ()) -> None:
        self.name = name
        self._kind = kind
        self._told = told
        self._labels = tuple(labels)
        self._values: dict[Labels, float] = {} if labels else {(): 0.0}

    def add(self, *labels: str, by: float = 1.0) -> None:
        key = _within_bounds(self._values, labels)
        self._values[key] = self._values.get(key, 0.0) + by

    def lines(self) -> Iterator[str]:
        yield from _head(self.name, self._kind, self._told)
        for key, value in sorted(self._values.items()):
            yield _sample(self.name, self._labels, key, value)


class Spread:
    """How long, or how much, each time: a summary, or with `bounds` a histogram."""

    def __init__(
        self, name: str, told: str, labels: Sequence[str] = (), *, bounds: Sequence[float] = ()
    ) -> None:
        self.name = name
        self._told = told
        self._labels = tuple(labels)
        self._bounds = tuple(bounds)
        self._sums: dict[Labels, float] = {} if labels else {(): 0.0}
        self._counts: dict[Labels, list[int]] = {} if labels else {(): [0] * (len(self._bounds) + 1)}
        """How many fell under each bound and over the one before it; the last are those over all."""

    def observe(self, *labels: str, value: float) -> None:
        if not math.isfinite(value):
            return
        key = _within_bounds(self._sums, labels)
        self._sums[key] = self._sums.get(key, 0.0) + value
        counts = self._counts.setdefault(key, [0] * (len(self._bounds) + 1))
        counts[sum(value > bound for bound in self._bounds)] += 1

    def lines(self) -> Iterator[str]:
        yield from _head(self.name, "histogram" if self._bounds else "summary", self._told)
        for key, total in sorted(self._sums.items()):
            counts = list(accumulate(self._counts[key]))
            if self._bounds:
                for bound, count in zip((*self._bounds, math.inf), counts, strict=True):
                    labels = (*self._labels, "le")
                    yield _sample(f"{self.name}_bucket", labels, (*key, _number(bound)), count)
            yield _sample(f"{self.name}_sum", self._labels, key, total)
            yield _sample(f"{self.name}_count", self._labels, key, counts[-1])


def gauge(name: str, told: str, value: float) -> Iterator[str]:
    """One figure without labels, as it is now."""
    yield from _head(name, "gauge", told)
    yield _sample(name, (), (), value)


def page(families: Sequence[Iterator[str]]) -> str:
    return "".join(f"{line}\n" for family in families for line in family)


def _within_bounds(known: dict[Labels, float], labels: Labels) -> Labels:
    return labels if labels in known or len(known) < MOST_SERIES else (OTHER,) * len(labels)


def _head(name: str, kind: Kind, told: str) -> Iterator[str]:
    yield f"# HELP {name} {told}"
    yield f"# TYPE {name} {kind}"


def _sample(name: str, labels: Labels, values: Labels, value: float) -> str:
    pairs = ",".join(f'{label}="{_escaped(text)}"' for label, text in zip(labels, values, strict=True))
    return f"{name}{{{pairs}}} {_number(value)}" if pairs else f"{name} {_number(value)}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    if math.isinf(value):
        return "+Inf"
    return str(int(value)) if float(value).is_integer() else repr(float(value))
