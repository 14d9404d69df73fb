"""What Chinese only tells in passing: stories, orders for one thing, parts of a bug report, others' needs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agentinitd.memory.capture.chinese_values import PARAMETER
from agentinitd.memory.capture.needed import AnyOf

# -- the whole sentence -------------------------------------------------------------------------------------
IDLE = re.compile(
    r"(?:想想|说说|随便说说|随口[一]?说说?|口嗨|过过嘴瘾|瞎想|胡思乱想|吐槽一下)(?:而已|罢了"
    r"|一下)?[。！!~ ]*$"
    r"|(?:^|[，。 ])(?:唉|哎|嗨)?[^，]{0,2}再说吧[。！!~ ]*$|也不是不(?:行|可以|能)|倒也不是不(?:行|可以)"
    r"|(?:^|[，。 ])(?:还|也|暂时)?没(?:最终|完全)?(?:定|拍板|下文|谱|结论)(?:呢|下来)?[。！!~ ]*$"
    r"|(?:^|[，。 ])(?:真|纯|就是)?(?:扯(?:吧|淡|呢)?|瞎扯|胡扯|离谱)[。！!~ ]*$"
    r"|(?:^|[，。 ])(?:也不知道)?(?:是|有)?(?:真的假的|真的吗|靠谱吗|靠不靠谱|有这回事吗|有这说法吗|有道理吗"
    r"|真假(?:不知|难辨)?|真的假的|你信吗|你觉得呢|你怎么看|(?:你)?[认赞]同吗|你同意吗)[？?。 ]*$"
)
"""Said for the sake of it, or to hear what you think of it."""
DAYDREAM = re.compile(
    r"^(?:唉|哎|其实|说真的|[，, ])*(?:我)?(?:有时候?|偶尔|经常|常常|总|真|好|老)(?:会|就|在|是)*想"
    r"(?!要|把|用|改|让|请|知道)"
)
STORY = re.compile(
    r"^(?:我)?(?:们)?(?:以前|之前|从前|当年|早年|前几年|那年|那时候?|刚毕业|读研|上学|实习)?"
    r"(?:的?时候)?(?:我们?)?在?(?:老东家|上家|前东家|前公司|上一?家(?:公司)?|上个?(?:公司|项目|团队)|大厂"
    r"|外企|学校"
    r"|实验室|实习)(?:的?时候|那会儿?|那阵子?|那几年|那边|里)*(?:$|[^，别]{0,12}$)"
)
""" "At my last place, …": so goes what follows, until"""
HERE_AND_NOW = re.compile(r"^(?:所以|现在|咱们?|我们(?:这|也|以后)|这边|这里|这个|以后|但|不过|可是|你)")
SYMPTOM = re.compile(
    r"(?:^|[，。 ])[^，]{0,12}(?:偶尔|偶发|时不时|时好时坏|动不动就(?:报|挂|崩|断|卡)|必现|没反应|闪退"
    r"|白屏|卡死(?! ?(?:在|到)?[\dA-Za-z])|死机|花屏"
    r"|对不上了?$)"
    r"|一[^，条个律]{1,6}就(?:出|报|挂|崩|断|卡|丢|死|乱|花|没)"
    r"|(?:^|[，。 ])(?:你|麻烦|辛苦|劳驾|帮我?|给我|再|先|顺便|顺手)*(?:帮忙|帮我?)?(?:看|瞅|查|排查|定位)"
    r"(?:一?下|看|查|瞅|一眼)?(?:[^，]{0,6}(?:咋|怎么|为[啥什何]|哪|什么|啥)[^，]*)?[。！!~吧呗哈 ]*$"
    r"|(?:咋|怎么)(?:回事|整|搞的|办)|啥(?:情况|问题|原因)|什么(?:情况|原因|鬼)"
)
BRIEFING = re.compile(
    r"(?:[说讲交补][代充]?(?:一?下|点|个)?|介绍一?下)(?:项目|业务)?(?:背景|前情|情况|现状)(?:[:，,]|$)"
    r"|^[^，:]{1,10}?(?:分|一共有?|总共有?)(?:成|为)?(?:[两三四五六七八]|\d) ?(?:种|类|级|档|步|个?角色"
    r"|个?等级|个?状态)(?=[:，]|$)"
    r"|^[^，:]{1,12}?(?:大概|大致|差不多|就|是|长)*(?:这样|如下|这么(?:走|设计|定义)的?)(?:的)?:"
)
""" "Some background: …", "the approval goes like this: …"."""
UI_STEP = re.compile(
    r"^点(?:击|了|一下|开)? ?[^，。]{1,14}?(?:[之以]?后|时候?)(?:先|再|就|要|得)|"
    r"点(?:击|了|一下|开)? ?[^，。]{1,14}?(?:[之以]?后|就|，|时)[^，]{0,4}(?:弹|跳|出现|显示|打开|展开"
    r"|进入|收起|下载)"
)

# -- the sentence up to there -------------------------------------------------------------------------------
_LEAD = (
    r"^(?:好|嗯|ok|OK|行|那|你|请|麻烦|辛苦|顺手|顺便|现在|接下来|下一步|先|再|然后|接着|继续|直接|来"
    r"|[，, ])*"
)
ORDERED = re.compile(
    _LEAD + r"(?:(?:帮我?|给我|帮忙)(?!记|盯)|(?:写|画|做|建|起|开|出|整|弄|搞|搭|加|生成"
    r"|导出?)(?:一?[个份张段版套]|[两三]个)"
    r"|(?:改|换)(?:一?[个下])|(?:接着|继续)(?:弄|做|写|改|搞|画)"
    r"|[一-龥]{1,2}(?<![说讲提调代醒意])一下(?!子)|(?:把|将)[^，]{1,20}?(?:转|改|换|合|拆|导|挪|移|抽|搬"
    r"|升|降|删|并|做|画|写"
    r"|整理|合并)"
    r"(?:成|为|到|掉|出来|一下|一起)?|用 ?[^，]{1,16}?把|按[^，]{1,14}?(?:算|统计|画|排|列|汇总|聚合"
    r"|分组)[^，]{0,4}一?下)"
    r"|^(?:这|那)[个块段几一]?[^，别不都统要]{0,8}(?:拆|改|换|挪|抽|删|合|移|分)(?:成|到|掉|一下|出)"
    r"|^[^，我别]{1,10}?你(?:来)?(?:理|看|查|扫|过|改|弄|整理|收拾)一?[下遍]$|[^，每]{2,}(?:算|合|跑|理"
    r"|查|扫|统计|分)一?下[^，]{0,3}$|^[^，每]{2,}[一-龥](?<![说讲提调代醒意])一下$"
)
""" "Write me a script, …": what follows tells how that one is to be."""
ELSEWHERE = re.compile(r"^(?:另外|对了|还有|此外|提醒|再说一[点个]|顺便(?:说|提))")
ASKED_NOW = re.compile(r"[吗么]$|[吗么]？|是不是|对不对|¿")

# -- one clause ---------------------------------------------------------------------------------------------
WILL_HAPPEN = re.compile(
    r"(?:要|快|快要|即将|马上|就要)(?:被)?(?:停(?!止使用)|下线|收回|关停|关机|废弃|过期|到期|迁走|淘汰"
    r"|退役|报废|涨价|下架|拆了"
    r"|关了|没了|满了|换人|搬走)(?:掉|用|机|服|去|走|运|维)*了?(?=$| )"
)
_QUANTITY = r" ?(?:\d[\d.,]*|[一二两三四五六七八九十百千半几])[\d一二三四五六七八九十百千万多来几]* ?"
_UNIT = r"(?:毫秒|秒|分钟?|个?小时|天|个?点|倍|成|%|个?百分点|条|次|[KMG]B?|ms|min)"
MEASURED = re.compile(
    rf"(?<!率)(?:平均|大概|大约|总共|一共|差不多|动辄)(?:每[次个条])?[^，不超控]{{0,4}}(?:要|跑|花|用|耗"
    rf"|占|是|有)?{_QUANTITY}{_UNIT}"
    rf"|(?:差|慢|快|涨|掉|多|少|高|低|降|升)了(?:快|将近|差不多|大概|整整)?{_QUANTITY}{_UNIT}"
    rf"|^(?!.*(?:超时|间隔|轮询|以内|之内|不))[^，]{{2,}}(?<![只需必])要{_QUANTITY}(?:秒|分钟|个?小时|天)$"
    rf"|(?:要|得)(?:跑|等|花|编|编译|装|下|下载|训|训练|转|传){_QUANTITY}(?:秒|分钟?|个?小时|天)(?!以内|之内)"
)
STANDS_STILL = re.compile(
    r"一动不动|(?:微信|安卓|手机|浏览器|iOS|ios|[Ss]afari|[Cc]hrome|机上|屏幕)(?:上|里|中)?(?:就)?不动$"
)
_OTHER = (
    r"(?:[^，我你咱]{0,4}?(?:同事|同学|运维|[Dd][Bb][Aa]|财务|审计|法务|合规|客服|客户|甲方|乙方|领导"
    r"|老板|硬件|全组|全公司|大家|别人|人家"
    r"|下游|上游|对方|隔壁组?|业务方|运营|市场|产品|QA|设计师?|外包|新人|实习生))"
)
OTHERS_NEED = re.compile(
    rf"^(?:因为|毕竟|到时候?|不然|而且)?(?:改|升|动|删|换)?了?{_OTHER}(?:那边|这边|们|组|部门|也|都|还|又"
    rf"|每[次周月天]|天天|只| )*"
    r"(?:要|得|会|照着?|按|靠|等着|盯着|在用|用着|看)(?!求)(?!先?(?:跟|找|问|经过?)我)"
)
""" "The colleagues abroad read it too": why."""
OF_A_RIDDLE = re.compile(r"^这道?题(?!库|目录|型)")
NOT_SO_MUCH = re.compile(r"^(?:也|都)?(?:不用|不必)(?:太|那么|特别)[^，]{1,4}$")
TO_BE_CHANGED = re.compile(
    r"^[\d一二两三四五六七八九十几]+ ?个(?:文件|地方|接口|页面|函数|模块|服务|表|字段)都(?:要|得)(?:改|动|加"
    r"|换|删|补)"
    r"|也(?:要|得)跟着(?:改|动|换|升|调)$"
)
THERE_ONLY = re.compile(r"那边只(?:能|会|在)(?![用走改写放])")
DISLIKES_ONE = re.compile(
    r"(?:不(?:太|怎么|大)?喜欢|不想要|讨厌|受不了)[这那](?:个|张|块|段|行|条)(?!写法|风格|做法|习惯|格式"
    r"|命名)"
)
OTHERS_DO = re.compile(
    r"^(?:运维|[Dd][Bb][Aa]|QA|产品|设计|财务|总部|平台|行政|法务|安全)(?:那边|组|们|部门?)?(?:会|都|来"
    r"|去)?(?:统一|负责)[^，用走按]{0,5}$"
)
OTHERS_ONLY = re.compile(
    rf"^{_OTHER}(?:那边|这边|们|组|部门|也|都|目前|现在)*(?:就)?只(?:认|用|收|支持|要|看|会|能|接|懂|肯)"
)
DESCRIBES = re.compile(
    r"^(?!.*(?:以后|统一|必须|要|别|改))[^，]{1,14}?(?:是(?!不|否)|只有|用的|跑在|部署在|装的)"
)
BARE_VALUE = re.compile(
    r"^(?:[一-龥]{2,6}|[一-龥]{0,4} ?[A-Za-z]{2,8}) ?[A-Za-z\d][\w.-]*(?: ?[A-Za-z个条位M]{1,3})?$"
)
THEN_OTHERS = re.compile(
    r"^(?:[改升动删换加合推]|坏|崩|挂|错)了[^，]{0,4}(?:全组|大家|下游|别人|整个|所有人|我们?|客户"
    r"|又)[^，]{0,2}(?:得|要|会)"
)
EVEN_SO = re.compile(r"(?:差|错|少|漏|丢|偏)了?(?:一|1|半)[^，]{1,3}(?:都|也)(?:要|得|会|不行)")
MUST_THERE = re.compile(r"(?:得|要)在(?:那|这)(?:儿|里|边)?[^，]{1,3}$")
OR_HAPPENS = re.compile(r"^不[^，就能许要得可会]{1,14}?(?:会|容易|肯定|就得|就是)(?!议|话)[^，]{2,}")
ONE_PLACE = re.compile(
    r"(?:[前后这那]|剩下?)(?:的|面)?[^，]{0,2}?[\d一二三四五六七八九十两几]+ ?[个条处项行页章段]"
)
LEFT_TO_THEM = re.compile(r"^(?:就|先|都|你)*(?:不|别|不用|不要)(?:用)?(?:管|理|看)(?:了|它|他们?)*$")
SHOW_SAMPLE = re.compile(
    r"^先?(?:给我|让我|我)(?:先)?(?:看|瞅|瞧)(?:看|瞅|一下|一眼|下)?(?:这|那|前|第|最近"
    r"|上)[^，]{0,3}?[\d一二三四五六七八九十两几]+ ?(?:行|条|个|张|页|帧|版)"
)
POSTPONED = re.compile(r"^(?:等|到)[^，]{1,10}?(?:完|好|了|之后|以后|时候)?(?:再|才)(?:说|议|考虑|谈|定|看)")
JUST_DO = re.compile(r"只(?:管|需要?|要|负责|用)(?:先|帮我|去)*(?:把|将)(?!关|握)")
COPY_NOW = re.compile(
    r"^(?:你|那你|就)?照着?(?:这|那|它|上面)?[^，]{0,3}?(?:补|画|抄|填|做)(?:上|完|齐)? ?[^，每都]{2,12}$"
)
OURS_IS = re.compile(
    r"^(?:我们|咱们)的? ?(?!现在|以后|统一|规定|约定)[^，]{1,12}?(?:叫|一共|总共|用的|跑的"
    r"|每[天周月晚](?:[^，都要]{0,4})(?:跑|出|更新|同步|生成))"
)
IS_CALLED = re.compile(
    r"^(?:每[天周月晚]|凌晨|半夜)[^，都要得]{0,8}(?:出|跑|更新|同步|生成|刷)(?:昨|上|前|一|数|完)"
)
APPROVES = re.compile(
    r"^[^，我你]{0,6}?(?:金额|订单|单价|请假|报销|额度|费用|[\d一二三四五六七八九十百千]+(?:万|元|块"
    r"|天))[^，]{0,6}?(?:以下|以上|以内|之内|超过)[^，]{0,8}?(?:批|审|签|审批)$"
)
SAME_AS_EVER = re.compile(r"^[^，我你]{1,10}(?:还是|仍是|依旧是?)老样子$")
TURNED_OUT = re.compile(
    r"[计写做改跑弄搞排配画存调测拆](?:得)(?:有(?:点|些|问题|毛病|bug)|很|太|不(?![能许准])|好|真|挺|这么"
    r"|那么|乱|烂|慢)"
)
SO_LITTLE = re.compile(
    rf"(?:才|也就|就只|总共才)(?:有)?{_QUANTITY}(?:成|多|%|个|条|次|秒|分钟|G|M|k)?[^，]{{0,3}}$"
)
EMPHASIS = re.compile(
    r"^(?:no|without) (?:exceptions?|excuses?|ifs|buts)\b"
    r"|^(?:这[个点条事]?|这一[点条]|这事儿?)?(?:没得|没有?|无)(?:例外|商量|谈|讲|余地)(?:的)?$"
    r"|^[这那](?:个|一?[点条])?是(?:底线|死要求|铁律|原则)$"
)
REJECTED = re.compile(
    r"^[^，我你别]{1,14}?(?<!不)会(?:被)?(?:拒|打回|驳回|报错?|挂|炸|崩|红|卡|拦|失败|丢|乱|跳|闪)(?:收|绝"
    r"|掉|住|下来?|了|的)?$"
)
""" "Chinese ones the hook turns down": why they are English."""
RESOURCES = re.compile(
    r"^(?:显卡|显存|内存|磁盘|硬盘|机器|服务器|带宽|流量|预算|额度|配额|电脑|板子|这?张?卡"
    r"|免费额度)[^，]{0,4}?(?:就|才|只有|总共|一共|只能(?:跑|放|存|装))"
)
I_PUT = re.compile(
    r"(?<![给跟让问])我(?:已经|先|都|就|刚|单独|另外)?(?:放|写|存|传|发|挂|搁|丢|建|记|贴|同步|推|提)(?:在"
    r"|到|进|去)(?!的)"
)
""" "The certificate I have put under conf"."""
CANNOT_BUT = re.compile(r"^[^，别]{1,8}(?:不能|没法|不支持)[^，]{1,8}太[^，]{1,4}$")
""" "JSON cannot hold comments, such a pain"."""
ONE_THING = re.compile(
    r"^(?:把|将)?[这那](?:个|块|段|张|份|几个|几处)[^，别不都统一每]{1,10}(?:改|换|拆|挪|移|调)(?:成|到|为"
    r"|回)"
)
TO_VALUE = re.compile(
    rf"^(?!.*(?:{PARAMETER}|命令|都|统一|一律|以后|全|每|所有|凡|任何|新|还是|吧$))"
    r"[^，]{2,12}?(?:从[^，]{1,8})?(?:改|换)(?:成|为|到) ?从? ?[^，]{1,14}$"
)
""" "Page numbers from 0 become from 1": an order."""
FOR_EACH = re.compile(
    r"^(?:再|先|顺便|麻烦)?给(?:每个|所有的?|全部)(?!.*(?:都|要|得|以后|注释|测试|单测|类型|文档"
    r"|日志))[^，]{1,8}(?:加|补|配|上)(?:上|个)?"
)
THE_OTHERS_TOO = re.compile(
    r"^(?:把)?(?:剩下|其余|另外"
    r"|后面)的?[这那]?[\d一二两三四五六七八九十几]+ ?[个条张处页篇][^，]{0,10}?(?:照着?|按|仿)"
)
NOT_TOO = re.compile(
    r"^[^，]{0,6}?(?:别|不要)(?:太|过于|那么)[^，]{1,4}$|^(?:也)?(?:别|不要)(?:提|说到|写到)[^，]{1,10}$"
)
""" "Write a mail, do not mention …": how that one is to be."""
MAKES_ONE = re.compile(
    r"(?:^|[，。 ])(?:帮我?|给我|麻烦|先|再)*(?:写|画|做|起|出|列|拟|编|生成|整理|想"
    r"|来)(?:一?[个份张段版封篇条首句]|[\d一二两三四五六七八九十]+ ?[个份张段条句])"
)
TRIES = re.compile(r"看看|试试|看一?下|试一?下|跑跑|看.{1,3}不.{1,3}$")
IF_NOT = re.compile(
    r"^(?:还|要是|如果)?(?:不行|没用|没效果|不管用|不好使)(?:的话)?(?:就|再)|^先不管(?:它|了)*$"
)
CHECKS = re.compile(r"(?:对吧|是吧|没错吧|对不对|对么)[。？?！! ]*$")
IF_CAN = re.compile(r"^能[^，不]{1,4}就[^，]{1,5}$")
LOOKS = re.compile(r"(?:看看|看一?下|查查|查一?下|瞅瞅|瞧瞧|排查|分析一?下)")
ENSURES = re.compile(r"^(?:要|得|并)?(?:确保|保证)")
ONE_ORDER = re.compile(
    r"^(?:你|先|就|请|麻烦)*(?:把|将|这个|那个|这块|那块|帮我)[^，都每]{2,}(?:掉|好|完|一下|上|了|通|开)$"
)
FEELS = re.compile(r"[^，]{0,10}看着(?:累|难受|烦|别扭|头[疼大]|费劲|晕)$")
_SPEAKS_TO = re.compile(
    r"(?:不要|不许|不准|禁止|记得|必须_|请|麻烦|以后|今后|务必|尽量|最好|千万|统一|一律|(?:^"
    r"|[^识级类区分特个错差])别)"
)


FEARS = re.compile(r"我(?:真|就|也|老|很|最)?(?:怕|担心)")
""" "I fear that …, so do this": why."""


def is_idle(shadow: str) -> bool:
    return bool(IDLE.search(shadow))


def is_in_passing(
    text: str, ahead: Sequence[str], shadow: str, *, confidence: float, is_after_rule: bool
) -> bool:
    """Whether what the clause seems to ask for is only told, or holds for what is done now."""
    if is_fact(text) or (is_after_rule and _is_reason(text)):
        return True
    if LEFT_TO_THEM.match(text) and ahead and ONE_PLACE.search(ahead[-1]):
        return True
    if NOT_TOO.match(text) and any(map(MAKES_ONE.search, ahead)):
        return True
    if _SPEAKS_TO.search(text):
        return False
    if confidence <= 0.85 and _ORDERS.begins(text):
        return True
    if IF_CAN.match(text) and LOOKS.search(shadow):
        return True
    if ENSURES.match(text) and any(map(ONE_ORDER.match, ahead)):
        return True
    if (
        not ELSEWHERE.match(text)
        and any(map(ORDERED.search, ahead))
        and (confidence <= 0.85 or _IN_THE_JOB.search(text))
    ):
        return not _PROTECTED.search(text)
    if BRIEFING.search(shadow):
        return True
    if confidence > 0.85:
        return False
    if not is_after_rule and BARE_VALUE.match(text) and any(map(DESCRIBES.match, ahead)):
        return True
    is_told = SYMPTOM.search(shadow) or UI_STEP.search(shadow)
    return bool(is_told or any(map(ASKED_NOW.search, ahead)))


_IN_THE_JOB = re.compile(r"[都全](?:要|得)?(?:改|换|加|删|升|测|跑)(?:成|掉|上|一遍|$)")
_PROTECTED = re.compile(
    r"不[能改动碰删许准变]|维持|保持|保留(?! ?[\d一二两三四五六七八九十几半])|原样|照旧|别|沿用|复用|兼容"
    r"|只[改动能准许]"
)


def is_fact(text: str) -> bool:
    return _FACTS.is_in(text)


def _is_reason(text: str) -> bool:
    return _REASONS.is_in(text)


_FACTS = AnyOf(
    (
        *(WILL_HAPPEN, MEASURED, STANDS_STILL, SHOW_SAMPLE, POSTPONED, JUST_DO, COPY_NOW),
        *(OTHERS_ONLY, TURNED_OUT, SO_LITTLE, OURS_IS, IS_CALLED, APPROVES, SAME_AS_EVER, EMPHASIS),
        *(CANNOT_BUT, RESOURCES, I_PUT, OTHERS_DO),
        *(OF_A_RIDDLE, NOT_SO_MUCH, TO_BE_CHANGED, THERE_ONLY, DISLIKES_ONE),
    )
)
_ORDERS = AnyOf((ONE_THING, TO_VALUE, FOR_EACH, THE_OTHERS_TOO))
_REASONS = AnyOf((OTHERS_NEED, THEN_OTHERS, EVEN_SO, MUST_THERE, OR_HAPPENS, FEELS, REJECTED))


def is_story(ahead: Sequence[str], text: str) -> bool:
    """Behind “at my last place, …”, until it turns to what is now."""
    for at, said in enumerate(ahead):
        if STORY.match(said):
            return not any(HERE_AND_NOW.match(each) for each in (*ahead[at + 1 :], text))
    return bool(ahead and DAYDREAM.match(ahead[0]))
