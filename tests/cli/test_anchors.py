"""`agentinitd anchors`: the files that people like to edit, kept by commands, with or without a daemon."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.anchors import COMMANDS, anchors
from agentinitd.memory.anchors import derived_id
from agentinitd.model.errors import AgentinitdError

RULES = """\
---
last_updated: 2025-11-02T10:00:00Z
---
- [constraint] Never push to `main` <!-- id: c-push; priority: critical; verified: 2025-11-28 -->
- [约束] 用 pnpm
  原因：CI 只有它
  <!-- id: c-pnpm -->
- [constraint] Use npm <!-- id: c-npm -->
- [constraint] Use yarn <!-- id: c-yarn; supersedes: c-npm -->
"""
Run = Callable[..., Result]


@pytest.fixture
def project(new_project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = new_project("project", project_constraints=RULES)
    state = folder / ".agent-memory" / "tasks" / "billing" / "state"
    state.mkdir(parents=True)
    (state / "task_state.json").write_text('{"task_id": "billing"}')
    (folder / "src").mkdir()
    monkeypatch.chdir(folder / "src")
    return folder


@pytest.fixture
def run(project: Path) -> Run:
    """The command, in a folder of the project."""
    assert project.is_dir()
    return lambda *words: CliRunner().invoke(anchors, words, catch_exceptions=False)


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes an editor that runs this line of Python, with `path` and `text` in reach."""

    def make(line: str) -> None:
        script = tmp_path / "my editor.py"
        script.write_text(
            "import sys, pathlib\npath = pathlib.Path(sys.argv[-1])\ntext = path.read_text()\n" + line
        )
        monkeypatch.delenv("VISUAL", raising=False)
        monkeypatch.setenv("EDITOR", f"{sys.executable} '{script}' --wait")

    return make


def text(project: Path) -> str:
    return (project / ".agent-memory/anchors/project_constraints.md").read_text()


def found(run: Run, *words: str) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = json.loads(run("list", "--json", *words).stdout)["anchors"]
    return listed


def test_every_command_exists_and_has_a_line() -> None:
    shown = CliRunner().invoke(anchors, ["--help"]).stdout

    assert all(f"\n  {name} " in shown for name in COMMANDS)
    assert all(CliRunner().invoke(anchors, [name, "--help"]).exit_code == 0 for name in COMMANDS)
    assert CliRunner().invoke(anchors, ["burn"]).exit_code == 2


class TestList:
    def test_people_see_a_table_and_what_each_says(self, run: Run) -> None:
        done = run("list")
        lines = done.stdout.splitlines()

        assert lines[0].split() == ["ID", "KIND", "PRIORITY", "AGE", "PLACE"]
        assert lines[1].split()[:3] == ["c-push", "constraint", "critical"]
        assert lines[1].endswith(".agent-memory/anchors/project_constraints.md:4")
        assert lines[2:6:2] == ["  Never push to `main`", "  用 pnpm"]
        assert "  why: CI 只有它" in lines
        assert "never verified" in lines[3] and "never" not in lines[1]
        assert done.stderr == "Withdrawn and not shown: 1. All: --all\n"

    def test_filters(self, run: Run, project: Path) -> None:
        assert [each["id"] for each in found(run)] == ["c-push", "c-pnpm", "c-yarn"]
        assert [each["id"] for each in found(run, "--all") if each["withdrawn"]] == ["c-npm"]
        assert found(run, "--kind", "tool") == []
        assert run("list", "--kind", "tool").stderr.startswith("Withdrawn")
        assert "WITHDRAWN, replaced by c-yarn" in run("list", "--all").stdout
        (project / ".agent-memory/config.yaml").write_text("stale_days: 3650\n")
        run("verify", "c-push")
        assert found(run, "--stale") == []
        (project / ".agent-memory/config.yaml").write_text("stale_days: 1\n")
        assert [each["id"] for each in found(run, "--stale")] == ["c-pnpm", "c-yarn"]

    def test_the_task_that_the_project_is_at_is_in_sight(self, run: Run, project: Path) -> None:
        run("add", "--task", "billing", "Only billing/")
        assert "billing" not in [each["task"] for each in found(run)]
        assert found(run, "--task", "billing")[-1]["task"] == "billing"

        (project / ".agent-memory/state/default_task").write_text("billing\n")
        assert found(run)[-1]["what"] == "Only billing/"
        assert found(run, "--task", "-")[-1]["task"] is None
        (project / ".agent-memory/state/default_task").write_text("gone\n")
        assert [each["task"] for each in found(run)] == [None] * 3

    def test_outside_a_project_the_cure_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)

        with pytest.raises(AgentinitdError, match="agentinitd init"):
            CliRunner().invoke(anchors, ["list"], catch_exceptions=False)


class TestAdd:
    def test_id_and_place_are_printed(self, run: Run, project: Path) -> None:
        done = run("add", "Tests:", "`pnpm", "test`", "--why", "CI runs it", "--applies", "*.ts")

        name = derived_id("constraint", "Tests: `pnpm test`")
        assert done.stdout == f"{name}  .agent-memory/anchors/project_constraints.md:10\n"
        assert text(project).startswith(RULES + "- [constraint] Tests: `pnpm test`\n  Why: CI runs it\n")
        assert found(run)[-1]["applies"] == ["*.ts"]

    def test_what_cannot_work_is_written_and_told(self, run: Run, project: Path) -> None:
        (project / "Makefile").write_text("test:\n")
        done = run("add", "Run make test", "--check", "script Makefile tests", "--forbid", "bash(npm *)")

        name = done.stdout.split()[0]
        assert done.exit_code == 0
        assert done.stderr.splitlines() == [
            "check `script Makefile tests` does not hold: Makefile no longer defines tests. "
            f"Change it: agentinitd anchors edit {name}",
            "forbid `bash(npm *)`: no tool is called bash, but Bash is. "
            f"Change it: agentinitd anchors edit {name}",
        ]
        mended = run("edit", name, "--check", "script Makefile test", "--forbid", "Bash(npm *)")
        assert mended.stderr == ""

    def test_programs_get_the_anchor(self, run: Run) -> None:
        told = json.loads(run("add", "--kind", "tool", "f(x)", "--json").stdout)

        assert (told["kind"], told["file"], told["source"]) == ("tool", "anchors/tool_interfaces.md", "user")

    def test_a_repeated_one_is_refused_with_the_id_of_the_first(self, run: Run, project: Path) -> None:
        with pytest.raises(AgentinitdError, match="c-push says the same"):
            run("add", "never push to `main`")
        assert text(project) == RULES
        assert run("add", "x", "--priority", "urgent").exit_code == 2
        assert run("add").exit_code == 2


class TestEdit:
    def test_options_change_what_they_name(self, run: Run, project: Path) -> None:
        done = run("edit", "c-pu", "--why", "CI deploys it", "--priority", "normal")

        assert done.stdout == "c-push  .agent-memory/anchors/project_constraints.md:4\n"
        assert text(project) == RULES.replace(
            " <!-- id: c-push; priority: critical;", " <!-- id: c-push;"
        ).replace("2025-11-28 -->\n", "2025-11-28 -->\n  Why: CI deploys it\n")
        assert json.loads(run("edit", "c-push", "--why", "", "--json").stdout)["why"] is None

    def test_the_editor_gets_these_lines_alone(
        self, run: Run, editor: Callable[[str], None], tmp_path: Path
    ) -> None:
        editor(f"pathlib.Path({str(tmp_path / 'seen')!r}).write_text(text); path.write_text(text + ' \\n')")
        run("edit", "c-pnpm")
        assert (tmp_path / "seen").read_text() == RULES[
            RULES.index("- [约束]") : RULES.index("- [constraint] Use npm")
        ]

        editor("path.write_text(text.replace('pnpm', 'pnpm 9', 1))")
        assert run("edit", "c-pnpm").exit_code == 0
        [changed] = [each for each in found(run) if each["id"] == "c-pnpm"]
        assert changed["what"] == "用 pnpm 9"
        assert changed["written"] != "2025-11-02T10:00:00Z"

    def test_an_editor_that_changes_nothing_writes_nothing(
        self, run: Run, project: Path, editor: Callable[[str], None]
    ) -> None:
        editor("path.write_text(text)")
        file = project / ".agent-memory/anchors/project_constraints.md"
        before = file.stat()

        done = run("edit", "c-push")

        assert (done.exit_code, done.stderr) == (0, "Nothing was changed.\n")
        after = file.stat()
        assert (after.st_ino, after.st_mtime_ns, after.st_ctime_ns) == (
            before.st_ino,
            before.st_mtime_ns,
            before.st_ctime_ns,
        )

    @pytest.mark.parametrize(
        ("line", "told"),
        [
            ("path.write_text('- [constraint] one\\n- [constraint] two\\n')", "several items"),
            ("path.write_bytes(b'\\xff')", "utf-8"),
            ("path.write_text('x'); sys.exit(3)", "ended with 3"),
        ],
    )
    def test_what_cannot_be_taken_over_is_kept_in_a_file_that_is_named(
        self, run: Run, project: Path, editor: Callable[[str], None], line: str, told: str
    ) -> None:
        editor(line)

        with pytest.raises(AgentinitdError, match=told) as refused:
            run("edit", "c-push")

        kept = Path(str(refused.value).rpartition("kept in ")[2].rstrip("."))
        assert kept.read_bytes() and text(project) == RULES
        assert kept.parent.stat().st_mode & 0o777 == 0o700
        kept.unlink()
        kept.parent.rmdir()

    def test_a_change_by_somebody_else_meanwhile_stands(
        self, run: Run, project: Path, editor: Callable[[str], None]
    ) -> None:
        theirs = RULES.replace("Never push", "Never ever push")
        path = project / ".agent-memory/anchors/project_constraints.md"
        editor(
            f"pathlib.Path({str(path)!r}).write_text({theirs!r}); path.write_text(text.replace('main', 'x'))"
        )

        with pytest.raises(AgentinitdError, match="changed meanwhile") as refused:
            run("edit", "c-push")

        kept = Path(str(refused.value).rpartition("kept in ")[2].rstrip("."))
        assert text(project) == theirs
        assert "`x`" in kept.read_text()
        kept.unlink()
        kept.parent.rmdir()

    def test_an_editor_that_is_not_there_is_named(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("VISUAL", "/no/such/editor")

        with pytest.raises(AgentinitdError, match=r"/no/such/editor.*Set EDITOR.* Nothing was changed\.$"):
            run("edit", "c-push")


class TestVerifyAndRemove:
    def test_verifying_is_told(self, run: Run) -> None:
        done = run("verify", "c-pn", "c-yarn")

        assert [line.split()[:2] for line in done.stdout.splitlines()] == [
            ["verified:", "c-pnpm"], ["verified:", "c-yarn"],
        ]  # fmt: skip
        assert all(each["verified"] for each in found(run))
        with pytest.raises(AgentinitdError, match="no anchor 'zzz'"):
            run("verify", "zzz")

    def test_what_is_removed_is_printed(self, run: Run, project: Path) -> None:
        done = run("remove", "c-pnpm")

        assert done.stdout.splitlines() == [
            "removed: c-pnpm  .agent-memory/anchors/project_constraints.md:5",
            "  - [约束] 用 pnpm",
            "    原因：CI 只有它",
            "    <!-- id: c-pnpm -->",
        ]
        assert "pnpm" not in text(project)

    def test_what_was_replaced_does_not_come_back_by_itself(self, run: Run) -> None:
        with pytest.raises(AgentinitdError, match="c-npm"):
            run("remove", "c-yarn")
        assert run("remove", "c-yarn", "--keep").stdout.startswith("ended: c-yarn")
        assert (
            json.loads(run("remove", "c-yarn", "--restore", "--json").stdout)["removed"][0]["kept"] is False
        )
        assert [each["id"] for each in found(run)] == ["c-push", "c-pnpm", "c-npm"]


def test_foreign_text_neither_begins_a_line_nor_speaks_to_the_terminal(run: Run, project: Path) -> None:
    path = project / ".agent-memory/anchors/notes.md"
    path.write_text("- [tool] a\u202e <!-- id: t-x; forbid: \x1b[31mred -->\n  Why: \x1b]0;evil\x07\n")

    for words in (("list",), ("verify", "t-x"), ("remove", "t-x")):
        done = run(*words)
        assert all(character.isprintable() or character == "\n" for character in done.stdout)


def test_it_starts_no_daemon(project: Path, home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "agentinitd", "anchors", "add", "x"], cwd=project / "src",
        capture_output=True, text=True, check=False, timeout=60, env=os.environ,
    )  # fmt: skip

    assert (done.returncode, done.stderr) == (0, "")
    assert not list(home.rglob("*.sock"))
