"""Why a rebuild is due, and which runlevel serves several reasons at once."""

from __future__ import annotations

import itertools
from typing import get_args

import pytest

from agentinitd.model.causes import RUNLEVEL_OF, STRENGTH, Cause, Trigger, strongest
from agentinitd.model.scripts import RUNLEVELS


def cause(trigger: Trigger) -> Cause:
    return Cause(id=f"{trigger}:1", trigger=trigger, turn=1, reason="because")


def test_every_trigger_names_a_runlevel() -> None:
    assert set(RUNLEVEL_OF) == set(get_args(Trigger))
    assert set(RUNLEVEL_OF.values()) <= set(RUNLEVELS)


def test_every_runlevel_has_a_strength() -> None:
    assert sorted(STRENGTH) == sorted(RUNLEVELS)


@pytest.mark.parametrize(
    ("triggers", "runlevel"),
    [
        (("drop",), "compact"),
        (("task-state", "periodic"), "periodic"),
        (("periodic", "session", "task-state"), "session"),
        (("session", "marker", "manual"), "compact"),
        (("marker", "switch", "manual"), "switch"),
    ],
)
def test_the_strongest_runlevel_serves_all_in_whatever_order_they_came(
    triggers: tuple[Trigger, ...], runlevel: str
) -> None:
    """RL-12."""
    for order in itertools.permutations(triggers):
        assert strongest(tuple(cause(trigger) for trigger in order)) == runlevel
