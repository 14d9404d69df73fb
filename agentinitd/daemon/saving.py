"""When the record of one session is written: at once if a kill would lose what is due, else now and then."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from agentinitd.daemon.logs import RebuildLog
from agentinitd.daemon.records import SessionRecords
from agentinitd.sessions.record import SessionRecord

SAVE_SECONDS = 5.0


class Saving:
    """Of one session."""

    def __init__(self, records: SessionRecords, log: RebuildLog, *, now: Callable[[], float]) -> None:
        self.is_dirty = False
        self.unsaved = ""
        """Why the record could not be written the last time."""
        self._records = records
        self._log = log
        self._now = now
        self._is_urgent = False
        """What is due, handed out or delivered is another than on disk: a kill must not make us forget it."""
        self._saved_at = now()

    @property
    def is_due(self) -> bool:
        # A clock that was set back must not put it off (supervision.md CLK-3).
        is_fresh = 0 <= self._now() - self._saved_at <= SAVE_SECONDS
        return self._is_urgent or (self.is_dirty and not is_fresh)

    def touch(self, *, is_urgent: bool = False) -> None:
        """The record is another than on disk."""
        self.is_dirty = True
        self._is_urgent |= is_urgent

    async def write(self, record: SessionRecord) -> None:
        self.is_dirty = self._is_urgent = False
        self._saved_at = self._now()
        try:
            await self._records.write(record)
            self.unsaved = ""
        except OSError as error:
            self.is_dirty = True  # served from memory; tried again at the next turn (supervision.md FIL-2)
            self.unsaved = str(error)
            self._log.error("disk.full", session=record.session_id, error=str(error))

    def write_now(self, record: SessionRecord) -> None:
        """For one that leaves memory: if the disk takes it."""
        with contextlib.suppress(OSError):
            self._records.save(record)
            self.is_dirty = self._is_urgent = False
