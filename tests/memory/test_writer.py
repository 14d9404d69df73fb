"""Writing a memory: nothing is lost, nothing is torn, whoever writes at the same time and whenever it is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentinitd.memory.writer import append_line, locked, update
from agentinitd.model.errors import MemoryRefused

RULES = Path("anchors/project_constraints.md")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "p" / ".agent-memory").mkdir(parents=True)
    return tmp_path / "p"


def read(project: Path, path: Path) -> str:
    return (project / ".agent-memory" / path).read_bytes().decode()


def test_a_file_is_made_changed_and_left_alone(project: Path) -> None:
    assert update(RULES, lambda text: None if text is None else "?", project=project) is None
    assert update(RULES, lambda text: "a\r\n" if text is None else "?", project=project) == "a\r\n"
    assert update(RULES, lambda text: f"{text}b", project=project) == "a\r\nb"
    assert update(RULES, lambda _text: None, project=project) == "a\r\nb"
    assert read(project, RULES) == "a\r\nb"


@pytest.mark.parametrize("is_replaced", [True, False])
def test_what_an_editor_saved_in_between_is_edited_again(project: Path, is_replaced: bool) -> None:
    path = project / ".agent-memory" / RULES
    path.parent.mkdir()
    path.write_text("old\n")
    texts = []

    def edit(text: str | None) -> str:
        texts.append(text)
        if len(texts) == 1:
            target = path.with_name("4913") if is_replaced else path
            target.write_text("saved\n")
            target.replace(path)
        return f"{text}ours\n"

    assert update(RULES, edit, project=project) == "saved\nours\n" == path.read_text()
    assert texts == ["old\n", "saved\n"]


def test_a_lock_that_is_held_too_long_is_named_with_its_holder(project: Path) -> None:
    import threading

    told = []

    def other() -> None:
        try:
            with locked(project, wait_seconds=0.01):
                told.append("held by two")
        except MemoryRefused as error:
            told.append(str(error))

    with locked(project), locked(project):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    assert "pid " in told[0] and "Try again" in told[0]
    with locked(project, wait_seconds=0):
        pass


def test_of_lines_the_older_half_goes_first(project: Path) -> None:
    path = Path("state/history.jsonl")
    for number in range(100):
        append_line(path, f"line {number}", max_bytes=200, project=project)

    lines = read(project, path).splitlines()
    assert lines == [f"line {number}" for number in range(100 - len(lines), 100)]
    assert 80 <= len(read(project, path)) <= 200
