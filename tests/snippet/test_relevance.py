"""What has to do with the work at hand: by files, names and words."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.memory.search_tokens import index_text
from agentinitd.model.snippets import Fragment, Item
from agentinitd.model.work import RecentWork
from agentinitd.snippet.compose import Composition, compose
from agentinitd.snippet.relevance import UNTOUCHED, Relevance, is_match
from agentinitd.snippet.tokens import estimate


def relevance(
    *, applies: dict[str, tuple[str, ...]] | None = None, roots: tuple[str, ...] = (), **work: object
) -> Relevance:
    return Relevance(work=RecentWork(**work), words=index_text, roots=roots, applies=applies or {})  # type: ignore[arg-type]


def section(key: str, *texts: str, **more: object) -> Fragment:
    items = tuple(Item(text=f"- {text}", **more) for text in texts)  # type: ignore[arg-type]
    return Fragment(key=key, section=key, items=items)


def composed(*fragments: Fragment, budget: int, by: Relevance | None = None) -> Composition:
    return compose(fragments, budget_tokens=budget, language="en", count=estimate, relevance=by)


@pytest.mark.parametrize(
    ("glob", "file", "expected"),
    [
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/x/y/a.py", True),
        ("**/test_*.py", "tests/x/test_a.py", True),
        ("*.md", "docs/deep/a.md", True),
        ("services/billing/", "services/billing/refund.py", True),
        ("services/bill", "services/billing/refund.py", False),
        ("./docs/**", "docs/a/b.md", True),
        ("Makefile", "sub/Makefile", True),
        ("a?.py", "ab.py", True),
        ("", "a.py", False),
        ("*" * 300, "a.py", False),
        ("/".join(["**", "*a*"] * 40), "a/" * 200 + "b", False),
    ],
)
def test_globs(glob: str, file: str, expected: bool) -> None:
    assert is_match(glob, file) is expected


@pytest.mark.parametrize("flood", ["x", "-", "a.", "a-", "x/"])
def test_a_flood_without_an_end_is_looked_at_once(flood: str) -> None:
    """Looked at from each of its letters it would hold everybody up for minutes."""
    by = relevance(files=("src/refund.py",))

    assert "names src/refund.py" in by.touches([flood * 100_000, "See src/refund.py."])[1].reasons


class TestTouches:
    def test_the_files_that_an_anchor_is_about(self) -> None:
        by = relevance(
            applies={"round half up": ("services/*/money.py",), "ask first": ("infra/**",)},
            roots=("/srv/shop",),
            files=("/srv/shop/services/billing/money.py",),
        )

        warned = "- round half up (written 9 d ago, never checked)\n  cents"
        touches = by.touches(["- round half up", warned, "- ask first", "- other"])

        assert [touch.reasons for touch in touches] == [
            ("applies to services/*/money.py",),
            ("applies to services/*/money.py",),
            (),
            (),
        ]

    @pytest.mark.parametrize(
        "text",
        [
            "- keep `billing/refund.py` free of floats",
            "- refund.py is generated",
            "- only services/billing/ may change",
            "- no network in services/*/refund.py",
        ],
    )
    def test_names_in_the_text(self, text: str) -> None:
        by = relevance(files=("services/billing/refund.py",))

        touch, other, another = by.touches([text, "- nothing in mailer/invoice.py", "- see lib/fund.py"])
        assert touch.score == 5.0 and touch.reasons[0].startswith("names ")
        assert other == another == UNTOUCHED

    def test_words_of_messages_and_commands_the_rare_ones_more(self) -> None:
        by = relevance(words="会话 缓存 tests", commands=("pytest -k invoice",))

        texts = ["- 会话缓存用 Redis", "- the tests run in CI", "- the invoice number", "- the lamp"]
        cache, tests, invoice, lamp = by.touches(texts)

        assert (cache.reasons, invoice.reasons) == (("words 会话 缓存",), ("words invoice",))
        assert max(cache.score, tests.score, invoice.score) == 2.0
        assert lamp == UNTOUCHED

    @given(
        st.lists(st.text(max_size=40), max_size=8),
        st.text(max_size=40),
        st.lists(st.text(max_size=20), max_size=3),
    )
    def test_it_never_fails_and_equal_input_gives_equal_touches(
        self, texts: list[str], words: str, files: list[str]
    ) -> None:
        by = relevance(words=words, files=tuple(files), applies={text: tuple(files) for text in texts})

        assert by.touches(texts) == by.touches(texts)
        assert len(by.touches(texts)) == len(texts)


class TestTrimming:
    rules = section(
        "rules", *(f"rule {n} about the {word} module" for n, word in enumerate("abcdefghijkl" * 3))
    )
    decisions = section("decisions", *(f"decision {n}" for n in range(20)), "use Redis for refund.py")

    def test_what_touches_the_work_is_kept_and_stands_where_it_stood(self) -> None:
        rules = section(
            "rules", *(f"rule {n} holds" for n in range(30)), "rule of src/refund.py", "rule 31 holds"
        )
        by = relevance(files=("src/refund.py",))

        without = composed(rules, budget=150).snippet
        with_work = composed(rules, budget=150, by=by).snippet

        assert "refund" not in without.text
        lines = [line for line in with_work.text.splitlines() if line.startswith("- ")]
        assert lines[-1] == "- rule of src/refund.py"
        assert lines[:-1] == [f"- rule {n} holds" for n in range(len(lines) - 1)]
        assert with_work.tokens <= 150

    def test_it_counts_within_a_section_and_a_rank_only(self) -> None:
        by = relevance(files=("refund.py",))
        first = section("rules", "rule one is short", "rule two is short", "rule three is short")
        low = section("hints", "hint about refund.py", priority="low")
        late = section("decisions", "a decision of old", "a decision about refund.py")

        order = [piece.text for piece in composed(first, low, late, budget=60, by=by).order]

        assert order == [
            "- rule one is short",
            "- a decision about refund.py",
            "- rule two is short",
            "- rule three is short",
            "- a decision of old",
            "- hint about refund.py",
        ]

    def test_with_room_for_all_it_is_not_even_asked(self) -> None:
        by = relevance(files=("refund.py",))

        plain, asked = composed(self.decisions, budget=500), composed(self.decisions, budget=500, by=by)

        assert asked == plain
        assert asked.is_whole and not asked.touches
        assert not asked.is_moved_by(by)

    def test_only_work_that_moves_something_makes_an_old_choice_stale(self) -> None:
        by = relevance(files=("src/refund.py",))
        made = composed(self.rules, self.decisions, budget=120, by=by)

        assert "refund.py" in made.snippet.text
        assert not made.is_moved_by(by)
        assert not made.is_moved_by(relevance(files=("x.py", "src/refund.py"), words="quokka"))
        assert made.is_moved_by(relevance(files=("x.py",)))

    def test_the_order_of_the_work_is_no_input(self) -> None:
        files = [f"src/{name}.py" for name in ("refund", "a", "b", "c")]
        texts = set()
        for seed in range(5):
            random.Random(seed).shuffle(files)
            texts.add(
                composed(
                    self.rules, self.decisions, budget=150, by=relevance(files=tuple(files))
                ).snippet.text
            )

        assert len(texts) == 1
