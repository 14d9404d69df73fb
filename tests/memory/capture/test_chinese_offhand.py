"""What is typed in the middle of work: told in passing it is no rule; said in half a sentence it is one."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.chinese import read
from agentinitd.memory.capture.prose import Context, Found, sentences


def found_in(message: str, agent: str = "") -> list[Found]:
    context = Context(agent_before=agent)
    return [found for sentence in sentences(message) for found in read(sentence, context)]


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
        "我们的订单表主键叫 oid，每天凌晨四点出昨天的数",
    ],
)
def test_what_is_so_is_no_rule(message: str) -> None:
    assert laid_down(message) == []


@pytest.mark.parametrize(
    "message",
    [
        "以前在上家公司，提交前必须跑一遍 sonar，一条警告都不许留",
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
        "以前在老东家不用写测试，现在这里每个 PR 都要有单测",
    ],
)
def test_a_rule_beside_an_order_or_a_story_stays(message: str) -> None:
    assert len(laid_down(message)) == 1
