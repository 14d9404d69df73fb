"""Masks credentials in a JSON value, also one that only the name it stands under gives away."""

from __future__ import annotations

from functools import lru_cache

from agentinitd.memory.redact import redact
from agentinitd.model.facts import JsonValue

_SHORT_CHARS = 200


def masked(value: JsonValue, name: str = "") -> JsonValue:
    if isinstance(value, str):
        is_short = len(value) <= _SHORT_CHARS
        return _masked_short(value, name) if is_short else _masked_text(value, name)
    if isinstance(value, list):
        return [masked(entry, name) for entry in value]
    if isinstance(value, dict):
        return {key: masked(entry, key) for key, entry in value.items()}
    return value


def masked_object(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {key: masked(entry, key) for key, entry in value.items()}


@lru_cache(maxsize=256)
def _masked_short(text: str, name: str) -> str:
    """The same steps are written again with every change of a task."""
    safe = _masked_text(text, name)
    return text if safe == text else safe  # what is kept is mostly one text, not two


def _masked_text(text: str, name: str) -> str:
    start = f"{name}: "
    found = redact(start + text).text if name else ""
    return found[len(start) :] if found.startswith(start) and name else redact(text).text
