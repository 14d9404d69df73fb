"""The user's own systemd, asked by `systemctl --user`."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from agentinitd.daemon.managers import ANSWER_SECONDS, Answer, ManagerName, UnitState, ask
from agentinitd.integrations import systemd
from agentinitd.model.errors import AgentinitdError

START_SECONDS = 40.0
"""More than the unit's own limits for starting and stopping together."""
_PROPERTIES = (
    "ActiveState", "SubState", "UnitFileState", "MainPID", "Result", "ExecMainStatus",
    "FragmentPath", "DropInPaths",
)  # fmt: skip
_CODES = {"2": "usage", "4": "permission", "5": "not installed", "6": "config", "151": "another daemon runs"}


class Systemd:
    """The user's own systemd."""

    NAME: ManagerName = "systemd"

    def __init__(self, home: Path, env: Mapping[str, str]) -> None:
        self._home = home
        self._env = dict(env)
        session = Path(f"/run/user/{os.geteuid()}")
        # Cron, su and ssh without PAM leave it out, though the manager runs.
        if not env.get("XDG_RUNTIME_DIR") and session.is_dir():
            self._env["XDG_RUNTIME_DIR"] = str(session)
        self._greeting: Answer | None = None

    @property
    def _hello(self) -> Answer:
        if self._greeting is None:
            self._greeting = self._ask("show", "--property=Version", "--property=UnitPath")
        return self._greeting

    @property
    def refusal(self) -> str:
        if self._hello.code == 0:
            return ""
        return f"There is no user manager of systemd here ({self._hello.last_words})."

    @property
    def version(self) -> int:
        found = re.search(r"^Version=v?([0-9]+)", self._hello.out, re.MULTILINE)
        return int(found[1]) if found else 0

    @property
    def folder(self) -> Path:
        """The manager's environment, not the shell's, decides where it looks."""
        first, *others = self.folders
        looked = re.search(r"^UnitPath=(.*)", self._hello.out, re.MULTILINE)
        paths = f" {looked[1]} " if looked else ""
        return next((each for each in (first, *others) if f" {each} " in paths), first)

    @property
    def folders(self) -> tuple[Path, ...]:
        """Where it may look."""
        bases = (Path(self._env.get("XDG_CONFIG_HOME", "")), self._home / ".config")
        return tuple(dict.fromkeys(base / "systemd" / "user" for base in bases if base.is_absolute()))

    def state(self) -> UnitState:
        answer = self._ask("show", systemd.UNIT, f"--property={','.join(_PROPERTIES)}")
        if answer.code != 0:
            return UnitState(words=answer.last_words)
        found = dict(line.split("=", 1) for line in answer.out.splitlines() if "=" in line)
        active, result = found.get("ActiveState", "unknown"), found.get("Result", "success")
        words = f"{active} ({found.get('SubState', '')})"
        if active == "failed":
            words = f"failed ({_why(result, found.get('ExecMainStatus', '0'))})"
        pid = int(found.get("MainPID") or 0)
        return UnitState(
            is_enabled=found.get("UnitFileState", "").startswith("enabled"),
            is_active=active in ("active", "activating", "reloading"),
            is_failing=found.get("SubState") == "auto-restart",
            pid=pid or None,
            words=words,
            source=Path(found["FragmentPath"]) if found.get("FragmentPath") else None,
            drop_ins=tuple(found.get("DropInPaths", "").split()),
        )

    def refuse(self, text: str) -> str:
        """As `systemd-analyze verify` finds it; where that is absent the manager tells when it is loaded."""
        with tempfile.TemporaryDirectory(prefix="agentinitd-unit-") as folder:
            path = Path(folder) / systemd.UNIT
            path.write_text(text, encoding="utf-8")
            answer = ask(
                self._env,
                "systemd-analyze",
                "--user",
                "verify",
                "--man=no",
                "--recursive-errors=no",
                str(path),
            )
        if answer.code in (0, 124, 127):
            return ""
        lines = [line for line in answer.err.splitlines() if systemd.UNIT in line]
        return "; ".join(lines)  # of other units it may find as much as it likes

    def load(self, path: Path, *, is_new: bool) -> None:
        self._must("daemon-reload")
        source = self.state().source
        if source is None or not _is_same(source, path):
            raise AgentinitdError(
                f"systemd does not read {path}, but {source or 'no such unit'}. "
                "Its environment names another XDG_CONFIG_HOME: run this with that one."
            )
        self._must("enable", systemd.UNIT)
        self._ask("reset-failed", systemd.UNIT)
        self._run("restart" if is_new else "start")

    def start(self) -> None:
        self._ask("reset-failed", systemd.UNIT)
        self._run("start")

    def stop(self) -> None:
        self._must("stop", systemd.UNIT, seconds=START_SECONDS)

    def unload(self) -> None:
        self._must("disable", "--now", systemd.UNIT, seconds=START_SECONDS)

    def forget(self) -> None:
        self._must("daemon-reload")
        self._ask("reset-failed", systemd.UNIT)

    def lingers(self) -> bool | None:
        """Whether the user manager outlives the last logout; None when nobody knows."""
        answer = ask(self._env, "loginctl", "show-user", str(os.geteuid()), "--property=Linger")
        if answer.code != 0:
            return None
        return "Linger=yes" in answer.out

    def linger(self) -> None:
        answer = ask(self._env, "loginctl", "enable-linger")
        if answer.code != 0:
            raise AgentinitdError(
                f"loginctl enable-linger: {answer.last_words}. Ask the administrator for it."
            )

    def _run(self, verb: str) -> None:
        answer = self._ask(verb, systemd.UNIT, seconds=START_SECONDS)
        if answer.code != 0:
            raise AgentinitdError(
                f"systemd did not {verb} {systemd.UNIT}: {self.state().words}. "
                f"See `journalctl --user -u {systemd.UNIT} -n 20` and `agentinitd unit status`."
            )

    def _must(self, *words: str, seconds: float = ANSWER_SECONDS) -> None:
        answer = self._ask(*words, seconds=seconds)
        if answer.code != 0:
            raise AgentinitdError(f"systemctl --user {' '.join(words)}: {answer.last_words}")

    def _ask(self, *words: str, seconds: float = ANSWER_SECONDS) -> Answer:
        return ask(self._env, "systemctl", "--user", *words, seconds=seconds)


def _why(result: str, code: str) -> str:
    meaning = f": {_CODES[code]}" if code in _CODES else ""
    return f"{result}, code {code}{meaning}"


def _is_same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
