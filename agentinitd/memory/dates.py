"""Times as programs and people read them; nothing for what cannot be written as one."""

from __future__ import annotations

from datetime import UTC, datetime


def time_text(at: float | None) -> str | None:
    """RFC 3339 in UTC."""
    return _written(at, "%Y-%m-%dT%H:%M:%SZ")


def day_of(at: float | None) -> str:
    """`2026-11-28`, in UTC."""
    return _written(at, "%Y-%m-%d") or ""


def _written(at: float | None, form: str) -> str | None:
    try:
        return None if at is None else datetime.fromtimestamp(at, UTC).strftime(form)
    except (ValueError, OverflowError, OSError):
        return None
