"""A config is applied whole or not at all, and every fault is told with its cure."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.model.config import BOUNDS, CHOICES, MAX_FAULTS, PROJECT_KEYS, Config, apply, checked
from agentinitd.model.errors import NotConfigured

NAMES = [setting.name for setting in fields(Config)]


def fault(raw: dict[Any, Any], **options: Any) -> str:
    with pytest.raises(NotConfigured) as caught:
        apply(Config(), raw, source="/etc/x.yaml", **options)
    return str(caught.value)


def ignored(raw: dict[Any, Any], **options: Any) -> str:
    """What is said of keys that count for nothing; all others hold."""
    assert apply(Config(), raw, source="/etc/x.yaml", **options) == Config()
    findings = checked(raw, **options)[1]
    assert not any(finding.is_fault for finding in findings)
    return "; ".join(finding.text for finding in findings)


def test_what_is_not_given_keeps_its_value() -> None:
    before = Config(budget_tokens=700, language="zh")

    after = apply(before, {"budget_tokens": 800}, source="f")

    assert after == Config(budget_tokens=800, language="zh")
    assert before.budget_tokens == 700


def test_every_number_has_bounds_that_hold_its_default() -> None:
    for name in NAMES:
        default = getattr(Config(), name)
        if isinstance(default, int | float) and not isinstance(default, bool):
            low, high = BOUNDS[name]
            assert low <= default <= high, name
    assert set(BOUNDS) | set(CHOICES) | set(PROJECT_KEYS) <= set(NAMES)


@pytest.mark.parametrize("name", BOUNDS)
def test_the_bounds_themselves_are_allowed_and_what_lies_outside_is_not(name: str) -> None:
    low, high = BOUNDS[name]
    for value in (low, high):
        assert getattr(apply(Config(), {name: value}, source="f"), name) == value
    for value in (low - 1, high + 1):
        assert f"{name}: expected " in fault({name: value})


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("budget-tokens", "budget_tokens"),
        ("Language", "language"),
        ("cooldown", "cooldown_turns"),
        ("script_timeout", "script_timeout_seconds"),
        ("timeout", "script_timeout_seconds"),
        ("project_overide", "project_override"),
    ],
)
def test_an_unknown_key_is_passed_over_and_offers_the_nearest(written: str, meant: str) -> None:
    """DMN-7."""
    assert ignored({written: 1}) == f"{written}: ignored: unknown key; did you mean {meant}?"


def test_a_key_like_none_of_ours_is_answered_with_all_of_them() -> None:
    told = ignored({"zzz": 1})

    assert all(name in told for name in NAMES)


@pytest.mark.parametrize("key", [1, None, True, 2.5, b"x", ("a",)])
def test_a_key_that_is_no_text_is_passed_over_as_well(key: object) -> None:
    assert "unknown key" in ignored({key: 1})


def test_all_faults_are_told_at_once_and_nothing_is_applied() -> None:
    told = fault({"budget_tokens": "many", "langauge": "en", "stale_days": -1, "cooldown_turns": 5})

    assert "budget_tokens: expected a number, found 'many'" in told
    assert "langauge" not in told
    assert "stale_days: expected 0.01 to 3650, found -1" in told


def test_bounds_are_told_in_digits_that_can_be_copied() -> None:
    assert "expected 4096 to 67108864, found 1" in fault({"log_bytes": 1})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("budget_tokens", True),
        ("budget_tokens", 500.5),
        ("budget_tokens", "500"),
        ("budget_tokens", None),
        ("budget_tokens", float("inf")),
        ("budget_tokens", float("nan")),
        ("budget_tokens", 10**400),
        ("stale_days", float("inf")),
        ("stale_days", float("-inf")),
        ("stale_days", float("nan")),
        ("stale_days", 10**400),
        ("stale_days", [7]),
        ("language", False),
        ("language", "de"),
        ("language", "EN"),
        ("project_override", "yes"),
        ("project_override", 1),
        ("env_pass", "HOME"),
        ("env_pass", ["HOME", 1]),
        ("env_pass", {"HOME": 1}),
        ("watch_roots", None),
    ],
)
def test_a_value_of_the_wrong_kind_is_a_fault(name: str, value: object) -> None:
    assert fault({name: value}).startswith(f"/etc/x.yaml: {name}: expected ")


def test_a_whole_number_written_with_a_point_is_whole() -> None:
    config = apply(Config(), {"budget_tokens": 600.0, "stale_days": 3}, source="f")

    assert (config.budget_tokens, type(config.budget_tokens)) == (600, int)
    assert (config.stale_days, type(config.stale_days)) == (3.0, float)


def test_lists_become_values_that_cannot_change() -> None:
    assert apply(Config(), {"env_pass": ["A", "B"]}, source="f").env_pass == ("A", "B")


def test_a_project_may_not_reach_outside_the_snippet() -> None:
    """TRU-9."""
    raw = {"env_pass": ["SECRET"], "budget_tokens": 400}

    assert apply(Config(), raw, source="f", allowed=PROJECT_KEYS) == Config(budget_tokens=400)
    [finding] = checked(raw, allowed=PROJECT_KEYS)[1]
    assert finding.text == (
        "env_pass: ignored: a project may not set this; put it into your own agentinitd.yaml"
    )
    assert not finding.is_fault


def test_a_project_is_not_offered_what_it_may_not_set() -> None:
    assert "env_pass" not in ignored({"env_pas": 1}, allowed=PROJECT_KEYS)


def test_a_value_that_stands_for_more_than_memory_holds_is_told_in_a_few_characters() -> None:
    bomb: list[Any] = ["x"] * 9
    for _ in range(14):
        bomb = [bomb] * 9  # 9 ** 15 texts, as a small file with YAML aliases gives them

    told = fault(dict.fromkeys(("budget_tokens", "language", "project_override", "env_pass"), bomb))

    assert len(told) < 1000


def test_a_file_of_nothing_but_faults_is_answered_with_a_bounded_message() -> None:
    told = ignored({f"k{number}\x1b[31m" + "y" * 1000: 1 for number in range(5000)})

    assert told.count("unknown key") == MAX_FAULTS
    assert told.endswith("and 4,980 more")
    assert len(told) < 20_000
    assert "\x1b" not in told


@given(
    st.dictionaries(
        st.sampled_from(NAMES) | st.text(max_size=30) | st.integers(),
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text()
        | st.lists(st.text() | st.integers()),
        max_size=8,
    )
)
def test_whatever_is_written_is_either_within_the_bounds_or_refused_in_words(
    raw: dict[object, object],
) -> None:
    try:
        config = apply(Config(), raw, source="f")
    except NotConfigured:
        return

    for name, (low, high) in BOUNDS.items():
        assert low <= getattr(config, name) <= high
    assert config.language in CHOICES["language"]
