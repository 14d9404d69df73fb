"""The store: what the files say now, whatever state they are in, and cheaply while nothing changes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from agentinitd.memory.store import MemoryStore
from agentinitd.model.facts import Anchor, Memory

IS_ROOT = os.geteuid() == 0
LATER = 4_000_000_000.0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    write(folder, "anchors/project_constraints.md", "- a\n- b <!-- priority: critical -->\n")
    write(folder, "anchors/tool_interfaces.md", "- f(x)\n")
    write(folder, "anchors/decision_log.md", "- [decision] one <!-- id: d-1; last_updated: 2026-11-01 -->\n")
    write(folder, "state/task_state.json", json.dumps({"task_id": "import-9", "pending": ["x"]}))
    return folder


def write(project: Path, name: str, text: str | bytes) -> Path:
    path = project / ".agent-memory" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def store() -> MemoryStore:
    """One for which no file is so young that its times cannot be relied on."""
    return MemoryStore(now=lambda: LATER)


def load(project: Path, task_id: str | None = None) -> Memory:
    return store().load(project, task_id)


def whats(anchors: tuple[Anchor, ...]) -> list[str]:
    return [anchor.what for anchor in anchors]


def named(memory: Memory) -> dict[str, str]:
    return {problem.file: problem.message for problem in memory.problems}


def test_a_whole_memory_is_read_by_kind(project: Path) -> None:
    memory = load(project)

    assert whats(memory.constraints) == ["a", "b"]
    assert whats(memory.tools) == ["f(x)"]
    assert whats(memory.decisions) == ["one"]
    assert memory.task_id == "import-9"
    assert memory.task_state == {"task_id": "import-9", "pending": ["x"]}
    assert memory.problems == ()
    assert memory.language == "en"


def test_decisions_come_newest_first_without_those_that_were_replaced(project: Path) -> None:
    write(
        project,
        "anchors/decision_log.md",
        "- one <!-- id: d-1; last_updated: 2026-11-01 -->\n"
        "- two <!-- id: d-2; last_updated: 2026-11-03; supersedes: d-1 -->\n"
        "- three <!-- last_updated: 2026-11-02 -->\n",
    )

    assert whats(load(project).decisions) == ["two", "three"]


@pytest.mark.parametrize(
    ("phase", "expected"),
    [
        ("review", ["always", "reviewing"]),
        (" Release ", ["always", "reviewing", "releasing"]),
        ("build", ["always", "old"]),
        (None, ["always", "old"]),
        (3, ["always", "old"]),
    ],
)
def test_what_is_limited_to_phases_counts_in_these_only_and_replaces_nothing_in_others(
    project: Path, phase: object, expected: list[str]
) -> None:
    rules = (
        "- always\n- old <!-- id: c1 -->\n"
        "- reviewing <!-- phase: review, release; supersedes: c1 -->\n- releasing <!-- phase: release -->\n"
    )
    write(project, "anchors/project_constraints.md", rules)
    write(project, "state/task_state.json", json.dumps({"phase": phase}))
    memory = load(project)

    assert whats(memory.constraints) == expected
    assert {*whats(memory.constraints), *whats(memory.resting)} >= {"always", "reviewing", "releasing"}


def test_a_task_has_its_own_anchors_and_state_and_nothing_of_another(project: Path) -> None:
    for name in ("billing-417", "docs-88"):
        write(project, f"tasks/{name}/anchors/project_constraints.md", f"- only {name}\n")
        write(project, f"tasks/{name}/state/task_state.json", json.dumps({"task_id": name}))

    memory = load(project, "docs-88")

    assert whats(memory.constraints) == ["a", "b", "only docs-88"]
    assert memory.constraints[-1].scope == "task"
    assert memory.task_id == "docs-88"
    assert memory.task_state == {"task_id": "docs-88"}
    assert memory.problems == ()


def test_the_default_state_serves_a_session_bound_to_its_task_only(project: Path) -> None:
    assert load(project, "import-9").task_state == {"task_id": "import-9", "pending": ["x"]}
    assert load(project, "import-9").problems == ()

    other = load(project, "other")
    assert other.task_state is None
    assert list(named(other)) == ["tasks/other/state/task_state.json"]


@pytest.mark.parametrize("task_id", ["../../etc", "a/b", "", "\0", "." * 300])
def test_a_task_name_that_is_a_path_serves_no_task_and_is_named(project: Path, task_id: str) -> None:
    memory = load(project, task_id)

    assert whats(memory.constraints) == ["a", "b"]
    assert memory.task_state is None
    assert "tasks" in named(memory)


def test_missing_and_empty_files_are_named_and_the_rest_is_served(project: Path) -> None:
    (project / ".agent-memory/anchors/decision_log.md").unlink()
    write(project, "anchors/tool_interfaces.md", "")
    write(project, "state/task_state.json", "")

    memory = load(project)

    assert whats(memory.anchors) == ["a", "b"]
    assert {name: message.split(".")[0] for name, message in named(memory).items()} == {
        "anchors/decision_log.md": "is missing",
        "anchors/tool_interfaces.md": "the file is empty",
        "state/task_state.json": "the file is empty",
    }


def test_a_project_without_memory_is_named_and_served_empty(tmp_path: Path) -> None:
    memory = load(tmp_path / "nowhere")

    assert memory.is_empty
    assert list(named(memory)) == [".agent-memory"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"- a\n\x00\x01\x02", "not a text"),
        ("- [constraint] a".encode("utf-16"), "not a text"),
        (b"- ok\n- \xff\n", "not UTF-8"),
        (b"x" * (4 * 1024 * 1024 + 1), "more than"),
        (b'---\n{"a": [\n---\n- ok\n', "front matter"),
    ],
)
def test_a_broken_file_is_named_and_the_others_are_served(project: Path, data: bytes, message: str) -> None:
    write(project, "anchors/project_constraints.md", data)

    memory = load(project)

    assert message in named(memory)["anchors/project_constraints.md"]
    assert whats(memory.tools) == ["f(x)"]
    assert whats(memory.constraints)[:1] == (["ok"] if b"- ok" in data else [])


def test_a_line_that_is_not_utf_8_is_named_by_its_number(project: Path) -> None:
    write(project, "anchors/project_constraints.md", b"- a\n- b\n- \xff\n")

    assert [(problem.file, problem.line) for problem in load(project).problems] == [
        ("anchors/project_constraints.md", 3)
    ]


def fifo(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def link_out(path: Path) -> None:
    path.symlink_to("/etc/passwd")


def link_nowhere(path: Path) -> None:
    path.symlink_to("nowhere.md")


def loop(path: Path) -> None:
    path.symlink_to(path.name)


@pytest.mark.parametrize("make", [fifo, folder, link_out, link_nowhere, loop])
@pytest.mark.parametrize("name", ["anchors/other.md", "state/task_state.json"])
def test_what_is_no_file_of_the_project_is_named_and_never_read(
    project: Path, name: str, make: Callable[[Path], None]
) -> None:
    path = project / ".agent-memory" / name
    path.unlink(missing_ok=True)
    make(path)

    memory = load(project)

    assert list(named(memory)) == [name]
    assert whats(memory.constraints) == ["a", "b"]


def test_a_link_that_stays_inside_the_project_is_followed(project: Path) -> None:
    (project / "docs").mkdir()
    (project / "docs/rules.md").write_text("- [constraint] from the docs\n")
    (project / ".agent-memory/anchors/more.md").symlink_to("../../docs/rules.md")

    assert whats(load(project).constraints) == ["a", "b", "from the docs"]


@pytest.mark.parametrize("name", ["anchors", "tasks", ""])
def test_a_folder_that_leads_out_of_the_project_is_not_read(project: Path, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    write(outside, "anchors/project_constraints.md", "- stolen\n")
    write(outside, "tasks/t/anchors/project_constraints.md", "- stolen\n")
    inside = project / ".agent-memory" / name
    if inside.exists():
        inside.rename(tmp_path / "aside")
    inside.symlink_to(outside / ".agent-memory" / name)

    memory = load(project, "t")

    assert "stolen" not in whats(memory.constraints)
    assert any("leaves the project" in message for message in named(memory).values())


@pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
def test_a_file_of_somebody_else_is_named_and_not_read(project: Path) -> None:
    os.chown(project / ".agent-memory/anchors/tool_interfaces.md", 12345, 12345)

    memory = load(project)

    assert memory.tools == ()
    assert "uid 12345" in named(memory)["anchors/tool_interfaces.md"]


@pytest.mark.skipif(IS_ROOT, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(project: Path) -> None:
    (project / ".agent-memory/anchors/tool_interfaces.md").chmod(0)

    assert "cannot be read" in named(load(project))["anchors/tool_interfaces.md"]


def test_the_files_people_know_come_first_and_what_nobody_confirmed_last(project: Path) -> None:
    write(project, "anchors/captured.md", "- [constraint] captured\n- [constraint] a\n")
    write(project, "anchors/zoo.md", "- [constraint] zoo\n")
    write(project, "anchors/.hidden.md", "- [constraint] hidden\n")
    write(project, "anchors/copy.md~", "- [constraint] copy\n")

    assert whats(load(project).constraints) == ["a", "b", "zoo", "captured"]


def test_what_was_captured_stands_apart_and_only_while_it_is_active(project: Path) -> None:
    captured = "- [constraint] {0} <!-- captured: rule; status: {0} -->\n"
    states = ("active", "superseded", "ended", "rejected")
    write(project, "anchors/captured.md", "".join(captured.format(status) for status in states))

    memory = load(project)

    assert whats(memory.captured) == ["active"]
    assert whats(memory.constraints) == ["a", "b"]


def test_one_id_for_two_facts_is_named_and_both_are_served(project: Path) -> None:
    write(project, "anchors/project_constraints.md", "- a <!-- id: c-1 -->\n- b <!-- id: c-1 -->\n- b\n")

    memory = load(project)

    assert whats(memory.constraints) == ["a", "b", "b"]
    assert "c-1 is also that of anchors/project_constraints.md:1" in memory.problems[0].message


def test_a_file_name_that_is_not_utf_8_can_still_be_shown(project: Path) -> None:
    folder = os.fsencode(project / ".agent-memory/anchors")
    try:
        Path(os.fsdecode(folder + b"/\xff.md")).write_text("- [constraint] c <!-- verified: soon -->\n")
    except OSError:
        pytest.skip("this file system takes no such name")

    memory = load(project)

    assert whats(memory.constraints) == ["a", "b", "c"]
    assert memory.problems[0].file.encode() == b"anchors/?.md"


def test_too_many_files_are_named_and_the_state_is_still_served(project: Path) -> None:
    for number in range(250):
        write(project, f"anchors/n{number:03}.md", f"- [constraint] {number}\n")

    memory = load(project)

    assert "254 files" in named(memory)["anchors"]
    assert memory.task_state is not None
    assert len(memory.constraints) > 150


def test_an_unchanged_memory_is_the_same_object_and_a_changed_one_is_not(project: Path) -> None:
    ours = store()
    first = ours.load(project)

    assert ours.load(project) is first
    write(project, "anchors/project_constraints.md", "- changed\n")
    assert whats(ours.load(project).constraints) == ["changed"]
    write(project, "anchors/new.md", "- [constraint] new\n")
    assert whats(ours.load(project).constraints) == ["changed", "new"]


@pytest.mark.parametrize("now", [LATER, None], ids=["old files", "files written just now"])
def test_what_did_not_change_in_a_file_that_did_is_the_same_object(project: Path, now: float | None) -> None:
    reader = store() if now else MemoryStore()
    first, second = reader.load(project).constraints

    write(project, "anchors/project_constraints.md", "- a\n- b <!-- priority: low -->\n- c\n")
    again, changed, _ = reader.load(project).constraints

    assert again is first
    assert (second.priority, changed.priority) == ("critical", "low")


def test_a_change_that_keeps_size_and_time_is_seen(project: Path) -> None:
    ours = store()
    ours.load(project)
    path = project / ".agent-memory/anchors/tool_interfaces.md"
    found = path.stat()
    path.write_text("- g(x)\n")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))

    assert whats(ours.load(project).tools) == ["g(x)"]


def test_a_file_written_just_now_is_not_taken_from_the_cache(project: Path) -> None:
    """Within one tick of the file system's clock a second write may leave the same times."""
    path = project / ".agent-memory/anchors/tool_interfaces.md"
    ours = MemoryStore(now=lambda: path.stat().st_ctime)

    assert ours.load(project) is not ours.load(project)


def test_the_language_is_that_of_the_anchors_else_of_the_task(project: Path) -> None:
    write(project, "anchors/project_constraints.md", "- 不要推送到远程仓库\n- 金额一律用整数分表示\n")
    assert load(project).language == "zh"

    for name in ("project_constraints", "tool_interfaces", "decision_log"):
        write(project, f"anchors/{name}.md", "\n")
    write(project, "state/task_state.json", json.dumps({"next_action": "给分区补上断点续跑"}))
    assert load(project).language == "zh"
