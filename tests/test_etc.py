"""The default config says what the program does, setting by setting."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from agentinitd.daemon.settings import read_yaml
from agentinitd.model.config import BOUNDS, CHOICES, PROJECT_KEYS, Config, apply

FILE = Path(__file__).resolve().parents[1] / "etc" / "agentinitd.yaml"
NAMES = [setting.name for setting in fields(Config)]
SETTING = re.compile(r"^# (?P<help>.+)\n# (?P<name>[a-z_]+): (?P<value>.+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def told() -> dict[str, str]:
    """Each setting and its line of explanation."""
    return {found["name"]: found["help"] for found in SETTING.finditer(FILE.read_text(encoding="utf-8"))}


def test_as_it_is_shipped_it_sets_nothing() -> None:
    assert read_yaml(FILE) == {}


def test_with_its_settings_put_in_force_it_gives_the_defaults(tmp_path: Path) -> None:
    text = re.sub(r"^# (?=[a-z_]+: )", "", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (tmp_path / "c.yaml").write_text(text, encoding="utf-8")
    raw = read_yaml(tmp_path / "c.yaml")

    # Laid over other values than the defaults, so that one that is missing shows.
    other = Config(**{name: f"not {name}" for name in NAMES})  # type: ignore[arg-type]
    assert apply(other, raw, source="etc") == Config()


def test_every_setting_is_there_once_with_its_own_explanation(told: dict[str, str]) -> None:
    assert sorted(told) == sorted(NAMES)
    assert len(set(told.values())) == len(NAMES)
    for name in NAMES:
        assert len(re.findall(rf"^# {name}:", FILE.read_text(encoding="utf-8"), re.MULTILINE)) == 1


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_of_a_setting_is_true(told: dict[str, str], name: str) -> None:
    assert told[name].startswith("(project) ") == (name in PROJECT_KEYS)
    if name in BOUNDS:
        low, high = (f"{bound:.10g}" for bound in BOUNDS[name])
        assert re.search(rf"\b{re.escape(low)}( \([a-z]+\))? to {high}\.$", told[name])
    for choice in CHOICES.get(name, ()):
        assert choice in told[name]
