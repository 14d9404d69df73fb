"""Of which rule a Chinese clause gives another value, as the words around it tell: 8080 被占了，以后 9090."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agentinitd.memory.capture.change_words import takes_back
from agentinitd.memory.capture.chinese_script import simplified
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.retold import is_near, whole
from agentinitd.memory.capture.slots import shares_deed

MAX_CHARS = 800
MAX_BEFORE_CHARS = 120
_MARKS = re.compile(r"[，,。；;：:！!\s]+")

_NAME = re.compile(r"[A-Za-z\d_][\w./:@+-]*")
_NO_VALUES = frozenset({"ok", "the", "a", "an", "to", "of", "and", "or", "pls", "please", "btw", "ci", "x"})
_STEM = re.compile(r"[\d.]+$")
_UNITS = (
    r"(?P<time>年|个?月|周|星期|天|个?小时|个?钟头|分钟|秒钟?|毫秒)"
    r"|(?P<other>次|条|行|层|页|位|个?空格|格|字符?|遍|份|倍|个|人|台|轮|级|[KMGT]B?|%)"
)
_QUANTITY = re.compile(rf"(?P<number>[\d一二两三四五六七八九十百千半几]+) ?(?:{_UNITS})", re.IGNORECASE)
_STRONG = re.compile(
    r"改(?:[成为用到走回放写叫按记导发传存]|(?= ?[A-Za-z\d双单大小中英]))|换[成为用到回个]?(?=[^了行，]{2})"
    r"|切[到成回换]|[放收提升降调加减缩延拉][到成至]|放[宽低]"
    r"|[挪搬移迁转]到|转[成为]|统一到|还是(?:用|走|放|写|按)"
)
_FROM_NOW = re.compile(r"以后|往后|今后|之后都|从(?:现在|今天?)(?:起|开始)?|现在(?:都|统一|一律)|接下来都?")
_HERE = re.compile(
    r"[这那](?:个|份|张|段|条|行|次|几|些|一)(?!目录|域名|地址|端口|分支|格式|库|版本|仓库|包)"
    r"|帮我|给我看|一下|试[试一下着用]"
    r"|^(?:我|他们?|她|客户|对方|用户|玩家|前任)(?!们)(?!要|想)|要不"
)
_POINTS = re.compile(r"[那原](?:来|先)?(?:个|台|套|边|条|份|种|里|版|家)|原先|之前的?|旧的|老的")
_FILLING = re.compile(
    r"开始|这个[\u3400-\u9fff]{2}$|以后|往后|今后|之后|从现在(?:起|开始)?|从今天?(?:起|开始)?|现在|接下来"
    r"|统一|一律|全部|全都|还是|就行|就好|可以|改成|改为|改用"
    r"|改到|改走|换成|换到|换用|切到|切成|放到|收到|提到|升到|降到|调到|提高|放宽|上限|下限|最多|至少|不超过"
    r"|左右|以内"
    r"|这个?|那个?|保留|保持|里面?|上面?|下面?"
    r"|[的了吧啊哈呢都要得就先再也把将和跟在到成用走改换放写存发记打按叫选拿]"
    r"|[留给以个为做收让请你我们咱定按连跑导接]"
)
_HAN = re.compile(r"[\u3400-\u9fff]{2,}")
_HAN_VALUE = re.compile(
    r"^(?:那|还是|就|都|以后)*(?:改|换)(?:成|为|用|回)?(?P<value>[\u3400-\u9fff]{2,5}?)(?:吧|了|好了|就行)*$"
)
_VERB = re.compile(
    r"(?P<verb>[用走改放写存发记打按叫选拿留跑导接连传推提合])(?:成|到|在|进|为)? ?(?=[A-Za-z\d])"
)


@dataclass(frozen=True, slots=True)
class _Said:
    names: frozenset[str]
    amounts: frozenset[tuple[str, str]]
    topic: frozenset[str]
    """Pairs of characters of what it is about."""

    @property
    def units(self) -> frozenset[str]:
        return frozenset(unit for unit, _ in self.amounts)


def turned(
    rules: Sequence[Proposal], clause: str, context: Context, *, is_led: bool, is_asked: bool
) -> Proposal | None:
    """The demand just before for whose value the clause gives another; `is_led`: behind “scrap that”;
    `is_asked`: whether the clause is a demand by itself."""
    near = [rule for rule in rules if is_near(rule, context)]
    if not near:
        return None
    before = simplified(context.message[:MAX_CHARS]).partition(clause)[0]
    is_led = is_led or any(map(takes_back, _MARKS.split(before[-MAX_BEFORE_CHARS:])))
    for rule in reversed(near):
        if rule.polarity != "do":
            continue
        old, is_last = whole(rule), rule is near[-1]
        if _is_turned(old, clause, before, is_led=is_led, is_last=is_last):
            return rule
        if is_asked and is_led and is_last and shares_deed(old, clause):
            return rule
    return None


def _is_turned(old: str, clause: str, before: str, *, is_led: bool, is_last: bool) -> bool:
    """`is_last`: whether nothing was laid down since."""
    if _HERE.search(clause):
        return False
    was, now = _said(old), _said(clause)
    is_strong, is_for_good = bool(_STRONG.search(clause)), bool(_FROM_NOW.search(clause))
    is_shared = bool(was.topic & now.topic or was.names & now.names)
    fresh, gone = now.names - was.names, was.names - now.names
    if was.units & now.units and was.amounts.isdisjoint(now.amounts):
        is_all_of_it = now.topic <= was.topic and bool(now.topic)
        return is_all_of_it or (is_shared and (is_strong or is_for_good or is_led))
    is_bare = bool(_STRONG.match(clause)) or (is_strong and not fresh)
    if is_strong and _is_other_of_kind(old, clause):
        return True
    if not gone or (now.topic and not is_shared and not is_bare):
        return False
    is_said = is_strong or is_for_good or is_led
    if fresh and _is_other_version(fresh, gone):
        return is_said
    is_named = any(name in before.casefold() for name in gone)
    if is_named and is_said and (fresh or is_strong):
        return True
    if is_strong and now.topic and now.topic <= was.topic and _is_of_form(fresh, gone):
        return True
    is_pointed_at = bool(_POINTS.search(before) or _pairs(before) & was.topic)
    return bool(fresh) and is_last and is_said and (is_pointed_at or is_led or _is_one_deed(old, clause))


def _said(text: str) -> _Said:
    amounts = frozenset(
        ("time" if found["time"] else (found["other"] or "").casefold().lstrip("个"), found[0])
        for found in _QUANTITY.finditer(text)
    )
    rest = _QUANTITY.sub(" ", text)
    names = frozenset(name.casefold().rstrip(".:") for name in _NAME.findall(rest)) - _NO_VALUES
    amounts |= {("", name) for name in names if name.replace(".", "").isdigit()}
    return _Said(names, amounts, _pairs(_FILLING.sub(" ", rest)))


def _pairs(text: str) -> frozenset[str]:
    return frozenset(run[at : at + 2] for run in _HAN.findall(text) for at in range(len(run) - 1))


def _is_other_version(fresh: frozenset[str], gone: frozenset[str]) -> bool:
    """`junit5` for `junit4`."""
    stems = {_STEM.sub("", name) for name in gone if name[0].isalpha() and name[-1].isdigit()}
    return any(_STEM.sub("", name) in stems for name in fresh if name[-1].isdigit())


def _is_of_form(fresh: frozenset[str], gone: frozenset[str]) -> bool:
    """Both are paths, or both are none."""
    return len(fresh) == 1 and any("/" in name for name in fresh) == any("/" in name for name in gone)


def _is_other_of_kind(old: str, clause: str) -> bool:
    """双引号 for 单引号: the last characters are the same, what stands before them is not."""
    value = _HAN_VALUE.match(clause)
    if value is None or value["value"] in old:
        return False
    end = value["value"][-2:] if len(value["value"]) > 2 else value["value"][-1:]
    return value["value"][: -len(end)] not in old and re.search(rf"[\u3400-\u9fff]{end}", old) is not None


def _is_one_deed(old: str, clause: str) -> bool:
    was, now = _VERB.search(old), _VERB.search(clause)
    return was is not None and now is not None and was["verb"] == now["verb"] != "用"
