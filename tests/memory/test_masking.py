"""Credentials in a JSON value are masked, by what they look like and by the name they stand under."""

from __future__ import annotations

from agentinitd.memory.masking import masked, masked_object

TOKEN = "ghp_" + "a1B2c3D4" * 5


def test_what_looks_like_one_is_masked_at_any_depth() -> None:
    assert TOKEN not in str(masked({"steps": [{"title": f"use {TOKEN}"}], "n": [1, None, True]}))


def test_what_only_its_name_gives_away_is_masked_too() -> None:
    assert masked_object({"db_password": "hunter2-Qx9"})["db_password"] != "hunter2-Qx9"


def test_all_else_is_as_it_was() -> None:
    value = {"goal": "rotate the tokens", "port": 5433, "list": ["a", {"b": None}], "名": "值"}

    assert masked_object(value) == value  # type: ignore[arg-type]
    assert masked_object(masked_object(value)) == value  # type: ignore[arg-type]
