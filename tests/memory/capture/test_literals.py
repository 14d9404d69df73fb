"""Many words sought at once."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest

from agentinitd.memory.capture import literals

WORDS = [b"note", b"termite", b"te", "记住".encode(), b"user has", b"has been"]


@pytest.fixture(params=["library", "none"])
def module(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """As it is where the library is installed, and where it is not."""
    if request.param == "library":
        return literals
    monkeypatch.setitem(sys.modules, "ahocorasick_rs", None)
    spec = importlib.util.spec_from_file_location("literals_alone", literals.__file__)
    assert spec is not None and spec.loader is not None
    alone = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(alone)
    return alone


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing",
        "a note",
        "a" * 5000 + "note",
        "请记住",
        "notermite",
        "the user has been told",
        "\ud800 note",
        "user has记住 te",
    ],
)
def test_every_word_that_is_there_is_told(module: ModuleType, text: str) -> None:
    there = text.encode("utf-8", "surrogatepass")

    told = module.Literals(WORDS).in_text(there)

    assert {number for number, word in enumerate(WORDS) if word in there} <= set(told)


@pytest.mark.parametrize("text", [b"", b"nothing", b"NOTE", b"user  has"])
def test_nothing_is_told_where_none_is(module: ModuleType, text: bytes) -> None:
    assert not module.Literals(WORDS).in_text(text)


def test_a_word_that_is_hidden_by_nothing_is_told_alone(module: ModuleType) -> None:
    assert set(module.Literals(WORDS).in_text("记住".encode())) == {3}
