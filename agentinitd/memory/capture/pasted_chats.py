"""Which lines of a message are copied from a chat: a name and a time on a line of their own, and the words
under it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentinitd.memory.capture.speakers import has_colon, is_person, is_somebody

_TIME_SIGN = re.compile(r"\d[:：]\d\d")
_CLOCK = r"\d{1,2}[:：]\d\d(?:[:：]\d\d)?(?:\s?[AaPp]\.?[Mm]\.?(?![\w]))?"
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}"
_DAY = (
    r"(?i:\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?|\d{1,2}[-/.]\d{1,2}(?:[-/.]\d{2,4})?|\d{1,2}月\d{1,2}日"
    r"|今天|昨天|前天|(?:周|星期|礼拜)[一二三四五六日天]|上午|下午|晚上|凌晨|早上|中午"
    r"|today|yesterday|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
    rf"|\d{{1,2}}\s{_MONTH}(?:,?\s\d{{4}})?|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?)"
)
_WHEN = rf"[\[(（【]?(?P<day>(?:{_DAY}[,，]?\s?){{0,2}})(?i:at\s)?{_CLOCK}[\])）】]?"
_UPPER = r"[A-ZÀ-ÖØ-Þ]"
_NAME = (
    rf"(?:@[^\W\d_][\w.-]{{0,20}}|@?{_UPPER}[\w.'-]{{0,20}}|@?[A-Za-z][\w.-]{{0,20}}[_\d][\w.-]{{0,20}}"
    r"|[a-z]{2,15}\.(?!(?:json|ya?ml|[jt]sx|toml|log|txt|html|css|sql|conf|cfg|ini|lock)\b)[a-z]{3,15})"
    rf"(?:\s(?:(?!(?i:today|yesterday|[a-z]{{3,6}}day|at)\b){_UPPER}[\w.'-]{{0,20}}|:[\w+-]{{1,20}}:"
    r"|(?:de|da|di|van|von|der|den|la|el|bin|al|ter)\b)){0,4}"
    r"(?:\s?[(（][^()（）\n]{1,24}[)）])?(?:\s?(?:APP|BOT))?"
    r"|@?[\u4e00-\u9fff]{2,4}(?:[-_—][\u4e00-\u9fff]{2,4})?(?:\s?[(（][^()（）\n]{1,24}[)）])?"
    r"|[a-z]{3,20}(?=\s*[—–]?\s+(?:Today|Yesterday)\sat\s)"
)
_NAME_FIRST = re.compile(
    rf"\s*+(?P<name>{_NAME})(?P<gap>\s*[,，—–|·•-]?\s*){_WHEN}\s*(?:\([Ee]dited\)|（已编辑）)?[:：]?\s*$"
)
_TIME_FIRST = re.compile(rf"\s*+{_WHEN}(?P<gap>\s*[-–—|·]?\s*)(?P<name>{_NAME})\s*[:：]?\s*$")
_TIME_ALONE = re.compile(rf"\s*+(?::[\w+-]{{1,20}}:\s*)?{_WHEN}\s*$")
_NAME_ALONE = re.compile(rf"\s*+(?P<name>{_NAME})\s*$")
_NAME_CALLED = re.compile(rf"\s*+\**(?P<name>{_NAME})\**\s?[:：]\**\s*$")
_WORK = re.compile(r"[\u4e00-\u9fff]+")
"""A Chinese word beside a time may be what a program did then."""
_OF_DAY = re.compile(r"\d\s?[AaPp]\.?[Mm]")
_SURE_TIME = re.compile(r"\d[:：]\d\d[:：]\d\d|\d\s?[AaPp]\.?[Mm]|[—–]\s|\S\s{2,}\d")
_SPEAKS_AGAIN = re.compile(
    r"\s*+(?:(?:btw|by the way)\b|(?:please |pls |so )?(?:do|follow) (?:what|as) |what (?:do|should) (?:i"
    r"|we)\b"
    r"|按[他她]们?|听[他她]|帮我|怎么回|就按|顺便)",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r"\s*+(?:[-*+•]|\d{1,2}[.)、])\s*\S")
MAX_HEAD_CHARS = 90
MAX_HELLO_CHARS = 24


def lines_of_chats(texts: Sequence[str], message: str) -> set[int]:
    """The numbers of the lines that others said, with those that tell who and when."""
    if len(texts) < 2:
        return set()
    heads = (_heads(texts) if _TIME_SIGN.search(message) else []) or _called(texts)
    if not heads:
        return set()
    return set(range(heads[0], _end(texts, heads[-1])))


def _heads(texts: Sequence[str]) -> list[int]:
    found: list[int] = []
    names: set[str] = set()
    is_sure = False
    for number, text in enumerate(texts):
        head = _head(texts, number) if len(text) <= MAX_HEAD_CHARS else None
        if head is None or not is_somebody(head[1]):
            continue
        found.append(head[0])
        names.add(head[1])
        is_sure |= is_person(head[1]) or bool(head[2])
    return found if is_sure or len(names) > 1 else []


def _head(texts: Sequence[str], number: int) -> tuple[int, str, bool] | None:
    """The first line of the head, who speaks, and whether the time has the look of a chat."""
    text = texts[number]
    if not has_colon(text):
        return None
    head = _NAME_FIRST.match(text)
    if head is not None:
        is_chat = bool(head["day"] or _SURE_TIME.search(text))
        return number, head["name"], is_chat and not _WORK.fullmatch(head["name"])
    head = _TIME_FIRST.match(text)
    if head is not None and (is_person(head["name"]) or _OF_DAY.search(text)):
        return number, head["name"], True
    if not _TIME_ALONE.match(text) or not number or len(texts[number - 1]) > MAX_HEAD_CHARS:
        return None
    above = _NAME_ALONE.match(texts[number - 1])
    return (number - 1, above["name"], True) if above else None


def _called(texts: Sequence[str]) -> list[int]:
    """`Bob:` alone on its line, and his words under it; a list stands under a part of the work."""
    found: list[int] = []
    names: set[str] = set()
    for number, text in enumerate(texts[:-1]):
        is_called = len(text) <= MAX_HEAD_CHARS and text.rstrip("* \t\r\n")[-1:] in (":", "：")
        head = _NAME_CALLED.match(text) if is_called else None
        if head and is_person(head["name"]) and not _LIST_ITEM.match(texts[number + 1]):
            found.append(number)
            names.add(head["name"])
    return found if len(names) > 1 else []


def _end(texts: Sequence[str], head: int) -> int:
    """Behind the words of the last who speaks: up to a blank line, or where the person turns to the agent."""
    number = head + 1
    while number < len(texts) and (not texts[number].strip() or _TIME_ALONE.match(texts[number])):
        number += 1
    began = number
    while number < len(texts) and texts[number].strip() and not _SPEAKS_AGAIN.match(texts[number]):
        number += 1
    is_hello = (
        number - began == 1 and len(texts[began]) <= MAX_HELLO_CHARS and texts[began].rstrip()[-1] in ",，:："
    )
    return _end(texts, number) if is_hello and number < len(texts) else number
