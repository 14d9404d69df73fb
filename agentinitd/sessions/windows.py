"""How much a model can hold, where its transcripts do not say."""

from __future__ import annotations

LARGE_TOKENS = 1_000_000
# By the beginning of the model's name; its vendor's documentation.  What is not listed is not guessed.
_TOKENS = {"claude-": 200_000}


def window_of(model: str, *, seen_tokens: int) -> int | None:
    """None when unknown.  One that holds more than is common for its name is sold with a million as well."""
    common = next((tokens for name, tokens in _TOKENS.items() if model.startswith(name)), None)
    if common is None or seen_tokens <= common:
        return common
    return LARGE_TOKENS
