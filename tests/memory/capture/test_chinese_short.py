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
        ("钱的计算 BigDecimal，double 会丢精度", [("do", "钱的计算 BigDecimal")]),
        ("加查询之前先看有没有索引", [("do", "加查询之前先看有没有索引")]),
        ("循环里查库这种写法看到一次打回一次", [("do_not", "循环里查库这种写法看到一次打回一次")]),
        ("terraform 先 plan 给我看，没问题再 apply", [("do", "terraform 先 plan 给我看，没问题再 apply")]),
        ("css 全 tailwind，styled 那套慢慢迁走", [("do", "css 全 tailwind")]),
        ("那个数据库配置文件你千万别动啊那是生产用的", [("do_not", "那个数据库配置文件你千万别动")]),
        ("开发环境日志级别开 debug", [("do", "开发环境日志级别开 debug")]),
        ("日文邮件用敬语", [("do", "日文邮件用敬语")]),
        ("每组实验跑 3 次取平均", [("do", "每组实验跑 3 次取平均")]),
        ("发我的包压成 zip，rar 公司电脑打不开", [("do", "发我的包压成 zip")]),
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
        "隔壁项目每个 PR 都要两个人批，我们哪有那人手",
        "评审会上有人提要把金额都改成分，没定",
        "gpt 跟我说必须先建索引，扯吧",
        "我们发版是每周二晚上，运维统一操作",
        "继续，剩下三个页面照着第一个改",
        "这块重写，用策略模式，别写一堆 if",
        "写个邮件给客户，语气客气点，别提延期的事",
        "先把定时任务停掉，看看降不降。不行就回滚",
        "这个报错我见过，必须先 source 一下环境变量",
        "为了兼容老版本，这个字段不能删，对吧。",
        "我不喜欢这个颜色，换蓝的",
        "三个文件都要改，改完叫我",
        "我只要个大概，不用太精确",
        "这题不许用库函数，怎么写？",
        "张工让把日志级别调到 debug，你调一下",
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
