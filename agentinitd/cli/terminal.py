"""Text of others on a terminal: it must neither begin a line of its own nor speak to the terminal."""

from __future__ import annotations

from datetime import datetime


def plain(text: str, *, most_chars: int = 300) -> str:
    """`text` as one line without control characters, cut where it is longer."""
    line = "".join(character if character.isprintable() else " " for character in text)
    return line if len(line) <= most_chars else line[: most_chars - 1] + "…"


def local_time(stamp: str) -> str:
    """A time of the log as a clock on the wall shows it; what is none stays as it is."""
    try:
        return datetime.fromisoformat(stamp).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return stamp
