"""Which known check a command is: `pytest`, `npm test`, `git commit`, …"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from agentinitd.memory.unwrapping import RUNNER_OPTIONS, behind_options, unwrapped

Kind = Literal["tests", "lint", "types", "commit", "push"]

KINDS: tuple[Kind, ...] = get_args(Kind)
REPEATABLE: frozenset[Kind] = frozenset({"tests", "lint", "types"})
"""What can come out otherwise the next time; a commit stays made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    name: str
    """As people call it: `pytest`, `npm test`."""
    kind: Kind
    is_partial: bool = False
    """Only a part of what it could check: single files, or tests by name."""


def check_of(words: Sequence[str]) -> Check | None:
    """The known check that this command is; None for any other, and for one that proves nothing: `--help`."""
    core = unwrapped(words)
    if not core or _ASKS_ONLY.intersection(core[1:]):
        return None
    read = _PROGRAMS.get(core[0])
    return read(core) if read is not None else None


_ASKS_ONLY = frozenset(
    {
        "--version", "--help", "-h", "--collect-only", "--co", "--fixtures", "--markers", "--listTests",
        "--list", "--list-tests", "--no-run", "--dry-run", "--showConfig", "--print-config", "--init",
        "--setup-plan", "--show-files", "--show-settings", "--exit-zero",
    }
)  # fmt: skip
_PARTIAL_OPTIONS = frozenset(
    {
        "-k", "-m", "--lf", "--last-failed", "--sw", "--deselect", "--ignore", "-t", "--testNamePattern",
        "--testPathPattern", "--onlyChanged", "--changed", "--related", "-run", "-g", "--grep", "--package",
        "--lib", "--bin", "--test", "--doc", "--tests", "-Dtest", "--filter",
    }
)  # fmt: skip
_PART = re.compile(r".*(?:::|\.[A-Za-z]{1,5}(?::[0-9]+)?$).*|[\w.@-]+/[\w./@-]*\w")
"""An argument that names a file, a test, or a folder below another one."""
_EVERYTHING = frozenset({"./...", "...", ".", "./", "tests", "test", "tests/", "test/", "src", "src/", "all"})


def _is_partial(arguments: Sequence[str]) -> bool:
    return any(
        word.split("=")[0] in _PARTIAL_OPTIONS
        or (not word.startswith("-") and word not in _EVERYTHING and _PART.fullmatch(word) is not None)
        for word in arguments
    )


def _tool(kind: Kind) -> Callable[[tuple[str, ...]], Check | None]:
    def read(words: tuple[str, ...]) -> Check | None:
        return Check(name=words[0], kind=kind, is_partial=_is_partial(words[1:]))

    return read


def _ruff(words: tuple[str, ...]) -> Check | None:
    is_check = words[1:2] == ("check",) or (words[1:2] == ("format",) and "--check" in words)
    return Check(name="ruff", kind="lint", is_partial=_is_partial(words[2:])) if is_check else None


def _biome(words: tuple[str, ...]) -> Check | None:
    return Check(name="biome", kind="lint") if words[1:2] in (("check",), ("lint",), ("ci",)) else None


def _cargo(words: tuple[str, ...]) -> Check | None:
    rest = tuple(word for word in words[1:] if not word.startswith("+"))
    if rest[:1] in (("test",), ("t",), ("nextest",)):
        own = rest[1 : rest.index("--")] if "--" in rest else rest[1:]
        names = [word for word in own if not word.startswith("-") and word != "run"]
        is_partial = _is_partial(rest[1:]) or bool(names) or "-p" in own
        return Check(name="cargo test", kind="tests", is_partial=is_partial)
    return Check(name="cargo clippy", kind="lint") if rest[:1] == ("clippy",) else None


def _go(words: tuple[str, ...]) -> Check | None:
    if words[1:2] == ("vet",):
        return Check(name="go vet", kind="lint")
    if words[1:2] != ("test",) or "-c" in words or "-list" in words:
        return None
    packages = [word for word in words[2:] if not word.startswith("-")]
    return Check(name="go test", kind="tests", is_partial="./..." not in packages or _is_partial(words[2:]))


def _scripts(words: tuple[str, ...]) -> Check | None:
    """npm, pnpm, yarn and bun: `npm test`, `pnpm -C web run lint`."""
    rest = behind_options(words[1:], RUNNER_OPTIONS)
    if rest[:1] == ("workspace",):
        rest = rest[2:]
    is_run = rest[:1] in (("run",), ("run-script",))
    rest = behind_options(rest[1:], RUNNER_OPTIONS) if is_run else rest
    if not rest:
        return None
    script = "test" if rest[0] in ("t", "tst") and not is_run else rest[0]
    kind = _kind_of_target(script)
    if kind is None:
        tool = _PROGRAMS.get(script) if not is_run and words[0] in ("yarn", "pnpm") else None
        return tool(rest) if tool is not None else None
    is_partial = kind == "tests" and (script not in ("test", "tests") or _is_partial(rest[1:]))
    return Check(name=f"{words[0]} {script}", kind=kind, is_partial=is_partial)


def _targets(words: tuple[str, ...]) -> Check | None:
    """make, just, task, gradle, …: the first target that is a check."""
    if words[0] == "make" and ({"-n", "-q"} & set(words)):
        return None
    for target in behind_options(words[1:], frozenset({"-C", "-f", "-j"})):
        kind = _kind_of_target(target)
        if kind is not None:
            return Check(name=f"{words[0]} {target}", kind=kind, is_partial=_is_part_target(target))
    return None


def _is_part_target(target: str) -> bool:
    return target not in ("test", "tests", "check", "verify", "lint", "typecheck", "types")


_TARGETS: tuple[tuple[re.Pattern[str], Kind], ...] = (
    (re.compile(r"(?:lint|eslint|ruff|clippy)(?:[:_.-]\w+)*"), "lint"),
    (re.compile(r"(?:type-?check|check[:_-]?types|types|tsc|mypy)(?:[:_.-]\w+)*"), "types"),
    (re.compile(r"(?:tests?|check|verify|unit-?tests?|e2e|pytest)(?:[:_.-](?!watch)\w+)*"), "tests"),
)


def _kind_of_target(target: str) -> Kind | None:
    return next((kind for form, kind in _TARGETS if form.fullmatch(target)), None)


def _dotnet(words: tuple[str, ...]) -> Check | None:
    return Check(name="dotnet test", kind="tests") if words[1:2] == ("test",) else None


def _test_command(words: tuple[str, ...]) -> Check | None:
    """`deno test`, `mix test`, …"""
    if words[1:2] != ("test",):
        return None
    return Check(name=f"{words[0]} test", kind="tests", is_partial=_is_partial(words[2:]))


def _unittest(words: tuple[str, ...]) -> Check | None:
    return Check(name="unittest", kind="tests", is_partial=len(words) > 1 and words[1] != "discover")


def _git(words: tuple[str, ...]) -> Check | None:
    rest = behind_options(words[1:], frozenset({"-C", "-c", "--git-dir", "--work-tree"}))
    if rest[:1] == ("commit",):
        return Check(name="git commit", kind="commit")
    return Check(name="git push", kind="push") if rest[:1] == ("push",) and "-n" not in rest else None


_PROGRAMS: dict[str, Callable[[tuple[str, ...]], Check | None]] = {
    **dict.fromkeys(
        ("pytest", "py.test", "tox", "nox", "jest", "vitest", "mocha", "ava", "phpunit", "rspec", "ctest"),
        _tool("tests"),
    ),
    **dict.fromkeys(("eslint", "flake8", "pylint", "shellcheck", "golangci-lint", "oxlint"), _tool("lint")),
    **dict.fromkeys(("tsc", "vue-tsc", "mypy", "pyright", "basedpyright"), _tool("types")),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), _scripts),
    **dict.fromkeys(("make", "gmake", "just", "task", "rake", "gradle", "gradlew", "mvn", "mvnw"), _targets),
    "ruff": _ruff,
    "biome": _biome,
    "cargo": _cargo,
    "go": _go,
    **dict.fromkeys(("deno", "flutter", "mix", "swift"), _test_command),
    "dotnet": _dotnet,
    "unittest": _unittest,
    "git": _git,
}

_WORDS = "|".join(re.escape(name) for name in sorted(_PROGRAMS) if name != "git")
CUE = re.compile(rf"(?<![\w.-])(?:{_WORDS}|git\b.{{0,200}}?\b(?:commit|push))(?![\w/-])")
"""A command without any of these words is no known check: looked for before anything dearer."""
