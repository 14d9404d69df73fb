"""Checks of anchors: proved by what stands in the project's files, and by nothing outside of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentinitd.memory.checks import Checks, Proof, evaluate
from agentinitd.model.facts import Anchor

FILES = {
    "package.json": '{"scripts": {"test": "vitest", "build": "tsc"}}',
    "pyproject.toml": '[project.scripts]\nserve = "shop:main"\n[tool.poe.tasks]\nlint = "ruff"\n',
    "Makefile": "VAR := 1\ntest check: build\n\tpytest\n.PHONY: test\n",
    "justfile": "fmt arg='x':\n  cargo fmt\n",
    "Taskfile.yml": "tasks:\n  up: docker compose up\n",
    "src/billing.py": "def bill(\n    who: str, cents: int\n) -> Invoice:\n    ...\n\nRATE = 3\n",
    "src/load.ts": "export const load = async (id: string): Promise<Row> => {\n",
    "db.sql": "CREATE TABLE orders (id int);",
    "broken/package.json": "{",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def proof(project: Path, check: str, what: str = "x") -> Proof:
    return evaluate(Anchor(id="c-1", kind="constraint", what=what, check=check), project)


@pytest.mark.parametrize(
    "check",
    [
        "path src/billing.py",
        "path src",
        'text src/billing.py "RATE = 3"',
        "script package.json test",
        "script pyproject.toml serve",
        "script pyproject.toml lint",
        "script Makefile check",
        "script justfile fmt",
        "script Taskfile.yml up",
        "symbol src/billing.py bill",
        "symbol src/billing.py RATE",
        "symbol src/load.ts load",
        "symbol db.sql orders",
    ],
)
def test_what_is_there_is_proved(project: Path, check: str) -> None:
    assert proof(project, check).is_held is True


@pytest.mark.parametrize(
    ("check", "reason"),
    [
        ("path src/gone.py", "src/gone.py is gone"),
        ('text src/billing.py "RATE = 4"', "src/billing.py no longer has that text"),
        ('text src "x"', "src is no file"),
        ("script package.json e2e", "package.json no longer defines e2e"),
        ("script Makefile VAR", "Makefile no longer defines VAR"),
        ("symbol src/billing.py refund", "src/billing.py no longer defines refund"),
        ("symbol src/gone.py bill", "src/gone.py is gone"),
    ],
)
def test_what_is_there_no_longer_is_disproved(project: Path, check: str, reason: str) -> None:
    assert proof(project, check) == Proof(is_held=False, reason=reason)


def test_a_signature_that_changed_is_disproved_with_the_new_one(project: Path) -> None:
    check = "symbol src/billing.py bill"

    assert proof(project, check, "`bill(who: str, cents: int) -> Invoice`").is_held is True
    assert proof(project, check, "`bill(who: str, cents: int,)`").is_held is True
    assert proof(project, check, "`bill(who: str, amount: float)` makes one") == Proof(
        is_held=False, reason="in src/billing.py it is now `bill(who: str, cents: int) -> Invoice`"
    )


@pytest.mark.parametrize(
    ("check", "reason"),
    [
        ("run make test", "is no check"),
        ("path", "is no check"),
        ('text a "b', "a quotation mark is missing"),
        ("path ../secret", "leaves the project"),
        ("path /etc/passwd", "leaves the project"),
        ("path link", "leaves the project"),
        ("script src/billing.py bill", "no file whose scripts are known"),
        ("script broken/package.json test", "cannot be parsed"),
    ],
)
def test_what_cannot_be_evaluated_is_neither_and_says_why(project: Path, check: str, reason: str) -> None:
    (project / "link").symlink_to("/etc")

    found = proof(project, check)

    assert found.is_held is None
    assert reason in found.reason


def test_a_pipe_and_a_giant_keep_nobody_waiting(project: Path) -> None:
    os.mkfifo(project / "pipe")
    (project / "giant.txt").write_bytes(b"x" * (5 * 1024 * 1024))

    assert proof(project, 'text pipe "x"').is_held is False
    assert proof(project, 'text giant.txt "x"').is_held is None


def test_a_change_is_seen_and_what_did_not_change_is_known(project: Path) -> None:
    checks = Checks()
    anchor = Anchor(id="c-1", kind="constraint", what="x", check="script package.json test")

    first = checks.proof(anchor, project)
    assert first == checks.proof(anchor, project)
    assert first is not None and first.is_held
    (project / "package.json").write_text('{"scripts": {}}', encoding="utf-8")

    assert checks.proof(anchor, project) == Proof(is_held=False, reason="package.json no longer defines test")
    assert checks.proof(Anchor(id="c-2", kind="constraint", what="x"), project) is None
