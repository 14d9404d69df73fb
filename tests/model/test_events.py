"""What a tool is given can be looked into, and what it printed is kept by its beginning and its end."""

from __future__ import annotations

import pytest

from agentinitd.model.events import RESULT_CHARS, ToolCall, shortened


@pytest.mark.parametrize("length", [0, 1, RESULT_CHARS - 1, RESULT_CHARS])
def test_what_fits_is_kept_as_it_is(length: int) -> None:
    assert shortened("x" * length) == "x" * length


@pytest.mark.parametrize("length", [RESULT_CHARS + 1, RESULT_CHARS + 1000, 100_000])
def test_of_a_longer_text_the_beginning_and_the_end_are_kept(length: int) -> None:
    kept = shortened("begin " + "x" * length + "\nExit Code: 1")

    assert len(kept) == RESULT_CHARS
    assert kept.startswith("begin x") and kept.endswith("x\nExit Code: 1")
    assert "\n…\n" in kept


@pytest.mark.parametrize(
    ("written", "given"),
    [
        (b'{"a": [1, "b"]}', {"a": [1, "b"]}),
        (b'{"half": "\\ud83d"}', {"half": "\ud83d"}),
        (b'{"limit": Infinity}', {"limit": float("inf")}),
        (b"[1]", {}),
        (b'{"a":', {}),
        (b"\xff", {}),
        (b'{"a":' + b"[" * 100_000, {}),
    ],
)
def test_the_arguments_are_what_json_takes_them_for_and_never_an_error(
    written: bytes, given: dict[str, object]
) -> None:
    assert ToolCall(line=1, offset=0, call_id="c", name="x", input_json=written).input == given
