"""Whether a clause gives another value for what a rule speaks of."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.slots import fit, frame_of


@pytest.mark.parametrize(
    ("rule", "clause"),
    [
        ("max 20 rows in any table you print here", "make that 50 rows max"),
        ("i prefer vitest for the new tests", "jest it is for the new tests"),
        ("target the beta channel with the builds", "target the canary channel with the builds"),
        ("indent the yaml with 4 spaces", "2 spaces in the yaml"),
        ("图标都用 iconfont 吧", "图标还是换成 svg sprite"),
        ("训练环境用 python 3.9", "环境改成 3.10 吧"),
        ("PR 標題用英文寫", "PR 標題改成中文好了"),
    ],
)
def test_all_but_the_value_is_the_rules(rule: str, clause: str) -> None:
    assert fit(rule, clause) == "framed"


@pytest.mark.parametrize(
    ("rule", "clause"),
    [
        ("work on branch feature/ocr", "we continue on feature/scan-rewrite"),
        ("talk to me in Spanish", "switch to English please"),
        ("use jest", "go back to vitest"),
        ("前端 dev server 固定跑 5173 端口", "换 6001 吧"),
        ("use snake_case for json keys", "switch to camelCase"),
    ],
)
def test_a_value_may_stand_by_itself(rule: str, clause: str) -> None:
    assert fit(rule, clause) in ("typed", "named")


@pytest.mark.parametrize(
    ("rule", "clause"),
    [
        ("use vitest for the tests", "use playwright for the e2e tests"),
        ("use vitest for the tests", "for the e2e tests use playwright instead"),
        ("answer in Chinese", "switch to English for the README"),
        ("use port 5433 for the db", "make that 30 seconds for the timeout"),
        ("always answer in German", "now make that button blue"),
        ("缩进一律 4 个空格", "yaml 用 2 个空格"),
        ("以后回答都用中文", "还是刚才那个报错"),
        ("use postgres for the app", "use redis for the cache"),
    ],
)
def test_a_value_for_something_else_is_none_for_this(rule: str, clause: str) -> None:
    assert fit(rule, clause) == ""


def test_the_frame_is_the_rule_without_the_value() -> None:
    assert frame_of("max 20 rows in any table", "make that 50") == "max rows in any table"
    assert frame_of("Use Python 3.12, not 3.11", "sorry, 3.13") == "Use Python"
    assert frame_of("use gcc for all builds", "use clang for all builds") == ""
    assert frame_of("Use pnpm, not npm", "sorry, yarn") == "Use"
    assert frame_of("回答用英文", "算了，中文吧") == ""
    assert frame_of("时间都按东八区算", "时间改成都按 UTC 算") == ""
