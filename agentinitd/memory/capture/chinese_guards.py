"""What lets a Chinese cue count: it is about the work, it lasts, and it is not about the place at hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from agentinitd.memory.capture import chinese_asides as asides
from agentinitd.memory.capture import chinese_cues as cues
from agentinitd.memory.capture import chinese_demands as demands
from agentinitd.memory.capture import chinese_general as general
from agentinitd.memory.capture import chinese_joints as joints
from agentinitd.memory.capture import chinese_reports as reports
from agentinitd.memory.capture import chinese_values as values
from agentinitd.memory.capture.chinese_cues import ARTEFACT


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the words around a clause do to it."""

    has_topic_before: bool = False
    """Something that it may be about was named before."""
    is_conditional: bool = False
    is_consequence: bool = False
    """It follows "suppose that …"."""
    is_after_permission: bool = False
    is_relenting: bool = False
    """“Well then …” stands before."""
    is_detail: bool = False
    """The sentence began with an order, and this tells how."""
    is_after_event: bool = False
    """Something that happened stands before."""
    is_after_statement: bool = False
    """In English, what something is or has stands before."""
    is_forced: bool = False
    """What stands before leaves no other way."""
    is_contrasted: bool = False
    """“… and not the other” comes next."""
    is_declined: bool = False
    """“No need” stands before."""
    is_first_step: bool = False
    """“… and only then …” comes next."""
    is_told: bool = False
    """What one has or uses stands before."""
    is_turned: bool = False
    """“… go on with the other” comes next."""
    is_done: bool = False
    """“… is there already” comes next."""
    is_in_case: bool = False
    """“If …” stands before."""
    is_until: bool = False
    """“Before there is …” stands before."""
    is_of_process: bool = False
    """How a process goes stands before."""
    is_blamed_before: bool = False
    """What was done instead stands before."""
    is_warned: bool = False
    """“Not again” comes later."""
    is_blamed: bool = False
    """What was done instead comes next."""
    is_after_ban: bool = False
    is_of_me: bool = False
    """Who I am stands before."""
    is_own_ban_told: bool = False
    """“I said before that …” stands before “… is fine now”."""
    is_ban_told: bool = False
    """What was forbidden stands before."""
    lasts: bool = False
    """Said for all that comes."""


Guard = Callable[[str, re.Match[str], Surroundings], bool]


_DEED_NAMED = re.compile(r"提交|推送|合并|部署|发布|发版|上线|上传|重启|回滚|升级|重构|优化|迁移|性能")
_OR_ELSE = re.compile(r"还是|[么吗] |能用|能跑|等|重启|看着|随便|自己")
PATH = re.compile(r"[\w-]+[./_][\w./-]+|x{3,}")
_ARTEFACT = re.compile(ARTEFACT)
_OF_WORK = re.compile(
    ARTEFACT
    + r"|[A-Za-z`_/]|\d|冲突|资源|素材|数据|结果|报告|问题|风险|警告|失败|空的?|兼容|国际化|设计|骨架"
    r"|翻译|语气|措辞|用词|口吻|称呼|排版|图表|表格|句子|段落|标点|细节|功能|需求|连接|优化|架构|扩展"
    r"|交互|花里胡哨"
    r"|[这那]一?[套种类]"
)
_LONG_AGO = re.compile(
    r"(?:昨天|前天|上周|上个?月|去年|当时|那时|那会儿?)(?!我?(?:说|讲|定|提))"
    r"|(?:之前|以前|原来|过去|早先)(?:我们|咱们?|公司|团队|那边|他们|大家|这边)?(?:都|一直|也)?是(?!说|讲)"
)
_FORMAL = re.compile(
    r"任何|无论|绝对|坚决|永远|禁|严|不得|不许|不准|勿|切|杜绝|绝不|决不|永不|一律|一概|谁|能[免省避少]"
)
_DEED = re.compile(
    r"[^，]{0,6}?(?:改|动|碰|删|加|写|用|引|装|提|推|合|跑|执行|调|传|升|降|跳过|绕|省|建|拆|抽|搬|移|换"
    r"|编|猜|抄|留|存"
    r"|在[^，]{1,4}发$|发版|发布|上线|部署|重启|回滚|停|关|开|放|返回|自作主张|自动|擅自|偷懒|糊弄|应付"
    r"|凑|打|清|升级"
    r"|解释|总结|回|说|问|啰嗦|客套|重复|做|管|道歉|考虑|继续|动手|整|搞|弄|急着|瞎|丢|扔|漏|扩|吞"
    r"|一次性|全量|读|加载|解析|造|裁|截|接(?=入|真|第三|支付|生产|线上|外|[ A-Za-z])|连(?=生产|线上|真"
    r"|外|[ A-Za-z])|直接|插手"
    r"|[给向跟往](?:客户|玩家|老板|领导|同事|团队|[^，]{0,3}群|任何人|别人|对方|外部"
    r"|供应商)[^，]{0,4}[发推打回说提透传]"
    r"|发(?:邮件|消息|通知|短信|推文|帖)|掺和|嘚瑟|折腾"
    r"|[翻译写说讲画](?:得|成)|捣鼓|忽略|遗漏|省略|透传|手写|外[传发]|泄露|拍脑袋|想当然|凭(?:感觉|空)|照搬"
    r"|硬[凑塞改])"
)
_MEASURE = re.compile(
    r"(?:时间|速度|延迟|体积|噪音|网速|价格|报错|卡顿)[^，]{0,4}(?:受不了|烦|难受|接受不了)"
)
_DRAWN = re.compile(
    r"^(?:照着?|按照?|参照|参考)[^，]{1,12}?(?:还原|做|画|写|改|实现|搭|抄|弄)了?(?:一?[下个份版遍]|出来)"
)
_RATHER = re.compile(r"^(?:我们?|咱们?)?宁[可愿肯][^，]{1,12}也")
_AT_TIMES = re.compile(r"[前后](?!端|台)|时(?!间|区)|每")
_WHEN = re.compile(
    r"^[^，把将]{1,8}(?:的时候|时(?!间|区|候)|[之以]前|[之以]后"
    r"|(?<=[改加删写动升发合拆跑])[前后](?![端面台缀]))"
)
_EACH_BEFORE = re.compile(r"(?:每次|每回)[^，]{1,8}之?前(?:都|要|得|先)")
""" "Each time before it comes to me" is not past."""
_FAILED = re.compile(r"[^，]{0,3}不(?:下来|下去|了|到|过|动|通|出来|起来)")
_STAYED = re.compile(r"(?:剩|其余|其他|那边|一直)[^，]*老样子$")
_OTHERS_TASTE = re.compile(r"(?:大家|他们?|她们?|同事们?|客户|玩家|老板|领导|别人|人家|新人)[^，]{0,3}$")
_FEELING = re.compile(r"[^，]{0,4}(?:头[大疼皮]|难受|烦|别扭|累|刺眼|辣眼|膈应|费劲)")
_THAT_ONE = re.compile(r"[那这](?:个|份|坨|堆|段|行|几[个行段])(?!种|类)")
_LAYS_DOWN = re.compile(
    r"保留|保持|沿用|用(?![户例了])|最好|尽量|尽可能|优先|统一|一律|必须|务必|[都全][得要该]|我|更|比较|宁"
    r"|希望|建议|喜欢|习惯|偏"
)
_HELP = re.compile(
    r"^(?:请|你|麻烦|那|再|先|现在|顺手|顺便|接着|然后)*(?:帮|给我|把|将)|^[^，]{0,10}?(?:一下|一遍|看看"
    r"|试试|[看查改写跑]下|[写加做]一?个)"
)
_FROM_NOW_ON = re.compile(r"^(?:以后|今后|下次|从现在起)")
_PROTECTS = re.compile(
    r"(?:再|乱|随便|去|手|直接|给我|往里?|自动|擅自|急着)*(?:优化|重构|调整|格式化|清理|拆|改|动|碰|删"
    r"|提交|推|合|升|跑|用|引|装|加|变|$"
    r"|[A-Za-z])"
)
_OWN_WISH = re.compile(
    r"^(?:那个|其实|但|不过)?(?:他们?|她|小[一-龥]|老[一-龥])(?:也|就|都)?只|^(?:那个|其实|但"
    r"|不过)?我(?:先|就|才|也|们)?(?:不要|要|得|必须|一定|不能|只(?!支持|接受|认|收|走|用))"
)


def imperative(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """Forbids outright; only life outside the work and the behaviour of the product are something else."""
    if asides.LIFE.search(clause) or asides.PRODUCT.search(clause, found.end()):
        return False
    if _LONG_AGO.match(clause):
        return False
    is_idiom = found[0] == clause and clause[0] == "能"
    if is_idiom or not is_of_work(clause, found, around):
        return False
    if (
        around.is_detail
        and not around.lasts
        and not PATH.search(clause)
        and not _PROTECTS.match(clause, found.end())
    ):
        return False
    is_here = asides.HERE.search(clause) and not general.UNTIL.search(clause)
    if is_here and not _PROTECTS.match(clause, found.end()):
        return False
    # “别报错了” is a sigh, “不要了” gives something up.
    if (
        asides.CHOSEN.search(clause)
        or asides.MISHAP.match(clause, found.end())
        or clause.startswith("了", found.end())
    ):
        return False
    return not _OWN_WISH.match(clause) or around.lasts


def is_of_work(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """Whether it names something of the work, or a deed that only a person at work is told not to do."""
    if around.has_topic_before or asides.CODEISH.search(clause) or _OF_WORK.search(clause):
        return True
    if is_of_topic(clause, found):
        return True
    if _DEED_NAMED.search(clause, 0, found.start()) or general.HABIT.match(clause, found.end()):
        return True
    return bool(_FORMAL.match(found[0]) or _DEED.match(clause, found.end()) or _DEED.search(found[0]))


def is_of_topic(clause: str, found: re.Match[str]) -> bool:
    """“The cover: no portraits”: whatever it is that is not to be so."""
    topic, rest = clause[: found.start()].strip(), clause[found.end() :].strip()
    if not general.TOPIC_BAN.match(topic) or general.NO_TOPIC.search(topic) or asides.PERSONAL.search(clause):
        return False
    return len(rest) > 1 and not rest.endswith(("了", "吧", "啊", "呀", "哦"))


def action(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """ "Cannot" forbids when a person could do it; it reports when the thing itself fails."""
    if cues.BROKEN.search(clause) or asides.LIFE.search(clause) or asides.PRODUCT.search(clause, found.end()):
        return False
    return not around.is_consequence and not asides.PAST.search(clause) and not _OWN_WISH.match(clause)


def settled(clause: str, _found: re.Match[str], around: Surroundings) -> bool:
    """A demand for the way of working, not a report and not an order for the place at hand."""
    if any(aside.search(clause) for aside in (asides.LIFE, joints.DEADLINE, asides.COMPLAINT)):
        return False
    if asides.PAST.search(clause) and not _EACH_BEFORE.match(clause):
        return False
    if (asides.ASK_FOR.match(clause) or asides.LOOK_UP.search(clause)) and not around.is_conditional:
        return False
    if asides.REWRITE.match(clause) and not around.lasts:
        return False
    if asides.TRIED.search(clause) and not _AT_TIMES.search(clause):
        return False
    if asides.DONE.search(clause) and not _FROM_NOW_ON.match(clause):
        return False
    return not around.is_consequence and not _OWN_WISH.match(clause)


def demanded(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“You have to hold out” is no rule."""
    if reports.OWN_DUTY.search(clause[: found.start()]):
        return False
    is_demand = not found[0].endswith("要") or is_of_work(clause, found, around)
    return is_demand and settled(clause, found, around)


def anyway(clause: str, _found: re.Match[str], _around: Surroundings) -> bool:
    return not asides.LIFE.search(clause) and not joints.DEADLINE.search(clause)


def standing(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """As `settled`, and about no single place."""
    if asides.FAILS.search(clause) or not settled(clause, found, around):
        return False
    if around.is_turned and "不管" in clause:
        return False
    if around.is_told and not _LAYS_DOWN.search(clause):
        return False
    if around.lasts:
        return True
    return not (around.is_done or around.is_detail or asides.HERE.search(clause) or _is_order(clause, found))


def _is_order(clause: str, found: re.Match[str]) -> bool:
    """“Split it”, but neither “when you split it, …” nor “splitting I like to …”."""
    order = asides.ORDER.match(clause)
    if not order or _WHEN.match(clause):
        return False
    at = found.start("cue") if "cue" in found.re.groupindex else found.start()
    return order.end() > at or not _LAYS_DOWN.match(clause, at) or _is_help(clause)


def _is_help(clause: str) -> bool:
    return bool(_HELP.match(clause))


def convention(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“Comments must …” lays down how; “the page must …” orders a feature."""
    return not asides.ORDERED_PART.match(clause) and standing(clause, found, around)


def craft(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return not asides.ORDERED_PART.match(clause) and anyway(clause, found, around)


def for_now(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“Use the old one for now”, but not “first use …, then …”."""
    is_named = "先" not in found[0] or bool(asides.STOPGAP.search(clause)) or found[0][0] != "先"
    return is_named and not around.is_first_step and standing(clause, found, around)


def kept(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """Also one place can be kept as it is."""
    if asides.FAILS.search(clause) or _DRAWN.match(clause):
        return False
    if around.is_detail and clause.startswith("其"):
        return False
    if (found[0].startswith("照") and _FAILED.match(clause, found.end())) or _STAYED.search(clause):
        return False
    return settled(clause, found, around) and not _is_order(clause, found)


def taste(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """A liking counts when it is about code."""
    if asides.PERSONAL.search(clause) and not PATH.search(clause):
        return False
    if _RATHER.match(clause) and not asides.LIFE.search(clause):
        return True
    if asides.DONE.search(clause[found.end() :]) and "别" not in clause and "不要" not in clause:
        return False
    if _MEASURE.search(clause):
        return False
    if asides.PAST.search(clause) or _OTHERS_TASTE.search(clause[: found.start()]):
        return False
    is_remark = _THAT_ONE.search(clause, 0, found.start()) or (around.is_after_event and not found.start())
    if is_remark and _FEELING.match(found[0]):
        return False
    is_about_work = (
        asides.CODEISH.search(clause) or _ARTEFACT.search(clause) or demands.ASK_FIRST.search(clause)
    )
    return bool(is_about_work) or around.has_topic_before


def held(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """ "This time we leave that": of something of the work."""
    if asides.LIFE.search(clause) or cues.BROKEN.search(clause) or asides.MUSING.search(clause):
        return False
    if around.is_turned:
        return False
    return bool(_OF_WORK.search(found[0]) or asides.CODEISH.search(found[0]) or _DEED_NAMED.search(found[0]))


def needed(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """What is old is not what is past there."""
    return anyway(clause, found, around) and not (asides.ORDER.match(clause) or asides.DONE.search(clause))


def in_that_case(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return around.is_conditional and anyway(clause, found, around) and not asides.TRIED.search(clause)


def wish(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return taste(clause, found, around) and not (asides.HERE.search(clause) or _is_order(clause, found))


def limit(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """Of the work, not of the product or the machine."""
    if values.ABOUT_IT.search(clause) or not values.LIMITED.search(clause):
        return False
    return settled(clause, found, around) and not (asides.HERE.search(clause) or around.is_detail)


def refused(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“Code without tests is not taken”: what was not done is the condition there."""
    if cues.BROKEN.search(clause) or asides.LIFE.search(clause):
        return False
    if around.is_after_statement and found[0].startswith("no "):
        return False
    return not around.is_consequence and not asides.PAST.search(clause[: found.start()])


def enough(clause: str, _found: re.Match[str], around: Surroundings) -> bool:
    if around.is_detail or asides.ORDER.match(clause) or values.ABOUT_IT.match(clause):
        return False
    return not any(
        aside.search(clause) for aside in (asides.LIFE, asides.HERE, asides.TRIED, _OR_ELSE)
    ) and not (asides.UI_EVENT.search(clause))


def laid_down(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return not values.ABOUT_IT.match(clause) and standing(clause, found, around)


def continued(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“Also … please” behind a rule is one more of them."""
    is_more = clause[0] not in "也还另烦" or around.is_conditional
    return is_more and standing(clause, found, around)


def conditional(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """ "Ask me" is a rule when it says at which occasion."""
    is_occasion = around.is_conditional or bool(joints.OCCASION.search(clause))
    return is_occasion and settled(clause, found, around)


def of_language(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    is_about_talk = bool(joints.LANGUAGE_SUBJECT.search(clause)) or around.lasts
    is_order = bool(re.search(r"^(?:请|你|给我|那就|就)?(?:说|讲|用|回)", clause)) and len(clause) <= 8
    is_about_talk = is_about_talk or bool(joints.WRITTEN_IN.match(clause))
    return (is_about_talk or is_order) and "翻译" not in clause and standing(clause, found, around)


def own_part(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    """“I push myself”, but not “no thanks, I do it myself”."""
    return not around.is_declined and standing(clause, found, around)


def first_step(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return around.is_first_step and standing(clause, found, around)


def after_occasion(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    rest = clause[found.end() :].strip()
    return len(rest) >= 2 and bool(joints.OCCASION_ACT.match(rest)) and standing(clause, found, around)


def contrasted(clause: str, found: re.Match[str], around: Surroundings) -> bool:
    return around.is_contrasted and standing(clause, found, around)


def after_permission(_clause: str, _found: re.Match[str], around: Surroundings) -> bool:
    return around.is_after_permission
