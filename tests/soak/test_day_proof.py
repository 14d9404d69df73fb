"""The judgement of a day of work, on lives of a daemon that were made up: it fails where it has to."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

# `--import-mode=importlib` keeps our own folder out.
sys.path.insert(0, str(Path(__file__).parent))

import day_proof
from gauging import Growth, Sample, growth

SECONDS = 180
MIB = 2**20


def life(mebibytes: Callable[[float], float], *, pid: int = 7) -> list[Sample]:
    """`mebibytes` of each part of it, from 0 to 1."""
    return [
        Sample(
            at=float(second),
            pid=pid,
            rss=int(mebibytes(second / SECONDS) * MIB),
            open_files=27,
            names=(),
            cpu_seconds=second / 2,
        )
        for second in range(SECONDS + 1)
    ]


def measured(samples: list[Sample]) -> Growth | None:
    return growth(samples, since=0.0, until=float(SECONDS))


def judged(samples: list[Sample], *, calm_seconds: float = SECONDS) -> list[str]:
    return list(day_proof.grown(measured(samples), calm_seconds=calm_seconds))


def test_a_leak_is_told_with_its_size() -> None:
    assert judged(life(lambda part: 100 + 10 * part)) == ["the memory grew by 6.8 %"]


def test_what_only_grows_until_it_is_warm_is_no_leak() -> None:
    assert judged(life(lambda part: 80 + min(20.0, 120 * part))) == []


def test_growth_is_told_from_five_percent_on() -> None:
    assert judged(life(lambda part: 100 if part < 0.5 else 104.9)) == []
    assert judged(life(lambda part: 100 if part < 0.5 else 105)) == ["the memory grew by 5.0 %"]


def test_one_second_of_much_memory_is_no_growth() -> None:
    samples = life(lambda _: 100)
    samples[-3] = replace(samples[-3], rss=300 * MIB)

    assert judged(samples) == []


def test_a_daemon_that_was_started_again_meanwhile_is_a_fault() -> None:
    samples = [*life(lambda _: 100)[:90], *life(lambda _: 100, pid=8)[90:]]

    assert judged(samples) == ["the daemon did not live through the second part of the day"]
    assert judged([]) == ["the daemon did not live through the second part of the day"]


def test_a_life_too_short_to_be_warm_is_not_judged() -> None:
    assert judged(life(lambda part: 100 + 50 * part), calm_seconds=day_proof.JUDGED_SECONDS - 1) == []


def test_the_share_of_a_processor_is_that_of_the_life() -> None:
    found = measured(life(lambda _: 100))

    assert found is not None
    assert found.cpu_percent == pytest.approx(50)


def test_a_file_that_stays_open_is_named() -> None:
    before = life(lambda _: 100)[0]
    after = replace(before, open_files=28, names=("/p/a.jsonl",))

    assert list(day_proof.left_open(before, before)) == []
    assert list(day_proof.left_open(before, after)) == [
        "27 files open before the work, 28 after it: ['/p/a.jsonl']"
    ]
