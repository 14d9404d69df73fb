"""The ways in which a daemon is killed: at any moment, and at those that chance seldom hits."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import proof
import psutil
from playing import Call, Session
from world import WAIT_SECONDS, World, kill

PROBE_LIFE = 40
"""So many starts and compactions, then the session that is played here gives way to another."""


@dataclass(kw_only=True)
class Tally:
    """What happened."""

    kills: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    open_files: list[int] = field(default_factory=list)
    """Of each daemon, when it was about to be killed."""

    @property
    def killed(self) -> int:
        return self.kills.total()


class Killer:
    """One kill at a time, each in its own way."""

    def __init__(self, world: World, rng: random.Random) -> None:
        self.tally = Tally()
        self._world = world
        self._rng = rng
        self._probe = self._new_probe()
        self._ready_seconds = 0.5
        self._ways: dict[Callable[[], None], int] = {
            self._at_start: 4,
            self._at_any_moment: 5,
            self._in_an_exchange: 5,
            self._after_a_marker: 3,
            self._in_a_rebuild: 3,
            self._at_the_hand_out: 4,
            self._while_it_is_printed: 1,
            self._before_it_is_printed: 2,
            self._with_the_answer_on_the_way: 2,
            self._while_it_stops: 1,
        }

    def kill_once(self) -> None:
        way = self._rng.choices(list(self._ways), weights=list(self._ways.values()))[0]
        if len(self._probe.epochs) > PROBE_LIFE:
            self._probe = self._new_probe()
        if self._rng.random() < 0.3:
            self._world.change_memory()
        if way != self._at_start:
            self._start()
        way()
        self.tally.kills[way.__name__.strip("_").replace("_", " ")] += 1
        self.tally.faults += proof.torn_snippets(self._world)
        self.tally.faults += proof.broken_records(self._world)

    def _new_probe(self) -> Session:
        probe = self._world.new_session(self._world.pure)
        probe.begin()
        return probe

    def _start(self) -> None:
        began = time.monotonic()
        self._world.start()
        self._ready_seconds = time.monotonic() - began

    def _kill(self) -> None:
        pid = self._world.holder()
        with contextlib.suppress(psutil.Error):
            self.tally.open_files.append(psutil.Process(pid).num_fds())
        kill(pid)

    def _pause(self, most_seconds: float) -> None:
        time.sleep(self._rng.random() * most_seconds)

    def _at_start(self) -> None:
        self._world.start_killed(self._rng.random() * self._ready_seconds)

    def _at_any_moment(self) -> None:
        self._pause(0.5)
        self._kill()

    def _in_an_exchange(self) -> None:
        """Of one hook, or of two at once."""
        if self._rng.random() < 0.7:
            self._announce()
        events = self._rng.choice((["PostToolUse"], ["UserPromptSubmit"], ["PostToolUse"] * 2))
        started = [self._probe.start_hook(event, stdout=subprocess.PIPE) for event in events]
        self._pause(0.15)
        self._kill()
        for call, process in started:
            self._probe.end_hook(call, process)

    def _after_a_marker(self) -> None:
        self._announce()
        self._pause(0.4)
        self._kill()

    def _in_a_rebuild(self) -> None:
        """Of changed memory, so that all scripts have to run."""
        self._world.change_memory()
        log = self._world.state / "rebuild.log"
        size = log.stat().st_size
        self._announce()
        self._wait_for(lambda: b'"run.start"' in _tail(log, size))
        self._pause(0.15)
        self._kill()

    def _at_the_hand_out(self) -> None:
        """The daemon has written down that the snippet is on its way, and may or may not have sent it."""
        self._announce()
        call, process = self._probe.start_hook("PostToolUse", stdout=subprocess.PIPE)
        self._wait_for_hand_out()
        self._pause(self._rng.choice((0.0, 0.008)))
        self._kill()
        self._probe.end_hook(call, process)

    def _while_it_is_printed(self) -> None:
        """The agent does not read: the client has claimed the snippet, and outlives its daemon."""
        self._announce()
        with _full_pipe() as (writing, drain):
            call, process = self._probe.start_hook("PostToolUse", stdout=writing)
            self._wait_for_receipt()
            self._kill()
            self._world.start()
            self._probe.hook("UserPromptSubmit")
            printed = drain(process)
        self._probe.end_hook(call, process, printed)
        self._pause(0.2)
        self._kill()

    def _before_it_is_printed(self) -> None:
        """The client stands still somewhere on its way, until another daemon has served another hook."""
        self._announce()
        call, process = self._probe.start_hook("PostToolUse", stdout=subprocess.PIPE)
        if self._rng.random() < 0.5:
            self._pause(0.12)
        else:
            self._wait_for_hand_out()
        process.send_signal(signal.SIGSTOP)
        self._succeed(call, process)

    def _with_the_answer_on_the_way(self) -> None:
        """As before, and the whole answer waits for the client when it goes on."""
        self._world.change_memory()  # the scripts have to run: the client is stopped before they have ended
        self._announce()
        call, process = self._probe.start_hook("PostToolUse", stdout=subprocess.PIPE)
        time.sleep(0.08)
        process.send_signal(signal.SIGSTOP)
        self._wait_for_hand_out()
        time.sleep(0.02)
        self._succeed(call, process)

    def _succeed(self, call: Call, process: subprocess.Popen[bytes]) -> None:
        """Another daemon, perhaps another hook, and only then the client that was stopped."""
        self._kill()
        self._world.start()
        if self._rng.random() < 0.7:
            self._probe.hook("UserPromptSubmit")
        process.send_signal(signal.SIGCONT)
        self._probe.end_hook(call, process)
        self._pause(0.2)
        self._kill()

    def _while_it_stops(self) -> None:
        """Asked to end, with a hook in the middle of its exchange."""
        self._announce()
        call, process = self._probe.start_hook("PostToolUse", stdout=subprocess.PIPE)
        self._pause(0.15)
        pid = self._world.holder()
        os.kill(pid, signal.SIGTERM)
        self._pause(0.05)
        kill(pid)
        self._probe.end_hook(call, process)

    def _announce(self) -> None:
        while not self._probe.may_compact:
            self._probe.beat()
        self._probe.announce()

    def _wait_for_receipt(self) -> None:
        """A client has claimed its snippet."""
        self._wait_for(lambda: any(map(_is_claimed, (self._world.state / "receipts").iterdir())))

    def _wait_for_hand_out(self) -> None:
        record = self._world.record_of(self._probe)
        self._wait_for(lambda: b'"handouts":[{' in _tail(record, 0))

    def _wait_for(self, is_so: Callable[[], bool]) -> None:
        """Not for ever: what was due may have been handed out before."""
        deadline = time.monotonic() + 1.5
        while not is_so() and time.monotonic() < deadline:
            time.sleep(0)  # what comes next may last a fraction of a millisecond


def _is_claimed(receipt: Path) -> bool:
    with contextlib.suppress(OSError):
        return receipt.lstat().st_mode & 0o170777 == 0o100600
    return False


def _tail(path: Path, offset: int) -> bytes:
    with contextlib.suppress(OSError), path.open("rb") as file:
        file.seek(offset if path.stat().st_size >= offset else 0)
        return file.read()
    return b""


@contextlib.contextmanager
def _full_pipe() -> Iterator[tuple[int, Callable[[subprocess.Popen[bytes]], bytes]]]:
    """Nothing goes into it any more; `drain` reads it to the end, and gives what came behind the filling."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    filling = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            filling += os.write(writing, b"\n" * 4096)
    os.set_blocking(writing, True)

    def drain(process: subprocess.Popen[bytes]) -> bytes:
        os.close(writing)
        pieces = []
        while piece := os.read(reading, 65536):
            pieces.append(piece)
        process.wait(WAIT_SECONDS)
        return b"".join(pieces)[filling:]

    try:
        yield writing, drain
    finally:
        os.close(reading)
