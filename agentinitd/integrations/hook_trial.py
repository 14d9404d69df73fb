"""The hook command tried out, without its guard: does it end well, and is what it prints accepted?"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from agentinitd.integrations.hook_entries import without_guard

LIMIT_SECONDS = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """`fault` is empty when the hook works."""

    fault: str = ""
    is_silent: bool = False
    """It printed nothing, as when a daemon answers this payload; without one it has something to say."""


def try_hook(command: str, *, folder: Path, limit_seconds: float = LIMIT_SECONDS) -> Trial:
    """Runs it once with a payload that belongs to no session."""
    payload = {
        "session_id": "agentinitd-check",
        "cwd": str(folder),
        "hook_event_name": "SessionStart",
        "source": "startup",
        "agentinitd_check": "yes",
    }
    try:
        done = subprocess.run(
            ["/bin/sh", "-c", without_guard(command)],
            input=json.dumps(payload).encode(),
            capture_output=True,
            cwd=folder,
            timeout=limit_seconds,
        )
    except subprocess.TimeoutExpired:
        return Trial(fault=f"it did not end within {limit_seconds:g} seconds")
    except OSError as error:
        return Trial(fault=f"it cannot be run: {error}")
    return _judged(done)


def _judged(done: subprocess.CompletedProcess[bytes]) -> Trial:
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        return Trial(fault=f"it ended with exit code {done.returncode}" + (f": {said[-1]}" if said else ""))
    if done.stderr:
        return Trial(fault=f"it wrote to stderr: {done.stderr.decode(errors='replace').strip()[:200]}")
    if not done.stdout:
        return Trial(is_silent=True)
    try:
        is_accepted = json.loads(done.stdout)["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    except (ValueError, KeyError, TypeError):
        is_accepted = False
    return (
        Trial()
        if is_accepted
        else Trial(fault=f"the agent would not accept its output: {done.stdout[:200]!r}")
    )
