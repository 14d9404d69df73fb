"""The stat tick: every main transcript below a root, whatever else lies there."""

from __future__ import annotations

import os
from pathlib import Path

from agentinitd.transcripts import claude_code
from agentinitd.transcripts.files import MAX_DEPTH, look


def names(root: Path) -> list[str]:
    return sorted(path.removeprefix(f"{root}/") for path in claude_code.scan(Path(root)))


def test_it_finds_main_transcripts_and_nothing_else(tmp_path: Path) -> None:
    for name in (
        "a/one.jsonl",
        "a/agent-x.jsonl",
        "a/one/subagents/agent-y.jsonl",
        "a/notes.md",
        "b/two.jsonl",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    assert names(tmp_path) == ["a/one.jsonl", "b/two.jsonl"]


def test_an_absent_root_and_a_file_as_root_hold_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert claude_code.scan(tmp_path / "absent") == {}
    assert claude_code.scan(tmp_path / "file") == {}


def test_it_neither_follows_links_to_folders_nor_goes_too_deep(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    deep = tmp_path.joinpath(*("d" * (MAX_DEPTH + 1)))
    deep.mkdir(parents=True)
    (deep / "far.jsonl").touch()
    (deep.parent / "near.jsonl").touch()

    assert names(tmp_path) == ["/".join("d" * MAX_DEPTH) + "/near.jsonl"]


def test_a_dangling_link_is_left_out_and_a_link_to_a_file_is_not(tmp_path: Path) -> None:
    (tmp_path / "real.txt").touch()
    (tmp_path / "good.jsonl").symlink_to(tmp_path / "real.txt")
    (tmp_path / "bad.jsonl").symlink_to(tmp_path / "absent")

    assert names(tmp_path) == ["good.jsonl"]


def test_a_name_that_is_no_text_is_left_out(tmp_path: Path) -> None:
    os.close(os.open(os.fsencode(tmp_path) + b"/\xff.jsonl", os.O_CREAT | os.O_WRONLY))
    (tmp_path / "good.jsonl").touch()

    assert names(tmp_path) == ["good.jsonl"]


def test_what_was_seen_changes_with_size_time_and_file(tmp_path: Path) -> None:
    """WAT-4."""
    path = tmp_path / "a.jsonl"
    path.write_text("x")
    first = look(str(path))
    os.utime(path, ns=(1, 1))
    touched = look(str(path))
    path.write_text("xy")
    grown = look(str(path))

    assert first is not None
    assert len({first, touched, grown}) == 3
    assert claude_code.scan(tmp_path) == {str(path): grown}


def test_looking_at_what_no_file_can_be_is_seeing_nothing() -> None:
    assert look("/absent/file") is None
    assert look("/a\0b") is None
    assert look("/" + "x" * 100_000) is None
