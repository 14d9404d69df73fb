"""Sentences of two languages: what is asked for in either is found, what is only told in either is not."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.rules import rules_of
from agentinitd.model.events import PersonMessage

RULES = [
    ("Table 命名全部 snake_case, no exceptions", "do", "snake_case"),
    ("Never commit 到 main 分支", "do_not", "Never commit 到 main 分支"),
    ("以后 always use pnpm", "do", "以后 always use pnpm"),
    ("变量命名 please use camelCase", "do", "变量命名 please use camelCase"),
    ("新代码 should have type hints", "do", "新代码 should have type hints"),
    ("commit message 用英文，and keep it short", "do", "keep it short"),
    ("登录那块的代码先不动，only touch payment", "do", "only touch payment"),
    ("接口返回的金额统一是分，please don't use float", "do_not", "please don't use float"),
    ("我们现在用 Node 22 了，不是 18", "do", "Node 22"),
]
NO_RULES = [
    "我们的 ETL job 每天凌晨跑，usually done by 6am, 偶尔会 delay",
    "build 又 failed，it says must specify --target",
    "刚才 merge 的时候 conflict 了，only two files",
    "这个 API only returns 100 条",
    "这个 bug 很 weird，only happens 在 Safari 上",
    "老板说 we must finish by Friday，太难了",
    "编译器说 warning: x must be initialized before use，这个要紧吗",
    "为什么 it never calls 这个 callback",
    "please fix 这个 lint error，thanks",
]


def stated(message: str) -> list[tuple[str, str]]:
    heard = rules_of(PersonMessage(line=1, offset=0, written_at=1.0, text=message), Context())
    return [(each.polarity, each.text) for each in heard if each.act == "state"]


@pytest.mark.parametrize(("message", "polarity", "rule"), RULES)
def test_what_either_language_asks_for_is_found(message: str, polarity: str, rule: str) -> None:
    assert any(rule in text and found == polarity for found, text in stated(message))


@pytest.mark.parametrize("message", NO_RULES)
def test_what_either_language_only_tells_is_no_rule(message: str) -> None:
    assert stated(message) == []
