"""What speaks against an anchor, in words short enough for a snippet: its age, its check, who wrote it."""

from __future__ import annotations

from agentinitd.model.facts import Anchor, Language

GONE = "is gone"
"""So ends what a check found when there is no such file."""
_DAY = 86_400.0
_NOTES: dict[tuple[Language, bool], str] = {
    ("en", True): "(last checked {age} ago)",
    ("en", False): "(written {age} ago, never checked)",
    ("zh", True): "（{age}未核对）",
    ("zh", False): "（{age}前记录，未核对）",
}


def stale_note(anchor: Anchor, *, now: float, stale_days: float, language: Language) -> str | None:
    """A warning once a person's last confirmation, else the writing, is more than `stale_days` ago.

    Without a date there is no evidence and so no warning; neither is there for a date in the future.
    """
    since = anchor.written_at if anchor.verified_at is None else anchor.verified_at
    if since is None or now - since <= stale_days * _DAY:
        return None
    return _NOTES[language, anchor.verified_at is not None].format(age=_age(now - since, language))


def failed_note(reason: str, language: Language) -> str:
    """Evidence beats age: the check of the anchor failed, and this is what was found."""
    return f"（核对不符：{reason}）" if language == "zh" else f"(check failed: {reason})"


def program_note(language: Language) -> str:
    """A program wrote it, and no person said that it is so."""
    return "（程序所写，未经确认）" if language == "zh" else "(written by a program, confirmed by nobody)"


def _age(seconds: float, language: Language) -> str:
    days, hours = int(seconds // _DAY), max(1, int(seconds // 3600))
    if language == "zh":
        return f"{days} 天" if days else f"{hours} 小时"
    return f"{days} d" if days else f"{hours} h"
