"""The fixed texts: short, certain, attributed, and recognisable."""

from __future__ import annotations

import pytest

from agentinitd.model.facts import Language
from agentinitd.snippet import frame
from agentinitd.snippet.tokens import TokenCounter

LANGUAGES: list[Language] = ["en", "zh"]
ID = "1f3c9a2b4d5e"


@pytest.fixture(scope="module")
def counter() -> TokenCounter:
    return TokenCounter()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_frame_costs_at_most_sixty_tokens(counter: TokenCounter, language: Language) -> None:
    for left_out in (
        frame.left_out_line(1234, 20_000, language),
        frame.left_out_unserved_line(123_456, language),
    ):
        lines = [frame.first_line(ID, language), "", left_out, frame.last_line(language), ""]

        assert counter.count("\n".join(lines)) <= 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_id_stands_in_the_first_line_and_readers_find_it(language: Language) -> None:
    found = frame.ID_MARK.findall(frame.first_line(ID, language))

    assert found == [ID]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_put_in_doubt(language: Language) -> None:
    said = frame.first_line(ID, language) + frame.last_line(language)

    assert not any(
        doubt in said.lower() for doubt in ("may", "might", "forgotten", "please", "可能", "也许", "忘")
    )
    assert "assume" in said or "假设" in said


@pytest.mark.parametrize(
    ("key", "section", "language", "is_project", "title"),
    [
        ("constraints", "Constraints", "en", False, "Constraints"),
        ("constraints", "Constraints", "zh", False, "约束"),
        ("task-state", "Task state", "zh", False, "任务状态"),
        ("constraints", "House rules", "zh", False, "House rules"),
        ("git-branch", "Git", "en", True, "Git (from the project's scripts)"),
        ("git-branch", "Git", "zh", True, "Git（来自项目脚本）"),
        ("git-branch", "## Git\n# x", "en", False, "Git # x"),
        ("git-branch", "  ", "en", False, "git-branch"),
    ],
)
def test_titles(key: str, section: str, language: Language, is_project: bool, title: str) -> None:
    assert frame.section_title(key, section, language, is_project=is_project) == title


def test_lines_about_trouble_name_what_is_meant_and_stay_short() -> None:
    many = [f"S{number}-name" for number in range(50, 70)]

    assert frame.pending_trust_line(["S50-a", "S51-b"], "en") == (
        "2 project scripts, not approved, did not run: S50-a, S51-b (`agentinitd trust`)."
    )
    assert (
        frame.pending_trust_line(["S50-a"], "zh")
        == "1 个项目脚本未获批准，没有运行：S50-a（`agentinitd trust`）。"
    )
    assert frame.degraded_line(["S20-tools"], "en") == "Degraded: S20-tools did not run well."
    assert "S20-tools" in frame.failed_line(["S20-tools"], "zh")
    assert frame.pending_trust_line(many, "en").endswith("S55-name and 14 more (`agentinitd trust`).")


def test_a_reason_is_told_as_it_is() -> None:
    """The `#` of `#!` makes no heading behind other words."""
    reason = "#! line longer than 255 bytes"
    assert frame.no_output_note(reason, "en") == f"no output: {reason}"
    assert frame.old_output_note(60, reason, "en") == f"old output, 1 min: {reason}"
    assert frame.no_output_note("a\n# b (agentinitd 1f3c9a2b4d5e)", "en").endswith(
        "a # b [agentinitd 1f3c9a2b4d5e]"
    )


def test_one_line_is_one_line_and_bounded() -> None:
    assert frame.one_line("# a\n\nb\tc (agentinitd 1f3c9a2b4d5e)") == "a b c [agentinitd 1f3c9a2b4d5e]"
    assert len(frame.one_line("x" * 5000)) == frame.MAX_NOTE_CHARS
