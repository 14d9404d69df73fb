"""Text that asks to be remembered, from anywhere but the person: it is dropped, and counted."""

from __future__ import annotations

import re

MAX_CHARS = 20_000
# What a page, a file or a tool has no reason to say, unless it wants to be taken for a person.  Each pattern
# is tried only where its word occurs, for that is found ten times as fast.
_ASKS = {
    "remember": r"remember\b[^.\n]{0,60}\b(?:rules?|instructions?|for ever|forever|permanently)\b",
    "all future": r"all future (?:sessions|conversations|tasks)\b",
    "memory": r"\b(?:add|save|store|record)\b[^.\n]{0,40}\bto (?:your |the )?(?:long[- ]term )?memory\b",
    "user ": r"user (?:has |have )?(?:already )?(?:approved|agreed|consented|confirmed)\b",
    "user prefers": r"user prefers to (?:skip|disable|ignore)\b",
    "owner ": r"owner (?:has )?(?:already )?(?:approved|agreed|consented|confirmed|wants you to)\b",
    "user wants": r"user wants you to\b",
    "ignore ": r"ignore (?:all |any )?(?:previous|prior|above|earlier) (?:instructions|rules|messages)\b",
    "do not ": r"do not (?:mention|reveal|disclose) this\b",
    "_constraint": r"(?:record|add|save|store|set)_constraints?\s*\(",
    "_rule": r"(?:record|add|save|store|set)_rules?\s*\(",
    "_memory": r"(?:record|add|save|store|set)_memory\s*\(",
    "_anchor": r"(?:record|add|save|store|set)_anchors?\s*\(",
    "_decision": r"(?:record|add|save|store|set)_decisions?\s*\(",
    "agent-context": r"</?agent-context>",
    "<rule>": r"<rule>[^<\n]{0,80}\b(?:user|always|never)\b",
    "记住": r"记住[^。\n]{0,12}(?:[:：]|规则|以后|所有|这条)",
    "以后所有": r"以后所有(?:的)?(?:提交|会话|任务)",
    "用户": r"用户(?:已经?|早已)(?:经)?(?:同意|批准|授权)",
    "忽略": r"忽略(?:之前|以上|前面)的?(?:所有)?(?:指令|规则|要求)",
    "记忆": r"(?:写入|存入|加入)[^。\n]{0,6}(?:长期)?记忆",
}
_TO_MACHINES = (
    r"(?:important|note|attention|instructions?)\s+(?:for|to)\s+(?:all\s+)?(?:the\s+)?(?:ai|llms?)\b"
)
_ASKS |= dict.fromkeys((" for ai", " to ai", " the ai", " all ai", " llm"), _TO_MACHINES)
_PATTERNS = {hint: re.compile(pattern, re.IGNORECASE) for hint, pattern in _ASKS.items()}


def asks_to_be_remembered(text: str) -> bool:
    part = text if len(text) <= MAX_CHARS else text[: MAX_CHARS // 2] + "\n" + text[-MAX_CHARS // 2 :]
    lower = part.lower()
    return any(hint in lower and pattern.search(lower) for hint, pattern in _PATTERNS.items())
