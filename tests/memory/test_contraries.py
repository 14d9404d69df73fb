"""A person says in a session the contrary of what they wrote down: the later word holds, both are named."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentinitd.cli.fate_text import fate_text
from agentinitd.memory.anchor_book import AnchorBook
from agentinitd.memory.capture.captured_file import PROJECT_FILE, captured_in, record
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.memory.capture.review import keep, reject, waiting
from agentinitd.memory.captured_serving import with_captured
from agentinitd.memory.lint import lint
from agentinitd.memory.recall import recall
from agentinitd.memory.recall_answer import Question
from agentinitd.memory.store import MemoryStore
from agentinitd.model.events import PersonMessage
from agentinitd.model.facts import Anchor, Memory

WRITTEN = "anchors/project_constraints.md"
DAY = 86_400.0
NOW = 1_790_000_000.0


class Story:
    """A project whose rules somebody wrote, and what they say in sessions later."""

    def __init__(self, folder: Path, *rules: str, written: str = "2026-09-01") -> None:
        self.project = folder
        self.memory = folder / ".agent-memory"
        (self.memory / "anchors").mkdir(parents=True)
        lines = "".join(f"- [constraint] {rule}\n" for rule in rules)
        self.text = f"---\nlast_updated: {written}\n---\n{lines}"
        (self.memory / WRITTEN).write_text(self.text)
        self._line = 0

    def loaded(self) -> Memory:
        return MemoryStore().load(self.project)

    def say(self, *messages: str, at: float = NOW) -> None:
        path = self.memory / PROJECT_FILE
        for message in messages:
            self._line += 1
            said = PersonMessage(text=message, line=self._line, offset=0, written_at=at + self._line)
            found = Listener("s", readers=built_in()).hear([said])
            texts = {PROJECT_FILE: path.read_text() if path.exists() else None}
            new = record(texts, found, session="s", now=NOW, known=self.loaded().anchors).texts
            path.write_text(new.get(PROJECT_FILE, texts[PROJECT_FILE]) or "")
        assert (self.memory / WRITTEN).read_text() == self.text

    def captured(self) -> list[Anchor]:
        path = self.memory / PROJECT_FILE
        return [each for each in captured_in(path.read_text(), PROJECT_FILE) if each.status == "active"]

    def served(self, capture: str = "auto") -> list[str]:
        memory = with_captured(self.loaded(), session_id="s", task_id=None, capture=capture)
        return [anchor.what for anchor in memory.anchors]

    def lint_rules(self) -> list[str]:
        files = [(name, (self.memory / name).read_text()) for name in (WRITTEN, PROJECT_FILE)]
        return [finding.rule for finding in lint(files, now=NOW + DAY)]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Never push to main.", "You can push to main now."),
        ("Never push to main.", "Never push to main, except docs/"),
        ("Use npm for everything.", "Use pnpm, not npm."),
        ("Use tabs for indentation.", "Use 2 spaces, not tabs."),
        ("The dev server runs on port 3000.", "Use port 4000 for the dev server."),
        (
            "Always show me the diff before committing.",
            "No need to show me the diff before committing any more.",
        ),
        ("不要动 migrations 目录", "migrations 目录可以改了"),
        ("回答用英文", "以后用中文回答"),
    ],
)
def test_the_later_word_is_served_in_the_place_of_the_written_one_which_is_named(
    tmp_path: Path, written: str, said: str
) -> None:
    story = Story(tmp_path, written, "Keep `docs/api.md` up to date.")

    story.say(said)

    assert story.served() == ["Keep `docs/api.md` up to date.", said.rstrip(".")]
    [problem] = [each for each in story.loaded().problems if "said otherwise" in each.message]
    assert (problem.file, problem.line, problem.is_mild) == (WRITTEN, 4, True)
    assert said.rstrip(".") in problem.message
    assert story.lint_rules() == ["said-otherwise"]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Never push to main.", "Push the branch to origin when you are done with a feature, always."),
        ("Use npm for everything.", "Use vitest for the tests."),
        ("Never touch legacy/.", "legacy/billing is open now"),
        ("Never push to main.", "This time you may push to main."),
        ("Never push to main.", "I'd rather push to main."),
        ("Never deploy without approval.", "Deploy without approval is fine for staging."),
    ],
)
def test_what_is_about_something_else_or_a_part_or_this_once_leaves_the_written_rule(
    tmp_path: Path, written: str, said: str
) -> None:
    story = Story(tmp_path, written)

    story.say(said)

    assert written in story.served()
    assert "said-otherwise" not in story.lint_rules()


def test_what_was_said_before_the_rule_was_written_changes_nothing(tmp_path: Path) -> None:
    story = Story(tmp_path, "Never push to main.", "Use npm for everything.")

    story.say("You can push to main now.", "Use pnpm, not npm.", at=NOW - 90 * DAY)

    assert story.served() == ["Never push to main.", "Use npm for everything."]


def test_said_again_it_is_one_item_and_the_written_rule_said_again_ends_it(tmp_path: Path) -> None:
    story = Story(tmp_path, "Never push to main.")

    story.say("You can push to main now.", "it's fine to push to main")

    assert [each.said for each in story.captured()] == [2]

    story.say("Never push to main!")

    assert (story.captured(), story.served()) == ([], ["Never push to main."])


def test_what_takes_the_place_of_a_contrary_stands_against_the_same(tmp_path: Path) -> None:
    story = Story(tmp_path, "Use npm for everything.")

    story.say("Use pnpm, not npm.", "Use yarn, not pnpm.")

    assert story.served() == ["Use yarn, not pnpm"]


def test_where_nothing_captured_is_served_the_written_rule_is(tmp_path: Path) -> None:
    story = Story(tmp_path, "Never push to main.")

    story.say("You can push to main now.")

    assert story.served("propose") == ["Never push to main."]


def test_the_word_against_a_critical_rule_is_as_critical(tmp_path: Path) -> None:
    story = Story(tmp_path, "Never push to main. <!-- priority: critical -->")

    story.say("You can push to main now.")

    memory = with_captured(story.loaded(), session_id="s", task_id=None, capture="auto")
    assert [(each.what, each.priority) for each in memory.captured] == [
        ("You can push to main now", "critical")
    ]


class TestWrittenLater:
    """A person says something in a session, and writes the contrary down by hand afterwards."""

    CASES = (
        ("You can push to main now.", "Never push to main."),
        ("Use pnpm, not npm.", "Use npm, not pnpm."),
        ("The dev server runs on port 4000.", "The dev server runs on port 3000."),
        ("Never touch legacy/.", "Never touch legacy/, except for legacy/docs."),
        ("不要动 migrations 目录", "migrations 目录可以改"),
        ("以后用中文回答", "回答用英文"),
    )

    def later(self, folder: Path, said: str, written: str, date: str = "") -> Story:
        """`date`: of the file; without one only that it was saved tells that it is newer."""
        story = Story(folder)
        story.say(said)
        front = f"---\nlast_updated: {date}\n---\n" if date else ""
        story.text = f"{front}- [constraint] {written}\n"
        (story.memory / WRITTEN).write_text(story.text)
        return story

    @pytest.mark.parametrize("date", ["2026-09-22", "2026-09-01", ""])
    @pytest.mark.parametrize(("said", "written"), CASES)
    def test_what_is_written_is_served_and_what_was_said_is_not(
        self, tmp_path: Path, said: str, written: str, date: str
    ) -> None:
        story = self.later(tmp_path, said, written, date)

        assert said.rstrip(".") in [each.what for each in story.captured()] or story.captured() == []
        assert story.served() == [written]

    def test_both_are_named_until_somebody_settles_it(self, tmp_path: Path) -> None:
        story = self.later(tmp_path, *self.CASES[1], "2026-09-22")

        [candidate] = waiting(story.project)
        [written, said] = AnchorBook(story.project).entries()
        [problem] = [each for each in story.loaded().problems if "written otherwise" in each.message]

        assert [each.id for each in candidate.written_later] == [written.anchor.id]
        assert (written.fate, said.fate and said.fate[:2]) == (None, ("overruled", written.anchor.id))
        assert (problem.file, problem.is_mild) == (PROJECT_FILE, True)
        assert story.lint_rules() == ["said-otherwise"]

    def test_kept_what_was_said_holds_again_and_rejected_it_is_gone(self, tmp_path: Path) -> None:
        kept, rejected = (
            self.later(tmp_path / name, *self.CASES[1], "2026-09-22") for name in ("kept", "rejected")
        )

        keep(kept.project, waiting(kept.project)[0].anchor.id, now=NOW + DAY)
        reject(rejected.project, waiting(rejected.project)[0].anchor.id, now=NOW + DAY)

        assert (kept.served(), rejected.served()) == (["Use pnpm, not npm"], ["Use npm, not pnpm."])
        assert (kept.lint_rules(), rejected.lint_rules()) == ([], [])

    def test_said_once_more_it_is_the_later_word_again(self, tmp_path: Path) -> None:
        said, written = self.CASES[1]
        story = self.later(tmp_path, said, written, "2026-09-22")

        story.say(said, at=NOW + 9 * DAY)

        assert story.served() == [said.rstrip(".")]

    @pytest.mark.parametrize(
        ("said", "written"),
        [
            ("Use vitest for the tests.", "Use npm for everything."),
            ("Never push to main or release.", "You may push to release."),
            ("Never edit a.ts.", "Edit b.ts by the generator only."),
            ("Always write tests.", "Never write tests for generated code in gen/."),
        ],
    )
    def test_what_is_about_something_else_or_a_part_stands_beside_it(
        self, tmp_path: Path, said: str, written: str
    ) -> None:
        assert self.later(tmp_path, said, written).served() == [written, said.rstrip(".")]

    def test_a_file_that_was_not_saved_since_leaves_open_which_is_newer(self, tmp_path: Path) -> None:
        story = self.later(tmp_path, *self.CASES[1], "2026-09-01")
        os.utime(story.memory / WRITTEN, (NOW - DAY, NOW - DAY))

        assert story.served() == ["Use npm, not pnpm.", "Use pnpm, not npm"]

    def test_a_wish_beside_an_older_demand_stays_though_the_file_is_saved_again(self, tmp_path: Path) -> None:
        story = Story(tmp_path, "Never push to main.")
        story.say("I'd rather push to main.")
        (story.memory / WRITTEN).write_text(story.text + "- [constraint] Keep `a.md` up to date.\n")

        assert "I'd rather push to main" in story.served()


@pytest.mark.parametrize(
    ("is_written_first", "fates"),
    [
        (True, {"Use npm for everything.": "gainsaid", "Use pnpm, not npm": None}),
        (False, {"Use npm for everything.": None, "Use pnpm, not npm": "overruled"}),
    ],
)
def test_recall_says_which_of_the_two_is_not_served(
    tmp_path: Path, is_written_first: bool, fates: dict[str, str | None]
) -> None:
    story = Story(tmp_path, *["Use npm for everything."] * is_written_first)
    story.say("Use pnpm, not npm.")
    if not is_written_first:
        (story.memory / WRITTEN).write_text("- [constraint] Use npm for everything.\n")

    answer = recall(story.project, Question(text="npm everything"))

    assert {hit.text: hit.fate and hit.fate.standing for hit in answer.hits} == fates
    assert all(fate_text(hit.fate) for hit in answer.hits if hit.fate)


class TestSettled:
    @pytest.fixture
    def story(self, tmp_path: Path) -> Story:
        story = Story(tmp_path, "Never push to main.")
        story.say("You can push to main now.")
        return story

    def test_the_list_names_what_was_said_otherwise(self, story: Story) -> None:
        [written, said] = AnchorBook(story.project).entries()

        assert written.fate is not None
        assert (written.fate.standing, written.fate.by) == ("gainsaid", said.anchor.id)

    def test_kept_what_was_said_takes_the_place_of_the_written_rule(self, story: Story) -> None:
        [candidate] = waiting(story.project)
        assert [each.what for each in candidate.written] == ["Never push to main."]

        kept = keep(story.project, candidate.anchor.id, now=NOW + DAY)

        assert kept.supersedes == candidate.written[0].id
        assert story.served() == ["You can push to main now"]
        assert "Never push to main." in (story.memory / WRITTEN).read_text()

    def test_rejected_it_never_returns_and_the_written_rule_holds(self, story: Story) -> None:
        reject(story.project, story.captured()[0].id, now=NOW + DAY)
        story.say("You can push to main now.")

        assert (story.served(), story.lint_rules()) == (["Never push to main."], [])

    def test_confirmed_later_the_written_rule_holds(self, story: Story) -> None:
        book = AnchorBook(story.project)

        book.verify([book.entries()[0].anchor.id], now=NOW + DAY)

        assert story.served() == ["Never push to main."]
        assert not [each for each in story.loaded().problems if "said otherwise" in each.message]
        assert story.lint_rules() == []

    def test_a_rule_kept_by_review_is_gainsaid_like_one_written_by_hand(self, story: Story) -> None:
        keep(story.project, story.captured()[0].id, now=NOW + DAY)
        story.text = (story.memory / WRITTEN).read_text()

        story.say("Never push to main!", at=NOW + 2 * DAY)

        assert story.served() == ["Never push to main"]
