"""What a command really runs."""

from __future__ import annotations

import pytest

from agentinitd.memory.unwrapping import layers, spellings, unwrapped


@pytest.mark.parametrize(
    ("command", "core"),
    [
        ("pytest -q", "pytest -q"),
        ("FOO=1 BAR=2 pytest -q", "pytest -q"),
        ("env -u A FOO=1 pytest", "pytest"),
        ("timeout 60 make test", "make test"),
        ("timeout -k 5 60s make test", "make test"),
        ("time nice -n 5 nohup pytest", "pytest"),
        ("sudo -u bob make test", "make test"),
        ("uv run pytest -q", "pytest -q"),
        ("uv run --with x python -m pytest -q", "pytest -q"),
        ("poetry run mypy .", "mypy ."),
        ("npx -y eslint .", "eslint ."),
        ("pnpm exec vitest run", "vitest run"),
        ("bundle exec rspec", "rspec"),
        ("python3.11 -W error -m pytest", "pytest"),
        (".venv/bin/python -m pytest", "pytest"),
        ("coverage run -m pytest", "pytest"),
        (".venv/bin/pytest", "pytest"),
        ("node_modules/.bin/eslint.cmd src", "eslint src"),
        ("python script.py -m pytest", "python script.py -m pytest"),
        ("python -m http.server", "python -m http.server"),
        ("npm run build", "npm run build"),
        ("timeout", "timeout"),
        ("A=1", "A=1"),
    ],
)
def test_wrappers_are_taken_away(command: str, core: str) -> None:
    assert " ".join(unwrapped(command.split())) == core


def test_a_command_can_be_named_in_each_of_its_spellings() -> None:
    assert spellings(["CI=1", "uv", "run", "pytest", "-q"]) == (
        "CI=1 uv run pytest -q",
        "uv run pytest -q",
        "pytest -q",
    )
    assert spellings(["make"]) == ("make",)
    assert spellings([]) == ()


def test_each_command_within_another_is_told_from_the_outside_in() -> None:
    assert layers(["A=/bin/pip", "sudo", "/usr/bin/env", "pip", "list"]) == [
        ("A=/bin/pip", "sudo", "/usr/bin/env", "pip", "list"),
        ("sudo", "/usr/bin/env", "pip", "list"),
        ("env", "pip", "list"),
        ("pip", "list"),
    ]
    assert layers([]) == []
    assert len(layers(["sudo"] * 50)) < 10
