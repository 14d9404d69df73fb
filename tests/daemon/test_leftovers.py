"""What the dead left is removed; what a session may still need is not."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from agentinitd.daemon import leftovers
from agentinitd.daemon.paths import Places

NOW = time.time()
OLD = NOW - leftovers.KEPT_SECONDS - 1


@pytest.fixture
def places(tmp_path: Path) -> Places:
    made = Places.from_environment({"HOME": str(tmp_path)})
    for folder in (made.sessions_dir, made.last_good_dir, made.scratch_dir, made.script_state_dir):
        folder.mkdir(parents=True)
    return made


def put(path: Path, *, at: float = NOW) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, (at, at))
    return path


def test_folders_of_runs_that_nobody_finished_go(places: Places, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    kept = put(tmp_path / "mine" / "file")
    put(places.scratch_dir / "run-1" / "deep" / "file")
    (places.scratch_dir / "link").symlink_to(tmp_path / "mine")

    leftovers.clean(places, now=NOW)

    assert list(places.scratch_dir.iterdir()) == []
    assert kept.exists()


def test_files_that_were_never_finished_go(places: Places) -> None:
    torn = [
        put(places.sessions_dir / ".k.json.123.0a1b2c3d"),
        put(places.state_dir / ".address.json.4.00000000"),
        put(places.last_good_dir / "p" / ".branch.compact.json.7.deadbeef"),
    ]
    whole = [
        put(places.sessions_dir / "k.json"),
        put(places.state_dir / "rebuild.log"),
        put(places.state_dir / "rebuild.log.1"),
        put(places.state_dir / ".hidden"),
        put(places.last_good_dir / "p" / "branch.compact.json"),
    ]

    leftovers.clean(places, now=NOW)

    assert [path for path in torn if path.exists()] == []
    assert [path for path in whole if not path.exists()] == []


def test_sessions_that_rested_for_a_quarter_of_a_year_are_forgotten_and_no_others(places: Places) -> None:
    old, young = (
        put(places.sessions_dir / "old.json", at=OLD),
        put(places.sessions_dir / "young.json", at=OLD + 2),
    )
    aside = put(places.sessions_dir / "k.json.bad-1", at=OLD)
    for name in ("old", "young"):
        put(places.script_state_dir / name / "notes", at=OLD)
        os.utime(places.script_state_dir / name, (OLD, OLD))
    put(places.last_good_dir / "old" / "x.json")
    os.utime(places.last_good_dir / "old", (OLD, OLD))

    leftovers.clean(places, now=NOW)

    assert not old.exists()
    assert not aside.exists()
    assert young.exists()
    assert [path.name for path in places.script_state_dir.iterdir()] == ["young"]
    assert list(places.last_good_dir.iterdir()) == []


def test_at_the_very_first_start_there_is_nothing(tmp_path: Path) -> None:
    leftovers.clean(Places.from_environment({"HOME": str(tmp_path / "nobody")}), now=NOW)

    assert not (tmp_path / "nobody").exists()
