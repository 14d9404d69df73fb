"""How Chinese reports what is so: why it happened, how a thing behaves, what shall be built, what annoys."""

from __future__ import annotations

import re
from dataclasses import dataclass

# -- the whole sentence -------------------------------------------------------------------------------------
_RESULT = (
    r"(?![^，。]{0,12}(?:只能[^，]{1,10}，不(?:能|许|准|要)|别|不要|不许|请|记得|一定|必须|(?<!服)务必"
    r"|统一|一律"
    r"|都|得|要|先|以后|改用|还是))"
)
EXPLAINS = re.compile(
    r"这个?(?:报错|错误|问题|坑|现象)我(?:们)?(?:见过|遇到过|碰到过|碰过|踩过)|"
    r"(?:^|[，。 ])我(?:这边|的|这台)?(?:电脑|机器|笔记本|手机)[^，]{0,6}(?:小|慢|差|卡|旧|不行|不够|带不动)|"
    r"因为没[^，]*，所以|(?:这个?|这点|那个?)我(?:知道|懂|清楚|明白|了解)(?=[，。 ]|$)|"
    rf"(?:^|[，。 ])(?:所以说?|因此|于是|结果(?=[^，。]{{0,12}}(?:了|不[了过到行]|挂|崩|失败|报错))"
    rf"|这才)(?:才|就)?{_RESULT}(?=[^，。 ])"
    r"|(?:不知道|不清楚)(?:是)?(?:谁|哪)|(?:不知道|搞不懂|不清楚|不明白|想不通|没搞懂|没想通|莫名其妙)(?:是"
    r"|这是)?(?:为啥|为什么|怎么回事"
    r"|啥原因"
    r"|什么原因|咋回事|咋了)|(?:^|[，。 ])(?:真|好|很|有点|挺)?(?:奇怪|诡异|邪门|离奇|神奇)(?=[，。 ]|$)"
    r"|难怪|怪不得|(?:^|[，。 ])后来(?!者)|(?:就|正)是(?:这个|那个|因为)?这?个?(?:原因|缘故)|(?:^"
    r"|[，。 ])[^，]{1,10}的(?:原因|缘故)[，。 ]"
    r"|(?:看到|日志里|截图里|报错里?|遇到)(?:的|那个?|这个?)+(?:就是|正是)"
    r"|就是这么[^，。]{0,4}的(?=[，。 ]|$)"
    r"|(?:你|我)[^，]{0,6}(?:那个|这个)(?:报错|错误|异常|问题)(?:应该|就|多半)*(?:是|因为)"
)
ADDRESSED = re.compile(
    r"别|不要|不许|不准|禁止(?!过)|严禁|勿|记得|必须_|请|麻烦|(?<!\d )(?<!\d)以后|今后|(?<!服)务必|尽量"
    r"|最好|千万|你"
    r"|我们?[^，]{0,4}(?:喜欢|习惯|要求|希望)"
)
"""Who speaks to somebody does not only explain."""
FOR_GOOD = re.compile(r"(?<!\d )(?<!\d)以后|今后|往后|从现在|从今|从此")
ANSWER = re.compile(r"^(?:有的?|没有|没|会的?|不会|能的?|不能|可以|是的?|不是|对的?|嗯+|需要的?|不需要)$")
ASKED_OF_FACT = re.compile(
    r"^(?!.*(?:需要我|要我|我(?:应该|该|要)|是否(?:要|需要)|要不要|用哪|希望|您想|你想)).*[?？吗]\s*$",
    re.DOTALL,
)
MAX_ASKED_CHARS = 200
MAX_CHOICE_CHARS = 8
WHICH_IS_IT = re.compile(r"(?<![要用说还])是(?!否)[^，。用要]{1,20}还是(?![^，。？?]*[用要])")
""" "Is that a negative amount or a type of its own?"."""
_BUILT = (
    r"^(?:对了|那|我们?|你)?(?:想|要|需要|得|帮我|给我|帮忙|麻烦|请|再|先|现在|接下来)*"
    r"(?:写|做|实现|加|搞|弄|开发|新增|搭|build|add|implement|create) ?(?:一个|个|一套|一|an?(?= ))(?!字"
    r"|人) ?"
)
SPECIFIES = re.compile(_BUILT + r"[^，。:]{1,18}?[，,: ]|^[^，。: ]{1,10}[加做补]一?个[^，:]{1,10}:")
OF_PRODUCT = re.compile(
    r"不(?:能|可以?|得|超过)|最[多大]|至[多少]|必须(?! ?(?:用|写|放|走|跑|基于|兼容))|每|只能|支持|要|都"
    r"|就|只"
)
OF_CRAFT = re.compile(
    r"注释|代码|测试|单测|依赖|库|提交|commit|文档|命名|变量|函数|风格|框架|目录|[别勿]|不要|不许|不准"
    r"|禁止|记得|[写放][在到成]|(?<![使作调])用(?!户|途|完)|sql|SQL|镜像|root|\w/"
)
SIGHS = re.compile(
    r"真[烂差坑慢难]|[太好]烂|"
    r"真的?是(?=[，。 ]|$)|真是(?:的|够|服|绝|醉)|服了|无语|醉了|离谱|这破|这玩意|什么鬼|[烦累]死|崩溃"
    r"|受不了|太(?:难|坑|烦)"
)
COMPLAINS = re.compile(
    r"^[^，]{0,4}(?:每个|每次|回回)[^，]{0,8}都?[得要]自己|"
    r"^[^，]{0,8}?(?:每次|回回|次次|老是|总是?)[^，]{1,10}都?[得要](?:重新|等|手动|查|翻|找|花|问|求|重启"
    r"|折腾|停|卡)"
)
LASTS_LONG = re.compile(
    r"(?:每次|回回|次次)[^，]{1,12}都[得要]?[^，]{0,6}(?:等|花|停|卡|跑|耗|折腾|停机)[^，]{0,4}"
    r"(?:\d+ ?|[几半一二两三四五十]+)(?:多)?个?(?:小时|分钟|天|秒|钟头)"
)

# -- one clause ---------------------------------------------------------------------------------------------
LONG_GONE = re.compile(
    r"^(?:上家|前司|老东家|前东家)(?!法)|上(?:一?个|一?份|一?家|一?任)(?:项目|公司|团队|组|工作|东家)"
    r"|前(?:公司|东家|团队)|老东家"
    r"|(?:大学|读[研博书]|上学|实习|本科|高中|校招|刚毕业|刚入职|刚入行|刚来|刚开始|最早|一开始"
    r"|起初)[^，]{0,6}?"
    r"(?:的?时候?|期间|那[会阵]|[我都没只])|^(?:以前|从前|早先|过去|曾经)(?=[^，]{0,8}(?:是|都|还|会|要|得"
    r"|有|没|只|不|规定|禁))"
    r"|^(?:本来|原本|原先)(?=[只都不就我们])|当年|早些年|早年|前几年|那[阵年]"
)
_NOT_OURS = r"^(?!.*(?:我|咱|团队|组里|项目里|这边|别|不要|以后))"
FACT = re.compile(
    r"(?:出了?问题|报错了?|坏了|没办法|没辙)[^，]{0,2}只能|"
    r"^[这那](?![里次样种类边套])[^，]{1,5}只能(?![用走改写放跑做]|你|我)|"
    r"[^，]{2,}[了过]所以(?:就|才)?(?:只能|只好|必须|得|不得不)|(?:时候?|之后|以后"
    r"|的话)[^，我你]{0,8}会(?![议话计员])[^，]{0,2}(?:[全都被打报挂崩丢变出卡]|自动|重复)"
    r"|只在[^，]{1,16}(?:有用|有意义|管用)$|"
    r"^(?:新版|最新版|旧版|老版|官方|平台|这个?(?:库|包|框架))[^，我]{0,10}?(?:要求|强制)|每次都?[要得]等|"
    r"才(?:生效|起作用|有效|会|能看到|看得到)|"
    r"在 ?[A-Za-z+#.]+ ?[\d.]* ?[里中]?是不|^[^，]{0,8}(?:同学|朋友|他们|她们|人家"
    r"|别人家?)[^，]{0,6}(?:公司|团队|单位|学校)|"
    r"[用写放走跑连叫取存]的(?:就|都|也)?是(?!不)"
    r"|^(?!.*(?:从现在|别|不要|请|你|我|改|换|以后|可以))[^，]{1,8}(?:现在|目前|当前)(?:都|一律|统一|全|只"
    r"|还)"
    r"|^(?:目前|现在|当前|眼下)[^，]{1,8}(?:最多|至少|只有|大概|一共)"
    rf"|{_NOT_OURS}[^，]{{1,24}}?(?:从来?|从未|向来|历来|压根|根本)(?:都|就)?[不没]"
    r"|^(?!.*(?:希望|必须|要|得|许|准|允许|行|禁|只读|我|forbid|ban|prohib|allow|off.limit|可以|应该"
    r"|最好))[^，]{1,16}?(?:都|全|也)?(?<![还就只凡要])是(?![否不])"
    r"[^，]{2,20}(?<![这那]样)的$"
    r"|(?:必须|只有|[要得])[^，]{1,16}才会"
    r"|同(?:时|一[个]?时[刻间])[^，]{0,8}?只(?:能|会)?有[一1]个"
    r"|^(?:这|那)?(?:绝?大部分|绝?大多数|多数|少数|一部分|有的|有些|部分|几乎)"
    r"|(?:那边|他们|人家|别人|隔壁组?|业界|大厂|同行)[^，]{0,4}(?:一般|通常|平时|往往|经常|一直|统一)"
    r"|要[^，]{0,8}[\d一二两三几半十百][^，]{0,6}(?:秒|分|小时|天|钟)[^，]*才"
    r"|[往向][上下左右里外]边?(?:挪|移|调|靠|缩|扩)"
    r"|只(?:会)?在(?![^，]*(?:能|会)[改动碰删写])[^，]{1,16}?(?:能|会|有效|出现|复现|报错?|崩|好使|成立"
    r"|存在)[^，]{0,3}$"
    r"|又[^，]{1,6}了$"
)
OWN_DUTY = re.compile(r"(?<![跟给让问等经由和对向替])我(?:真的?|今天|都|就|现在|这次|还|也|只)*$")
STATES = re.compile(r"\b(?:is|are|was|were|has|have|had)\b")
NEEDED = re.compile(r"(?:得|要|还是)[用跑改装写](?:它|上)?$")
DECLINES = re.compile(r"^(?:那|嗯)?(?:不用了?|没事|算了|不必了?|不麻烦|不需要|好了|行了|没关系)(?:吧|哈)?$")


@dataclass(frozen=True, slots=True)
class Manner:
    """What a whole sentence is there for."""

    is_for_good: bool
    """Said for all that comes."""
    explains: bool
    specifies: bool
    sighs: bool

    def covers(self, clause: str, cue: str) -> bool:
        """Whether what the clause seems to ask for is only part of that."""
        if self.is_for_good:
            return False
        if self.explains and not ADDRESSED.search(clause):
            return True
        is_of_product = OF_PRODUCT.match(cue) or SPECIFIES.match(clause + ":")
        if self.specifies and is_of_product and not OF_CRAFT.search(clause):
            return True
        return bool(LASTS_LONG.search(clause)) or (self.sighs and bool(COMPLAINS.search(clause)))


def manner_of(shadow: str) -> Manner:
    return Manner(
        is_for_good=bool(FOR_GOOD.search(shadow)),
        explains=bool(EXPLAINS.search(shadow)),
        specifies=bool(SPECIFIES.match(shadow)),
        sighs=bool(SIGHS.search(shadow)),
    )


def is_answer(first: str, agent_before: str) -> bool:
    """“There is one, …” to what the agent asked about the world."""
    asked = agent_before.strip()[-MAX_ASKED_CHARS:]
    is_one_of_two = len(first) <= MAX_CHOICE_CHARS and first in asked and WHICH_IS_IT.search(asked)
    return bool(ANSWER.match(first) or is_one_of_two) and bool(ASKED_OF_FACT.match(asked))
