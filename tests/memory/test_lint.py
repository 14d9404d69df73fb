"""Bad anchors and contradictions are named with place, rule and cure; good ones are left in peace."""

from __future__ import annotations

import pytest

from agentinitd.memory.lint import RULES, Finding, lint

NOW = 1_790_000_000.0  # in September 2026
FILE = "anchors/project_constraints.md"


def found(*lines: str, file: str = FILE) -> list[Finding]:
    return lint([(file, "\n".join(lines) + "\n")], now=NOW)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("- [constraint] a `x`\n  why\n  and more", "too-long"),
        ("- [constraint] write clean and readable code", "not-checkable"),
        ("- [constraint] 代码要注意质量", "not-checkable"),
        ("- [constraint] TODO: move src/a.py", "process-note"),
        ("- [constraint] 正在改 src/a.py", "process-note"),
        ("- [constraint] the db password is hunter2!x", "secret"),
        ("- [rule] use `uv`", "unknown-tag"),
        ("- [constraint] use `uv` <!-- prio: high -->", "unknown-field"),
        ("- [constraint] use `uv` <!-- verified: 2031-01-01 -->", "future-date"),
        ("- [constraint] use `uv` <!-- priority: high -->", "unreadable"),
    ],
)
def test_a_bad_anchor_is_named_with_place_rule_and_cure(line: str, rule: str) -> None:
    [finding] = found("- [constraint] only `pnpm`", line)

    assert (finding.file, finding.line, finding.rule) == (FILE, 2, rule)
    assert finding.cure == RULES[rule]
    assert finding.text.startswith(f"{FILE}:2: {rule}: ")


@pytest.mark.parametrize(
    ("one", "other", "rule"),
    [
        ("Tests: `pnpm test`", "Tests: `npm test`", "contradiction"),
        ("测试命令：`make test`", "测试用 `tox`", "contradiction"),
        ("The API runs on port 8080", "API port: 9090", "contradiction"),
        ("Python 3.11", "we are on Python 3.12", "contradiction"),
        ("never edit migrations/0007", "edit migrations/0007", "contradiction"),
        ("Use npm", "Use pnpm, never npm", "contradiction"),
        ("Use pnpm", "Use pnpm, never npm", "duplicate"),
        ("Install with `npm ci`", "Use pnpm instead of npm", "contradiction"),
        ("用 npm 装依赖", "只用 pnpm，不要用 npm", "contradiction"),
        ("Answer in English", "回答用中文", "contradiction"),
        ("不要改 config/prod.toml", "config/prod.toml 可以随便改", "contradiction"),
        ("`bill(who, cents)`", "`bill(who, cents, currency)` in a.py", "contradiction"),
        ("Only `pnpm`.", "only  pnpm", "duplicate"),
        ("别动 migrations/0007", "don't touch migrations/0007_index.py", "duplicate"),
    ],
)
def test_two_that_clash_or_repeat_are_named_at_the_later_one(one: str, other: str, rule: str) -> None:
    [finding] = found(f"- [constraint] {one}", f"- [constraint] {other}")

    assert (finding.rule, finding.line) == (rule, 2)
    assert f"{FILE}:1" in finding.message


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("包管理只用 uv，不要用 pip", "`uv pip compile` 锁版本"),
        ("Answer in English", "代码里的注释用中文"),
        ("Tests: `pnpm test`", "Tests of one file: `pnpm test -- a.ts` <!-- applies: src/a.ts -->"),
        ("don't touch migrations/0007", "don't touch migrations/0008"),
        ("The API runs on port 8080", "Postgres runs on port 5433"),
        ("use `uv`", "never use `pip`"),
        ("The test script is vitest", "Tests: `pnpm test`"),
        ("Tests: `pnpm test` <!-- phase: build -->", "Tests: `npm test` <!-- phase: review -->"),
        ("Python 3.11 <!-- id: a -->", "Python 3.12 <!-- supersedes: a -->"),
        ("Python 3.11 <!-- status: superseded -->", "Python 3.12"),
    ],
)
def test_two_that_can_both_hold_are_left_in_peace(one: str, other: str) -> None:
    rules = {finding.rule for finding in found(f"- [constraint] {one}", f"- [constraint] {other}")}

    assert rules <= {"contradiction"} and (not rules or "applies" in other)


def test_tasks_do_not_contradict_each_other() -> None:
    files = [(f"tasks/{task}/anchors/a.md", f"- [constraint] Python 3.1{task}\n") for task in "12"]

    assert lint(files, now=NOW) == []


def test_the_order_is_that_of_files_and_lines() -> None:
    texts = [("anchors/a.md", "- [x] b\n- [y] c\n"), ("anchors/b.md", "- [z] d\n")]

    assert [(each.file, each.line) for each in lint(texts, now=NOW)] == [
        ("anchors/a.md", 2), ("anchors/b.md", 1),
    ]  # fmt: skip


def test_a_long_memory_is_linted_in_bounded_time() -> None:
    lines = [f"- [constraint] never edit `src/part{number}/file{number}.py`" for number in range(3000)]

    assert found(*lines) == []


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("a; supersedes: a",), (1, "it replaces itself")),
        (("a; supersedes: b", "b; supersedes: a"), (2, "it replaces itself: b → a → b;")),
        (
            ("a; supersedes: b", "b; supersedes: c", "c; supersedes: d, a", "d"),
            (3, "it replaces itself: c → a → b → c;"),
        ),
    ],
)
def test_what_replaces_itself_is_named_once_with_its_way(
    lines: tuple[str, ...], message: tuple[int, str]
) -> None:
    words = ("`uv` builds", "ports below 9000", "the queue is Redis", "logs go to stderr")
    [finding] = found(
        *(f"- [decision] {said} <!-- id: {line} -->" for said, line in zip(words, lines, strict=False))
    )
    assert (finding.rule, finding.line) == ("circle", message[0])
    assert finding.message.startswith(message[1])


def test_a_long_row_of_replacements_is_no_circle() -> None:
    rows = [f"- [decision] port {n} is used <!-- id: d{n}; supersedes: d{n - 1} -->" for n in range(200)]
    assert found(*rows) == []


def test_what_a_session_showed_and_holds_no_more_is_nothing_to_mend() -> None:
    line = (
        "- [tool] `f(x)` in a.py <!-- id: x-1; captured: tool; source: s:1 (tool); check: symbol a.py f -->"
    )

    [finding] = lint([(FILE, line)], now=NOW, doubts=lambda _: [("check-fails", "a.py is gone")])

    assert (finding.rule, finding.is_mild) == ("check-fails", True)
    assert finding.cure == "`agentinitd anchors review --reject x-1` takes it out."


def test_what_only_the_project_can_tell_is_asked_of_what_holds() -> None:
    lines = ("- [tool] one <!-- id: a; check: path x -->", "- [tool] two `y` <!-- id: b; supersedes: a -->")
    [finding] = lint(
        [(FILE, "\n".join(lines))], now=NOW, doubts=lambda each: [("check-fails", f"{each.id} fails")]
    )
    assert (finding.line, finding.text) == (
        2,
        f"{FILE}:2: check-fails: b fails. Correct the anchor, or its check.",
    )
