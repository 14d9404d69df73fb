"""Signatures in pieces of source code, as somebody will have to call them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.memory.capture.signatures import may_differ, signatures


@pytest.mark.parametrize(
    ("file", "source", "text"),
    [
        ("a.py", "def total(x: int) -> int:\n    ...", "total(x: int) -> int"),
        (
            "src/billing.py",
            "async def bill(\n    who: str,  # the customer\n    *, key: str = 'a)b',\n) -> Invoice:\n",
            "bill(who: str, *, key: str = 'a)b') -> Invoice",
        ),
        ("a.py", "class A:\n    n = 1\n\n    def f(self, n: int = (1)): ...", "A.f(self, n: int = (1))"),
        ("a.ts", "export async function load(id: string): Promise<A> {\n", "load(id: string): Promise<A>"),
        ("a.tsx", "export const card = ({ a, b }: Props): Node => {\n", "card({ a, b }: Props): Node"),
        ("a.js", "function sum(a, b = [1, 2]) {\n", "sum(a, b = [1, 2])"),
        ("a.go", "func (s *Store) Get(id string) (*Row, error) {", "Get(id string) (*Row, error)"),
        ("a.rs", "  pub async fn read<T>(&self, at: u8) -> Vec<T> {", "read(&self, at: u8) -> Vec<T>"),
        ("A.kt", "  override suspend fun find(id: Long): User? {", "find(id: Long): User?"),
        ("A.java", "  public static Row rows(String q, int n) throws E {", "rows(String q, int n)"),
    ],
)  # fmt: skip
def test_it_stands_on_one_line_with_parameters_and_result(file: str, source: str, text: str) -> None:
    assert [each.text for each in signatures(source, file).values()] == [text]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("a.py", "def _private(): ...\ndef __len__(self): ..."),
        ("tests/test_a.py", "def helper(x): ..."),
        ("src/a.test.ts", "function helper(x) {"),
        ("a.py", "def unfinished(a, b"),
        ("notes.md", "def f(x): ..."),
        ("a.go", "func private(x int) {"),
        ("a.ts", "if (x) {\n  while (y) {"),
    ],
)
def test_what_nobody_calls_from_elsewhere_is_left_out(file: str, source: str) -> None:
    assert signatures(source, file) == {}


def test_the_last_of_two_equal_names_counts() -> None:
    found = signatures("def f(a): ...\ndef f(a, b): ...\n", "a.py")

    assert [each.text for each in found.values()] == ["f(a, b)"]


@given(
    st.text("def f(a:int=1)->{}[]'\"#\n ,*", max_size=200),
    st.sampled_from([".py", ".ts", ".go", ".rs", ".java"]),
)
def test_no_source_whatever_makes_it_fail(source: str, suffix: str) -> None:
    for found in signatures(source, "a" + suffix).values():
        assert "\n" not in found.text


_LINES = (
    "def f(a):",
    "def f(",
    "    a: int,",
    ") -> int:",
    "class A:",
    "    def g(self): ...",
    "x = 1",
    "",
    "# (",
)


@given(
    st.lists(st.sampled_from(_LINES), max_size=8),
    st.lists(st.sampled_from(_LINES), max_size=3),
    st.integers(0, 8),
    st.integers(0, 3),
)
def test_what_cannot_differ_does_not(before: list[str], new: list[str], at: int, gone: int) -> None:
    one, other = "\n".join(before), "\n".join([*before[:at], *new, *before[at + gone :]])

    if not may_differ(one, other, "a.py"):
        assert signatures(one, "a.py") == signatures(other, "a.py")


def test_most_edits_cannot_change_a_signature() -> None:
    before = "def total(\n    rows: list[int],\n) -> int:\n    done = 0\n    return done\n"

    assert not may_differ(before, before.replace("done = 0", "done = sum(rows)"), "a.py")
    assert may_differ(before, before.replace("list[int]", "list[float]"), "a.py")
    assert not may_differ(before, before.replace("list[int]", "list[float]"), "a.txt")


def test_an_edit_within_a_signature_that_holds_another_is_looked_at() -> None:
    before = "def f(\n    def g(self): ...\n    a: int,"

    assert may_differ(before, before + "\n) -> int:", "a.py")


def test_a_function_that_moves_to_another_class_is_another() -> None:
    before = "class A:\n    def f(self) -> int: ...\n\n\nclass B:\n    x = 1"
    after = "class A:\n    x = 1\n\n\nclass B:\n    def f(self) -> int: ..."

    assert signatures(before, "a.py") != signatures(after, "a.py")
    assert may_differ(before, after, "a.py")
