"""A text given to be translated or used says nothing to the agent; what is said of such texts does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from agentinitd.memory.capture.given_texts import without_given

Rules = Callable[[str], list[str]]

GIVEN = [
    "Translate: 不要修改 legacy 目录",
    "翻译成英文：请始终使用 pnpm，不要用 npm",
    "翻译：不要修改 legacy 目录",
    "Translate to Chinese: never commit to main, always use a branch",
    "translate into English: 禁止直接推送到 main",
    "请翻译：必须使用 pnpm",
    "把这句翻成英文：不要用 npm",
    "帮我润色：请不要修改 legacy 目录",
    "Rephrase: always use pnpm, never npm",
    "Translate the following:\n不要修改 legacy 目录",
    "把下面这句话翻译成中文：Never edit the generated files.",
    "proofread this: never use npm in this repo",
    "英译中：Never edit the generated files",
    "Fix the grammar: you must never edits this file",
    "改写成英文：不要用 npm",
    "commit message: never use eval in templates",
    "commit message: always use pnpm",
    "commit with message: never use eval in templates",
    "use this as the commit message: never use eval in templates",
    "PR title: never use eval in templates",
    "提交信息：不要在模板里用 eval",
    "commit message 写：禁止在模板里用 eval",
    "PR description: templates must never use eval",
    "issue title: always use pnpm",
    "the error text: You must not use spaces",
    "button label: Never show again",
    "提示文案：请不要使用空格",
    "placeholder: do not use spaces",
    "branch name: never-use-eval",
    "docstring: never call this directly",
    "add a comment: never call this directly",
    "changelog entry: never use eval in templates",
    "Commit message: Don't use eval in templates",
    "message for the commit: never use eval",
    "Please translate this sentence to German: You must never use eval.",
    "下面这段翻译一下：\n不要修改 legacy 目录\n必须用 pnpm",
    "polish this: users must never share their passwords",
    "把下面的话润色一下：请各位同事不要在周五发布",
    "can you translate this into Chinese: always keep the API stable",
    "translate to english:\n- 不要用 yarn\n- 必须用 pnpm",
    "中译英：提交前必须跑测试",
    "Use the following commit message: never call eval in templates",
    "set the button label: Never ask again",
    "commit it with message: templates must not use eval",
    "弹窗标题：请勿关闭窗口",
    "按钮文案：不再提醒，请勿勾选",
    "commit message 用：禁止使用 eval",
    "the tooltip should say: You must not leave this empty",
    "add this comment: never call this before init",
    "加注释：不要直接调用这个函数",
    'translate "never push" to Chinese',
    "Translate to French: Never use this button.",
    "翻成日语：请不要关闭窗口",
    "请把“不要修改”翻译成英文",
    "用英文说：不要修改 legacy 目录",
    "Say it in English: 不要修改 legacy 目录",
    "Commit as: never use eval in templates",
    "commit -m: never use eval in templates",
    'Use this commit message: "never use eval in templates"',
    "PR 标题：禁止使用 eval",
    "README 里加一句：不要使用 npm",
    "add to the README: never use npm with this project",
    "Write in the docs: you must always call init first",
    "reply to Bob: never do that again",
    "Answer him: we must use pnpm",
    "回复他：必须用 pnpm",
    "写个公告：周五不要发布",
    "log message: must not be null",
    "assert message: must not be null",
    "the alert should read: Do not close this window",
    "write a test named: must never return null",
]
OWN = [
    "Rules (from me): never use yarn",
    "Bob said use pnpm; do that from now on",
    "Always reply to me in German",
    "To be clear: never touch legacy/",
    "Subject to review: never merge alone",
    "Translate nothing: never change UI strings",
    "Error text must always be translated",
    "Ports: 8080 only\nHosts: never localhost",
    "Time: always UTC\nnever local time",
    "张三的模块不要动",
    "李四说的对，以后必须用 pnpm",
    "会议纪要必须用中文写",
    "会议接口不要改",
    "提交信息必须写清楚原因",
    "翻译文件不要动",
    "回复必须用中文",
    "回复我：一律用中文",
    "日志：不要打印 token",
    "10:02 之前不要部署\n不要动 cron",
    "always translate this field via i18n, never inline",
    "Reply in English, never in Chinese",
    "Docs: never in Chinese",
    "Run the formatter on every file you change",
    "Use this helper for all queries, never raw SQL",
    "Answer: always in German",
    "Reply style: never use emoji",
    "Date: always store dates in UTC",
    "Commit messages must be in English",
    "commit messages: always in English",
    "Commit messages: never mention ticket numbers",
    "commit message format: always use conventional commits",
    "提交信息：一律用英文",
    "提交信息必须用中文写",
    "翻译：一律走 i18n，不要硬编码",
    "所有文案必须走 i18n 翻译",
    "Translations: never hardcode strings, always use i18n",
    "PR titles: always start with the ticket id",
    "error messages: never include user data",
    "comments: never in Chinese",
    "Date format: always ISO 8601",
    "Translate all user-visible strings; never hardcode text",
    "docstrings: always in English",
    "placeholders: never use spaces",
    "commit message: keep it under 50 characters",
    "commit message: use conventional commits",
    "commit message: in English please, never in Chinese",
    "Commit messages: never use emoji",
    "Rewrite the parser in Rust: never use unsafe",
    "Translate the UI to German: never touch the keys",
    "polish the UI: never change the layout",
    "Just a note: don't touch main",
    "one comment: never use print in src/",
    "PR description: always link the issue",
    "branch name: always with dashes",
    "docstring: required for every public function",
    "提交信息：必须关联 issue",
    "注释：不要用英文",
    "翻译：不要修改占位符",
    "把界面翻译成英文：不要动 key",
    "Note: never use yarn",
    "My message to you: never touch main",
    "commit message: fix parser. Don't push to main yet.",
    "提交信息：用中文",
    "Comments: never in Chinese",
    "提示词里不要写死路径",
    "Title: keep it short. Never use emoji in titles.",
    "message format: always JSON, never XML",
    "The commit messages must never mention Claude",
    "Translate everything via i18n; never hardcode strings",
    "注释统一写中文，不要写英文注释",
]


@pytest.mark.parametrize("message", GIVEN)
def test_text_that_is_given_to_be_used_is_no_rule(message: str, rules: Rules) -> None:
    assert rules(message) == []


@pytest.mark.parametrize("message", OWN)
def test_what_such_texts_have_to_be_like_is_a_rule(message: str, rules: Rules) -> None:
    assert rules(message)


def test_every_place_keeps_its_offset() -> None:
    message = "Translate this:\nnever push\n\nDon't touch main."

    shown = without_given(message)

    assert len(shown) == len(message)
    assert shown.strip() == "Don't touch main."


def test_sentence_behind_a_given_one_is_the_persons(rules: Rules) -> None:
    assert rules("commit message: never use eval in views. Don't push to main.") == ["Don't push to main"]
