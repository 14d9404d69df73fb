"""A lock of one session that knows whether anybody holds it or waits for it."""

from __future__ import annotations

import asyncio
from typing import Literal


class Turns(asyncio.Lock):
    """Between two who take turns it is held by nobody for a moment, and wanted all the same."""

    def __init__(self) -> None:
        super().__init__()
        self._claims = 0

    @property
    def is_wanted(self) -> bool:
        return self._claims > 0

    async def acquire(self) -> Literal[True]:
        self._claims += 1
        try:
            return await super().acquire()
        except BaseException:  # whoever waited was called off
            self._claims -= 1
            raise

    def release(self) -> None:
        super().release()
        self._claims -= 1
