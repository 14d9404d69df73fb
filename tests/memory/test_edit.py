"""Anchor files are changed to the byte: one item becomes another, all around it stays as it was."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import fields as fields_of
from msgspec.structs import replace

from agentinitd.memory.anchors import derived_id, parse_anchors, parse_items
from agentinitd.memory.edit import (
    add_item,
    change_item,
    changed_items,
    item_text,
    remove_item,
    render_item,
    replace_item,
)
from agentinitd.memory.raw_text import RawText
from agentinitd.model.errors import MemoryRefused
from agentinitd.model.facts import Anchor, CapturedKind, Outcome, Polarity, Priority, Scope, Status

RULES = "anchors/project_constraints.md"
NOTES = "anchors/notes.md"
RULE = Anchor(id="c-1", kind="constraint", what="Never push to `main`", why="CI deploys it.", file=NOTES)

# --- Files as people leave them

BLOCKS = st.sampled_from(
    [
        "- [constraint] Tests: `pnpm test`\n  Why: no jest here.\n  <!-- id: c-{n}; verified: 2026-11-28 -->",
        "*   [约束]  不要推送到 `main`{n}\n    原因：需要人工确认\n    <!-- 备注 -->",
        "1. 【决策】金额用整数{n}\n   <!-- id：d-{n}；owner：li；priority：critical -->",
        "- [ ] **[tool]** `deploy{n}(env)`  <!-- id: t-{n} -->  with care\n\t- nested one\n\t- nested two",
        "+ [tool] call {n}\n  ```sh\n  - [tool] not this\n  ```\n  Why: x\n",
        "- [decision] wrapped {n}\n  in two\n  Because: of it\n  <!--\n  id: d-{n}-x\n  note: kept\n  -->",
        "- [todo] nobody knows this tag {n}\n  <!-- id: c-{n}-y -->",
        "- [constraint] lazy {n}\nsecond line\n<!-- scope: always; forbid: Bash(cd x; rm y) --> ",
        "  - [constraint] indented {n}\n\n    after a blank line",
        "- [constraint] with an odd {n}\n  <!-- note: say \"no; id: o-{n} -->",
        "# Heading {n}", "Free text {n}, not ours.", "<!-- a comment\n- [constraint] in it\n-->", "---",
        "```\n- [constraint] in code\n```", "", "\t", "<!-- id: lost-{n}", "~~~\nopen", "- ", "\u2028 - odd",
    ]
)  # fmt: skip
HEADS = st.sampled_from(
    ["", "\ufeff", "---\nlast_updated: 2026-11-02\n---\n", "\ufeff---\nowner: me\n---\n\n"]
)


@st.composite
def anchor_files(draw: st.DrawFn) -> str:
    blocks = [block.replace("{n}", str(n)) for n, block in enumerate(draw(st.lists(BLOCKS, max_size=7)))]
    lines = (draw(HEADS) + "\n".join(blocks)).split("\n")
    ends = draw(st.sampled_from([("\n",), ("\r\n",), ("\n", "\r\n"), ("\r",)]))
    text = "".join(line + ends[number % len(ends)] for number, line in enumerate(lines))
    return text if draw(st.booleans()) else text.rstrip("\r\n")


WORDS = st.one_of(
    st.sampled_from(
        [
            "Use `uv`",
            "不要推送",
            "**never** push",
            "a; id: x",
            "Why: b",
            "[tool] x",
            "`<!-- x -->`",
            "- x",
            "a -->",
        ]
    ),
    st.text(st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=20),
)
VALUES = st.one_of(
    st.sampled_from(
        [
            "a",
            "never",
            "a; id: b",
            'say "no"',
            "-->",
            "<!--",
            'odd " quote',
            "two  blanks",
            "a\nb",
            "x;",
            "",
            "\\n",
        ]
    ),
    st.text(st.characters(categories=("L", "N", "P", "Zs", "S")), max_size=20),
)
TIMES = st.floats(0, 4e9).map(lambda at: round(at, 6)) | st.none()
GLOBS = st.lists(
    st.sampled_from(["src/**", "{a,b}.ts", "[ab].py", "中文/*", '"q"', "a;b", "x[1]"]), max_size=3
)
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "why": WORDS | st.none(),
    "priority": st.sampled_from(get_args(Priority)),
    "scope": st.sampled_from(get_args(Scope)),
    "source": VALUES,
    "confidence": st.floats(0, 1),
    "written_at": TIMES,
    "verified_at": TIMES,
    "supersedes": st.sampled_from([None, "d-1", "d-1, d-2"]),
    "applies": GLOBS.map(tuple),
    "forbid": VALUES | st.none(),
    "check": VALUES | st.none(),
    "restores": st.sampled_from([None, "d-1"]),
    "topic": VALUES,
    "outcome": st.sampled_from([None, *get_args(Outcome)]),
    "instead_of": VALUES,
    "recorded_at": TIMES,
    "phases": st.sampled_from([(), ("build",), ("build", "review")]),
    "status": st.sampled_from(get_args(Status)),
    "captured": st.sampled_from([None, *get_args(CapturedKind)]),
    "polarity": st.sampled_from([None, *get_args(Polarity)]),
    "quote": VALUES,
    "said": st.integers(1, 999_999),
    "last_source": VALUES,
    "ended_at": TIMES,
    "ended_by": VALUES,
    "against": VALUES,
}


def parsed(text: str, file: str = NOTES) -> list[Anchor]:
    return [replace(anchor, line=0) for anchor in parse_anchors(text, file)[0]]


def assert_reads_as(found: Anchor, wanted: Anchor) -> None:
    for each in fields_of(Anchor):
        expected, got = getattr(wanted, each.name), getattr(found, each.name)
        if each.name in ("file", "line") or (each.name == "written_at" and expected is None):
            continue
        assert got == (pytest.approx(expected, abs=1e-5) if isinstance(expected, float) else expected), (
            each.name
        )


def test_the_fields_of_the_tests_are_all_that_there_are() -> None:
    assert FIELDS.keys() == {each.name for each in fields_of(Anchor)} - {"id", "kind", "what", "file", "line"}


@settings(max_examples=50)
@given(anchor_files(), st.data())
def test_one_item_is_changed_and_every_other_byte_stays(text: str, data: st.DataObject) -> None:
    file = data.draw(st.sampled_from([NOTES, RULES, "tasks/a/anchors/tool_interfaces.md"]))
    items = parse_items(text, file)[0]
    assume(items)
    place = data.draw(st.integers(0, len(items) - 1))
    item, anchor = items[place], items[place].anchor
    assume([each.anchor.id for each in items].count(anchor.id) == 1)
    names = data.draw(st.lists(st.sampled_from(["what", "kind", *FIELDS]), max_size=3, unique=True))
    strategies = FIELDS | {"what": WORDS, "kind": st.sampled_from(["constraint", "tool", "decision"])}
    changes = {name: data.draw(strategies[name], label=name) for name in names}
    unchanged = changes.get("what", anchor.what) == anchor.what

    try:
        new = change_item(text, anchor.id, file=file, **changes)
    except MemoryRefused as error:
        assert not unchanged or changes, error
        return

    raw = RawText(text)
    head, tail = text[: raw.offset(anchor.line, 0)], text[raw.end(item.end) :]
    assert new.startswith(head)
    assert new.endswith(tail) or new.endswith(tail.removeprefix("\r\n").removeprefix("\n").removeprefix("\r"))
    before, after = parsed(text, file), parsed(new, file)
    assert after[:place] + after[place + 1 :] == before[:place] + before[place + 1 :]
    wanted = replace(before[place], **changes)
    assert_reads_as(after[place], replace(wanted, why=wanted.why or None))
    if not changes:
        assert new == text


@settings(max_examples=50)
@given(st.data())
def test_every_field_survives_being_written_and_read(data: st.DataObject) -> None:
    changes = {name: data.draw(strategy, label=name) for name, strategy in FIELDS.items()}
    anchor = replace(RULE, **changes)
    try:
        text = render_item(anchor)
    except MemoryRefused as error:
        told = str(error)
        assert told.startswith(("why:", "what:")) or "cannot be written" in told or "would be read as" in told
        return

    [found] = parsed(text)
    assert_reads_as(found, replace(anchor, why=anchor.why or None))


@settings(max_examples=50)
@given(anchor_files(), WORDS)
def test_an_item_is_added_at_the_end_and_taken_out_again(text: str, what: str) -> None:
    anchor = replace(RULE, id="new-1", what=what, written_at=1e9)
    try:
        new = add_item(text, anchor)
    except MemoryRefused:
        return

    assert new.startswith(text)
    *others, found = parsed(new)
    assert others == parsed(text)
    assert_reads_as(found, anchor)
    assert remove_item(new, "new-1").startswith(text)


@settings(max_examples=50)
@given(anchor_files(), st.data())
def test_an_item_is_taken_out_and_nothing_else(text: str, data: st.DataObject) -> None:
    items = parse_items(text, RULES)[0]
    assume(items)
    item = data.draw(st.sampled_from(items))
    try:
        new = remove_item(text, item.anchor.id, file=RULES)
    except MemoryRefused:
        return

    raw = RawText(text)
    if [each.anchor.id for each in items].count(item.anchor.id) == 1:
        edit = raw.whole(item.anchor.line, item.end)
        # Where what follows would be taken for words of the item before, a blank line stays.
        assert new in {text[: edit.start] + between + text[edit.end :] for between in ("", raw.newline())}
    assert parsed(new, RULES) == [each for each in parsed(text, RULES) if each.id != item.anchor.id]


@settings(max_examples=50)
@given(anchor_files())
def test_an_item_that_is_put_back_as_it_was_changes_nothing(text: str) -> None:
    for item in parse_items(text, RULES)[0]:
        try:
            piece = item_text(text, item.anchor.id, file=RULES)
        except MemoryRefused:
            continue  # one id for two facts
        try:
            new = replace_item(text, item.anchor.id, piece, file=RULES)
        except MemoryRefused as error:
            assert "line" in str(error)  # what is wrong in it was wrong before
            continue
        assert changed_items(text, new, file=RULES) == frozenset()


# --- Pieces by example


def test_a_new_file_has_front_matter_and_the_item() -> None:
    anchor = replace(RULE, priority="critical", written_at=1764410400.0, applies=("src/**",))

    assert add_item(None, anchor) == (
        "---\nlast_updated: 2025-11-29T10:00:00Z\n---\n"
        "- [constraint] Never push to `main`\n"
        "  Why: CI deploys it.\n"
        "  <!-- id: c-1; last_updated: 2025-11-29T10:00:00Z; priority: critical; applies: src/** -->\n"
    )


def test_the_age_of_other_items_stays_when_one_is_added() -> None:
    text = "---\nlast_updated: 2026-11-01\n---\n- [tool] f(x)"

    new = add_item(text, replace(RULE, written_at=1.8e9))

    assert new.startswith(text + "\n- [constraint] ")
    assert [anchor.written_at for anchor in parsed(new)] == [parsed(text)[0].written_at, 1.8e9]


def test_what_is_written_in_chinese_gets_chinese_tags() -> None:
    text = render_item(Anchor(id="d-1", kind="decision", what="金额用整数", why="浮点数有误差"))

    assert text == "- [决策] 金额用整数\n  原因：浮点数有误差\n  <!-- id: d-1 -->\n"


def test_in_a_task_an_item_of_the_project_says_so() -> None:
    anchor = replace(RULE, file="tasks/a/anchors/project_constraints.md")

    assert "scope: project" in render_item(anchor)
    assert "scope" not in render_item(replace(anchor, scope="task"))


TWO = "- [tool] a <!-- id: x -->\n- [tool] b <!-- id: y -->\n"
ITEM = (
    "\ufeff# Rules\r\n"
    "*  **[Constraint]**  Tests:  `pnpm test` <!-- why not: see wiki --> \r\n"
    "\r\n"
    "     reason：CI runs it\r\n"
    "     - and nothing else\r\n"
    "     ```\r\n     code\r\n     ```\r\n"
    "     <!-- owner: li ;verified: never;id: c-9; x_y: 1;;-->\r\n"
    "- plain\r\n"
)


@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({}, "", ""),
        ({"verified_at": 1764410400.0}, "verified: never;", "verified: 2025-11-29T10:00:00Z;"),
        ({"priority": "low"}, "1;;-->", "1;; priority: low -->"),
        ({"what": "Use `uv`"}, "Tests:  `pnpm test`", "Use `uv`"),
        ({"why": "x"}, "CI runs it\r\n     - and nothing else\r\n", "x\r\n"),
        ({"why": None}, "     reason：CI runs it\r\n     - and nothing else\r\n", ""),
        ({"kind": "tool"}, "Constraint", "tool"),
        ({"id": "c-8"}, "id: c-9", "id: c-8"),
        ({"verified_at": None}, " ;verified: never;", " ;"),
    ],
)
def test_a_change_touches_its_own_piece(changes: dict[str, Any], old: str, new: str) -> None:
    assert old in ITEM

    assert change_item(ITEM, "c-9", file=RULES, **changes) == ITEM.replace(old, new, 1)


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ("- [constraint] a", {"why": "b"}, "- [constraint] a\n  Why: b"),
        ("- [约束] 不要推送\n", {"why": "没有同意"}, "- [约束] 不要推送\n  原因：没有同意\n"),
        ("- [tool] a\n  Why: b\n", {"priority": "low"}, "- [tool] a\n  Why: b\n  <!-- priority: low -->\n"),
        ("- [tool] a <!-- priority: low -->\n", {"priority": "normal"}, "- [tool] a \n"),
        ("- [tool] a\n  <!-- priority: low -->\n- b\n", {"priority": "normal"}, "- [tool] a\n- b\n"),
        ("- [tool] a <!-- said: 2; priority: low -->", {"said": 1}, "- [tool] a <!-- priority: low -->"),
        (
            "- [constraint] a <!--\r\n said: 2\r\n priority: low\r\n-->\r\n",
            {"priority": "normal"},
            "- [constraint] a <!--\r\n said: 2\r\n-->\r\n",
        ),
        (
            '- [constraint] a\n  <!-- note: say "no; -->\n',
            {"topic": "t"},
            '- [constraint] a\n  <!-- note: say "no; -->\n  <!-- topic: t -->\n',
        ),
        ("- [constraint] a\n  b\n  Why: c", {"why": None}, "- [constraint] a b\n"),
    ],
)  # fmt: skip
def test_fields_and_reasons_come_and_go(text: str, changes: dict[str, Any], expected: str) -> None:
    assert change_item(text, parsed(text)[0].id, **changes) == expected


def test_other_words_keep_the_id_that_was_made_of_the_old_ones() -> None:
    item_id = derived_id("constraint", "a")

    new = change_item("- a\n  Why: b\n", item_id, file=RULES, what="c")

    assert new == f"- c\n  Why: b\n  <!-- id: {item_id} -->\n"
    assert change_item(new, item_id, file=RULES, kind="tool").startswith("- [tool] c\n")


def test_equal_items_are_one() -> None:
    text = "- [tool] a\n- [tool] b\n- 【工具】a <!-- priority: low -->\n"
    item_id = derived_id("tool", "a")

    assert [anchor.what for anchor in parsed(change_item(text, item_id, what="c"))] == ["c", "b", "c"]
    assert remove_item(text, item_id) == "- [tool] b\n"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda: change_item("- [tool] a\n", "t-9", why="b"), "no item with the id t-9"),
        (lambda: change_item(TWO.replace("y", "x"), "x", why="b"), "lines 1 and 2"),
        (lambda: change_item(TWO, "x", id="y"), "another item"),
        (lambda: add_item("- [tool] a <!-- id: c-1 -->\n", RULE), "notes.md:1 has the id c-1 already"),
        (lambda: render_item(replace(RULE, what="a <!-- b")), "would be read as"),
        (lambda: render_item(replace(RULE, what="a\nb")), "would be read as"),
        (lambda: render_item(replace(RULE, what="a\n- [tool] b")), "several items"),
        (lambda: render_item(replace(RULE, what=" ")), "an item needs words"),
        (lambda: render_item(replace(RULE, what="x" * 5000)), "5,014 characters, more than 4,000"),
        (lambda: render_item(replace(RULE, id="../x")), "is not an id"),
        (lambda: render_item(replace(RULE, topic="\x1b[31m")), "control characters"),
        (lambda: render_item(replace(RULE, verified_at=float("nan"))), "is not a time"),
        (lambda: render_item(replace(RULE, confidence=7)), "is not a confidence"),
        (lambda: add_item("<!-- open\n- [tool] a\n", replace(RULE, what="mind the -->")), "items around it"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused(change: Any, told: str) -> None:
    with pytest.raises(MemoryRefused, match="(?s)" + told.replace("[", r"\[")) as refused:
        change()

    assert str(refused.value).endswith(".")


def test_an_edited_piece_takes_the_place_of_the_item() -> None:
    text = "- a\r\n  Why: b\r\n- c\r\n"
    item_id = derived_id("constraint", "a")

    assert item_text(text, item_id, file=RULES) == "- a\n  Why: b\n"
    new = replace_item(text, item_id, "- x\n  y\n\n", file=RULES)
    assert new == f"- x\r\n  y\r\n  <!-- id: {item_id} -->\r\n- c\r\n"


@pytest.mark.parametrize(
    ("piece", "told"),
    [
        ("- x\n- y\n", "several items"),
        ("", "no item"),
        ("just words\n", "no item"),
        ("- x <!-- verified: soon -->\n", "line 1 of the item: verified"),
        ("- x <!-- open\n", "no end"),
        ("- x <!-- id: c-7 -->\n", "another item"),
    ],
)
def test_a_piece_that_is_no_single_good_item_is_refused(piece: str, told: str) -> None:
    with pytest.raises(MemoryRefused, match=told):
        replace_item("- a <!-- id: c-6 -->\n- b <!-- id: c-7 -->\n", "c-6", piece, file=RULES)


def test_items_that_differ_are_named() -> None:
    assert changed_items(TWO, f"---\nlast_updated: 2026-11-01\n---\n# New\n{TWO}") == frozenset()
    assert changed_items(TWO, change_item(TWO, "x", why="c")) == {"x"}
    assert changed_items(None, TWO) == {"x", "y"} == changed_items(TWO, "")
