"""Chinese rules of a few words: a version that is the only one, whose tool it is, “by all means …”."""

from __future__ import annotations

import re

VERSION = re.compile(
    r"^(?!.*(?:[我你他她这那了]|现在|目前|线上))[\u3400-\u9fff]{2,6} ?(?:就|只|都|全)?"
    r"(?P<name>(?<![A-Za-z])[A-Za-z][\w.+-]{2,})$"
    r"|^[A-Z]{2,5} ?(?:就|只|都|全)(?:用|是)? ?[A-Za-z][\w.+-]*$"
    r"|^(?P<cue>[A-Za-z][\w.+-]*(?: [A-Za-z]+)? ?[vV]?\d[\d.x]*)(?: ?版)?$"
)
OTHERS_FAIL = re.compile(
    r"^[A-Za-z][\w.+-]* ?(?:会(?:丢|溢|出|炸|泄|漏|有)|不考虑|不要|别想|免谈|就算了|就免了|那套)|"
    r"^(?:因为)?(?:别的|其[他它余]|〇〇|再?[高低新旧]|换|升级?|不然|最新|新版|老版)[^，]{0,10}?(?:不|没|炸"
    r"|挂|崩|坏|报错"
    r"|出问题|有(?:问题|坑|bug))"
)
""" "torch 2.1, no other version runs"."""
MAX_NAME_CHARS = 24


def is_only_one(text: str, behind: str) -> bool:
    """A name or a version alone, behind which the others are said to fail."""
    is_short = len(text) <= MAX_NAME_CHARS and text[-1:].isascii()
    return is_short and VERSION.match(text) is not None and OTHERS_FAIL.match(behind) is not None


STUCK_AT = re.compile(
    r"^(?!.*(?:了$|进度|画面|页面|加载))[^，我你]{2,12}?(?P<cue>(?:卡|咬|封|限|压|定|锁)死(?:在|到"
    r"|为)?) ?\d[\w.]*[^，了]{0,6}$"
)
TOOL_OF_OURS = re.compile(
    r"^(?!.*(?:这|那|现在|目前|之前|以前|默认|怎么|好像"
    r"|他们))[^，我你他她了的]{2,8}?(?<![使调引复应作占启采])"
    r"(?P<cue>用)(?:公司|咱们|我们|行|组|项目|团队|自家|官方|厂|所|院|部门|平台|仓库"
    r"|[\u3400-\u9fff]{2})(?:里|内部?|自己)?的"
    r" ?[A-Za-z][\w./-]+(?:吧|就[行好])?$"
)
BY_ALL_MEANS = re.compile(
    r"(?<![\d一二两三四五六七八九十几上数好])(?P<cue>千万)(?:记得|先|给我)?(?=[\u3400-\u9fff]{2})"
    r"(?!别|不|要|勿|甭|小心|注意(?:安全|身体)|保重|珍惜|年|用户|级|条|行|个|元|块|次|人|数据|日活|量)"
)
STAYS_FREE = re.compile(
    r"(?<=[一-龥A-Za-z ])(?:[里中上内]|层|包|库)(?P<cue>不(?:放|存|堆|写|塞|掺|调|碰|依赖|引|抛|查))"
    r"(?!了|过|下|进|到|起|通)[^，了]{2,}$"
)
GOES_WAY = re.compile(
    r"^(?:deploy|release|hotfix|build|error|log|logs|config|test|tests|e2e|lint|image|cache|secret|secrets"
    r"|queue|job|cron"
    r"|metric|metrics|upload|auth|login|backup|staging|prod|traffic|feature|bugfix|mock|import"
    r"|export)s? ?[\u3400-\u9fff]{0,2} ?"
    r"(?:都|就|一律|统一|只)?(?P<cue>走|放|存|打到|发到?|推到?|挂) ?(?:在|到"
    r"|进)? ?[A-Za-z][\w./-]*(?: [a-z]+)?"
    r" ?(?:里|下|上|那边|分支|频道|目录)?(?:吧|就行)?$",
    re.IGNORECASE,
)
FIRST_WITH = re.compile(
    r"^(?!.*(?:试|跑通|看看|一下|我|你|这"
    r"|那))[\u3400-\u9fff]{2,6}(?P<cue>先用) ?[A-Za-z][\w.+-]*(?: [A-Za-z]+)?"
    r"(?: ?(?:做|写|接|顶着?|存|搭))?(?:吧|就[行好])?$"
)
KIND_GOES = re.compile(
    r"^[^，我你他]{0,8}?(?:这种|这类|此类|那种)[^，了这]{1,12}?的?(?:都|就|一律|全|统一)?(?P<cue>走|进"
    r"|用(?!户|的)|丢给?|写|抽)(?:到|在|进|成)? ?"
    r"(?![了过的得着到])[^，了吗呢]{2,10}$"
)
BOTTOM_LINE = re.compile(
    r"^(?![这那])[^，]{2,16}?(?P<cue>是)(?:咱们?的?|我们?的?)?(?:底线|死要求|硬(?:指标|要求|性要求|杠杠)"
    r"|铁律|大原则"
    r"|基本要求)$"
)
ABLE_TO = re.compile(
    r"^(?!.*(?:用户|客户|玩家|页面|按钮|列表|现在|怎么))[^，我你他]{2,10}?(?P<cue>要能|得能|必须能)(?:够|被"
    r"|单独|本地|离线)*(?:重跑|重入|回滚|复现|重放|跑|降级|热更|断点续|编译|测)"
)
NOT_FOR_YOU = re.compile(
    r"^(?!.*(?:我|他|她|求|拜托|了$))[\u3400-\u9fffA-Za-z]{2,8}?你(?:就|都|也)?(?P<cue>别|不要|甭)(?:去|乱"
    r"|再|给我)?"
    r"(?!担心|操心|管|急|慌|怕|理|笑|骂|信|等|问|猜|看|听|说|想|吃|买|来|去$)[\u3400-\u9fff]{2,4}$"
)
""" "The story texts you leave unpolished"."""
LOOK_BEFORE = re.compile(
    r"^[^，我你他她]{2,11}(?<![目当从眼面提])前(?:都|要|得|请|记得)?(?P<cue>先)(?:看|查|确认|检查|想|搜"
    r"|问)(?!一[眼下])"
    r"[^，吗呢？?]{2,}$"
)
""" "Before a query is added, look whether there is an index": a question within an order."""
EACH_ONE_BACK = re.compile(
    r"^(?![这那]).*?(?P<cue>(?:看|见|发现|来)(?:到|见)?一[次个条处](?:就)?(?:打回|退|驳|骂|删|毙|拒|改"
    r"|罚)一[次个条处])$"
)
SHOWN_FIRST = re.compile(
    r"^[^，我你他她]{2,}(?P<cue>先)[^，]{1,10}(?:给|让|发)我(?:看|过目|确认|审)(?:看|一下|一眼)?$"
)
ALL_OF_NAME = re.compile(
    r"^(?!.*(?:现在|目前|怎么|已经|刚))[^，我你他她这那]{2,14}? ?(?:都|就)?(?P<cue>全) ?[A-Za-z][\w-]{2,}"
    r"(?<!pass)(?<!fail)(?<!error)(?<!timeout)(?<!null)(?<!down)(?<!done)(?<!red)(?<!green)(?: ?(?:掉|化"
    r"|起来))?$"
)
_TEXT = (
    r"(?:邮件|信件|公告|通知|文章|报告|论文|正文|标题|摘要|公式|字幕|台词|旁白|译文|译名|简历|对白|引文|脚注"
    r"|图注|表头|封面|页眉|结论"
    r"|附录|周报|简介)"
)
WRITTEN_SO = re.compile(
    rf"^(?!.*(?:把|帮|给我|一下|重写|怎么|现在|这|那|好像))[\u3400-\u9fff]{{0,4}}?{_TEXT}(?:里|中|上)?(?:都"
    rf"|一律|统一)?"
    r"(?P<cue>用|写)(?!户|了|的|过|得|完|好|到|在|成) ?[^，了的吗呢“”〇_x`]{2,8}$"
)
THROUGHOUT = re.compile(
    r"^(?P<cue>通篇|全文|全篇)(?:都|统一|一律)?(?:用|按|走|写)?(?!有|是|没|太|看|翻|检查|读|改"
    r"|重)[^，了的吗呢]{2,8}$"
)
EACH_SO_OFTEN = re.compile(
    r"每(?:组|个|种|套)(?:实验|配置|参数|设置|用例|样本|case|模型|接口|场景|种子|方法)[^，了]{0,4}?"
    r"(?P<cue>(?:跑|做|测|取|抽|重复) ?[\d一两三四五几]+ ?(?:次|遍|个|张|轮|条|组))(?!了)"
)
GIVEN_TO_ME = re.compile(
    r"^(?:发|给|交|传)(?:给)?我的[^，了]{1,8}?(?:都|一律|要|得|统一)?(?P<cue>[压打存转导写做用带标](?:成"
    r"|上)?) ?[^，了不]{2,}$"
)
WRITTEN_IN_NAME = re.compile(
    r"^(?!.*(?:[我你他她这那了步先再去]|现在|目前|之前|以前|刚|帮|把|默认|在|怎么|接着|然后|开始|继续|x{3}))"
    r"(?:新)?[\u3400-\u9fff]{2,5}(?<![里上中])(?P<cue>写) ?[A-Za-z][\w+.-]*$"
)
LOG_LEVEL = re.compile(
    r"^(?!.*(?:[我让把了]|现在|目前|怎么))[^，]{0,8}日志(?:级别|〇〇)(?:统一|都|一律|就)?"
    r"(?P<cue>开|用|设|调|定)(?:成|到|为)? ?(?:debug|info|warn(?:ing)?|error|trace)(?:吧|就[行好])?$",
    re.IGNORECASE,
)
