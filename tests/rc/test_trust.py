from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from agentinitd.rc.trust import Candidate, Trust

CANDIDATE = Candidate(
    root="/repo/.git",
    relative=".agent-memory/init.d/S50-a",
    path="/repo/.agent-memory/init.d/S50-a",
    name="S50-a",
    data=b"#!/bin/sh\necho a\n",
    is_executable=True,
)


@pytest.fixture
def trust(tmp_path: Path) -> Trust:
    return Trust(tmp_path / "trust", tmp_path / "exec")


def allow(trust: Trust, candidate: Candidate = CANDIDATE, *, now: float = 100.0) -> None:
    trust.allow(candidate, now=now, displaced=(), env=(), summary="")


def test_nothing_is_approved_by_itself(trust: Trust) -> None:
    assert trust.approval(CANDIDATE) is None
    assert trust.records() == []
    assert not trust.folder.exists()


def test_an_approval_is_remembered_with_what_was_shown(trust: Trust) -> None:
    """TRU-5."""
    trust.allow(CANDIDATE, now=100.0, displaced=("tools",), env=("TOKEN",), summary="The branch")
    record = trust.approval(CANDIDATE)
    assert record is not None
    assert (record.displaced, record.env, record.summary) == (("tools",), ("TOKEN",), "The branch")
    assert record.size == len(CANDIDATE.data)
    assert trust.records() == [record]


@pytest.mark.parametrize(
    "changed",
    [
        replace(CANDIDATE, data=CANDIDATE.data + b"\n"),
        replace(CANDIDATE, root="/copy/.git"),
        replace(CANDIDATE, relative=".agent-memory/init.d/S51-a"),
        replace(CANDIDATE, is_executable=False),
        replace(CANDIDATE, also=(("lib.sh", "0" * 64),)),
    ],
    ids=["bytes", "root", "path", "execute bit", "trust-also"],
)
def test_any_change_revokes_the_approval(trust: Trust, changed: Candidate) -> None:
    """TRU-3."""
    allow(trust)
    assert trust.approval(CANDIDATE) is not None
    assert trust.approval(changed) is None


def test_a_denial_beats_approvals_made_before_whatever_the_bytes(trust: Trust) -> None:
    """TRU-5."""
    allow(trust)
    trust.deny(root=CANDIDATE.root, relative=CANDIDATE.relative, path=CANDIDATE.path, now=101.0)
    assert trust.approval(CANDIDATE) is None
    assert trust.is_denied(replace(CANDIDATE, data=b"#!/bin/sh\necho other\n"))
    assert not trust.is_denied(replace(CANDIDATE, relative=".agent-memory/init.d/S51-b"))


def test_a_later_approval_lifts_the_denial(trust: Trust) -> None:
    trust.deny(root=CANDIDATE.root, relative=CANDIDATE.relative, path=CANDIDATE.path, now=100.0)
    allow(trust, now=101.0)
    assert trust.approval(CANDIDATE) is not None


def test_the_private_copy_holds_the_approved_bytes_and_is_private(trust: Trust) -> None:
    """TRU-6."""
    allow(trust)
    copy = Path(trust.executable(CANDIDATE))
    assert copy == trust.exec_folder / CANDIDATE.sha256 / "S50-a"
    assert copy.read_bytes() == CANDIDATE.data
    assert copy.stat().st_mode & 0o7777 == 0o500
    assert trust.exec_folder.stat().st_mode & 0o777 == 0o700


def test_a_damaged_copy_is_made_again(trust: Trust) -> None:
    copy = Path(trust.executable(CANDIDATE))
    copy.chmod(0o700)
    copy.write_bytes(b"#!/bin/sh\necho evil\n")
    assert Path(trust.executable(CANDIDATE)).read_bytes() == CANDIDATE.data


def test_a_copy_that_became_a_link_is_replaced_and_not_written_through(trust: Trust, tmp_path: Path) -> None:
    copy = Path(trust.executable(CANDIDATE))
    victim = tmp_path / "victim"
    victim.write_bytes(b"untouched")
    copy.unlink()
    copy.symlink_to(victim)
    trust.executable(CANDIDATE)
    assert not copy.is_symlink()
    assert copy.read_bytes() == CANDIDATE.data
    assert victim.read_bytes() == b"untouched"


def test_the_last_approved_version_can_be_compared_with(trust: Trust) -> None:
    newer = replace(CANDIDATE, data=b"#!/bin/sh\necho newer\n")
    allow(trust, now=100.0)
    allow(trust, newer, now=200.0)
    found = trust.last_approved(CANDIDATE.root, CANDIDATE.relative)
    assert found is not None
    assert found[1] == newer.data


@pytest.mark.parametrize(
    "junk", [b"", b"{", b"[]", b'{"v": 1}', b'{"v": 99, "kind": "allow"}', b"\xff" * 100]
)
def test_a_damaged_record_approves_nothing(trust: Trust, junk: bytes) -> None:
    allow(trust)
    path = trust.folder / f"{CANDIDATE.key}.json"
    path.write_bytes(junk)
    assert trust.approval(CANDIDATE) is None


def test_a_damaged_denial_still_denies(trust: Trust) -> None:
    allow(trust)
    trust.deny(root=CANDIDATE.root, relative=CANDIDATE.relative, path=CANDIDATE.path, now=101.0)
    denial = next(trust.folder.glob("deny-*.json"))
    denial.write_bytes(b"{")
    assert trust.approval(CANDIDATE) is None


def test_an_approval_moved_to_another_key_approves_nothing(trust: Trust) -> None:
    allow(trust)
    other = replace(CANDIDATE, data=b"#!/bin/sh\necho evil\n")
    (trust.folder / f"{CANDIDATE.key}.json").rename(trust.folder / f"{other.key}.json")
    assert trust.approval(other) is None


def test_records_that_others_could_have_written_count_for_nothing(trust: Trust) -> None:
    allow(trust)
    trust.folder.chmod(0o777)
    assert trust.approval(CANDIDATE) is None
    trust.folder.chmod(0o700)
    assert trust.approval(CANDIDATE) is not None
    if os.geteuid() == 0:
        os.chown(trust.folder, 54321, -1)
        assert trust.approval(CANDIDATE) is None


def test_where_no_folder_can_be_there_is_nothing_to_prune(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")

    assert Trust(tmp_path / "state" / "trust", tmp_path / "state" / "exec").prune() == []


def test_pruning_forgets_what_is_gone_and_keeps_the_rest(trust: Trust, tmp_path: Path) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    (root / "S50-a").touch()
    (root / "S51-b").touch()
    kept = replace(CANDIDATE, root=str(root), path=str(root / "S50-a"))
    gone = replace(
        CANDIDATE, root=str(root), relative="x", path=str(root / "S51-b"), name="S51-b", data=b"#!b\n"
    )
    allow(trust, kept)
    allow(trust, gone)
    trust.deny(root="/gone", relative="y", path="/gone/y", now=1.0)
    (root / "S51-b").unlink()
    assert [record.name for record in trust.prune()] == ["S51-b"]
    assert trust.approval(kept) is not None
    assert trust.approval(gone) is None
    assert [folder.name for folder in trust.exec_folder.iterdir()] == [kept.sha256]
    assert [record.kind for record in trust.records()] == ["allow", "deny"]
