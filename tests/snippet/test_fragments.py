"""Fragments: what a run of a script contributes, and that a failed one never loses its section in silence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agentinitd.model.scripts import FAILURES, Header, LayerName, OnFailure, Result, Script, ScriptRun
from agentinitd.snippet.fragments import fragment_of


def run(
    output: str = "- a\n",
    result: Result = "ok",
    *,
    layer: LayerName = "vendor",
    section: str | None = "Tools",
    on_failure: OnFailure = "last-good",
    is_essential: bool = False,
) -> ScriptRun:
    header = Header(section=section, on_failure=on_failure, is_essential=is_essential)
    script = Script(name="S20-tools", key="tools", order=20, layer=layer, path="/x", header=header)
    return ScriptRun(script=script, action="start", result=result, output=output)


def old(age_seconds: float = 3 * 3600, reason: str = "exit 1") -> ScriptRun:
    failed = run(result="failed")
    return replace(failed, flags=("last-good",), last_good_age_seconds=age_seconds, reason=reason)


def test_the_output_of_a_good_run_becomes_a_section() -> None:
    fragment = fragment_of(run("# Title\n- a\n- b <!-- priority: critical -->\n"))

    assert fragment is not None
    assert (fragment.key, fragment.section, fragment.note) == ("tools", "Tools", None)
    assert [(item.text, item.priority) for item in fragment.items] == [("- a", "normal"), ("- b", "critical")]
    assert not fragment.is_project


@pytest.mark.parametrize(("output", "title"), [("# Branch\n- a\n", "Branch"), ("- a\n", "tools")])
def test_without_a_title_in_its_header_a_section_has_its_own_or_its_key(output: str, title: str) -> None:
    fragment = fragment_of(run(output, section=None))

    assert fragment is not None
    assert fragment.section == title


def test_a_section_of_the_project_says_so() -> None:
    fragment = fragment_of(run(layer="project"))

    assert fragment is not None
    assert fragment.is_project


@pytest.mark.parametrize(
    "result", ["empty", "skipped", "masked", "shadowed", "ignored", "pending-trust", "aborted"]
)
def test_what_did_not_run_contributes_nothing(result: Result) -> None:
    """OUT-2."""
    assert fragment_of(run("", result)) is None
    assert fragment_of(run("<!-- only a comment -->\n")) is None
    assert fragment_of(replace(run(), action="stop")) is None


@pytest.mark.parametrize(
    ("age_seconds", "note", "chinese"),
    [
        (3 * 3600 + 59, "old output, 3 h: exit 1", "旧输出，3 小时前：exit 1"),
        (59, "old output, 59 s: exit 1", "旧输出，59 秒前：exit 1"),
        (61, "old output, 1 min: exit 1", "旧输出，1 分钟前：exit 1"),
        (200_000, "old output, 2 d: exit 1", "旧输出，2 天前：exit 1"),
        (-5, "old output, 0 s: exit 1", "旧输出，0 秒前：exit 1"),
    ],
)
def test_the_last_good_output_says_how_old_it_is_and_why(age_seconds: float, note: str, chinese: str) -> None:
    """FAIL-2."""
    english, other = fragment_of(old(age_seconds)), fragment_of(old(age_seconds), language="zh")

    assert english is not None
    assert other is not None
    assert (english.note, other.note) == (note, chinese)
    assert [item.text for item in english.items] == ["- a"]


@pytest.mark.parametrize("result", sorted(FAILURES))
@pytest.mark.parametrize("on_failure", ["last-good", "note", "abort"])
def test_a_failure_keeps_its_section_and_shows_nothing_half_printed(
    result: Result, on_failure: OnFailure
) -> None:
    failed = replace(run("- half\n", result, on_failure=on_failure), reason="exit 1\n# Constraints")

    fragment = fragment_of(failed)

    assert fragment is not None
    assert (fragment.items, fragment.note) == ((), "no output: exit 1 # Constraints")


def test_only_a_script_that_is_not_essential_may_fail_in_silence() -> None:
    """FAIL-2."""
    assert fragment_of(run("", "failed", on_failure="omit")) is None
    assert fragment_of(run("", "failed", on_failure="omit", is_essential=True)) is not None
