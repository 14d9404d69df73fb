"""The words of a rule: the clause, with what stands around it when the clause says nothing without."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.prose import Context
from agentinitd.memory.capture.rules import rules_of
from agentinitd.model.events import PersonMessage


def told(text: str) -> list[str]:
    message = PersonMessage(line=1, offset=0, text=text)
    return [rule.text for rule in rules_of(message, Context()) if rule.act == "state"]


@pytest.mark.parametrize(
    "text",
    [
        "Use the staging DB (port 5433), never prod",
        "we're on node 18 here, so nothing newer",
        "能不用 any 就不用",
        "数据库连接串在 config/db.yml 里，别写进代码",
        "提交前先跑 make lint，只改文档的除外",
    ],
)
def test_what_tells_what_a_clause_is_about_is_kept_with_it(text: str) -> None:
    assert told(text) == [text]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("fix the flaky test but leave the fixtures alone", "leave the fixtures alone"),
        ("looks good, but never touch gen/", "never touch gen/"),
        ("thanks! next the export, and never commit .env files", "never commit .env files"),
        ("好的，以后都用 pnpm", "以后都用 pnpm"),
        ("提交信息一律中文，这条所有任务都算", "提交信息一律中文"),
        ("帮我跑一下测试，以后提交信息都用英文", "以后提交信息都用英文"),
    ],
)
def test_what_is_to_be_done_now_or_answers_or_tells_where_it_holds_is_left_out(text: str, rule: str) -> None:
    assert told(text) == [rule]


def test_of_a_sentence_that_says_two_things_each_is_kept_by_itself() -> None:
    assert told("use pnpm, and never commit .env files") == ["use pnpm", "never commit .env files"]


def test_an_exception_is_not_lost_where_the_sentence_is_too_long_to_be_kept() -> None:
    long = "提交前先跑 make lint，" + "这是大家在上次复盘的时候一起讨论出来的结论" * 6 + "，只改文档的除外"

    assert any("只改文档的除外" in text for text in told(long))
