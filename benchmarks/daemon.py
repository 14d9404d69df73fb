"""What the running daemon costs: hook end to end, marker → pending, take-up at start, idle memory and time.

python benchmarks/daemon.py
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import hooks
import psutil

from agentinitd.client import Client
from agentinitd.daemon.paths import Places

ANCHORS = "\n".join(
    f"- [constraint] Rule {number}: use tool {number}\n  Why: it is so." for number in range(12)
)
MARKERS = 60
IDLE_SECONDS = 20.0
SETTLE_SECONDS = 3.0


@dataclass
class Stage:
    """A daemon in a throw-away home with a project."""

    root: Path
    process: subprocess.Popen[bytes] | None = None
    environment: dict[str, str] = field(default_factory=dict)

    @classmethod
    def build(cls) -> Stage:
        root = Path(tempfile.mkdtemp(prefix="agd-bench-", dir="/tmp"))
        environment = {"HOME": str(root / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        environment["AGENTINITD_RUNTIME_DIR"] = str(root / "run")
        stage = cls(root, environment=environment)
        stage.anchors.mkdir(parents=True)
        (stage.anchors / "project_constraints.md").write_text(ANCHORS, encoding="utf-8")
        (stage.anchors.parent / "init.d").mkdir()
        stage.folder.mkdir(parents=True)
        return stage

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def anchors(self) -> Path:
        return self.project / ".agent-memory" / "anchors"

    @property
    def folder(self) -> Path:
        return self.root / "home" / ".claude" / "projects" / "-project"

    @property
    def socket(self) -> Path:
        return self.root / "run" / "agentinitd.sock"

    @property
    def client(self) -> Client:
        return Client(Places.from_environment(self.environment))

    def start(self) -> float:
        """Seconds until it is ready."""
        ready, told = os.pipe()
        began = time.perf_counter()
        command = [sys.executable, "-P", "-m", "agentinitd", "start", "--foreground", "--ready-fd", str(told)]
        self.process = subprocess.Popen(command, env=self.environment, cwd="/", pass_fds=(told,))
        os.close(told)
        os.read(ready, 1)
        os.close(ready)
        return time.perf_counter() - began

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(20)
            self.process = None

    def payload(self, session: str, event: str, **more: str) -> bytes:
        told = {"session_id": session, "transcript_path": str(self.folder / f"{session}.jsonl")}
        return json.dumps({**told, "cwd": str(self.project), "hook_event_name": event, **more}).encode()


@contextlib.contextmanager
def stage(*, is_started: bool = True) -> Iterator[Stage]:
    made = Stage.build()
    try:
        if is_started:
            made.start()
        yield made
    finally:
        made.stop()
        shutil.rmtree(made.root, ignore_errors=True)


def record(project: Path, session: str, kind: str, **more: Any) -> bytes:
    """One line as Claude Code writes it."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    head = {
        "parentUuid": None,
        "isSidechain": False,
        "type": kind,
        "uuid": str(uuid.uuid4()),
        "timestamp": stamp,
    }
    tail = {"cwd": str(project), "sessionId": session, "version": "2.1.111"}
    return json.dumps({**head, **more, **tail}).encode() + b"\n"


def marker(project: Path, session: str) -> bytes:
    metadata = {"trigger": "auto", "preTokens": 160_000}
    return record(project, session, "system", subtype="compact_boundary", compactMetadata=metadata)


def request(project: Path, session: str, tokens: int) -> bytes:
    usage = {"input_tokens": tokens, "output_tokens": 9}
    message = {
        "id": f"msg_{uuid.uuid4().hex}",
        "role": "assistant",
        "model": "m",
        "content": [],
        "usage": usage,
    }
    return record(project, session, "assistant", message=message)


def hook_end_to_end() -> dict[str, list[float]]:
    """The session-start hook, four vendor scripts with unchanged inputs, against the client alone."""
    with stage() as made:
        session = str(uuid.uuid4())
        payload = made.payload(session, "SessionStart", source="startup")
        first = hooks.commands(made.socket)[hooks.CLIENT]
        subprocess.run(first, input=payload, env=made.environment, stdout=subprocess.DEVNULL, check=True)
        served = hooks.measure(made.socket, rounds=40, payload=payload, env=made.environment)
    with hooks.ready_listener() as ready:
        alone = hooks.measure(ready, rounds=40)
    return {"session start": served[hooks.CLIENT], "client alone": alone[hooks.CLIENT]}


def detection(*, is_changed: bool) -> list[float]:
    """Milliseconds from the write of a marker until its snippet is built, by the stream of events."""
    taken: list[float] = []
    with stage() as made:
        session = str(uuid.uuid4())
        transcript = made.folder / f"{session}.jsonl"
        transcript.write_bytes(request(made.project, session, 100_000))
        time.sleep(SETTLE_SECONDS)
        events = made.client.events()
        next(iter(_ticks(made, events, transcript, session, is_changed=is_changed)))
        for _ in range(MARKERS):
            taken.append(next(_ticks(made, events, transcript, session, is_changed=is_changed)))
    return taken


def _ticks(
    made: Stage, events: Iterator[bytes], transcript: Path, session: str, *, is_changed: bool
) -> Iterator[float]:
    if is_changed:
        (made.anchors / "project_constraints.md").write_text(f"{ANCHORS}\n- [constraint] {uuid.uuid4()}\n")
    with transcript.open("ab", buffering=0) as file:
        file.write(request(made.project, session, 100_000))
        time.sleep(0.3)
        began = time.time()
        file.write(marker(made.project, session))
    for line in events:
        told = json.loads(line)
        if told["event"] == "run.end" and told["trigger"] == "marker":
            yield (time.time() - began) * 1000
            return


def take_up(sessions: int) -> float:
    """Seconds from spawn to ready with so many transcripts there, less those of a daemon without any."""
    with stage(is_started=False) as made:
        for number in range(sessions):
            folder = made.folder.with_name(f"-project-{number % 200}")
            folder.mkdir(exist_ok=True)
            (folder / f"{uuid.uuid4()}.jsonl").write_bytes(request(made.project, "s", 1000) * 50)
        return made.start()


def idle(sessions: int) -> tuple[float, float]:
    """MiB of resident memory, and the percentage of a core, of a daemon in whose sessions nothing happens."""
    with stage(is_started=False) as made:
        for number in range(sessions):
            session = str(uuid.uuid4())
            folder = made.folder.with_name(f"-project-{number % 200}")
            folder.mkdir(exist_ok=True)
            (folder / f"{session}.jsonl").write_bytes(request(made.project, session, 1000))
        made.start()
        time.sleep(SETTLE_SECONDS)
        assert made.process is not None
        process = psutil.Process(made.process.pid)
        before = process.cpu_times()
        time.sleep(IDLE_SECONDS)
        after = process.cpu_times()
        used = (after.user + after.system) - (before.user + before.system)
        return process.memory_info().rss / 2**20, 100 * used / IDLE_SECONDS


def percentile(taken: list[float], share: float) -> float:
    return sorted(taken)[min(len(taken) - 1, int(share * len(taken)))]


def report() -> str:
    lines = ["| what | figure | target |", "|---|---|---|"]
    served = {name: statistics.median(taken) for name, taken in hook_end_to_end().items()}
    ratio = served["session start"] / served["client alone"]
    lines.append(
        f"| session-start hook ÷ hook client alone | {ratio:.2f} ({served['session start']:.1f} ms) | ≤ 3 |"
    )
    for name, is_changed, target in (("inputs unchanged", False, 150), ("all scripts run", True, 500)):
        taken = detection(is_changed=is_changed)
        middle, worst = statistics.median(taken), percentile(taken, 0.99)
        lines.append(
            f"| marker → built, {name} | p50 {middle:.0f} ms, p99 {worst:.0f} ms | p99 ≤ {target} ms |"
        )
    empty, thousand = take_up(0), take_up(1000)
    lines.append(f"| 1,000 sessions at start, added | {1000 * (thousand - empty):.0f} ms | ≤ 300 ms |")
    for sessions, target in ((0, "≤ 40 MiB, ≤ 0.1 %"), (1000, "≤ 60 MiB, ≤ 0.5 %")):
        memory, core = idle(sessions)
        lines.append(f"| idle daemon, {sessions:,} sessions | {memory:.1f} MiB, {core:.2f} % | {target} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report())
