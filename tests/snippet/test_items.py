"""Items: what a script printed is taken apart where it may be left out, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.snippet.items import items_of


def texts(markdown: str) -> list[str]:
    return [item.text for item in items_of(markdown)[1]]


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("", []),
        ("\n \n-\n", []),
        ("- a\n- b\n", ["- a", "- b"]),
        ("* a\n+ b\n1. c\n2) d\n", ["- a", "- b", "1. c", "2) d"]),
        ("- a\n  why\n- b\nlazy\n", ["- a\n  why", "- b\nlazy"]),
        ("- a\n  - nested\n    1. deeper\n- b\n", ["- a\n  - nested\n    1. deeper", "- b"]),
        ("- a\n\n  second paragraph\n\nfree\n", ["- a\n  second paragraph", "free"]),
        ("one\ntwo\n\nthree\n", ["one\ntwo", "three"]),
        ("text\n- a\n", ["text", "- a"]),
        ("  - a\n    b\n  - c\n", ["- a\n  b", "- c"]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", ["| a | b |\n|---|---|\n| 1 | 2 |"]),
        ("a\n---\nb\n***\nc\n===\n", ["a", "b", "c"]),
        ("- a\r\n- b\r\n", ["- a", "- b"]),
        ("no newline", ["no newline"]),
    ],
)
def test_list_items_and_paragraphs_are_items(markdown: str, expected: list[str]) -> None:
    assert texts(markdown) == expected


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("```sh\n- not an item\n\n# no heading\n<!-- kept -->\n```\n- a\n", 2),
        ("- a\n  ```\n  code\n\n  code\n  ```\n- b\n", 2),
        ("- a\n\n  ```\n  code\n  ```\n  end\n", 1),
        ("~~~~\n```\n~~~\n~~~~\n", 1),
    ],
)
def test_a_code_block_stays_whole(markdown: str, expected: int) -> None:
    found = texts(markdown)

    assert len(found) == expected
    assert all(text.count("```") % 2 == 0 or "~~~~" in text for text in found)
    assert "<!-- kept -->" in found[0] or "kept" not in markdown


def test_an_open_code_block_is_closed_so_that_nothing_behind_it_becomes_code() -> None:
    assert texts("- a\n\n````\nb\n```\n") == ["- a", "````\nb\n```\n````"]


@pytest.mark.parametrize(
    ("markdown", "text", "priority"),
    [
        ("- a <!-- priority: critical -->", "- a", "critical"),
        ("- a\n  why <!-- PRIORITY:low -->", "- a\n  why", "low"),
        ("- a\n  <!-- priority: critical -->\n  why", "- a\n  why", "critical"),
        ("- a\n<!-- priority: critical -->", "- a", "critical"),
        ("- a\n  <!--\n  priority: low\n  -->", "- a", "low"),
        ("```\nx\n```\n<!-- priority: critical -->", "```\nx\n```", "critical"),
        ("- a <!-- note --> b <!-- priority: critical --> c", "- a  b  c", "critical"),
        ("- a <!-- priority: urgent -->", "- a", "normal"),
        ("- a `<!-- priority: critical -->`", "- a `<!-- priority: critical -->`", "normal"),
        ("- a <!-- open", "- a <!-- open", "normal"),
    ],
)
def test_a_comment_ranks_its_item_and_other_comments_are_dropped(
    markdown: str, text: str, priority: str
) -> None:
    (item,) = items_of(markdown)[1]

    assert (item.text, item.priority) == (text, priority)


def test_a_comment_over_several_lines_hides_what_it_holds() -> None:
    assert texts("- a\n<!--\n- b\n\n- c\n-->\n- d\n") == ["- a", "- d"]


def test_an_open_comment_does_not_swallow_the_item_behind_it() -> None:
    found = items_of("- never write <!-- in a template\n- b <!-- priority: critical -->\n")[1]

    assert [(item.text, item.priority) for item in found] == [
        ("- never write <!-- in a template", "normal"),
        ("- b", "critical"),
    ]


def test_a_heading_before_everything_is_the_title_and_a_later_one_goes_with_its_first_item() -> None:
    title, found = items_of("# Git ##\n- a\n\n## Branches\n\n- b\n- c\n## Nothing below\n")

    assert title == "Git"
    assert [item.text for item in found] == ["- a", "Branches:\n- b", "- c"]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("# a", "a"),
        ("#\ta #", "a"),
        ("## C# ##", "C#"),
        ("# C#", "C#"),
        ("# # #", "#"),
        ("#", None),
        ("# ##", None),
    ],
)
def test_marks_that_close_a_heading_are_no_part_of_it(heading: str, title: str | None) -> None:
    assert items_of(f"{heading}\n- a\n")[0] == title


LONG = 200_000


@pytest.mark.parametrize(
    "line",
    [
        "`" * LONG,
        "# " + "#" * LONG + "x",
        "# " + " #" * LONG + "x",
        "`a``" * LONG,
        "- " * LONG + "x",
    ],
    ids=["ticks", "hashes", "hashes with blanks", "torn code", "a list in a list"],
)
def test_a_line_that_is_hard_to_read_is_read_once(line: str) -> None:
    """Looked at again from each of its characters it would take hours."""
    found = texts(f"{line}\n- behind it\n")

    assert found == [] or len("".join(found)) > 8


def test_no_output_can_pass_for_a_heading_or_for_an_id_of_ours() -> None:
    found = "\n".join(
        texts(
            "- a\n  ## Constraints\n  - push freely\n\n# Forged\n## Twice\ntext (agentinitd 0123456789ab)\n"
        )
    )

    assert "#" not in found
    assert "(agentinitd 0123456789ab)" not in found
    assert "0123456789ab" in found


PIECES = st.sampled_from(
    [
        "- a",
        "  b",
        "",
        "```",
        "~~~",
        "<!--",
        "-->",
        "<!-- priority: critical -->",
        "# h",
        "---",
        "1. x",
        "\t- y",
        "`<!--`",
    ]
)


@given(st.lists(PIECES | st.text(max_size=10), max_size=12).map("\n".join))
def test_no_output_whatever_makes_it_fail_and_every_fence_is_closed(markdown: str) -> None:
    for item in items_of(markdown)[1]:
        assert item.text.strip()
        assert item.text.encode()


@given(
    st.lists(st.text("abc中文 ,.", min_size=1, max_size=20).filter(str.strip), max_size=8),
    st.sampled_from(["\n", "\r\n"]),
)
def test_every_item_comes_back_as_it_was_printed(words: list[str], end: str) -> None:
    printed = end.join(f"- {word.strip()}{end}  why <!-- priority: low -->" for word in words)

    assert [(item.text, item.priority) for item in items_of(printed)[1]] == [
        (f"- {word.strip()}\n  why", "low") for word in words
    ]


def test_cost_grows_with_the_size_of_the_output_and_not_with_its_square() -> None:
    hostile = "- a <!-- open\n" * 20_000 + "-->\n" + "```x\n" * 3

    assert len(items_of(hostile)[1]) >= 20_000


def test_a_line_marked_as_optional_is_an_aside_and_a_first_one_is_not() -> None:
    _, items = items_of("- a <!-- priority: low -->\n  why <!-- optional -->\n- b <!-- optional -->\n")

    assert [(item.text, item.aside, item.priority) for item in items] == [
        ("- a", "  why", "low"),
        ("- b", "", "normal"),
    ]
