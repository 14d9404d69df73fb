"""Many words sought at once."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest

from agentinitd.memory.capture import literals

WORDS = [b"note", b"termite", b"te", "记住".encode(), b"user has", b"has been"]
MANY_WORDS = [*WORDS, *(f"word {number}".encode() for number in range(literals.MOST_AT_ONCE))]


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
        "NOTE, user  has",
        "word 63 and word 6",
    ],
)
def test_the_words_that_are_there_are_told(module: ModuleType, text: str) -> None:
    there = text.encode("utf-8", "surrogatepass")

    for words in (WORDS, MANY_WORDS):
        told = module.Literals(words).in_text(there)

        assert sorted(told) == [number for number, word in enumerate(words) if word in there]
        assert module.Literals(words).are_in(there) == bool(told)


def test_small_letters_are_those_of_ascii() -> None:
    assert literals.small("NOTE: É → 记") == "note: É → 记".encode()
