"""File events of one folder tree, as hints: an event only makes somebody look; the stat tick is the truth."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from watchfiles import watch

DEBOUNCE_MS = 200
ACTIVE_STEP_MS = 20
IDLE_STEP_MS = 250
"""The library wakes up once a step: seldom while nobody works, often enough when somebody does."""
ARMING_SECONDS = 0.1
ABSENT = "waiting: folder is absent"
EVENTS = "events"
RETRY_SECONDS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)

Changed = Callable[[set[str]], Awaitable[None]]
Told = Callable[[Path, str], None]


class Watcher:
    """Watches `root` for ever, whatever happens to it (supervision.md WAT-1 to WAT-6).

    `changed` gets the paths that moved; an empty set means: anything may have, look at everything.
    """

    def __init__(
        self,
        root: Path,
        *,
        changed: Changed,
        absent_seconds: float,
        retry_seconds: tuple[float, ...] = RETRY_SECONDS,
        told: Told = lambda _root, _state: None,
    ) -> None:
        """`told` hears of every change of `state`."""
        self.root = root
        self.state = ABSENT
        self._told = told
        self._changed = changed
        self._absent_seconds = absent_seconds
        self._retry_seconds = retry_seconds
        self._step_ms = IDLE_STEP_MS
        self._is_lenient = False
        """A folder below is closed to us; then the library is silent of every other trouble as well."""
        self._stop = threading.Event()
        # The library's own way from its thread to the loop takes 1 MiB of modules, and TLS with them.
        self._thread = ThreadPoolExecutor(1, f"watch {root}")
        self._armed_for: int | None = None
        """The watched folder, kept open so that a new one in its place cannot get the same inode (WAT-7)."""

    def set_active(self, is_active: bool) -> None:
        """Arms the watch anew with the step that fits; whatever happened in between is looked for."""
        step_ms = ACTIVE_STEP_MS if is_active else IDLE_STEP_MS
        if step_ms != self._step_ms:
            self._step_ms = step_ms
            self._stop.set()

    def check(self) -> None:
        """On each tick: the watch on a removed folder is dead, also when the folder is there again."""
        if self._armed_for is not None and not _is_same(self._armed_for, self.root):
            self._stop.set()

    def rearm(self) -> None:
        """Whatever became of the watch: a new one, and a look at everything."""
        self._stop.set()

    def _be(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self._told(self.root, state)

    async def run(self) -> None:
        failures = 0
        while True:
            if not _is_there(self.root):
                self._be(ABSENT)
                await asyncio.sleep(self._absent_seconds)
                continue
            try:
                await self._watch()
                failures = 0
            except Exception as error:
                if isinstance(error, PermissionError) and not self._is_lenient:
                    self._is_lenient = True
                    continue
                # inotify limits, file names that are not UTF-8, …: the tick goes on without events.
                self._be(f"polling ({error})")
                await asyncio.sleep(self._retry_seconds[min(failures, len(self._retry_seconds) - 1)])
                failures += 1
            finally:
                if self._armed_for is not None:
                    os.close(self._armed_for)
                    self._armed_for = None

    async def _watch(self) -> None:
        self._stop = stop = threading.Event()
        self._armed_for = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        batches = watch(
            self.root,
            watch_filter=None,
            debounce=DEBOUNCE_MS,
            step=self._step_ms,
            stop_event=stop,
            yield_on_timeout=True,
            raise_interrupt=False,
            rust_timeout=int(self._absent_seconds * 1000),
            ignore_permission_denied=self._is_lenient,
        )
        loop = asyncio.get_running_loop()
        look = asyncio.create_task(self._look_once_armed(), name="look")
        try:
            while (batch := await loop.run_in_executor(self._thread, next, batches, None)) is not None:
                if batch:
                    await self._changed({path for _, path in batch})
        except BaseException:
            stop.set()  # ends the thread with its step
            look.cancel()
            raise
        await look  # armed anew in the middle of a look: what it has begun it ends

    async def _look_once_armed(self) -> None:
        """What was written before the watch stood has no event."""
        await asyncio.sleep(ARMING_SECONDS)
        self._be(EVENTS)
        try:
            await self._changed(set())
        except Exception:
            self._stop.set()  # ends the watch, and with it the silence about this
            raise


def _is_there(path: Path) -> bool:
    try:
        path.stat()
    except OSError:
        return False
    return True


def _is_same(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False
