"""Disks that are full, closed or gone under a living daemon: it serves, says so, and recovers."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

RULE = "Install with pnpm, never npm"
SAID = "From now on always format the code with ruff, never with black."
NOBODY = 65534

New = Callable[..., Any]
Eventually = Callable[..., Any]


class Disk:
    """A small file system of its own."""

    def __init__(self, folder: Path, *, kilobytes: int) -> None:
        self.folder = folder
        self.ballast = folder / "ballast"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Files that nobody may be kept from making: only bytes are to run out.
        options = f"size={kilobytes}k,nr_inodes=2000,mode=0700"
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)], capture_output=True, check=False
        )
        if done.returncode:
            pytest.skip(f"no file system can be mounted here: {done.stderr.decode().strip()}")

    def fill(self) -> None:
        """To the last byte."""
        descriptor = os.open(self.ballast, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for size in (65536, 4096, 1):
            with contextlib.suppress(OSError):
                while os.write(descriptor, bytes(size)):
                    pass
        os.close(descriptor)

    def use_up_files(self) -> None:
        """Bytes enough, and not one more file."""
        self.ballast.mkdir()
        with contextlib.suppress(OSError):
            for number in range(3000):
                (self.ballast / str(number)).touch()

    def empty(self) -> None:
        if self.ballast.is_dir():
            shutil.rmtree(self.ballast)
        else:
            self.ballast.unlink(missing_ok=True)

    def close(self) -> None:
        subprocess.run(["umount", "-l", str(self.folder)], capture_output=True, check=False)


@pytest.fixture(scope="module")
def disks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Disk]]:
    made: dict[str, Disk] = {}
    try:
        base = tmp_path_factory.mktemp("disks")
        for name, kilobytes in (("state", 3072), ("memory", 1024), ("spare", 256)):
            made[name] = Disk(base / name, kilobytes=kilobytes)
        yield made
    finally:
        for disk in made.values():
            disk.close()


@pytest.fixture(scope="module")
def shared_daemon(shared_daemon: Any, disks: dict[str, Disk]) -> Iterator[Any]:
    """Its state lies on a disk of its own, and so does the memory of its project."""
    shared_daemon.stop()
    shared_daemon.environment["XDG_STATE_HOME"] = str(disks["state"].folder / "xdg")
    quick = shared_daemon.home / ".config" / "agentinitd" / "agentinitd.yaml"
    quick.parent.mkdir(parents=True)
    quick.write_text("tick_active_seconds: 0.3\ntick_idle_seconds: 0.5\n")
    project = disks["memory"].folder / "project"
    for name in ("anchors", "state", "init.d"):
        (project / ".agent-memory" / name).mkdir(parents=True)
    (project / ".agent-memory" / "anchors" / "rules.md").write_text(f"- [constraint] {RULE}\n")
    shared_daemon.project = project
    shared_daemon.start()
    yield shared_daemon
    shared_daemon.stop()


@pytest.fixture
def state(disks: dict[str, Disk]) -> Iterator[Disk]:
    yield disks["state"]
    disks["state"].empty()


@pytest.fixture
def memory(disks: dict[str, Disk]) -> Iterator[Disk]:
    yield disks["memory"]
    disks["memory"].empty()


@pytest.fixture
def told(shared_daemon: Any, new_session: New) -> Any:
    """A session that was told of the rule when it started."""
    session = new_session(shared_daemon)
    session.turn(150_000)
    assert RULE in session.starts()
    return session


def folder_of(daemon: Any) -> Path:
    return Path(daemon.environment["XDG_STATE_HOME"]) / "agentinitd"


def log_of(daemon: Any) -> list[dict[str, Any]]:
    """Raises ValueError for a line that is torn."""
    return [json.loads(line) for line in (folder_of(daemon) / "rebuild.log").read_text().splitlines()]


def reasons(daemon: Any) -> list[str]:
    return [f"{each['kind']}: {each['text']}" for each in daemon.get("/v1/status")["reasons"]]


def is_well(daemon: Any) -> bool:
    found = reasons(daemon)
    print(found)  # shown when it stays so
    return found == []


def due(session: Any) -> list[str]:
    return [cause["trigger"] for cause in session.seen().get("due", [])]


def assert_told_once(session: Any) -> None:
    """After a compaction, whatever the disk takes."""
    session.compacts()
    assert RULE in session.prompts()
    assert session.prompts() == ""


def script(daemon: Any, name: str, text: str) -> Path:
    path = Path(daemon.project) / ".agent-memory" / "init.d" / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def approve(daemon: Any, path: Path) -> subprocess.CompletedProcess[str]:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    done: subprocess.CompletedProcess[str] = daemon.command("trust", str(path), "--sha256", digest)
    return done


class TestAFullStateDisk:
    def test_records_and_log_wait_and_tear_nothing(
        self, shared_daemon: Any, told: Any, state: Disk, eventually: Eventually
    ) -> None:
        """FIL-1, FIL-2, LOG-3."""
        state.fill()
        for _ in range(3):
            told.turn(150_000)
            assert_told_once(told)
        found = reasons(shared_daemon)
        assert any(f"{told.id} cannot be saved" in each for each in found), found
        assert any("rebuild.log" in each for each in found), found

        state.empty()

        told.turn(150_000)
        assert_told_once(told)
        eventually(lambda: is_well(shared_daemon))
        lost = [record["lost"] for record in log_of(shared_daemon) if record["event"] == "log.dropped"]
        assert lost
        assert min(lost) > 0
        assert not list(folder_of(shared_daemon).rglob(".*.tmp"))
        for path in (folder_of(shared_daemon) / "sessions").glob("*.json"):
            json.loads(path.read_bytes())

    def test_what_was_told_meanwhile_is_known_after_a_kill_once_there_is_room(
        self, shared_daemon: Any, told: Any, state: Disk, eventually: Eventually
    ) -> None:
        """FIL-2: neither lost nor told twice."""
        state.fill()
        assert_told_once(told)
        state.empty()
        told.compacts()
        eventually(lambda: due(told) == ["marker"])
        eventually(lambda: is_well(shared_daemon))

        shared_daemon.kill()
        shared_daemon.start()

        assert RULE in told.prompts()
        assert told.prompts() == ""

    def test_a_kill_while_it_is_full_costs_nothing_that_was_on_disk(
        self, shared_daemon: Any, told: Any, state: Disk, eventually: Eventually
    ) -> None:
        """FIL-1, FIL-2."""
        told.compacts()
        assert RULE in told.prompts()
        records = folder_of(shared_daemon) / "sessions"
        eventually(lambda: not any(b'"handouts":[{' in each.read_bytes() for each in records.glob("*.json")))
        state.fill()
        shared_daemon.kill()

        shared_daemon.start()

        assert told.prompts() == ""
        assert_told_once(told)

    def test_a_script_speaks_though_its_words_cannot_be_kept(
        self, shared_daemon: Any, told: Any, state: Disk
    ) -> None:
        """FIL-2, OUT-9."""
        path = script(shared_daemon, "S50-first", "echo '- The first words'")
        assert approve(shared_daemon, path).returncode == 0
        assert "The first words" in told.starts()
        state.fill()

        told.compacts()
        assert "The first words" in told.starts("compact")
        state.empty()
        told.compacts()
        assert "The first words" in told.starts("compact")
        for kept in (folder_of(shared_daemon) / "last-good").rglob("*.json"):
            json.loads(kept.read_bytes())
        path.unlink()

    def test_an_approval_is_refused_in_words_and_the_older_ones_stand(
        self, shared_daemon: Any, told: Any, state: Disk, request: pytest.FixtureRequest
    ) -> None:
        """FIL-1, TRU-3."""
        old = script(shared_daemon, "S51-old", "echo '- The old one'")
        request.addfinalizer(old.unlink)
        assert approve(shared_daemon, old).returncode == 0
        new = script(shared_daemon, "S52-new", "echo '- The new one'\n" + f"# {'x' * 9000}")
        request.addfinalizer(new.unlink)
        state.fill()

        done = approve(shared_daemon, new)

        assert done.returncode == 1, done.stdout
        assert "No space left" in done.stderr
        assert "a bug" not in done.stderr
        said = told.starts("resume")
        assert "The old one" in said
        assert "- The new one" not in said
        state.empty()
        assert approve(shared_daemon, new).returncode == 0
        assert "- The new one" in told.starts("resume")

    def test_the_hook_client_prints_once_though_it_can_leave_no_receipt(
        self, shared_daemon: Any, told: Any, state: Disk, eventually: Eventually
    ) -> None:
        """FIL-2: not one more file can be made, neither by the client nor for a rebuild."""
        state.use_up_files()
        told.compacts()
        eventually(lambda: due(told) == ["marker"])

        assert RULE in shared_daemon.context(told.payload("UserPromptSubmit", prompt="go on"))
        eventually(lambda: due(told) == [])
        assert shared_daemon.context(told.payload("UserPromptSubmit", prompt="go on")) == ""
        state.empty()
        assert_told_once(told)
        eventually(lambda: is_well(shared_daemon))


class TestAFullMemory:
    def test_what_was_said_waits_until_the_memory_takes_it(
        self, shared_daemon: Any, told: Any, memory: Disk, eventually: Eventually
    ) -> None:
        """FIL-1, FIL-2: also over a restart, and once only."""
        captured = Path(shared_daemon.project) / ".agent-memory" / "anchors" / "captured.md"
        before = captured.read_bytes() if captured.exists() else None
        memory.fill()
        told.says(SAID)
        eventually(lambda: any(told.id in each and "memory" in each for each in reasons(shared_daemon)))
        assert (captured.read_bytes() if captured.exists() else None) == before
        assert_told_once(told)
        memory.empty()

        shared_daemon.stop()
        shared_daemon.start()

        eventually(lambda: captured.exists() and "ruff" in captured.read_text())
        told.turn(150_000)
        eventually(lambda: is_well(shared_daemon))
        lines = [line for line in captured.read_text().splitlines() if "- [" in line and "ruff" in line]
        assert len(lines) == 1, lines

    def test_the_task_state_stays_whole(self, shared_daemon: Any, told: Any, memory: Disk) -> None:
        """FIL-1."""
        assert shared_daemon.command("task", "add", "the first step").returncode == 0
        path = Path(shared_daemon.project) / ".agent-memory" / "state" / "task_state.json"
        before = path.read_bytes()
        memory.fill()

        done = shared_daemon.command("task", "add", "the second step " + "x" * 3000)

        assert done.returncode == 1, done.stdout
        assert "No space left" in done.stderr
        assert path.read_bytes() == before
        memory.empty()
        assert shared_daemon.command("task", "add", "the second step").returncode == 0
        assert "the second step" in path.read_text()
        told.prompts()

    def test_a_snippet_is_handed_over_though_it_cannot_be_left_as_a_file(
        self, shared_daemon: Any, told: Any, memory: Disk
    ) -> None:
        """FIL-2."""
        run = Path(shared_daemon.project) / ".agent-memory" / "run"
        memory.fill()  # what is still to be left of the test before cannot be left either
        before = (run / "last-snippet").read_bytes()
        assert RULE.encode() in before
        anchors = Path(shared_daemon.project) / ".agent-memory" / "anchors" / "rules.md"
        changed = anchors.read_text().replace("never npm", "never yap")  # no byte more
        with anchors.open("r+") as file:
            file.write(changed)

        told.compacts()
        assert "never yap" in told.prompts()
        assert (run / "last-snippet").read_bytes() == before
        assert "disk.full" in [record["event"] for record in log_of(shared_daemon)]
        memory.empty()
        told.compacts()
        assert "never yap" in told.prompts()
        assert b"never yap" in (run / "last-snippet").read_bytes()
        assert not [path for path in run.rglob(".*") if path.is_file()]
        anchors.write_text(f"- [constraint] {RULE}\n")

    def test_the_index_of_recall_is_no_condition_for_finding(
        self, shared_daemon: Any, told: Any, memory: Disk
    ) -> None:
        """FIL-2."""
        for path in (Path(shared_daemon.project) / ".agent-memory").rglob("index.sqlite*"):
            path.unlink()
        memory.fill()

        done = shared_daemon.command("recall", "pnpm")

        assert RULE in done.stdout, done
        assert_told_once(told)


class TestAClosedDisk:
    def test_a_state_that_may_only_be_read(
        self, shared_daemon: Any, told: Any, eventually: Eventually
    ) -> None:
        """FIL-2: as after an error of the disk, which the system then closes."""
        folder = str(folder_of(shared_daemon))
        subprocess.run(["mount", "--bind", folder, folder], check=True)
        try:
            subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)
            told.turn(150_000)
            assert_told_once(told)
            eventually(lambda: any(f"{told.id} cannot be saved" in each for each in reasons(shared_daemon)))
        finally:
            subprocess.run(["umount", "-l", folder], check=True)

        told.turn(150_000)
        assert_told_once(told)
        eventually(lambda: is_well(shared_daemon))

    def test_a_state_that_may_only_be_read_at_the_start(
        self, new_daemon: New, disks: dict[str, Disk]
    ) -> None:
        """DMN-8."""
        daemon, spare = new_daemon(), disks["spare"].folder
        daemon.environment["XDG_STATE_HOME"] = str(spare)
        subprocess.run(["mount", "-o", "remount,ro", str(spare)], check=True)
        try:
            done = daemon.command("start")
        finally:
            subprocess.run(["mount", "-o", "remount,rw", str(spare)], check=True)

        assert done.returncode == 1
        assert "Read-only file system" in done.stderr
        assert "XDG_STATE_HOME" in done.stderr

    def test_a_memory_that_may_only_be_read(self, told: Any, disks: dict[str, Disk]) -> None:
        """FIL-2."""
        folder = str(disks["memory"].folder)
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        try:
            told.turn(150_000)
            assert_told_once(told)
        finally:
            subprocess.run(["mount", "-o", "remount,rw", folder], check=True)
        assert_told_once(told)

    def test_no_room_at_the_start_for_a_socket(self, new_daemon: New, disks: dict[str, Disk]) -> None:
        """LCK-8, DMN-8: the reason is told, and with room it starts."""
        daemon, spare = new_daemon(), disks["spare"]
        daemon.anchors(f"- [constraint] {RULE}\n")
        runtime = spare.folder / "run"
        runtime.mkdir(mode=0o700)
        daemon.environment["AGENTINITD_RUNTIME_DIR"] = str(runtime)
        spare.use_up_files()
        try:
            done = daemon.command("start")
        finally:
            spare.empty()

        assert done.returncode == 1
        assert "No space left" in done.stderr
        assert list(runtime.iterdir()) == []
        daemon.start()
        assert daemon.command("status").returncode == 0


def test_no_file_may_be_larger_than_it_is_now(new_daemon: New, new_session: New) -> None:
    """LOG-3, FIL-2: as a quota says it, with an error of its own."""
    daemon = new_daemon()
    daemon.anchors(f"- [constraint] {RULE}\n")
    # Python would keep half a compiled module, and believe in it.
    daemon.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    daemon.wrapper = ("prlimit", "--fsize=2000")
    daemon.start()
    session = new_session(daemon)
    session.turn(150_000)

    assert RULE in session.prompts()
    assert_told_once(session)
    assert any("rebuild.log" in each for each in reasons(daemon))
    assert all(json.loads(line) for line in (daemon.state_dir / "rebuild.log").read_text().splitlines())


# The real program, that looks after its socket ten times a second in place of every half minute.
IMPATIENT = """
import sys
from agentinitd.cli.main import main
from agentinitd.daemon.main import Daemon
Daemon.__init__.__kwdefaults__["socket_check_seconds"] = 0.1
sys.argv = sys.argv[4:]
main()
"""


def test_a_state_folder_that_is_removed_while_it_runs(new_daemon: New, new_session: New) -> None:
    """FIL-2, LCK-1, LCK-9: it goes on serving, says so, and gives way to the next daemon."""
    daemon = new_daemon()
    daemon.anchors(f"- [constraint] {RULE}\n")
    daemon.wrapper = (sys.executable, "-P", "-c", IMPATIENT)
    daemon.start()
    session = new_session(daemon)
    session.turn(150_000)
    assert RULE in session.prompts()
    while daemon.state_dir.exists():  # while something is written there
        shutil.rmtree(daemon.state_dir, ignore_errors=True)

    assert_told_once(session)
    assert any(f"{session.id} cannot be saved" in each for each in reasons(daemon))
    old, daemon.process = daemon.process, None
    daemon.start()
    assert old.wait(timeout=20) == 151
    old.communicate()
    session.compacts()
    assert RULE in session.prompts()


@pytest.mark.parametrize(("owner", "mode", "code"), [(NOBODY, 0o700, 4), (0, 0o777, 4), (0, 0o755, 0)])
def test_a_state_folder_of_somebody_else_or_for_everybody(
    new_daemon: New, owner: int, mode: int, code: int
) -> None:
    """LCK-5, FIL-5, DMN-8: refused by name, or closed when it is ours."""
    if os.geteuid() != 0:
        pytest.skip("only root may give away a folder")
    daemon = new_daemon()
    daemon.state_dir.mkdir(parents=True)
    daemon.state_dir.chmod(mode)
    os.chown(daemon.state_dir, owner, owner)

    done = daemon.command("start")

    assert done.returncode == code, done.stderr
    if code:
        assert str(daemon.state_dir) in done.stderr
        assert daemon.state_dir.stat().st_uid == owner
        assert oct(daemon.state_dir.stat().st_mode)[-3:] == oct(mode)[-3:]
    else:
        assert oct(daemon.state_dir.stat().st_mode)[-3:] == "700"
        assert daemon.command("stop").returncode == 0
