"""An exception in a sentence of its own belongs to the rule that it is from."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.ledger import Ledger
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.memory.obligations import obligations_of
from agentinitd.model.events import PersonMessage
from agentinitd.model.facts import Anchor


def held(*messages: str) -> list[Anchor]:
    listener, ledger = Listener("s", readers=built_in()), Ledger((), session="s")
    for line, text in enumerate(messages, start=1):
        said = PersonMessage(text=text, line=line, offset=0, written_at=60.0 * line)
        ledger.take(listener.hear([said]), now=0)
    return [item for item in ledger.items if item.status == "active"]


@pytest.mark.parametrize(
    "message",
    [
        "Never push to main. Except for docs/ hotfixes, those are fine",
        "Never push to main. docs/ hotfixes are fine though",
        "Never deploy on Fridays. Unless I say so explicitly",
        "Don't touch the schema. The only exception is schema/dev.sql",
        "Always run the full tests. That doesn't apply to docs changes",
        "Never use `any`. Tests are exempt",
        "Use tabs. Except for legacy/, use spaces there",
        "Except for legacy/, use tabs everywhere",
        "不要动 migrations 目录。0007 除外",
        "不要动 migrations 目录。0007 那个可以动",
        "所有接口都要鉴权。除了 /health",
        "所有提交都要写测试。文档改动不算",
        "别推 main。除非我说可以",
    ],
)
def test_the_rule_is_kept_with_its_exception_in_the_words_of_both(message: str) -> None:
    [rule] = held(message)

    assert (rule.what, rule.quote.rstrip(".。")) == (message, message)


@pytest.mark.parametrize(
    ("message", "rule"),
    [
        ("Never push to main. Besides, the CI is broken.", "Never push to main"),
        ("Don't edit gen/. Other than that, great work!", "Don't edit gen/"),
        ("Don't edit gen/. Apart from that all good.", "Don't edit gen/"),
        ("Never push to main. The tests are fine.", "Never push to main"),
        ("Never push to main. Is docs/ allowed?", "Never push to main"),
        ("不要动 legacy。除此之外没问题。", "不要动 legacy"),
    ],
)
def test_talk_behind_a_rule_is_no_part_of_it(message: str, rule: str) -> None:
    assert [each.what for each in held(message)] == [rule]


def test_a_rule_of_its_own_for_the_rest_is_a_second_one() -> None:
    assert [each.what for each in held("所有接口都要鉴权。除了 /health 以外都要写审计日志。")] == [
        "所有接口都要鉴权",
        "除了 /health 以外都要写审计日志",
    ]


@pytest.mark.parametrize(
    ("rule", "exception"),
    [("Never push to main.", "Except for docs/ hotfixes."), ("不要动 migrations 目录。", "0007 除外")],
)
def test_said_in_the_next_message_it_takes_the_place_of_the_rule_without_it(
    rule: str, exception: str
) -> None:
    [item] = held(rule, exception)

    assert item.what.startswith(rule)
    assert item.what.endswith(exception.rstrip("."))


def test_a_reply_that_may_be_within_the_exception_breaks_nothing() -> None:
    [rule] = held("Never push to main. Except for docs/ hotfixes, those are fine.")

    assert obligations_of(rule) == ()
