"""A home with its projects, sessions and daemon, in which everything may be killed and nothing is cleaned."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
from playing import Session

from agentinitd.daemon.records import record_key

COMMAND = [sys.executable, "-P", "-m", "agentinitd"]
WAIT_SECONDS = 60.0
"""Only so that what never comes is found out."""
BEAT_SECONDS = 0.06

PURE = 'periodic_turns: 0\nperiodic_requests: 0\ndrop_percent: 95\ncheckpoint_percent: 0\ncapture: "off"\n'
"""Only starts and compactions are causes: what is printed can be counted without asking the log."""
MIXED = "periodic_turns: 4\n"
LOG_FILES = 20
USER = f"log_bytes: 1048576\nlog_files: {LOG_FILES}\n"
"""The log turns round now and then, and nothing of it is gone in the end."""


def closed(folder: Path, faults: Sequence[str], *, is_kept: bool) -> int:
    """Tells the faults, and keeps the folder of a run only if there are any and that is wanted.

    Gives the exit code.
    """
    for fault in faults[:100]:
        print(f"FAULT {fault}")
    if faults and is_kept:
        print(f"kept: {folder}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if faults else 0


class World:
    """Made anew in an empty folder, whose path has to be short: it holds a socket."""

    def __init__(self, folder: Path, rng: random.Random) -> None:
        self.folder = folder
        self.home = folder / "home"
        self.runtime = folder / "run"
        self.state = self.home / ".local" / "state" / "agentinitd"
        self.transcripts = self.home / ".claude" / "projects"
        self.environment = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "AGENTINITD_RUNTIME_DIR": str(self.runtime),
        }
        self.sessions: list[Session] = []
        self.projects: list[Path] = []
        self._rng = rng
        self._lock = threading.Lock()
        self._version = 0
        self.pure = self._project("pure", PURE)
        self.mixed = self._project("mixed", MIXED)
        self.config = self.home / ".config" / "agentinitd" / "agentinitd.yaml"
        self.config.parent.mkdir(parents=True)
        self.config.write_text(USER)
        self.change_memory()

    def _project(self, name: str, config: str) -> Path:
        project = self.folder / name
        (project / ".agent-memory" / "anchors").mkdir(parents=True)
        (project / ".agent-memory" / "state").mkdir()
        (project / ".agent-memory" / "config.yaml").write_text(config)
        self.projects.append(project)
        return project

    def change_memory(self) -> None:
        """Other rules, so that the next snippet is another one; in one project the task state as well."""
        self._version += 1
        rules = "".join(
            f"- [constraint] Rule {number} of version {self._version}\n  Why: the soak test counts.\n"
            for number in range(1, 6)
        )
        for project in (self.pure, self.mixed):
            (project / ".agent-memory" / "anchors" / "project_constraints.md").write_text(rules)
        if self._version % 3 == 1:
            state = {"task_id": "soak", "status": "in progress", "pending": [f"step {self._version}"]}
            (self.mixed / ".agent-memory" / "state" / "task_state.json").write_text(json.dumps(state))

    def new_session(self, project: Path) -> Session:
        with self._lock:
            rng = random.Random(self._rng.getrandbits(64))
            is_written_down = project == self.mixed
            session = Session(
                self.transcripts, project, self.environment, rng, is_written_down=is_written_down
            )
            self.sessions.append(session)
            return session

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *arguments],
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=WAIT_SECONDS,
        )

    def start(self) -> int:
        """As a person does, whatever lies around.  Gives the daemon's pid."""
        done = self.command("start")
        if done.returncode:
            raise AssertionError(f"`agentinitd start` ended with {done.returncode}: {done.stderr.strip()}")
        return self.holder()

    def start_killed(self, delay_seconds: float) -> None:
        """Killed so long after its birth, ready or not."""
        starter = subprocess.Popen(
            [*COMMAND, "start"],
            env=self.environment,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        parent = psutil.Process(starter.pid)
        born: list[psutil.Process] = []
        while not born and starter.poll() is None:
            with contextlib.suppress(psutil.Error):
                born = parent.children()
            time.sleep(0.002)
        time.sleep(delay_seconds)
        for process in born:
            kill(process.pid)
        starter.wait(WAIT_SECONDS)

    def holder(self) -> int:
        return int(json.loads((self.state / "agentinitd.lock").read_text())["pid"])

    def record_of(self, session: Session) -> Path:
        """What the daemon remembers of it."""
        return self.state / "sessions" / f"{record_key('claude-code', os.path.realpath(session.path))}.json"

    def names(self) -> dict[str, str]:
        """A session that is found has no other name than its record's at first."""
        return {self.record_of(session).stem: session.id for session in self.sessions}

    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.command("status", "--json").stdout)
        return found

    def log(self) -> list[dict[str, Any]]:
        """All of it, oldest first.  Raises ValueError for a line that is torn."""
        records: list[dict[str, Any]] = []
        files = sorted(self.state.glob("rebuild.log*"), key=_age, reverse=True)
        assert len(files) < LOG_FILES, "the log is too small for so long a run"
        for path in files:
            records += [json.loads(line) for line in path.read_bytes().splitlines()]
        return records

    def processes(self) -> list[str]:
        """What lives in this home: the daemon, its scripts, hooks."""
        found: list[str] = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                is_ours = process.environ().get("HOME") == str(self.home)
                if is_ours and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(f"{process.pid} {' '.join(process.cmdline())}")
        return found


def _age(log: Path) -> int:
    return int(log.suffix[1:]) if log.suffix[1:].isdigit() else 0


def kill(pid: int) -> None:
    """SIGKILL, and wait until nothing holds the lock for it any more."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + WAIT_SECONDS
    while _is_alive(pid):
        if time.monotonic() > deadline:
            raise AssertionError(f"pid {pid} survived SIGKILL")
        time.sleep(0.002)


def _is_alive(pid: int) -> bool:
    with contextlib.suppress(ChildProcessError):
        return os.waitpid(pid, os.WNOHANG) == (0, 0)
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class Players:
    """Agents at work in the background until they are told to stop."""

    def __init__(self, world: World, rng: random.Random) -> None:
        self.faults: list[str] = []
        self._world = world
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._play, args=(project, random.Random(rng.getrandbits(64))))
            for project in (world.pure, world.mixed)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join()

    def _play(self, project: Path, rng: random.Random) -> None:
        try:
            while not self._stopping.is_set():
                self._one_session(self._world.new_session(project), rng)
        except Exception as error:  # told in the verdict; the thread has nobody to raise to
            self.faults.append(f"a player ended: {type(error).__name__}: {error}")

    def _one_session(self, session: Session, rng: random.Random) -> None:
        session.begin()
        often = rng.choice((0.01, 0.03, 0.1))
        for beat in range(rng.randrange(150, 500)):
            if self._stopping.wait(rng.random() * BEAT_SECONDS):
                break
            session.beat()
            if session.may_compact and rng.random() < often:
                session.compact()
            elif beat % 100 == 99 and rng.random() < 0.5:
                session.hook("SessionEnd")
                session.begin("resume")
        session.hook("SessionEnd")
