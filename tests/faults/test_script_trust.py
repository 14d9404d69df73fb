"""Scripts that nobody approved as they are now: none of their bytes run, and that is never silent."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

GOOD, EVIL = "echo '- Approved'", "touch ran; echo '- Evil'"


def assert_pending(place: Any, told: Any, *names: str) -> None:
    """Told in the snippet, the record, the log and `status`; and nothing of it ran."""
    pending = [each["script"] for each in told.run["scripts"] if each["result"] == "pending-trust"]
    assert pending == list(names)
    assert told.run["result"] == "degraded"
    count = "1 project script" if len(names) == 1 else f"{len(names)} project scripts"
    listed = ", ".join(names)
    assert told.lines[1] == f"{count}, not approved, did not run: {listed} (`agentinitd trust`)."
    for name in names:
        assert [each["event"] for each in place.logged(name[4:])][-1] == "script.skip"
        assert any(f"{name} of {place.root} awaits approval" in text for text in place.reasons())
    assert not (place.root / "ran").exists()
    assert "Evil" not in told.text
    place.assert_others_delivered(told)


def test_one_that_nobody_approved_does_not_run(place: Any) -> None:
    """TRU-2, TRU-7."""
    place.script("S50-evil", EVIL, "X-Section: Trust me", approved=False)

    told = place.starts()

    assert "Trust me" not in told.text
    assert_pending(place, told, "S50-evil")


def test_an_empty_file_that_nobody_approved_switches_nothing_off(place: Any) -> None:
    """OVR-4."""
    place.file("S10-constraints", b"", approved=False)

    told = place.starts()

    assert f"- {place.rule}" in told.lines
    results = [each["result"] for each in told.run["scripts"] if each["key"] == "constraints"]
    assert sorted(results) == ["ok", "pending-trust"]
    place.assert_serving()


CHANGES: dict[str, Callable[[Any, Path], object]] = {
    "other bytes": lambda _place, path: path.write_bytes(path.read_bytes() + EVIL.encode()),
    "one byte more": lambda _place, path: path.write_bytes(path.read_bytes() + b"\n"),
    "another number": lambda _place, path: path.rename(path.with_name("S51-evil")),
    "another header": lambda place, _path: lay_override(place, "### BEGIN INIT INFO\n### END INIT INFO\n"),
    "a file that goes with it": lambda place, _path: (place.root / "also.sh").write_text(EVIL),
    "that file is gone": lambda place, _path: (place.root / "also.sh").unlink(),
}  # fmt: skip


def lay_override(place: Any, text: str) -> None:
    path = place.root / ".agent-memory" / "overrides" / "S50-evil"
    path.parent.mkdir()
    path.write_text(text)


@pytest.mark.parametrize("kind", CHANGES)
def test_one_that_changed_after_its_approval_does_not_run(place: Any, kind: str) -> None:
    """TRU-3, OVR-6: place, bytes, header and what it reads."""
    (place.root / "also.sh").write_text("echo '- Also'")
    path = place.script("S50-evil", f"{GOOD}; . ./also.sh", "X-Trust-Also: also.sh")
    assert {"- Approved", "- Also"} <= {*place.starts().lines}

    CHANGES[kind](place, path)
    told = place.compacts()

    if kind == "that file is gone":
        # Its own bytes are the approved ones: what they said last stands in, and says so (FAIL-2).
        assert (told.of("evil")["result"], told.of("evil")["flags"]) == ("refused", ["last-good"])
        assert "also.sh cannot be read" in told.of("evil")["reason"]
        assert any(line.startswith("(old output, ") for line in told.lines)
        place.assert_others_delivered(told)
    else:
        assert "Approved" not in told.text
        assert_pending(place, told, "S51-evil" if kind == "another number" else "S50-evil")


def test_the_right_to_be_executed_is_part_of_the_approval(place: Any) -> None:
    """TRU-3."""
    path = place.script("S50-evil", EVIL, approved=False)
    path.chmod(0o644)
    place.approve("S50-evil")
    path.chmod(0o755)

    assert_pending(place, place.starts(), "S50-evil")


def test_an_approval_in_another_project_does_not_count(place: Any, new_project: Callable[..., Path]) -> None:
    """TRU-3, TRU-4: the same bytes beside other files are something else."""
    path = place.script("S50-evil", GOOD)
    assert "- Approved" in place.starts().lines
    other = new_project("other")
    shutil.copytree(place.init_d, other / ".agent-memory" / "init.d")

    status, body = place.daemon.ask("POST", "/v1/rebuild", {"project": str(other), "runlevel": "compact"})

    assert status == 200
    pending = {
        each["script"]: each["result"] for each in json.loads(body)["scripts"] if each["layer"] == "project"
    }
    assert pending == {"S50-evil": "pending-trust"}
    assert path.exists()
    place.assert_serving()


def test_one_that_was_denied_does_not_run_and_is_no_failure(place: Any) -> None:
    """TRU-5: a denial beats the approval."""
    path = place.script("S50-evil", EVIL)
    denied = place.daemon.command("trust", "deny", str(path), cwd=place.root)
    assert denied.returncode == 0, denied.stderr

    told = place.starts()

    assert told.of("evil")["result"] == "skipped"
    assert told.of("evil")["reason"].startswith("denied by you")
    assert told.run["result"] == "ok"
    assert not (place.root / "ran").exists()
    place.assert_others_delivered(told)


def test_the_real_command_approves_what_waits(place: Any) -> None:
    """TRU-8: without a terminal by the hash of each file; a wrong hash approves nothing."""
    path = place.script("S50-fine", GOOD, approved=False)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    wrong = place.daemon.command("trust", str(path), "--sha256", "0" * 64, cwd=place.root)
    assert wrong.returncode == 4
    assert_pending(place, place.starts(), "S50-fine")

    right = place.daemon.command("trust", str(path), "--sha256", digest, cwd=place.root)

    assert (right.returncode, right.stdout) == (0, f"approved: {path}\n")
    assert "- Approved" in place.compacts().lines
    place.assert_serving()


@contextmanager
def restored(path: Path) -> Iterator[None]:
    """Whatever is done to the file, it is as it was afterwards."""
    data, mode = path.read_bytes(), path.stat().st_mode
    yield
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    path.chmod(mode & 0o7777)


def record_of(place: Any, name: str) -> Path:
    records = (place.daemon.state_dir / "trust").glob("*.json")
    wanted = str(place.init_d / name)
    return next(path for path in records if json.loads(path.read_bytes())["path"] == wanted)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "torn": lambda data: data[: len(data) // 2],
    "empty": lambda _data: b"",
    "binary": lambda _data: os.urandom(300),
    "of a later version": lambda data: data.replace(b'"v": 1', b'"v": 2'),
    "of another key": lambda data: data.replace(b'"key": "', b'"key": "0'),
    "turned into a list": lambda _data: b"[]",
}  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_record_of_approval_that_is_damaged_approves_nothing(place: Any, kind: str) -> None:
    """TRU-5, FIL-5."""
    place.script("S50-evil", EVIL)
    record = record_of(place, "S50-evil")
    record.write_bytes(DAMAGES[kind](record.read_bytes()))

    assert_pending(place, place.starts(), "S50-evil")
    record.unlink()


def test_records_that_others_could_have_written_count_for_nothing(place: Any) -> None:
    """TRU-5."""
    place.script("S50-evil", EVIL)
    folder = place.daemon.state_dir / "trust"
    folder.chmod(0o777)
    try:
        told = place.starts()
    finally:
        folder.chmod(0o700)

    assert told.of("evil")["result"] == "pending-trust"
    assert not (place.root / "ran").exists()
    place.assert_others_delivered(told)


@pytest.mark.parametrize("how", ["rewritten", "removed", "a link", "another mode"])
def test_the_private_copy_is_made_anew_when_it_is_not_what_was_approved(
    place: Any, tmp_path: Path, how: str
) -> None:
    """TRU-6: what was hashed is what runs."""
    path = place.script("S50-fine", f"{GOOD} # {how}")
    [copy] = (place.daemon.state_dir / "exec" / hashlib.sha256(path.read_bytes()).hexdigest()).iterdir()
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {place.root}/ran\n")
    evil.chmod(0o755)
    if how == "another mode":
        copy.chmod(0o755)
    else:
        copy.unlink()
    if how == "rewritten":
        shutil.copy(evil, copy)
        copy.chmod(0o500)
    if how == "a link":
        copy.symlink_to(evil)

    told = place.starts()

    assert "- Approved" in told.lines
    assert not (place.root / "ran").exists()
    assert copy.read_bytes() == path.read_bytes()
    assert not copy.is_symlink()
    assert evil.read_text().endswith("ran\n")
    place.assert_others_delivered(told)


Swap = Callable[[bool], None]
"""Lays the evil one there, or the good one again."""


@contextmanager
def going_on(swap: Swap) -> Iterator[None]:
    """The file is replaced again and again in the meantime."""
    is_over = threading.Event()

    def work() -> None:
        for is_evil in itertools.cycle((True, False)):
            swap(is_evil)
            if is_over.wait(0.001):
                return

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def swap_by_rename(place: Any, good: bytes, evil: bytes) -> Swap:
    path, spare = place.init_d / "S50-raced", place.init_d.parent / "spare"

    def swap(is_evil: bool) -> None:
        spare.write_bytes(evil if is_evil else good)
        spare.chmod(0o755)
        spare.replace(path)

    return swap


def swap_in_place(place: Any, good: bytes, evil: bytes) -> Swap:
    path = place.init_d / "S50-raced"

    def swap(is_evil: bool) -> None:
        path.write_bytes(evil if is_evil else good)

    return swap


def swap_by_link(place: Any, good: bytes, evil: bytes) -> Swap:
    path, spare = place.init_d / "S50-raced", place.init_d.parent / "spare"
    folder = place.root / "tools"
    folder.mkdir()
    for name, data in (("good", good), ("evil", evil)):
        (folder / name).write_bytes(data)
        (folder / name).chmod(0o755)

    def swap(is_evil: bool) -> None:
        spare.symlink_to(folder / ("evil" if is_evil else "good"))
        spare.replace(path)

    return swap


def swap_folder(place: Any, good: bytes, evil: bytes) -> Swap:
    kept, other = place.init_d.with_name("good.d"), place.init_d.with_name("evil.d")
    shutil.copytree(place.init_d, other)
    (other / "S50-raced").write_bytes(evil)
    assert (place.init_d / "S50-raced").read_bytes() == good
    place.init_d.rename(kept)
    spare = place.init_d.with_name("spare")

    def swap(is_evil: bool) -> None:
        spare.symlink_to((other if is_evil else kept).name)
        spare.replace(place.init_d)

    return swap


RACES = {
    "by rename": swap_by_rename,
    "in place": swap_in_place,
    "by link": swap_by_link,
    "its folder, by link": swap_folder,
}


@pytest.mark.parametrize("kind", RACES)
def test_of_one_that_is_replaced_all_the_time_only_approved_bytes_run(place: Any, kind: str) -> None:
    """TRU-6, NAM-6: whenever the swap happens, between look, check and run."""
    path = place.script(
        "S50-raced",
        "echo ran >> good.txt; echo '- Approved'",
    )
    good = path.read_bytes()
    evil = good.replace(b"good.txt", b"evil.txt")
    with going_on(RACES[kind](place, good, evil)):
        seen = {place.rebuild().of_any("raced") for _ in range(15)}

    assert not (place.root / "evil.txt").exists()
    assert seen <= {"ok", "pending-trust", "refused", "absent"}
    assert "pending-trust" in seen
    assert "ok" in seen or kind == "in place"  # where it is torn for most of the time


@pytest.mark.parametrize("is_inside", [False, True])
def test_a_folder_that_was_swapped_by_a_link_runs_nothing_new(
    place: Any, tmp_path: Path, is_inside: bool
) -> None:
    """NAM-8, TRU-3."""
    place.script("S50-evil", GOOD)
    other = (place.root / "elsewhere") if is_inside else (tmp_path / "elsewhere")
    place.init_d.rename(other)
    place.init_d.symlink_to(other)
    (other / "S50-evil").write_text(f"#!/bin/sh\n{EVIL}\n")

    told = place.starts()

    assert not (place.root / "ran").exists()
    assert "Evil" not in told.text
    if is_inside:
        assert_pending(place, told, "S50-evil")
    else:
        assert told.of_any("evil") == "absent"
        place.assert_others_delivered(told)
