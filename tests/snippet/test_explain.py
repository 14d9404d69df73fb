"""For every item: why it is in, why it is out, and where it stands."""

from __future__ import annotations

from agentinitd.memory.search_tokens import index_text
from agentinitd.model.snippets import Fragment, Item
from agentinitd.model.work import RecentWork
from agentinitd.snippet.compose import Composition, compose
from agentinitd.snippet.explain import explain, explanation_json
from agentinitd.snippet.relevance import Relevance
from agentinitd.snippet.tokens import estimate

RULES = Fragment(
    key="constraints",
    section="Constraints",
    items=(
        Item(text="- never push", priority="critical"),
        *(Item(text=f"- rule number {n} of the house") for n in range(8)),
        Item(text="- rule of refund.py"),
        Item(text="- perhaps", priority="low"),
    ),
)
TASK = Fragment(key="task-state", section="Task state", items=(Item(text="- Next: run"),), is_essential=True)
WORK = Relevance(work=RecentWork(files=("refund.py",)), words=index_text)


def composed(budget: int) -> Composition:
    return compose((RULES, TASK), budget_tokens=budget, language="en", count=estimate, relevance=WORK)


def test_with_room_for_all_everything_says_so() -> None:
    items = explain(composed(500), estimate)

    assert [item.why for item in items if item.rank in ("normal", "low")] == ["there is room for all"] * 10
    assert all(item.is_in for item in items)


def test_under_a_tight_budget_each_has_its_reason_and_its_place() -> None:
    items = {item.text: item for item in explain(composed(75), estimate)}

    assert [(item.place, item.is_in, item.why) for item in items.values()][:4] == [
        (1, True, "critical: always kept"),
        (2, True, "of an essential section: always kept"),
        (3, True, "touches recent work, and there was room"),
        (4, True, "there was room"),
    ]
    assert items["- rule of refund.py"].reasons == ("names refund.py", "words refund")
    last = items["- rule number 7 of the house"]
    assert (last.is_in, last.why) == (False, f"no room was left for its {last.tokens} tokens")
    assert items["- perhaps"].why.startswith("low priority leaves first")
    assert [item.place for item in items.values()] == list(range(1, 13))


def test_as_json_it_adds_up() -> None:
    made = composed(75)
    told = explanation_json(made, estimate)

    assert told["snippet"] == made.snippet.id
    assert sum(item["in"] for item in told["items"]) == told["kept"]
    assert sum(not item["in"] for item in told["items"]) == told["left_out"]
    assert told["items"][2] == {
        "place": 3, "in": True, "why": "touches recent work, and there was room", "section": "Constraints",
        "rank": "normal", "tokens": 5, "relevance": 5.0, "touches": ["names refund.py", "words refund"],
        "text": "- rule of refund.py",
    }  # fmt: skip
