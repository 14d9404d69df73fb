"""Files that are no scripts, or that the kernel would refuse: told in words, and nothing else is lost."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root: gives files to others, or mounts")
SHELL = Path(os.path.realpath("/bin/sh"))


@pytest.fixture
def own(hasty_daemon: Any) -> Iterator[Callable[[str, bytes], Path]]:
    """Lays scripts of the person's own, which no copy is made of."""
    made: list[Path] = []

    def lay(name: str, data: bytes) -> Path:
        path: Path = hasty_daemon.home / ".config" / "agentinitd" / "init.d" / name
        path.write_bytes(data)
        path.chmod(0o755)
        made.append(path)
        return path

    yield lay
    for path in made:
        path.unlink(missing_ok=True)


def assert_not_executed(place: Any, told: Any, reason: str, *, key: str = "odd") -> None:
    ended = told.of(key)
    assert (ended["result"], ended["exit"]) == ("exec-error", None)
    assert ended["reason"] == reason
    place.assert_degraded(told, f"S50-{key}", reason)
    place.assert_others_delivered(told)


UNEXECUTABLE = {
    "no shebang": (b"echo '- Odd'\n", "no #! in the first line, and no program that this system knows"),
    "CRLF": (b"#!/bin/sh\r\necho '- Odd'\r\n", "CRLF after interpreter"),
    "byte order mark": (b"\xef\xbb\xbf#!/bin/sh\necho '- Odd'\n", "byte order mark before #!"),
    "a blank line first": (
        b"\n#!/bin/sh\necho '- Odd'\n",
        "no #! in the first line, and no program that this system knows",
    ),
    "no interpreter": (b"#!/no/such/sh\necho '- Odd'\n", "no interpreter /no/such/sh"),
    "an interpreter that is a folder": (b"#!/usr/bin\necho '- Odd'\n", "no interpreter /usr/bin"),
    "an interpreter without a right": (b"#!/etc/passwd\necho '- Odd'\n", "no interpreter /etc/passwd"),
    "a relative interpreter": (
        b"#!sh\necho '- Odd'\n",
        "interpreter sh is not an absolute path",
    ),
    "nothing after #!": (b"#!   \necho '- Odd'\n", "no interpreter after #!"),
    "a long first line": (b"#!/bin/sh " + b"x" * 300 + b"\n", "#! line longer than 255 bytes"),
    "a torn program": (b"\x7fELF" + b"\x02\x01\x01" + bytes(40), "Exec format error"),
    "a picture": (
        b"\x89PNG\r\n\x1a\n" + bytes(40),
        "no #! in the first line, and no program that this system knows",
    ),
}


@pytest.mark.parametrize("kind", UNEXECUTABLE)
def test_what_the_kernel_would_refuse_is_told_in_words(place: Any, kind: str) -> None:
    """EXE-2: and it is never tried through a shell."""
    data, reason = UNEXECUTABLE[kind]
    place.file("S50-odd", data)

    told = place.starts()

    assert "- Odd" not in told.lines
    assert_not_executed(place, told, reason)


def test_what_env_does_not_find_is_told_by_it(place: Any) -> None:
    """Section 7: 127, with the words of `env` beside it."""
    place.file("S50-odd", b"#!/usr/bin/env no-such-program\necho '- Odd'\n")

    told = place.starts()

    assert (told.of("odd")["result"], told.of("odd")["exit"]) == ("failed", 127)
    assert "no-such-program" in told.of("odd")["err_tail"]
    place.assert_degraded(told, "S50-odd", "exit 127")
    place.assert_others_delivered(told)


def test_an_empty_file_switches_off_and_is_never_executed(place: Any) -> None:
    """OVR-3, EXE-2."""
    place.file("S50-odd", b"")
    place.file("S10-constraints", b"")

    told = place.starts()

    assert told.of("odd")["result"] == told.of("constraints")["result"] == "masked"
    assert told.run["result"] == "ok"
    assert place.rule not in told.text
    assert "- The neighbour was here" in told.lines
    place.assert_serving()


def test_a_link_to_nothing_switches_off_too(place: Any) -> None:
    """OVR-3."""
    (place.init_d / "S50-odd").symlink_to(os.devnull)
    place.approve("S50-odd")

    told = place.starts()

    assert told.of("odd")["result"] == "masked"
    place.assert_others_delivered(told)


def assert_refused(place: Any, told: Any, reason: str) -> None:
    refused = told.of("odd")
    assert (refused["result"], refused["exit"]) == ("refused", None)
    assert reason in refused["reason"]
    assert told.run["result"] == "degraded"
    assert told.lines[1].startswith("Degraded: S50-odd")
    assert any("S50-odd" in text and reason in text for text in place.reasons())
    assert [each["event"] for each in place.logged("odd")] == ["script.skip"]
    place.assert_others_delivered(told)


def make_fifo(path: Path, _tmp: Path) -> None:
    os.mkfifo(path, 0o755)


def make_socket(path: Path, tmp: Path) -> None:
    short = tmp / "s"
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as listening, contextlib.chdir(tmp):
        listening.bind("s")
    short.rename(path)


def make_device(path: Path, _tmp: Path) -> None:
    try:
        os.mknod(path, 0o020755, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("devices cannot be made here")


def make_dangling(path: Path, tmp: Path) -> None:
    path.symlink_to(tmp / "gone")


def make_loop(path: Path, _tmp: Path) -> None:
    path.symlink_to(path.name)


def make_way_out(path: Path, tmp: Path) -> None:
    outside = tmp / "outside"
    outside.write_text("#!/bin/sh\necho '- Odd'\n")
    outside.chmod(0o755)
    path.symlink_to(os.path.relpath(outside, path.parent))


def make_absolute_way_out(path: Path, _tmp: Path) -> None:
    path.symlink_to("/bin/sh")


def make_link_to_fifo(path: Path, _tmp: Path) -> None:
    os.mkfifo(path.with_name("fifo"))
    path.symlink_to("fifo")


def make_giant(path: Path, _tmp: Path) -> None:
    path.write_bytes(b"#!/bin/sh\necho '- Odd'\n" + b"#" * 2**20)
    path.chmod(0o755)


NO_FILES: dict[str, tuple[Callable[[Path, Path], None], str]] = {
    "a FIFO": (make_fifo, "not a regular file"),
    "a socket": (make_socket, "not a regular file"),
    "a device": (make_device, "not a regular file"),
    "a dangling link": (make_dangling, "dangling link to "),
    "a link to itself": (make_loop, "dangling link to S50-odd"),
    "a link out of the project": (make_way_out, "link leads out of the project"),
    "an absolute link out of it": (make_absolute_way_out, "link leads out of the project"),
    "a link to a FIFO": (make_link_to_fifo, "not a regular file"),
    "more than 1 MiB": (make_giant, "larger than 1,048,576 bytes"),
}


@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_no_file_of_the_project_is_refused_and_not_waited_for(
    place: Any, tmp_path: Path, kind: str
) -> None:
    """NAM-6, NAM-8, TRU-6."""
    make, reason = NO_FILES[kind]
    make(place.init_d / "S50-odd", tmp_path)

    told = place.starts()

    assert "Odd" not in told.text
    assert_refused(place, told, reason)


@pytest.mark.parametrize("is_absolute", [False, True])
def test_a_link_that_stays_inside_runs(place: Any, is_absolute: bool) -> None:
    """NAM-8."""
    target = place.root / "tools" / "odd"
    target.parent.mkdir()
    target.write_text("#!/bin/sh\necho '- Linked'\n")
    target.chmod(0o755)
    (place.init_d / "S50-odd").symlink_to(target if is_absolute else "../../tools/odd")
    place.approve("S50-odd")

    told = place.starts()

    assert "- Linked" in told.lines
    place.assert_others_delivered(told)


def test_a_folder_among_scripts_is_no_fault(place: Any) -> None:
    """NAM-6."""
    (place.init_d / "S50-odd").mkdir()

    told = place.starts()

    assert told.run["result"] == "ok"
    assert "S50-odd" not in {each["script"] for each in told.run["scripts"]}
    place.assert_others_delivered(told)


NAMES = {
    "S50-odd~": "backup",
    "S50-odd.bak": "backup",
    "S50-odd.orig": "backup",
    "S50-odd.rej": "backup",
    ".S50-odd.swp": "backup",
    "#S50-odd#": "backup",
    "S50-odd.rpmnew": "backup",
    "S50-odd.dpkg-dist": "backup",
    "S50-odd.pacnew": "backup",
    "._S50-odd": "backup",
    "S50-odd.sh": "extension",
    "S50-odd.py": "extension",
    "S50-Odd": "case",
    "s50-odd": "case",
    "S5-odd": "number",
    "odd": "number",
    "K50-odd": "number: K names belong in rc.d",
    "S50-odd odd": "name",
    "S50-odd\n": "name",
    "S50-\u00f6dd": "name",
    f"S50-{'o' * 70}": "name: longer than 64 bytes",
}


def test_names_that_are_none_never_run_and_are_all_reported(place: Any) -> None:
    """NAM-1, NAM-2, NAM-3."""
    for name in NAMES:
        place.script(name, f"touch {place.root}/ran; echo '- Odd'", approved=False)

    told = place.starts()

    assert not (place.root / "ran").exists()
    assert "Odd" not in told.text
    assert told.run["result"] == "ok"
    ignored = ignored_of(place)
    assert len(ignored) == len(NAMES)
    for name, reason in NAMES.items():
        shown = name.replace("\n", "\\x0a")
        assert f"{place.init_d}/{name}: {reason}".replace("\n", "\\x0a") in [
            text.replace("\n", "\\x0a") for text in ignored
        ], shown
    place.assert_others_delivered(told)


def ignored_of(place: Any) -> list[str]:
    return [text for text in place.daemon.get("/v1/status")["ignored"] if str(place.root) in text]


def test_a_heap_of_other_files_crowds_out_no_script(place: Any) -> None:
    """NAM-9, NAM-3."""
    place.script("S50-odd", "echo '- Odd'")
    for number in range(600):
        (place.init_d / f"#{number}#").touch()

    told = place.starts()

    assert "- Odd" in told.lines
    assert f"{place.init_d}: too full: 89 more files in it were not looked at" in ignored_of(place)
    place.assert_others_delivered(told)


@pytest.mark.parametrize("kind", ["a file", "a FIFO", "a dangling link", "a way out"])
def test_a_folder_of_scripts_that_is_none_is_told(place: Any, tmp_path: Path, kind: str) -> None:
    """NAM-3, NAM-8."""
    place.init_d.rmdir()
    if kind == "a file":
        place.init_d.write_text("#!/bin/sh\n")
    elif kind == "a FIFO":
        os.mkfifo(place.init_d)
    else:
        place.init_d.symlink_to(tmp_path if kind == "a way out" else tmp_path / "gone")

    told = place.starts()

    [text] = ignored_of(place)
    assert text.startswith(f"{place.init_d}: ")
    place.assert_others_delivered(told)


def test_readmes_are_no_matter(place: Any) -> None:
    """NAM-3."""
    for name in ("README", "README.md", ".gitkeep", ".gitignore"):
        place.file(name, b"hello", mode=0o644, approved=False)

    told = place.starts()

    assert ignored_of(place) == []
    place.assert_others_delivered(told)


def test_one_that_may_not_be_executed_is_skipped_and_told(place: Any) -> None:
    """NAM-7: `chmod -x` is a way to switch off, and so no failure."""
    path = place.script("S50-odd", "echo '- Odd'")
    path.chmod(0o644)

    told = place.starts()

    assert (told.of("odd")["result"], told.of("odd")["reason"]) == ("skipped", "not executable")
    assert told.run["result"] == "ok"
    assert "Odd" not in told.text
    place.assert_others_delivered(told)


@needs_root
def test_one_that_belongs_to_somebody_else_is_refused(place: Any) -> None:
    """TRU-1."""
    path = place.script("S50-odd", "echo '- Odd'")
    os.chown(path, 65534, 65534)

    assert_refused(place, place.starts(), f"{path} belongs to uid 65534")


def test_one_that_everybody_may_change_is_refused_with_the_cure(place: Any) -> None:
    """TRU-1."""
    path = place.script("S50-odd", "echo '- Odd'")
    path.chmod(0o777)

    assert_refused(place, place.starts(), f"is writable by everybody. Cure: chmod o-w {path}")


@needs_root
def test_one_that_a_group_may_change_is_refused_with_the_cure(place: Any) -> None:
    """TRU-1."""
    path = place.script("S50-odd", "echo '- Odd'")
    os.chown(path, -1, 65534)
    path.chmod(0o775)

    assert_refused(place, place.starts(), f"is writable by group 65534. Cure: chmod g-w {path}")


@pytest.mark.parametrize("which", [".", ".agent-memory", ".agent-memory/init.d"])
def test_in_a_folder_that_everybody_may_change_none_runs(place: Any, which: str) -> None:
    """TRU-1: every folder above it counts."""
    place.script("S50-odd", "echo '- Odd'")
    folder = place.root / which
    folder.chmod(0o777)

    told = place.starts()

    assert told.of("odd")["result"] == "refused"
    assert f"Cure: chmod o-w {folder.resolve()}" in told.of("odd")["reason"]
    assert "Odd" not in told.text
    place.assert_others_delivered(told)


@needs_root
def test_in_a_project_that_belongs_to_somebody_else_none_runs(place: Any) -> None:
    """TRU-11: whatever was approved."""
    place.script("S50-odd", "echo '- Odd'")
    assert "- Odd" in place.starts().lines
    os.chown(place.root, 65534, 65534)

    told = place.compacts()

    assert told.of("odd")["result"] == "refused"
    assert "belongs to uid 65534" in told.of("odd")["reason"]
    assert "Odd" not in told.text
    place.assert_others_delivered(told)


def test_of_two_with_one_key_the_first_runs(place: Any) -> None:
    """OVR-5."""
    place.script("S50-odd", "echo '- First'")
    place.script("S60-odd", "echo '- Second'")

    told = place.starts()

    assert "- First" in told.lines
    assert "- Second" not in told.lines
    ignored = ignored_of(place)
    assert ignored == [f"{place.init_d}/S60-odd: duplicate of S50-odd in the same layer"]
    place.assert_others_delivered(told)


def test_a_project_does_not_displace_a_script_of_the_person(
    place: Any, own: Callable[[str, bytes], Path]
) -> None:
    """OVR-4."""
    own("S50-odd", b"#!/bin/sh\necho '- Mine'\n")
    place.script("S50-odd", "echo '- Theirs'")

    told = place.starts()

    assert "- Mine" in told.lines
    assert "Theirs" not in told.text
    results = {each["layer"]: each["result"] for each in told.run["scripts"] if each["key"] == "odd"}
    assert results == {"user": "ok", "project": "refused"}
    place.assert_others_delivered(told)


def hold_open(path: Path) -> contextlib.closing[Any]:
    return contextlib.closing(path.open("ab"))


def test_one_that_somebody_is_still_writing_is_not_executed(
    place: Any, own: Callable[[str, bytes], Path]
) -> None:
    """TRU-6: `text file busy`, after three more tries."""
    path = own("S50-odd", b"#!/bin/sh\necho '- Odd'\n")

    with hold_open(path):
        assert_not_executed(place, place.starts(), "text file busy")
    assert "- Odd" in place.compacts().lines


def test_a_program_that_somebody_is_still_writing_is_not_executed(
    place: Any, own: Callable[[str, bytes], Path]
) -> None:
    """TRU-6."""
    path = own("S50-odd", SHELL.read_bytes())

    with hold_open(path):
        assert_not_executed(place, place.starts(), "text file busy")


def test_the_copy_of_a_project_script_is_not_busy_with_the_original(place: Any) -> None:
    """TRU-6: what runs is a copy that nobody else writes."""
    path = place.script("S50-odd", "echo '- Odd'")

    with hold_open(path):
        told = place.starts()

    assert "- Odd" in told.lines
    place.assert_others_delivered(told)


def test_a_copy_that_is_held_open_is_told_of(place: Any) -> None:
    """TRU-6."""
    place.script("S50-odd", "echo '- Odd' # and none like it")
    digest = hashlib.sha256((place.init_d / "S50-odd").read_bytes()).hexdigest()
    [copy] = place.daemon.state_dir.glob(f"exec/{digest}/S50-odd")
    copy.chmod(0o700)
    with hold_open(copy):
        copy.chmod(0o500)
        told = place.starts()
        assert_not_executed(place, told, "text file busy")


@contextlib.contextmanager
def noexec_mount(at: Path) -> Iterator[None]:
    """A disk of its own at this folder, from which nothing is executed; it holds what the folder held."""
    kept = at.with_name(f"{at.name}.kept")
    shutil.copytree(at, kept, symlinks=True)
    options = f"noexec,mode=700,uid={os.geteuid()}"
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(at)], capture_output=True)
    if done.returncode:
        shutil.rmtree(kept)
        pytest.skip(f"nothing can be mounted here: {done.stderr.decode().strip()}")
    try:
        shutil.copytree(kept, at, symlinks=True, dirs_exist_ok=True)
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(at)], check=True)
        shutil.rmtree(kept)


@needs_root
def test_from_a_project_on_a_noexec_disk_scripts_run_as_copies(place: Any) -> None:
    """TRU-6, EXE-2: what is executed lies in our own state folder."""
    place.script("S50-odd", "echo '- Odd'")
    with noexec_mount(place.init_d):
        told = place.starts()

        assert "- Odd" in told.lines
        place.assert_others_delivered(told)


@needs_root
def test_from_a_state_folder_on_a_noexec_disk_the_interpreter_is_called(place: Any) -> None:
    """TRU-6: a script goes on to run, and a program cannot."""
    place.script("S50-odd", "echo '- Odd'")
    place.file("S55-program", SHELL.read_bytes())
    with noexec_mount(place.daemon.state_dir / "exec"):
        told = place.starts()

    assert "- Odd" in told.lines
    assert told.of("program")["result"] == "exec-error"
    assert told.of("program")["reason"] == "noexec mount"
    place.assert_others_delivered(told)


@needs_root
def test_a_script_of_the_person_on_a_noexec_disk_is_not_executed(
    place: Any, own: Callable[[str, bytes], Path]
) -> None:
    """EXE-2."""
    own("S50-odd", b"#!/bin/sh\necho '- Odd'\n")
    with noexec_mount(place.daemon.home / ".config" / "agentinitd" / "init.d"):
        told = place.starts()

    for key in ("odd", "neighbour"):
        assert (told.of(key)["result"], told.of(key)["reason"]) == ("exec-error", "noexec mount")
    assert told.lines[1] == "Degraded: S50-odd, S80-neighbour did not run well."
    assert f"- {place.rule}" in told.lines
    place.assert_serving()


def test_a_header_longer_than_is_read_counts_for_nothing(place: Any) -> None:
    """HDR-1, HDR-3: the defaults hold."""
    padding = [f"Description: {'d' * 70}"] + [f"  {'d' * 100}" for _ in range(90)]
    place.script("S50-odd", "echo '- Odd'", *padding, "X-Section: Too far down", "X-On-Failure: abort")

    told = place.starts()

    assert "## odd (from the project's scripts)" in told.lines
    assert "- Odd" in told.lines
    place.assert_others_delivered(told)


ABSURD = {
    "a time of ages": "X-Timeout: 1e99",
    "no time at all": "X-Timeout: 0",
    "a time that is no number": "X-Timeout: nan",
    "negative output": "X-Max-Output: -5",
    "all the output there is": "X-Max-Output: 999999999999",
    "an output without end": "X-Max-Output: " + "9" * 500,
    "an answer that is none": "X-Parallel: perhaps",
    "a policy that is none": "X-On-Failure: explode",
    "a level that is none": "Default-Start: session compact tomorrow",
    "a name that is another's": "Provides: constraints",
    "a key that is none": "X-Root: yes",
    "a variable that is none": "X-Env: PATH=/evil LD_PRELOAD",
    "a section of control characters": "X-Section: \x1b[2J\x00\u202eevil",
    "a section of an end": "X-Section: ### END INIT INFO",
    "a description of 5,000": "Short-Description: " + "d" * 5000,
    "no key": ": : :",
    "a begin within": "### BEGIN INIT INFO",
}


@pytest.mark.parametrize("kind", ABSURD)
def test_absurd_values_in_a_header_are_bounded_and_the_script_runs(place: Any, kind: str) -> None:
    """HDR-2, HDR-4."""
    place.script("S50-odd", 'echo "- Odd $AGENTINITD_TIMEOUT_MS $AGENTINITD_MAX_OUTPUT"', ABSURD[kind])

    told = place.starts()

    assert told.of("odd")["result"] == "ok"
    [line] = [line for line in told.lines if line.startswith("- Odd ")]
    milliseconds, size = map(int, line.split()[2:])
    assert 100 <= milliseconds <= 60_000
    assert 1024 <= size <= 256 * 1024
    assert not {letter for letter in told.text if letter != "\n" and not letter.isprintable()}
    place.assert_others_delivered(told)


def test_requirements_that_go_in_a_loop_stop_nobody_else(place: Any) -> None:
    """HDR-5, HDR-6: nothing is sorted anew."""
    place.script("S50-odd", "echo '- Odd'", "Required-Start: even")
    place.script("S51-even", "echo '- Even'", "Required-Start: odd")

    told = place.starts()

    assert (told.of("odd")["result"], told.of("odd")["reason"]) == ("skipped", "dependency even")
    assert (told.of("even")["result"], told.of("even")["reason"]) == ("skipped", "dependency odd")
    place.assert_others_delivered(told)
    found = place.daemon.command("verify", cwd=place.root)
    assert found.returncode == 1
    assert "requirements go in a loop: odd -> even -> odd" in found.stdout


def test_one_that_requires_itself_is_skipped(place: Any) -> None:
    """HDR-6."""
    place.script("S50-odd", "echo '- Odd'", "Required-Start: odd")

    told = place.starts()

    assert (told.of("odd")["result"], told.of("odd")["reason"]) == ("skipped", "dependency odd")
    place.assert_others_delivered(told)


@pytest.mark.parametrize(("body", "is_met"), [("exit 1", False), ("exit 5", False), ("exit 0", True)])
def test_one_that_requires_what_did_not_succeed_is_skipped(place: Any, body: str, is_met: bool) -> None:
    """HDR-5."""
    place.script("S50-base", body)
    place.script("S51-odd", "echo '- Odd'", "Required-Start: base")

    told = place.starts()

    assert told.of("odd")["result"] == ("ok" if is_met else "skipped")
    assert ("- Odd" in told.lines) is is_met
    place.assert_others_delivered(told)


def test_an_essential_one_whose_requirement_is_missing_degrades_the_whole(place: Any) -> None:
    """HDR-5."""
    place.script("S50-odd", "echo '- Odd'", "Required-Start: no-such-thing", "X-Essential: yes")
    place.script("S51-other", "echo '- Other'", "X-Essential: yes")

    told = place.starts()

    assert told.of("odd")["reason"] == "dependency no-such-thing"
    assert told.run["result"] == "degraded"
    assert told.lines[1] == "Degraded: S50-odd did not run well."
    assert any("S50-odd" in text and "dependency no-such-thing" in text for text in place.reasons())
    place.assert_others_delivered(told)
