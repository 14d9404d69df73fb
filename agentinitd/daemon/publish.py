"""The last snippet as a file, for readers without a socket: inside the project, and never through a link.

A repository may bring a link where we write; following it would overwrite a file of the person.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from pathlib import Path

from agentinitd.disk import TEMPORARY, write_atomically

SNIPPET = "snippet.md"
LAST = "last-snippet"
KEPT_SESSIONS = 64
"""A project sees thousands of sessions; readers want those of the latest."""
SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,99}")
"""With the colons of Aider, which names its sessions by their time."""


def publish(project: Path, session_id: str, text: str, *, is_full: bool, is_shared: bool = True) -> Path:
    """Writes `run/<session>/snippet.md`, and a last full one for the hook client.  Gives `run`.

    That is `run/last-snippet`; of a session that is at a task of its own (not `is_shared`) it is
    `run/<session>/last-snippet`: no other session may be told of that task.  Raises OSError.
    """
    memory = project / ".agent-memory"
    if not Path(os.path.realpath(memory)).is_relative_to(os.path.realpath(project)):
        raise OSError(f"{memory} leads out of the project; nothing was written there")
    run = _real_folder(memory / "run")
    data = text.encode("utf-8", "replace")
    if SAFE_NAME.fullmatch(session_id):
        is_new = not (run / session_id).exists()
        own = _real_folder(run / session_id)
        _write(own / SNIPPET, data)
        if is_full and not is_shared:
            _write(own / LAST, data)
        elif is_full:
            (own / LAST).unlink(missing_ok=True)
        if is_new:
            _forget_oldest(run)
    if is_full and is_shared:
        _write(run / LAST, data)
    return run


def _forget_oldest(run: Path) -> None:
    """Writing a snippet touches its folder.  One that holds anything else is left alone."""
    folders = [
        (path.lstat().st_mtime_ns, path) for path in run.iterdir() if not path.is_symlink() and path.is_dir()
    ]
    for _, folder in sorted(folders, reverse=True)[KEPT_SESSIONS:]:
        with contextlib.suppress(OSError):
            if {path.name for path in folder.iterdir()} <= {SNIPPET, LAST}:
                for name in (SNIPPET, LAST):
                    (folder / name).unlink(missing_ok=True)
                folder.rmdir()


def _real_folder(path: Path) -> Path:
    path.mkdir(mode=0o700, exist_ok=True)
    if not stat.S_ISDIR(path.lstat().st_mode):
        raise OSError(f"{path} is a link or a file, not a folder; nothing was written there")
    return path


def _write(path: Path, data: bytes) -> None:
    _remove_unfinished(path.parent)
    if path.is_symlink():
        path.unlink()
    write_atomically(path, data, is_synced=False)


def _remove_unfinished(folder: Path) -> None:
    """Only daemons write here, and one that was killed may have left its temporary file."""
    for path in folder.glob(".*"):
        found = TEMPORARY.fullmatch(path.name)
        if found and int(found[1]) != os.getpid():
            with contextlib.suppress(OSError):
                path.unlink()
