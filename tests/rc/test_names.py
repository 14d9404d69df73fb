from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.rc import names


@pytest.mark.parametrize(
    ("name", "kind", "order", "key"),
    [
        ("S10-constraints", "S", 10, "constraints"),
        ("S00-a", "S", 0, "a"),
        ("K90-task-state", "K", 90, "task-state"),
        ("S55-git_branch2", "S", 55, "git_branch2"),
        ("S10-" + "a" * 60, "S", 10, "a" * 60),
    ],
)
def test_a_name_of_the_pattern_is_taken_apart(name: str, kind: str, order: int, key: str) -> None:
    assert names.parse(name) == names.ScriptName(name, kind, order, key)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("S10-foo~", "backup"),
        (".S10-foo.swp", "backup"),
        ("#S10-foo#", "backup"),
        ("S10-foo.bak", "backup"),
        ("S10-foo.orig", "backup"),
        ("S10-foo.rej", "backup"),
        ("S10-foo.dpkg-dist", "backup"),
        ("S10-foo.rpmnew", "backup"),
        ("S10-foo.pacnew", "backup"),
        ("._S10-foo", "backup"),
        ("S10-foo.sh", "extension"),
        ("S10-Foo", "case"),
        ("s10-foo", "case"),
        ("foo", "number"),
        ("S1-foo", "number"),
        ("S100-foo", "number"),
        ("S10_foo", "number"),
        ("K10-foo", "number: K names belong in rc.d"),
        ("S10-", "name"),
        ("S10-1foo", "name"),
        ("S10-foo--bar", "name"),
        ("S10-föö", "name"),
        ("S10-foo\n", "name"),
        ("S10-" + "a" * 61, "name: longer than 64 bytes"),
    ],
)
def test_every_other_name_is_ignored_with_a_reason(name: str, reason: str) -> None:
    """NAM-1, NAM-2: upper case never runs, whatever a class of run-parts makes of it."""
    assert names.why_ignored(name) == reason
    parsed = names.parse(name)
    assert parsed is None or parsed.kind == "K"


@pytest.mark.parametrize("name", ["README", "README.md", ".gitkeep", ".gitignore"])
def test_the_few_usual_files_need_no_mention(name: str) -> None:
    assert names.parse(name) is None
    assert names.why_ignored(name) is None


def test_a_number_outside_the_plan_is_only_a_warning() -> None:
    """NAM-5."""
    early = names.parse("S05-mine")
    assert early is not None
    assert (
        names.plan_warning(early, "project") == "warning: 05 is outside 50-89, the plan for project scripts"
    )
    own = names.parse("S55-mine")
    assert own is not None
    assert names.plan_warning(own, "project") is None


@given(st.text())
def test_what_is_shown_of_a_name_never_steers_a_terminal(name: str) -> None:
    assert names.shown(name).isprintable()
    names.shown(name).encode()


@given(st.text(alphabet="SKsk0123456789-_abcXYZ.~#", max_size=12))
def test_a_name_either_parses_or_has_a_reason(name: str) -> None:
    parsed = names.parse(name)
    if parsed is None:
        assert names.why_ignored(name)
    else:
        assert f"{parsed.kind}{parsed.order:02}-{parsed.key}" == name
