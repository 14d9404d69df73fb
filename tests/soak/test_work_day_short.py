"""A small part of the day that `work_day.py` plays in five minutes; too short to judge the memory by."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).with_name("work_day.py")


def test_a_day_of_work_loses_doubles_and_tears_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-P", str(SCRIPT), "--minutes", "0.08", "--sessions", "8", "--turns", "120"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
