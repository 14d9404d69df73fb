"""What a demand turns away from: `spaces instead of tabs`, `vitest, not jest`, 用 pnpm 而不是 npm."""

from __future__ import annotations

import re
from functools import lru_cache

from agentinitd.memory.capture.concepts import ACTIONS, ALTERNATIVES, is_action
from agentinitd.memory.capture.subject import MAX_CHARS, shared, subject_of

_TURNED_AWAY = re.compile(
    r"(?:\b(?:instead of|rather than|in place of|no longer)"
    r"|(?:[,，;；(（]|\b(?:and|but))\s*not(?!\s+(?:even|only|just|yet|necessarily|that|if|when|before)\b)"
    r"|而不是|而非|[，,；;]\s*(?:不是|不要|不再|别|不)用?|代替|取代|替代)"
    r"\s*(?P<words>[^,，。;；()（）]{1,60})",
    re.IGNORECASE,
)
_END = re.compile(r"\s+(?:for|in|from|on|because|since|as|any|when|anymore|any more)\b|了$")
_CHOSEN = re.compile(
    r"(?:\b(?:go(?:ing)?(?: back)? (?:with|for|to)|us(?:e|ing)|choose|chose|pick|take|switch(?:ing)? to"
    r"|settled? on|stick with|stay with)\s+(?:the\s+)?"
    r"|(?:改用|采用|换成|改成|选用|选|用|走)\s*)(?P<name>[A-Za-z][\w.+#-]*|[\u3400-\u9fff]{2,8})",
    re.IGNORECASE,
)
_REVISED = re.compile(
    r"\b(?:on second thought|instead|actually|scratch that|after all|change of plans?|changed my mind)\b"
    r"|还是|改用|换成|改成|算了",
    re.IGNORECASE,
)


_WITHOUT_OBJECT = re.compile(
    r"[,;]?\s*(?:\b(?:not|instead of|rather than|in place of|and not)\b|而不是|而非|不是|不用|别用)"
    r"(?=\W*(?:$|[,;.，；。]|(?:in|for|on|at|with|from|to|by)\b))",
    re.IGNORECASE,
)


def without_empty_contrast(text: str) -> str:
    """Of a rule whose values were taken out: `Use Python, not` would turn away what follows it."""
    return _WITHOUT_OBJECT.sub("", text).strip()


@lru_cache(maxsize=1024)
def turned_away(text: str) -> frozenset[str]:
    found = (_END.split(match["words"])[0] for match in _TURNED_AWAY.finditer(text[:MAX_CHARS]))
    # Nearly always nothing: one for all.
    return shared(
        frozenset(token for words in found for token in subject_of(words).weights if not is_action(token))
    )


def _wanted(text: str) -> frozenset[str]:
    return frozenset(subject_of(text).weights) - turned_away(text)


def are_at_odds(one: str, other: str) -> bool:
    """Whether one demand turns away from what the other wants."""
    return bool(turned_away(one) & _wanted(other) or turned_away(other) & _wanted(one))


def is_corrected(old: str, new: str) -> bool:
    """Whether the newer demand turns away from the older, or back to what that turned away from, and speaks
    of nothing else than that does."""
    if not are_at_odds(old, new):
        return False
    away = turned_away(old) | turned_away(new)
    away = away.union(*(family for family in ALTERNATIVES if family & away))
    before, now = ({word for word in _things(each) - away if not _is_digit(word)} for each in (old, new))
    return before <= now or now <= before


def _things(text: str) -> frozenset[str]:
    return frozenset(token for token, weight in subject_of(text).weights.items() if weight >= 1) - ACTIONS


def _is_digit(word: str) -> bool:
    return len(word) == 1 and word.isdecimal()


def _chosen(text: str) -> str:
    found = _CHOSEN.search(text)
    return found["name"].casefold().rstrip(".") if found else ""


def is_other_choice(one: str, other: str) -> bool:
    """`go with SQLite`, `go with DuckDB, SQLite is too slow`: the same words, and not the same choice."""
    ours, theirs = _chosen(one), _chosen(other)
    return bool(ours and theirs) and ours != theirs


def is_choice_revised(old: str, new: str) -> bool:
    """Whether another is chosen, and what was chosen before is named, or that the mind was changed."""
    if not is_other_choice(old, new):
        return False
    return _chosen(old) in new.casefold() or _REVISED.search(new) is not None
