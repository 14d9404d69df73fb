"""What a script depends on, as one text that is equal as long as nothing changed (`X-Agentinitd-Inputs`)."""

from __future__ import annotations

import glob
import hashlib
import json
from itertools import islice
from pathlib import Path

from agentinitd.model.scripts import Script
from agentinitd.rc.request import RunRequest

MOST_INPUTS = 1000


def fingerprint(script: Script, request: RunRequest, memory_folder: Path | None) -> str | None:
    """None when the script has to run: it lists no inputs, or more files than are worth looking at."""
    if not script.header.inputs or memory_folder is None:
        return None
    files: list[list[object]] = []
    for pattern in script.header.inputs:
        for name in _matches(pattern, memory_folder):
            files.append([name, *_state(memory_folder / name)])
        if len(files) > MOST_INPUTS:
            return None
    budget = request.budget_tokens
    whole = [script.sha256, script.path, request.runlevel, request.task_id, request.digest, budget, files]
    return hashlib.sha256(json.dumps(whole).encode()).hexdigest()


def _matches(pattern: str, folder: Path) -> list[str]:
    if not glob.has_magic(pattern):
        return [pattern]
    # Not recursive: `**` over a project would cost more than any script.
    return sorted(islice(glob.iglob(pattern, root_dir=folder), MOST_INPUTS + 1))  # noqa: PTH207


def _state(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return ()
    return (found.st_size, found.st_mtime_ns, found.st_ino)
