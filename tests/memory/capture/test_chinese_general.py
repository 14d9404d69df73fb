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
    ],
)
def test_what_is_done_with_a_kind_of_thing_is_demanded(message: str) -> None:
    assert rules_in(message) == [("do", message)]


@pytest.mark.parametrize(
    ("message", "rules"),
    [
        ("灰度一律走 5% 起，先放一个机房看半小时", ["灰度一律走 5% 起，先放一个机房看半小时"]),
        ("bug 修好加一条用例，标题里带上单号", ["bug 修好加一条用例", "标题里带上单号"]),
        ("周报按项目分 tab，首行加粗，以后每份都这样", ["周报按项目分 tab，首行加粗，以后每份都这样"]),
        ("我说的是 uv 啊，你怎么又 pip install 了", ["我说的是 uv"]),
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
    ],
)
def test_a_fact_an_order_or_a_remark_in_such_words_is_no_rule(message: str) -> None:
    assert found_in(message) == []


def test_why_something_is_banned_is_no_demand() -> None:
    assert rules_in("learning rate 不要动，要跟 paper 对得上") == [("do_not", "learning rate 不要动")]


@pytest.mark.parametrize(
    ("said", "message"),
    [("表名加前缀 t_", "dba 说新库不要前缀了，那就不加"), ("提交信息带上单号", "那就不带了")],
)
def test_then_it_is_not_done_takes_back_the_demand_that_it_be_done(said: str, message: str) -> None:
    [found] = found_in(message, "变量名用驼峰", said)

    assert (found.act, found.topic) == ("withdraw", said)
