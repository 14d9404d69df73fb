"""What a fork or a resume copied is told apart from what is its own, in both directions."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from agentinitd.transcripts.claude_code_copies import copied_until


def records(count: int, *, first: int = 1, session: str = "old", **more: Any) -> list[dict[str, Any]]:
    return [
        {
            "type": "user",
            "uuid": f"record-{index}",
            "parentUuid": f"record-{index - 1}" if index > 1 else None,
            "sessionId": session,
            "timestamp": f"2026-11-29T10:{index // 60:02}:{index % 60:02}.000Z",
            "message": {"content": "x"},
        }
        | more
        for index in range(first, first + count)
    ]


def write(path: Path, *parts: list[dict[str, Any]]) -> int:
    """Writes all parts, and returns how many bytes the first one has."""
    texts = ["".join(json.dumps(record) + "\n" for record in part) for part in parts]
    path.write_text("".join(texts), encoding="utf-8")
    return len(texts[0].encode())


def own(session: str, *, minute: int) -> list[dict[str, Any]]:
    return [
        {**record, "uuid": f"{session}-{record['uuid']}", "timestamp": f"2026-11-29T12:{minute:02}:00.000Z"}
        for record in records(3, session=session)
    ]


def test_a_fork_is_history_up_to_its_first_own_record(tmp_path: Path) -> None:
    write(tmp_path / "old.jsonl", records(20))
    copied = write(tmp_path / "fork.jsonl", records(20, session="fork"), own("fork", minute=5))

    assert copied_until(tmp_path / "fork.jsonl") == copied
    assert copied_until(tmp_path / "old.jsonl") == 0


def test_when_both_go_on_the_one_that_went_on_first_is_the_original(tmp_path: Path) -> None:
    write(tmp_path / "old.jsonl", records(20), own("old", minute=1))
    copied = write(tmp_path / "fork.jsonl", records(20, session="fork"), own("fork", minute=5))

    assert copied_until(tmp_path / "fork.jsonl") == copied
    assert copied_until(tmp_path / "old.jsonl") == 0


def test_a_fork_from_an_earlier_point_leaves_the_rest_of_the_original_out(tmp_path: Path) -> None:
    write(tmp_path / "old.jsonl", records(20))
    copied = write(tmp_path / "fork.jsonl", records(8, session="fork"), own("fork", minute=5))

    assert copied_until(tmp_path / "fork.jsonl") == copied
    assert copied_until(tmp_path / "old.jsonl") == 0


def test_a_copy_whose_records_carry_the_old_name_is_known_by_it(tmp_path: Path) -> None:
    write(tmp_path / "old.jsonl", records(20))
    write(tmp_path / "new.jsonl", records(20))

    assert copied_until(tmp_path / "new.jsonl") == (tmp_path / "new.jsonl").stat().st_size
    assert copied_until(tmp_path / "old.jsonl") == 0


def test_a_copy_that_has_not_gone_on_yet_is_the_file_that_changed_last(tmp_path: Path) -> None:
    write(tmp_path / "old.jsonl", records(20))
    write(tmp_path / "fork.jsonl", records(20, session="fork"))
    os.utime(tmp_path / "old.jsonl", (1, 1))

    assert copied_until(tmp_path / "fork.jsonl") == (tmp_path / "fork.jsonl").stat().st_size
    assert copied_until(tmp_path / "old.jsonl") == 0


def test_a_resume_that_gave_its_records_new_ids_is_known_by_the_models_answers(tmp_path: Path) -> None:
    old = [
        {**record, "type": "assistant", "message": {"id": f"msg-{index}"}}
        for index, record in enumerate(records(10))
    ]
    resumed = [{**record, "uuid": f"new-{record['uuid']}", "sessionId": "resumed"} for record in old]
    write(tmp_path / "old.jsonl", old)
    copied = write(tmp_path / "resumed.jsonl", resumed, own("resumed", minute=9))

    assert copied_until(tmp_path / "resumed.jsonl") == copied


def test_a_copy_that_begins_in_the_middle_is_found(tmp_path: Path) -> None:
    filler = {"message": {"content": "x" * 9000}}
    write(tmp_path / "old.jsonl", records(40, **filler))
    copied = write(tmp_path / "fork.jsonl", records(10, first=31, session="fork"), own("fork", minute=5))

    assert copied_until(tmp_path / "fork.jsonl") == copied


def test_a_transcript_that_shares_nothing_is_no_copy(tmp_path: Path) -> None:
    write(tmp_path / "old.jsonl", records(20))
    write(tmp_path / "other.jsonl", own("other", minute=1))

    assert copied_until(tmp_path / "other.jsonl") == 0


def test_the_copy_that_a_helper_holds_makes_no_history(tmp_path: Path) -> None:
    write(tmp_path / "main.jsonl", records(20), own("main", minute=5))
    write(tmp_path / "summarizer.jsonl", records(20, isSidechain=True))
    write(tmp_path / "agent-acompact-1.jsonl", records(20, isSidechain=True))

    assert copied_until(tmp_path / "main.jsonl") == 0
    assert copied_until(tmp_path / "summarizer.jsonl") == 0
    assert copied_until(tmp_path / "agent-acompact-1.jsonl") == 0


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe\0", b'{"type":"user"}\n', b'{"uuid":"torn'])
def test_damaged_and_empty_files_are_no_copies(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.jsonl").write_bytes(content)
    write(tmp_path / "old.jsonl", records(5))

    assert copied_until(tmp_path / "odd.jsonl") == 0
    assert copied_until(tmp_path / "old.jsonl") == 0
    assert copied_until(tmp_path / "missing.jsonl") == 0


def test_fifos_and_links_beside_the_transcript_do_no_harm(tmp_path: Path) -> None:
    write(tmp_path / "old.jsonl", records(5))
    os.mkfifo(tmp_path / "fifo.jsonl")
    (tmp_path / "dangling.jsonl").symlink_to(tmp_path / "nowhere")

    assert copied_until(tmp_path / "old.jsonl") == 0


def test_the_forked_sample_is_history_up_to_its_first_own_record(shared: Path, tmp_path: Path) -> None:
    names = ("cc-2.1.278-fork-copied-history.jsonl", "cc-2.1.278-manual-compact-microcompact.jsonl")
    for name in names:
        shutil.copy(shared / "transcripts" / "claude-code" / name, tmp_path / name)

    fork, original = (tmp_path / name for name in names)

    assert copied_until(fork) == original.stat().st_size
    assert copied_until(original) == 0
