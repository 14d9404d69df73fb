"""`unit install`, `remove` and `status` with service managers that record what they are asked."""

from __future__ import annotations

import json
import os
import plistlib
import re
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from agentinitd.cli.main import cli
from agentinitd.daemon.units import own_command
from agentinitd.model.errors import AgentinitdError, NotConfigured, NotInstalled, UsageError

PROGRAMS = Path(__file__).parents[1] / "data" / "managers"
"""A systemctl, a launchctl and their like, ahead of the real ones on PATH."""
INSTALLED = ["systemctl daemon-reload", "systemctl enable U", "systemctl reset-failed U"]
TARGET = f"gui/{os.geteuid()}/org.agentinitd"


class Managers:
    """What the programs are told by files in a folder, and what they were asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def set(self, name: str, text: str = "") -> None:
        (self.folder / name).write_text(text)

    def unset(self, name: str) -> None:
        (self.folder / name).unlink()

    @property
    def pid(self) -> int:
        return int((self.folder / "pid").read_text())

    def changes(self) -> list[str]:
        """What was asked for since the last time, questions apart; short."""
        path = self.folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        words = [line.replace(" --user", "").replace("agentinitd.service", "U") for line in lines]
        questions = ("systemctl show", "launchctl print", "loginctl show-user")
        return [line for line in words if not line.startswith(questions)]


@pytest.fixture(autouse=True)
def managers(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Managers:  # noqa: ARG001 - HOME first
    folder = tmp_path / "managers"
    folder.mkdir()
    monkeypatch.setenv("FAKE", str(folder))
    monkeypatch.setenv("PATH", f"{PROGRAMS}:{os.environ['PATH']}")
    return Managers(folder)


@pytest.fixture
def service(home: Path) -> Path:
    return home / ".config" / "systemd" / "user" / "agentinitd.service"


@pytest.fixture
def plist(home: Path) -> Path:
    return home / "Library" / "LaunchAgents" / "org.agentinitd.plist"


def call(*args: str) -> Result:
    return CliRunner().invoke(cli, ["unit", *args], standalone_mode=False)


def done(*args: str) -> str:
    result = call(*args)
    assert result.exception is None, result.exception
    return result.output


def refused(kind: type[AgentinitdError], *args: str) -> str:
    result = call(*args)
    assert type(result.exception) is kind, (result.exception, result.output)
    return str(result.exception)


def problems(*args: str) -> list[str]:
    told = json.loads(call("status", "--json", *args).output)
    return [problem["text"] for problem in told["problems"]]


class TestSystemd:
    def test_installing_writes_enables_and_starts(self, managers, service, home):
        said = done("install", "--systemd")

        assert "the unit is in." in said
        assert managers.changes() == [*INSTALLED, "systemctl restart U"]
        assert stat.S_IMODE(service.stat().st_mode) == 0o644
        assert "ExecStart=/" in service.read_text()
        assert [path for path in home.rglob("*") if path.is_file()] == [service]

    def test_installing_again_restarts_nothing(self, managers, service):
        done("install", "--systemd")
        before = service.stat().st_ino
        managers.changes()

        assert "the unit is in already." in done("install", "--systemd")
        assert managers.changes() == [*INSTALLED, "systemctl start U"]
        assert service.stat().st_ino == before

    def test_a_unit_changed_by_hand_is_kept_until_forced(self, managers, service):
        done("install", "--systemd")
        changed = service.read_text().replace("Nice=5", "Nice=9")
        service.write_text(changed)
        managers.changes()

        assert "changed by hand and was left as it is" in refused(NotConfigured, "install", "--systemd")
        assert "changed by hand and was left as it is" in refused(NotConfigured, "remove", "--systemd")
        assert service.read_text() == changed
        assert managers.changes() == []
        done("install", "--systemd", "--force")
        assert "Nice=5" in service.read_text()

    @pytest.mark.parametrize("data", [b"", b"[Service]\nExecStart=/mine\n", b"\xff\0"])
    def test_a_unit_of_somebody_else_is_kept_until_forced(self, service, data):
        service.parent.mkdir(parents=True)
        service.write_bytes(data)

        assert "not written by" in refused(NotConfigured, "install", "--systemd")
        assert service.read_bytes() == data
        done("remove", "--systemd", "--force")
        assert not service.exists()

    def test_a_mask_is_not_written_through(self, service):
        service.parent.mkdir(parents=True)
        service.symlink_to("/dev/null")

        for force in ((), ("--force",)):
            assert "unmask agentinitd" in refused(NotConfigured, "install", "--systemd", *force)
            assert "unmask agentinitd" in refused(NotConfigured, "remove", "--systemd", *force)
        assert service.is_symlink()
        assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)

    def test_removing_stops_it_and_takes_out_exactly_ours(self, managers, service):
        done("install", "--systemd")
        drop_in = service.with_name("agentinitd.service.d") / "mine.conf"
        drop_in.parent.mkdir()
        drop_in.write_text("[Service]\nNice=1\n")
        other = service.with_name("other.service")
        other.write_text("")
        managers.changes()

        assert "what you put there was kept" in done("remove", "--systemd")
        assert managers.changes() == [
            "systemctl disable --now U",
            "systemctl daemon-reload",
            "systemctl reset-failed U",
        ]
        assert (service.exists(), drop_in.exists(), other.exists()) == (False, True, True)
        assert "no unit is installed; nothing to change" in done("remove", "--systemd")
        assert managers.changes() == []

    def test_without_a_user_manager_nothing_is_written_and_start_is_named(self, managers, service):
        managers.set("absent")

        said = refused(NotInstalled, "install", "--systemd")
        assert "no user manager of systemd here (Failed to connect to bus" in said
        assert "`agentinitd start` works without" in said
        assert NotInstalled.exit_code == 5
        assert not service.exists()
        assert "no unit is installed" in call("status", "--systemd").output

    def test_without_the_program_it_is_the_same(self, monkeypatch, service):
        monkeypatch.setenv("PATH", "/nowhere")

        assert "systemctl cannot be run" in refused(NotInstalled, "install", "--systemd")
        assert not service.exists()

    def test_a_unit_left_from_another_life_is_removed_without_a_manager(self, managers, service):
        done("install", "--systemd")
        wish = service.parent / "default.target.wants" / service.name
        wish.parent.mkdir()
        wish.symlink_to(service)
        managers.set("absent")

        assert "no user manager" in "".join(problems("--systemd"))
        done("remove", "--systemd")
        assert not service.exists() and not wish.is_symlink()

    def test_what_systemd_does_not_accept_is_not_installed(self, managers, service):
        managers.set("refused")

        assert "Command /x is not executable" in refused(NotInstalled, "install", "--systemd")
        assert not service.exists()
        assert managers.changes() == []

    def test_a_start_that_fails_says_why_and_where_to_look(self, managers):
        managers.set("broken")
        managers.set("linger", "yes")

        said = refused(AgentinitdError, "install", "--systemd")
        assert "failed (exit-code, code 6: config)" in said
        assert "journalctl --user -u agentinitd.service" in said
        assert problems("--systemd") == ["it does not run: failed (exit-code, code 6: config)"]

    def test_the_unit_goes_where_the_manager_looks_not_where_the_shell_would(
        self, home, service, monkeypatch
    ):
        monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "elsewhere"))

        done("install", "--systemd")
        assert service.exists(), "the folder is the one that the manager named"

    def test_status_tells_installed_enabled_active_and_their_cures(self, managers):
        nothing = call("status", "--systemd")
        assert nothing.return_value == 5
        assert "Cure: agentinitd unit install" in nothing.output
        managers.set("linger", "yes")
        done("install", "--systemd")
        fine = call("status", "--systemd")
        assert (fine.return_value, "active (running)" in fine.output) == (0, True)
        managers.unset("enabled")
        managers.unset("pid")

        broken = call("status", "--systemd")
        assert broken.return_value == 1
        assert "does not start with the next login. Cure: agentinitd unit install" in broken.output
        assert "does not run: inactive (dead). Cure: agentinitd start" in broken.output

    def test_one_that_ends_again_and_again_does_not_pass_for_running(self, managers):
        managers.set("linger", "yes")
        done("install", "--systemd")
        managers.set("dying")

        assert problems("--systemd") == ["it does not run: activating (auto-restart)"]

    def test_json_has_stable_names(self, managers):
        managers.set("linger", "no")
        done("install", "--systemd")

        told = json.loads(call("status", "--systemd", "--json").output)
        assert list(told) == [
            "manager", "is_available", "refusal", "path", "is_installed", "origin", "is_enabled", "is_active",
            "state", "pid", "lingers", "drop_ins", "problems",
        ]  # fmt: skip
        assert (told["origin"], told["is_enabled"], told["is_active"], told["lingers"]) == (
            "ours",
            True,
            True,
            False,
        )
        assert told["problems"] == [
            {
                "text": "the user manager ends at the last logout, and the daemon with it",
                "cure": "loginctl enable-linger",
            }
        ]

    def test_lingering_is_asked_for_on_request(self, managers):
        done("install", "--systemd", "--linger")

        assert managers.changes()[-1] == "loginctl enable-linger"

    def test_an_agentinitd_that_was_moved_or_is_called_elsewhere_shows(
        self, managers, service, tmp_path, monkeypatch
    ):
        managers.set("linger", "yes")
        done("install", "--systemd")
        program = tmp_path / "new" / "agentinitd"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        monkeypatch.setattr(sys, "argv", [str(program)])
        monkeypatch.setenv("CODEX_HOME", "/c")

        moved, elsewhere = problems("--systemd")
        assert moved.endswith(f"this is '{program}'")
        assert elsewhere == "CODEX_HOME is not set in the unit and '/c' here"
        done("install", "--systemd")
        assert f"ExecStart={program} start" in service.read_text()
        assert problems("--systemd") == []

    def test_a_dry_run_shows_the_unit_and_changes_nothing(self, managers, service):
        shown = done("install", "--systemd", "-n", "--no-hardening")

        assert "ExecStart=" in shown and "NoNewPrivileges" not in shown
        assert not service.exists() and managers.changes() == []


class TestLaunchd:
    def test_installing_boots_it_in_and_removing_takes_it_out(self, managers, plist, home):
        done("install", "--launchd")

        assert managers.changes() == [
            f"launchctl enable {TARGET}",
            f"launchctl bootstrap gui/{os.geteuid()} {plist}",
        ]
        agent = plistlib.loads(plist.read_bytes())
        assert Path(agent["StandardErrorPath"]).parent.is_dir()
        assert call("status", "--launchd").return_value == 0
        done("install", "--launchd")
        assert managers.changes() == [f"launchctl enable {TARGET}"]
        done("remove", "--launchd")
        assert managers.changes() == [f"launchctl bootout {TARGET}"]
        assert [path.name for path in (home / "Library" / "LaunchAgents").iterdir()] == []

    def test_a_changed_agent_is_loaded_anew(self, managers, monkeypatch):
        done("install", "--launchd")
        managers.changes()
        monkeypatch.setenv("CODEX_HOME", "/c")

        done("install", "--launchd")
        assert [line.split()[1] for line in managers.changes()] == ["bootout", "enable", "bootstrap"]

    def test_without_a_session_at_the_screen_that_of_the_login_is_taken(self, managers):
        managers.set("no-screen")

        done("install", "--launchd")
        assert f"user/{os.geteuid()}" in managers.changes()[-1]

    def test_what_launchd_says_is_explained(self, managers):
        managers.set("broken")

        said = refused(AgentinitdError, "install", "--launchd")
        assert "5: Input/output error. It is loaded already, or there is no session" in said
        managers.unset("broken")
        managers.set("screen-only")

        said = refused(AgentinitdError, "install", "--launchd")
        assert "specified action. There is no session at the screen: log in there" in said

    def test_an_agent_that_gave_up_shows_its_last_code(self, managers):
        done("install", "--launchd")
        managers.unset("pid")

        assert problems("--launchd") == ["it does not run: not running, last exit code 6"]
        assert call("status", "--launchd").return_value == 1

    def test_without_launchd_it_is_said(self, managers, plist):
        managers.set("absent")

        assert "launchd has no session of this user" in refused(NotInstalled, "install", "--launchd")
        assert not plist.exists()

    def test_lingering_is_not_for_launchd(self):
        refused(UsageError, "install", "--launchd", "--linger")


class TestOwnCommand:
    def test_the_name_it_was_called_by_stays_also_when_it_is_a_link(self, tmp_path):
        (tmp_path / "real").write_text("")
        (tmp_path / "real").chmod(0o755)
        link = tmp_path / "agentinitd"
        link.symlink_to("real")

        assert own_command(str(link), "/nowhere/python") == (str(link),)

    def test_without_a_console_script_it_is_the_interpreter_without_the_folder_on_its_path(self, tmp_path):
        for argv0 in ("", "/x/agentinitd/__main__.py", str(tmp_path / "agentinitd")):
            assert own_command(argv0, "/nowhere/python") == ("/nowhere/python", "-P", "-m", "agentinitd")


class TestStartAndStop:
    """Where a unit is installed, its manager is asked (DMN-2), which runs the unit's own command line."""

    def test_start_and_stop_go_through_the_manager_that_has_our_unit(
        self, managers, new_daemon: Callable[[], Any], eventually
    ):
        daemon = new_daemon()
        daemon.environment |= {name: os.environ[name] for name in ("FAKE", "PATH", "XDG_RUNTIME_DIR")}
        daemon.environment |= {"NOTIFY_SOCKET": "/nowhere", "INVOCATION_ID": "1"}
        daemon.command("unit", "install", "--systemd")
        managers.set("absent")
        started = daemon.command("start")
        assert started.returncode == 0, "without its manager it starts all the same"
        managers.unset("absent")
        managers.set("run")

        said = daemon.command("unit", "install", "--systemd").stdout
        outside = re.search(r"pid (\d+)", started.stdout)[1]
        assert f"The daemon that ran (pid {outside}) was stopped for it." in said
        managers.changes()
        first = managers.pid
        assert daemon.command("restart").returncode == 0
        assert managers.changes() == ["systemctl stop U", "systemctl reset-failed U", "systemctl start U"]
        assert managers.pid != first
        told = eventually(lambda: json.loads(daemon.ask("GET", "/v1/status")[1]))
        assert (told["pid"], told["manager"]) == (managers.pid, "systemd")
        assert "has stopped" in daemon.command("stop").stdout
        assert managers.changes() == ["systemctl stop U"]
