"""What became of a recorded fact, in the few words that `recall` and `decisions` show."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentinitd.memory.decisions import Fate

_FATES = {
    "restored": "holds again, through {by}",
    "restores": "",
    "claimed": "CLAIMED by a program; not served until you verify it",
    "gainsaid": "SAID OTHERWISE, {by}",
    "overruled": "WRITTEN OTHERWISE, {by}; not served",
    "conflict": "CONFLICT, unsettled, with {by}",
    "replaced": "WITHDRAWN, replaced by {by}",
    "ended": "WITHDRAWN",
    "rejected": "WITHDRAWN",
}


def fate_text(fate: Fate | None) -> str:
    """Through what, and when; empty for what simply holds."""
    words = _FATES[fate.standing] if fate is not None else ""
    if fate is None or not words:
        return ""
    text = words.format(by=fate.by) if fate.by else words.partition(",")[0]
    day = day_text(fate.at)
    return f"{text} on {day}" if day else text


def day_text(at: float | None) -> str:
    """The day where the reader is."""
    try:
        return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d") if at is not None else ""
    except (ValueError, OverflowError, OSError):
        return ""
