"""Bad starts, bad files and rude signals: the daemon lives or says why not, and loses nothing due."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

RULE = "Install with pnpm, never npm"
RUN = (sys.executable, "-P", "-m", "agentinitd")

New = Callable[..., Any]
Eventually = Callable[..., Any]


@pytest.fixture(scope="module")
def living(shared_daemon: Any) -> Any:
    """One for all that can be mended again."""
    shared_daemon.anchors(f"- [constraint] {RULE}\n")
    return shared_daemon


@pytest.fixture
def session(living: Any, new_session: New) -> Any:
    return new_session(living)


def reasons(daemon: Any) -> list[str]:
    return [f"{each['kind']}: {each['text']}" for each in daemon.get("/v1/status")["reasons"]]


def events(daemon: Any) -> list[str]:
    return [record["event"] for record in daemon.log()]


def due(session: Any) -> list[str]:
    return [cause["trigger"] for cause in session.seen().get("due", [])]


def assert_served(session: Any) -> None:
    assert RULE in session.starts("resume")
    assert session.prompts() == ""


def reload_error(daemon: Any) -> str:
    status, body = daemon.ask("POST", "/v1/reload")
    assert status == 200
    return str(json.loads(body)["error"])


def lay(path: Path, kind: str) -> None:
    """A config file that cannot be used."""
    match kind:
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "100 MB":
            path.touch()
            os.truncate(path, 100_000_000)
        case "binary":
            path.write_bytes(b"\x00\xff\xfe" + os.urandom(1000))
        case "device":
            path.symlink_to("/dev/zero")
        case _:
            path.write_text(TEXTS[kind])


TEXTS = {
    "syntax": "budget_tokens: [1, 2\n",
    "wrong types": "budget_tokens: many\ntick_idle_seconds: [5]\n",
    "out of bounds": "budget_tokens: -1\n",
    "a list": "- budget_tokens: 300\n",
    "aliases without end": "a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nbudget_tokens: [*c, *c]\n",
    "an object": "budget_tokens: !!python/object/apply:os.system ['touch /tmp/agentinitd-owned']\n",
}
KINDS = (*TEXTS, "binary", "fifo", "folder", "100 MB", "device")


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    else:
        path.unlink()


class TestConfig:
    @pytest.mark.parametrize("kind", KINDS)
    def test_a_bad_file_at_a_reload_leaves_the_old_settings_in_force(self, living: Any, kind: str) -> None:
        """DMN-7."""
        path = living.home / ".config" / "agentinitd" / "agentinitd.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("cooldown_turns: 7\n")
        assert reload_error(living) == ""
        remove(path)
        lay(path, kind)

        assert str(path) in reload_error(living)
        assert any(each.startswith("config") and str(path) in each for each in reasons(living))
        told = [each for each in events(living) if not each.startswith("watch.")]
        assert told[-2:] == ["config.error", "daemon.reload"]

        remove(path)
        assert reload_error(living) == ""
        assert reasons(living) == []
        assert not Path("/tmp/agentinitd-owned").exists()

    @pytest.mark.parametrize(
        "kind", ["syntax", "wrong types", "an object", "binary", "fifo", "100 MB", "device"]
    )
    def test_a_bad_file_of_a_project_costs_that_file(self, living: Any, session: Any, kind: str) -> None:
        """DMN-7, OVR-7."""
        path = living.project / ".agent-memory" / "config.yaml"
        lay(path, kind)
        try:
            assert_served(session)
            assert any(each.startswith("config") and str(path) in each for each in reasons(living))
        finally:
            remove(path)

        living.ask("GET", f"/v1/snippet?project={living.project}")
        assert reasons(living) == []

    def test_all_bad_files_at_once_at_the_start(self, new_daemon: New, new_session: New) -> None:
        """DMN-7: it serves by the vendor's settings, and names each of them."""
        daemon = new_daemon()
        daemon.anchors(f"- [constraint] {RULE}\n")
        folder = daemon.home / ".config" / "agentinitd" / "agentinitd.d"
        folder.mkdir(parents=True)
        for kind in KINDS:
            lay(folder / f"{kind.replace(' ', '-')}.yaml", kind)

        daemon.start()

        told = [each for each in reasons(daemon) if each.startswith("config")]
        for kind in KINDS:
            assert any(f"{kind.replace(' ', '-')}.yaml" in each for each in told)
        assert "config.error" in events(daemon)
        assert_served(new_session(daemon))


class TestSignals:
    def test_a_storm_of_hangups(self, living: Any, session: Any, eventually: Eventually) -> None:
        """DMN-6, LOG-2."""
        before = events(living).count("daemon.reload")
        for _ in range(300):
            living.process.send_signal(signal.SIGHUP)

        assert_served(session)
        eventually(lambda: events(living).count("daemon.reload") > before)
        assert_served(session)

    def test_one_that_is_stopped_for_a_while_keeps_no_agent_waiting_and_goes_on(
        self, living: Any, session: Any, eventually: Eventually
    ) -> None:
        """DMN-6, CLK-1: what happened meanwhile is found, and told once."""
        session.turn(150_000)
        eventually(lambda: session.seen().get("turn") == 1)
        assert RULE in session.prompts()
        living.process.send_signal(signal.SIGSTOP)
        try:
            session.turn(150_000)
            session.compacts()
            began = time.monotonic()
            printed = living.hook(session.payload("UserPromptSubmit", prompt="go on"))
            assert time.monotonic() - began < 10  # the agent gives a hook no more
            assert printed == "" or RULE in printed
        finally:
            living.process.send_signal(signal.SIGCONT)

        eventually(lambda: session.seen()["turn"] == 2)
        told = [session.prompts() for _ in range(3)]
        assert sum(RULE in each for each in told) <= 1
        session.compacts()
        assert RULE in session.prompts()
        assert session.prompts() == ""

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
    def test_an_end_in_the_middle_of_a_rebuild_leaves_what_was_due_and_no_script(
        self, new_daemon: New, new_session: New, eventually: Eventually, number: signal.Signals
    ) -> None:
        """DMN-6, FAIL-7, KIL-8."""
        daemon = new_daemon()
        daemon.anchors(f"- [constraint] {RULE}\n")
        path = daemon.project / ".agent-memory" / "init.d" / "S50-slow"
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\necho $$ >{daemon.project}/pid\n[ -e {daemon.project}/go ] || sleep 30\n")
        path.chmod(0o755)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert daemon.command("trust", str(path), "--sha256", digest).returncode == 0
        daemon.start()
        session = new_session(daemon)
        session.turn(150_000)
        eventually(
            lambda: (daemon.project / "pid").exists() and (daemon.project / "pid").read_text(), seconds=40
        )
        pid = int((daemon.project / "pid").read_text())

        daemon.process.send_signal(number)
        code = daemon.process.wait(timeout=20)

        assert code == (0 if number == signal.SIGTERM else -signal.SIGKILL)
        (daemon.project / "go").touch()
        daemon.process.communicate()
        daemon.start()
        eventually(lambda: not is_alive(pid))
        assert RULE in session.prompts()
        assert session.prompts() == ""


def is_alive(pid: int) -> bool:
    with contextlib.suppress(psutil.NoSuchProcess):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False


class TestStarts:
    def test_ten_at_once_make_one_daemon(self, new_daemon: New, new_session: New) -> None:
        """DMN-2, DMN-5, LCK-1: each starter finds it running."""
        daemon = new_daemon()
        daemon.anchors(f"- [constraint] {RULE}\n")
        starters = [
            subprocess.Popen(
                [*RUN, "start"],
                env=daemon.environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for _ in range(10)
        ]
        said = [(starter.communicate(timeout=100)[0], starter.returncode) for starter in starters]
        try:
            assert [code for _, code in said] == [0] * 10, said
            assert events(daemon).count("daemon.ready") == 1
            assert_served(new_session(daemon))
        finally:
            daemon.command("stop")

    def test_kills_at_any_moment_of_a_start_hinder_none_that_follows(
        self, new_daemon: New, new_session: New
    ) -> None:
        """LCK-1, LCK-3, LCK-8."""
        daemon = new_daemon()
        daemon.anchors(f"- [constraint] {RULE}\n")
        for moment in ("agentinitd.lock", "rebuild.log", "address.json"):
            process = subprocess.Popen(
                [*RUN, "start", "--foreground"], env=daemon.environment, stderr=subprocess.DEVNULL, cwd="/"
            )
            while not (daemon.state_dir / moment).exists() and process.poll() is None:
                time.sleep(0.001)
            process.kill()
            process.wait()
        daemon.start()

        assert_served(new_session(daemon))

    def test_a_lock_that_another_process_holds(self, new_daemon: New, new_session: New) -> None:
        """LCK-1, DMN-8."""
        daemon = new_daemon()
        daemon.anchors(f"- [constraint] {RULE}\n")
        daemon.state_dir.mkdir(parents=True, mode=0o700)
        with (daemon.state_dir / "agentinitd.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)

            done = daemon.command("start", "--foreground")

            assert done.returncode == 151
            assert "agentinitd.lock" in done.stderr
        daemon.start()
        assert_served(new_session(daemon))


WRAPPERS: dict[str, tuple[str, ...]] = {
    "closed streams": ("sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh"),
    "blocked signals": (
        sys.executable,
        "-c",
        "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals());"
        "os.execv(sys.argv[1], sys.argv[1:])",
    ),
    "a folder that is gone": ("sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh"),
    "few descriptors": ("prlimit", "--nofile=40:40"),
}
VARIABLES: dict[str, dict[str, str]] = {
    "an empty PATH": {"PATH": ""},
    "no locale": {"LANG": "C", "LC_ALL": "C"},
}


@pytest.mark.parametrize("fault", [*WRAPPERS, *VARIABLES])
def test_a_starter_that_leaves_it_little(
    new_daemon: New, new_session: New, tmp_path: Path, fault: str, eventually: Eventually
) -> None:
    """DMN-1, DMN-3, DMN-6, EXE-9, FIL-4: it serves texts of any language, and ends when it is told to."""
    daemon = new_daemon()
    # A project and a text that cannot be written in the locale.
    daemon.project = daemon.project.rename(tmp_path / "项目")
    daemon.anchors(f"- [constraint] {RULE}: 使用 pnpm\n")
    daemon.wrapper = WRAPPERS.get(fault, ())
    daemon.environment |= VARIABLES.get(fault, {})
    daemon.start()
    session = new_session(daemon)
    if fault == "few descriptors":
        use_up_descriptors(daemon)
    session.turn(150_000)

    eventually(lambda: session.seen().get("turn") == 1)
    assert f"{RULE}: 使用 pnpm" in session.prompts()
    assert session.prompts() == ""
    if fault != "few descriptors":
        assert "daemon.bug" not in events(daemon)
    process = daemon.process
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=20) == 0


def use_up_descriptors(daemon: Any) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(60):
            client = stack.enter_context(socket.socket(socket.AF_UNIX))
            client.connect(str(daemon.runtime / "agentinitd.sock"))
        time.sleep(0.3)
        assert daemon.process.poll() is None


@pytest.mark.parametrize(("path", "code"), [(None, 6), ("relative", 6), ("/dev/null", 1), ("/proc", 1)])
def test_a_home_that_cannot_be_one(new_daemon: New, path: str | None, code: int) -> None:
    """DMN-8: told in one line that names the cure."""
    daemon = new_daemon()
    del daemon.environment["HOME"]
    if path is not None:
        daemon.environment["HOME"] = path

    done = daemon.command("start", "--foreground")

    assert done.returncode == code, done.stderr
    assert "HOME" in done.stderr
    assert "a bug" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def damage_records(daemon: Any, text: bytes) -> None:
    for path in (daemon.state_dir / "sessions").glob("*.json"):
        path.write_bytes(text)


def of_another_version(daemon: Any) -> None:
    for path in (daemon.state_dir / "sessions").glob("*.json"):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"v": 99, "more": {"of": "it"}}))


def damage_below(folder: Path, data: bytes = b"\0\xff{torn") -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            path.chmod(0o600)
            path.write_bytes(data)


def name_a_stranger(daemon: Any) -> None:
    """The lock file of a dead daemon names a pid that belongs to somebody else by now; its log is torn."""
    (daemon.state_dir / "rebuild.log").write_bytes(b"\0\xff{torn")
    holder = {"pid": os.getpid(), "started": 1.0, "version": "0", "socket": "/nowhere", "instance": "dead"}
    (daemon.state_dir / "agentinitd.lock").write_text(json.dumps(holder) + "\n" + "x" * 5000)


def lead_astray(daemon: Any) -> None:
    """Where clients look first they find nothing; and among the receipts lies what is none."""
    (daemon.state_dir / "receipts" / "folder").mkdir(exist_ok=True)
    address = {"socket": "/nowhere/at/all.sock", "pid": 1, "started": 1.0, "protocol": 99, "version": "99.0"}
    (daemon.state_dir / "address.json").write_text(json.dumps(address))


DAMAGES: dict[str, Callable[[Any], None]] = {
    "torn records": lambda daemon: damage_records(daemon, b'{"v": 1, "key'),
    "records of a newer version": of_another_version,
    "last-good": lambda daemon: damage_below(daemon.state_dir / "last-good"),
    "a stale lock": name_a_stranger,
    "a stale address": lead_astray,
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_state_that_was_damaged_between_two_starts(
    living: Any, session: Any, damage: str, eventually: Eventually
) -> None:
    """FIL-5, LCK-3, LCK-7, OUT-9, TRU-3: kept aside or passed over, and the session goes on."""
    session.turn(150_000)
    eventually(lambda: session.seen().get("turn") == 1)
    assert RULE in session.prompts()
    living.kill()
    DAMAGES[damage](living)

    living.start()

    session.turn(150_000)
    session.compacts()
    assert RULE in session.prompts()
    assert session.prompts() == ""
    assert "daemon.bug" not in [record["event"] for record in sound(living)]
    if "records" in damage:
        assert list((living.state_dir / "sessions").glob("*.bad-*"))


def sound(daemon: Any) -> Iterator[dict[str, Any]]:
    """The lines of the log that are whole."""
    for line in (daemon.state_dir / "rebuild.log").read_bytes().splitlines():
        with contextlib.suppress(ValueError):
            yield json.loads(line)


@pytest.mark.parametrize("what", ["state/task_state.json", "index.sqlite"])
def test_a_memory_that_was_damaged(living: Any, session: Any, what: str) -> None:
    """FIL-5: the rest is served and found."""
    living.command("recall", "pnpm")
    memory = living.project / ".agent-memory"
    found = [path for path in memory.rglob("*") if str(path).endswith(what)] or [memory / what]
    for path in found:
        path.write_bytes(b"\0\xff{torn" * 500)

    assert_served(session)
    assert RULE in living.command("recall", "pnpm").stdout
    if "task" in what:
        assert any(each.startswith("memory") and what in each for each in reasons(living))
    for path in found:
        path.unlink(missing_ok=True)
