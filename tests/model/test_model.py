"""The words themselves: values that nobody changes."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil

import msgspec
import pytest

from agentinitd import model


def is_word(thing: object, module: str) -> bool:
    """A value of ours, made as a dataclass, or as a structure where many are made."""
    if not isinstance(thing, type) or not thing.__module__.endswith(module):
        return False
    return dataclasses.is_dataclass(thing) or issubclass(thing, msgspec.Struct)


WORDS = [
    thing
    for found in pkgutil.iter_modules(model.__path__)
    for thing in vars(importlib.import_module(f"agentinitd.model.{found.name}")).values()
    if is_word(thing, found.name)
]


def test_there_are_words() -> None:
    assert {"Cause", "Config", "Anchor", "Script", "Snippet", "Request"} <= {word.__name__ for word in WORDS}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_frozen_and_takes_no_stray_attribute(word: type) -> None:
    if issubclass(word, msgspec.Struct):
        assert word.__struct_config__.frozen
    else:
        assert word.__dataclass_params__.frozen  # type: ignore[attr-defined]
        assert "__slots__" in vars(word)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_built_by_names_only(word: type) -> None:
    """Two texts in the wrong order would be two wrong values."""
    if issubclass(word, msgspec.Struct):
        names = len(msgspec.structs.fields(word))
        with pytest.raises(TypeError):
            word(*range(names))
    else:
        assert all(field.kw_only for field in dataclasses.fields(word))
