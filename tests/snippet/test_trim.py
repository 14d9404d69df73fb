"""In which order items are taken in."""

from __future__ import annotations

from agentinitd.model.facts import Priority
from agentinitd.model.snippets import Fragment, Item
from agentinitd.snippet.trim import by_importance, chars_of, pieces_of


def fragment(
    key: str, *items: tuple[str, Priority], is_essential: bool = False, is_project: bool = False
) -> Fragment:
    made = tuple(Item(text=text, priority=priority) for text, priority in items)
    return Fragment(key=key, section=key, items=made, is_essential=is_essential, is_project=is_project)


def order(*fragments: Fragment) -> list[str]:
    return [piece.text for piece in by_importance(tuple(pieces_of(fragments)))]


def test_critical_comes_before_essential_before_normal_before_low() -> None:
    rules = fragment("rules", ("low", "low"), ("normal", "normal"), ("critical", "critical"))
    task = fragment("task", ("essential", "normal"), is_essential=True)

    assert order(rules, task) == ["critical", "essential", "normal", "low"]


def test_the_first_item_of_each_section_comes_before_the_second_of_any() -> None:
    decisions = fragment("decisions", ("d1", "normal"), ("d2", "normal"), ("d3", "normal"))
    branch = fragment("git-branch", ("main", "normal"))

    assert order(decisions, branch) == ["d1", "main", "d2", "d3"]


def test_what_a_projects_script_calls_critical_comes_after_what_the_owner_recorded() -> None:
    loud = fragment("loud", ("l1", "critical"), ("l2", "normal"), is_essential=True, is_project=True)
    rules = fragment("rules", ("r1", "normal"), is_essential=True)
    quiet = fragment("quiet", ("q1", "normal"))

    assert order(loud, rules, quiet) == ["r1", "l1", "l2", "q1"]


def test_a_section_of_low_items_has_no_first_of_its_own() -> None:
    hints = fragment("hints", ("h1", "low"))
    decisions = fragment("decisions", ("d1", "normal"), ("d2", "normal"))

    assert order(hints, decisions) == ["d1", "d2", "h1"]


def test_a_character_beyond_the_basic_plane_counts_as_two() -> None:
    assert chars_of("a中😀") == 4
