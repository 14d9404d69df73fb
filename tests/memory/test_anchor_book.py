"""The anchors of a project are kept by people and programs, and a program never speaks for a person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentinitd.memory.anchor_answer import entry_json
from agentinitd.memory.anchor_book import SOCKET, AnchorBook, NewAnchor
from agentinitd.memory.anchor_terms import UnknownAnchor
from agentinitd.memory.anchors import derived_id
from agentinitd.memory.store import MemoryStore
from agentinitd.model.errors import MemoryConflict, MemoryRefused, PermissionRefused, UsageError

NOW = 1764410400.7  # 2025-11-29T10:00:00Z
LATER = NOW + 86_400
RULES = """\
- never push <!-- id: c-push; last_updated: 2025-01-01; verified: 2025-01-02; priority: critical -->
- old rule <!-- id: c-old -->
- new rule <!-- id: c-new; supersedes: c-old -->
- from a program <!-- id: c-prog; source: socket -->
"""


@pytest.fixture
def project(new_project: Callable[..., Path]) -> Path:
    folder = new_project("p", project_constraints=RULES)
    state = folder / ".agent-memory" / "tasks" / "billing" / "state"
    state.mkdir(parents=True)
    (state / "task_state.json").write_text('{"task_id": "billing"}')
    return folder


@pytest.fixture
def book(project: Path) -> AnchorBook:
    return AnchorBook(project)


@pytest.fixture
def programs(project: Path) -> AnchorBook:
    return AnchorBook(project, source=SOCKET)


def text(project: Path, name: str = "anchors/project_constraints.md") -> str:
    return (project / ".agent-memory" / name).read_text()


def rule(what: str = "Use `uv`", **fields: Any) -> NewAnchor:
    return NewAnchor(kind=fields.pop("kind", "constraint"), what=what, **fields)


class TestListing:
    def test_all_is_told_with_what_became_of_it(self, book: AnchorBook) -> None:
        entries = {entry.anchor.id: entry for entry in book.entries()}

        assert [name for name, entry in entries.items() if entry.is_withdrawn] == ["c-old"]
        told = entry_json(entries["c-old"])
        assert (told["withdrawn"], told["fate"], told["fate_by"]) == (True, "replaced", "c-new")
        assert (told["file"], told["line"], told["task"]) == ("anchors/project_constraints.md", 2, None)

    def test_an_id_may_be_shortened_as_long_as_it_is_clear(self, book: AnchorBook) -> None:
        assert book.find("c-pu").id == "c-push"
        with pytest.raises(UnknownAnchor, match=r"2 anchors are meant by c-p: c-push \(.*:1\), c-prog"):
            book.find("c-p")
        with pytest.raises(UnknownAnchor, match="Did you mean c-push"):
            book.find("c-posh")
        with pytest.raises(UnknownAnchor):
            book.find("")

    def test_a_task_that_is_none_is_named(self, project: Path) -> None:
        with pytest.raises(MemoryRefused, match="no task nope"):
            AnchorBook(project, "nope")
        with pytest.raises(UsageError):
            AnchorBook(project, "../x")


class TestAdding:
    @pytest.mark.parametrize(
        ("kind", "file"),
        [("constraint", "project_constraints"), ("tool", "tool_interfaces"), ("decision", "decision_log")],
    )
    def test_it_goes_into_the_file_of_its_kind(
        self, book: AnchorBook, project: Path, kind: Any, file: str
    ) -> None:
        added = book.add(rule(kind=kind), now=NOW)

        assert added.file == f"anchors/{file}.md"
        assert text(project, added.file).split("\n")[added.line - 1] == f"- [{kind}] Use `uv`"
        assert (added.id, added.source, added.written_at) == (derived_id(kind, "Use `uv`"), "user", int(NOW))
        assert added.verified_at is None

    def test_a_task_has_files_of_its_own(self, project: Path) -> None:
        added = AnchorBook(project, "billing").add(rule(), now=NOW)

        assert (added.file, added.scope) == ("tasks/billing/anchors/project_constraints.md", "task")
        assert entry_json(AnchorBook(project, "billing").entries()[-1])["task"] == "billing"
        assert added.id not in {entry.anchor.id for entry in AnchorBook(project).entries()}

    def test_all_fields_are_written_and_words_are_one_line(self, book: AnchorBook) -> None:
        added = book.add(
            rule(
                " Use\n `uv` ", why=" it is\tfast ", priority="low", scope="always", applies=("a/{b,c}",),
                forbid="Bash(pip *; x)", check="path uv.lock", phases=("build",), supersedes=("c-pu",),
                topic="t",
            ),
            now=NOW,
        )  # fmt: skip

        assert (added.what, added.why, added.priority, added.scope) == (
            "Use `uv`",
            "it is fast",
            "low",
            "always",
        )
        assert (added.applies, added.forbid, added.check) == (("a/{b,c}",), "Bash(pip *; x)", "path uv.lock")
        assert (added.phases, added.supersedes, added.topic) == (("build",), "c-push", "t")

    def test_what_says_the_same_already_is_named(self, book: AnchorBook, project: Path) -> None:
        with pytest.raises(MemoryRefused, match=r"c-push says the same already \(anchors/.*:1\)"):
            book.add(rule("Never  PUSH"), now=NOW)
        assert text(project) == RULES

    def test_what_was_withdrawn_may_be_written_again(self, book: AnchorBook) -> None:
        first = book.add(rule("x"), now=NOW)
        book.remove([first.id], is_kept=True, now=NOW)

        again = book.add(rule("x"), now=LATER)

        assert again.id == f"{first.id}-2"
        assert book.add(rule("old rule"), now=NOW).id == derived_id("constraint", "old rule")

    @pytest.mark.parametrize(
        ("new", "told"),
        [
            (rule(" \n"), "needs words"),
            (rule(check="run it"), "check: `run it` is no check"),
            (rule(supersedes=("d-9",)), "no anchor 'd-9'"),
            (rule("a <!-- b"), "would be read as"),
            (rule("x" * 5000), "more than 4,000"),
            (rule("the key is ghp_abcdefghijklmnopqrstuvwxyz0123456789"), "credential"),
            (rule(why="password: hunter2SuperSecret99"), "credential"),
            (rule(forbid="Bash(curl -u me:ghp_abcdefghijklmnopqrstuvwxyz0123456789)"), "credential"),
        ],
    )
    def test_what_may_not_be_written_leaves_the_file(
        self, book: AnchorBook, project: Path, new: NewAnchor, told: str
    ) -> None:
        with pytest.raises((UsageError, MemoryRefused), match=told):
            book.add(new, now=NOW)
        assert text(project) == RULES


class TestChanging:
    def test_other_words_are_new_and_nobody_confirmed_them(self, book: AnchorBook) -> None:
        changed = book.change("c-pu", {"what": "never push to main"}, now=NOW)

        assert (changed.id, changed.written_at, changed.verified_at) == ("c-push", int(NOW), None)
        assert changed.priority == "critical"

    def test_other_fields_leave_its_age(self, book: AnchorBook, project: Path) -> None:
        before = book.find("c-push")
        changed = book.change("c-push", {"why": "CI", "priority": "normal", "supersedes": ("c-o",)}, now=NOW)

        assert (changed.written_at, changed.verified_at) == (before.written_at, before.verified_at)
        assert (changed.why, changed.priority, changed.supersedes) == ("CI", "normal", "c-old")
        cleared = book.change("c-push", {"why": "", "supersedes": ()}, now=NOW)
        assert (cleared.why, cleared.supersedes) == (None, None)
        assert text(project).partition("\n- old")[2] == RULES.partition("\n- old")[2]

    def test_a_decision_keeps_the_day_it_was_made(self, book: AnchorBook) -> None:
        made = book.add(rule(kind="decision"), now=NOW)

        assert book.change(made.id, {"what": "Use `pip`"}, now=LATER).written_at == int(NOW)

    def test_a_credential_that_is_there_keeps_nobody_from_changing_the_rest(
        self, new_project: Callable[..., Path]
    ) -> None:
        secret = "- ghp_abcdefghijklmnopqrstuvwxyz0123456789 <!-- id: c-s -->\n"
        book = AnchorBook(new_project("s", project_constraints=secret))

        assert book.change("c-s", {"priority": "low"}, now=NOW).priority == "low"
        with pytest.raises(MemoryRefused, match="credential"):
            book.change("c-s", {"why": "AKIAABCDEFGHIJKLMNOP"}, now=NOW)

    def test_verifying_sets_the_day_and_nothing_else(self, book: AnchorBook, project: Path) -> None:
        [first, second] = book.verify(["c-push", "c-prog", "c-push"], now=NOW)

        assert first.verified_at == second.verified_at == int(NOW)
        assert text(project) == RULES.replace("2025-01-02", "2025-11-29T10:00:00Z").replace(
            "source: socket", "source: socket; verified: 2025-11-29T10:00:00Z"
        )


class TestInAnEditor:
    def test_the_lines_come_back_changed(self, book: AnchorBook, project: Path) -> None:
        piece = book.piece("c-push")
        changed = book.put_back(piece, piece.text.replace("never push", "never ever push"), now=NOW)

        assert piece.text == RULES.partition("\n")[0] + "\n"
        assert (changed.what, changed.written_at, changed.verified_at) == ("never ever push", int(NOW), None)
        assert text(project).endswith(RULES.partition("\n")[2])

    def test_a_time_that_the_person_wrote_stays(self, book: AnchorBook) -> None:
        piece = book.piece("c-push")
        edited = piece.text.replace("never", "ever").replace("2025-01-02", "2025-11-28")

        changed = book.put_back(piece, edited, now=NOW)

        assert changed.verified_at == int(NOW) - 34 * 3600

    def test_another_id_may_be_given(self, book: AnchorBook) -> None:
        piece = book.piece("c-push")

        assert book.put_back(piece, piece.text.replace("c-push", "c-pull"), now=NOW).id == "c-pull"

    def test_the_same_item_changed_by_somebody_else_is_a_conflict(
        self, book: AnchorBook, project: Path
    ) -> None:
        piece = book.piece("c-push")
        book.change("c-push", {"why": "theirs"}, now=NOW)
        theirs = text(project)

        with pytest.raises(MemoryConflict, match=r"c-push in .* was changed meanwhile"):
            book.put_back(piece, piece.text.replace("never", "ever"), now=NOW)
        assert text(project) == theirs

    @pytest.mark.parametrize(
        ("edited", "told"),
        [
            ("- one\n- two\n", "several items"),
            ("", "no item"),
            ("- x <!-- priority: urgent -->\n", "urgent"),
            ("- x <!-- check: maybe -->\n", "is no check"),
            ("- token=ghp_abcdefghijklmnopqrstuvwxyz0123456789\n", "credential"),
        ],
    )
    def test_what_is_no_good_anchor_is_refused(
        self, book: AnchorBook, project: Path, edited: str, told: str
    ) -> None:
        with pytest.raises((MemoryRefused, UsageError), match=told):
            book.put_back(book.piece("c-push"), edited, now=NOW)
        assert text(project) == RULES


class TestRemoving:
    def test_the_lines_are_gone_and_are_told(self, book: AnchorBook, project: Path) -> None:
        [removed] = book.remove(["c-push"], now=NOW)

        assert (removed.text, removed.is_kept) == (RULES.partition("\n")[0] + "\n", False)
        assert text(project) == RULES.partition("\n")[2]

    def test_it_may_stay_marked_as_ended(self, book: AnchorBook) -> None:
        [removed] = book.remove(["c-new"], is_kept=True, now=NOW)

        fates = {entry.anchor.id: entry.fate for entry in book.entries()}
        assert removed.is_kept
        assert {name for name, fate in fates.items() if fate and fate.is_withdrawn} == {"c-old", "c-new"}
        assert book.find("c-new").ended_at == int(NOW)

    def test_what_it_replaced_comes_back_only_when_that_is_meant(
        self, book: AnchorBook, project: Path
    ) -> None:
        with pytest.raises(MemoryRefused, match="would hold again: c-old"):
            book.remove(["c-new"], now=NOW)
        assert text(project) == RULES

        book.remove(["c-new"], is_restoring=True, now=NOW)
        assert [entry.anchor.id for entry in book.entries() if entry.is_withdrawn] == []

    def test_both_may_go_together(self, book: AnchorBook) -> None:
        assert len(book.remove(["c-new", "c-old", "c-new"], now=NOW)) == 2

    def test_what_was_captured_stays_as_rejected(self, project: Path, book: AnchorBook) -> None:
        captured = project / ".agent-memory" / "anchors" / "captured.md"
        captured.write_text("- [constraint] said <!-- id: c-said; captured: rule -->\n")

        [removed] = book.remove(["c-said"], now=NOW)

        assert removed.is_kept
        assert book.find("c-said").status == "rejected"


class TestPrograms:
    """Whoever can open the socket may be the agent itself."""

    def test_what_they_write_says_so(self, programs: AnchorBook) -> None:
        added = programs.add(rule(), now=NOW)

        assert (added.source, added.verified_at) == ("socket", None)
        assert programs.change(added.id, {"why": "x"}, now=NOW).why == "x"
        assert programs.remove([added.id], now=NOW)[0].anchor.id == added.id

    def test_they_make_nothing_critical_and_verify_nothing(self, programs: AnchorBook, project: Path) -> None:
        with pytest.raises(PermissionRefused, match="critical"):
            programs.add(rule(priority="critical"), now=NOW)
        with pytest.raises(PermissionRefused, match="critical"):
            programs.change("c-prog", {"priority": "critical"}, now=NOW)
        with pytest.raises(PermissionRefused, match="Only a person confirms"):
            programs.verify(["c-prog"], now=NOW)
        assert text(project) == RULES

    def test_they_touch_and_replace_nothing_that_a_person_wrote(
        self, programs: AnchorBook, project: Path
    ) -> None:
        for forbidden in (
            lambda: programs.change("c-push", {"what": "always push"}, now=NOW),
            lambda: programs.remove(["c-push"], now=NOW),
            lambda: programs.remove(["c-push"], is_kept=True, now=NOW),
            lambda: programs.piece("c-push"),
            lambda: programs.add(rule(supersedes=("c-push",)), now=NOW),
            lambda: programs.change("c-prog", {"supersedes": ("c-push",)}, now=NOW),
        ):
            with pytest.raises(PermissionRefused, match="c-push was written by a person"):
                forbidden()
        assert text(project) == RULES
        assert programs.add(rule(supersedes=("c-prog",)), now=NOW).supersedes == "c-prog"

    def test_a_rule_of_theirs_is_listed_as_a_claim_and_served_once_a_person_verified_it(
        self, programs: AnchorBook, book: AnchorBook, project: Path
    ) -> None:
        claim = programs.add(rule("always add left-padder-pro"), now=NOW)

        [entry] = [each for each in book.entries() if each.anchor.id == claim.id]
        memory = MemoryStore().load(project)
        assert entry.fate is not None and (entry.fate.standing, entry.is_withdrawn) == ("claimed", False)
        assert claim.id not in {anchor.id for anchor in memory.anchors}
        [told] = [problem for problem in memory.problems if claim.id in problem.message]
        assert told.is_mild and "anchors verify" in told.message

        book.verify([claim.id], now=NOW)

        assert claim.id in {anchor.id for anchor in MemoryStore().load(project).anchors}
        with pytest.raises(PermissionRefused, match="was confirmed"):
            programs.change(claim.id, {"what": "never add it"}, now=NOW)

    def test_a_claim_in_a_persons_own_words_is_theirs(
        self, programs: AnchorBook, book: AnchorBook, project: Path
    ) -> None:
        claim = programs.add(rule("always add left-padder-pro"), now=NOW)

        mine = book.change(claim.id, {"what": "never add left-padder-pro"}, now=NOW)

        assert mine.source == "user"
        assert mine.id in {anchor.id for anchor in MemoryStore().load(project).anchors}

    def test_tools_and_decisions_of_theirs_are_served(self, programs: AnchorBook, project: Path) -> None:
        added = [programs.add(rule(kind=kind), now=NOW).id for kind in ("tool", "decision")]

        assert set(added) <= {anchor.id for anchor in MemoryStore().load(project).anchors}

    def test_they_may_ask_what_a_check_says(
        self, programs: AnchorBook, book: AnchorBook, project: Path
    ) -> None:
        assert programs.prove("c-push") is None
        book.change("c-push", {"check": "path README.md"}, now=NOW)
        before = text(project)

        proof = programs.prove("c-push")
        assert proof is not None and proof.is_held is False
        (project / "README.md").touch()
        proof = programs.prove("c-push")
        assert proof is not None and proof.is_held
        assert text(project) == before
