"""What every test may ask for: the shared material, a home that is not the real one, and a living daemon."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import hypothesis
import psutil
import pytest

# Tests are imported one by one, without packages: what they share is found beside them.
sys.path.insert(0, str(Path(__file__).parent))

from leaving import processes_of, story_of
from nursery import Born, Nursery, can_bear

from agentinitd.daemon.paths import Places

# No test is timed: a busy machine is no failure.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

PROJECT = Path(__file__).resolve().parents[1]
REAL_HOME = Path.home()
RUN = (sys.executable, "-P", "-m", "agentinitd")
HOOK_FILE = PROJECT / "agentinitd" / "hook.py"
SHORT = f"/tmp/agd-{os.getpid()}-"
"""How the short folders of this test process begin: the path of a socket has little room."""
NURSERY = Nursery()
PRICES = {"new_daemon": 300, "shared_daemon": 60}
"""So many tests that call our functions cost as much as one with a daemon of its own, or of its module."""


@pytest.fixture(scope="session", autouse=True)
def nothing_is_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fails the run, and names what it was, when its tests leave a process or a folder behind.

    Each process of a parallel run answers for its own tests: what they start works below its folders.
    """
    base = tmp_path_factory.getbasetemp()
    reports = base / "tmp"  # where our programs would leave the story of a bug
    reports.mkdir()
    os.environ["TMPDIR"] = str(reports)
    yield
    del os.environ["TMPDIR"]
    deadline = time.monotonic() + 3.0
    while (
        processes := processes_of(base, short=SHORT, known=(NURSERY.pid,))
    ) and time.monotonic() < deadline:
        time.sleep(0.05)
    told = [story_of(process) for process in processes]
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()
    NURSERY.close()
    folders = sorted(
        map(str, [*Path("/tmp").glob(f"{Path(SHORT).name}*"), *reports.glob("agentinitd-*"), *_fallbacks()])
    )
    assert (told, folders) == ([], []), "left behind by these tests: processes, folders"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files that take longest come first: what runs last runs alone, with nothing beside it."""
    price: Counter[Path] = Counter()
    for item in items:
        price[item.path] += max(
            (PRICES.get(name, 1) for name in getattr(item, "fixturenames", ())), default=1
        )
    items.sort(key=lambda item: (-price[item.path], item.path))


_fallback_folders: set[Path] = set()


def _fallbacks() -> list[Path]:
    """Where daemons of ours listen when the path of their state is too long for a socket."""
    return [folder for folder in _fallback_folders if folder.exists()]


@pytest.fixture
def shared() -> Path:
    """The folder of real transcripts and field cases beside the project."""
    folder = PROJECT.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: the real transcripts and field cases cannot be read")
    return folder


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the homes of all tests are made; `tmp_path` costs more than most tests that do not ask for it."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def home(homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh HOME for each test, so that none can touch the real one."""
    folder = next(homes) / "home"
    folder.parent.mkdir(mode=0o700)
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(folder))
    for name in [name for name in os.environ if name.startswith(("XDG_", "AGENTINITD_", "CLAUDE_"))]:
        monkeypatch.delenv(name)
    # Unset, it would stand for /run/user/<uid>, where the socket of the person's own daemon lies.
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder / "run"))
    return folder


class _Connection(http.client.HTTPConnection):
    """Of the old version, which knows no interim answers: this client takes the first for the last."""

    _http_vsn = 10
    _http_vsn_str = "HTTP/1.0"


class LivingDaemon:
    """The real program in a home of its own, with one project that has a memory."""

    def __init__(self, home: Path, project: Path, runtime: Path) -> None:
        self.home = home
        self.project = project
        self.runtime = runtime
        self.process: subprocess.Popen[bytes] | Born | None = None
        self.wrapper: tuple[str, ...] = ()
        """A command in front of the daemon's, which it becomes."""
        self.is_executed = False
        """Whether it inherits all that this process is and has, limits for one; forked it is cheaper."""
        self.environment = {
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "AGENTINITD_RUNTIME_DIR": str(runtime),
            "TMPDIR": os.environ["TMPDIR"],
        }
        _fallback_folders.add(Places.from_environment(self.environment).fallback_socket.parent)
        self.projects_dir.mkdir(parents=True, exist_ok=True)
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
        is_forked = not (self.wrapper or self.is_executed) and can_bear(self.environment)
        self.process = self._bear(told) if is_forked else self._execute(told)
        os.close(told)
        said = os.read(ready, 1)
        os.close(ready)
        if said != b"\n":
            _, stderr = self.process.communicate()
            raise AssertionError(f"the daemon did not start: {stderr.decode()}")

    def _bear(self, told: int) -> Born:
        return NURSERY.bear(["start", "--foreground"], self.environment, ready=told)

    def _execute(self, told: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*self.wrapper, *RUN, "start", "--foreground", "--ready-fd", str(told)],
            env=self.environment,
            cwd="/",
            pass_fds=(told,),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

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
            [*RUN, *arguments],
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

    def ask(self, method: str, path: str, value: object = None) -> tuple[int, bytes]:
        """Status and body of what the socket answers."""
        connection = _Connection("agentinitd", timeout=30)
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(30)
        connection.sock.connect(str(self.runtime / "agentinitd.sock"))
        with contextlib.closing(connection):
            connection.request(method, path, body=None if value is None else json.dumps(value))
            answer = connection.getresponse()
            return answer.status, answer.read()

    def get(self, path: str) -> Any:
        status, body = self.ask("GET", path)
        assert status == 200, body
        return json.loads(body)

    def session(self, session_id: str) -> dict[str, Any]:
        """What the daemon says of this session, empty when it does not follow it."""
        sessions: list[dict[str, Any]] = self.get("/v1/sessions")["sessions"]
        return next((each for each in sessions if each["session"] == session_id), {})

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


class AgentSession:
    """Plays the agent: writes the rows of one transcript as Claude Code does, and calls the hooks."""

    def __init__(self, daemon: LivingDaemon, project: Path, session_id: str) -> None:
        self.daemon = daemon
        self.project = project
        self.id = session_id
        self.transcript = daemon.projects_dir / str(project).replace("/", "-") / f"{session_id}.jsonl"
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        self.rows = 0

    def write(self, text: bytes) -> None:
        with self.transcript.open("ab") as file:
            file.write(text)

    def row(self, **fields: object) -> dict[str, Any]:
        """One record with what every record has; appended to the transcript."""
        self.rows += 1
        made: dict[str, Any] = {
            "uuid": f"{self.id}-{self.rows}",
            "parentUuid": f"{self.id}-{self.rows - 1}" if self.rows > 1 else None,
            "sessionId": self.id,
            "cwd": str(self.project),
            "version": "2.1.0",
            "isSidechain": False,
            "timestamp": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            **fields,
        }
        self.write(json.dumps(made, ensure_ascii=False).encode() + b"\n")
        return made

    def says(self, text: str = "go on") -> None:
        """The person types a message: a turn begins."""
        self.row(type="user", message={"role": "user", "content": text})

    def answers(self, tokens: int, text: str = "done") -> None:
        """One request of the model, whose context is so large."""
        usage = {"input_tokens": tokens, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
        content = [{"type": "text", "text": text}]
        message = {
            "role": "assistant",
            "model": "m",
            "content": content,
            "usage": {**usage, "output_tokens": 9},
        }
        self.row(
            type="assistant",
            requestId=f"{self.id}-r{self.rows}",
            message={"id": f"{self.id}-m{self.rows}", **message},
        )

    def turn(self, tokens: int) -> None:
        self.says()
        self.answers(tokens)

    def compacts(self, trigger: str = "auto", tokens: int = 150_000) -> None:
        """The marker, and the summary that the agent puts in place of the conversation."""
        metadata = {"trigger": trigger, "preTokens": tokens}
        self.row(
            type="system",
            subtype="compact_boundary",
            content="Conversation compacted",
            compactMetadata=metadata,
        )
        self.row(type="user", isCompactSummary=True, message={"role": "user", "content": "A summary."})

    def payload(self, event: str, **fields: object) -> dict[str, object]:
        return {
            "session_id": self.id,
            "transcript_path": str(self.transcript),
            "cwd": str(self.project),
            "hook_event_name": event,
            **fields,
        }

    def starts(self, source: str = "startup", **fields: object) -> str:
        """What the model is told when the session starts."""
        return self.told(self.payload("SessionStart", source=source, **fields))

    def prompts(self, **fields: object) -> str:
        """What comes along with the person's next message."""
        return self.told(self.payload("UserPromptSubmit", prompt="go on", **fields))

    def told(self, payload: Mapping[str, object]) -> str:
        """What a hook hands to the model, asked by the socket: `daemon.context` starts our client for it."""
        status, body = self.daemon.ask("POST", "/v1/hook/claude-code", payload)
        assert status == (200 if body else 204), body
        answer = json.loads(body)["hookSpecificOutput"] if body else {"additionalContext": ""}
        assert answer.get("hookEventName", payload["hook_event_name"]) == payload["hook_event_name"]
        return str(answer["additionalContext"])

    def seen(self) -> dict[str, Any]:
        """What the daemon says of it."""
        return self.daemon.session(self.id)


def make_project(folder: Path, **anchors: str) -> Path:
    """A project whose memory has these anchor files."""
    memory = folder / ".agent-memory"
    (memory / "anchors").mkdir(parents=True)
    (memory / "state").mkdir()
    for name, text in anchors.items():
        (memory / "anchors" / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def new_session() -> Callable[..., AgentSession]:
    """Makes sessions of an agent: `new_session(daemon)`, or in another project or with another id."""

    def make(daemon: LivingDaemon, *, project: Path | None = None, session_id: str = "") -> AgentSession:
        return AgentSession(daemon, project or daemon.project, session_id or str(uuid.uuid4()))

    return make


@pytest.fixture
def new_project(tmp_path: Path) -> Callable[..., Path]:
    """Makes projects: `new_project("name", project_constraints="- [constraint] …")`."""
    return lambda name, **anchors: make_project(tmp_path / name, **anchors)


def _make_short_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=Path(SHORT).name, dir="/tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder whose path leaves room for the name of a socket."""
    yield from _make_short_folder()


@pytest.fixture
def new_daemon(tmp_path: Path, home: Path, short_folder: Path) -> Iterator[Callable[[], LivingDaemon]]:
    """Makes daemons that are not started yet; they end with the test."""
    made: list[LivingDaemon] = []

    def make() -> LivingDaemon:
        project = tmp_path / f"project{len(made) or ''}"
        made.append(LivingDaemon(home, project, short_folder))
        return made[-1]

    yield make
    for each in made:
        each.kill()


@pytest.fixture(scope="module")
def shared_daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivingDaemon]:
    """One that runs for all tests of a module: each brings its own project and sessions."""
    folder = tmp_path_factory.mktemp("shared")
    (folder / "home").mkdir(mode=0o700)
    with contextlib.contextmanager(_make_short_folder)() as runtime:
        living = LivingDaemon(folder / "home", folder / "project", runtime)
        living.start()
        yield living
        living.kill()


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
