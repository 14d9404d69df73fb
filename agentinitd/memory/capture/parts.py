"""Whether what is allowed, or not needed, is so for a part only: "force push is ok on feature branches"."""

from __future__ import annotations

import re
from functools import lru_cache

from agentinitd.memory.capture.concepts import is_action
from agentinitd.memory.capture.subject import Subject, concerns, subject_of

MAX_CHARS = 240
_NO_PLACE = (
    r"now|good|general|all|any|every\w*|ever|future|principle|full|fact|it|them|that|this|these|those|me|us"
    r"|you|here|there|once|demand|request|purpose|time|sight|autopilot|a while|(?:your|my|our|its|their) own"
    r"|the (?:future|meantime|end|moment|time being|fly)"
)
_ENGLISH = re.compile(
    r"\b(?:for|on|in|inside|within|under|during|when|while|if|unless|as long as|outside)\s+"
    rf"(?!(?:{_NO_PLACE})\b)(?P<x>[^,;.]{{2,60}})",
    re.IGNORECASE,
)
_FREE = r"[，, ]*(?:也?可以|能|允许|就?不用|不必|无需)"
_CHINESE = re.compile(
    r"(?:在|对|对于|仅|只限)?(?P<x>[^，。；\s在对]{1,10}?(?:环境|分支|目录|文件|模块|期间|阶段))"
    rf"(?:上|里|中|下|的时候)?{_FREE}"
    r"|的(?P<z>(?!代码|文件|目录|模块|内容|东西|部分|地方|限制|规则|那|这|时候)[^，。；\s的]{1,8}?)(?:现在"
    r"|都|先|也|已经)*"
    rf"{_FREE}"
    rf"|(?:在|对|对于)(?P<y>[^，。；]{{1,14}}?)(?:上|里|中|下|的时候|时)?{_FREE}"
)


def is_for_part(text: str, rule: Subject) -> bool:
    """Whether the text names a place or a condition of which the rule says nothing."""
    return any(_is_new(words, rule) for words in _named(text[:MAX_CHARS]))


@lru_cache(maxsize=1024)
def _named(text: str) -> tuple[Subject, ...]:
    found = [*_ENGLISH.finditer(text), *_CHINESE.finditer(text)]
    return tuple(subject_of(next(filter(None, each.groups()))) for each in found)


def _is_new(words: Subject, rule: Subject) -> bool:
    telling = [token for token, weight in words.weights.items() if weight >= 1 and not is_action(token)]
    names = [*telling, *words.paths]
    return bool(names) and not any(concerns(rule, name) for name in names)
