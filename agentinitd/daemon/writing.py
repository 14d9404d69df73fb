"""What a session gave to remember is written behind its reading: a hook waits for the second alone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from agentinitd.daemon.scribe import Desk, Scribe

WRITE_SECONDS = 0.3
"""So long a hook waits until what was said before it is in the memory, which may be large, or locked."""


class Writing:
    """Of one session: one at a time, in order.  `written` is called after each."""

    def __init__(
        self, scribe: Scribe, *, desk: Callable[[], Desk | None], written: Callable[[], None]
    ) -> None:
        self._scribe = scribe
        self._desk = desk
        self._written = written
        self._task: asyncio.Task[None] | None = None

    async def write(self, *, has_more: bool = False, seconds: float = WRITE_SECONDS) -> None:
        """Waits for so long at most; what takes longer goes on behind.

        In a backlog, which `has_more` says, it waits for as long as more would crowd out what waits longest.
        """
        until = time.monotonic() + seconds
        while self._scribe.is_due(has_more=has_more):
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._write(), name="write")
            left = None if has_more and self._scribe.is_crowded else max(0.0, until - time.monotonic())
            if not (await asyncio.wait({self._task}, timeout=left))[0]:
                return

    async def _write(self) -> None:
        desk = self._desk()
        if desk is not None:
            await asyncio.to_thread(self._scribe.write, desk)
            self._written()
