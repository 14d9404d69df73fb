"""Masks credentials in a JSON value, also one that only the name it stands under gives away."""

from __future__ import annotations

from agentinitd.memory.redact import redact
from agentinitd.model.facts import JsonValue


def masked(value: JsonValue, name: str = "") -> JsonValue:
    if isinstance(value, str):
        return _masked_text(value, name)
    if isinstance(value, list):
        return [masked(entry, name) for entry in value]
    if isinstance(value, dict):
        return {key: masked(entry, key) for key, entry in value.items()}
    return value


def masked_object(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {key: masked(entry, key) for key, entry in value.items()}


def _masked_text(text: str, name: str) -> str:
    start = f"{name}: "
    found = redact(start + text).text if name else ""
    return found[len(start) :] if found.startswith(start) and name else redact(text).text
