"""Under launchd: what another try cannot mend ends as a success, and `status` has the reason (DMN-8)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BAD_CONFIG = "budget_token: 3\n"


def started(daemon: Any, *options: str, **environment: str) -> int:
    """Its exit code; stderr goes where the agent of launchd would have it go."""
    daemon.state_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (daemon.state_dir / "start.err").open("ab") as stderr:
        return subprocess.run(
            [sys.executable, "-P", "-m", "agentinitd", "start", "--foreground", *options],
            env=daemon.environment | environment,
            cwd="/",
            stderr=stderr,
            check=False,
            timeout=30,
        ).returncode


@pytest.fixture
def broken(new_daemon: Any) -> Any:
    daemon = new_daemon()
    path = daemon.home / ".config" / "agentinitd" / "agentinitd.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(BAD_CONFIG)
    return daemon


def test_a_config_that_cannot_be_used_is_told_to_status_and_not_tried_again(broken: Any) -> None:
    broken.state_dir.mkdir(parents=True, mode=0o700)
    (broken.state_dir / "start.err").write_text("agentinitd: what an earlier start said\n")

    assert started(broken, "--strict-config", XPC_SERVICE_NAME="org.agentinitd") == 0

    said = broken.command("status")
    assert said.returncode == 3
    assert "! the last start said: " in said.stdout
    assert "budget_tokens" in said.stdout
    assert (broken.state_dir / "start.err").read_text().count("\n") == 1, "only the last one's words count"


def test_a_state_folder_that_is_refused_is_not_tried_again_either(new_daemon: Any, tmp_path: Path) -> None:
    daemon = new_daemon()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    daemon.state_dir.parent.mkdir(parents=True)
    daemon.state_dir.symlink_to(tmp_path / "elsewhere")

    assert started(daemon, XPC_SERVICE_NAME="org.agentinitd") == 0
    assert "must be a folder, not a link" in (daemon.state_dir / "start.err").read_text()
