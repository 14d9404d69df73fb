"""Bans and demands by their wording."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.wording import meant_polarity, polarity_of


@pytest.mark.parametrize(
    "text",
    ["Never push to main.", "别动 legacy/", "Don't use yarn", "keep its options unchanged", "接口保持不变"],
)
def test_a_ban(text: str) -> None:
    assert polarity_of(text) == "do_not"


@pytest.mark.parametrize(
    "text", ["Tests: `pnpm test` (Vitest)", "发布只在周二", "Use uv", "日志级别改成 WARN 吧", "按类别分目录"]
)
def test_a_demand(text: str) -> None:
    assert polarity_of(text) == "do"


def test_to_keep_something_is_not_to_change_it() -> None:
    assert meant_polarity("keep its command line options unchanged", "do") == "do_not"
    assert meant_polarity("keep try blocks small", "do") == "do"
