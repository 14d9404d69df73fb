"""The scripts of a rebuild: which would run, and which file is none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agentinitd.daemon.paths import Places
from agentinitd.daemon.rebuild import Rebuilder


def test_the_plan_names_every_script_and_runs_none(
    rebuilder: Rebuilder, new_project: Callable[..., Path], places: Places
) -> None:
    """RL-14."""
    project = new_project("p")
    path = project / ".agent-memory" / "init.d" / "S50-mine"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\ntouch {project}/ran\n")
    path.chmod(0o755)

    plan = rebuilder.scripts.plan_json(project, "compact")

    verdicts = {step["script"]: step["verdict"] for step in plan}
    assert verdicts["S10-constraints"] == "runs"
    assert verdicts["S50-mine"].startswith("pending-trust")
    assert not (project / "ran").exists()
    assert not places.scratch_dir.exists()


def test_a_file_that_no_level_ever_calls_is_named_with_its_reason(
    rebuilder: Rebuilder, new_project: Callable[..., Path]
) -> None:
    """NAM-3."""
    project = new_project("p")
    path = project / ".agent-memory" / "init.d" / "S50-mine.sh"
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")

    [told] = rebuilder.scripts.ignored(project)

    assert told.startswith(f"{path}: extension")


def test_a_folder_that_cannot_be_used_is_named_with_its_reason(
    rebuilder: Rebuilder, new_project: Callable[..., Path], tmp_path: Path
) -> None:
    """NAM-3, NAM-8."""
    project = new_project("p")
    path = project / ".agent-memory" / "init.d"
    (tmp_path / "elsewhere").mkdir()
    path.symlink_to(tmp_path / "elsewhere")

    [told] = rebuilder.scripts.ignored(project)

    assert told.startswith(f"{path}: init.d leads out of the project")
