"""A Chinese message that gives another value for a rule's, where only the words around it tell that."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.ledger import Ledger
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.model.events import PersonMessage


def active(*messages: str) -> list[str]:
    listener, ledger = Listener("s", readers=built_in()), Ledger((), session="s")
    for line, text in enumerate(messages, start=1):
        said = PersonMessage(offset=line, line=line, text=text)
        ledger.take(listener.hear([said]), now=float(line))
    return [item.what for item in ledger.items if item.captured == "rule" and item.status == "active"]


@pytest.mark.parametrize(
    ("rule", "later", "value"),
    [
        ("结果导成 xlsx", "审计那边系统不认，以后一律导 csv", "csv"),
        ("每次实验都记到 wandb 上", "wandb 连不上太烦了，改成记本地 csv", "csv"),
        ("本地端口用 8080", "8080 被占了，以后 9090", "9090"),
        ("测试地址用 10.2.0.15", "那台机器收走了，以后都走 test.gw.internal", "test.gw"),
        ("CI 里 retry 最多 2 次", "flaky 太多了，retry 上限放到 4 次", "4 次"),
        ("日志保留三个月", "法务说不够，日志要留半年", "半年"),
        ("单测用 junit4 写", "记错了，我们早迁了，用 junit5", "junit5"),
        ("字符串用单引号", "prettier 默认是双引号，改双引号吧", "双引号"),
        ("存档用 json", "json 太容易被改了，存档换成二进制", "二进制"),
        ("以后每改完一个模块就提交一次", "太碎了，攒着吧，等我说提交再提交", "等我说"),
    ],
)
def test_the_value_takes_the_place_of_the_old(rule: str, later: str, value: str) -> None:
    left = active(rule, later)
    assert len(left) == 1 and value in left[0]


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("测试用 pytest 写", "日志以后都用 loguru"),
        ("日志保留三个月", "审计日志要留半年"),
        ("行宽 120", "把那个按钮宽度改成 80"),
        ("接口返回统一 json", "那个导出的接口改成返回 csv"),
        ("代码检查用 eslint", "eslint 报了 12 个错，修一下"),
        ("单测用 vitest", "隔壁组以后都用 jest 了"),
        ("注释用中文", "readme 里那段改成英文"),
    ],
)
def test_what_is_about_something_else_ends_nothing(rule: str, later: str) -> None:
    assert rule in active(rule, later)
