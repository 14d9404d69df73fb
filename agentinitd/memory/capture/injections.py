"""Text that asks to be remembered, from anywhere but the person: it is dropped, and counted."""

from __future__ import annotations

import re

MAX_CHARS = 20_000
# What a page, a file or a tool has no reason to say, unless it wants to be taken for a person.  Every result
# of every tool is looked through: each pattern is tried only where its word occurs, or a sign it begins with.
# A word is found faster without spaces, of which code is full, and a pattern when it begins with a letter.
_TO_MACHINES = r"s?\s+(?:for|to)\s+(?:all\s+)?(?:the\s+)?(?:ai|llms?)\b"
_ASKS = {
    "remember": r"remember\b[^.\n]{0,60}\b(?:rules?|instructions?|for ever|forever|permanently)\b",
    "future": r"all future (?:sessions|conversations|tasks)\b",
    "memory": r"[asr](?:(?<=\ba)dd|(?<=\bs)(?:ave|tore)|(?<=\br)ecord)\b[^.\n]{0,40}"
    r"\bto (?:your |the )?(?:long[- ]term )?memory\b",
    "user ": r"user (?:(?:has |have )?(?:already )?(?:approved|agreed|consented|confirmed)"
    r"|prefers to (?:skip|disable|ignore)|wants you to)\b",
    "owner": r"owner (?:(?:has )?(?:already )?(?:approved|agreed|consented|confirmed)|wants you to)\b",
    "ignore": r"ignore (?:all |any )?(?:previous|prior|above|earlier) (?:instructions|rules|messages)\b",
    "do not ": r"do not (?:mention|reveal|disclose) this\b",
    "_": r"_(?=constraint|rule|memory|anchor|decision)(?:(?<=record_)|(?<=store_)|(?<=save_)|(?<=add_)"
    r"|(?<=set_))(?:constraint|rule|memory|anchor|decision)s?\s*\(",
    "<": r"<(?:/?agent-context>|rule>[^<\n]{0,80}\b(?:user|always|never)\b)",
    **{hint: hint + _TO_MACHINES for hint in ("important", "instruction", "attention", "note")},
}
# One sign is found faster than a word.
_ASKS_WIDE = {
    "记": r"记住[^。\n]{0,12}(?:[:：]|规则|以后|所有|这条)|(?:写入|存入|加入)[^。\n]{0,6}(?:长期)?记忆",
    "后": r"以后所有(?:的)?(?:提交|会话|任务)",
    "户": r"用户(?:已经?|早已)(?:经)?(?:同意|批准|授权)",
    "忽": r"忽略(?:之前|以上|前面)的?(?:所有)?(?:指令|规则|要求)",
}
_PATTERNS = tuple((hint, re.compile(pattern)) for hint, pattern in _ASKS.items())
_WIDE_PATTERNS = tuple((hint, re.compile(pattern)) for hint, pattern in _ASKS_WIDE.items())


def asks_to_be_remembered(text: str) -> bool:
    part = text if len(text) <= MAX_CHARS else text[: MAX_CHARS // 2] + "\n" + text[-MAX_CHARS // 2 :]
    lower = part.lower() if part.isascii() else _ascii_lower(part)
    for hint, pattern in _PATTERNS:
        if hint in lower and pattern.search(lower):
            return True
    return not part.isascii() and any(
        hint in part and pattern.search(part) for hint, pattern in _WIDE_PATTERNS
    )


def _ascii_lower(text: str) -> str:
    """With a sign for each other letter: a single arrow in a text makes `str.lower` ten times as slow."""
    return text.encode("ascii", "replace").lower().decode("ascii")
