"""Splicing JSON: what is read is what JSON means, and an edit that is taken back leaves no trace."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.integrations.settings_json import NotJson, added, parse, removed, replaced

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: (
        st.lists(children, max_size=4) | st.dictionaries(st.text(max_size=6), children, max_size=4)
    ),
    max_leaves=12,
)
STYLES = st.sampled_from(
    [
        {"indent": 2},
        {"indent": 4},
        {"indent": "\t"},
        {"separators": (",", ":")},
        {},
    ]
)


@given(VALUES, STYLES, st.booleans())
def test_json_is_read_as_json_reads_it(value, style, is_ascii):
    text = json.dumps(value, ensure_ascii=is_ascii, **style)

    assert parse(text).value == json.loads(text)


@given(
    st.lists(VALUES, max_size=4), VALUES, STYLES, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\n"])
)
def test_an_item_that_is_added_and_removed_leaves_no_trace(items, item, style, newline, end):
    text = (json.dumps({"a": items}, **style) + end).replace("\n", newline)

    larger = added(text, parse(text).member("a"), item)

    assert json.loads(larger) == {"a": [*items, item]}
    assert removed(larger, parse(larger).member("a"), len(items)) == text


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), VALUES, STYLES)
def test_a_member_that_is_added_and_removed_leaves_no_trace(members, value, style):
    members.pop("新", None)
    text = json.dumps(members, **style)

    larger = added(text, parse(text), value, key="新")

    assert list(json.loads(larger).items()) == [*members.items(), ("新", value)]
    assert removed(larger, parse(larger), len(members)) == text


@given(st.lists(VALUES, min_size=1, max_size=5), st.data(), STYLES)
def test_any_item_can_be_removed_or_replaced(items, data, style):
    text = json.dumps({"a": items}, **style)
    index = data.draw(st.integers(0, len(items) - 1))
    node = parse(text).member("a")

    assert json.loads(removed(text, node, index)) == {"a": items[:index] + items[index + 1 :]}
    changed = replaced(text, node.children[index].node, {"x": [1]})
    assert json.loads(changed) == {"a": [*items[:index], {"x": [1]}, *items[index + 1 :]]}


WITH_COMMENTS = """\ufeff{ // settings
    /* "hooks": no */
    "a": [
        {"b": "// no comment"}, // first
        // second
        {"b": 2}, // trailing
    ],
    "c": [ /* nothing yet */ ], "c2": [1
    ],
    "d": [1, 2], // end
}
"""


def test_comments_and_trailing_commas_are_read_over():
    assert parse(WITH_COMMENTS).value == {
        "a": [{"b": "// no comment"}, {"b": 2}],
        "c": [],
        "c2": [1],
        "d": [1, 2],
    }


@pytest.mark.parametrize("key", ["a", "c", "c2", "d"])
def test_an_edit_between_comments_keeps_them(key):
    before = parse(WITH_COMMENTS).value
    larger = added(WITH_COMMENTS, parse(WITH_COMMENTS).member(key), {"e": 3})
    assert parse(larger).value == {**before, key: [*before[key], {"e": 3}]}

    smaller = removed(larger, parse(larger).member(key), len(before[key]))
    assert parse(smaller).value == before
    for comment in (
        "// settings",
        '/* "hooks": no */',
        "// first",
        "// second",
        "// trailing",
        "/* nothing yet */",
    ):
        assert comment in smaller


def test_the_end_of_a_comment_is_never_lost():
    text = "[1, // one\n2, 3]"

    assert parse(removed(text, parse(text), 1)).value == [1, 3]


def test_an_empty_object_grows_lines_and_shrinks_again():
    larger = added("{}\n", parse("{}\n"), [], key="hooks")

    assert larger == '{\n  "hooks": []\n}\n'
    assert removed(larger, parse(larger), 0) == "{}\n"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("{", 1, 2),
        ('{\n  "a": 1\n  "b": 2\n}', 3, 3),
        ('{\n  "a": tru\n}', 2, 8),
        ('{"a": 01}', 1, 7),
        ('{"a": "x\ny"}', 1, 7),
        ('{"a": NaN}', 1, 7),
        ("{'a': 1}", 1, 2),
        ("[,]", 1, 2),
        ("[1]\n\n x", 3, 2),
        ("/* no end", 1, 1),
        ('{"a" 1}', 1, 6),
        ("[" * 5000, 1, 101),
    ],
)
def test_what_is_not_json_is_named_by_line_and_column(text, line, column):
    with pytest.raises(NotJson) as raised:
        parse(text)

    assert (raised.value.line, raised.value.column) == (line, column)


def test_the_end_of_a_broken_file_is_named_by_the_last_line_that_holds_something():
    with pytest.raises(NotJson, match="begins on line 2") as raised:
        parse('{\n  "hooks": {\n    "a": []\n\n\n')

    assert raised.value.line == 3


@given(st.text())
def test_any_text_is_json_or_not_json(text):
    try:
        parse(text)
    except NotJson as error:
        assert error.line >= 1 <= error.column


def test_a_number_beyond_all_bounds_is_read():
    assert parse("[" + "1" * 9000 + "]").children[0].node.plain == float("inf")
