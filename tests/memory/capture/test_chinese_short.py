"""Chinese rules of a few words, and what looks like them."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.chinese import read
from agentinitd.memory.capture.english import read as read_english
from agentinitd.memory.capture.mixed import told, with_english
from agentinitd.memory.capture.prose import Context, sentences


def laid_down(message: str) -> list[tuple[str, str]]:
    context = Context()
    return [
        (found.polarity, found.text)
        for sentence in sentences(message)
        for found in told(with_english(read(sentence, context), sentence, context, read_english), sentence)
        if found.act == "state"
    ]


@pytest.mark.parametrize(
    ("message", "rules"),
    [
        ("torch 2.1，别的版本跑不起来", [("do", "torch 2.1")]),
        ("小游戏首包卡死 4M，多一个字节都传不上去", [("do", "小游戏首包卡死 4M")]),
        ("剧情文本你别润色，那是我写的梗", [("do_not", "剧情文本你别润色")]),
        ("百度蜘蛛千万放行，封了收录就没了", [("do", "百度蜘蛛千万放行")]),
        ("算法实现用行里的 gm-sdk，自己写的过不了密评", [("do", "算法实现用行里的 gm-sdk")]),
        ("跨服务调用一律走 MQ，这个没得商量", [("do", "跨服务调用一律走 MQ")]),
        ("公共包里不放业务代码，枚举除外", [("do_not", "公共包里不放业务代码，枚举除外")]),
        ("deploy 走 preview namespace", [("do", "deploy 走 preview namespace")]),
        (
            "写完跑一遍 make check，每次交给我之前都要跑",
            [("do", "写完跑一遍 make check，每次交给我之前都要跑")],
        ),
        (
            "除了 baseline 那个脚本不能动，train 目录下的随便重构",
            [("do_not", "除了 baseline 那个脚本不能动，train 目录下的随便重构")],
        ),
        ("子弹这种频繁创建的走对象池", [("do", "子弹这种频繁创建的走对象池")]),
        ("手机上稳 60 帧是底线", [("do", "手机上稳 60 帧是底线")]),
        ("任务要能重跑", [("do", "任务要能重跑")]),
        ("随机种子固定 42 不然复现不了", [("do", "随机种子固定 42")]),
    ],
)
def test_half_a_sentence_lays_down_what_it_does(message: str, rules: list[tuple[str, str]]) -> None:
    assert laid_down(message) == rules


@pytest.mark.parametrize(
    "message",
    [
        "服务商那边别指望了，工单石沉大海",
        "这张卡只能跑 8 的 batch",
        "SM2 的证书我放在 conf/gm 里",
        "分页参数改成从 1 开始",
        "导师让我先看懂状态机再写代码",
        "你看看是谁依赖了谁，能拆就拆开",
        "这个循环依赖拆掉，确保能编译通过再往下走",
        "群里站长都说百度不收录 http 的站，也不知道真假",
        "《Java 开发手册》里写：【强制】禁止使用存储过程。这条为什么啊",
        "我看 README 里写 must run pnpm install first，但我 npm 也跑起来了",
        "客户不让装 docker，只能裸机部署",
        "这个字段不能为空，不知道谁传了个 null",
        "我记得 redis 的 key 不能超过 512M",
        "新版 sdk 要求 minSdk 24，老机器装不了",
        "领导拍板了，月底必须上线",
        "给每个接口加上限流，令牌桶那种",
        "原始表的时间是 UTC，注意换算",
    ],
)
def test_what_is_told_or_ordered_now_is_no_rule(message: str) -> None:
    assert laid_down(message) == []


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("commit message 全英文，中文的 hook 会拒", "commit message 全英文"),
        ("batch size 别超 16，显卡就 8G", "batch size 别超 16"),
    ],
)
def test_why_it_holds_is_not_a_second_rule(message: str, rule: str) -> None:
    assert [text for _, text in laid_down(message)] == [rule]
