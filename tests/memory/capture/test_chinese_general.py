"""Chinese clauses that ask for something beside another, or of a kind of thing; and what looks like them."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.chinese import read
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.prose import Context, Found, sentences


def found_in(message: str, *said: str) -> list[Found]:
    rules = tuple(Proposal(kind="rule", text=text, quote=text, speaker="person", line=1) for text in said)
    return [one for sentence in sentences(message) for one in read(sentence, Context(rules=rules))]


def rules_in(message: str) -> list[tuple[str, str]]:
    return [(found.polarity, found.text) for found in found_in(message) if found.act == "state"]


@pytest.mark.parametrize(
    "message",
    [
        "没有评审结论之前，原型里的积分玩法不做",
        "没拿到授权之前，用户数据不导",
        "文档没评审完之前代码不合",
        "回滚脚本没写好之前这个变更不许执行",
        "你别每次都给我总结一遍改了啥",
        "别老是给我复述做了什么",
        "你不要一上来就问我想要什么",
        "别一下子贴一大段",
        "别一上来就贴几百行",
        "字体别超过两种",
        "推送别在夜里发",
        "类型别偷懒写 any",
        "ios 12 以下不管",
        "不要用 class 写组件",
        "没写单测的 PR 我不看",
        "commit 信息只写 fix 的一律打回",
        "除非紧急，不走 hotfix",
        "除 bug 修复外，v1 分支不接受任何改动",
        "夜间不跑全量",
        "封面不要人像",
        "题目难度别超纲",
        "组件不直接调接口",
        "view model 不直接碰 retrofit",
        "demo 分支从现在起冻结",
        "上班时间别重启测试环境",
    ],
)
def test_what_waits_and_what_is_done_too_often_is_banned(message: str) -> None:
    assert rules_in(message) == [("do_not", message)]


@pytest.mark.parametrize(
    "message",
    [
        "脚本里凡是 rm 的地方先判断变量非空",
        "代码里凡是调外部接口的地方都先加超时",
        "SQL 里只要是 delete 的语句先 select 一遍",
        "bug 修完补一条回归用例",
        "需求做完补一份接口文档",
        "缺失的填 0",
        "没有值的返回空字符串",
        "hotfix 从 tag v3.0.1 切分支",
        "mock server 用 msw",
        "本地缓存顶着",
        "缩进四格",
        "表名加前缀 t_",
        "这种一次性脚本丢 scripts 下面就好",
        "实验结果记到 wandb",
        "图存成 pdf",
        "组件一个文件一个",
        "消费组一个服务一个",
        "引用格式 APA",
        "csv 用 utf-8 带 bom",
        "英文术语后面括号标中文",
        "中英文之间空一格",
        "枚举值只增不减",
        "python 3.10 起步",
        "类型检查开 strict",
        "警告当错误",
        "import 顺序 isort 说了算",
        "dag 名跟表名一致",
        "端口就 8090 吧",
        "打包体积卡在 2M 以内",
        "圈复杂度压在 10 以下",
        "幂等键必带",
        "每个 PR 只干一件事",
        "支付回调先验签再处理",
        "退款走人工",
        "对账文件按天存",
        "主从延迟要考虑",
        "release 分支只收 bugfix",
        "安卓 minSdk 21",
        "日志留半年",
        "结论要有数据支撑",
        "路径写绝对的",
        "代理配在 vite.config 里",
        "单测 vitest",
        "图纸编号写进注释",
        "数据来源标脚注",
        "摘要 300 字",
        "视频脚本口语一点",
        "下载固件前先断电",
        "参考文献按出现顺序编号",
        "图标库选 lucide",
        "画图字体用思源黑体",
        "许可证头用我们公司那份模板",
        "损失函数用交叉熵",
        "dpi 300",
        "这种直接删",
        "所以并发这块咱们还是老老实实用线程池",
        "查询慢就走 es",
        "复杂的正则请拆成几步",
        "构建产物带 hash",
        "any 用 unknown 替",
        "主色 #1677ff",
        "review 意见逐条回",
    ],
)
def test_what_is_done_with_a_kind_of_thing_is_demanded(message: str) -> None:
    assert rules_in(message) == [("do", message)]


@pytest.mark.parametrize(
    "message",
    [
        "超过 10 个文件的改动先跟我对一下",
        "函数参数超过三个就包成对象",
        "导数之前先 count 一下",
        "terraform plan 给我看过再 apply",
        "贴代码的时候带上文件路径",
        "给选项的话最多三个",
        "冲突了叫我",
        "凡是涉及钱的，double check 一遍",
        "线上出问题先回滚再查",
        "看板改动要同步给运营",
        "可以的话用 async 的写法",
        "我是新手，讲慢点",
        "语气轻松点",
        "宁可慢点也要稳",
        "真要用锁，用 redisson",
        "有进展就说一声",
        "吃不准的地方标个 TODO",
        "监控改完先观察十分钟，没问题再合",
        "可以加依赖，但要先问我",
        "先查有没有现成的，没有再写",
        "如果要改表结构，先写迁移脚本",
        "超过 50 行的函数拆掉",
        "代码风格参考 utils/format.ts",
    ],
)
def test_what_is_done_at_an_occasion_or_in_a_manner_is_demanded(message: str) -> None:
    assert rules_in(message) == [("do", message)]


@pytest.mark.parametrize(
    ("message", "rules"),
    [
        ("灰度一律走 5% 起，先放一个机房看半小时", ["灰度一律走 5% 起，先放一个机房看半小时"]),
        ("bug 修好加一条用例，标题里带上单号", ["bug 修好加一条用例", "标题里带上单号"]),
        ("周报按项目分 tab，首行加粗，以后每份都这样", ["周报按项目分 tab，首行加粗，以后每份都这样"]),
        ("我说的是 uv 啊，你怎么又 pip install 了", ["我说的是 uv"]),
        ("老规矩，改完跑一遍 make check", ["改完跑一遍 make check"]),
        ("提个要求，每次回复最后给我列下改了哪些文件", ["提个要求，每次回复最后给我列下改了哪些文件"]),
        ("变量名取短一点没关系", ["变量名取短一点没关系"]),
        ("引号用单引号，别问了", ["引号用单引号"]),
    ],
)
def test_what_belongs_to_a_rule_is_heard_with_it(message: str, rules: list[str]) -> None:
    assert rules_in(message) == [("do", rule) for rule in rules]


@pytest.mark.parametrize(
    "message",
    [
        "别问我为什么",
        "这个没做完之前我不走",
        "没装驱动之前屏幕不亮",
        "没网之前页面不动",
        "先跑一遍测试看看",
        "只要是人就会犯错",
        "这个 bug 修完补一条用例",
        "空的给我删了",
        "空的返回 500 了",
        "从 main 拉个分支",
        "刚从 main 切分支出来",
        "redis 内部用 jemalloc",
        "不对，我说的是 config.py 里那个函数",
        "日志有点长没事",
        "老大一上来就骂人",
        "之前我们是禁止用存储过程的，后来就没人管了",
        "那边没人能改这个",
        "我默认 ns 是生产的",
        "还是说要走堡垒机",
        "那就不用了",
        "一个测试一个线上的",
        "公司一个人一台电脑",
        "内存 1G",
        "日志格式不对",
        "结果和本地一致",
        "这个问题要同步给产品",
        "超过 10 个的列表会分页",
        "文件超过 1M 就传不上去",
        "库存低于 10 就提醒采购",
        "启动的时候加载配置",
        "改的时候加了个日志",
        "两个请求之间隔了 3 秒",
        "前端是用 vue 写的",
        "这接口只能内网访问",
        "客户要带发票",
        "他被禁了",
        "讲详细一点",
        "方便的话改一下这个按钮",
        "单片机内存就 20k",
        "现在的流程是先审批再发货",
        "用户先登录再下单",
        "告诉我哪些测试挂了",
        "这步不管",
        "天气别太热",
        "群里别发语音",
        "抓的是各地的招投标公告",
        "写驱动是不是不能用 sleep 啊",
        "安卓 14 以后前台服务必须声明类型，所以崩了",
        "银行那边的规范是变量名必须带类型前缀",
        "照着截图还原一下这个卡片",
        "照着文档做了一遍还是不行",
        "编译时间我受不了",
        "全局变量漏一个就是一个坑",
        "模型用的是 bert",
        "我要的是那个文件，不是这个",
        "过期的请求会被直接打回",
        "测试 failed",
        "数据给错了",
        "日志：Error: must be string",
        "上家每次提交都要三个人看",
        "我们的用户只能在工作日下单",
        "未登录不能看详情",
        "这里不能用 await，语法报错",
        "这几个接口都加上分页",
        "这次的需求是订单必须支持退款",
        "提示不能为空，但我明明填了",
        "对的，必须传 id",
        "那个函数一直返回 null",
        "分支叫 feature/login，已经推上去了",
        "eslint 报 no-unused-vars，不许有未用变量",
        "先看看有没有报错",
        "先查一下有没有人用",
        "如果明天有空，先去吃饭",
    ],
)
def test_a_fact_an_order_or_a_remark_in_such_words_is_no_rule(message: str) -> None:
    assert found_in(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "我现在的环境是 ubuntu 22，python 3.10，装的 torch 2.1",
        "你上次说 useEffect 里不能直接 async，我查了下确实是这样",
        "需求是这样的：用户连续签到 7 天送积分，每天只能签一次",
        "我们公司用的是自研的框架，文档很少，出了问题只能看源码",
        "服务启动的时候会去拉配置，拉不到就用本地的，这个逻辑没变过吧？",
        "审核没过，理由是没有隐私弹窗，得加一个",
        "登录的时候要兼容一下老的",
        "前端同学反馈接口字段一会儿驼峰一会儿下划线，烦得很",
        "先不管它，你继续弄导出那个",
    ],
)
def test_a_story_holds_no_rule(message: str) -> None:
    assert [found for found in found_in(message) if found.act == "state"] == []


def test_whatever_stands_below_what_was_agreed_on_is_a_rule() -> None:
    message = "约定一下：\n- 坐标系 Z 朝上\n- 分支随用随删\n- 不要输出 debug 图到工程目录"

    assert rules_in(message) == [
        ("do", "坐标系 Z 朝上"),
        ("do", "分支随用随删"),
        ("do_not", "不要输出 debug 图到工程目录"),
    ]


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("又 push 到 origin 了……我讲过 upstream 才是我们的，push 到 upstream", ("do", "push 到 upstream")),
        ("我要的是周环比，不是同比，口径别再搞错了", ("do", "我要的是周环比")),
        (
            "如果要加 dependency，先看 license 是不是 MIT，不是就别加",
            ("do", "如果要加 dependency，先看 license 是不是 MIT"),
        ),
    ],
)
def test_what_is_set_right_and_what_to_look_for_is_demanded(message: str, rule: tuple[str, str]) -> None:
    [polarity, text] = rules_in(message)[0]

    assert polarity == rule[0]
    assert rule[1] in text


def test_why_something_is_banned_is_no_demand() -> None:
    assert rules_in("learning rate 不要动，要跟 paper 对得上") == [("do_not", "learning rate 不要动")]


def test_what_is_protected_from_deletion_is_not_taken_back() -> None:
    assert [(found.act, found.polarity) for found in found_in("别把我写的注释给删了")] == [
        ("state", "do_not")
    ]


@pytest.mark.parametrize(
    "message",
    ["之前说不能改 config，现在可以了", "前面说过别碰 legacy，现在放开了", "之前不让动 db，现在可以动了"],
)
def test_what_was_not_allowed_is_now(message: str) -> None:
    assert [(found.act, found.is_permission) for found in found_in(message)] == [("withdraw", True)]


@pytest.mark.parametrize("message", ["他之前说别碰 legacy，现在可以了", "之前登录不了，现在可以了"])
def test_what_others_said_or_what_failed_is_not_allowed_by_that(message: str) -> None:
    assert found_in(message) == []


@pytest.mark.parametrize(
    ("said", "message"),
    [("表名加前缀 t_", "dba 说新库不要前缀了，那就不加"), ("提交信息带上单号", "那就不带了")],
)
def test_then_it_is_not_done_takes_back_the_demand_that_it_be_done(said: str, message: str) -> None:
    [found] = found_in(message, "变量名用驼峰", said)

    assert (found.act, found.topic) == ("withdraw", said)
