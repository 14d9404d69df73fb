"""What the exit status of a shell command says of its parts: only what surely follows."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentinitd.memory.shell import ran

HEREDOC = "git commit -m \"$(cat <<'EOF'\nfix: don't (break\n\nEOF\n)\" && git push"


def told(command: str, outcome: bool | None) -> dict[str, bool | None]:
    return {" ".join(each.words): each.has_succeeded for each in ran(command, has_succeeded=outcome)}


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("pytest -q", {"pytest -q": True}),
        ("cd x && pytest -q", {"cd x": True, "pytest -q": True}),
        ("pytest | tail -5", {"pytest": None, "tail -5": True}),
        ("pytest 2>&1 | tee log && echo ok", {"pytest": None, "tee log": True, "echo ok": True}),
        ("pytest |& tail", {"pytest": None, "tail": True}),
        ("set -o pipefail; pytest | tail", {"set -o pipefail": None, "pytest": None, "tail": True}),
        ("pytest; echo done", {"pytest": None, "echo done": True}),
        ("pytest\necho done", {"pytest": None, "echo done": True}),
        ("echo go; pytest", {"echo go": None, "pytest": True}),
        ("pytest || true", {"pytest": None, "true": None}),
        ("pytest || exit 1", {"pytest": True}),
        ("pytest || echo bad && ls", {"pytest": None, "echo bad": None, "ls": True}),
        ("pytest &", {"pytest": None}),
        ("! grep x y", {"grep x y": False}),
        (
            "set -euo pipefail; npm ci; npm test",
            {"set -euo pipefail": True, "npm ci": True, "npm test": True},
        ),
        ("(cd web && npm test)", {"cd web": True, "npm test": True}),
        ("{ a; b; } && c", {"a": None, "b": True, "c": True}),
        ("bash -lc 'cd x && npm test'", {"cd x": True, "npm test": True}),
        ("for i in 1 2; do pytest; done", {"i in 1 2": None, "pytest": None}),
        ("if pytest; then echo ok; fi", {"pytest": None, "echo ok": None}),
        ("pytest > out.txt 2>&1", {"pytest": True}),
        ("pytest &> out.txt", {"pytest": True}),
        ("A=1 B='x y' pytest", {"A=1 B=x y pytest": True}),
        ("pytest # not: && make", {"pytest": True}),
        ("echo 'a; b' \"c && d\" e\\ f", {"echo a; b c && d e f": True}),
        ("a &&\n b", {"a": True, "b": True}),
        ("a \\\n -b", {"a -b": True}),
        ("cat > f.sh <<'EOF'\npytest && x\nEOF\nmake test", {"cat": None, "make test": True}),
        ("echo $(pytest; ls) `make`", {"echo $(pytest; ls) `make`": True}),
        ("diff <(a) <(b)", {"diff <(a) <(b)": True}),
        ("", {}),
    ],
)
def test_a_success_proves_what_it_must(command: str, known: dict[str, bool | None]) -> None:
    assert told(command, True) == known


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("pytest -q", {"pytest -q": False}),
        ("cd x && pytest -q", {"cd x": None, "pytest -q": False}),
        ("ruff check . && pytest", {"ruff check .": None, "pytest": None}),
        ("pytest || true", {"pytest": False, "true": False}),
        ("pytest || exit 1", {"pytest": False}),
        ("pytest; echo done", {"pytest": None, "echo done": False}),
        ("pytest | tail", {"pytest": None, "tail": False}),
        ("set -e; npm ci; npm test", {"set -e": None, "npm ci": None, "npm test": None}),
    ],
)
def test_a_failure_is_that_of_one_command_only_where_no_other_can_be_meant(
    command: str, known: dict[str, bool | None]
) -> None:
    assert told(command, False) == known


def test_a_commit_message_in_a_here_document_is_one_word() -> None:
    commit, push = ran(HEREDOC, has_succeeded=True)

    assert commit.words[:3] == ("git", "commit", "-m")
    assert len(commit.words) == 4
    assert push.words == ("git", "push")


def test_without_an_outcome_nothing_is_known() -> None:
    assert set(told("a && b; c | d", None).values()) == {None}


@pytest.mark.parametrize(
    "torn", ["$(" * 9000, "(" * 9000, '"$(' * 9000, "{ " * 9000, "'", '"', "a <<EOF\nx", "`"]
)
def test_torn_and_nested_text_ends_in_time_and_without_an_error(torn: str) -> None:
    assert len(ran(torn, has_succeeded=True)) <= 200


@given(st.text(alphabet="ab '\"\\;&|()<>$`#\n{}!-=E", max_size=40), st.booleans())
@settings(max_examples=150)
def test_no_text_whatever_makes_it_fail(command: str, outcome: bool) -> None:
    for each in ran(command, has_succeeded=outcome):
        assert each.words
