"""One rebuild of a session at a time, and which other one calls it off."""

from __future__ import annotations

import pytest

from agentinitd.daemon.building import Building


@pytest.fixture
def building() -> Building:
    return Building()


def test_a_more_urgent_one_calls_it_off_once(building: Building) -> None:
    """RL-12."""
    with building.under_way("periodic") as cancel:
        assert building.is_overtaken_by("compact")
        building.make_way_for("compact")

        assert cancel.is_set()
        assert not building.is_overtaken_by("compact")


def test_what_the_agent_waits_for_is_never_called_off(building: Building) -> None:
    with building.under_way("compact") as cancel:
        building.make_way_for("periodic")
        building.make_way_for("compact")

        assert not cancel.is_set()


def test_where_nothing_is_built_nothing_is_in_the_way(building: Building) -> None:
    with building.under_way("periodic") as cancel:
        pass

    building.make_way_for("compact")

    assert not building.is_overtaken_by("compact")
    assert not cancel.is_set()
