"""Builds the parts of the daemon, starts them in order and stops them in reverse."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import secrets
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from functools import partial
from typing import Any

import click
import msgspec

from agentinitd import __version__
from agentinitd.client import PROTOCOL, Address
from agentinitd.daemon import leftovers, process
from agentinitd.daemon.announcing import Announcer
from agentinitd.daemon.capturing import Capture, Load
from agentinitd.daemon.desk import HookDesk
from agentinitd.daemon.finding import SessionPlaces, roots_of
from agentinitd.daemon.following import Followed
from agentinitd.daemon.journal import journal_of
from agentinitd.daemon.lock import Lock, read_holder, this_process
from agentinitd.daemon.logs import LogFile, RebuildLog
from agentinitd.daemon.mapped_ids import refuse_unknown_owners
from agentinitd.daemon.metrics import Metrics
from agentinitd.daemon.missed import absent_since
from agentinitd.daemon.notify import Notifier, tell_ready
from agentinitd.daemon.paths import Places
from agentinitd.daemon.rebuild import Rebuilder
from agentinitd.daemon.receipts import Receipts
from agentinitd.daemon.records import SessionRecords
from agentinitd.daemon.roster import Roster
from agentinitd.daemon.routes import Interface, Reloaded
from agentinitd.daemon.scribe import Progress, Scribe
from agentinitd.daemon.server import Server
from agentinitd.daemon.settings import Settings
from agentinitd.daemon.sockets import BoundSocket, Gate, is_in_rebuild
from agentinitd.daemon.stacks import Stacks
from agentinitd.daemon.status import Status
from agentinitd.daemon.supervisor import Supervisor
from agentinitd.daemon.switching import Switching
from agentinitd.disk import TAKES_NOTHING, private_folder, write_atomically
from agentinitd.model.errors import AgentinitdError, AlreadyRunning, PermissionRefused
from agentinitd.rc import sweep
from agentinitd.sessions.record import SessionRecord
from agentinitd.transcripts.agents import AGENTS, guess

STOP_SECONDS = 3.0
SHUTDOWN_SECONDS = 8.0
"""So long the scripts of all sessions may take to stop; managers and clients wait for fifteen."""
READ_AT_START = ("max_concurrent_runs", "log_bytes", "log_files", "watch_roots")
"""Settings that a running daemon cannot change any more."""
SETTLE_SECONDS = 2.0
"""So long the memories may take what was said in sessions; the records keep the rest."""
SOCKET_CHECK_SECONDS = 30.0
TOLD_SECONDS = 60.0


def run(places: Places, *, ready_fd: int | None, is_strict: bool) -> int:
    """Serves until it is told to stop.  Gives the exit code of DMN-8; raises AgentinitdError."""
    process.prepare()
    try:
        return _serve(places, ready_fd, is_strict=is_strict)
    except OSError as error:
        cure = f"Mend what is named, or set another XDG_STATE_HOME than that of {places.state_dir}."
        kind = PermissionRefused if isinstance(error, PermissionError) else AgentinitdError
        raise kind(f"The daemon cannot run: {error}. {cure}") from error


def _serve(places: Places, ready_fd: int | None, *, is_strict: bool) -> int:
    refuse_unknown_owners(places.state_dir)
    for folder in (places.state_dir, places.sessions_dir, places.receipts_dir):
        private_folder(folder)
    lock, since = Lock(places.lock_file), absent_since(places, now=time.time())
    lock.take()
    try:
        settings = Settings(places)
        told = settings.load() or settings.warning
        if told and is_strict:
            click.echo(f"agentinitd: {told}", err=True)
            return 6
        return asyncio.run(Daemon(places, settings, lock, absent_since=since).serve(ready_fd))
    except BaseExceptionGroup as group:
        # What ended the daemon, without the wrapping of the task group.
        raise (group.exceptions[0] if len(group.exceptions) == 1 else group) from group
    finally:
        lock.release()


def _end_scripts_of(instance: str) -> None:
    """Scripts of a daemon that was killed go on without it (supervision.md KIL-8)."""
    sweep.end_by_cookie(lambda run_id: run_id.startswith(f"{instance}-"))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parts:
    supervisor: Supervisor
    server: Server
    status: Status


class Daemon:
    """One life of the daemon, from the lock to the last log record."""

    def __init__(
        self,
        places: Places,
        settings: Settings,
        lock: Lock,
        *,
        absent_since: float = math.inf,
        socket_check_seconds: float = SOCKET_CHECK_SECONDS,
    ) -> None:
        self._places = places
        self._settings = settings
        self._lock = lock
        self._absent_since = absent_since
        self._socket_check_seconds = socket_check_seconds
        self._notifier = Notifier(os.environ, pid=os.getpid())
        config = self._started_with = settings.config
        self._instance = secrets.token_hex(4)
        self._log = RebuildLog(
            LogFile(places.log_file, limit_bytes=config.log_bytes, files=config.log_files),
            instance=self._instance,
            wall=time.time,
            monotonic=time.monotonic,
        )
        self._announcer = Announcer(self._log, self._notifier)
        self._metrics = Metrics()
        self._log.listen(self._metrics.see)
        if (journal := journal_of(os.environ)) is not None:
            self._log.listen(journal.see)
        self._records = SessionRecords(places.sessions_dir)
        self._receipts = Receipts(places.receipts_dir)
        self._told_at: dict[str, float] = {}
        self._stopping = asyncio.Event()
        self._stacks: Stacks | None = None
        self._exit_code = 0

    async def serve(self, ready_fd: int | None) -> int:
        asyncio.get_running_loop().set_exception_handler(self._hear_of_trouble)
        self._log.info("daemon.start", version=__version__, python=sys.version.split()[0])
        self._tell_of_config()
        bound = BoundSocket(self._places.socket)
        self._bound = bound
        try:
            async with asyncio.TaskGroup() as tasks:
                parts = self._build(tasks)
                await self._start(parts, tasks, ready_fd)
                await self._stopping.wait()
                await self._stop(parts, tasks)
        finally:
            if self._stacks is not None:
                self._stacks.close()
            self._bound.remove()
            with contextlib.suppress(OSError):
                self._places.address_file.unlink()
            self._log.info("daemon.exit", code=self._exit_code)
            self._log.close()
        return self._exit_code

    def _build(self, tasks: asyncio.TaskGroup) -> _Parts:
        rebuilder = Rebuilder(
            self._places,
            self._settings,
            self._log,
            instance=self._instance,
            now=time.time,
            monotonic=time.monotonic,
        )
        new_followed = partial(self._followed, rebuilder.asking.load)
        roster = Roster(AGENTS, self._records, new_followed=new_followed)
        supervisor = Supervisor(
            places=self._session_places(),
            roster=roster,
            rebuilder=rebuilder,
            switching=Switching(roster, rebuilder, tasks=tasks, log=self._log, now=time.time),
            tasks=tasks,
            tick_seconds=lambda: (
                self._settings.config.tick_active_seconds,
                self._settings.config.tick_idle_seconds,
            ),
            now=time.time,
            monotonic=time.monotonic,
            complain=self._complain,
            watch_told=self._announcer.watch,
            woke=self._announcer.woke,
            absent_since=self._absent_since,
        )
        desk = HookDesk(supervisor, receipts=self._receipts, now=time.time)
        roster.when_taken_up(desk.take_up)
        status = Status(
            self._places,
            self._settings,
            supervisor,
            self._log,
            socket=lambda: self._bound.path,
            now=time.time,
        )
        interface = Interface(
            supervisor,
            desk,
            status,
            self._metrics,
            self._log,
            home=self._places.home,
            reload=self._reload,
            stop=self._ask_to_stop,
        )
        gate = Gate(
            refused=lambda uid: self._log.warning("socket.refused", uid=uid), monotonic=time.monotonic
        )
        server = Server(
            interface.routes,
            is_allowed=gate.is_open_to,
            is_in_rebuild=is_in_rebuild,
            complain=self._complain,
        )
        return _Parts(supervisor=supervisor, server=server, status=status)

    def _session_places(self) -> SessionPlaces:
        roots = roots_of(AGENTS, self._places.home, os.environ, self._settings.config.watch_roots)
        return SessionPlaces(AGENTS, roots, guess=guess)

    def _followed(self, load: Load, record: SessionRecord) -> Followed:
        return Followed(
            record,
            home=self._places.home,
            config=self._settings.of,
            records=self._records,
            log=self._log,
            scribe=Scribe(Progress(), Capture(load, environment=os.environ), now=time.time),
            now=time.time,
        )

    async def _start(self, parts: _Parts, tasks: asyncio.TaskGroup, ready_fd: int | None) -> None:
        self._listen_to_signals(parts)
        leftovers.clean(self._places, now=time.time())
        await parts.server.start(self._bound.socket)
        self._announcer.starting("ending what an earlier daemon left")
        predecessor = read_holder(self._places.lock_file)
        self._write_address()
        if predecessor is not None and predecessor.instance:
            await asyncio.to_thread(_end_scripts_of, predecessor.instance)
        self._receipts.clean(now=time.time())
        self._announcer.starting("looking through the transcripts")
        await parts.supervisor.first_look()
        self._background = [
            tasks.create_task(parts.supervisor.run(), name="tick"),
            tasks.create_task(parts.supervisor.missed.hear(), name="hear the missed"),
            tasks.create_task(self._keep_socket(parts.server), name="socket check"),
            *(
                tasks.create_task(watcher.run(), name=f"watch {watcher.root}")
                for watcher in parts.supervisor.watchers
            ),
        ]
        if self._notifier.watchdog_seconds:
            self._background.append(tasks.create_task(self._feed_watchdog(parts.supervisor), name="watchdog"))
        self._announcer.ready(parts.supervisor.roster)
        if ready_fd is not None:
            tell_ready(ready_fd)
        self._log.info("daemon.ready", socket=str(self._places.socket))

    async def _stop(self, parts: _Parts, tasks: asyncio.TaskGroup) -> None:
        self._notifier.stopping()
        self._log.info("daemon.stopping")
        for task in self._background:
            task.cancel()
        parts.supervisor.rebuilder.cancel()
        await parts.server.stop(deadline_seconds=STOP_SECONDS)
        await parts.supervisor.shut_down_all(seconds=SHUTDOWN_SECONDS)
        await asyncio.gather(*(each.settle(seconds=SETTLE_SECONDS) for each in parts.supervisor.roster))
        for followed in parts.supervisor.roster:
            await followed.save(is_urgent=followed.saving.is_dirty or followed.scribe.is_waiting)
        del tasks  # its block ends when the last rebuild has ended, which cancel() has asked for

    def _listen_to_signals(self, parts: _Parts) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self._on_term)
        loop.add_signal_handler(signal.SIGINT, self._on_term)
        loop.add_signal_handler(signal.SIGHUP, self._reload)
        loop.add_signal_handler(signal.SIGUSR1, parts.supervisor.build_all)
        loop.add_signal_handler(signal.SIGUSR2, self._announcer.state, self._places.stacks_file)
        self._stacks = Stacks(self._places.stacks_file)

    def _on_term(self) -> None:
        if self._stopping.is_set():
            # The second one: at once (supervision.md DMN-6), and nothing goes on without us.
            _end_scripts_of(self._instance)
            os._exit(1)
        self._ask_to_stop()

    def _ask_to_stop(self) -> None:
        self._stopping.set()

    def _reload(self) -> Reloaded:
        self._notifier.reloading(time.monotonic_ns() // 1000)
        error = self._settings.load()
        self._log.reopen()
        self._tell_of_config()
        self._log.info("daemon.reload", error=error)
        self._notifier.ready("reloaded")
        now, then = self._settings.config, self._started_with
        waiting = tuple(name for name in READ_AT_START if getattr(now, name) != getattr(then, name))
        return Reloaded(error=error, warning=self._settings.warning, at_next_start=waiting)

    def _tell_of_config(self) -> None:
        if self._settings.error:
            self._log.error("config.error", error=self._settings.error)
        if self._settings.warning:
            self._log.warning("config.error", error=self._settings.warning)

    async def _keep_socket(self, server: Server) -> None:
        """Logout and cleaners remove sockets of living daemons (supervision.md LCK-9)."""
        while True:
            await asyncio.sleep(self._socket_check_seconds)
            if self._bound.is_in_place():
                self._bound.keep_from_cleaners()
                continue
            if self._bound.is_stolen():
                self._log.error("socket.stolen", error=f"another socket stands at {self._bound.path}")
                self._exit_code = AlreadyRunning.exit_code
                self._ask_to_stop()
                return
            try:
                await self._rebind(server)
            except (AgentinitdError, OSError) as error:  # tried again at the next check
                self._log.error("socket.rebind", error=str(error))

    async def _rebind(self, server: Server) -> None:
        """At the usual place, or beside our state when that place cannot be made again."""
        old = self._bound
        try:
            self._bound = BoundSocket(self._places.socket)
        except AgentinitdError:
            self._bound = BoundSocket(self._places.fallback_socket)
        await server.rebind(self._bound.socket)
        old.let_folder_go()
        self._write_address()
        self._log.warning("socket.rebind", socket=str(self._bound.path))

    async def _feed_watchdog(self, supervisor: Supervisor) -> None:
        """Only while the tick really goes round (supervision.md ACT-5)."""
        seconds = self._notifier.watchdog_seconds
        assert seconds is not None
        while True:
            await asyncio.sleep(seconds)
            if time.monotonic() - supervisor.ticked_at < 2 * seconds:
                self._notifier.watchdog()

    def _write_address(self) -> None:
        holder = this_process(version=__version__, socket=str(self._bound.path), instance=self._instance)
        self._lock.describe(holder)
        address = Address(
            socket=holder.socket,
            pid=holder.pid,
            started=holder.started,
            protocol=PROTOCOL,
            version=__version__,
        )
        try:
            write_atomically(self._places.address_file, msgspec.json.encode(address))
        except OSError as error:
            if error.errno not in TAKES_NOTHING:
                raise
            # Clients look at the usual places as well, and must not where a daemon before us was.
            self._places.address_file.unlink(missing_ok=True)
            self._log.error("disk.full", error=f"{self._places.address_file}: {error}")

    def _hear_of_trouble(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Once a minute for each kind: with no descriptor left asyncio tells of every client that waits."""
        where, now = str(context["message"]), time.monotonic()
        if now - self._told_at.get(where, -math.inf) >= TOLD_SECONDS:
            self._told_at[where] = now
            self._complain(where, context.get("exception") or RuntimeError("no more is known"))

    def _complain(self, where: str, error: Exception) -> None:
        places = traceback.extract_tb(error.__traceback__)
        self._log.error(
            "daemon.bug",
            error=f"{where}: {type(error).__name__}: {error}",
            at=f"{places[-1].filename}:{places[-1].lineno}" if places else "",
        )
