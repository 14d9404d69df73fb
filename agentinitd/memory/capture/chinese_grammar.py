"""One Chinese clause → what it asks for, or nothing: forbidden, demanded, preferred, taken back."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from agentinitd.memory.capture import chinese_asides as asides
from agentinitd.memory.capture import chinese_cues as cues
from agentinitd.memory.capture import chinese_demands as demands
from agentinitd.memory.capture import chinese_joints as joints
from agentinitd.memory.capture import chinese_values as values
from agentinitd.memory.capture.chinese_cues import ARTEFACT
from agentinitd.memory.capture.proposals import Act, Force
from agentinitd.model.facts import Polarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a clause asks for, and where the word stands that says so."""

    act: Act = "state"
    polarity: Polarity = "do"
    force: Force = "hard"
    is_permission: bool = False
    confidence: float = 0.9
    cue: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the words around a clause do to it."""

    has_topic_before: bool = False
    """Something that it may be about was named before."""
    is_conditional: bool = False
    is_consequence: bool = False
    """It follows "suppose that …"."""
    is_after_permission: bool = False
    is_detail: bool = False
    """The sentence began with an order, and this tells how."""
    is_forced: bool = False
    """What stands before leaves no other way."""
    is_contrasted: bool = False
    """“… and not the other” comes next."""
    is_first_step: bool = False
    """“… and only then …” comes next."""
    lasts: bool = False
    """Said for all that comes."""


Guard = Callable[[str, re.Match[str], Surroundings], bool]


@dataclass(frozen=True, slots=True)
class _Cue:
    pattern: re.Pattern[str]
    polarity: Polarity
    force: Force
    confidence: float
    accepts: Guard


def judge(clause: str, around: Surroundings) -> Reading | None:
    """The first kind of cue that holds in this clause."""
    if (asides.JOKE.search(clause) and not _PATH.search(clause)) or joints.ONLY_SCOPE.match(clause):
        return None
    taken_back = _taken_back(clause, around)
    if taken_back is not None:
        return taken_back
    if asides.LATER.search(clause) and not _forbids(clause):
        return None
    ban = cues.HARD_BAN.search(clause) or cues.CANNOT.search(clause)
    if _is_no_rule(clause, around):
        return None
    for cue in _CUES:
        for found in cue.pattern.finditer(clause):
            if cue.polarity == "do" and ban and ban.end() <= found.start():
                break
            if around.is_forced and _NO_CHOICE.match(clause, found.start()):
                continue
            if cue.accepts(clause, found, around):
                return Reading(
                    polarity=cue.polarity, force=cue.force, confidence=cue.confidence, cue=found.span()
                )
    return None


_SAYS_TO_DO = re.compile(r"[就先]|必须|务必|别|不要|不许|不准|禁止|得|问|一律|统一")


def _is_no_rule(clause: str, around: Surroundings) -> bool:
    """Of the world, of the product, or only supposed."""
    if around.lasts:
        return False
    if asides.BEHAVIOUR.search(clause) or asides.SYSTEM.match(clause) or asides.WORLD.search(clause):
        return True
    return bool(asides.SUPPOSED.match(clause)) and not _SAYS_TO_DO.search(clause)


# -- taken back ---------------------------------------------------------------------------------------------

_NOT_PERMITTED = re.compile(
    r"不(?:可以?|能|许|准|允许|让)|才(?:能|可以?|允许|准)|[只仅](?:能|许|准|可以?|允许)|可以(?:吗|么|？"
    r"|不)|能(?:吗|不能)"
)
_USES_TOOL = re.compile(r"不用 ?(?=[A-Za-z`]|x{2}|这个库|第三方)")


def _taken_back(clause: str, around: Surroundings) -> Reading | None:
    found = cues.REVOKE.search(clause)
    if found:
        return Reading(act="withdraw", confidence=0.9, cue=found.span())
    allowed = _NOT_PERMITTED.sub(lambda word: "〇" * len(word[0]), clause)
    found = cues.PERMIT.search(allowed)
    if found and not any(aside.search(clause) for aside in (cues.HARD_BAN, demands.ASK_FIRST, asides.HERE)):
        # What may be done outside of “only here” takes that demand back.
        is_permission = not cues.WIDER.search(clause)
        return Reading(act="withdraw", is_permission=is_permission, confidence=0.85, cue=found.span())
    found = cues.FREE.search(clause)
    if found and not asides.PAST.search(clause) and (asides.CODEISH.search(clause) or found[0][0] in "冻禁"):
        return Reading(act="withdraw", confidence=0.8, cue=found.span())
    found = None if asides.PAST.search(clause) else cues.NEED_NOT.search(clause)
    if found and not (_USES_TOOL.match(clause, found.start()) and not cues.NO_MORE.search(clause)):
        is_lift = bool(re.match(r"(?:再|去|刻意|特意)*(?:避免|避开|回避)", clause[found.end() :]))
        is_over = cues.NO_MORE.search(clause, found.end()) or demands.ASK_FIRST.search(clause, found.end())
        if is_lift or ((is_over or around.lasts) and not _forbids(clause)):
            return Reading(act="withdraw", is_permission=is_lift, confidence=0.85, cue=found.span())
    return None


def _forbids(clause: str) -> bool:
    return bool(cues.HARD_BAN.search(clause))


# -- guards -------------------------------------------------------------------------------------------------

_OR_ELSE = re.compile(r"还是|[么吗] |能用|能跑|等|重启|看着|随便|自己")
_PATH = re.compile(r"[\w-]+[./_][\w./-]+|x{3,}")
_OF_WORK = re.compile(
    ARTEFACT + r"|[A-Za-z`_/]|\d|兼容|国际化|设计|骨架|细节|功能|需求|连接|优化|架构|扩展|交互|花里胡哨"
    r"|[这那]一?[套种类]"
)
_FORMAL = re.compile(r"禁|严|不得|不许|不准|勿|切|杜绝|绝不|决不|永不|一律|一概|谁|能[免省避少]")
_DEED = re.compile(
    r"[^，]{0,6}?(?:改|动|碰|删|加|写|用|引|装|提|推|合|跑|执行|调|传|升|降|跳过|绕|省|建|拆|抽|搬|移|换"
    r"|编|猜|抄|留|存"
    r"|发版|发布|上线|部署|重启|回滚|停|关|开|放|返回|自作主张|自动|擅自|偷懒|糊弄|应付|凑|打|清|升级"
    r"|解释|总结|回|说|问|啰嗦|客套|重复|做|管|道歉|考虑|继续|动手|整|搞|弄|急着|瞎|插手|掺和|嘚瑟|折腾"
    r"|捣鼓)"
)
_AT_TIMES = re.compile(r"[前后](?!端|台)|时(?!间|区)|每")
_FROM_NOW_ON = re.compile(r"^(?:以后|今后|下次|从现在起)")
_PROTECTS = re.compile(
    r"(?:再|乱|随便|去|手|直接|给我|往里?|自动|擅自)*(?:改|动|碰|删|提交|推|合|升|跑|用|引|装|加|变|$"
    r"|[A-Za-z])"
)
_NO_CHOICE = re.compile(r"只能|不能|就?只好|必须")
_OWN_WISH = re.compile(
    r"^(?:那个|其实|但|不过)?(?:他们?|她|小[一-龥]|老[一-龥])(?:也|就|都)?只|^(?:那个|其实|但"
    r"|不过)?我(?:先|就|才|也|们)?(?:不要|要|得|必须|一定|不能|只)"
)


def _imperative(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """Forbids outright; only life outside the work and the behaviour of the product are something else."""
    if asides.LIFE.search(clause) or asides.PRODUCT.search(clause, found.end()):
        return False
    is_idiom = found[0] == clause and clause[0] == "能"
    if is_idiom or not _is_of_work(clause, found, around):
        return False
    if (
        around.is_detail
        and not around.lasts
        and not _PATH.search(clause)
        and not _PROTECTS.match(clause, found.end())
    ):
        return False
    if asides.HERE.search(clause) and not _PROTECTS.match(clause, found.end()):
        return False
    # “别报错了” is a sigh, “不要了” gives something up.
    if (
        asides.CHOSEN.search(clause)
        or asides.MISHAP.match(clause, found.end())
        or clause.startswith("了", found.end())
    ):
        return False
    return not _OWN_WISH.match(clause) or around.lasts


def _is_of_work(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """Whether it names something of the work, or a deed that only a person at work is told not to do."""
    if around.has_topic_before or asides.CODEISH.search(clause) or _OF_WORK.search(clause):
        return True
    return bool(_FORMAL.match(found[0]) or _DEED.match(clause, found.end()))


def _action(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """ "Cannot" forbids when a person could do it; it reports when the thing itself fails."""
    if cues.BROKEN.search(clause) or asides.LIFE.search(clause) or asides.PRODUCT.search(clause, found.end()):
        return False
    return not around.is_consequence and not asides.PAST.search(clause) and not _OWN_WISH.match(clause)


def _settled(clause: str, _found: re.Match[str], around: Surroundings) -> bool:
    """A demand for the way of working, not a report and not an order for the place at hand."""
    if any(aside.search(clause) for aside in (asides.LIFE, asides.PAST, joints.DEADLINE, asides.COMPLAINT)):
        return False
    if asides.LOOK_UP.search(clause) and not around.is_conditional:
        return False
    if asides.REWRITE.match(clause) and not around.lasts:
        return False
    if asides.TRIED.search(clause) and not _AT_TIMES.search(clause):
        return False
    if asides.DONE.search(clause) and not _FROM_NOW_ON.match(clause):
        return False
    return not around.is_consequence and not _OWN_WISH.match(clause)


def _anyway(clause: str, _found: re.Match[str], _around: Surroundings) -> bool:
    return not asides.LIFE.search(clause) and not joints.DEADLINE.search(clause)


def _standing(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """As `_settled`, and about no single place."""
    if asides.FAILS.search(clause) or not _settled(clause, found, around):
        return False
    return around.lasts or not (around.is_detail or asides.HERE.search(clause) or asides.ORDER.match(clause))


def _convention(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“Comments must …” lays down how; “the page must …” orders a feature."""
    return not asides.ORDERED_PART.match(clause) and _standing(clause, found, around)


def _for_now(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“Use the old one for now”, but not “first use …, then …”."""
    is_named = "先" not in found[0] or bool(asides.STOPGAP.search(clause)) or found[0][0] != "先"
    return is_named and not around.is_first_step and _standing(clause, found, around)


def _kept(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """Also one place can be kept as it is."""
    if asides.FAILS.search(clause):
        return False
    return _settled(clause, found, around) and not asides.ORDER.match(clause)


def _taste(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """A liking counts when it is about code."""
    if asides.PERSONAL.search(clause) and not _PATH.search(clause):
        return False
    if asides.DONE.search(clause[found.end() :]) and "别" not in clause and "不要" not in clause:
        return False
    if asides.PAST.search(clause):
        return False
    is_about_work = asides.CODEISH.search(clause) or demands.ASK_FIRST.search(clause)
    return bool(is_about_work) or around.has_topic_before


def _wish(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return _taste(clause, found, around) and not asides.ORDER.match(clause) and not asides.HERE.search(clause)


def _limit(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """Of the work, not of the product or the machine."""
    if values.ABOUT_IT.search(clause) or not values.LIMITED.search(clause):
        return False
    return _settled(clause, found, around) and not (asides.HERE.search(clause) or around.is_detail)


def _refused(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“Code without tests is not taken”: what was not done is the condition there."""
    if cues.BROKEN.search(clause) or asides.LIFE.search(clause):
        return False
    return not around.is_consequence and not asides.PAST.search(clause[: found.start()])


def _enough(clause: str, _found: re.Match[str], around: Surroundings) -> bool:
    if around.is_detail or asides.ORDER.match(clause) or values.ABOUT_IT.match(clause):
        return False
    return not any(
        aside.search(clause) for aside in (asides.LIFE, asides.HERE, asides.TRIED, _OR_ELSE)
    ) and not (asides.UI_EVENT.search(clause))


def _laid_down(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return not values.ABOUT_IT.match(clause) and _standing(clause, found, around)


def _continued(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“Also … please” behind a rule is one more of them."""
    is_more = clause[0] not in "也还另烦" or around.is_conditional
    return is_more and _standing(clause, found, around)


def _conditional(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """ "Ask me" is a rule when it says at which occasion."""
    is_occasion = around.is_conditional or bool(joints.OCCASION.search(clause))
    return is_occasion and _settled(clause, found, around)


def _of_language(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    is_about_talk = bool(joints.LANGUAGE_SUBJECT.search(clause)) or around.lasts
    is_order = bool(re.search(r"^(?:请|你|给我|那就|就)?(?:说|讲|用|回)", clause)) and len(clause) <= 8
    return (is_about_talk or is_order) and "翻译" not in clause and _standing(clause, found, around)


def _first_step(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return around.is_first_step and _standing(clause, found, around)


def _after_occasion(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    rest = clause[found.end() :].strip()
    return len(rest) >= 2 and bool(joints.OCCASION_ACT.match(rest)) and _standing(clause, found, around)


def _contrasted(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return around.is_contrasted and _standing(clause, found, around)


def _after_permission(_clause: str, _found: re.Match[str], around: Surroundings) -> bool:
    return around.is_after_permission


_CUES: tuple[_Cue, ...] = (
    _Cue(asides.REQUEST, "do_not", "hard", 0.85, _imperative),
    _Cue(values.ENOUGH, "do", "hard", 0.8, _enough),
    _Cue(cues.NOT_ACCEPTED, "do_not", "hard", 0.85, _refused),
    _Cue(cues.READ_ONLY, "do_not", "hard", 0.8, _standing),
    _Cue(cues.TASTE_AGAINST, "do_not", "soft", 0.85, _taste),
    _Cue(cues.RATHER_NOT, "do_not", "soft", 0.9, _imperative),
    _Cue(cues.EXCEPT, "do_not", "hard", 0.85, _settled),
    _Cue(demands.EXCLUSIVE, "do", "hard", 0.9, _standing),
    _Cue(demands.INSTEAD, "do", "hard", 0.9, _standing),
    _Cue(cues.HARD_BAN, "do_not", "hard", 0.95, _imperative),
    _Cue(cues.CANNOT, "do_not", "hard", 0.85, _action),
    _Cue(cues.REFUSED, "do_not", "hard", 0.8, _after_permission),
    _Cue(demands.MUST, "do", "hard", 0.95, _settled),
    _Cue(demands.KEEP, "do", "hard", 0.85, _kept),
    _Cue(demands.OF_ALL, "do", "hard", 0.85, _anyway),
    _Cue(demands.WISH, "do", "soft", 0.8, _wish),
    _Cue(demands.MINE, "do", "hard", 0.8, _standing),
    _Cue(demands.ASK_FIRST, "do", "hard", 0.9, _conditional),
    _Cue(demands.STEPS, "do", "hard", 0.8, _conditional),
    _Cue(demands.FIRST_STEP, "do", "hard", 0.8, _first_step),
    _Cue(demands.WORKFLOW, "do", "hard", 0.8, _standing),
    _Cue(demands.TOPIC_MUST, "do", "hard", 0.8, _convention),
    _Cue(cues.BARE_NOT, "do_not", "hard", 0.8, _standing),
    _Cue(demands.LANGUAGE, "do", "hard", 0.85, _of_language),
    _Cue(demands.EVERYWHERE, "do", "hard", 0.85, _standing),
    _Cue(demands.VALUE, "do", "hard", 0.8, _standing),
    _Cue(values.LIMIT, "do", "hard", 0.8, _limit),
    _Cue(values.SET_VALUE, "do", "hard", 0.8, _laid_down),
    _Cue(values.RUN_BY, "do", "hard", 0.8, _laid_down),
    _Cue(values.LIKE_THAT, "do", "hard", 0.75, _laid_down),
    _Cue(values.EACH_TIME, "do", "hard", 0.8, _standing),
    _Cue(values.FORM, "do", "hard", 0.75, _laid_down),
    _Cue(values.PLEASE, "do", "hard", 0.75, _continued),
    _Cue(demands.THIS_ONE, "do", "hard", 0.85, _contrasted),
    _Cue(demands.CONVENTION, "do", "hard", 0.75, _standing),
    _Cue(demands.REPLACED, "do", "hard", 0.8, _standing),
    _Cue(demands.IF_THEN, "do", "hard", 0.8, _standing),
    _Cue(demands.THEN_DO, "do", "hard", 0.75, _conditional),
    _Cue(demands.ONLY_THEN, "do", "hard", 0.8, _standing),
    _Cue(demands.SPELLED_OUT, "do", "hard", 0.75, _standing),
    _Cue(demands.FOR_NOW, "do", "hard", 0.75, _for_now),
    _Cue(demands.BEFORE_OR_AFTER, "do", "hard", 0.75, _after_occasion),
    _Cue(demands.FROM_NOW_ON, "do", "hard", 0.8, _standing),
)
