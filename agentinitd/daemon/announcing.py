"""What the daemon says of itself unasked: to its service manager, and in the log."""

from __future__ import annotations

from pathlib import Path

from agentinitd.daemon.logs import RebuildLog
from agentinitd.daemon.notify import Notifier, last_run
from agentinitd.daemon.roster import Roster
from agentinitd.daemon.stacks import state
from agentinitd.daemon.watcher import ABSENT, EVENTS

START_SECONDS = 60.0
"""So long a step of the start may take, as a manager is told; large trees on slow disks take their time."""


class Announcer:
    """Of one life of the daemon."""

    def __init__(self, log: RebuildLog, notifier: Notifier) -> None:
        self._log = log
        self._notifier = notifier

    def starting(self, step: str) -> None:
        self._notifier.starting(step, seconds=START_SECONDS)

    def ready(self, roster: Roster) -> None:
        """From now on the one line of `systemctl status` tells of the last rebuild (supervision.md ACT-4)."""
        self._notifier.ready(_sessions(roster))
        if self._notifier.is_heard:
            self._log.listen(lambda line: self._tell_manager(line, roster))

    def _tell_manager(self, line: bytes, roster: Roster) -> None:
        if told := last_run(line):
            self._notifier.status(f"{_sessions(roster)}; {told}")

    def watch(self, root: Path, found: str) -> None:
        """How a folder is watched from now on."""
        if found == EVENTS:
            self._log.info("watch.armed", root=str(root))
        elif found == ABSENT:
            self._log.warning("watch.lost", root=str(root))
        else:
            self._log.warning("watch.polling", root=str(root), error=found)

    def woke(self, slept_seconds: float) -> None:
        self._log.info("watch.resumed", slept_seconds=round(slept_seconds, 1))

    def state(self, stacks: Path) -> None:
        """Asked by a signal; the stacks are written already, before the loop hears of it."""
        self._log.info("daemon.state", **state(), stacks=str(stacks))


def _sessions(roster: Roster) -> str:
    return f"{len(roster)} session{'' if len(roster) == 1 else 's'}"
