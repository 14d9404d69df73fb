"""What a killed daemon left running is ended by the next one."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

SCRIPT = """#!/bin/sh
### BEGIN INIT INFO
# Provides: sleeper
# Short-Description: Sleeps
# X-Agentinitd-Timeout: 60
### END INIT INFO
echo $$ > "$AGENTINITD_PROJECT_ROOT/sleeper.pid"
exec sleep 300
"""


def test_scripts_of_a_killed_daemon_are_ended(
    new_daemon: Callable[[], Any], eventually: Callable[..., Any], home: Path
) -> None:
    """KIL-8."""
    folder = home / ".config" / "agentinitd" / "init.d"
    folder.mkdir(parents=True)
    (folder / "S50-sleeper").write_text(SCRIPT)
    (folder / "S50-sleeper").chmod(0o755)
    daemon = new_daemon()
    daemon.anchors("- [constraint] Use `pnpm`.\n")
    daemon.start()
    start = {"session_id": "s", "cwd": str(daemon.project), "hook_event_name": "UserPromptSubmit"}
    pid_file = daemon.project / "sleeper.pid"
    waiting = threading.Thread(target=daemon.hook, args=(start,))
    waiting.start()
    eventually(lambda: pid_file.exists() and pid_file.read_text().strip())
    daemon.kill()
    waiting.join()
    pid = int(pid_file.read_text())
    assert _is_alive(pid)

    daemon.start()

    eventually(lambda: not _is_alive(pid))


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] != "Z"
