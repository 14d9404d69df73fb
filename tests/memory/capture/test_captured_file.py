"""The file of captured items."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agentinitd.memory.anchors import parse_anchors
from agentinitd.memory.capture.captured_file import (
    FRONT_MATTER,
    PROJECT_FILE,
    Recorded,
    captured_in,
    record,
    task_file,
    updated,
)
from agentinitd.memory.capture.ledger import apply
from agentinitd.memory.capture.proposals import Proposal
from agentinitd.memory.capture.surplus import MAX_ITEMS
from agentinitd.model.facts import Anchor

TASK_FILE = task_file("t")


def said(text: str, line: int, **fields: Any) -> Proposal:
    given: dict[str, Any] = {
        "kind": "rule",
        "speaker": "person",
        "quote": text,
        "at": 1_764_000_000.0 + line,
        "polarity": "do_not",
        **fields,
    }
    return Proposal(text=text, line=line, **given)


def placeless(items: tuple[Anchor, ...]) -> list[Anchor]:
    return [replace(item, file="", line=0) for item in items]


def test_it_says_who_writes_it_and_how_to_confirm() -> None:
    texts, *_ = record({PROJECT_FILE: None}, [said("别动 migrations/0007", 3)], session="0b1c", now=0)

    assert texts == {
        PROJECT_FILE: FRONT_MATTER + "- [约束] 别动 migrations/0007\n"
        "  <!-- id: x-616e66525d; confidence: 0.9; last_updated: 2025-11-24T16:00:03Z; source: 0b1c:3;"
        " captured: rule; polarity: do_not; quote: 别动 migrations/0007; last_source: 0b1c:3 -->\n"
    }
    assert "agentinitd anchors review" in FRONT_MATTER
    assert parse_anchors(texts[PROJECT_FILE], PROJECT_FILE)[1] == []


@settings(max_examples=60)
@given(
    text=st.text(min_size=1, max_size=60).filter(lambda text: any(character.isalnum() for character in text)),
    why=st.text(max_size=40),
    topic=st.text(max_size=20),
)
def test_whatever_was_said_is_read_as_it_was_written_or_left_out(text: str, why: str, topic: str) -> None:
    items = apply((), [said(text, 1, why=why, topic=topic), said("别动 legacy/", 2)], session="s", now=0)

    new = updated(None, items, file=PROJECT_FILE)

    read = placeless(captured_in(new, PROJECT_FILE))
    assert read in (placeless(items), placeless(items)[1:])


@pytest.mark.parametrize(
    "text",
    [
        "don't use `<!--` comments",
        "never print -->",
        "1) do not push",
        "- [x] don't",
        "# no headings",
        "别用 ```",
        "a; id: b",
        '"q" \\',
    ],
)
def test_what_markdown_takes_for_something_else_loses_no_other_item(text: str) -> None:
    texts, *_ = record({PROJECT_FILE: None}, [said(text, 1), said("别动 legacy/", 2)], session="s", now=0)

    assert "别动 legacy/" in [item.what for item in captured_in(texts[PROJECT_FILE], PROJECT_FILE)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("never remove the <!-- toc --> marker", "never remove the `<!-- toc -->` marker"),
        ("别删 <!-- BEGIN --> 和 <!-- END -->", "别删 `<!-- BEGIN -->` 和 `<!-- END -->`"),
        ("never write <!-- into a template", "never write `<!--` into a template"),
        ("leave `<!-- toc -->` alone", "leave `<!-- toc -->` alone"),
    ],
)
def test_a_comment_that_is_spoken_of_is_kept_as_code(text: str, kept: str) -> None:
    texts, *_ = record({PROJECT_FILE: None}, [said(text, 1)], session="s", now=0)

    [item] = captured_in(texts[PROJECT_FILE], PROJECT_FILE)
    assert (item.what, item.quote) == (kept, text)
    assert record(texts, [said(text, 1)], session="s", now=0).texts == {}


class TestBesideAPerson:
    ITEM = (
        "- [约束]  别动 migrations/0007\r\n"
        "      <!-- id: x-1; captured: rule; polarity: do_not; source: s:1; mine: kept -->\r\n"
    )
    THEIRS = (
        "\ufeff---\r\nwritten_by: me\r\n---\r\n# Notes\r\n\r\nFree text.\r\n"
        f"{ITEM}- [todo] something\r\n- [constraint] written by hand\r\n"
    )

    def test_what_it_does_not_know_stays_to_the_byte(self) -> None:
        texts, *_ = record({PROJECT_FILE: self.THEIRS}, [said("别碰 legacy/", 5)], session="s", now=0)

        assert texts[PROJECT_FILE].startswith(self.THEIRS)
        assert "\n" not in texts[PROJECT_FILE].replace("\r\n", "")

    def test_an_item_that_they_laid_out_anew_is_changed_in_place(self) -> None:
        texts, *_ = record({PROJECT_FILE: self.THEIRS}, [said("0007 那个迁移别碰", 5)], session="s", now=0)

        (item,) = captured_in(texts[PROJECT_FILE], PROJECT_FILE)
        assert (item.said, item.last_source, item.what) == (2, "s:5", "别动 migrations/0007")
        for kept in ("mine: kept", "Free text.", "- [todo] something", "- [constraint] written by hand"):
            assert kept in texts[PROJECT_FILE]

    def test_nothing_new_changes_nothing(self) -> None:
        assert record({PROJECT_FILE: self.THEIRS}, [], session="s", now=0) == Recorded({}, {})
        assert record({PROJECT_FILE: None}, [], session="s", now=0) == Recorded({}, {})

    def test_what_was_rejected_in_the_file_does_not_return(self) -> None:
        rejected = self.THEIRS.replace("mine: kept", "status: rejected")

        assert record(
            {PROJECT_FILE: rejected}, [said("别动 migrations/0007", 9)], session="t", now=0
        ) == Recorded({}, {})

    def test_an_item_that_leaves_takes_nothing_along(self) -> None:
        assert updated(self.THEIRS, [], file=PROJECT_FILE) == self.THEIRS.replace(self.ITEM, "")


class TestTwoFiles:
    def test_what_is_for_the_task_lies_with_it_and_what_is_for_all_with_the_project(self) -> None:
        texts, *_ = record(
            {PROJECT_FILE: None, TASK_FILE: None},
            [
                said("提交信息一律中文", 1, scope="always", polarity="do"),
                said("只准改 services/billing/", 2, scope="task", polarity="do"),
                said("先别提交", 3, scope="once"),
                said("incremental sync", 4, kind="decision", topic="sync", speaker="agent"),
            ],
            session="s",
            now=0,
            task_id="t",
        )

        whats = {file: [item.what for item in captured_in(text, file)] for file, text in texts.items()}
        assert whats == {
            PROJECT_FILE: ["提交信息一律中文"],
            TASK_FILE: ["只准改 services/billing/", "先别提交", "incremental sync"],
        }

    def test_a_rule_of_the_task_that_is_said_for_all_moves_to_the_project(self) -> None:
        files: dict[str, str | None] = {PROJECT_FILE: None, TASK_FILE: None}
        first, *_ = record(files, [said("别动 legacy/", 1, scope="task")], session="s", now=0, task_id="t")

        again, *_ = record({**files, **first}, [said("legacy/ 别动", 5)], session="s", now=0, task_id="t")

        assert captured_in(again[TASK_FILE], TASK_FILE) == ()
        (item,) = captured_in(again[PROJECT_FILE], PROJECT_FILE)
        assert (item.said, item.scope) == (2, "project")

    def test_what_was_confirmed_in_the_files_is_told(self) -> None:
        known = [Anchor(id="a2", kind="constraint", what="发布只在周二")]

        assert record(
            {PROJECT_FILE: None},
            [said("发布还是只在周二", 4, polarity="do")],
            session="s",
            now=0,
            known=known,
        ) == Recorded({}, {"a2": 1_764_000_004.0})


def test_reading_a_stretch_twice_writes_the_same_bytes() -> None:
    stretch = [said("别动 migrations/0007", 1), said("0007 那个迁移别碰", 5), said("别碰 legacy/", 9)]
    once, *_ = record({PROJECT_FILE: None}, stretch, session="s", now=0)

    assert record(once, stretch[1:], session="s", now=99) == Recorded({}, {})


class TestLongFile:
    """Longer than we make any."""

    OURS = tuple(
        Anchor(
            id=f"r-{n}",
            kind="constraint",
            what=f"Never touch part{n}/",
            polarity="do_not",
            captured="rule",
            source=f"old:{n}",
        )
        for n in range(MAX_ITEMS + 50)
    )

    def test_each_new_item_takes_the_place_of_one_of_ours_and_no_more_leave(self) -> None:
        text = updated(None, self.OURS, file=PROJECT_FILE)

        result = record({PROJECT_FILE: text}, [said("Never touch ga-2/", 5)], session="s", now=0)

        kept = captured_in(result.texts[PROJECT_FILE], PROJECT_FILE)
        assert (len(kept), kept[-1].what) == (len(self.OURS), "Never touch ga-2/")
        assert (result.new, result.left_out) == (1, 1)

    def test_what_a_person_wrote_is_not_counted_and_never_leaves(self) -> None:
        theirs = [replace(each, source="user") for each in self.OURS]
        text = updated(None, theirs, file=PROJECT_FILE)

        result = record({PROJECT_FILE: text}, [said("Never touch ga-2/", 5)], session="s", now=0)

        kept = captured_in(result.texts[PROJECT_FILE], PROJECT_FILE)
        assert {each.id for each in kept} > {each.id for each in theirs}
        assert result.left_out == 0

    def test_what_finds_no_room_is_counted(self) -> None:
        told = [said(f"Never touch the folder part{n}a/", n) for n in range(MAX_ITEMS + 30)]

        result = record({PROJECT_FILE: None}, told, session="s", now=0)

        assert len(captured_in(result.texts[PROJECT_FILE], PROJECT_FILE)) == MAX_ITEMS
        assert result.left_out == 30
