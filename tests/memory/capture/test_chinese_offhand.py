"""What is typed in the middle of work: told in passing it is no rule; said in half a sentence it is one."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.chinese import read
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.prose import Context, Found, sentences
from agentinitd.model.facts import Polarity


def found_in(message: str, agent: str = "") -> list[Found]:
    context = Context(agent_before=agent)
    return [found for sentence in sentences(message) for found in read(sentence, context)]


def said(text: str, polarity: Polarity) -> Proposal:
    return Proposal(
        kind="rule", act="state", text=text, quote=text, speaker="person", line=1, polarity=polarity
    )


def ban(text: str) -> Proposal:
    return said(text, "do_not")


def demand(text: str) -> Proposal:
    return said(text, "do")


def lifted_by(message: str, *rules: Proposal) -> list[str]:
    context = Context(rules=rules)
    found = [found for sentence in sentences(message) for found in read(sentence, context)]
    return [each.topic for each in found if each.act == "withdraw"]


def laid_down(message: str) -> list[tuple[str, str]]:
    return [(found.polarity, found.text) for found in found_in(message) if found.act == "state"]


@pytest.mark.parametrize(
    "message",
    [
        "用 matplotlib 画个柱状图，横轴用月份，存成 svg",
        "写个定时任务，每天两点跑，失败重试三次",
        "给列表页加个导出按钮，文件名带时间戳",
        "先搭个架子，路由用 hash，后面再换",
        "按地区汇总一下，导成 csv 就好，颜色用公司那套",
        "这个函数拆成两个，公共部分提到 utils 里",
        "把日志切一下，按天存，保留七天",
    ],
)
def test_how_the_thing_ordered_now_is_to_be_is_no_rule(message: str) -> None:
    assert laid_down(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "串口偶尔丢字节，波特率 9600，短线没事",
        "购物车按钮在安卓微信里不动，帮看下",
        "订单列表加载要五六秒，分页每页 20 条",
        "跑了三小时 loss 一动不动",
        "登录那条用例平均跑 40 秒，查查时间花哪了",
        "这个 acc 曲线是正常的吗，batch 64",
        "旧集群下周要停",
        "客户那边只认 pdf 格式",
        "缓存命中率才三成，是 key 设计得有问题吧",
        "消息推送分三种，系统的不能关",
        "我们的订单表主键叫 oid，每天凌晨四点出昨天的数",
    ],
)
def test_what_is_so_is_no_rule(message: str) -> None:
    assert laid_down(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "以前在上家公司，提交前必须跑一遍 sonar，一条警告都不许留",
        "聽同事講，總部規定不能用境外的 CDN",
        "权限这块说下背景：角色分三级，店长只看自己门店的",
        "导师说实验部分要再加两组对比",
        "需求文档第三条写的是不能重复提交",
        "有时候想，干脆别做小程序了，专心做网页",
        "其实改用 grpc 也不是不行，想想而已",
        "带我的师兄说一个函数不能超过三十行，真的假的",
        "報銷流程这样：金额三万以下主管批，以上再加财务",
    ],
)
def test_stories_and_daydreams_are_no_rules(message: str) -> None:
    assert laid_down(message) == []


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("注释用英文，海外同事也要看", "注释用英文"),
        ("公共包的版本别升，升了全组都得跟着回归", "公共包的版本别升"),
        ("你不要自己在库上执行，DBA 要过工单", "你不要自己在库上执行"),
        ("起服务用 make dev，不加 profile 会连到预发", "起服务用 make dev"),
        ("启动文件都不要改，时钟得在那儿配", "启动文件都不要改"),
    ],
)
def test_why_a_rule_holds_is_not_a_second_one(message: str, rule: str) -> None:
    assert [text for _, text in laid_down(message)] == [rule]


@pytest.mark.parametrize(
    "message",
    [
        "把首屏那几个请求并一下，埋点上报的顺序维持现状",
        "帮我写个脚本，别用第三方库",
        "写个导出，以后文件名都带日期",
        "改接口要通知测试同学",
        "diff 太大了我怕评审被骂，只改 src/views 里面的就好",
        "以前在老东家不用写测试，现在这里每个 PR 都要有单测",
    ],
)
def test_a_rule_beside_an_order_or_a_story_stays(message: str) -> None:
    assert len(laid_down(message)) == 1


@pytest.mark.parametrize(
    ("message", "polarity"),
    [
        ("lodash 那一套就免了吧", "do_not"),
        ("太新的语法就别想了", "do_not"),
        ("这个迭代期间不升 gradle", "do_not"),
        ("e2e 先不补", "do_not"),
        ("构建产物不进 git", "do_not"),
        ("给客户看的报错不能露堆栈", "do_not"),
        ("收费素材一个都别往仓库里放", "do_not"),
        ("以后改哪些表先列出来", "do"),
        ("每改一处给我说说为什么", "do"),
        ("函数名能不能起短点", "do"),
        ("备份文件名带日期", "do"),
        ("活跃数只算登录事件", "do"),
        ("所有页面先用假数据", "do"),
        ("跑超过十分钟就 kill 掉", "do"),
        ("手机号在任何地方都得脱敏", "do"),
        ("一个函数干一件事", "do"),
        ("单元测试起码覆盖异常分支", "do"),
        ("显存就 24G，batch 开到 16 顶天了", "do"),
        ("图片都压成 webp 再进仓库", "do"),
        ("咱能不能少搞点抽象", "do_not"),
        ("周末流量大，别在周末发", "do_not"),
        ("commit 訊息照 Conventional Commits 寫", "do"),
        ("要是動到帳務的程式，麻煩先開一張單給我簽核", "do"),
    ],
)
def test_half_a_sentence_lays_down(message: str, polarity: str) -> None:
    assert [said for said, _ in laid_down(message)] == [polarity]


@pytest.mark.parametrize(
    "message",
    [
        "慢就算了",
        "今天就算了吧",
        "这个版本不支持 arm",
        "你改了哪些文件",
        "页面能不能快一点",
        "这个月只算了三天的",
        "默认只统计当天的",
        "数据不进库是怎么回事",
        "顺手把首页的错别字改了吧",
    ],
)
def test_what_only_sounds_like_half_a_rule_lays_down_nothing(message: str) -> None:
    assert laid_down(message) == []


def test_what_is_allowed_again_names_the_ban_that_is_meant() -> None:
    rules = lifted_by("Laravel 可以升到 11 了", ban("先不要升 Laravel"), ban("别升 webpack"))

    assert rules == ["先不要升 Laravel"]


def test_to_do_it_straight_from_now_on_lifts_the_ban_of_it() -> None:
    assert lifted_by("之后你直接提交就行", ban("先不要替我提交，我想自己练练 git")) == [
        "先不要替我提交，我想自己练练 git"
    ]


def test_what_may_go_names_the_demand_for_it() -> None:
    assert lifted_by("假数据可以撤了", ban("别升 webpack"), demand("所有接口先返回假数据")) == [
        "所有接口先返回假数据"
    ]


def test_what_is_allowed_of_another_thing_lifts_nothing() -> None:
    assert "别升 webpack" not in lifted_by("vite 可以升到 6 了", ban("别升 webpack"))
    assert "不许重启网关" not in lifted_by("日志服务可以重启了", ban("不许重启网关"))
    assert "先返回假数据" not in lifted_by("缓存可以去掉了", demand("先返回假数据"))
