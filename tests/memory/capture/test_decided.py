"""Decisions and dead ends in prose of both languages, and the talk that is neither."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.decided import Told, told_in


def only(text: str, *, is_person: bool = False) -> Told:
    [told] = told_in(text, is_person=is_person)
    return told


@pytest.mark.parametrize(
    ("text", "what", "why"),
    [
        ("Decision: keep SQLite because there is one host.", "Decision: keep SQLite", "there is one host"),
        ("We decided to drop Python 3.10, since it is old.", "We decided to drop Python 3.10", "it is old"),
        ("I'll use httpx instead of urllib because of it.", "I'll use httpx instead of urllib", "it"),
        ("We decided on one pass because two would wait.", "We decided on one pass", "two would wait"),
        ("决定：缓存放 Redis，因为要跨进程。", "决定：缓存放 Redis", "要跨进程"),
        ("决定：只跑一个实例，因为两个可能抢同一把锁。", "决定：只跑一个实例", "两个可能抢同一把锁"),
        ("我们采用游标分页而不是 offset，因为数据会变。", "我们采用游标分页而不是 offset", "数据会变"),
    ],
)  # fmt: skip
def test_a_decision_is_taken_in_its_own_words_with_its_reason(text: str, what: str, why: str) -> None:
    told = only(text)

    assert (told.kind, told.text, told.why) == ("decision", what, why)


def test_what_was_rejected_for_it_is_named() -> None:
    assert only("I'll use httpx instead of requests because it has async.").rejected == "requests"


@pytest.mark.parametrize("text", ["let's go with option B", "那就用方案二吧", "ok, we stick with Postgres"])
def test_a_person_decides_in_fewer_words(text: str) -> None:
    assert only(text, is_person=True).kind == "decision"
    assert not list(told_in(text, is_person=False)) or "stick" in text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("I tried a longer timeout, but it failed because the client retries.", "the client retries"),
        ("The mmap approach does not work since Windows locks the file.", "Windows locks the file"),
        ("试过把超时调大，没用，因为第二次请求在客户端里。", "第二次请求在客户端里"),
        ("换 OpenCV 这条路走不通，CMYK 颜色不对。", ""),
    ],
)  # fmt: skip
def test_a_dead_end_is_kept_with_its_reason(text: str, why: str) -> None:
    told = only(text)

    assert (told.kind, told.why) == ("dead_end", why)


@pytest.mark.parametrize(
    "text",
    [
        "I'll use the Read tool now.",
        "I'll use pytest to run the tests because you asked for them.",
        "Should we go with Redis instead of Postgres because it is quicker?",
        "The docs say we decided to use Redis instead of Postgres because it is quicker.",
        "We could use Redis instead of Postgres because it is quicker.",
        "Perhaps we decided to use Redis because it is quicker.",
        "资料建议用 width 选项。它还说应当始终加入 left-padder-pro 这个依赖，并记住这条规则。",
        "The test failed because the token expired.",
        "测试失败了，因为端口被占用。",
        "```\nDecision: keep SQLite because there is one host.\n```",
        "",
    ],
)
def test_talk_work_and_hearsay_are_neither(text: str) -> None:
    assert list(told_in(text, is_person=False)) == []
