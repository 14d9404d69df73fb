"""What it costs to remember: reading a long session with and without capture, and how a backlog is caught up.

    python benchmarks/capture_cost.py

Processor time, not wall time, where two readings are compared.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import daemon
import hooks
import long_session
import psutil

from agentinitd.memory.capture.ledger import Ledger
from agentinitd.memory.capture.listener import Listener
from agentinitd.memory.capture.readers import built_in
from agentinitd.memory.progress_events import ProgressListener
from agentinitd.model.events import Event
from agentinitd.model.work import RecentWork
from agentinitd.sessions.recent_work import heard
from agentinitd.transcripts.agents import AGENTS

RUNS = 7
SESSION_BYTES = 20 * 1024 * 1024
BACKLOG_BYTES = 100 * 1024 * 1024
SLICE_BYTES = 256 * 1024
PLACE_SECONDS = 1.5
"""After a hook, until its session is on record."""
# Asks for the status every 5 ms until it is ended, and prints how long each answer took and when it came.
_PROBE = """
import socket, sys, time
request = b"GET /v1/status HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n"
while True:
    began = time.perf_counter()
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(sys.argv[1])
            client.sendall(request)
            while client.recv(65536):
                pass
        print(1000 * (time.perf_counter() - began), time.time(), flush=True)
    except OSError:
        pass
    time.sleep(0.005)
"""

Slices = Sequence[Sequence[Event]]
Result = TypeVar("Result")


def measure() -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="agentinitd-bench-") as name:
        session = Path(name) / "folder" / f"{long_session.SESSION}.jsonl"
        long_session.write(session, SESSION_BYTES)
        return costs(session) | backlog()


def costs(session: Path) -> dict[str, float]:
    """Events a second, and how many times as long as reading with details the listening takes."""
    seconds: dict[str, float] = {}
    count = 0
    for _ in range(RUNS):
        plain, _ = _timed(lambda: _slices(session, is_detailed=False))
        detailed, slices = _timed(lambda: _slices(session, is_detailed=True))
        capture, _ = _timed(partial(_capture, slices))
        others, _ = _timed(partial(_others, slices))
        count = sum(map(len, slices))
        taken = {"plain": plain, "detailed": detailed, "capture": capture, "others": others}
        seconds = {name: min(value, seconds.get(name, value)) for name, value in taken.items()}
    detailed, capture = seconds["detailed"], seconds["capture"]
    followed = detailed + capture + seconds["others"]
    return {
        "reading_events_per_s": count / seconds["plain"],
        "detailed_events_per_s": count / detailed,
        "captured_events_per_s": count / (detailed + capture),
        "followed_events_per_s": count / followed,
        "capture_vs_reading": capture / detailed,
        "followed_vs_reading": followed / detailed,
    }


def backlog() -> dict[str, float]:
    """A session grows by 100 MB while no daemon runs: how the next one catches up."""
    with daemon.stage(is_started=False) as made:
        session = str(uuid.uuid4())
        transcript = made.folder / f"{session}.jsonl"
        transcript.write_bytes(daemon.request(made.project, session, 1000))
        made.start()
        hook = hooks.commands(made.socket)[hooks.CLIENT]
        payload = made.payload(session, "SessionStart", source="startup")
        subprocess.run(hook, input=payload, env=made.environment, stdout=subprocess.DEVNULL, check=True)
        time.sleep(PLACE_SECONDS)
        made.stop()
        more = made.root / "more.jsonl"
        long_session.write(more, BACKLOG_BYTES, project=str(made.project), session=session)
        with more.open("rb") as source, transcript.open("ab") as target:
            shutil.copyfileobj(source, target)
        return _caught_up(made)


def _caught_up(made: daemon.Stage) -> dict[str, float]:
    command = [sys.executable, "-c", _PROBE, str(made.socket)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as probe:
        try:
            peak = _peak_mib_until_ready(made)
        finally:
            ready_at = time.time()
            probe.terminate()
        assert probe.stdout is not None and made.process is not None
        asked = [tuple(map(float, line.split())) for line in probe.stdout.read().splitlines()]
    stalls = [milliseconds for milliseconds, at in asked if at <= ready_at]
    used = psutil.Process(made.process.pid).cpu_times()
    return {
        "longest_stall_ms": max(stalls),
        "answers": len(stalls),
        "peak_rss_mib": peak,
        "cpu_s": used.user + used.system,
    }


def _peak_mib_until_ready(made: daemon.Stage) -> float:
    peak = 0.0
    starting = threading.Thread(target=made.start)
    starting.start()
    while starting.is_alive():
        if made.process is not None:
            peak = max(peak, psutil.Process(made.process.pid).memory_info().rss / 2**20)
        time.sleep(0.01)
    return peak


def _slices(session: Path, *, is_detailed: bool) -> Slices:
    follower = AGENTS["claude-code"].follow(str(session), is_detailed=is_detailed)
    slices = [follower.read(SLICE_BYTES)]
    while follower.has_more:
        slices.append(follower.read(SLICE_BYTES))
    return slices


def _capture(slices: Slices) -> None:
    listener, ledger = Listener("s", readers=built_in()), Ledger((), session="s")
    for events in slices:
        ledger.take(listener.hear(events), now=0.0)


def _others(slices: Slices) -> None:
    """What else a followed session is heard for: the progress of its task, and what it works on."""
    listener = ProgressListener()
    for events in slices:
        listener.hear(events, now=0.0)
    heard(RecentWork(), [*slices[-2], *slices[-1]])


def _timed(work: Callable[[], Result]) -> tuple[float, Result]:
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def main() -> None:
    for name, figure in measure().items():
        print(f"{name:<24}{figure:>12,.2f}")


if __name__ == "__main__":
    main()
