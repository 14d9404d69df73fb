"""Writing a memory: nothing is lost, nothing is torn, whoever writes at once and whenever killed."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import stat
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from agentinitd.memory.edit import change_item, remove_item
from agentinitd.memory.folder import MAX_FILE_BYTES
from agentinitd.memory.writer import append_line, keep_beside, locked, update
from agentinitd.model.errors import MemoryConflict, MemoryForbidden, MemoryRefused

RULES = Path("anchors/project_constraints.md")
STATE = Path("state/task_state.json")
HISTORY = Path("state/history.jsonl")
TWO = "---\nlast_updated: 2026-11-01\n---\n- a <!-- id: c-a -->\n\n- b\n  <!-- id: c-b; said: 1 -->\n"

WRITERS = 50
UPDATES = 100


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "p" / ".agent-memory" / "anchors").mkdir(parents=True)
    return tmp_path / "p"


@pytest.fixture
def quick_folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where that is possible: a disk may take a second for a thousand files."""
    shared_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared_memory if shared_memory.is_dir() else tmp_path) as folder:
        yield Path(folder)


def place(project: Path, path: Path) -> Path:
    return project / ".agent-memory" / path


def read(project: Path, path: Path) -> str:
    return place(project, path).read_bytes().decode()


def forked(action: Callable[[], object]) -> int:
    """Pid of a child that does this and ends with 0, or 1 when it raises."""
    pid = os.fork()
    if pid == 0:
        try:
            action()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    return pid


def ended_with(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


# --- One writer


def seen(project: Path) -> tuple[int, int, int]:
    """What changes with a file when somebody writes it; not when it is read."""
    found = place(project, RULES).stat()
    return found.st_ino, found.st_mtime_ns, found.st_ctime_ns


def test_a_file_is_made_changed_and_left_alone(project: Path) -> None:
    assert update(RULES, lambda text: None if text is None else "?", project=project) is None
    assert update(RULES, lambda text: "a\r\n" if text is None else "?", project=project) == "a\r\n"
    assert update(RULES, lambda text: f"{text}b", project=project) == "a\r\nb"
    before = seen(project)
    assert update(RULES, lambda _text: None, project=project) == "a\r\nb"
    assert update(RULES, lambda text: text, project=project) == "a\r\nb"
    assert seen(project) == before
    assert read(project, RULES) == "a\r\nb"


def test_what_is_new_is_for_its_owner_alone_and_what_is_there_keeps_its_mode(project: Path) -> None:
    task = Path("tasks/a/anchors/rules.md")
    update(task, lambda _text: "x", project=project)
    place(project, RULES).write_text("x")
    place(project, RULES).chmod(0o644)
    update(RULES, lambda _text: "y", project=project)
    append_line(HISTORY, "{}", max_bytes=99, project=project)

    modes = {
        str(path.relative_to(project / ".agent-memory")): stat.S_IMODE(path.stat().st_mode)
        for path in (project / ".agent-memory").rglob("*")
    }
    del modes["anchors"]
    assert modes == {
        ".lock": 0o600, "anchors/project_constraints.md": 0o644, "state": 0o700, "state/history.jsonl": 0o600,
        "tasks": 0o700, "tasks/a": 0o700, "tasks/a/anchors": 0o700, "tasks/a/anchors/rules.md": 0o600,
    }  # fmt: skip


def test_no_folder_is_made_for_nothing(project: Path) -> None:
    update(STATE, lambda _text: None, project=project)

    assert not place(project, STATE).parent.exists()
    place(project, Path("state")).write_text("a file")
    with pytest.raises(MemoryRefused, match="in the place of a folder"):
        update(STATE, lambda _text: "x", project=project)


def test_what_an_edit_raises_leaves_the_file_and_frees_the_lock(project: Path) -> None:
    place(project, RULES).write_text("x")

    with pytest.raises(ZeroDivisionError):
        update(RULES, lambda _text: str(1 // 0), project=project)

    assert read(project, RULES) == "x"
    with locked(project, wait_seconds=0):
        pass


# --- Editors, which know no lock


@pytest.fixture(params=["in place", "by a new file"])
def saves(request: pytest.FixtureRequest, project: Path) -> Callable[[str], None]:
    """An editor's save of the rules."""

    def save(text: str) -> None:
        path = place(project, RULES)
        target = path if request.param == "in place" else path.with_name("4913")
        target.write_bytes(text.encode())
        target.replace(path)

    return save


def test_what_an_editor_saved_in_between_is_edited_again(project: Path, saves: Callable[[str], None]) -> None:
    place(project, RULES).write_text(TWO)
    saved = TWO.replace("a <!--", "A, after all <!--")

    def edit(text: str | None) -> str:
        new = change_item(text or "", "c-b", file=str(RULES), said=2)
        if text == TWO:
            saves(saved)
        return new

    expected = saved.replace("said: 1", "said: 2")
    assert update(RULES, edit, project=project) == expected == read(project, RULES)


@pytest.mark.parametrize("theirs", [TWO.replace("- b", "- B"), TWO[: TWO.index("- b")]])
def test_two_versions_of_one_item_are_both_kept(
    project: Path, saves: Callable[[str], None], theirs: str
) -> None:
    place(project, RULES).write_text(TWO)

    def edit(text: str | None) -> str:
        new = change_item(text or "", "c-b", file=str(RULES), said=2)
        if text == TWO:
            saves(theirs)
        return new

    with pytest.raises(MemoryConflict) as told:
        update(RULES, edit, project=project, now=lambda: 1764410400.0)

    kept = place(project, RULES).with_name("project_constraints.md.conflict-20251129T100000Z")
    assert read(project, RULES) == theirs
    assert kept.read_text() == TWO.replace("said: 1", "said: 2")
    assert str(place(project, RULES)) in str(told.value) and str(kept) in str(told.value)


def test_the_same_change_made_by_both_is_no_conflict(project: Path, saves: Callable[[str], None]) -> None:
    place(project, RULES).write_text(TWO)

    def edit(text: str | None) -> str:
        new = change_item(text or "", "c-b", file=str(RULES), said=2)
        saves(new)
        return new

    assert update(RULES, edit, project=project) == TWO.replace("said: 1", "said: 2")


def test_an_editor_that_saves_into_the_file_we_took_away_loses_nothing(project: Path) -> None:
    """It had opened the file before; a save in place goes on into what no longer has a name."""
    path = place(project, RULES)
    path.write_text(TWO)
    with path.open("r+") as opened:

        def pause(_seconds: float) -> None:
            opened.write(TWO.replace("- a", "- A"))
            opened.flush()

        def edit(text: str | None) -> str:
            if text == TWO:
                os.ftruncate(opened.fileno(), 0)
                path.unlink()  # so that the look before sees no file
                path.write_text(TWO)
            return remove_item(text or "", "c-b", file=str(RULES))

        update(RULES, edit, project=project, pause=pause)

    assert "- A" in path.read_text() and "c-b" not in path.read_text()


def test_a_file_that_is_saved_all_the_time_is_given_up_and_ours_is_kept(project: Path) -> None:
    count = iter(range(1000))

    def edit(text: str | None) -> str:
        place(project, HISTORY.with_name("x.md")).write_text(f"{next(count)}\n")
        return f"{text}ours\n"

    place(project, STATE).parent.mkdir()
    with pytest.raises(MemoryConflict, match="again and again"):
        update(HISTORY.with_name("x.md"), edit, project=project, pause=lambda _seconds: None)


def test_a_text_that_cannot_be_brought_in_is_kept_under_a_free_name(project: Path) -> None:
    kept = [keep_beside(RULES, text, project=project, now=lambda: 0.0) for text in ("one", "two")]

    assert [path.name for path in kept] == [
        "project_constraints.md.conflict-19700101T000000Z",
        "project_constraints.md.conflict-19700101T000000Z-2",
    ]
    assert [path.read_text() for path in kept] == ["one", "two"]


# --- What must not be written


def _link_out(path: Path, outside: Path) -> None:
    (outside / "f").write_text("theirs")
    path.symlink_to(outside / "f")


def _linked_folder(path: Path, outside: Path) -> None:
    (outside / path.name).write_text("theirs")
    path.parent.rmdir()
    path.parent.symlink_to(outside)


def _binary(path: Path, _outside: Path) -> None:
    path.write_bytes(b"\xff\n")


def _with_nul(path: Path, _outside: Path) -> None:
    path.write_bytes(b"a\0")


def _giant(path: Path, _outside: Path) -> None:
    path.write_bytes(b"x" * (MAX_FILE_BYTES + 1))


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (_link_out, "leaves the project"),
        (_linked_folder, "leaves the project"),
        (lambda path, _outside: path.symlink_to("gone"), "link to nowhere"),
        (lambda path, _outside: os.mkfifo(path), "not a regular file"),
        (lambda path, _outside: path.mkdir(), "not a regular file"),
        (_binary, "project_constraints.md:1: is not UTF-8"),
        (_with_nul, "not a text"),
        (_giant, "more than 4,194,304. Shorten it"),
    ],
)
def test_what_is_no_file_of_ours_is_named_and_left(
    project: Path, tmp_path: Path, make: Callable[[Path, Path], Any], told: str
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    make(place(project, RULES), outside)
    before = [
        (path, path.lstat().st_mtime_ns) for path in sorted(tmp_path.rglob("*")) if path.name != ".lock"
    ]

    with pytest.raises(MemoryRefused, match=told):
        update(RULES, lambda _text: "ours", project=project)
    with pytest.raises(MemoryRefused):
        update(RULES, lambda _text: None, project=project)

    after = [(path, path.lstat().st_mtime_ns) for path in sorted(tmp_path.rglob("*")) if path.name != ".lock"]
    assert [path for path, _ in after] == [path for path, _ in before]
    assert all(path.suffix != ".md" or (path, time) in before for path, time in after)


def test_a_link_within_the_project_stays_a_link(project: Path) -> None:
    (project / "docs").mkdir()
    (project / "docs" / "rules.md").write_text("a\n")
    place(project, RULES).symlink_to("../../docs/rules.md")

    update(RULES, lambda text: f"{text}b\n", project=project)

    assert place(project, RULES).is_symlink()
    assert (project / "docs" / "rules.md").read_text() == "a\nb\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("path", [RULES, Path(".lock")])
def test_a_file_of_somebody_else_is_named(project: Path, path: Path) -> None:
    place(project, path).write_text("theirs")
    os.chown(place(project, path), 65534, 65534)

    with pytest.raises(MemoryRefused, match="belongs to uid 65534, not to you"):
        update(RULES, lambda _text: "ours", project=project)

    assert read(project, path) == "theirs"


def test_a_lock_that_is_a_link_is_named(project: Path, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("theirs")
    place(project, Path(".lock")).symlink_to(tmp_path / "f")

    with pytest.raises(MemoryRefused, match=r"is a link\. Remove it"):
        update(RULES, lambda _text: "ours", project=project)

    assert (tmp_path / "f").read_text() == "theirs"


def test_without_a_memory_the_cure_is_named(tmp_path: Path) -> None:
    with pytest.raises(MemoryRefused, match="agentinitd init"):
        update(RULES, lambda _text: "ours", project=tmp_path)
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / ".agent-memory").symlink_to(tmp_path)
    with pytest.raises(MemoryRefused, match="leaves the project"):
        update(RULES, lambda _text: "ours", project=tmp_path / "p")


def test_a_folder_that_may_not_be_written_is_named() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        memory = Path(folder, ".agent-memory", "anchors")
        memory.mkdir(parents=True)
        (memory / "a.md").write_text("old")
        for path in (Path(folder), memory.parent, memory, memory / "a.md"):
            path.chmod(0o500 if path != memory.parent else 0o700)
            if os.geteuid() == 0:
                os.chown(path, 65534, 65534)

        def write() -> None:
            if os.geteuid() == 0:
                os.setresuid(65534, 65534, 65534)
            with pytest.raises(
                MemoryForbidden, match=r"Permission denied\. Give yourself the right to write in"
            ):
                update(Path("anchors/a.md"), lambda _text: "new", project=Path(folder))

        assert ended_with(forked(write)) == 0
        assert (memory / "a.md").read_text() == "old"
        for path in (Path(folder), memory):
            path.chmod(0o700)


def test_a_file_that_has_no_room_stays_whole(project: Path) -> None:
    place(project, RULES).write_text("old\n")
    append_line(HISTORY, "old", max_bytes=10**6, project=project)

    def write() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
        with pytest.raises(MemoryRefused, match="was not changed: File too large"):
            update(RULES, lambda _text: "x" * 9000, project=project)
        with pytest.raises(MemoryRefused, match="was not changed: File too large"):
            append_line(HISTORY, "x" * 9000, max_bytes=10**6, project=project)

    assert ended_with(forked(write)) == 0
    assert read(project, RULES) == read(project, HISTORY) == "old\n"
    assert {path.name for path in place(project, RULES).parent.iterdir()} == {RULES.name}
    with pytest.raises(MemoryRefused, match="it would have"):
        update(RULES, lambda _text: "x" * (MAX_FILE_BYTES + 1), project=project)
    with pytest.raises(MemoryRefused, match="cannot be written as UTF-8"):
        update(RULES, lambda _text: "\ud800", project=project)


# --- The lock


def told_by_another_thread(action: Callable[[], object]) -> str:
    told = []

    def run() -> None:
        try:
            action()
        except MemoryRefused as error:
            told.append(str(error))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return told[0] if told else ""


def test_a_lock_that_is_held_too_long_is_named_with_its_holder(project: Path) -> None:
    def wait() -> None:
        with locked(project, wait_seconds=0.01):
            pass

    with locked(project):
        with locked(project):
            update(RULES, lambda _text: "x", project=project)
        told = told_by_another_thread(wait)

    assert f"pid {os.getpid()} holds .lock" in told and told.endswith("Try again, or end that process.")
    assert told_by_another_thread(wait) == ""


def test_a_lock_file_that_was_removed_meanwhile_lets_no_two_in(project: Path) -> None:
    lock = place(project, Path(".lock"))
    inside = []

    def pause(_seconds: float) -> None:
        lock.unlink(missing_ok=True)  # a cleaner, while somebody waits
        release.set()
        holder.join()

    def hold() -> None:
        with locked(project):
            held.set()
            release.wait()

    held, release = threading.Event(), threading.Event()
    holder = threading.Thread(target=hold)
    holder.start()
    held.wait()
    with locked(project, pause=pause):
        inside.append(told_by_another_thread(lambda: locked(project, wait_seconds=0).__enter__()))

    assert "does not end" in inside[0]


def test_a_child_does_not_hold_what_its_parent_holds(project: Path) -> None:
    def write() -> None:
        with pytest.raises(MemoryRefused), locked(project, wait_seconds=0):
            pass

    with locked(project):
        assert ended_with(forked(write)) == 0


# --- Lines


def test_of_lines_the_older_half_goes_first(project: Path) -> None:
    for number in range(100):
        append_line(HISTORY, f"line {number}", max_bytes=200, project=project)

    lines = read(project, HISTORY).splitlines()
    assert lines == [f"line {number}" for number in range(100 - len(lines), 100)]
    assert 80 <= len(read(project, HISTORY)) <= 200


def test_a_line_that_was_cut_does_not_take_the_next_one_with_it(project: Path) -> None:
    place(project, HISTORY).parent.mkdir()
    place(project, HISTORY).write_text('{"at": 1}\n{"at"')

    append_line(HISTORY, '{"at": 2}', max_bytes=200, project=project)

    assert read(project, HISTORY).splitlines() == ['{"at": 1}', '{"at"', '{"at": 2}']


@pytest.mark.parametrize("line", ["a\nb", "x" * 200])
def test_what_is_no_line_is_refused(project: Path, line: str) -> None:
    with pytest.raises(MemoryRefused, match="one line of at most"):
        append_line(HISTORY, line, max_bytes=200, project=project)


# --- Many at once, and killed


def test_fifty_writers_lose_nothing_and_tear_nothing(quick_folder: Path) -> None:
    """Each makes 100 updates, by turns of a task state and of an anchor file that it shares with all."""
    project = quick_folder
    place(project, RULES).parent.mkdir(parents=True)
    place(project, RULES).write_text(TWO)

    def count(text: str | None, name: str) -> str:
        state = json.loads(text or "{}")
        return json.dumps(state | {name: state.get(name, 0) + 1})

    def say(text: str | None) -> str:
        return re.sub(r"said: (\d+)", lambda found: f"said: {int(found[1]) + 1}", text or "")

    def write(name: str) -> None:
        for number in range(UPDATES):
            if number % 2:
                update(STATE, lambda text: count(text, name), project=project, is_synced=False)
            else:
                update(RULES, say, project=project, is_synced=False)

    children = [forked(lambda name=str(number): write(name)) for number in range(WRITERS)]  # type: ignore[misc]  # mypy knows no defaults of lambdas

    assert [ended_with(pid) for pid in children] == [0] * WRITERS
    assert json.loads(read(project, STATE)) == {str(number): UPDATES // 2 for number in range(WRITERS)}
    assert read(project, RULES) == TWO.replace("said: 1", f"said: {1 + WRITERS * UPDATES // 2}")


SYSTEM = frozenset({"posix", "fcntl"})
HARMLESS = frozenset({"fspath", "fstat", "getpid", "geteuid", "listdir", "lstat", "pread", "stat", "urandom"})
"""They change nothing: a kill before one of them is a kill before the next that does."""


def killed_before(number: int, action: Callable[[], object]) -> int:
    """How a child ended that was to be killed before the call of the system with this number."""

    def play() -> None:
        count = 0

        def watch(_frame: FrameType, event: str, function: Any) -> None:
            nonlocal count
            if event == "c_call" and function.__module__ in SYSTEM and function.__name__ not in HARMLESS:
                count += 1
                if count == number:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(watch)
        action()
        sys.setprofile(None)

    return ended_with(forked(play))


def deaths(action: Callable[[], object]) -> Iterator[int]:
    """Kills one child after the other, each a call later, until one survives; gives how many were killed."""
    number = 1
    while (ended := killed_before(number, action)) == -signal.SIGKILL:
        yield number
        number += 1
    assert ended == 0


def test_a_kill_before_any_call_of_the_system_leaves_the_old_or_the_new(project: Path) -> None:
    path, new = place(project, RULES), TWO.replace("said: 1", "said: 2")
    seen = set()

    def change() -> None:
        update(RULES, lambda text: change_item(text or "", "c-b", file=str(RULES), said=2), project=project)

    path.write_text(TWO)
    for number in deaths(change):
        seen.add(path.read_text())
        with locked(project, wait_seconds=0):
            path.write_text(TWO)
        assert number < 500

    assert seen == {TWO, new}
    change()
    assert [each.name for each in path.parent.iterdir()] == [RULES.name]


def test_a_kill_while_a_line_is_added_or_the_older_half_dropped_tears_none(project: Path) -> None:
    path = place(project, HISTORY)
    path.parent.mkdir()
    for old, new in (("a\nb\n", "a\nb\nccc\n"), ("aaa\nbbbb\n", "bbbb\nccc\n")):
        seen = set()
        path.write_text(old)
        for _ in deaths(lambda: append_line(HISTORY, "ccc", max_bytes=12, project=project)):
            seen.add(path.read_text())
            with locked(project, wait_seconds=0):
                path.write_text(old)

        assert seen == {old, new}
