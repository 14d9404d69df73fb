"""Known checks are recognised by their words, and what proves nothing is none."""

from __future__ import annotations

import shlex

import pytest

from agentinitd.memory.check_runs import CUE, Check, check_of

TESTS, LINT, TYPES = "tests", "lint", "types"


@pytest.mark.parametrize(
    ("command", "name", "kind", "is_partial"),
    [
        ("pytest -q", "pytest", TESTS, False),
        ("pytest -n 4 tests", "pytest", TESTS, False),
        ("pytest -p no:cacheprovider", "pytest", TESTS, False),
        ("pytest tests/test_a.py", "pytest", TESTS, True),
        ("pytest tests/unit", "pytest", TESTS, True),
        ("pytest -k credit", "pytest", TESTS, True),
        ("pytest tests/test_a.py::test_b", "pytest", TESTS, True),
        ("python -m unittest discover", "unittest", TESTS, False),
        ("npm test", "npm test", TESTS, False),
        ("npm t", "npm test", TESTS, False),
        ("npm test -- src/a.test.ts", "npm test", TESTS, True),
        ("pnpm -C web run test", "pnpm test", TESTS, False),
        ("yarn workspace a test", "yarn test", TESTS, False),
        ("npm run test:unit", "npm test:unit", TESTS, True),
        ("yarn jest", "jest", TESTS, False),
        ("npx vitest run -t name", "vitest", TESTS, True),
        ("cargo test", "cargo test", TESTS, False),
        ("cargo +nightly test --workspace -- --nocapture", "cargo test", TESTS, False),
        ("cargo test parser", "cargo test", TESTS, True),
        ("mix test", "mix test", TESTS, False),
        ("mix test test/a_test.exs", "mix test", TESTS, True),
        ("deno test", "deno test", TESTS, False),
        ("go test ./...", "go test", TESTS, False),
        ("go test ./pkg/a", "go test", TESTS, True),
        ("make -C sub -j4 test", "make test", TESTS, False),
        ("./gradlew test", "gradlew test", TESTS, False),
        ("ruff check .", "ruff", LINT, False),
        ("npx eslint src/a.ts", "eslint", LINT, True),
        ("npm run lint", "npm lint", LINT, False),
        ("cargo clippy --all", "cargo clippy", LINT, False),
        ("npx tsc --noEmit", "tsc", TYPES, False),
        ("mypy agentinitd", "mypy", TYPES, False),
        ("npm run typecheck", "npm typecheck", TYPES, False),
        ("git -C a commit -am 'x'", "git commit", "commit", False),
        ("git push origin main", "git push", "push", False),
    ],
)
def test_a_check_is_known_by_its_words(command: str, name: str, kind: str, is_partial: bool) -> None:
    assert check_of(shlex.split(command)) == Check(name=name, kind=kind, is_partial=is_partial)  # type: ignore[arg-type]
    assert CUE.search(command)


@pytest.mark.parametrize(
    "command",
    [
        "pytest --version", "pytest --collect-only", "cargo test --no-run", "make -n test",
        "git status", "git commit-tree x", "npm install", "npm run build", "npm run test:watch",
        "ruff format .", "git commit --dry-run",
        "ruff check --exit-zero", "make", "cat pytest.ini", "echo pytest", "go build ./...", "cargo build",
        "vim test", "python manage.py migrate", "npm", "ls", "git push -n",
    ],
)  # fmt: skip
def test_what_proves_nothing_is_no_check(command: str) -> None:
    assert check_of(shlex.split(command)) is None
