"""What every test may ask for: the shared material, a home that is not the real one, and a living daemon."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parents[1]
REAL_HOME = Path.home()
HOOK_FILE = PROJECT / "agentinitd" / "hook.py"


@pytest.fixture
def shared() -> Path:
    """The folder of real transcripts and field cases beside the project."""
    folder = PROJECT.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: the real transcripts and field cases cannot be read")
    return folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh HOME for each test, so that none can touch the real one."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(folder))
    for name in [name for name in os.environ if name.startswith(("XDG_", "AGENTINITD_", "CLAUDE_"))]:
        monkeypatch.delenv(name)
    return folder


class LivingDaemon:
    """The real program in a home of its own, with one project that has a memory."""

    def __init__(self, home: Path, project: Path, runtime: Path) -> None:
        self.home = home
        self.project = project
        self.runtime = runtime
        self.process: subprocess.Popen[bytes] | None = None
        self.environment = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "AGENTINITD_RUNTIME_DIR": str(runtime),
        }
        (project / ".agent-memory" / "anchors").mkdir(parents=True)
        (project / ".agent-memory" / "state").mkdir()

    @property
    def state_dir(self) -> Path:
        return self.home / ".local" / "state" / "agentinitd"

    @property
    def projects_dir(self) -> Path:
        return self.home / ".claude" / "projects"

    def start(self) -> None:
        """Returns when it is ready."""
        ready, told = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "agentinitd", "start", "--foreground", "--ready-fd", str(told)],
            env=self.environment,
            cwd="/",
            pass_fds=(told,),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        os.close(told)
        said = os.read(ready, 1)
        os.close(ready)
        if said != b"\n":
            _, stderr = self.process.communicate()
            raise AssertionError(f"the daemon did not start: {stderr.decode()}")

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(number)
            self.process.communicate(timeout=20)
            self.process = None

    def command(self, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """`agentinitd ARGUMENTS` in the project's folder."""
        return subprocess.run(
            [sys.executable, "-P", "-m", "agentinitd", *arguments],
            env=self.environment,
            cwd=cwd or self.project,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def status(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.command("status", "--json").stdout)
        return found

    def hook(self, payload: Mapping[str, object]) -> str:
        """What the hook client prints for this JSON on stdin."""
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(HOOK_FILE), "claude-code"],
            env=self.environment,
            input=json.dumps(payload).encode(),
            capture_output=True,
            check=False,
            timeout=30,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()

    def context(self, payload: Mapping[str, object]) -> str:
        """The text that this hook hands to the model, empty when it hands none."""
        printed = self.hook(payload)
        if not printed:
            return ""
        answer = json.loads(printed)["hookSpecificOutput"]
        assert answer["hookEventName"] == payload["hook_event_name"]
        return str(answer["additionalContext"])

    def anchors(self, text: str, name: str = "project_constraints.md") -> None:
        (self.project / ".agent-memory" / "anchors" / name).write_text(text, encoding="utf-8")

    def task_state(self, state: Mapping[str, object]) -> None:
        path = self.project / ".agent-memory" / "state" / "task_state.json"
        path.write_text(json.dumps(state, ensure_ascii=False), encoding="utf-8")

    def log(self) -> list[dict[str, Any]]:
        path = self.state_dir / "rebuild.log"
        return (
            [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            if path.exists()
            else []
        )


@pytest.fixture
def new_daemon(tmp_path: Path, home: Path) -> Iterator[Callable[[], LivingDaemon]]:
    """Makes daemons that are not started yet; they end with the test."""
    made: list[LivingDaemon] = []
    # A short path: the name of a socket has little room.
    runtime = Path(tempfile.mkdtemp(prefix="agd-", dir="/tmp"))

    def make() -> LivingDaemon:
        project = tmp_path / f"project{len(made) or ''}"
        made.append(LivingDaemon(home, project, runtime))
        return made[-1]

    yield make
    for each in made:
        each.kill()
    shutil.rmtree(runtime, ignore_errors=True)


@pytest.fixture
def daemon(new_daemon: Callable[[], LivingDaemon]) -> LivingDaemon:
    """A daemon that runs."""
    living = new_daemon()
    living.start()
    return living


@pytest.fixture
def eventually() -> Callable[..., Any]:
    """Waits until a question is answered by something true, and gives that."""

    def wait(question: Callable[[], Any], *, seconds: float = 10.0) -> Any:
        deadline = time.monotonic() + seconds
        while not (answer := question()):
            if time.monotonic() > deadline:
                raise AssertionError(f"still not true after {seconds:g} s: {question}")
            time.sleep(0.02)
        return answer

    return wait
