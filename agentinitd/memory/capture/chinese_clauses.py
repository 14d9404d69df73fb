"""A Chinese sentence → its clauses, also where the person left out the commas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CUE = (
    r"(?:别|不要|不准|不许|不能|不得|不可以|不用|不必|禁止|严禁|勿|甭|必须|务必|一律|统一|都要|都用|都得"
    r"|全都|只能|只准|只许|只用|只改"
    r"|记得|千万|尽量|最好|随便|可以|保持|一定|先别|先不|也别|也不要|要(?!求|点)|改用|换成|用)"
)
_HAS_CUE = re.compile(_CUE + r"|[A-Za-z]|不|走|放")
_JOINT = (
    r"(?:另外|还有(?!的)|然后|顺便|对了|而且|并且|但是|不过|可是|以后(?=[^，]{0,6}?(?:都|一律|统一|只|用"
    r"|别|不))|今后"
    r"|从现在(?:起|开始)|提交前|提交信息"
    r"|注释(?:用|写|一律)|测试(?:用|跑|放)|其他的?(?:别|不|照|都))"
)
_PLACE = r"(?=(?:这个?|我们|咱们?|本)(?:这?个?(?:仓库|项目|工程|代码库|团队|组))?(?:只|都|一律|统一|不|要))"
_BREAK = re.compile(
    rf"(?<=[A-Za-z0-9]) +{_PLACE}|"
    r"(?:[，,；;①-⑳。？?\n\r]|(?<! )!|!(?![A-Za-z=]))+|…+|——"
    r"|(?<!命令)(?<!端口)(?<!格式)(?<!模板)(?<!前缀)(?<!版本)(?<!分支)(?<![A-Za-z0-9:]):(?!//)|、(?="
    + _CUE
    + r")"
    r"|(?<=[动改碰删推写用加提啊吧哈哦呀嘛])(?=[那这]是(?!不))"
    r"|(?<=[一-龥])~+|(?<=[一-龥]) +(?=[一-龥])"
    r"|(?<=[一-龥了吧啊哈]) +(?=" + _CUE + r"|" + _JOINT + r")"
    r"|(?<=[一-龥])(?<!的) +(?=[\w./-]{2,40} " + _CUE + r")"
    r"|(?<=[A-Za-z0-9_`'\"/]) +(?=(?:也|就)?(?:别|不要|不准|不许|禁止|勿|甭|不用|只用|必须|统一|一律))"
    r"|(?<=[A-Za-z0-9_`'\"/]) +(?=不然|否则|〇〇〇|免得|省得)"
    r"|(?<=\S\S\S)(?=" + _JOINT + r")(?<![，,；;。！!？?\s完了之好过版那这改欢想别把给写的跑用加删对爱])"
)
_COMPLETE = re.compile(_CUE + r".{1,}|¿")


_PARTICLES = tuple("吧啊哈呢吗嘛呀啥哦")
_BETWEEN_WORDS = re.compile(
    rf"(?<=[一-龥] )(?<!主意了 )(?<!反悔了 )(?=[一-龥])|(?<=[A-Za-z0-9] ){_PLACE}"
    r"|(?<=[A-Za-z0-9] )(?=不然|否则|〇〇〇|免得|省得)"
)
"""Nobody puts a space between two Chinese words but for a comma, or"""
_EXPECTS = re.compile(
    r"(?:别|不要|不[许准能]|禁止|勿|只[准能许]?|统一|一律|必须|请)[一-龥]?$|[用把将和与或]$"
)
"""before the object that is still to come."""
_BEGINS = re.compile(
    r"[我你他她它这那先再等会太还就有是没已刚怕免]|因为|不然|否则|上次|昨天|以[免后]|万一|毕竟|[A-Za-z]|"
    + _CUE
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch of the sentence, and how it looks to the reader."""

    start: int
    end: int
    shadow: str
    mark: str
    """What ends it: a mark, a space, or nothing."""


def clauses(shadow: str) -> list[Clause]:
    """In order; never empty ones."""
    return [clause for clause in _cut(shadow) if clause.shadow.strip(" 〇_")]


def _cut(shadow: str) -> Iterator[Clause]:
    start = 0
    for found in _BREAK.finditer(shadow):
        mark = found[0].strip()
        left = shadow[start : found.start()]
        if found[0] == " " and _EXPECTS.search(left) and not _BEGINS.match(shadow, found.end()):
            continue
        if not mark and not _BETWEEN_WORDS.match(shadow, found.end()) and not _stands_alone(left, found[0]):
            continue
        yield Clause(start, found.start(), shadow[start : found.start()], mark[:1])
        start = found.end()
    yield Clause(start, len(shadow), shadow[start:], "")


def _stands_alone(left: str, gap: str) -> bool:
    """A space parts two clauses only when the left one says something by itself."""
    return left.endswith(_PARTICLES) or bool((_COMPLETE if gap else _HAS_CUE).search(left))
