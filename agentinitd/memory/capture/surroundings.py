"""A clause with what tells, around it in its sentence, what it is about.

"The staging database (port 5433), never prod" says more than "never prod".  Not so what is ordered beside it:
"add the export, and keep the old one" would be done a second time.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agentinitd.memory.capture.english_clauses import without_filler
from agentinitd.memory.capture.english_joints import begins_with_order
from agentinitd.memory.capture.prose import Found, Sentence

MAX_CHARS = 120
"""A longer sentence is about more than one thing."""
MAX_CHAT_CHARS = 24
_CUT = re.compile(r"\s*[,;，；]\s*|\s[-–—]+\s|\s+(?=(?:and|but|so|then) )")
_JOINS = re.compile(r"(?:and|but|so|then|also) ", re.IGNORECASE)
_HAN = re.compile(r"[\u3400-\u9fff]")
_ORDERS = re.compile(
    r"(?:好的?|嗯|ok|那|你|先|请|麻烦|帮我?|帮忙|接着|继续|再|然后|顺便|现在)*"
    r"(?:把|给|帮|加|改|写|做|看|跑|修|删|查|实现|新增|提交|重构|弄|整|继续|检查)"
)
_CHATS = re.compile(
    r"(?:ok|okay|thanks|thank you|great|nice|good|looks|yes|no|yeah)\b|好的?|谢谢|可以|不错|嗯|行|对",
    re.IGNORECASE,
)
_NEXT = re.compile(r"(?:next|now|first|then|接下来|下一步)\b", re.IGNORECASE)
_LASTS = re.compile(r"(?:use|keep|prefer|stick|stay|treat)\b", re.IGNORECASE)
"""How to do it, and nothing that is done at once."""
_LEFT_OUT = re.compile(r"(?:除外|例外|另说|不在此列)$")
_SAYS_SOMETHING = re.compile(
    r"^\s*就不|[A-Za-z0-9][^\u3400-\u9fff]*[\u3400-\u9fff]|[\u3400-\u9fff]{6}|\S+ \S+ \S+|[\d/_]"
)
"""More than "really" and 提醒过你的."""
_WHERE = re.compile(
    r"[，,；;]\s*(?:这(?:几)?[条个点]?|以上|上面)?(?:规则|规矩|要求)?(?:对|在)?(?:所有|每个|任何|全部)[^，]{0,12}$"
)
_END = " .。!！"


def in_surroundings(found: list[Found], sentence: Sentence) -> list[Found]:
    """Where the sentence says one thing only, and nothing is to be done now, all of it."""
    only = found[:1] if len(found) == 2 and _LEFT_OUT.search(found[1].text) else found
    if len(only) != 1 or only[0].act != "state" or len(sentence.text) > MAX_CHARS or sentence.is_question:
        return found
    [item] = only
    before, is_there, behind = sentence.text.partition(item.text)
    # Why it holds is kept by itself, and so is where it holds.
    behind = _WHERE.sub("", behind.replace(item.why, "") if item.why else behind)
    if not is_there or not (_SAYS_SOMETHING.search(before) or _SAYS_SOMETHING.search(behind)):
        return found
    if _is_for_now(before) or _is_for_now(behind):
        return found
    return [replace(item, text=sentence.text.rstrip(_END))]


def _is_for_now(words: str) -> bool:
    """Whether something in it is to be done, or is only an answer."""
    for piece in _CUT.split(words):
        said = _JOINS.sub("", piece.strip(_END), count=1)
        if _CHATS.match(said) and len(said) <= MAX_CHAT_CHARS:
            return True
        if _NEXT.match(said):
            return True
        said = said if _HAN.search(said) else said[without_filler(said) :]
        is_order = _ORDERS.match(said) if _HAN.search(said) else begins_with_order(said)
        if is_order and not _LASTS.match(said):
            return True
    return False
