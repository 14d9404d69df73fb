"""Anchors: what people write is read as they mean it, and what cannot be read is named and hides nothing."""

from __future__ import annotations

import tracemalloc
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.memory.anchors import derived_id, parse_anchors
from agentinitd.model.facts import Anchor

RULES = "anchors/project_constraints.md"
NOTES = "anchors/notes.md"

EXAMPLE = """\
---
last_updated: 2026-11-29T10:00:00Z
---
- [constraint] Tests: `pnpm test` (Vitest)
  Why: CI runs exactly this; jest is not installed.
  <!-- id: c-3f2a; confidence: 0.5; verified: 2026-11-28; scope: always; source: user;
       check: script package.json test -->
"""


def at(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> float:
    return datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp()


def only(text: str, file: str = NOTES) -> Anchor:
    anchors, problems = parse_anchors(text, file)
    assert not problems
    (anchor,) = anchors
    return anchor


def whats(text: str, file: str = NOTES) -> list[str]:
    return [anchor.what for anchor in parse_anchors(text, file)[0]]


def test_the_example_of_the_format_is_read_whole() -> None:
    assert only(EXAMPLE) == Anchor(
        id="c-3f2a",
        kind="constraint",
        what="Tests: `pnpm test` (Vitest)",
        why="CI runs exactly this; jest is not installed.",
        confidence=0.5,
        verified_at=at(2026, 11, 28),
        written_at=at(2026, 11, 29, 10),
        scope="always",
        source="user",
        check="script package.json test",
        file=NOTES,
        line=4,
    )


@pytest.mark.parametrize(
    ("tag", "kind"),
    [
        ("[constraint]", "constraint"),
        ("[CONSTRAINT]", "constraint"),
        ("[约束]", "constraint"),
        ("【约束】", "constraint"),
        ("［约束］", "constraint"),
        ("**[constraint]**", "constraint"),
        ("[constraint]:", "constraint"),
        ("[ ] [constraint]", "constraint"),
        ("[Tool]", "tool"),
        ("[工具]", "tool"),
        ("【工具】：", "tool"),
        ("[decision]", "decision"),
        ("[决策]", "decision"),
    ],
)
@pytest.mark.parametrize("bullet", ["-", "*", "+", "1."])
def test_a_tag_is_known_in_both_languages_behind_any_bullet(bullet: str, tag: str, kind: str) -> None:
    anchor = only(f"{bullet} {tag} never push to `main`\n")

    assert (anchor.kind, anchor.what) == (kind, "never push to `main`")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[constraint] **never** push", "**never** push"),
        ("**[constraint]** **never** push", "**never** push"),
        ("**[constraint]:** never push", "never push"),
        ("[constraint]：*never* push", "*never* push"),
    ],
)
def test_words_in_bold_behind_a_tag_stay_bold(text: str, what: str) -> None:
    assert only(f"- {text}\n").what == what


@pytest.mark.parametrize(
    ("field", "attribute", "value"),
    [
        ('applies: "src/{a,b}.ts", tests/**', "applies", ("src/{a,b}.ts", "tests/**")),
        ("applies: [src/*, docs/*]", "applies", ("src/*", "docs/*")),
        ("applies: src/[ab]", "applies", ("src/[ab]",)),
        ('forbid: "Bash(a); b: c"', "forbid", "Bash(a); b: c"),
        (r'check: "text a.html \"--\>\""', "check", 'text a.html "-->"'),
        ('check: text a.md "x; y: z"', "check", 'text a.md "x; y: z"'),
        (r'quote: "one\ntwo\\three"', "quote", "one\ntwo\\three"),
        ('source: ""', "source", ""),
    ],
)
def test_values_in_quotes_may_hold_what_would_end_a_field(field: str, attribute: str, value: object) -> None:
    anchor = only(f"- [constraint] x\n  <!-- {field}; topic: t -->\n")

    assert (getattr(anchor, attribute), anchor.topic) == (value, "t")


def test_the_tag_decides_and_not_the_file() -> None:
    anchors, _ = parse_anchors("- [decision] a\n- [tool] b\n- c\n", RULES)

    assert [(anchor.kind, anchor.what) for anchor in anchors] == [
        ("decision", "a"),
        ("tool", "b"),
        ("constraint", "c"),
    ]


def test_items_without_a_known_tag_are_free_text_outside_the_three_known_files() -> None:
    text = "# Notes\n\nSome text.\n- plain\n- [todo] later\n- [x] done\n- [link](https://example.org) here\n"

    assert parse_anchors(text, NOTES) == ([], [])
    assert whats(text, RULES) == ["plain", "done", "[link](https://example.org) here"]


@pytest.mark.parametrize(
    ("lines", "what", "why"),
    [
        ("a\n  Why: b", "a", "b"),
        ("a\n  reason: b", "a", "b"),
        ("不要推送\n  原因：没有同意", "不要推送", "没有同意"),
        ("不要推送\n  因为没有同意", "不要推送", "因为没有同意"),
        ("a\n  b", "a", "b"),
        ("a\nWhy: b", "a", "b"),
        ("a wrapped\n  line\n  Why: b\n  and c", "a wrapped line", "b and c"),
        ("不要推送到\n  远程仓库\n  原因：没有\n  同意", "不要推送到远程仓库", "没有同意"),
        ("a\n  - nested\n  - more", "a", "nested more"),
        ("a\n\n  Why: after a blank line", "a", "after a blank line"),
        ("a\u2028b\n  c", "a b", "c"),
        ("keep the reason: it is needed", "keep the reason: it is needed", None),
    ],
)
def test_the_first_line_is_what_and_the_rest_is_why(lines: str, what: str, why: str | None) -> None:
    anchor = only(f"- [constraint] {lines}\n\nfree text\n")

    assert (anchor.what, anchor.why) == (what, why)


@pytest.mark.parametrize(
    "text",
    [
        "- [constraint] a <!-- id: c-1; priority: critical -->\n",
        "- [constraint] a\n  <!-- id: c-1; priority: critical -->\n",
        "- [constraint] a\n<!-- ID: c-1; Priority: CRITICAL; -->\n",
        "- [constraint] a\n  <!--\n  id: c-1\n  priority: critical\n  -->\n",
        "- [constraint] a\n  <!-- id：c-1；priority：critical -->\n",
        "- [constraint] a <!-- id: c-1 -->\n  <!-- priority: critical -->\n",
        "\ufeff- [constraint] a\r\n  <!-- id: c-1; priority: critical -->\r\n",
        "---\nbroken: [\n---\n- [constraint] a <!-- id: c-1; priority: critical -->",
    ],
)
def test_fields_stand_on_the_same_line_the_next_or_several(text: str) -> None:
    (anchor,), _ = parse_anchors(text, NOTES)

    assert (anchor.id, anchor.priority, anchor.what, anchor.why) == ("c-1", "critical", "a", None)


def test_every_field_is_read() -> None:
    anchor = only(
        "- [decision] Use `uv`\n  <!-- supersedes: d-1; applies: src/*.py, tests/**;"
        " forbid: Bash(pip install x; rm y);"
        ' check: text a.md "x; y: z"; last_updated: 2026-11-02T03:04:00+08:00; scope: once; note: kept -->\n'
    )

    assert anchor.supersedes == "d-1"
    assert anchor.applies == ("src/*.py", "tests/**")
    assert anchor.forbid == "Bash(pip install x; rm y)"
    assert anchor.check == 'text a.md "x; y: z"'
    assert anchor.written_at == at(2026, 11, 1, 19, 4)
    assert anchor.scope == "once"


def test_the_fields_of_what_was_captured_are_read() -> None:
    anchor = only(
        "- [decision] OpenCV reads CMYK wrongly\n"
        "  <!-- captured: dead_end; outcome: failed; status: superseded;"
        ' polarity: do_not; topic: scans; quote: "say \\"no\\"; ok: yes"; said: 3; last_source: s:9;'
        " ended: 2026-11-02; ended_by: s:12; restores: d-1; phase: build, review; recorded: 2026-11-03 -->\n"
    )

    assert (anchor.captured, anchor.outcome, anchor.status) == ("dead_end", "failed", "superseded")
    assert (anchor.polarity, anchor.topic, anchor.said) == ("do_not", "scans", 3)
    assert anchor.quote == 'say "no"; ok: yes'
    assert (anchor.last_source, anchor.ended_by, anchor.restores) == ("s:9", "s:12", "d-1")
    assert (anchor.ended_at, anchor.recorded_at) == (at(2026, 11, 2), at(2026, 11, 3))
    assert anchor.phases == ("build", "review")


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("said: often", "said: `often` is not a number of times"),
        ("status: gone", "status: `gone` is unknown"),
        ("verified: soon", "verified: `soon` is not a date"),
        ("verified: 2026-02-30", "verified: `2026-02-30` is not a day or time that exists"),
        ("confidence: 7", "confidence: `7` is not a confidence"),
        ("confidence: nan", "confidence: `nan` is not a confidence"),
        ("scope: everywhere", "scope: `everywhere` is unknown"),
        ("priority: urgent", "priority: `urgent` is unknown"),
        ("id: ../etc/passwd", "id: `../etc/passwd` is not an id"),
        ("scope: once; scope: task", "scope: `task` comes a second time"),
    ],
)
def test_a_malformed_field_is_named_and_the_item_is_served(field: str, message: str) -> None:
    anchors, problems = parse_anchors(f"\n- [constraint] a\n  <!-- {field} -->\n", NOTES)

    assert [anchor.what for anchor in anchors] == ["a"]
    (problem,) = problems
    assert (problem.file, problem.line) == (NOTES, 3)
    assert problem.message.startswith(message)
    assert problem.message.endswith(".")


def test_a_field_that_says_never_says_nothing() -> None:
    assert only("- [tool] f(x) <!-- verified: never; source: -->\n").verified_at is None


def test_code_and_comments_hold_no_items() -> None:
    text = (
        "```markdown\n- [constraint] in a fence\n```\n"
        "~~~~\n```\n- [constraint] in a longer fence\n~~~~\n"
        "<!-- for instance\n- [constraint] in a comment\n-->\n"
        "- [constraint] mind `<!--` and `-->` in code\n"
    )

    assert whats(text) == ["mind `<!--` and `-->` in code"]
    assert parse_anchors(text, NOTES)[1] == []


@pytest.mark.parametrize("opening", ["```", "~~~", "<!-- id: c-1", "---\n- [constraint] a\n```python"])
def test_what_is_never_closed_is_named_and_hides_nothing(opening: str) -> None:
    anchors, problems = parse_anchors(
        f"{opening}\n- [constraint] b\n- [constraint] c <!-- id: c-9 -->\n", NOTES
    )

    assert [anchor.what for anchor in anchors][-2:] == ["b", "c"]
    assert anchors[-1].id == "c-9"
    assert problems


def test_a_code_block_below_an_item_is_named_because_it_is_not_served() -> None:
    anchors, problems = parse_anchors("- [tool] call\n  ```\n  f(1)\n  ```\n  Why: x\n", NOTES)

    assert [(anchor.what, anchor.why) for anchor in anchors] == [("call", "x")]
    assert [problem.line for problem in problems] == [2]


@pytest.mark.parametrize(
    ("front", "line"),
    [
        ("last_updated: [\n", 3),
        ("a: b: c\n", 2),
        ("- a\n- b\n", 2),
        ("last_updated: yesterday\n", 2),
        ("last_updated: 2026-11-01\nlast_updated: 2026-11-02\n", 3),
        ("[" * 2000 + "\n", 2),
        ("a: &x [b, *y]\n", 2),
        ("x" * 70_000 + "\n", 2),
        ("a: \x01\n", 2),
    ],
)
def test_broken_front_matter_is_named_and_the_items_are_served(front: str, line: int) -> None:
    anchors, problems = parse_anchors(f"---\n{front}---\n- [constraint] a\n", NOTES)

    assert [(anchor.what, anchor.written_at) for anchor in anchors] == [("a", None)]
    assert len(problems) == 1
    assert problems[0].line <= line + 1
    assert "." in problems[0].message


def test_the_time_of_an_item_wins_over_that_of_its_file() -> None:
    text = "---\nlast_updated: 2026-11-29\n---\n- [tool] a <!-- last_updated: 2026-11-01 -->\n- [tool] b\n"

    assert [anchor.written_at for anchor in parse_anchors(text, NOTES)[0]] == [
        at(2026, 11, 1),
        at(2026, 11, 29),
    ]


def test_an_item_without_an_id_has_one_that_depends_on_kind_and_words_only() -> None:
    before = parse_anchors("- [constraint] a\n- [tool] a\n", NOTES)[0]
    after = parse_anchors(
        "- [tool] b\n\n- 【工具】 a\n  Why: b\n- [约束]   a <!-- verified: 2026-11-01 -->\n", NOTES
    )[0]

    assert {anchor.id for anchor in before} < {anchor.id for anchor in after}
    assert before[0].id == derived_id("constraint", "a") != before[1].id
    assert before[0].id.startswith("c-")
    assert len(before[0].id) == 12


def test_ten_thousand_items_have_as_many_ids() -> None:
    text = "".join(f"- [decision] number {number}\n" for number in range(10_000))

    assert len({anchor.id for anchor in parse_anchors(text, NOTES)[0]}) == 10_000


def test_items_of_a_task_are_of_its_scope_unless_they_say_otherwise() -> None:
    text = "- [constraint] a\n- [constraint] b <!-- scope: always -->\n"

    anchors, _ = parse_anchors(text, "tasks/billing-417/anchors/project_constraints.md")

    assert [anchor.scope for anchor in anchors] == ["task", "always"]


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n \r\n"])
def test_an_empty_file_is_named(text: str) -> None:
    anchors, (problem,) = parse_anchors(text, RULES)

    assert anchors == []
    assert "empty" in problem.message


def test_an_item_without_words_or_beyond_all_measure_is_named() -> None:
    anchors, problems = parse_anchors(
        f"- [constraint]\n- \n- [constraint] {'x' * 5000}\n- [constraint] a\n", RULES
    )

    assert [anchor.what for anchor in anchors] == ["a"]
    assert [problem.line for problem in problems] == [1, 3]


PIECES = st.sampled_from(
    ["- [constraint] a", "- 【约束】 不要推送", "  Why: b", "  <!-- id: c-1; verified: soon -->", "<!--",
     "-->", "```", "~~~", "---", "# T", "", "\ufeff", "\u2028", "* [x] c", "1. [工具] f(x)", "`<!--`",
     "last_updated: 2026-11-29", "\x00\x1b[31m", "\ud800", "- [decision", "】", "：；", "\t- [tool] t"]
)  # fmt: skip


@given(
    st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=14), st.sampled_from(["\n", "\r\n", "\r", ""])
)
def test_no_text_whatever_makes_the_parser_fail(pieces: list[str], end: str) -> None:
    for file in (RULES, NOTES):
        anchors, problems = parse_anchors(end.join(pieces), file)
        for anchor in anchors:
            assert anchor.what == " ".join(anchor.what.split())
            assert (anchor.what + (anchor.why or "")).encode()
        assert all(problem.line >= 1 and problem.file == file for problem in problems)


WORDS = st.text(
    st.characters(categories=("L", "N"), include_characters=" ,.;()'中文约束"), min_size=1, max_size=30
).filter(lambda text: text.strip() and not text.strip()[0].isdigit())


@given(st.lists(WORDS, min_size=1, max_size=6), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_every_item_that_was_written_is_read_whatever_stands_between(
    texts: list[str], has_bom: bool, end: str
) -> None:
    lines = ["---", "last_updated: 2026-11-29", "---"]
    for text in texts:
        lines += [
            "# Heading",
            "```",
            "- [constraint] not this",
            "```",
            f"- [约束] {text}",
            "  <!-- scope: always -->",
            "",
        ]

    anchors, problems = parse_anchors(("\ufeff" if has_bom else "") + end.join(lines), NOTES)

    assert problems == []
    assert [anchor.what for anchor in anchors] == [" ".join(text.split()) for text in texts]
    assert all(anchor.scope == "always" for anchor in anchors)


def test_the_parts_of_a_long_file_are_not_all_held_while_it_is_read() -> None:
    fields = "<!-- confidence: 0.9; last_updated: 2026-11-29; source: 0f3a:1; last_source: 0f3a:2 -->"
    text = "".join(f"- [constraint] Rule {number} of many\n  {fields}\n" for number in range(300))
    parse_anchors(text, NOTES)

    tracemalloc.start()
    try:
        kept = parse_anchors(text, NOTES)
        size, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert len(kept[0]) == 300
    assert peak < 1.5 * size


def test_a_rule_that_was_said_once_in_its_own_words_keeps_one_text_for_both() -> None:
    item = only("- [constraint] Use pnpm\n  <!-- source: 0f3a:1; quote: Use pnpm; last_source: 0f3a:1 -->\n")

    assert item.quote is item.what
    assert item.last_source is item.source
    other = only("- [constraint] Use pnpm\n  <!-- source: 0f3a:1; quote: use it; last_source: 0f3a:2 -->\n")
    assert (other.quote, other.source, other.last_source) == ("use it", "0f3a:1", "0f3a:2")


def test_what_is_equal_to_a_known_item_is_that_one() -> None:
    known, _ = parse_anchors("- [constraint] Use pnpm\n- [constraint] No jest\n", NOTES)

    same, other, new = parse_anchors(
        "- [constraint] Use pnpm\n- [tool] No jest\n- [tool] New\n", NOTES, known=known
    )[0]

    assert same is known[0]
    moved = parse_anchors("# Rules\n\n- [constraint] Use pnpm\n", NOTES, known=known)[0][0]
    assert (moved.line, moved.what is known[0].what) == (3, True)
    assert (other.kind, other.what, new.what) == ("tool", "No jest", "New")


def test_cost_grows_with_the_size_of_the_file_and_not_with_its_square() -> None:
    hostile = "```python\n" * 20_000 + "<!-- id: x\n" * 20_000 + "- [constraint] a\n"

    anchors, problems = parse_anchors(hostile, NOTES)

    assert [anchor.what for anchor in anchors] == ["a"]
    assert len(problems) > 20_000
