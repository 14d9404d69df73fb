"""Text that asks to be remembered, from anywhere but the person: it is dropped, and counted."""

from __future__ import annotations

import re

MAX_CHARS = 20_000
# What a page, a file or a tool has no reason to say, unless it wants to be taken for a person.
_ASKS = re.compile(
    r"\b(?:important|note|attention|instructions?)\s+(?:for|to)\s+(?:all\s+)?(?:the\s+)?(?:ai|llm|coding)\b"
    r"|\bremember\b[^.\n]{0,60}\b(?:rules?|instructions?|for ever|forever|permanently)\b"
    r"|\b(?:for|in) all future (?:sessions|conversations|tasks)\b"
    r"|\b(?:add|save|store|record|write)\b[^.\n]{0,40}\bto (?:your |the )?(?:long[- ]term )?memory\b"
    r"|\b(?:user|owner|developer) (?:has |have )?(?:already )?(?:approved|agreed|consented|confirmed)\b"
    r"|\b(?:user|owner|developer) (?:prefers? to (?:skip|disable)|wants you to)\b"
    r"|\bignore (?:all |any )?(?:previous|prior|above|earlier) (?:instructions|rules|messages)\b"
    r"|\bdo not (?:mention|reveal|disclose) this\b"
    r"|\b(?:record|add|save|store|set)_(?:constraint|rule|memory|anchor|preference|decision)s?\s*\("
    r"|</?(?:agent-context|rules?|system|system-reminder|memory|instructions?|constraints?)>"
    r"|记住[^。\n]{0,12}(?:[:：]|规则|以后|所有|这条)|以后所有(?:的)?(?:提交|会话|任务)"
    r"|(?:用户|主人)(?:已经?|早已)?(?:同意|批准|授权)|忽略(?:之前|以上|前面)的?(?:所有)?(?:指令|规则|要求)"
    r"|(?:写入|存入|加入)[^。\n]{0,6}(?:长期)?记忆",
    re.IGNORECASE,
)
# One word of each, so that nearly every text is ruled out at once.
_HINT = re.compile(
    r"remember|all future|attention|instruction|important|note |memory|user |owner |developer |ignore "
    r"|do not |_constraint|_rule|_anchor|_preference|_decision|</?[a-z]\w+[->]"
    r"|记住|以后所有|用户|主人|忽略|记忆",
    re.IGNORECASE,
)


def asks_to_be_remembered(text: str) -> bool:
    part = text if len(text) <= MAX_CHARS else text[: MAX_CHARS // 2] + "\n" + text[-MAX_CHARS // 2 :]
    return bool(_HINT.search(part)) and bool(_ASKS.search(part))
