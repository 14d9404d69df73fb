"""Composing: whole items in script order within the budget, and the same bytes for the same input."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.model.facts import Language, Priority
from agentinitd.model.snippets import Fragment, Item, Snippet
from agentinitd.snippet.compose import MAX_CHARS, compose
from agentinitd.snippet.frame import first_line, last_line
from agentinitd.snippet.tokens import TokenCounter, estimate

COUNTER = TokenCounter()


def items(*texts: str, priority: Priority = "normal") -> tuple[Item, ...]:
    return tuple(Item(text=f"- {text}", priority=priority) for text in texts)


def section(name: str, *parts: Item, is_essential: bool = False, note: str | None = None) -> Fragment:
    return Fragment(key=name, section=name.title(), items=parts, is_essential=is_essential, note=note)


def composed(
    *fragments: Fragment,
    budget: int = 500,
    language: Language = "en",
    notes: tuple[str, ...] = (),
    unserved: int = 0,
    count: Callable[[str], int] = COUNTER.count,
) -> Snippet:
    return compose(
        fragments, budget_tokens=budget, language=language, notes=notes, unserved=unserved, count=count
    ).snippet


def numbered(name: str, count: int, priority: Priority = "normal") -> tuple[Item, ...]:
    return items(*(f"{name} {number} must stay as it is" for number in range(count)), priority=priority)


class TestAside:
    """What is said of an item besides: its reason."""

    RULES = section(
        "rules",
        Item(text="- mock all calls", aside="  because CI has no network"),
        Item(text="- never push", aside="  because it deploys at once"),
    )

    def test_it_stands_below_its_item_where_there_is_room(self) -> None:
        text = composed(self.RULES).text

        assert (
            "- mock all calls\n  because CI has no network\n- never push\n  because it deploys at once\n"
            in text
        )

    def test_it_leaves_before_any_item_and_is_not_counted_among_what_is_left_out(self) -> None:
        last = section("last", *items("the last of all", priority="low"))
        whole = composed(self.RULES, last)

        snippet = composed(self.RULES, last, budget=whole.tokens - 1)

        assert (snippet.kept, snippet.omitted) == (3, 0)
        assert "because CI has no network" in snippet.text
        assert "deploys" not in snippet.text

    def test_it_is_not_said_without_its_item(self) -> None:
        long = Item(text="- " + "long " * 200, aside="  because it is so")

        snippet = composed(section("rules", long, *items("short")), budget=120)

        assert "- short" in snippet.text
        assert "because" not in snippet.text


def test_a_small_memory_is_shown_whole_in_script_order() -> None:
    """OUT-8."""
    snippet = composed(section("constraints", *items("a", "b")), section("decisions", *items("c")))

    assert re.sub(r"\b[0-9a-f]{12}\b", "ID", snippet.text) == (
        "Recorded by the project's owner, in force now (agentinitd ID):\n"
        "\n## Constraints\n- a\n- b\n"
        "\n## Decisions\n- c\n"
        "\nWhen unsure, check these first; do not assume.\n"
    )
    assert (snippet.kept, snippet.omitted, snippet.is_over_budget) == (3, 0, False)
    assert snippet.tokens == COUNTER.count(snippet.text)


def test_the_id_is_that_of_the_text_without_it() -> None:
    snippet = composed(section("tools", *items("a")))

    assert snippet.text.splitlines()[0] == first_line(snippet.id, "en")
    assert sha256(snippet.text.replace(snippet.id, "", 1).encode()).hexdigest()[:12] == snippet.id


def test_equal_input_gives_equal_bytes_and_a_change_gives_another_id() -> None:
    fragments = (section("tools", *numbered("t", 90)), section("decisions", *numbered("d", 90)))

    assert composed(*fragments) == composed(*fragments)
    assert composed(*fragments).id != composed(fragments[0]).id


def test_late_sections_are_left_out_first_and_one_line_says_how_many() -> None:
    snippet = composed(section("constraints", *numbered("c", 20)), section("decisions", *numbered("d", 60)))

    assert snippet.text.count("c ") >= 20
    assert 0 < snippet.omitted < 60
    assert f"{snippet.omitted} left out; all: `agentinitd snippet --budget 1000`" in snippet.text
    assert "d 0 must" in snippet.text
    assert "d 59 must" not in snippet.text
    assert 450 <= snippet.tokens <= 500


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", "{} left out; search them: `agentinitd recall WORDS`"),
        ("zh", "{} 条未列，可搜索：`agentinitd recall 词语`"),
    ],
)
@pytest.mark.parametrize("size", [3, 90])
def test_what_reached_no_script_is_counted_and_no_budget_is_promised_to_show_it(
    language: Language, line: str, size: int
) -> None:
    fragment = section("decisions", *numbered("d", size))
    snippet = composed(fragment, language=language, unserved=800)

    assert snippet.omitted == 800 + size - snippet.kept
    assert line.format(snippet.omitted) in snippet.text.splitlines()
    assert "--budget" not in snippet.text
    assert snippet.tokens <= 500
    assert snippet == composed(fragment, language=language, unserved=800)


def test_low_priority_is_left_out_before_anything_else() -> None:
    snippet = composed(
        section("constraints", *numbered("low", 30, "low"), *items("kept")),
        section("decisions", *numbered("d", 40)),
    )

    assert snippet.text.count("d ") >= 40
    assert "- kept" in snippet.text
    assert "low 29" not in snippet.text


def test_critical_items_and_essential_sections_stay_whatever_the_budget() -> None:
    snippet = composed(
        section("constraints", *numbered("c", 30), *items("never push", priority="critical")),
        section("task", *numbered("t", 12), is_essential=True),
        section("decisions", *items("because of x", priority="critical")),
        budget=60,
    )

    assert "- never push" in snippet.text
    assert "- because of x" in snippet.text
    assert snippet.text.count("t ") >= 12
    assert "c 0" not in snippet.text
    assert snippet.is_over_budget
    assert snippet.omitted == 30


def test_what_its_own_script_calls_low_may_go_even_from_an_essential_section() -> None:
    snippet = composed(
        section("task", *items("next"), *numbered("done", 9, "low"), is_essential=True), budget=60
    )

    assert "- next" in snippet.text
    assert snippet.omitted == 9
    assert not snippet.is_over_budget


def test_an_item_too_large_for_any_budget_does_not_keep_out_the_others() -> None:
    snippet = composed(section("constraints", *items("word " * 900), *numbered("c", 5)))

    assert (snippet.kept, snippet.omitted) == (5, 1)


def test_the_note_of_a_section_stays_even_without_items() -> None:
    snippet = composed(
        section("tools", note="no output: exit 1"), section("constraints", *numbered("c", 90)), budget=90
    )

    assert "## Tools\n(no output: exit 1)\n" in snippet.text


def test_lines_about_trouble_come_right_after_the_first_line() -> None:
    """FAIL-3."""
    snippet = composed(section("tools", *items("a")), notes=("Degraded: S20.", "", "1 pending\n# x"))

    assert snippet.text.splitlines()[1:4] == ["Degraded: S20.", "1 pending # x", ""]
    assert composed(notes=("Degraded: S20.",)).text.splitlines()[1] == "Degraded: S20."


def test_nothing_to_say_is_an_empty_text() -> None:
    assert composed().text == ""
    assert composed(section("tools")).text == ""


@pytest.mark.parametrize("letter", ["x", "字", "😀"])
def test_nothing_is_ever_longer_than_agents_show_and_the_most_important_stays(letter: str) -> None:
    def counted_as_javascript_does(text: str) -> int:
        return len(text.encode("utf-16-le")) // 2

    snippet = composed(
        section(
            "constraints",
            *items(letter * 9000, *(f"{n} " + letter * 300 for n in range(60)), priority="critical"),
        ),
        section("task", *items(*(letter * 200 for _ in range(60))), is_essential=True),
        *(section(f"s{n}", note="no output: " + letter * 250) for n in range(60)),
        notes=tuple(letter * 1000 for _ in range(20)),
        budget=20_000,
    )

    assert counted_as_javascript_does(snippet.text) <= MAX_CHARS
    assert snippet.text.endswith(last_line("en") + "\n")
    assert snippet.kept > 0
    assert f"{snippet.omitted} left out" in snippet.text


def test_the_frame_speaks_chinese() -> None:
    snippet = composed(section("constraints", *items("不要推送")), language="zh")

    assert "## 约束\n- 不要推送\n" in snippet.text
    assert snippet.text.endswith("不确定时先核对以上内容，不要假设。\n")


def test_a_project_section_says_where_it_comes_from() -> None:
    """TRU-12."""
    fragment = Fragment(key="git", section="Git", items=items("main"), is_project=True)

    assert "## Git (from the project's scripts)\n" in composed(fragment).text


def test_ten_thousand_items_are_counted_only_as_far_as_they_may_fit() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return estimate(text)

    composed(section("decisions", *numbered("d", 10_000)), count=count)

    assert len(counted) < 200
    assert sum(map(len, counted)) < 100_000


PRIORITIES: st.SearchStrategy[Priority] = st.sampled_from(["critical", "normal", "normal", "low"])
TEXTS = st.text("ab中文 .\n`😀", min_size=1, max_size=60).map(lambda text: f"- {text.strip()}")
FRAGMENTS = st.lists(
    st.builds(
        lambda texts, is_essential: (texts, is_essential),
        st.lists(st.tuples(TEXTS, PRIORITIES), max_size=8),
        st.booleans(),
    ),
    max_size=5,
)


@given(FRAGMENTS, st.integers(60, 300), st.sampled_from(["en", "zh"]))
def test_whatever_is_composed_the_promises_hold(
    parts: list[tuple[list[tuple[str, Priority]], bool]], budget: int, language: Language
) -> None:
    """No item is cut, the order is kept, and only what is protected may exceed the budget."""
    fragments = []
    for number, (texts, is_essential) in enumerate(parts):
        unique = tuple(
            Item(text=f"{text} <{number}.{place}>", priority=priority)
            for place, (text, priority) in enumerate(texts)
        )
        fragments.append(section(f"s{number}", *unique, is_essential=is_essential))

    snippet = composed(*fragments, budget=budget, language=language)

    every = [(fragment, item) for fragment in fragments for item in fragment.items]
    kept = [(fragment, item) for fragment, item in every if f"{item.text}\n" in snippet.text]
    marks = re.findall(r"<\d\.\d>", snippet.text)
    assert marks == [re.findall(r"<\d\.\d>", item.text)[0] for _, item in kept]
    assert (snippet.kept, snippet.omitted) == (len(kept), len(every) - len(kept))
    protected = [
        pair
        for pair in every
        if pair[1].priority == "critical" or (pair[0].is_essential and pair[1].priority != "low")
    ]
    assert all(pair in kept for pair in protected)
    assert snippet.tokens == COUNTER.count(snippet.text)
    assert snippet.is_over_budget == (snippet.tokens > budget)
    assert snippet.tokens <= budget or len(kept) == len(protected)
    assert bool(snippet.omitted) == ("agentinitd snippet --budget" in snippet.text)
