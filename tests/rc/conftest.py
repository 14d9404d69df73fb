"""A house of four layers for every test of scripts and runlevels."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# Tests are imported one by one, without packages: what they share is found beside them.
sys.path.insert(0, str(Path(__file__).parent))

from laying import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    base = tmp_path / "house"
    house = House(base)
    house.folder("project").mkdir(parents=True)
    return house
