"""What the person can set about when a rebuild is due."""

from __future__ import annotations

from dataclasses import dataclass

from agentinitd.model.config import Config


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the person can set."""

    drop_percent: float = 20.0
    cooldown_turns: int = 3
    periodic_turns: int = 10
    """0 switches it off; so for the requests."""
    periodic_requests: int = 60
    checkpoint_percent: float = 75.0
    """0 switches it off."""
    window_tokens: int = 0
    """Of a model whose window the transcript does not tell; 0: as common for its name."""

    @classmethod
    def of(cls, config: Config) -> Limits:
        return cls(
            drop_percent=config.drop_percent,
            cooldown_turns=config.cooldown_turns,
            periodic_turns=config.periodic_turns,
            periodic_requests=config.periodic_requests,
            checkpoint_percent=config.checkpoint_percent,
            window_tokens=config.window_tokens,
        )

    def is_drop(self, base: int, tokens: int) -> bool:
        return (base - tokens) * 100 > self.drop_percent * base
