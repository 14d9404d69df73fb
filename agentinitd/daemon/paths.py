"""Where everything of ours lies, derived from the environment once (architecture.md section 4)."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agentinitd.model.errors import NotConfigured

SOCKET_NAME = "agentinitd.sock"
SOCKET_PATH_LIMIT_BYTES = 103
"""macOS has room for 104 with the closing NUL; Linux for 108 (supervision.md LCK-6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Absolute paths.  Nothing is made or looked at here, except to choose the runtime folder."""

    home: Path
    config_dir: Path
    state_dir: Path
    runtime_dir: Path
    """Holds the socket."""
    system_dir: Path = Path("/etc/agentinitd")

    @classmethod
    def from_environment(cls, env: Mapping[str, str]) -> Places:
        """Raises NotConfigured when there is no home."""
        home = Path(env.get("HOME", ""))
        if not home.is_absolute():
            raise NotConfigured("HOME is not set to an absolute path. Set it and start again.")
        state_dir = _xdg(env, "XDG_STATE_HOME", home / ".local" / "state") / "agentinitd"
        return cls(
            home=home,
            config_dir=_xdg(env, "XDG_CONFIG_HOME", home / ".config") / "agentinitd",
            state_dir=state_dir,
            runtime_dir=_runtime_dir(env, state_dir),
        )

    @property
    def trust_dir(self) -> Path:
        return self.state_dir / "trust"

    @property
    def exec_dir(self) -> Path:
        return self.state_dir / "exec"

    @property
    def last_good_dir(self) -> Path:
        return self.state_dir / "last-good"

    @property
    def sessions_dir(self) -> Path:
        return self.state_dir / "sessions"

    @property
    def receipts_dir(self) -> Path:
        return self.state_dir / "receipts"

    @property
    def scratch_dir(self) -> Path:
        """Holds a folder for each rebuild that is under way."""
        return self.state_dir / "scratch"

    @property
    def script_state_dir(self) -> Path:
        """Holds a folder for each session, in which its scripts may keep something."""
        return self.state_dir / "scripts"

    @property
    def log_file(self) -> Path:
        return self.state_dir / "rebuild.log"

    @property
    def stacks_file(self) -> Path:
        """What all threads were at, each time somebody asked with USR2."""
        return self.state_dir / "stacks.log"

    @property
    def lock_file(self) -> Path:
        return self.state_dir / "agentinitd.lock"

    @property
    def address_file(self) -> Path:
        return self.state_dir / "address.json"

    @property
    def user_config_file(self) -> Path:
        return self.config_dir / "agentinitd.yaml"

    @property
    def fallback_socket(self) -> Path:
        """Where clients look last: logout takes the runtime folder away from daemons that live on."""
        return _socket_in(self.state_dir / "run")

    @property
    def socket(self) -> Path:
        """Where to bind: in the runtime folder, or in a short folder of /tmp when that path is too long."""
        return _socket_in(self.runtime_dir)


def _socket_in(folder: Path) -> Path:
    wanted = folder / SOCKET_NAME
    if len(os.fsencode(wanted)) <= SOCKET_PATH_LIMIT_BYTES:
        return wanted
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:8]
    return Path("/tmp") / f"agentinitd-{os.geteuid()}-{digest}" / SOCKET_NAME


def _xdg(env: Mapping[str, str], name: str, default: Path) -> Path:
    # A relative path in these variables is to be ignored (XDG base directory specification).
    value = Path(env.get(name, ""))
    return value if value.is_absolute() else default


def _runtime_dir(env: Mapping[str, str], state_dir: Path) -> Path:
    """The first place that passes (supervision.md LCK-4); `hook.py` looks at the same list."""
    chosen = Path(env.get("AGENTINITD_RUNTIME_DIR", ""))
    if chosen.is_absolute():
        return chosen
    session = Path(env.get("XDG_RUNTIME_DIR") or f"/run/user/{os.geteuid()}")
    if session.is_absolute() and _is_our_folder(session):
        return session / "agentinitd"
    return state_dir / "run"


def _is_our_folder(path: Path) -> bool:
    try:
        found = path.stat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
