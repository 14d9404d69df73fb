"""A house of four layers for every test of scripts and runlevels."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Tests are imported one by one, without packages: what they share is found beside them.
sys.path.insert(0, str(Path(__file__).parent))

from laying import RUN_ID, House, needs_linux

from agentinitd.rc import sweep
from agentinitd.rc.launch import Call


@pytest.fixture
def house(tmp_path: Path) -> House:
    base = tmp_path / "house"
    house = House(base)
    house.folder("project").mkdir(parents=True)
    return house


@pytest.fixture(params=["by cookie", pytest.param("by descent", marks=needs_linux)])
def adopting(request: pytest.FixtureRequest) -> Iterator[str]:
    """Both ways to find strays: as on any system, and as a daemon on Linux that adopts orphans."""
    if request.param == "by descent":
        assert sweep.become_subreaper()
    yield request.param
    if request.param == "by descent":
        ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)
        assert not sweep.is_subreaper()


@pytest.fixture
def call(tmp_path: Path) -> Call:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    return Call(
        executable="",
        action="start",
        environment={"PATH": os.environ["PATH"], sweep.COOKIE: RUN_ID, "MARK": str(tmp_path)},
        folder=str(tmp_path),
        stdin=b'{"api": 1}\n',
        scratch=scratch,
        run_id=RUN_ID,
        timeout_seconds=5.0,
        max_output_bytes=16 * 1024,
        kill_grace_seconds=0.2,
        drain_seconds=0.2,
        flood_bytes=256 * 1024,
    )
