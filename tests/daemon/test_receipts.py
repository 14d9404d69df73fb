"""Of a client and a daemon that want the same snippet, the first one has it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agentinitd.daemon.receipts import KEPT_SECONDS, TAKEN_BACK_SECONDS, Receipts

TOKEN = "0123456789abcdef"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "receipts"
    made.mkdir()
    return made


@pytest.fixture
def receipts(folder: Path) -> Receipts:
    return Receipts(folder)


def test_what_no_client_claimed_is_taken_back_and_no_client_can_claim_it_any_more(
    receipts: Receipts, folder: Path
) -> None:
    assert receipts.settle(TOKEN) == "taken back"

    with pytest.raises(FileExistsError):
        os.open(folder / TOKEN, os.O_WRONLY | os.O_CREAT | os.O_EXCL)


def test_a_daemon_killed_after_taking_it_back_does_not_make_the_next_one_believe_in_a_client(
    receipts: Receipts,
) -> None:
    receipts.settle(TOKEN)

    assert receipts.settle(TOKEN) == "taken back"


def test_what_a_client_claimed_is_its_own_and_its_mode_says_when_it_is_printed(
    receipts: Receipts, folder: Path
) -> None:
    (folder / TOKEN).touch(0o600)
    assert receipts.settle(TOKEN) == "printing"

    (folder / TOKEN).chmod(0o400)
    assert receipts.settle(TOKEN) == "printed"


def test_without_a_folder_nobody_knows(folder: Path) -> None:
    assert Receipts(folder / "absent").settle(TOKEN) == "unknown"


def test_what_is_forgotten_leaves_no_file_and_may_be_forgotten_twice(
    receipts: Receipts, folder: Path
) -> None:
    receipts.settle(TOKEN)

    receipts.forget(TOKEN)
    receipts.forget(TOKEN)

    assert list(folder.iterdir()) == []


def test_receipts_wait_long_for_their_session_and_what_was_taken_back_no_longer_than_a_client(
    receipts: Receipts, folder: Path
) -> None:
    (folder / "printed").touch(0o400)
    receipts.settle(TOKEN)
    now = (folder / "printed").lstat().st_mtime

    receipts.clean(now=now + TAKEN_BACK_SECONDS / 2)
    assert len(list(folder.iterdir())) == 2

    receipts.clean(now=now + TAKEN_BACK_SECONDS + 60)
    assert [path.name for path in folder.iterdir()] == ["printed"]

    receipts.clean(now=now + KEPT_SECONDS + 60)
    assert list(folder.iterdir()) == []
