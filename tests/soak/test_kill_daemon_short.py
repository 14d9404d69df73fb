"""A few of the kills that `kill_daemon.py` does by the hundred: the seed is the same, the moments are not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("kill_daemon.py")


def test_a_daemon_that_is_killed_loses_doubles_and_tears_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-P", str(SCRIPT), "--kills", "5", "--seconds", "100"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
