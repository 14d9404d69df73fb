"""Sentences of two languages: English words in a Chinese one, each clause read by whom it is written for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from agentinitd.memory.capture.chinese_asides import LIFE
from agentinitd.memory.capture.chinese_offhand import EMPHASIS
from agentinitd.memory.capture.english_traps import REMARK
from agentinitd.memory.capture.prose import Context, Found, Sentence

Reader = Callable[[Sentence, Context], list[Found]]

MAX_CHARS = 300
_BOTH = re.compile(r"[A-Za-z]{2} [A-Za-z]{2}")
_OTHERS = re.compile(
    r"[吗呢么][？?。！ ]*$|为什么|为啥|是不是|怎么|听说|据说"
    r"|(?:老板|同事|客户|产品|领导|编译器|文档|日志|报错|上面|他们?|她|\bit|\bhe|\bshe|\bthey)[^，,。]{0,4}?"
    r"(?:说|写着|says?\b|said\b)|(?:readme|文档|手册|wiki|规范|注释)[^，,。]{0,3}[里上中]面?(?:写|提)",
    re.IGNORECASE,
)
"""A question, or what others say."""
_BLAMES = re.compile(r"怎么(?:又|还|老)")
_TOLD = re.compile(
    r"\bonly (?:two|three|one|a few|\d+|[a-z]+[^s\W]s)\b(?! (?:in|for|from|under|via|through))|刚才|刚刚"
    r"|昨天|上次"
    r"|我觉得|好像|估计|可能|偶尔|\busually\b|\bsometimes\b|有时候"
    r"|^(?:线上|测试环境|生产|预发|我们的?|咱们的?|本地)[^，不别要]{0,10}?(?:是(?!不)|用的|每[天周晚月])"
    r"|(?:报|提示|抛|显示|弹)(?:错|了|出|的是)* ?:?[A-Z][a-z]+ [a-z]",
    re.IGNORECASE,
)
_LEADING = re.compile(r"\A(?:and|but|so) ", re.IGNORECASE)
_CLAUSE = re.compile(r"[^，。；！？,;!?]+")
_SAID_IN_ENGLISH = re.compile(
    r"(?P<about>[^A-Za-z]*[\u3400-\u9fff][^A-Za-z]*)?(?P<english>[A-Za-z][\x20-\x7e]{6,})"
)
_EACH = re.compile(r"每|所有|全部|任何|凡是")
_HAS_NO_SUBJECT = re.compile(
    r"(?:should|must|needs?|has to|have to|is|are|may|can|cannot|can't)\b", re.IGNORECASE
)


def told(found: list[Found], sentence: Sentence) -> list[Found]:
    """Without what is only told: in words of two languages neither reader sees all of it."""
    if not _BOTH.search(sentence.text):
        return found
    is_other = bool(_OTHERS.search(_BLAMES.sub("", sentence.text)))
    return [
        item
        for item in found
        if item.act != "state" or not ((is_other and item.force == "hard") or _TOLD.search(item.text))
    ]


def with_english(found: list[Found], sentence: Sentence, context: Context, read: Reader) -> list[Found]:
    """Also the clauses of a Chinese sentence that ask in English: "变量命名 please use camelCase"."""
    if len(sentence.text) > MAX_CHARS or sentence.is_question or not _BOTH.search(sentence.plain):
        return found
    if LIFE.search(sentence.text) or REMARK.search(sentence.text):
        return found
    more: list[Found] = []
    for clause in _CLAUSE.finditer(sentence.plain):
        said = _SAID_IN_ENGLISH.fullmatch(clause.group().strip())
        text = _LEADING.sub("", sentence.text[clause.start() : clause.end()].strip())
        if (
            said is None
            or EMPHASIS.match(text)
            or any(text in item.text or item.text in text for item in found)
        ):
            continue
        lone = replace(sentence, text=_lone(said), plain=_lone(said), language="en", before="", heading="")
        more += [replace(item, text=text) for item in read(lone, context)[:1] if item.act == "state"]
    return [*found, *more]


def _lone(said: re.Match[str]) -> str:
    """In English alone: what is told of something in Chinese is told of code."""
    english = said["english"].strip()
    if not said["about"] or not _HAS_NO_SUBJECT.match(english):
        return english
    return f"{'every function' if _EACH.search(said['about']) else 'code'} {english}"
