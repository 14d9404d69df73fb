"""Every rule of the supervision contract is named in a test, or listed with the reason why it is not."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from supervision_coverage import NOT_NAMED, PAGE, REMARKS, all_rules, ids_in, named, page


def test_each_rule_is_named_in_a_test_or_has_its_reason() -> None:
    found, wanted = set(named()), set(all_rules())

    assert wanted - found - set(NOT_NAMED) == set()
    assert found & set(NOT_NAMED) == set(), "named by now: take it out of NOT_NAMED"
    assert (set(NOT_NAMED) | set(REMARKS)) - wanted == set()


def test_no_test_names_a_rule_that_there_is_not() -> None:
    assert set(named()) - set(all_rules()) == set()


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(named()), "run python tests/supervision_coverage.py"


def test_the_rules_are_those_of_the_contract(shared: Path) -> None:
    assert ids_in((shared / "design" / "supervision.md").read_text(encoding="utf-8")) == set(all_rules())
