"""A real daemon to inject faults into, projects full of scripts, and the proof that nothing is left."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from agentinitd.daemon.paths import Places
from agentinitd.rc import layers
from agentinitd.rc.trust import Trust

RULE = "Install with pnpm, never npm"
LOG_TAIL_BYTES = 256 * 1024
MOST_GROWTH_BYTES = 20 * 1024 * 1024
"""What the daemon may grow by over all faults of one module, once it is warm.

The readers of capture take 6 MiB, a thousand connections at once as much, and what is remembered of
sessions 8 until it is full; all of that once.  What grows for ever is looked for by tests/soak.
"""


@dataclass(frozen=True)
class Footprint:
    """What a daemon holds of this machine at one moment."""

    descriptors: Mapping[str, int]
    """How many of each kind: a leak grows the number of its kind."""
    rss: int

    @classmethod
    def of(cls, daemon: Any) -> Footprint:
        process = psutil.Process(daemon.process.pid)
        return cls(_descriptors(process), process.memory_info().rss)


def _descriptors(process: psutil.Process) -> Mapping[str, int]:
    folder = Path(f"/proc/{process.pid}/fd")
    if not folder.is_dir():
        return {"all": process.num_fds()}
    kinds: Counter[str] = Counter()
    for entry in folder.iterdir():
        try:
            target = str(entry.readlink())
        except OSError:
            continue
        is_file = target.startswith("/")
        kinds[
            "deleted file"
            if target.endswith(" (deleted)")
            else "file"
            if is_file
            else target.partition("[")[0]
        ] += 1
    return kinds


def processes_of(daemon: Any) -> list[str]:
    """Those below it, and those that carry the cookie of a run of it wherever they went."""
    root = psutil.Process(daemon.process.pid)
    found = {child.pid: f"child {_name(child)}" for child in root.children(recursive=True)}
    cookie = f"{instance_of(daemon)}-"
    for process in psutil.process_iter():
        try:
            if process.environ().get("AGENTINITD_RUN_ID", "").startswith(cookie):
                found[process.pid] = f"cookie {_name(process)}"
        except (psutil.Error, OSError):
            continue
    return [f"{pid}: {told}" for pid, told in sorted(found.items())]


def _name(process: psutil.Process) -> str:
    try:
        return f"{process.status()} {process.cmdline()}"
    except psutil.Error:
        return "gone meanwhile"


def instance_of(daemon: Any) -> str:
    """The first part of its run ids."""
    lines = (daemon.state_dir / "rebuild.log").read_bytes().splitlines()
    return str(json.loads(lines[-1])["instance"])


def folders_of_runs(daemon: Any) -> list[Path]:
    scratch = daemon.state_dir / "scratch"
    return list(scratch.iterdir()) if scratch.is_dir() else []


def bugs_of(daemon: Any) -> list[dict[str, Any]]:
    """What it logged of itself as a mistake of its own."""
    return [record for record in daemon.log() if record["level"] == "error"]


def grown(before: Footprint, after: Footprint) -> dict[str, int]:
    """Kinds of descriptors of which there are more."""
    kinds = after.descriptors.keys()
    more = {kind: after.descriptors[kind] - before.descriptors.get(kind, 0) for kind in kinds}
    return {kind: number for kind, number in more.items() if number > 0}


def assert_nothing_is_left(daemon: Any, before: Footprint) -> None:
    """No process, folder, descriptor or memory of what happened since `before`; waits a little for each."""
    _soon(lambda: processes_of(daemon), "processes of scripts are left")
    _soon(lambda: folders_of_runs(daemon), "folders of runs are left")
    _soon(lambda: grown(before, Footprint.of(daemon)), "descriptors are left open")
    assert bugs_of(daemon) == []
    growth = Footprint.of(daemon).rss - before.rss
    assert growth <= MOST_GROWTH_BYTES, f"the daemon grew by {growth / 2**20:.1f} MiB"


def _soon(left: Callable[[], Any], what: str, *, seconds: float = 5.0) -> None:
    deadline = time.monotonic() + seconds
    while found := left():
        assert time.monotonic() < deadline, f"{what}: {found}"
        time.sleep(0.05)


@dataclass(frozen=True)
class Told:
    """What a session was told, and the record of the rebuild behind it."""

    text: str
    run: Mapping[str, Any]

    def of(self, key: str) -> dict[str, Any]:
        """What became of the script of this key."""
        found: list[dict[str, Any]] = [each for each in self.run["scripts"] if each["key"] == key]
        assert len(found) == 1, f"{key}: {found}"
        return found[0]

    def of_any(self, key: str) -> str:
        """The result of this script; `absent` when there was none."""
        return next((str(each["result"]) for each in self.run["scripts"] if each["key"] == key), "absent")

    @property
    def lines(self) -> list[str]:
        return self.text.splitlines()


class Place:
    """One project with a memory and scripts, and a session of an agent in it."""

    rule = RULE

    def __init__(self, daemon: Any, root: Path, session: Any) -> None:
        self.daemon = daemon
        self.root = root
        self.session = session
        self.init_d = root / ".agent-memory" / "init.d"
        self.init_d.mkdir()

    def script(
        self, name: str, body: str, *header: str, first: str = "#!/bin/sh", approved: bool = True
    ) -> Path:
        """A script with this header, approved as it stands; `X-Agentinitd-` may be left out as `X-`."""
        lines = [f"# {line.replace('X-', 'X-Agentinitd-', 1)}" for line in header]
        text = "\n".join([first, "### BEGIN INIT INFO", *lines, "### END INIT INFO", body, ""])
        return self.file(name, text.encode(), approved=approved)

    def file(self, name: str, data: bytes, *, mode: int = 0o755, approved: bool = True) -> Path:
        path = self.init_d / name
        path.write_bytes(data)
        path.chmod(mode)
        if approved:
            self.approve(name)
        return path

    def approve(self, *names: str) -> None:
        """What `agentinitd trust` does once the person said yes."""
        where = Places.from_environment(self.daemon.environment)
        trust = Trust(where.trust_dir, where.exec_dir)
        judge = layers.judge((), trust=trust, uid=os.geteuid(), project_root=self.root)
        for name in names:
            wanted = layers.candidate(self.init_d / name, judge)
            assert wanted is not None, f"{name} cannot be approved"
            trust.allow(wanted, now=time.time(), displaced=(), env=(), summary="")

    def starts(self) -> Told:
        """The session starts: what it is told, and how that came about."""
        return Told(self.session.starts(), self.last_run())

    def compacts(self) -> Told:
        """The agent shortened its context, and is told everything anew."""
        self.session.compacts()
        return Told(self.session.starts(source="compact"), self.last_run())

    def rebuild(self, level: str = "compact", **fields: object) -> Told:
        """Asked for in this project, for no session; there is no text then, only the record."""
        asked = {"project": str(self.root), "runlevel": level, **fields}
        status, body = self.daemon.ask("POST", "/v1/rebuild", asked)
        assert status == 200, body
        return Told("", json.loads(body))

    def last_run(self) -> Mapping[str, Any]:
        """The record of the last rebuild of this session."""
        ended = [each for each in self._end_of_log() if each["event"] == "run.end"]
        found: Mapping[str, Any] = self.daemon.get(f"/v1/runs/{ended[-1]['run']}")
        return found

    def logged(self, key: str) -> list[dict[str, Any]]:
        """What the log says of runs of this script in this session."""
        return [each for each in self._end_of_log() if each.get("key") == key]

    def _end_of_log(self) -> list[dict[str, Any]]:
        """What was logged of this session, which is not long ago: all of it would be read again and again."""
        data = (self.daemon.state_dir / "rebuild.log").read_bytes()[-LOG_TAIL_BYTES:]
        lines = (
            data[data.find(b"\n") + 1 :].splitlines() if len(data) == LOG_TAIL_BYTES else data.splitlines()
        )
        name = self.session.id.encode()
        return [json.loads(line) for line in lines if name in line]

    def processes(self) -> list[str]:
        return processes_of(self.daemon)

    def reasons(self) -> list[str]:
        """Why `status` calls the daemon degraded, of this project."""
        reasons: list[dict[str, str]] = self.daemon.get("/v1/status")["reasons"]
        told = [f"{reason['text']}. Cure: {reason['cure']}" for reason in reasons]
        return [text for text in told if str(self.root) in text]

    def assert_degraded(self, told: Told, name: str, reason: str) -> None:
        """The snippet, the record and `status` all say so; of the output nothing is shown."""
        assert told.run["result"] == "degraded"
        assert told.lines[1].startswith("Degraded: ")
        assert name in told.lines[1]
        assert any(line.startswith("(no output: ") and reason in line for line in told.lines), told.text
        assert any(name in text and reason in text for text in self.reasons())

    def assert_others_delivered(self, told: Told) -> None:
        """The fault cost its own script and no other, and the daemon goes on serving."""
        assert f"- {RULE}" in told.lines
        assert "- The neighbour was here" in told.lines
        assert told.of("neighbour")["result"] == "ok"
        self.assert_serving()

    def assert_serving(self) -> None:
        assert self.daemon.process.poll() is None
        assert self.last_run()["project"] == str(self.root)


@pytest.fixture(scope="module")
def watched_daemon(shared_daemon: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The daemon of this module, looked at once warm and again when all faults are over."""
    warm_up(shared_daemon, tmp_path_factory.mktemp("warm"))
    before = Footprint.of(shared_daemon)
    yield shared_daemon
    assert_nothing_is_left(shared_daemon, before)


def warm_up(daemon: Any, folder: Path) -> None:
    """So that each thread and import that is there for good is there before the first look."""
    daemon.ask("GET", f"/v1/snippet?project={with_rule(folder)}")
    daemon.get("/v1/status")


def with_rule(project: Path) -> Path:
    anchors = project / ".agent-memory" / "anchors"
    anchors.mkdir(parents=True)
    (anchors / "project_constraints.md").write_text(f"- [constraint] {RULE}\n")
    return project


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all sessions of a module."""
    return with_rule(tmp_path_factory.mktemp("faults") / "project")


@pytest.fixture
def session(watched_daemon: Any, project: Path, new_session: Callable[..., Any]) -> Any:
    return new_session(watched_daemon, project=project)


@pytest.fixture(scope="module")
def hasty_daemon(watched_daemon: Any) -> Any:
    """The same, giving little grace; the person has a script, and switched off what says nothing here."""
    config = watched_daemon.home / ".config" / "agentinitd"
    (config / "init.d").mkdir(parents=True)
    silent = ("S15-captured-rules", "S20-tools", "S30-task-state", "S40-decisions", "S45-captured-facts")
    for name in silent:
        (config / "init.d" / name).symlink_to(os.devnull)
    neighbour = config / "init.d" / "S80-neighbour"
    neighbour.write_text("#!/bin/sh\necho '- The neighbour was here'\n")
    neighbour.chmod(0o755)
    (config / "agentinitd.yaml").write_text("kill_grace_seconds: 0.2\ndrain_seconds: 0.1\n")
    status, body = watched_daemon.ask("POST", "/v1/reload")
    assert (status, json.loads(body)["error"]) == (200, "")
    return watched_daemon


@pytest.fixture
def place(hasty_daemon: Any, new_project: Callable[..., Path], new_session: Callable[..., Any]) -> Place:
    """A project of its own for one fault."""
    root = new_project("faulty", project_constraints=f"- [constraint] {RULE}\n")
    return Place(hasty_daemon, root, new_session(hasty_daemon, project=root))


def is_root() -> bool:
    return os.geteuid() == 0
