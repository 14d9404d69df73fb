from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agentinitd.model.scripts import Script
from agentinitd.rc.last_good import REFRESH_SECONDS, Kept, LastGood
from agentinitd.rc.request import RunRequest

SCRIPT = Script(name="S50-a", key="a", order=50, layer="user", path="/x/S50-a", sha256="aa")
REQUEST = RunRequest(
    run_id="i-7",
    session_id="abc",
    session_dir=Path("/s"),
    project_root=Path("/p"),
    task_id="t",
    trigger="marker",
    runlevel="compact",
)
KEPT = Kept(script_sha256="aa", fingerprint="f", made_at=1000.0, result="ok", output="hello\n")


@pytest.fixture
def store(tmp_path: Path) -> LastGood:
    return LastGood(tmp_path / "last-good", REQUEST)


def test_what_was_kept_is_found_again(store: LastGood) -> None:
    assert store.get(SCRIPT, "compact") is None
    store.put(SCRIPT, "compact", KEPT)
    assert store.get(SCRIPT, "compact") == KEPT


def test_not_for_other_bytes_another_task_or_another_project(store: LastGood, tmp_path: Path) -> None:
    """OUT-9."""
    store.put(SCRIPT, "compact", KEPT)
    assert store.newest(replace(SCRIPT, sha256="bb"), "compact") is None
    for other in (replace(REQUEST, task_id=None), replace(REQUEST, project_root=Path("/q"))):
        assert LastGood(tmp_path / "last-good", other).newest(SCRIPT, "compact") is None


def test_the_newest_of_another_runlevel_serves_if_there_is_none_of_this(store: LastGood) -> None:
    store.put(SCRIPT, "periodic", replace(KEPT, made_at=10.0, output="older\n"))
    store.put(SCRIPT, "session", replace(KEPT, made_at=20.0, output="newer\n"))
    found = store.newest(SCRIPT, "compact")
    assert found is not None
    assert found.output == "newer\n"


def test_an_unchanged_output_is_written_again_only_once_in_a_while(store: LastGood) -> None:
    store.put(SCRIPT, "compact", KEPT)
    store.put(SCRIPT, "compact", replace(KEPT, made_at=1001.0))
    assert store.get(SCRIPT, "compact") == KEPT
    later = replace(KEPT, made_at=1000.0 + REFRESH_SECONDS)
    store.put(SCRIPT, "compact", later)
    assert store.get(SCRIPT, "compact") == later
    changed = replace(later, output="other\n")
    store.put(SCRIPT, "compact", changed)
    assert store.get(SCRIPT, "compact") == changed


@pytest.mark.parametrize(
    "junk", [b"", b"{", b"[]", b"null", b'{"v": 2}', b'{"v": 1, "x": 1}', b"\xff\x00" * 50]
)
def test_a_damaged_record_is_as_good_as_none(store: LastGood, tmp_path: Path, junk: bytes) -> None:
    store.put(SCRIPT, "compact", KEPT)
    for path in (tmp_path / "last-good").rglob("*.json"):
        path.write_bytes(junk)
    assert store.newest(SCRIPT, "compact") is None
    store.put(SCRIPT, "compact", KEPT)
    assert store.get(SCRIPT, "compact") == KEPT


def test_a_disk_that_takes_nothing_fails_no_rebuild(tmp_path: Path) -> None:
    (tmp_path / "last-good").write_text("a file where the folder should be")
    store = LastGood(tmp_path / "last-good", REQUEST)
    store.put(SCRIPT, "compact", KEPT)
    assert store.get(SCRIPT, "compact") is None


def test_a_clock_set_back_makes_nothing_younger_than_new() -> None:
    """CLK-3."""
    assert KEPT.age_seconds(900.0) == 0.0
    assert KEPT.age_seconds(1060.0) == 60.0
