"""What the person can set about rebuilds reaches the detector."""

from __future__ import annotations

from agentinitd.model.config import Config
from agentinitd.sessions.limits import Limits


def test_the_limits_are_those_of_the_config() -> None:
    config = Config(drop_percent=33, cooldown_turns=1, periodic_turns=2, periodic_requests=3)

    assert Limits.of(config) == Limits(
        drop_percent=33, cooldown_turns=1, periodic_turns=2, periodic_requests=3
    )
    assert Limits.of(Config()) == Limits()


def test_a_fall_is_a_drop_only_beyond_the_limit() -> None:
    limits = Limits(drop_percent=20)

    assert not limits.is_drop(100_000, 80_000)
    assert limits.is_drop(100_000, 79_999)
