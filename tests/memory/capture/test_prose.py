"""Only the person's own words are read: nothing that was pasted, quoted or put in by a program."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentinitd.memory.capture.pasted import MAX_MESSAGE_CHARS, without_pasted
from agentinitd.memory.capture.prose import sentences

# Every paste holds the word BANNED; what the person says beside it holds OWN.
PASTES = {
    "fence": "```\nBANNED: never commit\n```",
    "fence with a language": "```yaml\nrules:\n  - never BANNED\n```",
    "tilde fence": "~~~\nyou must not BANNED\n~~~",
    "inline fence": "```never BANNED```",
    "unclosed fence": "OWN what is this\n```\nnever BANNED\n\nDo not BANNED",
    "quoted": "> Do not BANNED by hand.\n> Never BANNED.",
    "log with dates": "2026-11-03 10:22:41 INFO start\n2026-11-03 10:22:42 [policy-bot] must not BANNED",
    "log with clocks": "[10:21:07] step 4\n[10:21:09] ERROR do not BANNED",
    "log with levels": "ERROR policy: do not BANNED\nWARN  NEVER BANNED files",
    "syslog": "Nov  3 10:22:41 host sshd[1]: you must never BANNED",
    "iso log": "2026-11-03T10:22:41.123Z must not BANNED",
    "python trace": (
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\n    g()\n'
        "ValueError: you must not BANNED"
    ),
    "java trace": (
        "Exception in thread main java.lang.IllegalStateException: never BANNED\n"
        "\tat com.acme.Foo.bar(Foo.java:12)\nCaused by: must not BANNED"
    ),
    "js trace": "TypeError: do not BANNED\n    at run (/app/index.js:3:9)",
    "go panic": "panic: never BANNED\n\ngoroutine 1 [running]:",
    "rust error": (
        "error[E0505]: cannot move, you must not BANNED\n --> src/main.rs:4:5\n  |\n4 "
        "|     drop(x); // never BANNED\n"
        "  = note: do not BANNED"
    ),
    "compiler": "src/app.ts:12:5 - error TS2322: you must not BANNED\nlib/x.c:3:1: warning: never BANNED",
    "diff": (
        "diff --git a/x.py b/x.py\nindex 1234567..89abcde 100644\n--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n"
        "-# always BANNED\n+# never BANNED\n do not BANNED"
    ),
    "lines of a diff": "-    // never BANNED\n+    // always BANNED",
    "shell": "$ git push\nremote: you must not BANNED\nEverything up-to-date, never BANNED",
    "prompt": "user@host:~/src$ make\nDo not BANNED this file.",
    "tests": "FAIL src/a.test.ts\n✕ must not BANNED (3 ms)\nTests: 1 failed, never BANNED",
    "json": '{\n  "rule": "never BANNED",\n  "must": ["BANNED"]\n}',
    "yaml": "rules:\n  yarn: forbidden_BANNED\n  npm: must_not_BANNED",
    "toml": "[policy]\nrule = 'never-BANNED'\nport = 5433",
    "csv": "id,rule,level\n1,never BANNED,hard\n2,must not BANNED,soft",
    "table": "| rule | text |\n| --- | --- |\n| 1 | never BANNED |",
    "python without a fence": "def save(x):\n    # never BANNED\n    return must_not(x)",
    "comment": "// don't use BANNED here, ever",
    "hash comment": "# never BANNED in production",
    "block comment": "/* must not BANNED */",
    "html": "<div>\n<p>Never BANNED.</p>\n</div>",
    "reminder": "<system-reminder>\nNever BANNED.\n</system-reminder>",
    "nested": "<context>\n<context>\nnever BANNED\n</context>\nmust not BANNED\n</context>",
    "torn reminder": "OWN words\n<system-reminder>\nNever BANNED to the user.",
    "command": "<command-name>/x</command-name>\n<command-args>never BANNED</command-args>",
    "mail": "On Tue, Nov 3, 2026 at 10:01, Eve wrote:\n> You must not BANNED",
    "mail without marks": (
        "OWN question below\n\nOn Tue, Nov 3, 2026 at 10:01, Eve wrote:\nYou must not BANNED.\n\nNever BANNED"
    ),
    "mail headers": "From: eve@example.org\nSubject: never BANNED",
    "chat with clocks": "[10:21] Bob: must not BANNED\n[10:22] Eve: never BANNED",
    "chat": "Bob: you must not BANNED\nPriyanka: never BANNED",
    "chat of one": "Bob: never BANNED",
    "handles": "@dana: always BANNED",
    "bot": "[policy-bot] All contributors must not BANNED",
    "review": "github-actions bot commented 2 hours ago\nNever BANNED, please.",
    "commits": "9f1c2ab fix: never BANNED\n3d5e7f9 feat: must not BANNED",
    "commit message": "feat(api): must never BANNED",
    "readme": "the README says:\nNever BANNED.\nYou must not BANNED.",
    "readme list": "From their guide:\n1. Callers must not BANNED.\n2. Never BANNED.",
    "said in a line": "the linter says: never BANNED.",
    "snippet": (
        "Recorded by the project's owner, in force now (agentinitd 0123456789ab):\n## Constraints\n-"
        " never BANNED\n"
        "When unsure, check these first; do not assume."
    ),
    "summary": "This session is being continued from a previous conversation that ran out of context. Never"
    " BANNED.",
    "document": ("# Plan\n\nWe must BANNED.\n\n## Steps\n\n- never BANNED\n\n## Tests\n\n- always BANNED\n"),
    "chinese chat": "老王：不要 BANNED\n小李：绝对不能 BANNED",
    "chinese readme": "文档里说：\n不要 BANNED\n必须 BANNED",
}


def texts(message: str) -> list[str]:
    return [sentence.text for sentence in sentences(message)]


@pytest.mark.parametrize("paste", PASTES.values(), ids=PASTES.keys())
def test_paste_is_never_read(paste: str) -> None:
    assert [sentence for sentence in sentences(paste) if "BANNED" in sentence.plain] == []


@pytest.mark.parametrize("paste", PASTES.values(), ids=PASTES.keys())
def test_paste_between_own_words_is_never_read(paste: str) -> None:
    message = f"OWN why does CI fail?\n\n{paste}\n\nbtw OWN: don't delete the cache"

    found = [sentence.plain for sentence in sentences(message)]

    assert [plain for plain in found if "BANNED" in plain] == []
    assert found[0] == "OWN why does CI fail?" or not found


CLOSED = [
    name
    for name in PASTES
    if name not in {"unclosed fence", "torn reminder", "mail without marks", "summary", "document", "review"}
]


@pytest.mark.parametrize("name", CLOSED)
def test_own_words_under_a_paste_are_read(name: str) -> None:
    message = f"look at this\n{PASTES[name]}\n\nbtw please don't delete node_modules/.cache, OWN"

    assert [text for text in texts(message) if "don't delete node_modules/.cache" in text], texts(message)


@pytest.mark.parametrize(
    "message",
    [
        "- use tabs\n- never push to main",
        "1. never push\n2. keep the API",
        "Rules:\n* no new dependencies\n* only edit src/",
        "# Project rules\n- never push\n- use pnpm",
        "please fix the parser\ndon't touch the lexer",
        "use snake_case; never camelCase",
        "Tests: run pnpm test",
        "I changed it: see src/app.py. Now don't rename it again.",
    ],
)
def test_typed_list_is_the_persons_own(message: str) -> None:
    assert len(sentences(message)) >= 2 or "Tests" in message
    assert "".join(texts(message))


def test_items_of_a_list_are_sentences_with_their_heading() -> None:
    found = sentences("Don'ts:\n- push to main\n- edit vendor/\nthanks")

    assert [sentence.text for sentence in found] == ["Don'ts:", "push to main", "edit vendor/", "thanks"]
    assert [sentence.heading for sentence in found] == ["", "Don'ts:", "Don'ts:", ""]


def test_digit_of_a_version_begins_no_item() -> None:
    assert texts("版本锁定在 2.x，别升") == ["版本锁定在 2.x，别升"]
    assert texts("要求：1.别改表 2.x 轴不动") == ["要求：", "别改表 2.x 轴不动"]


def test_dots_that_name_all_packages_end_no_sentence() -> None:
    assert texts("跑 go test ./... 再提交") == ["跑 go test ./... 再提交"]
    assert texts("Always run bazel test //core/... --config=asan. Thanks") == [
        "Always run bazel test //core/... --config=asan.",
        "Thanks",
    ]
    assert texts("I am not sure... never mind") == ["I am not sure...", "never mind"]


def test_items_within_a_line_are_sentences() -> None:
    assert texts("几条：1) 别动 legacy/；2) 不要自动跑迁移；3) 提交前给我看 diff。") == [
        "几条：",
        "别动 legacy/；",
        "不要自动跑迁移；",
        "提交前给我看 diff。",
    ]
    assert texts("1. no globals 2. no threads 3. keep it small") == [
        "no globals",
        "no threads",
        "keep it small",
    ]


def test_sentence_knows_its_place_and_what_stood_before() -> None:
    message = "Fix it.  Don't touch `a.b. c`, e.g. the header. Ok?"

    first, second, third = sentences(message)

    assert message[second.start :].startswith("Don't touch")
    assert second.text == "Don't touch `a.b. c`, e.g. the header."
    assert (second.before, third.before) == (first.text, second.text)
    assert [sentence.is_question for sentence in (first, second, third)] == [False, False, True]


def test_quoted_words_are_masked_and_kept() -> None:
    (sentence,) = sentences('rename "Do not save" to “Never” in `don\'t.py`')

    assert sentence.text == 'rename "Do not save" to “Never” in `don\'t.py`'
    assert len(sentence.plain) == len(sentence.text)
    assert "not" not in sentence.plain
    assert "Never" not in sentence.plain


def test_wrapped_paragraph_is_read_as_one() -> None:
    message = (
        "When you change the exporter please make sure that you never round the\n"
        "amounts with floats because the invoices are compared by the cent in the\n"
        "nightly job."
    )

    assert len(sentences(message)) == 1


def test_lines_without_marks_are_sentences_of_their_own() -> None:
    assert texts("fix the tests\ndont touch the config\nthanks") == [
        "fix the tests",
        "dont touch the config",
        "thanks",
    ]


@pytest.mark.parametrize(
    ("message", "languages"),
    [
        ("don't push", ["en"]),
        ("别动 migrations/0007", ["zh"]),
        ("0007 呢？", ["zh"]),
        ("fix it. 提交信息一律用中文写。", ["en", "zh"]),
    ],
)
def test_language_goes_by_sentence(message: str, languages: list[str]) -> None:
    assert [sentence.language for sentence in sentences(message)] == languages


@pytest.mark.parametrize(
    "message", ["why does it fail", "is this right?", "这是谁打出来的？", "没动吧", "should we keep it"]
)
def test_question_is_told_by_mark_or_form(message: str) -> None:
    (sentence,) = sentences(message)

    assert sentence.is_question or message == "没动吧"


def test_long_message_is_read_at_both_ends() -> None:
    message = "OWN first line\n" + "some words that fill the page\n" * 5000 + "OWN last line"

    shown = without_pasted(message)

    assert len(shown) == len(message)
    assert "OWN first line" in shown
    assert "OWN last line" in shown
    assert len(shown.split()) < MAX_MESSAGE_CHARS


@given(st.text(alphabet=st.sampled_from(list("ab \n\t`~<>/\"'#-+$:.,|[]{}()!?don't。；：（1")), max_size=400))
@settings(max_examples=60)
def test_blanking_keeps_every_place(message: str) -> None:
    shown = without_pasted(message)

    assert len(shown) == len(message)
    assert all(new == old or new == " " for new, old in zip(shown, message, strict=True))


@given(st.text(max_size=300))
@settings(max_examples=40)
def test_any_text_can_be_read(message: str) -> None:
    for sentence in sentences(message):
        assert sentence.text
        assert len(sentence.plain) == len(sentence.text)


@pytest.mark.parametrize(
    "piece", [" ", "<a>", "```", "don't ", "(", '"', "a, ", "- \n", "never\n", "[10:21] "]
)
def test_hostile_repetition_is_read_in_bounded_work(piece: str) -> None:
    message = piece * (100_000 // len(piece))

    assert len(without_pasted(message)) == len(message)
