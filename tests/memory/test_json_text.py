"""A JSON object changed key by key: what is not changed keeps its bytes, and the rest its style."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentinitd.memory.json_text import rewritten, written

ODD = (
    '\ufeff{\r\n\t"price" : 1.10,\r\n\t"big":1E2 ,\r\n\t"名": "\\u4e2d",  "list": [ 1,2 ],\r\n'
    '\t"last": {"a":1}\r\n}\r\n'
)


def changed(text: str, **fields: object) -> str:
    before = json.loads(text.removeprefix("\ufeff"))
    return rewritten(text, before, {**before, **fields})  # type: ignore[dict-item]


def test_nothing_changed_is_the_same_text() -> None:
    assert changed(ODD) == ODD


def test_one_changed_value_is_the_only_difference() -> None:
    assert changed(ODD, list=["新"]) == ODD.replace("[ 1,2 ]", '[\r\n\t\t"新"\r\n\t]')
    assert changed('{"a": 1.0, "b": 2}', b=[3]) == '{"a": 1.0, "b": [3]}'
    assert changed('{"a":1,"b":2}', b={"c": [3, 4]}) == '{"a":1,"b":{"c":[3,4]}}'


def test_a_new_key_comes_last_in_the_style_of_the_others() -> None:
    assert changed('{\n  "a": 1,\n  "b": 2\n}\n', c="x") == '{\n  "a": 1,\n  "b": 2,\n  "c": "x"\n}\n'
    assert changed('{\n    "a": 1\n}', c=[1]) == '{\n    "a": 1,\n    "c": [\n        1\n    ]\n}'
    assert changed('{"a":1}', c=2) == '{"a":1, "c":2}'


def test_a_key_that_is_gone_leaves_no_comma_behind() -> None:
    for gone in "abc":
        before = {"a": 1, "b": 2, "c": 3}
        after = {key: value for key, value in before.items() if key != gone}
        text = rewritten('{ "a": 1,\n"b": 2, "c": 3 }', before, after)  # type: ignore[arg-type]
        assert json.loads(text) == after
        assert text.startswith("{ ")
        assert text.endswith(" }")
    assert json.loads(rewritten('{"a": 1}', {"a": 1}, {})) == {}


def test_one_and_true_are_not_the_same() -> None:
    assert changed('{"a": 1}', a=True) == '{"a": true}'
    assert changed('{"a": 1}', a=1.0) == '{"a": 1.0}'


@pytest.mark.parametrize("text", ["{}", " {\n} ", '{"a": 1, "a": 2}', "[1]", ""])
def test_a_text_without_a_form_of_its_own_is_written_anew(text: str) -> None:
    assert rewritten(text, {"a": 2}, {"a": 3}) == written({"a": 3})


def test_who_escapes_gets_escapes() -> None:
    assert changed('{"a": "\\u4e2d"}', b="文") == '{"a": "\\u4e2d", "b": "\\u6587"}'


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(st.text(max_size=5), values, max_size=5)


@settings(max_examples=60)
@given(before=objects, after=objects, indent=st.sampled_from([None, 0, 1, 4, "\t"]), is_ascii=st.booleans())
def test_it_always_says_what_was_meant(
    before: dict[str, object], after: dict[str, object], indent: int | str | None, is_ascii: bool
) -> None:
    text = json.dumps(before, indent=indent, ensure_ascii=is_ascii)
    made = rewritten(text, before, after)  # type: ignore[arg-type]

    assert json.dumps(json.loads(made), sort_keys=True) == json.dumps(after, sort_keys=True)
    assert rewritten(text, before, before) == text or not before  # type: ignore[arg-type]
