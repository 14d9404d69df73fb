"""What a command really runs: without its variables, `timeout`, `uv run`, `npx`, `python -m` and the like."""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_SPELLING_CHARS = 1000
MAX_LAYERS = 9

_VARIABLE = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
# Wrappers: how many words of their own follow, by option; `timeout 60` takes one word more.
_WRAPPERS: dict[str, frozenset[str]] = {
    "sudo": frozenset({"-u", "-g"}), "env": frozenset({"-u", "-C"}), "command": frozenset(),
    "exec": frozenset(), "nohup": frozenset(), "time": frozenset({"-f", "-o"}), "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n"}), "stdbuf": frozenset(), "timeout": frozenset({"-k", "-s"}),
    "gtimeout": frozenset({"-k", "-s"}), "xvfb-run": frozenset({"-s", "-n"}), "npx": frozenset({"-p"}),
    "bunx": frozenset(), "uvx": frozenset({"--from", "--with"}), "caffeinate": frozenset(),
}  # fmt: skip
_RUNNERS: dict[str, tuple[str, ...]] = {
    "uv": ("run",), "poetry": ("run",), "pdm": ("run",), "pipenv": ("run",), "rye": ("run",),
    "hatch": ("run",), "pixi": ("run",), "conda": ("run",), "mise": ("exec", "x"), "direnv": ("exec",),
    "bundle": ("exec",), "pnpm": ("exec", "dlx"), "yarn": ("exec", "dlx"), "npm": ("exec",), "bun": ("x",),
}  # fmt: skip
RUNNER_OPTIONS = frozenset(
    {
        "--with", "--extra", "--group", "--package", "--project", "--directory", "--python", "-p", "-n", "-C",
        "--name", "--prefix", "--filter", "-F", "--env-file", "--only-group", "--with-requirements", "--cwd",
        "--workspace", "-w", "-e",
    }
)  # fmt: skip
"""Options of runners and package managers that take a word of their own."""
_PYTHON = re.compile(r"(?:python|pypy|py)[0-9.]*")
_MODULES = frozenset(
    {"coverage", "pytest", "unittest", "mypy", "ruff", "flake8", "pylint", "pyright", "tox", "nox"}
)
_DURATION = re.compile(r"[0-9.]+[smhd]?")


def spellings(words: Sequence[str]) -> tuple[str, ...]:
    """One command as it was written, without its variables, and without what only runs it."""
    found = [words, _without_variables(words), unwrapped(words)]
    return tuple(dict.fromkeys(" ".join(each)[:MAX_SPELLING_CHARS] for each in found if each))


def unwrapped(words: Sequence[str]) -> tuple[str, ...]:
    """`FOO=1 timeout 60 uv run python -m pytest -q` → `pytest -q`; a program's path is left out."""
    return next(reversed(layers(words)), ())


def layers(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Of `sudo env pip install`: itself, `env pip install`, `pip install`; a program's path is left out."""
    found: list[tuple[str, ...]] = []
    rest: tuple[str, ...] | None = tuple(words)
    while rest and len(found) < MAX_LAYERS:
        is_variable = _VARIABLE.fullmatch(rest[0]) is not None
        found.append(rest if is_variable else (_program(rest[0]), *rest[1:]))
        rest = _inner(rest)
    return found


def _without_variables(words: Sequence[str]) -> tuple[str, ...]:
    at = next((at for at, word in enumerate(words) if not _VARIABLE.fullmatch(word)), len(words))
    return tuple(words[at:])


def _program(word: str) -> str:
    name = re.split(r"[/\\]", word)[-1]
    return re.sub(r"\.(?:exe|cmd|bat|ps1)$", "", name)


def _inner(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """What the first word runs; None when it is the command itself."""
    if _VARIABLE.fullmatch(words[0]):
        return words[1:]
    program = _program(words[0])
    if program in _WRAPPERS:
        rest = behind_options(words[1:], _WRAPPERS[program])
        is_timed = program.endswith("timeout") and rest and _DURATION.fullmatch(rest[0])
        return rest[1:] if is_timed else rest
    if program in _RUNNERS:
        rest = behind_options(words[1:], RUNNER_OPTIONS)
        if rest and rest[0] in _RUNNERS[program]:
            inner = behind_options(rest[1:], RUNNER_OPTIONS)
            return inner[1:] if program == "direnv" else inner
        return None
    if _PYTHON.fullmatch(program):
        module = behind_options(words[1:], frozenset({"-W", "-X"}))
        return module if module and module[0] in _MODULES and words[-len(module) - 1] == "-m" else None
    if program == "coverage" and words[1:2] == ("run",) and "-m" in words[:-1]:
        return words[words.index("-m") + 1 :]
    return None


def behind_options(words: Sequence[str], with_value: frozenset[str]) -> tuple[str, ...]:
    at = 0
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "--":
            return tuple(words[at + 1 :])
        at += 2 if words[at] in with_value else 1
    return tuple(words[at:])
