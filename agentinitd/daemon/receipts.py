"""Receipts of hook clients: one file each, which settles between two processes whether a snippet is printed.

A daemon may be killed with its answer on the way, and the client, which has it whole, lives on and prints it.
So whoever makes the file of the token first has decided: the client, right before it prints, or a daemon that
finds no such file, and takes the snippet back by making it.  A client that comes second prints nothing of it.
Neither has to wait for the other, and whatever dies when, no snippet is lost and none is printed twice.
"""

from __future__ import annotations

import contextlib
import stat
from pathlib import Path
from typing import Literal

TAKEN_BACK = "taken-back"
KEPT_SECONDS = 30 * 24 * 3600.0
"""A receipt waits for the record of its session to be looked at again."""
TAKEN_BACK_SECONDS = 3600.0
"""So long a client that was stopped may still come."""
CLIENT_SECONDS = 15.0
"""No client is still printing after this: the agent waits for ten seconds at most."""

Found = Literal["printed", "printing", "taken back", "unknown"]


class Receipts:
    """The folder of receipts; files of clients, and links of ours for what was taken back."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def settle(self, token: str) -> Found:
        """Takes the snippet back, unless its client was quicker.

        `unknown`: no file can be made here now, by nobody.  `printing` says as well that the client could not
        print, and is just removing its file.
        """
        path = self._folder / token
        try:
            # One step, unlike a file and what is written into it.
            path.symlink_to(TAKEN_BACK)
        except FileExistsError:
            return _found(path)
        except OSError:
            return "unknown"
        return "taken back"

    def forget(self, token: str) -> None:
        """What it said stands in the session's record, and that is on disk."""
        with contextlib.suppress(OSError):
            (self._folder / token).unlink()

    def clean(self, *, now: float) -> None:
        """Those of sessions that nobody came back to."""
        for path in self._folder.iterdir():
            with contextlib.suppress(OSError):
                found = path.lstat()
                seconds = TAKEN_BACK_SECONDS if stat.S_ISLNK(found.st_mode) else KEPT_SECONDS
                if found.st_mtime < now - seconds:
                    path.unlink()


def _found(path: Path) -> Found:
    try:
        mode = path.lstat().st_mode
    except OSError:
        return "printing"
    if stat.S_ISLNK(mode):
        return "taken back"
    # The client takes away its own right to write when it has printed: that needs no room on a full disk.
    return "printing" if mode & stat.S_IWUSR else "printed"
