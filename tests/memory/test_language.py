"""The language of a memory is that of the people who wrote most of it."""

from __future__ import annotations

import pytest

from agentinitd.memory.language import language_of


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        ([], "en"),
        (["Tests: `pnpm test` (Vitest)"], "en"),
        (["不要推送到远程仓库"], "zh"),
        (["测试命令是 pytest -q -n 4", "create_invoice(customer_id: str, total_minor: int)"], "zh"),
        (
            [
                "日志用 structlog。",
                "Prefer composition over inheritance.",
                "金额一律用整数分表示，禁止浮点数。",
            ],
            "zh",
        ),
        (["Keep the label 保存 on the button as it is, whatever the design says."], "en"),
        (["用 `a very long command --with many --english words in it` 跑"], "zh"),
        (["https://example.org/a/long/english/address 是文档"], "zh"),
    ],
)
def test_the_greater_part_decides_and_code_does_not_count(texts: list[str], language: str) -> None:
    assert language_of(texts) == language
